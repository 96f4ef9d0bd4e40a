import { isDeepStrictEqual } from 'node:util';
import type { Kysely, Transaction } from 'kysely';
import { errorBudget } from '../../engine/history/error-budget.ts';
import { readTimes } from '../../engine/history/stored-uptime.ts';
import { uptime } from '../../engine/history/uptime.ts';
import { BURN_RULES, burnRate } from '../../engine/slo/rules.ts';
import { endBurn } from '../../engine/slo/watch.ts';
import type { Caller } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../store/database/contract.ts';
import type { Schema } from '../../store/database/schema.ts';
import { lockStates } from '../../store/engine/monitor-state.ts';
import type { MonitorRow } from '../../store/resources/monitors.ts';
import {
  deleteSlo,
  findSlo,
  insertSlo,
  lockSlos,
  updateSlo,
  type SloColumns,
  type SloRow,
} from '../../store/resources/slos.ts';
import { audit } from '../audit-log/entry.ts';
import { authorize, Problem } from '../common/errors.ts';
import { columnsOf, settingsOf, settingsReader, viewSettings } from '../common/fields.ts';
import { Findings } from '../common/input.ts';
import { teamWriter } from '../common/team-writes.ts';
import { isoTime } from '../common/time.ts';
import { monitorTarget } from '../monitors/audit.ts';
import { requireMonitor } from '../monitors/find.ts';
import { SLO_FIELDS } from './fields.ts';

const DAY_MS = 86_400_000;

/** Service level objective of a monitor. Throws InvalidInput for an invalid body, and `not_found` without an SLO. */
interface SloService {
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

  async function view(monitor: MonitorRow, row: SloRow): Promise<object> {
    const now = clock.now();
    const { target_percent: target, window_days: days } = row;
    const period = { from: now - days * DAY_MS, to: now, now };
    const times = (await readTimes(database, [monitor.id], period)).get(monitor.id)!;
    const objective = { targetPercent: target, windowDays: days };
    const budget = errorBudget(uptime({ ...times, ...period }), objective);
    const rate = (lengthMs: number) =>
      Math.round(100 * burnRate(times, objective, lengthMs, now)) / 100;
    return {
      id: monitor.id,
      monitor_id: monitor.id,
      ...asSet(row),
      burning: row.burning,
      error_budget: {
        from: isoTime(period.from),
        to: isoTime(now),
        budget_seconds: Math.round(budget.budgetMs) / 1_000,
        spent_seconds: budget.spentMs / 1_000,
        left_seconds: Math.round(budget.leftMs) / 1_000,
        left_percent: budget.leftPercent === null ? null : floored(budget.leftPercent),
        burn_rate_1h: rate(BURN_RULES.fast.longMs),
        burn_rate_6h: rate(BURN_RULES.slow.longMs),
      },
      created_at: isoTime(row.created_at),
      updated_at: isoTime(row.updated_at),
    };
  }

  return {
    async get(caller, monitorId) {
      authorize(caller, 'read');
      const monitor = await requireMonitor(database.read, caller, monitorId);
      return view(monitor, await requireSlo(database.read, monitorId));
    },

    async set(caller, monitorId, body) {
      const found = await write(caller, 'update', async (tx) => {
        const monitor = await requireMonitor(tx, caller, monitorId);
        const stored = await lock(tx, monitorId);
        const before = stored && settingsOf(SLO_FIELDS, stored);
        const findings = new Findings();
        const settings = readSettings(body, before ?? null, findings);
        findings.throwIfAny();
        if (isDeepStrictEqual(before, settings)) return { monitor, row: stored! };
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
          const changed = { ...columns, ...(isOff && none), next_at: nextAt, updated_at: now };
          await updateSlo(tx, monitorId, changed);
        }
        const row = await requireSlo(tx, monitorId);
        const change = {
          verb: stored === undefined ? 'created' : 'updated',
          target: targetOf(monitor),
          ...(stored && { before: asSet(stored) }),
          after: asSet(row),
        };
        await audit(tx, caller, change, now);
        return { monitor, row };
      });
      return view(found.monitor, found.row);
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

const asSet = (row: SloRow) => viewSettings(SLO_FIELDS, settingsOf(SLO_FIELDS, row));

/** An SLO has the id and the name of its monitor. */
function targetOf({ id, ...monitor }: MonitorRow) {
  return { type: 'slo', id, name: monitorTarget(id, monitor).name } as const;
}

/** To three decimals, never rounded up. */
const floored = (percent: number) => Math.floor(percent * 1_000 + 1e-6) / 1_000;
