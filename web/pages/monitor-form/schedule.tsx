import { useDeferredValue } from 'react';
import { Link } from 'wouter';
import { useRead } from '../../app/api.ts';
import { usePlaces } from '../../app/regions.ts';
import { useSession } from '../../app/session.ts';
import { cronShape, cronText } from '../../lib/cron-shape.ts';
import { duration } from '../../lib/format.ts';
import { faceOf, TYPE_NAMES, type MonitorType, type TypeWords } from '../../lib/monitor-types.ts';
import { ChoiceInput, Choose, FieldFrame, Input, Tick, ZoneField } from '../../parts/form.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { words } from '../../words/index.ts';
import {
  chosenRegions,
  toggledRegions,
  KINDS,
  type Level,
  type NotificationDraft,
} from './parts.ts';
import { Advanced, AmountInput, Section, type PartProps } from './fields.tsx';
import { withScheme } from '../check/reach.ts';

const { monitorForm } = words;

/** Minutes to choose from. */
const INTERVALS = ['0.5', '1', '2', '3', '5', '10', '15', '30', '60'];
const PREVIEWED = 5;

/** How often a target is checked, and from where. */
export function HowOften({ draft, set }: PartProps) {
  const { plan } = useSession();
  const least = plan?.limits.min_check_interval ?? null;
  const intervals = INTERVALS.includes(draft.check_interval)
    ? INTERVALS
    : [draft.check_interval, ...INTERVALS];
  return (
    <Section title={monitorForm.howOften}>
      <Choose
        name="check_interval"
        hint={
          least === null
            ? undefined
            : monitorForm.leastInterval(plan?.name ?? '', duration(least * 60_000))
        }
        options={intervals.map((value) => ({
          value,
          text: words.labels.every(duration(Number(value) * 60_000)),
        }))}
      />
      <Regions draft={draft} set={set} />
    </Section>
  );
}

/** Regions that check; the shared ones ticked are sent as all, so that a region added later takes part. */
function Regions({ draft, set }: PartProps) {
  const regions = useRead('listRegions');
  const all = regions.data?.data ?? [];
  const chosen = chosenRegions(draft.monitored_regions, all);
  const places = usePlaces();
  const machine = places.onlyMachine(chosen);
  if (all.length < 2) return null;
  const toggle = (code: string, isOn: boolean) => {
    const next = toggledRegions(draft.monitored_regions, all, { code, isOn });
    if (next !== null) set({ monitored_regions: next });
  };
  return (
    <FieldFrame
      name="monitored_regions"
      label={words.labels.regions}
      hint={
        machine === null
          ? words.monitorForm.regionsHint(chosen.length)
          : words.places.onePlace(machine)
      }
    >
      {({ id, ...described }) => (
        <div
          className="row mf-ticks"
          id={id}
          role="group"
          aria-describedby={described['aria-describedby']}
        >
          {all.map(({ code, is_private, is_live }) => (
            <ChoiceInput
              key={code}
              name="monitored_regions"
              checked={chosen.includes(code)}
              text={places.checkOf(code)}
              hint={[
                is_private && words.monitorForm.regionPrivate,
                !is_live && words.monitorForm.regionNotLive,
              ]
                .filter(Boolean)
                .join(', ')}
              onChange={(isOn) => toggle(code, isOn)}
            />
          ))}
        </div>
      )}
    </FieldFrame>
  );
}

/** When a job should report. */
export function WhenExpected({ draft }: Pick<PartProps, 'draft'>) {
  const shape = cronShape(draft.heartbeat_cron_expression);
  return (
    <Section title={monitorForm.whenExpected}>
      {faceOf(draft.type).isByInterval ? (
        <AmountInput name="heartbeat_interval" />
      ) : (
        <>
          <div className="two">
            <Input
              name="heartbeat_cron_expression"
              hint={shape === null ? undefined : cronText(shape, words.cron, words.time.locale)}
              className="control mono"
              spellCheck={false}
            />
            <ZoneField name="heartbeat_timezone" label={words.labels.timezone} />
          </div>
          <CronTimes
            cron={draft.heartbeat_cron_expression}
            zone={draft.heartbeat_timezone}
            isDescribed={shape !== null}
          />
        </>
      )}
      <div className="two">
        <AmountInput name="heartbeat_grace" />
        <AmountInput name="heartbeat_max_runtime" isOptional />
      </div>
      <Tick name="heartbeat_wait_for_first_ping" />
    </Section>
  );
}

