import { sql } from 'kysely';
import type { Failure } from '../../model/failure.ts';
import type { Region } from '../../model/monitor.ts';
import type { RoundClass } from '../../model/round.ts';
import type { Database } from '../database/contract.ts';
import { jsonTable } from '../database/dialect.ts';
import {
  DAY_MS,
  dayOf,
  failureTable,
  listDays,
  readDaysAndRegions,
  roundTable,
  startOf,
  failureDetails,
  type Day,
} from './results.ts';
import {
  decodeRound,
  REGIONS_BYTE,
  regionsOfByte,
  type PackedResult,
  type PackedRound,
  type RoundKind,
  type RegionNumbers,
} from './round-codec.ts';
import { idsParameter } from '../database/prepared-statements.ts';

/** A result of one region in the history. Times to 0.1 ms. */
export interface ListedResult extends PackedResult {
  kind: RoundKind;
  class: RoundClass;
  startedAt: number;
  failure: Failure | null;
  /** Kept for failed results only. */
  remoteAddress: string | null;
}

interface ResultsQuery {
  from: number;
  to: number;
  region?: Region;
  page: number;
  perPage: number;
}

/** Lists a page of a monitor's results, newest round first, and counts all. The caller has authorized the monitor. */
export async function listResults(database: Database, monitorId: number, question: ResultsQuery) {
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

async function readWindow(part: DayPart, { lower, upper, skip, count }: Window) {
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

export interface StoredRound extends PackedRound {
  monitorId: number;
  startedAt: number;
}

/** Reads the rounds of these monitors that started in `[from, to)`, by day, monitor and time. */
export async function readRounds(database: Database, monitorIds: readonly number[], range: Range) {
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

/** One monitor's part of one day's tables, `[lower, upper)` in milliseconds of the day. */
interface DayPart {
  database: Database;
  monitorId: number;
  day: Day;
  lower: number;
  upper: number;
  regions: RegionNumbers;
  region: Region | undefined;
}

const HOUR_MS = 3_600_000;

/** Number of results of a part in one hour, `[lower, upper)`. */
interface HourCount {
  lower: number;
  upper: number;
  results: number;
}

/** Maximum number of cached counts of whole days; the oldest are evicted. */
const MAX_CACHED_DAYS = 2_000;

interface DayCount {
  rounds: number;
  hours: HourCount[];
}

const caches = new WeakMap<Database, Map<string, DayCount>>();

/**
 * Counts the results of each part by hour, newest first, without empty hours. Counts of whole days are cached: rounds are
 * added and never changed, so they stay valid while the number of rounds does.
 */
async function countHours(parts: readonly DayPart[]): Promise<HourCount[][]> {
  const [{ database } = { database: null }] = parts;
  if (database === null) return [];
  const known = caches.get(database) ?? new Map<string, DayCount>();
  caches.set(database, known);
  const rounds = await countRounds(parts.filter((part) => known.has(keyOf(part))));
  const holds = (part: DayPart) => known.get(keyOf(part))?.rounds === (rounds.get(part) ?? -1);
  const found = await readHours(parts.filter((part) => !holds(part)));
  for (const [part, count] of found) if (isWholeDay(part)) cache(known, keyOf(part), count);
  return parts.map((part) => (found.get(part) ?? known.get(keyOf(part))!).hours);
}

const isWholeDay = ({ lower, upper }: DayPart) => lower === 0 && upper === DAY_MS;

const keyOf = ({ monitorId, day, region, lower, upper }: DayPart) =>
  `${monitorId} ${day} ${lower} ${upper} ${region ?? ''}`;

function cache(known: Map<string, DayCount>, key: string, count: DayCount): void {
  known.delete(key);
  known.set(key, count);
  if (known.size > MAX_CACHED_DAYS) known.delete(known.keys().next().value!);
}

async function countRounds(parts: readonly DayPart[]): Promise<Map<DayPart, number>> {
  if (parts.length === 0) return new Map();
  const counts = parts.map(
    (part, index) => sql`select ${sql.lit(index)} as part, count(*) as rounds
      from ${roundTable(part.day)} where ${inPart(part)}`,
  );
  const { rows } = await sql<{ part: number; rounds: number }>`${sql.join(
    counts,
    sql` union all `,
  )}`.execute(parts[0]!.database.scan);
  return new Map(rows.map(({ part, rounds }) => [parts[part]!, rounds]));
}

/** Counts by the regions byte of rounds, so that no round has to be decoded. */
async function readHours(parts: readonly DayPart[]): Promise<Map<DayPart, DayCount>> {
  if (parts.length === 0) return new Map();
  const counts = parts.map(
    (part, index) => sql`select ${sql.lit(index)} as part, at / ${sql.lit(HOUR_MS)} as hour,
        substr(data, ${sql.lit(REGIONS_BYTE)}, 1) as named, count(*) as rounds
      from ${roundTable(part.day)} where ${inPart(part)} group by 2, 3`,
  );
  const { rows } = await sql<CountedRounds>`${sql.join(counts, sql` union all `)}`.execute(
    parts[0]!.database.scan,
  );
  const found = new Map<DayPart, DayCount>();
  for (const [index, part] of parts.entries()) {
    const ofPart = rows.filter((row) => row.part === index);
    found.set(part, await toDayCount(part, ofPart));
  }
  return found;
}

interface CountedRounds {
  part: number;
  hour: number;
  named: Uint8Array;
  rounds: number;
}

async function toDayCount(part: DayPart, rows: readonly CountedRounds[]): Promise<DayCount> {
  const counts = rows.map(({ hour, named, rounds }) => {
    const each = resultsNamed(named[0] ?? 0, part);
    return { hour, results: each === null ? null : each * rounds };
  });
  const isKnown = counts.every(({ results }) => results !== null);
  const hours = new Map<number, number>();
  for (const { hour, results } of isKnown ? counts : await countByReading(part)) {
    hours.set(hour, (hours.get(hour) ?? 0) + (results ?? 0));
  }
  return {
    rounds: rows.reduce((sum, { rounds }) => sum + rounds, 0),
    hours: [...hours]
      .toSorted(([one], [other]) => other - one)
      .map(([hour, results]) => ({
        lower: Math.max(part.lower, hour * HOUR_MS),
        upper: Math.min(part.upper, (hour + 1) * HOUR_MS),
        results,
      })),
  };
}

async function countByReading(part: DayPart): Promise<{ hour: number; results: number }[]> {
  const rounds = await readRows(part, part.database.scan);
  return rounds.map((round) => ({
    hour: Math.floor(round.at / HOUR_MS),
    results: resultsOf(round, part).length,
  }));
}

/** Counts the results of a round by its regions byte; null when the byte does not say. */
function resultsNamed(byte: number, { region, regions }: DayPart): number | null {
  const numbers = regionsOfByte(byte);
  if (!numbers || region === undefined) return numbers && numbers.length;
  return numbers.some((number) => regions.regionOf(number) === region) ? 1 : 0;
}

interface ReadRound extends PackedRound {
  /** Milliseconds of the day. */
  at: number;
}

function resultsOf(round: ReadRound, { region }: DayPart): PackedResult[] {
  if (region === undefined) return round.results;
  return round.results.filter((result) => result.region === region);
}

/** Reads the rounds of a part, newest first. @param enough number of results after which older rounds are not wanted. */
async function readRows(part: DayPart, db: Database['read'], enough = Infinity) {
  const { rows } = await sql<{ at: number; data: Uint8Array }>`
    select at, data from ${roundTable(part.day)} where ${inPart(part)}
    order by at desc`.execute(db);
  const start = startOf(part.day);
  const rounds: ReadRound[] = [];
  let results = 0;
  for (const { at, data } of rows) {
    if (results >= enough) break;
    const decoded = decodeRound(data, start + at, part.regions);
    if (decoded === null) continue;
    const round = { ...decoded, at };
    rounds.push(round);
    results += resultsOf(round, part).length;
  }
  return rounds;
}

const inPart = ({ monitorId, lower, upper }: DayPart) =>
  sql`monitor_id = ${monitorId} and at >= ${lower} and at < ${upper}`;
