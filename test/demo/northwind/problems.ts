import { createRandom, type Random } from '../../simulation/random.ts';
import type { Condition } from '../../../src/model/condition.ts';
import type { Evidence } from '../../../src/model/check.ts';
import type { ProblemCode } from '../../../src/model/failure.ts';
import { isPushType, type MonitorType } from '../../../src/monitor-types/registry.ts';
import { REGIONS } from '../../support/rounds.ts';
import { addressOf } from '../latency.ts';
import { backupProblems } from './backup.ts';
import { MONITORS, PAUSED, type NewMonitor } from './monitors.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
/** Age of the team's history. */
export const HISTORY_MS = 90 * DAY_MS;

/** A problem of a monitor. Times are milliseconds before the present. */
export interface Problem {
  monitor: string;
  condition: Condition;
  beganAgo: number;
  /** Null while it lasts. */
  endedAgo: number | null;
  cause: string;
  /** Null for a slow monitor, which does not fail. */
  code: ProblemCode | null;
  /** Regions that saw it; all of them by default. */
  regions?: readonly string[];
  /** Regions whose probe was lost meanwhile. */
  lostRegions?: readonly string[];
  statusCode?: number;
  /** Cause in a region, where it is another one. */
  causes?: Readonly<Record<string, { cause: string; code: ProblemCode; statusCode?: number }>>;
  /** Response time of a slow monitor in milliseconds. */
  slowMs?: number;
  answer?: Evidence;
  /** Who took it, and how long after the beginning. */
  acknowledged?: { by: string; afterMs: number };
}

/** Times in which nothing was checked, in milliseconds before the present. */
export const GAPS: readonly { fromAgo: number; toAgo: number }[] = [
  { fromAgo: 61 * DAY_MS + 5 * HOUR_MS, toAgo: 61 * DAY_MS },
  { fromAgo: 33 * DAY_MS + 9 * HOUR_MS, toAgo: 33 * DAY_MS + 2 * HOUR_MS },
  { fromAgo: 20 * HOUR_MS, toAgo: 18 * HOUR_MS + 40 * MINUTE_MS },
];

/** A time in which one monitor was paused, in milliseconds before the present. */
export const PAUSES: readonly { monitor: string; fromAgo: number; toAgo: number | null }[] = [
  { monitor: 'File uploads', fromAgo: 52 * DAY_MS, toAgo: 41 * DAY_MS },
  ...PAUSED.map(({ monitor, days }) => ({ monitor, fromAgo: days * DAY_MS, toAgo: null })),
];

const UPSTREAM: Evidence = {
  statusLine: 'HTTP/1.1 503 Service Unavailable',
  headers: { 'content-type': 'application/json', 'retry-after': '30', 'set-cookie': '[removed]' },
  body: '{"status":"degraded","reason":"no healthy upstream: payments"}',
  redirects: [],
  tls: null,
};

const NO_RESPONSE = { cause: 'No response within 10 s', code: 'no_response' } as const;

/** The problems with a story, newest last. */
export const STORIES: readonly Problem[] = [
  {
    monitor: 'Data warehouse',
    condition: 'uptime',
    beganAgo: 47 * DAY_MS + 3 * HOUR_MS,
    endedAgo: 46 * DAY_MS + 22 * HOUR_MS,
    cause: 'Connection refused by 203.0.113.61 port 5439',
    code: 'connection_refused',
    acknowledged: { by: 'Bo Lindqvist', afterMs: 6 * MINUTE_MS },
  },
  {
    monitor: 'Checkout API',
    condition: 'uptime',
    beganAgo: 29 * DAY_MS + 2 * HOUR_MS,
    endedAgo: 29 * DAY_MS + 2 * HOUR_MS - 6 * MINUTE_MS,
    cause: `Connection to ${addressOf('Checkout API')} port 443 timed out after 10 s`,
    code: 'connection_timeout',
  },
  {
    monitor: 'Checkout API',
    condition: 'regional',
    beganAgo: 20 * DAY_MS + 4 * HOUR_MS,
    endedAgo: 20 * DAY_MS + 4 * HOUR_MS - 22 * MINUTE_MS,
    cause: `Connection to ${addressOf('Checkout API')} port 443 timed out after 10 s`,
    code: 'connection_timeout',
    regions: ['sin'],
  },
  {
    monitor: 'Storefront',
    condition: 'uptime',
    beganAgo: 12 * DAY_MS + 7 * HOUR_MS,
    endedAgo: 12 * DAY_MS + 6 * HOUR_MS,
    cause: 'HTTP 502 Bad Gateway',
    code: 'http_status',
    statusCode: 502,
    acknowledged: { by: 'Chidi Okafor', afterMs: 4 * MINUTE_MS },
  },
  {
    monitor: 'Sign-in',
    condition: 'slow_response',
    beganAgo: 5 * DAY_MS + 2 * HOUR_MS,
    endedAgo: 5 * DAY_MS + 2 * HOUR_MS - 26 * MINUTE_MS,
    cause: 'Response time of 1,310 ms is over the threshold of 1,000 ms',
    code: null,
    slowMs: 1_310,
  },
  {
    monitor: 'Search',
    condition: 'slow_response',
    beganAgo: 3 * DAY_MS + 5 * HOUR_MS,
    endedAgo: 3 * DAY_MS + 5 * HOUR_MS - 72 * MINUTE_MS,
    cause: 'Response time of 1,420 ms is over the threshold of 800 ms',
    code: null,
    slowMs: 1_420,
    acknowledged: { by: 'Bo Lindqvist', afterMs: 9 * MINUTE_MS },
  },
  {
    monitor: 'Search',
    condition: 'slow_response',
    beganAgo: 220 * MINUTE_MS,
    endedAgo: null,
    cause: 'Response time of 1,840 ms is over the threshold of 800 ms',
    code: null,
    slowMs: 1_840,
  },
  {
    monitor: 'Checkout API',
    condition: 'uptime',
    beganAgo: 14 * MINUTE_MS,
    endedAgo: null,
    cause: 'HTTP 503 Service Unavailable',
    code: 'http_status',
    statusCode: 503,
    regions: ['nbg', 'ash', 'pdx'],
    lostRegions: ['sin'],
    causes: { pdx: NO_RESPONSE },
    answer: UPSTREAM,
  },
  {
    monitor: 'Postgres primary',
    condition: 'uptime',
    beganAgo: 3 * MINUTE_MS,
    endedAgo: null,
    cause: 'Connection refused by 203.0.113.51 port 5432',
    code: 'connection_refused',
    acknowledged: { by: 'Ada Reyes', afterMs: MINUTE_MS },
  },
];

