import { Link } from 'wouter';
import { useRead } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { faceOf, TYPE_NAMES, type MonitorType } from '../../lib/monitor-types.ts';
import { Choose, Input, Tick } from '../../parts/form.tsx';
import { words } from '../../words/index.ts';
import { withScheme } from '../check/reach.ts';
import { Advanced, Section, ZoneInput, type PartProps } from './fields.tsx';
import { KINDS, type Level, type NotificationDraft } from './notification-draft.ts';

/** Five cards to choose the type of a monitor. A type that the plan does not include says so. */
export function TypeCards({
  type,
  onChange,
}: {
  type: MonitorType;
  onChange: (type: MonitorType) => void;
}) {
  const { plan } = useSession();
  const { monitorForm } = words;
  return (
    <fieldset className="mf-types">
      <legend className="vh">{words.labels.type}</legend>
      {TYPE_NAMES.map((one) => {
        const isAllowed = plan === null || plan.features.monitor_types.includes(one);
        return (
          <label key={one} className="mf-type">
            <input
              type="radio"
              name="monitor_type"
              value={one}
              checked={one === type}
              disabled={!isAllowed}
              onChange={() => onChange(one)}
            />
            <b>{monitorForm.types[one].name}</b>
            <span>
              {isAllowed ? monitorForm.types[one].text : monitorForm.notInPlan(plan?.name ?? '')}
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}

/** What is watched, and what it is called. */
export function What({ draft, set }: PartProps) {
  const { monitorForm } = words;
  const groups = useRead(['groups'], () => call('listGroups'));
  const { isPush, isWeb, hasPort } = faceOf(draft.type);
  return (
    <Section title={words.labels.what}>
      {!isPush && (
        <div className={hasPort ? 'mf-pair wide-first' : ''}>
          <Input
            name="url"
            label={monitorForm.targets[draft.type]}
            placeholder={monitorForm.examples[draft.type]}
            onBlur={() => isWeb && set({ url: withScheme(draft.url) })}
            type={isWeb ? 'url' : 'text'}
            spellCheck={false}
            autoCapitalize="none"
          />
          {hasPort && (
            <Input name="port" label={monitorForm.port} inputMode="numeric" placeholder="5432" />
          )}
        </div>
      )}
      <Input
        name="friendly_name"
        label={words.labels.name}
        hint={isPush ? monitorForm.jobNameHint : monitorForm.nameHint}
        isOptional={!isPush}
      />
      <div className="mf-pair">
        <Choose
          name="group_id"
          label={words.labels.group}
          options={[
            { value: '', text: words.labels.noGroup },
            ...(groups.data?.data ?? []).map(({ id, name }) => ({
              value: String(id),
              text: name,
            })),
          ]}
        />
        <Input name="tags" label={words.labels.tags} isOptional hint={monitorForm.tagsHint} />
      </div>
    </Section>
  );
}

const LEVEL_CHOICES: readonly Level[] = ['all', 'warning', 'critical', 'none'];

/** Who is notified. The rules of the team decide unless something is restricted here. */
export function Notified({ draft: { notification }, set }: PartProps) {
  const { monitorForm } = words;
  const change = (part: Partial<NotificationDraft>) =>
    set({ notification: { ...notification, ...part } });
  const isSet = notification.isQuiet || KINDS.some((kind) => notification.levels[kind] !== 'all');
  return (
    <Section title={words.labels.notified}>
      <Tick
        name="notification_settings.enabled"
        label={monitorForm.notify}
        hint={
          <>
            {monitorForm.notifyHint}{' '}
            <Link className="link" href="/alert-routes">
              {words.nav.routes}
            </Link>
          </>
        }
        checked={notification.isOn}
        onChange={(isOn) => change({ isOn })}
      />
      {notification.isOn && (
        <Advanced title={monitorForm.restrict} isSet={isSet}>
          <div className="mf-levels">
            {KINDS.map((kind) => (
              <Choose
                key={kind}
                name={`notification_settings.channels.${kind}`}
                label={monitorForm.kinds[kind]}
                value={notification.levels[kind]}
                onChange={(level) =>
                  change({ levels: { ...notification.levels, [kind]: level as Level } })
                }
                options={[
                  ...LEVEL_CHOICES,
                  ...(notification.stored[kind] !== undefined &&
                  notification.levels[kind] === 'other'
                    ? (['other'] as const)
                    : []),
                ].map((value) => ({ value, text: monitorForm.levels[value] }))}
              />
            ))}
          </div>
          <Tick
            name="notification_settings.quiet_hours.enabled"
            label={monitorForm.quiet}
            hint={monitorForm.quietHint}
            checked={notification.isQuiet}
            onChange={(isQuiet) => change({ isQuiet })}
          />
          {notification.isQuiet && (
            <>
              <div className="mf-levels">
                <Input
                  name="notification_settings.quiet_hours.start"
                  label={words.labels.from}
                  type="time"
                  value={notification.from}
                  onChange={(from) => change({ from })}
                />
                <Input
                  name="notification_settings.quiet_hours.end"
                  label={words.labels.to}
                  type="time"
                  value={notification.to}
                  onChange={(to) => change({ to })}
                />
                <ZoneInput
                  name="notification_settings.quiet_hours.timezone"
                  label={words.labels.timezone}
                  value={notification.zone}
                  onChange={(zone) => change({ zone })}
                />
              </div>
              <Tick
                name="notification_settings.quiet_hours.bypass_critical"
                label={monitorForm.allowCritical}
                checked={notification.allowsCritical}
                onChange={(allowsCritical) => change({ allowsCritical })}
              />
            </>
          )}
        </Advanced>
      )}
    </Section>
  );
}
