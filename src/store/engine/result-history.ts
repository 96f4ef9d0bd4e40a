import { sql } from 'kysely';
import type { Failure } from '../../model/failure.ts';
import type { Region } from '../../model/monitor.ts';
import type { RoundClass } from '../../model/round.ts';
import type { Database } from '../database/contract.ts';
import { jsonTable } from '../database/dialect.ts';
import { countHours, readRows, resultsOf, type DayPart, type HourCount } from './result-counts.ts';
import {
  DAY_MS,
  dayOf,
  failureTable,
  listDays,
  readDaysAndRegions,
  roundTable,
  startOf,
  type Day,
  failureDetails,
} from './results.ts';
import { decodeRound, type PackedResult, type PackedRound, type RoundKind } from './round-codec.ts';
import { idsParameter } from '../database/prepared-statements.ts';

/** A result of one region in the history. Times to 0.1 ms. */
export interface ListedResult extends PackedResult {
  kind: RoundKind;
  class: RoundClass;
  /** Epoch milliseconds at which the round started. */
  startedAt: number;
  failure: Failure | null;
  /** Kept for failed results only. */
  remoteAddress: string | null;
}

export interface ResultsQuery {
  /** Rounds that started in `[from, to)`, epoch milliseconds. */
  from: number;
  to: number;
  region?: Region;
  /** From 1. */
  page: number;
  perPage: number;
}

/** Lists a page of a monitor's results, newest round first, and counts all. The caller has authorized the monitor. */
export async function listResults(
  database: Database,
  monitorId: number,
  question: ResultsQuery,
): Promise<{ total: number; results: ListedResult[] }> {
  const { page, perPage, region } = question;
  const { days: all, regions } = await readDaysAndRegions(database);
  const days = all.filter((day) => touches(day, question)).toReversed();
  let skip = (page - 1) * perPage;
  let total = 0;
  const results: ListedResult[] = [];
  const parts = days.map((day): DayPart => ({
    database,
    monitorId,
    day,
    regions,
    region,
    ...boundsIn(day, question),
  }));
  const counted = await countHours(parts);
  for (const [index, part] of parts.entries()) {
    const hours = counted[index]!;
    const window = windowOf(hours, skip, perPage - results.length);
    if (window) results.push(...(await readWindow(part, window)));
    const size = hours.reduce((sum, hour) => sum + hour.results, 0);
    total += size;
    skip = Math.max(0, skip - size);
  }
  return { total, results };
}

/** Hours that contain part of a page: skip `skip` results, then take at most `count`. */
interface Window {
  lower: number;
  upper: number;
  skip: number;
  count: number;
}

function windowOf(hours: readonly HourCount[], skip: number, count: number): Window | null {
  let window: Window | null = null;
  let left = skip + count;
  for (const hour of hours) {
    if (count === 0 || left <= 0) break;
    left -= hour.results;
    if (window) window.lower = hour.lower;
    else if (hour.results <= skip) skip -= hour.results;
    else window = { lower: hour.lower, upper: hour.upper, skip, count };
  }
  return window;
}

/** Longest range of one monitor that is read in the main thread. A page of few results may need more. */
const QUICK_HOURS_MS = 6 * 3_600_000;

async function readWindow(
  part: DayPart,
  { lower, upper, skip, count }: Window,
): Promise<ListedResult[]> {
  const { read, scan } = part.database;
  const rounds = await readRows(
    { ...part, lower, upper },
    upper - lower > QUICK_HOURS_MS ? scan : read,
    skip + count,
  );
  const results = rounds
    .flatMap((round) => resultsOf(round, part).map((result) => ({ ...result, round })))
    .slice(skip, skip + count);
  const failed = results.filter(({ vote }) => vote !== 'up').map(({ round }) => round.at);
  const details = await readDetails(part, [...new Set(failed)]);
  return results.map(({ round, ...result }) => {
    const detail = details.get(round.at)?.get(result.region);
    const code = result.failureCode;
    return {
      ...result,
      kind: round.kind,
      class: round.class,
      startedAt: startOf(part.day) + round.at,
      failure: code && { code, text: detail?.text ?? code },
      remoteAddress: detail?.address ?? null,
    };
  });
}

