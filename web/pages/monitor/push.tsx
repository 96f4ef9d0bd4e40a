import { useState } from 'react';
import { useRead } from '../../app/api.ts';
import { useSummary } from '../../app/overview.ts';
import { call, type MonitorDetail, type OverviewMonitor } from '../../app/client.ts';
import { useNow } from '../../app/clock.ts';
import { useSession, useZone } from '../../app/session.ts';
import { cronShape, cronText } from '../../lib/cron-shape.ts';
import { clock, dayAndTime, duration, relative, roughDuration } from '../../lib/format.ts';
import { monitorName } from '../../lib/monitor-name.ts';
import { Button } from '../../parts/button.tsx';
import { Copyable, CopyButton } from '../../parts/copy.tsx';
import { openDialog } from '../../parts/dialog.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Choose, useForm } from '../../parts/form.tsx';
import { Card, Waiting } from '../../parts/page.tsx';
import { ScrollRegion } from '../../parts/table.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { at } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { Banners, copy, MonitorHead, readAgain } from './head.tsx';
import { CheckedCard } from './checked.tsx';
import { CorrectionsCard, IncidentsCard, NotifiedCard, SloCard } from './cards.tsx';
import { DaysCard } from './days.tsx';
import { Figures } from './figures.tsx';
import { PingLog, RunsCard, usePings } from './pings.tsx';
import { expectedAt } from './rules.ts';
import { jobStateOf, runsOf, withClockChanges, type JobState } from './runs.ts';
import { cronOfInterval, snippetOf, TOOLS, type Tool } from './snippets.ts';

const SHOWN_RUNS = 30;
/** Pings that the runs are made of: a run has a start, an end and perhaps texts. */
const PINGS = 100;

/** Page of a job that calls when it runs: did it run? */
export default function PushMonitor({ monitor }: { monitor: MonitorDetail }) {
  const { data } = usePings(monitor.id, null, 1, PINGS);
  const runs = data && runsOf(data.data, monitor.incidents, SHOWN_RUNS);
  // What the list knows of the last run holds the place until the pings are read, so that the page does not move.
  const { summary } = useSummary(monitor.id);
  const state = runs ? jobStateOf(monitor, runs) : lastRunOf(monitor, summary);
  // The first ping does not take away the URL that somebody reads.
  const [isNew, setNew] = useState<boolean | null>(null);
  if (isNew === null && data !== undefined) setNew(data.total === 0);
  const url = <PingUrlCard monitor={monitor} />;
  return (
    <>
      <MonitorHead
        monitor={monitor}
        title={state && <Sentence name={monitorName(monitor)} state={state} />}
        text={<Next monitor={monitor} />}
        action={<CopyUrl monitor={monitor} />}
      />
      <Banners monitor={monitor} />
      {isNew === true && <div className="below mo-first">{url}</div>}
      <Figures monitor={monitor} />
      <div className="cols2">
        <div className="stack">
          <RunsCard monitor={monitor} runs={runs} />
          <DaysCard monitor={monitor} />
          <PingLog monitor={monitor} />
          {isNew !== true && url}
          <CorrectionsCard monitor={monitor} />
        </div>
        <div className="stack">
          <ExpectedCard monitor={monitor} />
          <SloCard monitor={monitor} />
          <IncidentsCard monitor={monitor} />
          <NotifiedCard monitor={monitor} />
          <CheckedCard monitor={monitor} />
        </div>
      </div>
    </>
  );
}

/** State of a job that is up, by its summary; undefined for one that may be late, fails or runs. */
function lastRunOf(
  { status, is_paused }: MonitorDetail,
  summary: OverviewMonitor | undefined,
): JobState | undefined {
  if (status !== 'online' || is_paused || summary?.last_ping_at === undefined) return undefined;
  const { last_ping_at: last, last_duration: took } = summary;
  return { kind: 'ran', at: last * 1_000, duration: took === undefined ? null : took * 1_000 };
}

