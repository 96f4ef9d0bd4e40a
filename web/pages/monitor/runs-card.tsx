import { useNow } from '../../app/clock.ts';
import { useSession } from '../../app/session.ts';
import type { MonitorDetail } from '../../app/api.gen.ts';
import { day, dayAndTime, duration } from '../../lib/format.ts';
import { Card, Waiting } from '../../parts/page.tsx';
import { words } from '../../words/index.ts';
import { expectedAt } from './rules.ts';
import type { Run } from './runs.ts';

const OUTCOMES = ['succeeded', 'failed', 'missed'] as const;

/** The newest runs: time across, duration up. */
export function RunsCard({
  monitor,
  runs,
}: {
  monitor: MonitorDetail;
  /** The oldest first; undefined while they are read. */
  runs: readonly Run[] | undefined;
}) {
  const { runs: text } = words.push;
  return (
    <Card
      title={text.title}
      aside={
        <span className="legend wide">
          {OUTCOMES.map((outcome) => (
            <span key={outcome}>
              <i className={`mo-knob ${outcome}`} />
              {text[outcome]}
            </span>
          ))}
        </span>
      }
    >
      {runs === undefined ? (
        <Waiting lines={3} />
      ) : runs.length === 0 ? (
        <p className="mo-none">{text.none}</p>
      ) : (
        <Lollipops runs={runs} next={expectedAt(monitor)} />
      )}
    </Card>
  );
}

function Lollipops({
  runs,
  next,
}: {
  runs: readonly Run[];
  /** Epoch milliseconds. */
  next: number | null;
}) {
  const { zone } = useSession();
  const now = useNow(60_000);
  const { runs: text } = words.push;
  const first = runs[0]!.at;
  const last = Math.max(now, next ?? now);
  const longest = Math.max(1, ...runs.map((run) => run.duration ?? 0));
  const across = (moment: number) => ((moment - first) / Math.max(1, last - first)) * 100;
  const counted = (outcome: Run['outcome']) => runs.filter((run) => run.outcome === outcome).length;
  const hasDurations = runs.some((run) => run.duration !== null);
  return (
    <div className="mo-runs-frame">
      {hasDurations && <p className="xs faint mo-longest">{duration(longest, words.time)}</p>}
      <div
        className="mo-runs"
        role="img"
        aria-label={text.label(counted('succeeded'), counted('failed'), counted('missed'))}
      >
        {runs.map((run) => (
          <span
            key={run.key}
            className="mo-run"
            title={describe(run, dayAndTime(run.at, now, zone, words.time))}
            style={{ left: `${across(run.at)}%`, height: `${heightOf(run, longest)}%` }}
          >
            <i className={`mo-knob ${run.outcome}`} />
          </span>
        ))}
        {next !== null && next > now && (
          <span
            className="mo-run next"
            title={`${text.next} ${dayAndTime(next, now, zone, words.time)}`}
            style={{ left: `${across(next)}%` }}
          >
            <i className="mo-knob next" />
          </span>
        )}
      </div>
      <p className="mo-ends xs faint">
        <span>{day(first, now, zone, words.time)}</span>
        <span>{text.newest(runs.length)}</span>
        <span>{next !== null && next > now ? text.next : words.time.now}</span>
      </p>
    </div>
  );
}

/** Height of a run in percent: a missed one has none, one of an unknown duration a little. */
function heightOf({ outcome, duration: length }: Run, longest: number): number {
  if (outcome === 'missed') return 0;
  return length === null ? 12 : 8 + (length / longest) * 84;
}

function describe({ outcome, duration: length, exitCode }: Run, time: string): string {
  const { runs: text, log } = words.push;
  const took = length === null ? '' : duration(length, words.time);
  const exit = exitCode === null ? '' : `${log.exit} ${exitCode}`;
  return [time, text[outcome], took, exit].filter(Boolean).join(', ');
}
