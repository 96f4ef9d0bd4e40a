import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Choose, Input, Tick } from '../../parts/form.tsx';
import { words } from '../../words/index.ts';
import { Advanced, Section, ZoneInput, type PartProps } from './fields.tsx';
import { KINDS, type Level, type NotificationDraft } from './notification-draft.ts';

const LEVEL_CHOICES: readonly Level[] = ['all', 'warning', 'critical', 'none'];

/** Who is notified. The rules of the team decide unless something is restricted here. */
export function Notified({ draft: { notification }, set }: PartProps): ReactNode {
  const { monitorForm } = words;
  const change = (part: Partial<NotificationDraft>) =>
    set({ notification: { ...notification, ...part } });
  const isSet = notification.isQuiet || KINDS.some((kind) => notification.levels[kind] !== 'all');
  return (
    <Section title={monitorForm.notified}>
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
                  label={monitorForm.quietFrom}
                  type="time"
                  value={notification.from}
                  onChange={(from) => change({ from })}
                />
                <Input
                  name="notification_settings.quiet_hours.end"
                  label={monitorForm.quietTo}
                  type="time"
                  value={notification.to}
                  onChange={(to) => change({ to })}
                />
                <ZoneInput
                  name="notification_settings.quiet_hours.timezone"
                  label={monitorForm.zone}
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