async function readDetails(
  { database, monitorId, day }: Pick<DayPart, 'database' | 'monitorId' | 'day'>,
  offsets: number[],
) {
  if (offsets.length === 0) return new Map<number, ReturnType<typeof failureDetails>>();
  const json = JSON.stringify(offsets.map((at) => [at]));
  const { rows } = await sql<{ at: number; details: string }>`
    select at, details from ${failureTable(day)} where monitor_id = ${monitorId}
      and at in (select at from ${jsonTable(database.engine, json, { at: 'integer' })} as v)`.execute(
    database.read,
  );
  return new Map(rows.map(({ at, details }) => [at, failureDetails(details)]));
}

interface Range {
  from: number;
  to: number;
}

const touches = (day: Day, { from, to }: Range) =>
  startOf(day) < to && startOf(day) + DAY_MS > from;

const boundsIn = (day: Day, { from, to }: Range) => ({
  lower: Math.max(0, Math.ceil(from - startOf(day))),
  upper: Math.min(DAY_MS, Math.ceil(to - startOf(day))),
});

/** A stored round with its monitor and start. */
export interface StoredRound extends PackedRound {
  monitorId: number;
  /** Epoch milliseconds. */
  startedAt: number;
}

/** Reads the rounds of these monitors that started in `[from, to)`, by day, monitor and time. */
export async function readRounds(
  database: Database,
  monitorIds: readonly number[],
  range: Range,
): Promise<StoredRound[]> {
  const { days, regions } = await readDaysAndRegions(database);
  const isQuick = monitorIds.length === 1 && range.to - range.from <= QUICK_HOURS_MS;
  const db = isQuick ? database.read : database.scan;
  const rounds: StoredRound[] = [];
  for (const day of days.filter((one) => touches(one, range))) {
    const { lower, upper } = boundsIn(day, range);
    const { rows } = await sql<{ monitor_id: number; at: number; data: Uint8Array }>`
      select round.monitor_id, round.at, round.data
      from ${roundsOf(database, day, monitorIds)} and round.at >= ${lower} and round.at < ${upper}
      order by round.monitor_id, round.at`.execute(db);
    for (const { monitor_id, at, data } of rows) {
      const startedAt = startOf(day) + at;
      const round = decodeRound(data, startedAt, regions);
      if (round) rounds.push({ ...round, monitorId: monitor_id, startedAt });
    }
  }
  return rounds;
}

/** The rounds of monitors in a day, to which conditions are added. Of a single one Postgres knows that the index is best. */
function roundsOf({ engine }: Database, day: Day, monitorIds: readonly number[]) {
  const [first] = monitorIds;
  if (monitorIds.length === 1)
    return sql`${roundTable(day)} as round where round.monitor_id = ${first}`;
  const wanted = jsonTable(engine, idsParameter(monitorIds), { id: 'integer' });
  return sql`${wanted} as wanted cross join ${roundTable(day)} as round where round.monitor_id = wanted.id`;
}

/** A failure as it was recorded. */
export interface FailureText {
  text: string;
  /** Kept for failed results only. */
  address: string | null;
}

/** Reads the texts of the failures of rounds, by the start of the round (epoch ms) and region. */
export async function readFailureTexts(
  database: Database,
  monitorId: number,
  startedAt: readonly number[],
): Promise<Map<number, Map<Region, FailureText>>> {
  const known = new Set(await listDays(database));
  const texts = new Map<number, Map<Region, FailureText>>();
  for (const [day, ofDay] of Map.groupBy(startedAt, dayOf)) {
    if (!known.has(day)) continue;
    const offsets = ofDay.map((at) => at - startOf(day));
    const details = await readDetails({ database, monitorId, day }, offsets);
    for (const [offset, found] of details) texts.set(startOf(day) + offset, found);
  }
  return texts;
}
