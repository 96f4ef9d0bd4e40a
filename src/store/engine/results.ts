import { prepareRowStatement, type RowStatement } from '../database/prepared-statements.ts';
import { sql, type RawBuilder } from 'kysely';
import type { Database, Tx } from '../database/contract.ts';
import { updateRows } from '../database/rows.ts';
import { encodeRound, type RecordedRound, type RegionNumbers } from './round-codec.ts';
import type { Region } from '../../model/monitor.ts';
import { claimSetting, listSettings, type Setting } from '../database/settings.ts';
import { DDL, type Engine } from '../database/dialect.ts';

/** Details of a failure beside its round: text, address, and the regions that saw both. */
type FailureDetail = [text: string, address: string | null, ...regions: string[]];

/** Maximum length of a failure text in characters; longer ones are cut. */
const MAX_TEXT_LENGTH = 500;

/**
 * Stores rounds, with one statement per day. A round that is already stored (same monitor and start) stays unchanged, and
 * rounds of deleted monitors are skipped. `ensureDays` must have run before the transaction, which has locked the states of
 * these monitors: so no other one stores a round of them meanwhile.
 */
export async function insertRounds(tx: Tx, database: Database, rounds: readonly RecordedRound[]) {
  for (const { day, rounds: ofDay } of byDay(rounds)) {
    await insertionInto(roundName(day), 'data')(tx, packRounds(database, ofDay, day));
    const start = startOf(day);
    const failed = ofDay.flatMap((recorded) => failureRow(recorded, start));
    await insertionInto(failureName(day), 'details')(tx, failed);
  }
}

const insertions = new Map<string, RowStatement>();
/** Days of which rounds may come at a time, with two tables each, and as many again. */
const MAX_INSERTIONS = 16;

function insertionInto(table: string, column: 'data' | 'details'): RowStatement {
  const known = insertions.get(table);
  if (known !== undefined) return known;
  if (insertions.size >= MAX_INSERTIONS) insertions.clear();
  const insertion = prepareInsertion(table, column);
  insertions.set(table, insertion);
  return insertion;
}

function prepareInsertion(table: string, column: 'data' | 'details'): RowStatement {
  const type = column === 'data' ? 'blob' : 'text';
  const columns = { monitor_id: 'integer', at: 'integer', [column]: type } as const;
  return prepareRowStatement(columns, ({ value, values, from, engine }) => {
    const [monitor, at] = [value('monitor_id'), value('at')];
    const isNew =
      engine === 'sqlite'
        ? sql``
        : // An insertion that expects conflicts writes another 48 bytes of log for each row.
          sql`and not exists (select from ${sql.table(table)} as known
            where known.monitor_id = ${monitor} and known.at = ${at})`;
    return sql`insert into ${sql.table(table)} (monitor_id, at, ${sql.ref(column)})
      select ${values} ${from}
      where exists (select 1 from monitor_state where monitor_state.monitor_id = ${monitor}) ${isNew}
      ${engine === 'sqlite' ? sql`on conflict do nothing` : sql``}`;
  });
}

function packRounds(database: Database, rounds: readonly RecordedRound[], day: Day): unknown[][] {
  const regions = regionsForWriting(database);
  const start = startOf(day);
  return rounds.map((recorded) => [
    recorded.round.monitorId,
    offsetFrom(start, recorded),
    encodeRound(recorded, regions),
  ]);
}

/** Builds a row of the failure table, or none. Its JSON is escaped twice, so any target's text is safe in a text column. */
function failureRow(recorded: RecordedRound, dayStart: number): [number, number, string][] {
  const details = new Map<string, FailureDetail>();
  for (const { region, failure, remoteAddress } of recorded.round.results) {
    if (!failure) continue;
    const text = failure.text.slice(0, MAX_TEXT_LENGTH).toWellFormed();
    const key = JSON.stringify([text, remoteAddress]);
    const detail = details.get(key);
    if (detail) detail.push(region);
    else details.set(key, [text, remoteAddress, region]);
  }
  if (details.size === 0) return [];
  return [
    [
      recorded.round.monitorId,
      offsetFrom(dayStart, recorded),
      JSON.stringify([...details.values()]),
    ],
  ];
}

export function failureDetails(json: string) {
  const details = JSON.parse(json) as FailureDetail[];
  return new Map(
    details.flatMap(([text, address, ...regions]) =>
      regions.map((region) => [region, { text, address }] as const),
    ),
  );
}

/** Rounds that have a table, by day; of those with one monitor and start the first. */
function byDay(rounds: readonly RecordedRound[]): { day: Day; rounds: RecordedRound[] }[] {
  const storable = rounds.filter(({ round }) => hasDay(round.startedAt));
  const days = Map.groupBy(storable, ({ round }) => dayNumber(round.startedAt));
  return Array.from(days, ([number, ofDay]) => ({
    day: dayOf(number * DAY_MS),
    rounds: withoutRepeated(ofDay),
  }));
}

