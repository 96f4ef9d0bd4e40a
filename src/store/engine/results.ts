import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { CheckResult } from '../../model/check.ts';
import type { Database } from '../database/contract.ts';
import { jsonTable, DDL } from '../database/dialect.ts';
import { encodeRound } from './round-codec.ts';
import type { RecordedRound, RegionNumbers } from './round-codec.ts';
import type { Schema } from '../database/schema.ts';
import type { Region } from '../../model/monitor.ts';
import { claimSetting } from '../database/settings.ts';

/** What is kept of a failed result beside its round: the text, the address, and the regions that saw just that. */
type FailureDetail = [text: string, address: string | null, ...regions: string[]];

/** Longer texts of failures are cut. */
const LONGEST_TEXT = 500;

/**
 * Stores rounds, one statement for those of one day. A round that is there already (same monitor, same start) stays
 * as it is; one of a monitor that is gone is left out. `ensureDays` must have run before the transaction.
 */
export async function insertRounds(
  tx: Transaction<Schema>,
  database: Database,
  rounds: readonly RecordedRound[],
): Promise<void> {
  for (const [day, ofDay] of byDay(rounds)) {
    await insertRows(tx, roundTable(day), packRounds(database, ofDay, day));
    const failed = ofDay.flatMap((recorded) => failureRow(recorded, day));
    if (failed.length > 0) await insertRows(tx, failureTable(day), failures(database, failed));
  }
}

interface Rows {
  column: 'data' | 'details';
  rows: RawBuilder<unknown>;
}

async function insertRows(
  tx: Transaction<Schema>,
  table: RawBuilder<unknown>,
  { column, rows }: Rows,
): Promise<void> {
  await sql`insert into ${table} (monitor_id, at, ${sql.ref(column)})
    select v.monitor_id, v.at, v.${sql.ref(column)} from ${rows} as v
    where exists (select 1 from monitor_state where monitor_state.monitor_id = v.monitor_id)
    on conflict do nothing`.execute(tx);
}

function packRounds(database: Database, rounds: readonly RecordedRound[], day: Day): Rows {
  const regions = regionsForWriting(database);
  const values = rounds.map((recorded) => [
    recorded.round.monitorId,
    offsetIn(day, recorded),
    encodeRound(recorded, regions).toString('hex'),
  ]);
  const columns = { monitor_id: 'integer', at: 'integer', data: 'blob' } as const;
  return { column: 'data', rows: jsonTable(database.engine, JSON.stringify(values), columns) };
}

function failures(database: Database, values: unknown[][]): Rows {
  const columns = { monitor_id: 'integer', at: 'integer', details: 'text' } as const;
  return { column: 'details', rows: jsonTable(database.engine, JSON.stringify(values), columns) };
}

/** A row of the failure table, or none. Its JSON is escaped twice, so whatever a target said is safe in a text column. */
function failureRow(recorded: RecordedRound, day: Day): [number, number, string][] {
  const details = new Map<string, FailureDetail>();
  for (const { region, failure, remoteAddress } of recorded.round.results) {
    if (!failure) continue;
    const text = failure.text.slice(0, LONGEST_TEXT).toWellFormed();
    const key = JSON.stringify([text, remoteAddress]);
    const detail = details.get(key);
    if (detail) detail.push(region);
    else details.set(key, [text, remoteAddress, region]);
  }
  if (details.size === 0) return [];
  return [
    [recorded.round.monitorId, offsetIn(day, recorded), JSON.stringify([...details.values()])],
  ];
}

/** What of a failed result lies in the failure table, by region. */
export function failureDetails(
  json: string,
): Map<string, { text: string; address: CheckResult['remoteAddress'] }> {
  const details = JSON.parse(json) as FailureDetail[];
  return new Map(
    details.flatMap(([text, address, ...regions]) =>
      regions.map((region) => [region, { text, address }] as const),
    ),
  );
}

