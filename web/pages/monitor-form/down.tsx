import { useRead } from '../../app/api.ts';
import { useSession } from '../../app/session.ts';
import { faceOf } from '../../lib/monitor-types.ts';
import { FieldFrame, Input, Select, Tick } from '../../parts/form.tsx';
import { Icon } from '../../parts/icon.tsx';
import { words } from '../../words/index.ts';
import { Content } from './request.tsx';
import { cardFields, isAnySet, type Draft } from './draft.ts';
import { Advanced, CardFields, Control, NumberInput, Section, type PartProps } from './fields.tsx';

const { monitorForm } = words;

/** What counts as down: thresholds, content, certificate, domain, DNS. */
export function CountsAsDown({ draft, set, ownId }: PartProps & { ownId: number | null }) {
  const { isPush, isWeb } = faceOf(draft.type);
  const answer = cardFields('answer', draft.type);
  return (
    <Section title={isPush ? monitorForm.dependencies : monitorForm.countsAsDown}>
      {!isPush && <Thresholds />}
      {isWeb && <Content draft={draft} set={set} />}
      {!isPush && <Inspections draft={draft} set={set} />}
      {isWeb && (
        <Advanced isSet={isAnySet(draft, 'accepted_status_codes', ...answer)}>
          <Input name="accepted_status_codes" placeholder="2xx, 3xx" isOptional />
          <CardFields card="answer" type={draft.type} />
        </Advanced>
      )}
      {!isPush && !isWeb && (
        <Advanced isSet={isAnySet(draft, 'request_timeout', ...answer)}>
          <Control name="request_timeout" />
          <CardFields card="answer" type={draft.type} />
        </Advanced>
      )}
      <DependsOn draft={draft} set={set} ownId={ownId} />
    </Section>
  );
}

/** Rounds in a row that it takes. Of a job, one missed ping is enough. */
function Thresholds() {
  return (
    <div className="two">
      <NumberInput name="failure_threshold" unit={monitorForm.inARow} />
      <NumberInput name="recovery_threshold" unit={monitorForm.inARow} />
    </div>
  );
}

/** Checks beside whether the target answers. */
function Inspections({ draft, set }: PartProps) {
  const { plan } = useSession();
  const has = (type: string) => faceOf(draft.type).checkTypes.includes(type);
  const isAllowed = (type: 'ssl' | 'dns' | 'domain') =>
    plan === null || plan.features.check_types.includes(type);
  const tick = (type: 'ssl' | 'dns' | 'domain') => (
    <Tick
      name="check_types"
      label={monitorForm.inspections[type]}
      hint={
        isAllowed(type)
          ? monitorForm.inspectionHints[type]
          : monitorForm.notInPlan(plan?.name ?? '')
      }
      disabled={!isAllowed(type)}
      checked={draft.inspections.includes(type)}
      onChange={(isOn) =>
        set({
          inspections: isOn
            ? [...draft.inspections, type]
            : draft.inspections.filter((one) => one !== type),
        })
      }
    />
  );
  return (
    <div className="gap start mf-list">
      {has('ssl') && tick('ssl')}
      {has('ssl') && draft.inspections.includes('ssl') && <Control name="ssl_expiry_threshold" />}
      {has('domain') && tick('domain')}
      {draft.inspections.includes('domain') && <Control name="domain_expiry_threshold" />}
      {has('dns') && tick('dns')}
    </div>
  );
}

/** Monitors without which this one can't work. */
function DependsOn({
  draft: { depends_on: dependsOn },
  set,
  ownId,
}: {
  draft: Draft;
  set: PartProps['set'];
  ownId: number | null;
}) {
  const overview = useRead('getMonitorOverview');
  const monitors = overview.data?.monitors ?? [];
  const others = monitors
    .filter(({ id }) => id !== ownId && !dependsOn.includes(id))
    .toSorted((one, other) => one.name.localeCompare(other.name));
  if (others.length === 0 && dependsOn.length === 0) return null;
  const nameOf = (id: number) => monitors.find((one) => one.id === id)?.name ?? `#${id}`;
  return (
    <FieldFrame name="depends_on" isOptional>
      {(attributes) => (
        <>
          {dependsOn.length > 0 && (
            <ul className="row">
              {dependsOn.map((id) => (
                <li key={id} className="pill">
                  {nameOf(id)}
                  <button
                    type="button"
                    className="mf-remove"
                    aria-label={words.labels.removeNamed(nameOf(id))}
                    onClick={() => set({ depends_on: dependsOn.filter((one) => one !== id) })}
                  >
                    <Icon name="cross" />
                  </button>
                </li>
              ))}
            </ul>
          )}
          <Select
            {...attributes}
            value=""
            none={monitorForm.addMonitor}
            onChange={(id) => set({ depends_on: [...dependsOn, Number(id)] })}
            options={others.map(({ id, name }) => ({ value: String(id), text: name }))}
          />
        </>
      )}
    </FieldFrame>
  );
}
