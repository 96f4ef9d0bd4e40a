import { isDeepStrictEqual } from 'node:util';
import type { Kysely, Transaction } from 'kysely';
import { endBurn } from '../../engine/error-budget-watch.ts';
import type { Caller } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../store/database/contract.ts';
import type { Schema } from '../../store/database/schema.ts';
import { lockStates } from '../../store/engine/monitor-state.ts';
import { findMonitor, type MonitorRow } from '../../store/resources/monitors.ts';
import {
  deleteSlo,
  findSlo,
  insertSlo,
  listSlos,
  lockSlos,
  updateSlo,
  type ListedSlo,
  type SloColumns,
  type SloRow,
} from '../../store/resources/slos.ts';
import { audit } from '../audit-log/entry.ts';
import { authorize, invalidField, Problem } from '../common/errors.ts';
import { columnsOf, settingsOf, settingsReader } from '../common/fields.ts';
import { Findings, readQuery } from '../common/input.ts';
import { pageOf, pagingOf, type ListAddress } from '../common/page.ts';
import { teamWriter } from '../common/team-writes.ts';
import { UNKNOWN_MONITOR } from '../incidents/input.ts';
import { monitorTarget } from '../monitors/audit.ts';
import { requireMonitor } from '../monitors/find.ts';
import { namedMonitor } from '../overview/monitor-name.ts';
import { SLO_FIELDS } from './fields.ts';
import { sloListQuery } from './input.ts';
import { asSet, viewSlos } from './view.ts';

/** Service level objective of a monitor. Throws InvalidInput for an invalid body, and `not_found` without an SLO. */
interface SloService {
  /** Of all monitors of the team, in the order of their ids. */
  list(caller: Caller, query: object, address: ListAddress): Promise<object>;
  get(caller: Caller, monitorId: number): Promise<object>;
  /** Sets an SLO, or changes the fields that are present. */
  set(caller: Caller, monitorId: number, body: unknown): Promise<object>;
  /** Also resolves the incident about its budget. */
  delete(caller: Caller, monitorId: number): Promise<void>;
}

const readSettings = settingsReader(SLO_FIELDS);

export function createSloService(deps: {
  database: Database;
  clock: Pick<Clock, 'now'>;
}): SloService {
  const { database, clock } = deps;
  const write = teamWriter(database, 'editor');

  async function view(row: SloRow): Promise<object> {
    const [shown] = await viewSlos(database, [row], clock.now());
    return shown!;
  }

  return {
    async list(caller, query, address) {
      authorize(caller, 'read');
      const wanted = readQuery(sloListQuery, query);
      const { monitor_id: monitorId = null } = wanted;
      if (monitorId !== null && !(await findMonitor(database.read, caller.team.id, monitorId)))
        throw invalidField('monitor_id', UNKNOWN_MONITOR);
      const paging = pagingOf(wanted, 'monitor_id');
      const { rows, total } = await listSlos(database.read, caller.team.id, {
        monitorId,
        limit: paging.limit,
        offset: paging.offset,
      });
      const shown = await viewSlos(database, rows, clock.now());
      const named = shown.map((slo, index) => ({ ...slo, name: nameOf(rows[index]!) }));
      return pageOf(named, total, paging, address);
    },

    async get(caller, monitorId) {
      authorize(caller, 'read');
      await requireMonitor(database.read, caller, monitorId);
      return view(await requireSlo(database.read, monitorId));
    },

    async set(caller, monitorId, body) {
      const row = await write(caller, 'update', async (tx) => {
        const monitor = await requireMonitor(tx, caller, monitorId);
        const stored = await lock(tx, monitorId);
        const before = stored && settingsOf(SLO_FIELDS, stored);
        const findings = new Findings();
        const settings = readSettings(body, before ?? null, findings);
        findings.throwIfAny();
        if (isDeepStrictEqual(before, settings)) return stored!;
        const now = clock.now();
        const columns = columnsOf<typeof settings, SloColumns>(SLO_FIELDS, settings);
        const nextAt = settings.burn_rate_alerts ? now : null;
        if (stored === undefined) {
          const of = { monitor_id: monitorId, team_id: caller.team.id };
          await insertSlo(tx, of, { ...columns, next_at: nextAt }, now);
        } else {
          const isOff = !settings.burn_rate_alerts;
          if (isOff) await endBurn(tx, stored, now);
          const none = { burning: null, incident_id: null, burning_since: null };
          const update = { ...columns, ...(isOff && none), next_at: nextAt, updated_at: now };
          await updateSlo(tx, monitorId, update);
        }
        const changed = await requireSlo(tx, monitorId);
        const change = {
          verb: stored === undefined ? 'created' : 'updated',
          target: targetOf(monitor),
          ...(stored && { before: asSet(stored) }),
          after: asSet(changed),
        };
        await audit(tx, caller, change, now);
        return changed;
      });
      return view(row);
    },

    async delete(caller, monitorId) {
      await write(caller, 'delete', async (tx) => {
        const monitor = await requireMonitor(tx, caller, monitorId);
        const stored = await lock(tx, monitorId);
        if (stored === undefined) throw noSlo();
        const now = clock.now();
        await endBurn(tx, stored, now);
        await deleteSlo(tx, monitorId);
        const change = { verb: 'deleted', target: targetOf(monitor), before: asSet(stored) };
        await audit(tx, caller, change, now);
      });
    },
  };
}

/** The state of the monitor is locked first, as rounds and the budget watch do. */
async function lock(tx: Transaction<Schema>, monitorId: number): Promise<SloRow | undefined> {
  await lockStates(tx, [monitorId]);
  return (await lockSlos(tx, [monitorId])).get(monitorId);
}

async function requireSlo(db: Kysely<Schema>, monitorId: number): Promise<SloRow> {
  const row = await findSlo(db, monitorId);
  if (row === undefined) throw noSlo();
  return row;
}

function noSlo(): Problem {
  return new Problem('not_found', 'This monitor has no SLO: set one with PUT.');
}

function nameOf({ monitor_id: id, friendly_name: name, url, type }: ListedSlo): string {
  return namedMonitor({ id, name, url, type }).name;
}

/** An SLO has the id and the name of its monitor. */
function targetOf({ id, ...monitor }: MonitorRow) {
  return { type: 'slo', id, name: monitorTarget(id, monitor).name } as const;
}
