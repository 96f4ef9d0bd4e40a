import { setTimeout as pause } from 'node:timers/promises';
import { startBenchNameServer } from './name-server.ts';
import { withDatabase, type DatabasePlace } from './database-place.ts';
import { FAILING_MIX, FULL_MIX, preloadMixedMonitors } from './preload.ts';
import {
  preloadHistory,
  preloadLastHour,
  preloadOldDay,
  sumUpLastHour,
  summedUpTo,
  type OldDay,
} from './preload-history.ts';
import { withService, type Service } from './process.ts';
import { readMeanwhile, type Latencies } from './read-load.ts';
import { takeSample, workBetween, type Work } from './sample.ts';
import { startTarget } from './target.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';

/** Work of a service with many monitors, whose targets have names of their own and are not all well. */
export interface EngineOptions {
  monitors: number;
  /** Measured after two intervals. */
  seconds: number;
  /**
   * Whether everything else goes on meanwhile: slow, large and changing targets, the roll-up of an hour, the end of an
   * old day, reads of lists, reports, and a webhook receiver that takes a second for each event.
   */
  isFull: boolean;
  /** Days of rounds and of roll-ups that are stored before. */
  history?: { rawDays: number; rollupDays: number };
  /** Those of the command line, for the engine of the database. */
  options: readonly string[];
}

export interface EngineFigures {
  monitors: number;
  engine: DatabasePlace['engine'];
  work: Work;
  /** NaN if the old day was dropped in part. */
  bytesPerCheck: number;
  logBytesPerCheck: number | null;
  /** CPU of the database server; null on SQLite. */
  serverCpuMsPerCheck: number | null;
  reads: Latencies;
  events: number;
  /** Whether both happened within the measured time. */
  isHourRolledUp: boolean;
  isOldDayDropped: boolean;
}

/** Two intervals, so that every monitor has had its first round, and failures are confirmed. */
const SETTLE_MS = 64_000;
const RECEIVER_MS = 1_000;
/** Longer than the age of the old day, which is dropped when the measurement starts. */
const RAW_RETENTION_DAYS = 30;

/** Runs the whole service with that work. */
export async function measureEngine(options: EngineOptions): Promise<EngineFigures> {
  const { monitors, isFull, history } = options;
  return withDatabase(options.options, async (place) => {
    const target = await startTarget();
    const names = await startBenchNameServer();
    const receiver = await startWebhookReceiver(RECEIVER_MS);
    await preloadMixedMonitors(
      place.options,
      monitors,
      target.port,
      isFull ? FULL_MIX : FAILING_MIX,
    );
    if (history) await preloadHistory(place.options, monitors, history);
    const isRolledUp = isFull || history !== undefined;
    if (isRolledUp) await preloadLastHour(place.options, monitors);
    const oldDay = isFull ? await addOldDay(place, monitors) : null;
    if (place.engine === 'postgres') await place.execute('vacuum analyze');
    const environment = {
      DNS_SERVERS: names.address,
      ALLOW_HTTP_WEBHOOKS: 'true',
      RAW_RETENTION_DAYS: String(RAW_RETENTION_DAYS),
      ...place.environment,
    };
    try {
      return await withService({ ...place, environment }, async (service) => {
        const hook = { name: 'Slow receiver', url: receiver.url };
        if (isFull) await service.create('/api/v1/webhook-endpoints', hook);
        await pause(SETTLE_MS);
        const figures = await measure(service, place, options, oldDay);
        return { ...figures, events: await receiver.count() };
      });
    } finally {
      receiver.stop();
      target.stop();
      names.stop();
    }
  });
}

async function measure(
  service: Service,
  place: DatabasePlace,
  { monitors, seconds, isFull }: EngineOptions,
  oldDay: SizedDay | null,
): Promise<Omit<EngineFigures, 'events'>> {
  const before = await sample(service, place);
  const summedUp = isFull ? await place.number(summedUpTo) : 0;
  if (isFull) await place.execute(sumUpLastHour);
  if (oldDay) await place.execute(oldDay.retire);
  const reads = await readMeanwhile(service, { seconds, monitors, withReports: isFull });
  const after = await sample(service, place);
  const work = workBetween(before.service, after.service);
  const isOldDayDropped = oldDay === null || !(await exists(place, oldDay.table));
  const droppedBytes = isOldDayDropped ? (oldDay?.bytes ?? 0) : Number.NaN;
  const perCheck = (from: number | null, to: number | null) =>
    from === null || to === null ? null : (to - from) / work.checks;
  return {
    monitors,
    engine: place.engine,
    work,
    bytesPerCheck: (after.bytes + droppedBytes - before.bytes) / work.checks,
    logBytesPerCheck: perCheck(before.logBytes, after.logBytes),
    serverCpuMsPerCheck: perCheck(before.serverCpuMs, after.serverCpuMs),
    reads,
    isOldDayDropped,
    isHourRolledUp: !isFull || (await place.number(summedUpTo)) >= summedUp,
  };
}

async function sample(service: Service, place: DatabasePlace) {
  const serverCpuSeconds = await place.serverCpuSeconds();
  return {
    service: await takeSample(service),
    bytes: await place.bytes(),
    logBytes: await place.logBytes(),
    serverCpuMs: serverCpuSeconds === null ? null : serverCpuSeconds * 1000,
  };
}

/** The space of an old day that is dropped must not count as a gain. */
type SizedDay = OldDay & { bytes: number };

async function addOldDay(place: DatabasePlace, monitors: number): Promise<SizedDay> {
  const before = await place.bytes();
  const day = await preloadOldDay(place.options, monitors);
  return { ...day, bytes: (await place.bytes()) - before };
}

async function exists({ engine, number }: DatabasePlace, table: string): Promise<boolean> {
  const [catalog, column] =
    engine === 'sqlite' ? ['sqlite_master', 'name'] : ['pg_tables', 'tablename'];
  return (await number(`select count(*) from ${catalog} where ${column} = '${table}'`)) > 0;
}