/** "Nightly backup ran 9 h ago, took 12 min". */
function Sentence({ name, state }: { name: string; state: JobState }) {
  const now = useNow(1_000);
  const { push, monitor } = words;
  const zone = useZone();
  const ago = (moment: number) => relative(moment, now, zone);
  switch (state.kind) {
    case 'paused':
      return monitor.isPaused(name);
    case 'never':
      return push.never(name);
    case 'late':
      return push.late(name);
    case 'running':
      return push.running(name, duration(now - state.since));
    case 'failed':
      return push.failed(name, ago(state.at));
    case 'ran':
      return state.duration === null
        ? push.ran(name, ago(state.at))
        : push.ranIn(name, ago(state.at), duration(state.duration));
  }
}

/** When the next ping is expected, in the zone of the reader, as all times of the page. */
function Next({ monitor }: { monitor: MonitorDetail }) {
  const now = useNow(15_000);
  const { heartbeat_interval: interval } = monitor;
  const zone = useZone();
  const { push, time } = words;
  const moment = expectedAt(monitor);
  const written = moment === null ? '' : dayAndTime(moment, now, zone);
  return (
    <p>
      {monitor.heartbeat_cron_expression !== null && (
        <CronSchedule
          expression={monitor.heartbeat_cron_expression}
          zone={monitor.heartbeat_timezone ?? 'UTC'}
        />
      )}
      {interval !== null && words.labels.every(duration(interval * 1_000))}
      {moment !== null && (
        <span className="faint">
          {' · '}
          {moment > now
            ? push.expectedNext(written, time.ahead(roughDuration(moment - now)))
            : push.expectedSince(written)}
        </span>
      )}
    </p>
  );
}

/** Such as "every day at 03:00 (Europe/Berlin) · 0 3 * * *"; without the zone where it is that of the reader. */
function CronSchedule({ expression, zone }: { expression: string; zone: string }) {
  const { cron, time } = words;
  const own = useZone();
  const shape = cronShape(expression);
  return (
    <>
      {shape !== null &&
        `${cronText(shape, cron, time.locale)}${zone === own ? '' : ` (${zone})`} · `}
      <span className={shape === null ? 'mono' : 'mono faint'}>{expression}</span>
    </>
  );
}

function CopyUrl({ monitor: { ping_url } }: { monitor: MonitorDetail }) {
  if (ping_url === null) return null;
  return (
    <Button look="primary" icon="copy" onClick={() => void copy(ping_url, words.push.pingUrl)}>
      {words.push.copyPingUrl}
    </Button>
  );
}

/** When pings are expected, in the zone of the reader, beside the time of the job where that is another, with changes of its clocks. */
function ExpectedCard({ monitor }: { monitor: MonitorDetail }) {
  const { heartbeat_cron_expression: expression, heartbeat_interval: interval } = monitor;
  const zone = monitor.heartbeat_timezone ?? 'UTC';
  const own = useZone();
  const { data } = useRead(
    'previewCron',
    { query: { expression: expression ?? '', timezone: zone, count: 10 } },
    { enabled: expression !== null },
  );
  const now = useNow(15_000);
  const { expected } = words.push;
  if (monitor.is_paused) return null;
  if (expression === null) {
    const next = expectedAt(monitor);
    return (
      <Card title={words.terms.expectedNext}>
        <ul className="sm wrap mo-changes">
          {next !== null && <Row moment={next} change={null} zone={own} now={now} />}
        </ul>
        <p className="inset sm dim over">
          {monitor.heartbeat_wait_for_first_ping === true &&
            monitor.last_checked_at === null &&
            `${expected.waits} `}
          {expected.repeats(duration((interval ?? 0) * 1_000))}
        </p>
      </Card>
    );
  }
  return (
    <Card
      title={words.terms.expectedNext}
      aside={zone !== own && <span className="xs faint">{expected.zones(own, zone)}</span>}
    >
      {data === undefined ? (
        <Waiting lines={3} />
      ) : (
        <ol className="sm wrap mo-changes">
          {withClockChanges(
            data.data.map((time) => at(time)),
            zone,
            now,
          ).map(({ at: moment, change }) => (
            <Row key={moment} {...{ moment, change, zone: own, jobZone: zone, now }} />
          ))}
        </ol>
      )}
    </Card>
  );
}

