import { useState, type ReactNode } from 'react';
import { useNow } from '../../app/clock.ts';
import { useZone } from '../../app/session-context.ts';
import type { MonitorDetail } from '../../client/types.gen.ts';
import { monitorName } from '../../lib/monitor-name.ts';
import { cronShape } from '../../lib/cron-shape.ts';
import { dayAndTime, duration, relative, roughDuration } from '../../lib/format.ts';
import { Button } from '../../parts/button.tsx';
import { words } from '../../words/index.ts';
import { copy } from './actions.ts';
import { Banners } from './banners.tsx';
import { CheckedCard } from './checked.tsx';
import { CorrectionsCard } from './corrections.tsx';
import { DaysCard } from './days.tsx';
import { ExpectedCard } from './expected.tsx';
import { Figures } from './figures.tsx';
import { MonitorHead } from './head.tsx';
import { NotifiedCard } from './notified.tsx';
import { IncidentsCard } from './incidents-card.tsx';
import { expectedAt } from './expected-at.ts';
import { PingLog } from './ping-log.tsx';
import { PingUrlCard } from './ping-url.tsx';
import { usePings } from './reads.ts';
import { RunsCard } from './runs-card.tsx';
import { jobStateOf, runsOf, type JobState } from './runs.ts';
import { SloCard } from './slo.tsx';

const SHOWN_RUNS = 30;
/** Pings that the runs are made of: a run has a start, an end and perhaps texts. */
const PINGS = 100;

/** Page of a job that calls when it runs: did it run? */
export default function PushMonitor({ monitor }: { monitor: MonitorDetail }): ReactNode {
  const { data } = usePings(monitor.id, null, 1, PINGS);
  const runs = data && runsOf(data.data, monitor.incidents, SHOWN_RUNS);
  const state = runs && jobStateOf(monitor, runs);
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
      {isNew === true && <div className="mo-first">{url}</div>}
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

/** "Nightly backup ran 9 h ago, took 12 min". */
function Sentence({ name, state }: { name: string; state: JobState }): ReactNode {
  const now = useNow(1_000);
  const { push, monitor, time } = words;
  const ago = (moment: number) => relative(moment, now, 'UTC', time);
  switch (state.kind) {
    case 'paused':
      return monitor.isPaused(name);
    case 'never':
      return push.never(name);
    case 'late':
      return push.late(name);
    case 'running':
      return push.running(name, duration(now - state.since, time));
    case 'failed':
      return push.failed(name, ago(state.at));
    case 'ran':
      return state.duration === null
        ? push.ran(name, ago(state.at))
        : push.ranIn(name, ago(state.at), duration(state.duration, time));
  }
}

/** When the next ping is expected, in the zone of the reader, as all times of the page. */
function Next({ monitor }: { monitor: MonitorDetail }): ReactNode {
  const now = useNow(15_000);
  const { heartbeat_interval: interval } = monitor;
  const zone = useZone();
  const { push, time } = words;
  const moment = expectedAt(monitor);
  const written = moment === null ? '' : dayAndTime(moment, now, zone, time);
  return (
    <p>
      {monitor.heartbeat_cron_expression !== null && (
        <CronSchedule
          expression={monitor.heartbeat_cron_expression}
          zone={monitor.heartbeat_timezone ?? 'UTC'}
        />
      )}
      {interval !== null && push.every(duration(interval * 1_000, time))}
      {moment !== null && (
        <span className="faint">
          {' · '}
          {moment > now
            ? push.expectedNext(written, time.ahead(roughDuration(moment - now, time)))
            : push.expectedSince(written)}
        </span>
      )}
    </p>
  );
}

/** Such as "every day at 03:00 (Europe/Berlin) · 0 3 * * *"; without the zone where it is that of the reader. */
function CronSchedule({ expression, zone }: { expression: string; zone: string }): ReactNode {
  const own = useZone();
  const shape = cronShape(expression);
  return (
    <>
      {shape !== null &&
        `${zone === own ? words.cron.text(shape) : words.push.inZone(words.cron.text(shape), zone)} · `}
      <span className={shape === null ? 'mono' : 'mono faint'}>{expression}</span>
    </>
  );
}

function CopyUrl({ monitor: { ping_url } }: { monitor: MonitorDetail }): ReactNode {
  if (ping_url === null) return null;
  return (
    <Button look="primary" icon="copy" onClick={() => void copy(ping_url, words.push.pingUrl)}>
      {words.push.copyPingUrl}
    </Button>
  );
}
