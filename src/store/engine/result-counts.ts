import { sql } from 'kysely';
import type { Region } from '../../model/monitor.ts';
import type { Database } from '../database/contract.ts';
import { DAY_MS, roundTable, startOf, type Day } from './results.ts';
import {
  decodeRound,
  REGIONS_BYTE,
  regionsOfByte,
  type PackedResult,
  type PackedRound,
  type RegionNumbers,
} from './round-codec.ts';

/** One monitor's part of one day's tables, `[lower, upper)` in milliseconds of the day. */
export interface DayPart {
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
export interface HourCount {
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
export async function countHours(parts: readonly DayPart[]): Promise<HourCount[][]> {
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

export interface ReadRound extends PackedRound {
  /** Milliseconds of the day. */
  at: number;
}

export function resultsOf(round: ReadRound, { region }: DayPart): PackedResult[] {
  if (region === undefined) return round.results;
  return round.results.filter((result) => result.region === region);
}

/**
 * Reads the rounds of a part, newest first, without those of a newer version.
 *
 * @param enough number of results after which older rounds are not wanted.
 */
export async function readRows(
  part: DayPart,
  db: Database['read'],
  enough = Infinity,
): Promise<ReadRound[]> {
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