/** Problems of a service that answers over HTTP, and of any other one. */
const OVER_HTTP = [
  { cause: 'HTTP 502 Bad Gateway', code: 'http_status', statusCode: 502 },
  { cause: 'HTTP 500 Internal Server Error', code: 'http_status', statusCode: 500 },
  { cause: 'No response within 27 s', code: 'no_response' },
] as const;
const ofHosts = (address: string) =>
  [
    { cause: `Connection to ${address} timed out after 10 s`, code: 'connection_timeout' },
    { cause: `Host ${address} is unreachable`, code: 'host_unreachable' },
  ] as const;
/** Free time around each problem. */
const APART_MS = 3 * HOUR_MS;

/**
 * All problems of 90 days, in the order in which they began: the stories, those of the nightly backup, and ordinary ones
 * drawn by the seed.
 */
export function problemsOf(seed: number, now: number): Problem[] {
  const random = createRandom(seed).fork('problems');
  const drawn = MONITORS.flatMap((monitor) =>
    ordinaryProblems(monitor, random.fork(monitor.friendly_name)),
  );
  const all = [...STORIES, ...backupProblems(now), ...drawn];
  return all.toSorted((one, other) => other.beganAgo - one.beganAgo);
}

function ordinaryProblems(monitor: NewMonitor, random: Random): Problem[] {
  const { friendly_name: name, body } = monitor;
  const type = (body['monitor_type'] ?? 'http') as MonitorType;
  if (isPushType(type)) return [];
  const taken = [
    ...STORIES.filter((one) => one.monitor === name).map(timesOf),
    ...GAPS.map(({ fromAgo, toAgo }) => [fromAgo, toAgo] as const),
    ...PAUSES.filter((one) => one.monitor === name).map(
      ({ fromAgo, toAgo }) => [fromAgo, toAgo ?? 0] as const,
    ),
  ];
  const problems: Problem[] = [];
  for (let left = random.integer(0, 3); left > 0; left -= 1) {
    const lasts = random.skewed(2, 55) * MINUTE_MS + random.integer(0, 59) * 1_000;
    const beganAgo = random.integer(Math.round(1.5 * DAY_MS), 88 * DAY_MS);
    const times = [beganAgo, beganAgo - lasts] as const;
    if (taken.some(([from, to]) => times[0] > to - APART_MS && times[1] < from + APART_MS))
      continue;
    taken.push(times);
    const base = { monitor: name, beganAgo, endedAgo: beganAgo - lasts };
    const isRegional = random.chance(0.3);
    const hostCauses = ofHosts(addressOf(name));
    const found = type === 'http' ? random.pick(OVER_HTTP) : random.pick(hostCauses);
    problems.push(
      isRegional
        ? { ...base, condition: 'regional', ...hostCauses[0], regions: [random.pick(REGIONS)] }
        : { ...base, condition: 'uptime', ...found },
    );
  }
  return problems;
}

const timesOf = ({ beganAgo, endedAgo }: Problem) => [beganAgo, endedAgo ?? 0] as const;
