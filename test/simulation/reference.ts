import type { IncidentType } from '../../src/model/condition.ts';
import type { MonitorStatus } from '../../src/model/monitor.ts';
import type { Round, RoundClass } from '../../src/model/round.ts';

/**
 * A second reading of completions, section 6, for the simulation alone: it shares no code with src/verdict and goes
 * about it in another way. It keeps the whole history of a monitor's looks, and reads runs off its end.
 */
export interface Reference {
  readonly status: MonitorStatus;
  readonly incidents: readonly ExpectedIncident[];
  /** The round counts: what does it change? Answers its class. */
  count(round: Round): RoundClass;
}

export interface ExpectedIncident {
  type: IncidentType;
  startedAt: number;
  endedAt: number | null;
}

interface Look {
  says: IncidentType | 'good' | 'unknown' | 'off';
  /** The first result that says so. */
  at: number;
}

type TrackLooks = Look[];

export function createReference(): Reference {
  const incidents: ExpectedIncident[] = [];
  let reachability: TrackLooks = [];
  let speed: TrackLooks = [];
  let revision: number | null = null;
  let coveredUntil = Infinity;
  let wasUp = false;

  const openOf = (types: IncidentType[]) =>
    incidents.find((incident) => incident.endedAt === null && types.includes(incident.type));

  function judgeTrack(looks: TrackLooks, types: IncidentType[], round: Round): void {
    const { failureThreshold, recoveryThreshold } = round.settings;
    const last = looks.at(-1)!;
    const open = openOf(types);
    if (last.says === 'unknown') return;
    if (last.says === 'off') {
      if (open) end(open, round.startedAt);
      return;
    }
    if (last.says === 'good') {
      const run = trailing(looks, (look) => look.says === 'good');
      if (open && run.length >= recoveryThreshold) end(open, run[0]!.at);
      return;
    }
    const type = last.says;
    const isSuch = (look: Look) =>
      open ? look.says === type : look.says !== 'good' && look.says !== 'off';
    const run = trailing(looks, isSuch);
    if (open?.type === type || run.length < failureThreshold) return;
    const startedAt = run[0]!.at;
    if (open) end(open, startedAt);
    incidents.push({ type, startedAt, endedAt: null });
  }

  return {
    get status() {
      if (openOf(['uptime'])) return 'offline';
      if (openOf(['regional', 'slow_response'])) return 'degraded';
      return wasUp ? 'online' : 'pending';
    },
    incidents,
    count(round) {
      const isContinued = round.revision === revision && round.startedAt <= coveredUntil;
      if (!isContinued) [reachability, speed] = [[], []];
      revision = round.revision;
      const { roundClass, reach, slow } = readVotes(round);
      reachability.push(reach);
      speed.push(slow);
      judgeTrack(reachability, ['uptime', 'regional'], round);
      judgeTrack(speed, ['slow_response'], round);
      if (roundClass !== 'unknown') {
        const open = openOf(['uptime', 'regional']);
        const isUndecided = reach.says === 'good' ? open !== undefined : open?.type !== reach.says;
        coveredUntil = round.startedAt + coverageMs(round.settings.intervalMs, isUndecided);
      }
      // Whatever was confirmed once has made the monitor known, too.
      wasUp ||= roundClass === 'up' || incidents.length > 0;
      return roundClass;
    },
  };
}

/**
 * How long a verdict speaks for the monitor: until the next look, and a little longer. While one waits for rechecks,
 * which come up to 20 s after the end of a round, that is later by as much.
 */
export function coverageMs(intervalMs: number, isUndecided: boolean): number {
  return intervalMs + (isUndecided ? 20_000 : 0) + Math.max(5_000, 0.1 * intervalMs);
}

function end(incident: ExpectedIncident, at: number): void {
  incident.endedAt = Math.max(at, incident.startedAt);
}

function readVotes(round: Round): { roundClass: RoundClass; reach: Look; slow: Look } {
  const up = round.results.filter((result) => result.vote === 'up');
  const down = round.results.filter((result) => result.vote === 'down');
  const voting = up.length + down.length;
  const isDown = 2 * down.length > voting && 2 * voting > round.knownRegions.length;
  const roundClass =
    voting === 0 ? 'unknown' : isDown ? 'down' : down.length > 0 ? 'regional' : 'up';
  const first = (results: typeof up) =>
    results.reduce((least, { checkedAt }) => Math.min(least, checkedAt), Infinity);
  const reach: Record<RoundClass, Look> = {
    up: { says: 'good', at: first(up) },
    down: { says: 'uptime', at: first(down) },
    regional: { says: 'regional', at: first(down) },
    unknown: { says: 'unknown', at: Infinity },
  };
  return { roundClass, reach: reach[roundClass], slow: speedOf(round, roundClass, first(up)) };
}

function speedOf(round: Round, roundClass: RoundClass, at: number): Look {
  const threshold = round.settings.slowResponseThresholdMs;
  if (threshold === null) return { says: 'off', at };
  const times = round.results
    .flatMap(({ vote, responseTimeMs }) =>
      vote === 'up' && responseTimeMs !== null ? [responseTimeMs] : [],
    )
    .toSorted((a, b) => a - b);
  if (times.length === 0 || roundClass === 'down' || roundClass === 'unknown')
    return { says: 'unknown', at };
  const median =
    (times[Math.floor((times.length - 1) / 2)]! + times[Math.ceil((times.length - 1) / 2)]!) / 2;
  return { says: median > threshold ? 'slow_response' : 'good', at };
}

/** The longest run at the end of which all say so; looks that saw nothing neither count nor break it. */
function trailing(looks: Look[], isSuch: (look: Look) => boolean): Look[] {
  const telling = looks.filter((look) => look.says !== 'unknown');
  const before = telling.findLastIndex((look) => !isSuch(look));
  return telling.slice(before + 1);
}
