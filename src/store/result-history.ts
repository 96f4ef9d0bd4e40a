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
    const size = await countResults(part);
    total += size.total;
    if (results.length < perPage && skip < size.total) {
      results.push(...(await readPage(part, size, skip, perPage - results.length)));
    }
    skip = Math.max(0, skip - size.total);
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

interface DaySize {
  total: number;
  /** Results of each round; null where rounds differ. */
  perRound: number | null;
}

/** Counted by the byte that names a round's regions, so that no round has to be unpacked. */
async function countResults(part: DayPart): Promise<DaySize> {
  const { rows } = await sql<{ named: Uint8Array; rounds: number }>`
    select substr(data, ${sql.lit(REGIONS_BYTE)}, 1) as named, count(*) as rounds
    from ${roundTable(part.day)} where ${inPart(part)} group by 1`.execute(part.database.scan);
  const groups = rows.map(({ named, rounds }) => ({
    rounds,
    results: resultsNamed(named[0] ?? 0, part),
  }));
  if (groups.some(({ results }) => results === null)) {
    const rounds = await readRows(part, null);
    return { total: rounds.flatMap((round) => resultsOf(round, part)).length, perRound: null };
  }
  const total = groups.reduce((sum, { rounds, results }) => sum + rounds * results!, 0);
  return { total, perRound: groups.length === 1 ? groups[0]!.results : null };
}

/** How many results a round with this regions byte has, of the wanted region; null when the byte doesn't tell. */
function resultsNamed(byte: number, { region, regions }: DayPart): number | null {
  const numbers = regionsOfByte(byte);
  if (!numbers || region === undefined) return numbers && numbers.length;
  return numbers.some((number) => regions.regionOf(number) === region) ? 1 : 0;
}

async function readPage(
  part: DayPart,
  { perRound }: DaySize,
  skip: number,
  count: number,
): Promise<ListedResult[]> {
  const skippedRounds = perRound ? Math.floor(skip / perRound) : 0;
  const skipped = perRound ? skip % perRound : skip;
  const limit = perRound
    ? { limit: Math.ceil((skipped + count) / perRound), offset: skippedRounds }
    : null;
  const rounds = await readRows(part, limit);
  const results = rounds
    .flatMap((round) => resultsOf(round, part).map((result) => ({ ...result, round })))
    .slice(skipped, skipped + count);
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
async function readRows(
  part: DayPart,
  page: { limit: number; offset: number } | null,
): Promise<ReadRound[]> {
  const { rows } = await sql<{ at: number; data: Uint8Array }>`
    select at, data from ${roundTable(part.day)} where ${inPart(part)} order by at desc
    ${page ? sql`limit ${page.limit} offset ${page.offset}` : sql``}`.execute(part.database.scan);
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
