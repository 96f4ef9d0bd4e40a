import type { ReactNode } from 'react';
import { useNow } from '../../app/clock.ts';
import { useZone } from '../../app/session-context.ts';
import type { MonitorDetail } from '../../client/types.gen.ts';
import { clock, dayAndTime, duration, roughDuration } from '../../lib/format.ts';
import { Card } from '../../parts/card.tsx';
import { Waiting } from '../../parts/failure.tsx';
import { at } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { expectedAt } from './expected-at.ts';
import { useNextTimes } from './reads.ts';
import { withClockChanges } from './runs.ts';

/** When pings are expected, in the zone of the reader, beside the time of the job where that is another, with changes of its clocks. */
export function ExpectedCard({ monitor }: { monitor: MonitorDetail }): ReactNode {
  const { heartbeat_cron_expression: expression, heartbeat_interval: interval } = monitor;
  const zone = monitor.heartbeat_timezone ?? 'UTC';
  const own = useZone();
  const { data } = useNextTimes(expression ?? '', zone, expression !== null);
  const now = useNow(15_000);
  const { expected } = words.push;
  if (monitor.is_paused) return null;
  if (expression === null) {
    const next = expectedAt(monitor);
    return (
      <Card title={expected.title}>
        <ul className="mo-changes">
          {next !== null && <Row moment={next} change={null} zone={own} now={now} />}
        </ul>
        <p className="mo-none mo-after">
          {monitor.heartbeat_wait_for_first_ping === true &&
            monitor.last_checked_at === null &&
            `${expected.waits} `}
          {expected.repeats(duration((interval ?? 0) * 1_000, words.time))}
        </p>
      </Card>
    );
  }
  return (
    <Card
      title={expected.title}
      aside={zone !== own && <span className="xs faint">{expected.zones(own, zone)}</span>}
    >
      {data === undefined ? (
        <Waiting lines={3} />
      ) : (
        <ol className="mo-changes">
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

function Row({
  moment,
  change,
  zone,
  jobZone = zone,
  now,
}: {
  moment: number;
  change: string | null;
  zone: string;
  jobZone?: string;
  now: number;
}): ReactNode {
  return (
    <li className="mo-expected">
      <time dateTime={new Date(moment).toISOString()}>
        {dayAndTime(moment, now, zone, words.time)}
      </time>
      {jobZone !== zone && (
        <span className="xs faint">
          {clock(moment, jobZone, words.time.locale)} {jobZone}
        </span>
      )}
      <span className="xs faint">
        {moment > now
          ? words.time.ahead(roughDuration(moment - now, words.time))
          : words.push.expected.now}
      </span>
      {change !== null && (
        <span className="xs warn mo-change">{words.push.expected.clockChange(change)}</span>
      )}
    </li>
  );
}