function byDay(rounds: readonly RecordedRound[]): Map<Day, RecordedRound[]> {
  const storable = rounds.filter(({ round }) => hasDay(round.startedAt));
  return Map.groupBy(storable, ({ round }) => dayOf(round.startedAt));
}

const offsetIn = (day: Day, { round }: RecordedRound) => Math.trunc(round.startedAt) - startOf(day);

/** A UTC day as `YYYYMMDD`. */
export type Day = string;

export const DAY_MS = 86_400_000;

export function dayOf(at: number): Day {
  return new Date(at).toISOString().slice(0, 10).replaceAll('-', '');
}

/** Whether an instant has a day at all: 1970 to 9999. */
function hasDay(at: number): boolean {
  return at >= 0 && at < END_OF_DAYS;
}

const END_OF_DAYS = Date.UTC(10_000, 0, 1);

/** Epoch milliseconds of the day's beginning. */
export function startOf(day: Day): number {
  return Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6, 8)));
}

/**
 * The tables of a day. `round_…` holds a row per round, `failure_…` the texts of the failed ones; `at` is the
 * round's start in milliseconds since the day's beginning, which saves two bytes a round.
 */
export const roundTable = (day: Day): RawBuilder<unknown> => sql.table(`round_${day}`);
export const failureTable = (day: Day): RawBuilder<unknown> => sql.table(`failure_${day}`);

/** The setting that says that a day's tables exist: empty, or since when they are out of use. */
const settingOf = (day: Day) => `result_day_${day}`;
const DAY_SETTING = /^result_day_(\d{8})$/;
const REGION_SETTING = /^result_region_(\d+)$/;

/** What this process knows of a database, to ask it once only. */
interface Known {
  days: Set<Day>;
  regions: StoredRegions | null;
  /** Regions of rounds that were written by name, since they have no number yet. */
  unnumbered: Set<Region>;
}

const known = new WeakMap<Database, Known>();

function knownOf(database: Database): Known {
  let entry = known.get(database);
  if (!entry) {
    entry = { days: new Set(), regions: null, unnumbered: new Set() };
    known.set(database, entry);
  }
  return entry;
}

/**
 * Sees to it that rounds which started at these instants can be stored. To be called before the transaction that
 * stores them; costs nothing when all is there.
 */
export async function ensureDays(database: Database, instants: Iterable<number>): Promise<void> {
  const entry = knownOf(database);
  const days = new Set<Day>();
  for (const at of instants) if (hasDay(at)) days.add(dayOf(at));
  for (const day of days) {
    if (entry.days.has(day)) continue;
    await database.transaction((tx) => createDay(tx, database, day));
    entry.days.add(day);
  }
  if (!entry.regions || entry.unnumbered.size > 0) await numberRegions(database, entry);
}

/** The setting is claimed first: on Postgres two that `create … if not exists` at once would collide. */
async function createDay(tx: Transaction<Schema>, database: Database, day: Day): Promise<void> {
  if (!(await claimSetting(tx, settingOf(day), ''))) return;
  const { integer, blob, text, strictByKey } = DDL[database.engine];
  const key = `monitor_id ${integer} not null, at ${integer} not null`;
  await sql`create table ${roundTable(day)} (${sql.raw(
    `${key}, data ${blob} not null, primary key (monitor_id, at)) ${strictByKey}`,
  )}`.execute(tx);
  await sql`create table ${failureTable(day)} (${sql.raw(
    `${key}, details ${text} not null, primary key (monitor_id, at)) ${strictByKey}`,
  )}`.execute(tx);
}

/** The days whose rounds can be read, oldest first. */
export async function listDays(database: Database): Promise<Day[]> {
  const all = await listDaySettings(database);
  return all.filter(({ retiredAt }) => retiredAt === null).map(({ day }) => day);
}