function withoutRepeated(rounds: RecordedRound[]): RecordedRound[] {
  const monitors = new Set(rounds.map(({ round }) => round.monitorId));
  // As nearly always.
  if (monitors.size === rounds.length) return rounds;
  const seen = new Set<string>();
  return rounds.filter(({ round }) => {
    const key = `${round.monitorId} ${Math.trunc(round.startedAt)}`;
    return seen.size < seen.add(key).size;
  });
}

const offsetFrom = (start: number, { round }: RecordedRound) => Math.trunc(round.startedAt) - start;

/** A UTC day as `YYYYMMDD`. */
export type Day = string;

export const DAY_MS = 86_400_000;

const dayNumber = (at: number) => Math.floor(at / DAY_MS);

export function dayOf(at: number): Day {
  return new Date(at).toISOString().slice(0, 10).replaceAll('-', '');
}

/** Whether a time lies in the years 1970 to 9999, which have tables. */
function hasDay(at: number): boolean {
  return at >= 0 && at < END_OF_DAYS;
}

const END_OF_DAYS = Date.UTC(10_000, 0, 1);

export function startOf(day: Day): number {
  return Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6, 8)));
}

export const roundTable = (day: Day): RawBuilder<unknown> => sql.table(roundName(day));
export const failureTable = (day: Day): RawBuilder<unknown> => sql.table(failureName(day));

/** Setting that records that a day's tables exist. Its value is empty, or the time at which the day was retired. */
const settingOf = (day: Day) => `result_day_${day}`;
const DAY_SETTING = /^result_day_(\d{8})$/;
const REGION_SETTING = /^result_region_(\d+)$/;

interface Cache {
  days: Set<Day>;
  regions: StoredRegions | null;
  /** Regions whose rounds were written by name, as they have no number yet. */
  unnumbered: Set<Region>;
}

const caches = new WeakMap<Database, Cache>();

function cacheOf(database: Database): Cache {
  let entry = caches.get(database);
  if (!entry) {
    entry = { days: new Set(), regions: null, unnumbered: new Set() };
    caches.set(database, entry);
  }
  return entry;
}

/**
 * Creates the tables and region numbers that rounds started at these times need. Call it before the transaction that
 * stores the rounds; it costs nothing when everything exists.
 */
export async function ensureDays(database: Database, instants: Iterable<number>): Promise<void> {
  const entry = cacheOf(database);
  const numbers = new Set<number>();
  for (const at of instants) if (hasDay(at)) numbers.add(dayNumber(at));
  for (const number of numbers) {
    const day = dayOf(number * DAY_MS);
    if (entry.days.has(day)) continue;
    await database.transaction((tx) => createDay(tx, database, day));
    entry.days.add(day);
  }
  if (!entry.regions || entry.unnumbered.size > 0) await numberRegions(database, entry);
}

/** Creates the tables of a day. Claims the setting first: on Postgres concurrent `create … if not exists` would collide. */
async function createDay(tx: Tx, database: Database, day: Day): Promise<void> {
  if (!(await claimSetting(tx, settingOf(day), ''))) return;
  for (const table of [roundName(day), failureName(day)]) {
    await sql.raw(dayTableStatement(database.engine, table)).execute(tx);
  }
}

/** Lists the days whose rounds can be read, oldest first. */
export async function listDays(database: Database): Promise<Day[]> {
  return readableDays(await listSettings(database.read, 'result_day_'));
}

/** Reads what the rounds of days need: the days that can be read, oldest first, and the numbers of all regions. */
export async function readDaysAndRegions(database: Database) {
  const settings = await listSettings(database.read, 'result_');
  return { days: readableDays(settings), regions: regionsIn(settings) };
}

function readableDays(settings: readonly Setting[]): Day[] {
  const all = daysIn(settings);
  return all.filter(({ retiredAt }) => retiredAt === null).map(({ day }) => day);
}

/** Lists retired days that still have tables, and when they were retired (epoch ms). */
export async function listRetiredDays(database: Database) {
  const all = daysIn(await listSettings(database.read, 'result_day_'));
  return all.flatMap(({ day, retiredAt }) => (retiredAt === null ? [] : [{ day, retiredAt }]));
}

/** Retires a day: no new query reads it. Its tables are dropped later, when no query can still be reading them. */
export async function retireDay(database: Database, day: Day, now: number): Promise<void> {
  await database.transaction((tx) =>
    updateRows(tx, 'setting', { name: settingOf(day) }, { value: String(now) }),
  );
}

/** Rows deleted per transaction on SQLite: a few milliseconds of its only writer. */
const DROP_BATCH_ROWS = 5_000;

