import type { Database } from '../../src/store/database/contract.ts';
import { listResults } from '../../src/store/engine/result-history.ts';
import { checkBlips } from './blips.ts';
import { checkCriticalPace, checkPromptness, checkQuietTime, quietTimes } from './expectations.ts';
import type { Disturbance, Looks } from './expectations.ts';
import type { Operator, OwnedMonitor } from './operator.ts';
import type { Plan } from './plan.ts';
import type { SeenCheck } from './probes.ts';
import type { Random } from './random.ts';
import { checkSilence } from './silence.ts';
import { possibleClasses, turningPoints } from './truth.ts';
import type { Watched } from './watcher.ts';

export interface EndOptions {
  plan: Plan;
  database: Database;
  operator: Operator;
  watched: ReadonlyMap<number, Watched>;
  checks: readonly SeenCheck[];
  disturbances: Disturbance[];
  /** The wall clock never went back, so that an instant has one name. */
  isClockSteady: boolean;
  wallAt(at: number): number;
  until: number;
  random: Random;
  looks: Looks;
  violate(rule: string): void;
}

/** What can only be said when the whole story is known. */
export async function checkAtTheEnd(options: EndOptions): Promise<void> {
  const { plan, operator, watched, disturbances, until, looks } = options;
  for (const monitor of operator.monitors.values()) {
    const violate = (rule: string) => options.violate(`monitor ${monitor.id}: ${rule}`);
    const checks = options.checks.filter(({ monitorId }) => monitorId === monitor.id);
    const known = watched.get(monitor.id) ?? NEVER_SEEN;
    for (const quiet of quietTimes(plan, monitor, disturbances, until)) {
      checkQuietTime(quiet, known, looks, violate);
      checkCriticalPace(quiet, known, violate);
      checkPromptness(quiet, checks, looks, violate);
    }
    checkInnocence(plan, monitor, known, looks, violate);
    checkBlips(plan, monitor, known, violate);
    if (!options.isClockSteady) continue;
    const history = await readHistory(options.database, monitor.id);
    checkSilence({ ...options, monitor, history, violate });
    await checkRows(options, monitor, known, violate);
  }
}

const NEVER_SEEN: Watched = {
  reference: {
    status: 'pending',
    incidents: [],
    count: () => {
      throw new Error('Nothing was counted.');
    },
    inspect: () => {
      throw new Error('Nothing was inspected.');
    },
    byHand: () => undefined,
  },
  lastSlot: -Infinity,
  timeline: [],
  counted: [],
};

/** A target that no region ever had a reason to complain of never has an incident. */
function checkInnocence(
  plan: Plan,
  monitor: OwnedMonitor,
  { timeline }: Watched,
  looks: Looks,
  violate: (rule: string) => void,
): void {
  const isGood = monitor.eras.every(({ settings }) =>
    turningPoints(plan, settings).every((at) => {
      const classes = possibleClasses(plan, settings, at);
      return !classes.has('down') && !classes.has('regional');
    }),
  );
  if (!isGood) return;
  looks.good += 1;
  const accused = timeline.find(({ open }) => open.includes('uptime') || open.includes('regional'));
  if (accused) violate(`it has [${accused.open.join(', ')}] though nobody ever saw it fail`);
}

async function readHistory(database: Database, id: number) {
  const spans = await database.read
    .selectFrom('status_span')
    .select(['status', 'from_at', 'to_at'])
    .where('monitor_id', '=', id)
    .orderBy('id')
    .execute();
  const state = await database.read
    .selectFrom('monitor_state')
    .select('observed_until')
    .where('monitor_id', '=', id)
    .executeTakeFirst();
  return { spans, observedUntil: state?.observed_until ?? null };
}

/** Each round that counted is one row of history, and no other row says that it voted. */
async function checkRows(
  { database, wallAt, until }: EndOptions,
  { id }: OwnedMonitor,
  { counted }: Watched,
  violate: (rule: string) => void,
): Promise<void> {
  const period = { from: wallAt(0), to: wallAt(until) + 1 };
  const { results } = await listResults(database, id, { ...period, page: 1, perPage: 100_000 });
  const voted = new Set(
    results.flatMap(({ kind, startedAt }) => (kind === 'voted' ? [startedAt] : [])),
  );
  const expected = new Set(counted.map(({ round }) => round.startedAt));
  const missing = [...expected].filter((at) => !voted.has(at));
  const extra = [...voted].filter((at) => !expected.has(at));
  if (missing.length + extra.length > 0) {
    violate(
      `${missing.length} rounds that counted have no row, ${extra.length} rows of votes did not count`,
    );
  }
}