function Row(props: {
  moment: number;
  change: string | null;
  zone: string;
  jobZone?: string;
  now: number;
}) {
  const { moment, change, zone, jobZone = zone, now } = props;
  return (
    <li className="row between mo-expected">
      <time dateTime={new Date(moment).toISOString()}>{dayAndTime(moment, now, zone)}</time>
      {jobZone !== zone && (
        <span className="xs faint">
          {clock(moment, jobZone)} {jobZone}
        </span>
      )}
      <span className="xs faint">
        {moment > now ? words.time.ahead(roughDuration(moment - now)) : words.push.expected.now}
      </span>
      {change !== null && (
        <span className="xs warn mo-change">{words.push.expected.clockChange(change)}</span>
      )}
    </li>
  );
}

/** The URL that the job calls, and what to write where it runs. */
function PingUrlCard({ monitor }: { monitor: MonitorDetail }) {
  const [tool, setTool] = useState<Tool>('crontab');
  const { ping_url, heartbeat_cron_expression, heartbeat_interval } = monitor;
  const expression = heartbeat_cron_expression ?? cronOfInterval(heartbeat_interval);
  const { url } = words.push;
  if (ping_url === null) {
    return (
      <Card title={url.title} aside={<RotatePingUrl monitor={monitor} />}>
        <p className="inset sm dim">{url.unreadable}</p>
      </Card>
    );
  }
  const snippet = snippetOf(tool, { pingUrl: ping_url, expression });
  return (
    <Card title={url.title} aside={<RotatePingUrl monitor={monitor} />}>
      <div className="inset sm gap">
        <p className="dim">{url.text}</p>
        <Copyable text={ping_url} label={url.title} />
        <p className="xs dim">{url.suffixes}</p>
        <div className="row between mo-tools">
          <Segmented<Tool>
            label={url.tools}
            value={tool}
            onChange={setTool}
            choices={TOOLS.map((value) => ({ value, text: url.names[value] }))}
          />
          <CopyButton text={snippet} label={url.copySnippet} />
        </div>
      </div>
      <ScrollRegion className="mo-snippet" label={url.names[tool]}>
        <pre className="wrap">{snippet}</pre>
      </ScrollRegion>
    </Card>
  );
}

/** Times for which the old URL may work, in seconds: none, an hour, a day, a week. */
const TIMES = [0, 3_600, 86_400, 604_800];

/** Button that replaces the ping URL, once the person has said how long the old one works. */
function RotatePingUrl({ monitor }: { monitor: MonitorDetail }) {
  const { isAtLeast } = useSession();
  if (!isAtLeast('editor')) return null;
  const open = () => openDialog((onClose) => <RotateDialog monitor={monitor} onClose={onClose} />);
  return <Button onClick={open}>{words.labels.replace}</Button>;
}

function RotateDialog({ monitor, onClose }: { monitor: MonitorDetail; onClose: () => void }) {
  const { zone } = useSession();
  const { draft, form } = useForm(null, { keep_old_for: '86400' });
  const { url } = words.push;
  const name = monitorName(monitor);
  const rotate = async () => {
    const seconds = Number(draft.keep_old_for);
    await call('rotatePingUrl', { path: { id: monitor.id }, body: { keep_old_for: seconds } });
    await readAgain();
    showToast(url.rotated(name, seconds === 0 ? null : endOf(seconds, zone)));
  };
  return (
    <FormDialog
      title={url.rotateTitle}
      text={url.rotateText(name)}
      {...form}
      submit={words.labels.replace}
      onSubmit={rotate}
      onClose={onClose}
    >
      <Choose
        name="keep_old_for"
        label={url.keepOld}
        options={TIMES.map((time) => ({
          value: String(time),
          text: time === 0 ? url.endNow : duration(time * 1_000),
        }))}
      />
    </FormDialog>
  );
}

function endOf(seconds: number, zone: string): string {
  const now = Date.now();
  return dayAndTime(now + seconds * 1_000, now, zone);
}