/** The days that are out of use but still have tables, and since when (epoch ms). */
export async function listRetiredDays(
  database: Database,
): Promise<{ day: Day; retiredAt: number }[]> {
  const all = await listDaySettings(database);
  return all.flatMap(({ day, retiredAt }) => (retiredAt === null ? [] : [{ day, retiredAt }]));
}

/** From now on nobody reads the day any more; its tables go later, when no reader can be in them. */
export async function retireDay(database: Database, day: Day, now: number): Promise<void> {
  await database.transaction((tx) =>
    tx
      .updateTable('setting')
      .set({ value: String(now) })
      .where('name', '=', settingOf(day))
      .execute(),
  );
}

/** Rows that go in one transaction on SQLite: a few milliseconds of its only writer. */
const DROPPED_AT_ONCE = 5_000;

/**
 * Takes away a bounded part of a retired day, and at last its tables; false when nothing is left. SQLite walks over
 * every page of a table that it drops, seconds for a large one, so there the rows go in slices first.
 */
export async function dropSomeOfDay(database: Database, day: Day): Promise<boolean> {
  knownOf(database).days.delete(day);
  return await database.transaction(async (tx) => {
    if (database.engine === 'sqlite') {
      for (const table of [roundTable(day), failureTable(day)]) {
        if (await deleteSome(tx, table)) return true;
      }
    }
    await sql`drop table if exists ${roundTable(day)}`.execute(tx);
    await sql`drop table if exists ${failureTable(day)}`.execute(tx);
    await tx.deleteFrom('setting').where('name', '=', settingOf(day)).execute();
    return false;
  });
}

/** False when at most one slice of rows is left, which goes with the table. */
async function deleteSome(tx: Transaction<Schema>, table: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ monitor_id: number; at: number }>`
    select monitor_id, at from ${table} order by monitor_id, at
    limit 1 offset ${DROPPED_AT_ONCE}`.execute(tx);
  const [end] = rows;
  if (!end) return false;
  await sql`delete from ${table} where monitor_id < ${end.monitor_id}`.execute(tx);
  await sql`delete from ${table} where monitor_id = ${end.monitor_id} and at < ${end.at}`.execute(
    tx,
  );
  return true;
}

async function listDaySettings(
  database: Database,
): Promise<{ day: Day; retiredAt: number | null }[]> {
  const rows = await listSettings(database, 'result_day_');
  return rows.flatMap(({ name, value }) => {
    const day = DAY_SETTING.exec(name)?.[1];
    return day === undefined ? [] : [{ day, retiredAt: value === '' ? null : Number(value) }];
  });
}

/** The numbers of the regions, as stored now. */
export async function readRegions(database: Database): Promise<RegionNumbers> {
  return await loadRegions(database);
}

/** The numbers known to this process, for writing; a region without one is remembered, and gets one soon. */
function regionsForWriting(database: Database): RegionNumbers {
  const entry = knownOf(database);
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

async function loadRegions(database: Database): Promise<StoredRegions> {
  const regions = new StoredRegions();
  for (const { name, value } of await listSettings(database, 'result_region_')) {
    const number = REGION_SETTING.exec(name)?.[1];
    if (number !== undefined) regions.add(Number(number), value);
  }
  return regions;
}

/** Another node may take the same number at the same time: then we read again and take the next. */
async function numberRegions(database: Database, entry: Known): Promise<void> {
  let regions = await loadRegions(database);
  for (const region of entry.unnumbered) {
    while (regions.numberOf(region) === undefined) {
      const number = regions.next;
      await database.transaction((tx) => claimSetting(tx, `result_region_${number}`, region));
      regions = await loadRegions(database);
    }
  }
  entry.regions = regions;
  entry.unnumbered.clear();
}

async function listSettings(
  database: Database,
  prefix: string,
): Promise<{ name: string; value: string }[]> {
  return await database.read
    .selectFrom('setting')
    .selectAll()
    .where('name', '>=', prefix)
    .where('name', '<', `${prefix}~`)
    .orderBy('name')
    .execute();
}
