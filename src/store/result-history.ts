import { sql } from 'kysely';
import type { Failure } from '../model/failure.ts';
import type { Region } from '../model/monitor.ts';
import type { RoundClass } from '../model/round.ts';
import type { Database } from './contract.ts';
import { jsonTable } from './dialect.ts';
import {
  DAY_MS,
  failureTable,
  listDays,
  readRegions,
  roundTable,
  startOf,
  type Day,
} from './result-days.ts';
import { failureDetails } from './results.ts';
import {
  decodeRound,
  REGIONS_BYTE,
  regionsOfByte,
  type PackedResult,
  type PackedRound,
  type RegionNumbers,
  type RoundKind,
} from './round-codec.ts';

/** A result of one region as the history shows it. Times to 0.1 ms. */
export interface ListedResult extends PackedResult {
  kind: RoundKind;
  class: RoundClass;
  /** Epoch milliseconds at which the round started. */
  startedAt: number;
  failure: Failure | null;
  /** Kept for failed results only. */
  remoteAddress: string | null;
}

export interface ResultsQuestion {
  /** Rounds that started in `[from, to)`, epoch milliseconds. */
  from: number;
  to: number;
  region?: Region;
  /** From 1. */
  page: number;
  perPage: number;
}

/** A page of a monitor's results, newest round first, and how many there are. The caller has authorised the monitor. */
export async function listResults(
  database: Database,
  monitorId: number,
  question: ResultsQuestion,
): Promise<{ total: number; results: ListedResult[] }> {
  const { page, perPage, region } = question;
  const regions = await readRegions(database);
  const days = (await listDays(database)).filter((day) => touches(day, question)).toReversed();
  let skip = (page - 1) * perPage;
  let total = 0;
  const results: ListedResult[] = [];
  for (const day of days) {
    const part: DayPart = { database, monitorId, day, regions, region, ...boundsIn(day, question) };
    const hours = await countHours(part);
    const window = windowOf(hours, skip, perPage - results.length);
    if (window) results.push(...(await readWindow(part, window)));
    const size = hours.reduce((sum, hour) => sum + hour.results, 0);
    total += size;
    skip = Math.max(0, skip - size);
  }
  return { total, results };
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

/** What of a part lies in one hour, `[lower, upper)`. */
interface HourCount {
  lower: number;
  upper: number;
  results: number;
}

/** Newest first, without empty hours. Counted by the byte that names a round's regions, so that no round has to be unpacked. */
async function countHours(part: DayPart): Promise<HourCount[]> {
  const { rows } = await sql<{ hour: number; named: Uint8Array; rounds: number }>`
    select at / ${sql.lit(HOUR_MS)} as hour, substr(data, ${sql.lit(REGIONS_BYTE)}, 1) as named,
      count(*) as rounds
    from ${roundTable(part.day)} where ${inPart(part)} group by 1, 2`.execute(part.database.scan);
  const counts = rows.map(({ hour, named, rounds }) => {
    const each = resultsNamed(named[0] ?? 0, part);
    return { hour, results: each === null ? null : each * rounds };
  });
  const isTold = counts.every(({ results }) => results !== null);
  const known = isTold ? counts : await countByReading(part);
  const hours = new Map<number, number>();
  for (const { hour, results } of known) hours.set(hour, (hours.get(hour) ?? 0) + (results ?? 0));
  return [...hours]
    .toSorted(([one], [other]) => other - one)
    .map(([hour, results]) => ({
      lower: Math.max(part.lower, hour * HOUR_MS),
      upper: Math.min(part.upper, (hour + 1) * HOUR_MS),
      results,
    }));
}

async function countByReading(part: DayPart): Promise<{ hour: number; results: number }[]> {
  const rounds = await readRows(part);
  return rounds.map((round) => ({
    hour: Math.floor(round.at / HOUR_MS),
    results: resultsOf(round, part).length,
  }));
}

/** The hours that hold part of a page, of which `skip` results are left out and then at most `count` taken. */
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

/** How many results a round with this regions byte has, of the wanted region; null when the byte doesn't tell. */
function resultsNamed(byte: number, { region, regions }: DayPart): number | null {
  const numbers = regionsOfByte(byte);
  if (!numbers || region === undefined) return numbers && numbers.length;
  return numbers.some((number) => regions.regionOf(number) === region) ? 1 : 0;
}

async function readWindow(
  part: DayPart,
  { lower, upper, skip, count }: Window,
): Promise<ListedResult[]> {
  const rounds = await readRows({ ...part, lower, upper });
  const results = rounds
    .flatMap((round) => resultsOf(round, part).map((result) => ({ ...result, round })))
    .slice(skip, skip + count);
  const details = await readDetails(part, [...new Set(results.map(({ round }) => round.at))]);
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

interface ReadRound extends PackedRound {
  /** Milliseconds of the day. */
  at: number;
}

function resultsOf(round: ReadRound, { region }: DayPart): PackedResult[] {
  if (region === undefined) return round.results;
  return round.results.filter((result) => result.region === region);
}

/** Newest first. Rounds of a newer version are left out. */
async function readRows(part: DayPart): Promise<ReadRound[]> {
  const { rows } = await sql<{ at: number; data: Uint8Array }>`
    select at, data from ${roundTable(part.day)} where ${inPart(part)}
    order by at desc`.execute(part.database.scan);
  return rows.flatMap(({ at, data }) => {
    const round = decodeRound(data, startOf(part.day) + at, part.regions);
    return round ? [{ ...round, at }] : [];
  });
}

async function readDetails({ database, monitorId, day }: DayPart, offsets: number[]) {
  if (offsets.length === 0) return new Map<number, ReturnType<typeof failureDetails>>();
  const json = JSON.stringify(offsets.map((at) => [at]));
  const { rows } = await sql<{ at: number; details: string }>`
    select at, details from ${failureTable(day)} where monitor_id = ${monitorId}
      and at in (select at from ${jsonTable(database.engine, json, { at: 'integer' })} as v)`.execute(
    database.scan,
  );
  return new Map(rows.map(({ at, details }) => [at, failureDetails(details)]));
}

const inPart = ({ monitorId, lower, upper }: DayPart) =>
  sql`monitor_id = ${monitorId} and at >= ${lower} and at < ${upper}`;

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

/** A stored round with what identifies it. */
export interface StoredRound extends PackedRound {
  monitorId: number;
  /** Epoch milliseconds. */
  startedAt: number;
}

/** The rounds of these monitors that started in `[from, to)`, by day, monitor and time. */
export async function readRounds(
  database: Database,
  monitorIds: readonly number[],
  range: Range,
): Promise<StoredRound[]> {
  const regions = await readRegions(database);
  const json = JSON.stringify(monitorIds.map((id) => [id]));
  const rounds: StoredRound[] = [];
  for (const day of (await listDays(database)).filter((one) => touches(one, range))) {
    const { lower, upper } = boundsIn(day, range);
    const { rows } = await sql<{ monitor_id: number; at: number; data: Uint8Array }>`
      select round.monitor_id, round.at, round.data
      from ${jsonTable(database.engine, json, { id: 'integer' })} as wanted
      join ${roundTable(day)} as round
        on round.monitor_id = wanted.id and round.at >= ${lower} and round.at < ${upper}
      order by round.monitor_id, round.at`.execute(database.scan);
    for (const { monitor_id, at, data } of rows) {
      const startedAt = startOf(day) + at;
      const round = decodeRound(data, startedAt, regions);
      if (round) rounds.push({ ...round, monitorId: monitor_id, startedAt });
    }
  }
  return rounds;
}
