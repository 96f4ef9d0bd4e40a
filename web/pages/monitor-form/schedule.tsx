import { useDeferredValue } from 'react';
import { useRead } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { usePlaces } from '../../app/regions.ts';
import { useSession } from '../../app/session.ts';
import { cronShape } from '../../lib/cron-shape.ts';
import { duration } from '../../lib/format.ts';
import { faceOf } from '../../lib/monitor-types.ts';
import { Choose, FieldFrame, Input, Tick } from '../../parts/form.tsx';
import { words } from '../../words/index.ts';
import { chosenRegions, toggledRegions } from './chosen-regions.ts';
import { AmountInput, Section, ZoneInput, type PartProps } from './fields.tsx';

/** Minutes to choose from. */
const INTERVALS = ['0.5', '1', '2', '3', '5', '10', '15', '30', '60'];
const PREVIEWED = 5;

/** How often a target is checked, and from where. */
export function HowOften({ draft, set }: PartProps) {
  const { plan } = useSession();
  const { monitorForm, time } = words;
  const least = plan?.limits.min_check_interval ?? null;
  const intervals = INTERVALS.includes(draft.check_interval)
    ? INTERVALS
    : [draft.check_interval, ...INTERVALS];
  return (
    <Section title={monitorForm.howOften}>
      <Choose
        name="check_interval"
        label={monitorForm.interval}
        hint={
          least === null
            ? undefined
            : monitorForm.leastInterval(plan?.name ?? '', duration(least * 60_000, time))
        }
        options={intervals.map((value) => ({
          value,
          text: words.labels.every(duration(Number(value) * 60_000, time)),
        }))}
      />
      <Regions draft={draft} set={set} />
    </Section>
  );
}

/** Regions that check; the shared ones ticked are sent as all, so that a region added later takes part. */
function Regions({ draft, set }: PartProps) {
  const regions = useRead(['regions'], () => call('listRegions'));
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
          : words.monitor.regionResults.onePlace(machine)
      }
    >
      {({ id, ...described }) => (
        <div
          className="mf-ticks"
          id={id}
          role="group"
          aria-describedby={described['aria-describedby']}
        >
          {all.map(({ code, is_private, is_live }) => (
            <label key={code} className="choice">
              <input
                type="checkbox"
                name="monitored_regions"
                checked={chosen.includes(code)}
                onChange={(event) => toggle(code, event.target.checked)}
              />
              <span>
                {places.checkOf(code)}
                {is_private && <span className="hint">{words.monitorForm.regionPrivate}</span>}
                {!is_live && <span className="hint">{words.monitorForm.regionNotLive}</span>}
              </span>
            </label>
          ))}
        </div>
      )}
    </FieldFrame>
  );
}

/** When a job should report. */
export function WhenExpected({ draft }: Pick<PartProps, 'draft'>) {
  const { monitorForm } = words;
  const shape = cronShape(draft.heartbeat_cron_expression);
  return (
    <Section title={monitorForm.whenExpected}>
      {faceOf(draft.type).schedule === 'interval' ? (
        <AmountInput
          name="heartbeat_interval"
          label={monitorForm.pingEvery}
          hint={monitorForm.pingEveryHint}
        />
      ) : (
        <>
          <div className="mf-pair">
            <Input
              name="heartbeat_cron_expression"
              label={monitorForm.cron}
              hint={shape === null ? monitorForm.cronHint : words.cron.text(shape)}
              className="control mono"
              spellCheck={false}
            />
            <ZoneInput name="heartbeat_timezone" label={words.labels.timezone} />
          </div>
          <CronTimes
            cron={draft.heartbeat_cron_expression}
            zone={draft.heartbeat_timezone}
            isDescribed={shape !== null}
          />
        </>
      )}
      <div className="mf-pair">
        <AmountInput
          name="heartbeat_grace"
          label={monitorForm.grace}
          hint={monitorForm.graceHint}
        />
        <AmountInput
          name="heartbeat_max_runtime"
          label={monitorForm.maxRuntime}
          hint={monitorForm.maxRuntimeHint}
          isOptional
        />
      </div>
      <Tick
        name="heartbeat_wait_for_first_ping"
        label={monitorForm.waitForFirst}
        hint={monitorForm.waitForFirstHint}
      />
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
    ['cron', expression, timezone],
    () => call('previewCron', { query: { expression, timezone, count: PREVIEWED } }),
    { enabled: expression.split(/\s+/).length === 5 },
  );
  if (preview.data === undefined) return null;
  const { description, data } = preview.data;
  return (
    <div className="notice" role="status">
      {/* The API describes an expression in English. */}
      {!isDescribed && words.time.locale.startsWith('en') && <b className="b">{description}</b>}
      <ol className="mf-times">
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
