import type { Kysely, Transaction } from 'kysely';
import { shardOf, type PullType } from '../model/monitor.ts';
import type { Caller } from '../identity/caller.ts';
import type { Clock } from '../lib/clock.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import type { Database } from '../store/contract.ts';
import { newestIncidents } from '../store/incidents.ts';
import {
  buryMonitor,
  insertMonitor,
  pauseMonitor,
  renameMonitor,
  resumeMonitor,
  reviseMonitor,
  type MonitorColumns,
} from '../store/monitor-changes.ts';
import { findMonitor, listMonitors, type MonitorRow } from '../store/monitors.ts';
import type { Schema } from '../store/schema.ts';
import { nextVersion } from '../store/shards.ts';
import { authorise, notFound } from './errors.ts';
import { viewIncident } from './incident-view.ts';
import { readQuery } from './input.ts';
import { monitorListQuery } from './monitor-input.ts';
import { planCreate, planUpdate, type MonitorRules } from './monitor-rules.ts';
import { changesTheCheck, columnsOf, settingsOf } from './monitor-settings.ts';
import { viewMonitor, viewResponseTimes } from './monitor-view.ts';
import { pageOf, pagingOf, type ListAddress } from './page.ts';

/**
 * What callers may do with monitors. Bodies and queries are taken as they came: what is wrong with them is an
 * InvalidInput; ids of other teams and deleted monitors are not found.
 */
export interface MonitorService {
  list(caller: Caller, query: object, address: ListAddress): Promise<object>;
  get(caller: Caller, id: number): Promise<object>;
  create(caller: Caller, body: unknown): Promise<object>;
  /** Only the keys that are present change. */
  update(caller: Caller, id: number, body: unknown): Promise<object>;
  delete(caller: Caller, id: number): Promise<void>;
  pause(caller: Caller, id: number): Promise<object>;
  resume(caller: Caller, id: number): Promise<object>;
}

export interface MonitorServiceDeps {
  database: Database;
  clock: Clock;
  secretBox: SecretBox;
  rules: MonitorRules;
  /** Tells the owner of a shard that something in it was edited; it would notice by itself a little later. */
  nudge: (shard: number) => void;
}

const NEWEST_INCIDENTS = 10;

export function createMonitorService(deps: MonitorServiceDeps): MonitorService {
  const { database, clock, secretBox, rules, nudge } = deps;

  const view = (row: MonitorRow, caller: Caller) =>
    viewMonitor(row, caller, secretBox, clock.now());

  /**
   * One edit of one monitor. The shard's version comes first: it keeps other edits of the shard waiting, so that the
   * row read after it is the one that is changed.
   */
  async function edit(
    caller: Caller,
    id: number,
    change: (tx: Transaction<Schema>, row: MonitorRow, version: number) => Promise<void>,
  ): Promise<MonitorRow> {
    const row = await database.transaction(async (tx) => {
      const version = await nextVersion(tx, shardOf(id));
      await change(tx, await mustFind(tx, caller, id), version);
      return findMonitor(tx, caller.team.id, id);
    });
    nudge(shardOf(id));
    if (row === undefined) throw notFound('monitor');
    return row;
  }

  async function setPaused(caller: Caller, id: number, isPaused: boolean): Promise<object> {
    authorise(caller, 'update');
    let row = await mustFind(database.read, caller, id);
    const isChange = (row.is_paused === 1) !== isPaused;
    if (isChange) {
      const write = isPaused ? pauseMonitor : resumeMonitor;
      row = await edit(caller, id, (tx, _, version) => write(tx, id, version, clock.now()));
    }
    const done = isPaused ? 'paused' : 'resumed';
    return {
      success: true,
      message: isChange
        ? `The monitor is ${done}.`
        : `The monitor is ${isPaused ? 'paused' : 'running'} already.`,
      monitor: { id, url: row.url, is_paused: isPaused },
    };
  }

  return {
    async list(caller, query, address) {
      authorise(caller, 'read');
      const wanted = readQuery(monitorListQuery, query);
      const paging = pagingOf(wanted, 'created_at');
      const filter = {
        search: wanted.search ?? null,
        q: wanted.q ?? null,
        status: wanted.status ?? null,
        type: wanted.type ?? null,
        interval: wanted.interval ?? null,
      };
      const { rows, total } = await listMonitors(database, caller.team.id, filter, paging);
      return pageOf(
        rows.map((row) => view(row, caller)),
        total,
        paging,
        address,
      );
    },

    async get(caller, id) {
      authorise(caller, 'read');
      const row = await mustFind(database.read, caller, id);
      const incidents = await newestIncidents(database.read, caller.team.id, id, NEWEST_INCIDENTS);
      return {
        ...view(row, caller),
        incidents: incidents.map(viewIncident),
        response_times: viewResponseTimes(row),
      };
    },

    async create(caller, body) {
      authorise(caller, 'create');
      const { type, settings } = planCreate(body, rules);
      const columns = columnsOf(type, settings, secretBox);
      const row = await database.transaction(async (tx) => {
        const id = await insertMonitor(tx, caller.team.id, columns, clock.now());
        return mustFind(tx, caller, id);
      });
      nudge(row.shard);
      return view(row, caller);
    },

    async update(caller, id, body) {
      authorise(caller, 'update');
      const stored = await mustFind(database.read, caller, id);
      // Judged before anything is locked; most refusals end here.
      const plan = planUpdate(stored.type as PullType, settingsOf(stored, secretBox), body, rules);
      if (plan.changed.length === 0) return view(stored, caller);
      const row = await edit(caller, id, async (tx, current, version) => {
        const type = current.type as PullType;
        const { settings, changed } = planUpdate(type, settingsOf(current, secretBox), body, rules);
        const all = columnsOf(type, settings, secretBox);
        const now = clock.now();
        const columns = { ...pick(all, changed), updated_at: now };
        if (changesTheCheck(changed)) await reviseMonitor(tx, id, version, columns, now);
        else await renameMonitor(tx, id, version, columns);
      });
      return view(row, caller);
    },

    async delete(caller, id) {
      authorise(caller, 'delete');
      await mustFind(database.read, caller, id);
      await database.transaction(async (tx) => {
        const version = await nextVersion(tx, shardOf(id));
        await mustFind(tx, caller, id);
        await buryMonitor(tx, id, version, clock.now());
      });
      nudge(shardOf(id));
    },

    pause: (caller, id) => setPaused(caller, id, true),
    resume: (caller, id) => setPaused(caller, id, false),
  };
}

async function mustFind(db: Kysely<Schema>, caller: Caller, id: number): Promise<MonitorRow> {
  const row = await findMonitor(db, caller.team.id, id);
  if (row === undefined) throw notFound('monitor');
  return row;
}

/** The settings of a monitor are named as their columns. */
function pick(columns: MonitorColumns, names: (keyof MonitorColumns)[]): Partial<MonitorColumns> {
  return Object.fromEntries(names.map((name) => [name, columns[name]]));
}
