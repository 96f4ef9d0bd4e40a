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
  /** The round counts: what does it change? */
  count(round: Round): Counted;
  /** Somebody did that to an incident, at that time (epoch ms). */
  byHand(deed: Deed, on: ExpectedIncident, at: number): void;
}

export type Deed = 'resolved' | 'reopened' | 'deleted';

export interface Counted {
  roundClass: RoundClass;
  changes: ExpectedChange[];
}

/** A trouble begins or ends; not all are told, since somebody may have closed the incident before. */
export interface ExpectedChange {
  kind: 'opens' | 'ends';
  type: IncidentType;
  /** Null for one that only has an incident again. */
  at: number | null;
  isTold: boolean;
}

export interface ExpectedIncident {
  type: IncidentType;
  startedAt: number;
  endedAt: number | null;
}

interface Look {
  /** `closed` is no look: there the incident was closed by hand. */
  says: IncidentType | 'good' | 'unknown' | 'off' | 'closed';
  /** The first result that says so. */
  at: number;
}

/** What concerns one kind of trouble: the looks at it, and what is confirmed. */
interface Trouble {
  looks: Look[];
  confirmed: IncidentType | null;
  /** Its record; null when somebody closed it. */
  incident: ExpectedIncident | null;
}

export function createReference(): Reference {
  const incidents: ExpectedIncident[] = [];
  const reachability: Trouble = { looks: [], confirmed: null, incident: null };
  const speed: Trouble = { looks: [], confirmed: null, incident: null };
  let revision: number | null = null;
  let coveredUntil = Infinity;
  let wasUp = false;

  function finish(trouble: Trouble, at: number): ExpectedChange {
    const { incident } = trouble;
    const type = trouble.confirmed!;
    if (incident) incident.endedAt = Math.max(at, incident.startedAt);
    trouble.confirmed = null;
    trouble.incident = null;
    return { kind: 'ends', type, at: incident?.endedAt ?? at, isTold: incident !== null };
  }

  function begin(trouble: Trouble, type: IncidentType, at: number): ExpectedChange {
    const isAnew = trouble.confirmed === type;
    let incident = incidents.find((one) => one.type === type && one.endedAt === null);
    if (!incident) incidents.push((incident = { type, startedAt: at, endedAt: null }));
    trouble.confirmed = type;
    trouble.incident = incident;
    return { kind: 'opens', type, at: isAnew ? null : at, isTold: true };
  }

  function judge(trouble: Trouble, round: Round): ExpectedChange[] {
    const { failureThreshold, recoveryThreshold } = round.settings;
    const { looks, confirmed, incident } = trouble;
    const { says } = looks.at(-1)!;
    if (says === 'unknown' || says === 'closed') return [];
    if (says === 'off') return confirmed ? [finish(trouble, round.startedAt)] : [];
    if (says === 'good') {
      const real = looks.filter((look) => look.says !== 'closed');
      const run = trailing(real, (look) => look.says === 'good');
      const isOver = confirmed && run.length >= recoveryThreshold;
      return isOver ? [finish(trouble, run[0]!.at)] : [];
    }
    if (confirmed === says && incident) return [];
    const isOther = confirmed !== null && confirmed !== says;
    const run = trailing(looks, (look) =>
      isOther ? look.says === says : !['good', 'off', 'closed'].includes(look.says),
    );
    if (run.length < failureThreshold) return [];
    const at = run[0]!.at;
    return isOther ? [finish(trouble, at), begin(trouble, says, at)] : [begin(trouble, says, at)];
  }

  return {
    get status() {
      if (reachability.confirmed === 'uptime') return 'offline';
      if (reachability.confirmed || speed.confirmed) return 'degraded';
      return wasUp ? 'online' : 'pending';
    },
    incidents,
    count(round) {
      const isContinued = round.revision === revision && round.startedAt <= coveredUntil;
      if (!isContinued) [reachability.looks, speed.looks] = [[], []];
      revision = round.revision;
      const { roundClass, reach, slow } = readVotes(round);
      reachability.looks.push(reach);
      speed.looks.push(slow);
      const changes = [...judge(reachability, round), ...judge(speed, round)];
      if (roundClass !== 'unknown') {
        const { confirmed, incident } = reachability;
        const isUndecided =
          reach.says === 'good' ? confirmed !== null : confirmed !== reach.says || !incident;
        coveredUntil = round.startedAt + coverageMs(round.settings.intervalMs, isUndecided);
      }
      // Whatever was confirmed once has made the monitor known, too.
      wasUp ||= roundClass === 'up' || changes.length > 0;
      return { roundClass, changes };
    },
    byHand(deed, on, at) {
      const found = incidents.find(
        (one) =>
          one.type === on.type &&
          one.startedAt === on.startedAt &&
          (deed === 'deleted' || (one.endedAt === null) === (deed === 'resolved')),
      );
      if (!found) return;
      const trouble = [reachability, speed].find((one) => one.confirmed === found.type);
      if (deed === 'reopened') {
        found.endedAt = null;
        if (trouble) trouble.incident = found;
        return;
      }
      if (trouble?.incident === found) {
        trouble.incident = null;
        trouble.looks.push({ says: 'closed', at: Infinity });
      }
      if (deed === 'deleted') incidents.splice(incidents.indexOf(found), 1);
      else found.endedAt = Math.max(at, found.startedAt);
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