/** Next times of an expression in its zone. */
function CronTimes({
  cron,
  zone,
  isDescribed,
}: {
  cron: string;
  zone: string;
  /** Whether the page says what it means. */
  isDescribed: boolean;
}) {
  const expression = useDeferredValue(cron.trim());
  const timezone = useDeferredValue(zone);
  const preview = useRead(
    'previewCron',
    { query: { expression, timezone, count: PREVIEWED } },
    { enabled: expression.split(/\s+/).length === 5 },
  );
  if (preview.data === undefined) return null;
  const { description, data } = preview.data;
  return (
    <div className="notice" role="status">
      {/* The API describes an expression in English. */}
      {!isDescribed && words.time.locale.startsWith('en') && <b className="b">{description}</b>}
      <ol className="next-times">
        {data.map((time) => (
          <li key={time}>{zonedMoment(time, preview.data.timezone, words.time.locale)}</li>
        ))}
      </ol>
    </div>
  );
}

/** Writes a moment with its day of the week in a zone: "Tue, 24 Nov, 03:00 CET". The zone shows changes of the clock. */
function zonedMoment(time: string, timeZone: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
    timeZone,
  }).format(new Date(time));
}

/** Icons of types; of one that is newer than this page, that of checks. */
const TYPE_ICONS: Partial<Record<MonitorType, IconName>> = {
  http: 'globe',
  port: 'server',
  heartbeat: 'refresh',
  cron: 'clock',
};

/** Cards to choose the type of a monitor. A type that the plan does not include says so. */
export function TypeCards({
  type,
  onChange,
}: {
  type: MonitorType;
  onChange: (type: MonitorType) => void;
}) {
  const { plan } = useSession();
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
            <b>
              <Icon name={TYPE_ICONS[one] ?? 'monitors'} />
              {monitorForm.types[one].name}
            </b>
            <span className="xs dim">
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
  const groups = useRead('listGroups');
  const { isPush, isWeb, takes, defaults } = faceOf(draft.type);
  const hasPort = takes.includes('port');
  const { target, example }: TypeWords = monitorForm.types[draft.type];
  return (
    <Section title={words.labels.what}>
      {!isPush && (
        <div className={hasPort ? 'two wide-first' : ''}>
          <Input
            name="url"
            label={target}
            placeholder={example}
            onBlur={() => isWeb && set({ url: withScheme(draft.url) })}
            type={isWeb ? 'url' : 'text'}
            spellCheck={false}
            autoCapitalize="none"
          />
          {hasPort && (
            <Input name="port" inputMode="numeric" placeholder={String(defaults?.port ?? 5432)} />
          )}
        </div>
      )}
      <Input
        name="friendly_name"
        label={words.labels.name}
        hint={isPush ? monitorForm.jobNameHint : monitorForm.nameHint}
        isOptional={!isPush}
      />
      <div className="two">
        <Choose
          name="group_id"
          label={words.labels.group}
          none={words.labels.noGroup}
          options={(groups.data?.data ?? []).map(({ id, name }) => ({
            value: String(id),
            text: name,
          }))}
        />
        <Input name="tags" label={words.labels.tags} isOptional hint={monitorForm.tagsHint} />
      </div>
    </Section>
  );
}

const LEVEL_CHOICES: readonly Level[] = ['all', 'warning', 'critical', 'none'];

/** Who is notified. The rules of the team decide unless something is restricted here. */
export function Notified({ draft: { notification }, set }: PartProps) {
  const { isAtLeast } = useSession();
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
            {isAtLeast('admin') ? (
              <Link className="link" href="/alert-routes">
                {words.nav.alertRoutes}
              </Link>
            ) : (
              words.nav.alertRoutes
            )}
          </>
        }
        checked={notification.isOn}
        onChange={(isOn) => change({ isOn })}
      />
      {notification.isOn && (
        <Advanced title={monitorForm.restrict} isSet={isSet}>
          <div className="two">
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
            label={words.terms.quietHours}
            hint={monitorForm.quietHint}
            checked={notification.isQuiet}
            onChange={(isQuiet) => change({ isQuiet })}
          />
          {notification.isQuiet && (
            <>
              <div className="two">
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
                <ZoneField
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