/**
 * Deletes a bounded part of a retired day, and finally its tables. SQLite visits every page of a table that it drops,
 * which takes seconds for a large one, so rows are deleted in batches first.
 *
 * @returns false when nothing is left.
 */
export async function dropSomeOfDay(database: Database, day: Day): Promise<boolean> {
  cacheOf(database).days.delete(day);
  return await database.transaction(async (tx) => {
    if (database.engine === 'sqlite') {
      for (const table of [roundTable(day), failureTable(day)]) {
        if (await deleteRows(tx, table)) return true;
      }
    }
    await sql`drop table if exists ${roundTable(day)}`.execute(tx);
    await sql`drop table if exists ${failureTable(day)}`.execute(tx);
    await tx.deleteFrom('setting').where('name', '=', settingOf(day)).execute();
    return false;
  });
}

/** Deletes a batch of rows. @returns false when at most one batch is left, which goes with the table. */
async function deleteRows(tx: Tx, table: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ monitor_id: number; at: number }>`
    select monitor_id, at from ${table} order by monitor_id, at
    limit 1 offset ${DROP_BATCH_ROWS}`.execute(tx);
  const [end] = rows;
  if (!end) return false;
  await sql`delete from ${table} where monitor_id < ${end.monitor_id}`.execute(tx);
  await sql`delete from ${table} where monitor_id = ${end.monitor_id} and at < ${end.at}`.execute(
    tx,
  );
  return true;
}

function daysIn(settings: readonly Setting[]): { day: Day; retiredAt: number | null }[] {
  return settings.flatMap(({ name, value }) => {
    const day = DAY_SETTING.exec(name)?.[1];
    return day === undefined ? [] : [{ day, retiredAt: value === '' ? null : Number(value) }];
  });
}

/** Returns the numbers that this process has read, for writing. A region without one gets one soon. */
function regionsForWriting(database: Database): RegionNumbers {
  const entry = cacheOf(database);
  return {
    regionOf: (number) => entry.regions?.regionOf(number),
    numberOf: (region) => {
      const number = entry.regions?.numberOf(region);
      if (number === undefined) entry.unnumbered.add(region);
      return number;
    },
  };
}

class StoredRegions implements RegionNumbers {
  readonly #numbers = new Map<Region, number>();
  readonly #regions = new Map<number, Region>();

  add(number: number, region: Region): void {
    this.#numbers.set(region, number);
    this.#regions.set(number, region);
  }

  numberOf(region: Region): number | undefined {
    return this.#numbers.get(region);
  }

  regionOf(number: number): Region | undefined {
    return this.#regions.get(number);
  }

  get next(): number {
    return Math.max(-1, ...this.#regions.keys()) + 1;
  }
}

/** Reads the numbers of all regions. */
export async function readRegions(database: Database): Promise<StoredRegions> {
  return regionsIn(await listSettings(database.read, 'result_region_'));
}

function regionsIn(settings: readonly Setting[]): StoredRegions {
  const regions = new StoredRegions();
  for (const { name, value } of settings) {
    const number = REGION_SETTING.exec(name)?.[1];
    if (number !== undefined) regions.add(Number(number), value);
  }
  return regions;
}

/** Numbers new regions. When another node has taken the same number, it reads again and takes the next one. */
async function numberRegions(database: Database, entry: Cache): Promise<void> {
  let regions = await readRegions(database);
  for (const region of entry.unnumbered) {
    while (regions.numberOf(region) === undefined) {
      const number = regions.next;
      await database.transaction((tx) => claimSetting(tx, `result_region_${number}`, region));
      regions = await readRegions(database);
    }
  }
  entry.regions = regions;
  entry.unnumbered.clear();
}

/** Tables of a day such as `20261121`: `round_…` has a row per round, `failure_…` the texts of failed ones. */
const roundName = (day: string): string => `round_${day}`;
const failureName = (day: string): string => `failure_${day}`;

const DAY_TABLE = /^(round|failure)_\d{8}$/;

/** Whether a table is one of a day, which no migration makes. */
export function isDayTable(name: string): boolean {
  return DAY_TABLE.test(name);
}

/**
 * Statement that creates a table of a day. `at` is the start of the round in milliseconds since the start of the day, which
 * saves two bytes a round.
 */
export function dayTableStatement(engine: Engine, name: string): string {
  const { integer, blob, text, strictByKey } = DDL[engine];
  const content = name.startsWith('round') ? `data ${blob}` : `details ${text}`;
  // Milliseconds of a day need four bytes on Postgres, half of what other integers have there.
  return `create table ${name} (monitor_id ${integer} not null, at integer not null, ${content} not null,
    primary key (monitor_id, at)) ${strictByKey}`;
}
