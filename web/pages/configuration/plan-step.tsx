import type { ConfigurationChange, ConfigurationPlan } from '../../app/client.ts';
import { Button } from '../../parts/button.tsx';
import { Form } from '../../parts/form.tsx';
import { Icon } from '../../parts/icon.tsx';
import type { Section } from '../../parts/kept.tsx';
import { Card, PageHead } from '../../parts/page.tsx';
import { words } from '../../words/index.ts';

/** What a plan changes, before it is applied. */
export function PlanStep(props: {
  plan: ConfigurationPlan;
  /** Whether others changed something since it was first shown. */
  isRenewed: boolean;
  /** Whether a set keeps the items; else taking over what is there already changes nothing. */
  isKept: boolean;
  onBack: () => void;
  /** Throws an ApiError. */
  onApply: () => Promise<void>;
}) {
  const { plan, isRenewed, isKept, onBack, onApply } = props;
  const { imports } = words;
  const count = (wanted: ConfigurationChange['action']) =>
    plan.changes.filter(({ action }) => action === wanted).length;
  const sentences = (['create', 'adopt', 'update'] as const).flatMap((action) =>
    count(action) === 0 ? [] : [imports.actionCounts[action](count(action))],
  );
  const isNothing = plan.changes.every(
    ({ action, fields }) => !isKept && action === 'adopt' && fields.length === 0,
  );
  return (
    <>
      <PageHead
        title={isNothing ? imports.noChanges : imports.planTitle}
        text={isNothing ? imports.noChangesText : [...sentences, imports.restStays].join(' ')}
      />
      <div className="stack">
        {isRenewed && (
          <p className="notice" role="alert">
            {imports.renewed}
          </p>
        )}
        {plan.warnings.length > 0 && (
          <ul className="notice">
            {plan.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        )}
        {isNothing ? (
          <div>
            <Button onClick={onBack}>{words.terms.back}</Button>
          </div>
        ) : (
          <Card className="below st-rows">
            <ul className="rows">
              {plan.changes.map((change) => (
                <Change key={`${change.section} ${change.key}`} change={change} />
              ))}
            </ul>
            <Form
              submit={imports.apply(plan.changes.length)}
              actions={<Button onClick={onBack}>{words.terms.back}</Button>}
              onSubmit={onApply}
            >
              {null}
            </Form>
          </Card>
        )}
      </div>
    </>
  );
}

function Change({ change }: { change: ConfigurationChange }) {
  const { imports } = words;
  const { action, section, name, fields } = change;
  const isOther = action !== 'create' && fields.length > 0;
  return (
    <li>
      <Icon name={ICONS[action]} />
      <div>
        <p>
          {words.items[section as Section].name} <b className="b">{name}</b>
        </p>
        {action === 'adopt' && <p className="xs dim">{imports.adoptText(fields.length)}</p>}
        {isOther && (
          <details className="audit">
            <summary>{fields.map(({ field }) => field).join(', ')}</summary>
            <dl className="xs wrap audit-changes">
              {fields.map(({ field, before, after }) => (
                <div key={field}>
                  <dt className="mono dim">{field}</dt>
                  <dd>
                    {before !== null && <del className="dim">{valueText(before)}</del>}{' '}
                    {after !== null && <ins>{valueText(after)}</ins>}
                  </dd>
                </div>
              ))}
            </dl>
          </details>
        )}
      </div>
      <span className="t">{imports.actions[action]}</span>
    </li>
  );
}

const ICONS = {
  create: 'plus',
  adopt: 'check',
  update: 'edit',
  delete: 'trash',
  retire: 'pause',
} as const;

const MAX_VALUE_LENGTH = 200;

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}
