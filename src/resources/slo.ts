import { isDeepStrictEqual } from 'node:util';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { CHANGING } from './common/changing.ts';
import { BURN_RULES, burnRate, endBurn } from '../engine/error-budget-watch.ts';
import { errorBudget } from '../engine/history/error-budget.ts';
import { readTimes } from '../engine/history/stored-uptime.ts';
import type { StoredTimes } from '../engine/history/times.ts';
import { uptime } from '../engine/history/uptime.ts';
import { flag } from '../lib/columns.ts';
import { anyNumber, wholeNumber, yesOrNo } from '../lib/schemas.ts';
import { auditTarget } from '../model/audit.ts';
import type { Database, Db, Schema, Tx } from '../store/database/contract.ts';
import { countRows, findRow } from '../store/database/rows.ts';
import { lockStates } from '../store/engine/monitor-state.ts';
import { findMonitor, type MonitorRow } from '../store/resources/monitors.ts';
import { type SloRow, sloChanges } from '../store/resources/slos.ts';
import { recordChange } from './common/change.ts';
import type { CollectionDeps } from './common/collection.ts';
import { invalidField, Problem } from './common/errors.ts';
import {
  answerShape,
  columnsOf,
  fieldTable,
  requestSchema,
  settingsOf,
  settingsReader,
  viewSettings,
  type SettingsOf,
} from './common/fields.ts';
import { Findings, queryNumber, readQuery } from './common/input.ts';
import { noun, type Call } from './common/operation.ts';
import { pageExample, pageSchema } from './common/page-reference.ts';
import { pageOf, pagingOf, UNSORTED_PAGE_QUERY } from './common/page.ts';
import { time } from './common/reference-schemas.ts';
import { teamWriter } from './common/team-writes.ts';
import { isoTime } from './common/time.ts';
import { UNKNOWN_MONITOR } from './incidents/input.ts';
import { monitorTarget } from './monitors/audit.ts';
import { requireMonitor } from './monitors/find.ts';
import { namedMonitor } from './overview/monitor-name.ts';

const DAY_MS = 86_400_000;

/** Settings of an SLO (contract 46.11). */
export const sloFields = fieldTable({
  target_percent: {
    input: anyNumber(50, 99.999),
    unset: 99.9,
    required: 'give the share of time that must be up, such as 99.9',
    meaning: 'Share of the observed time that must be up, in percent.',
  },
  window_days: {
    input: wholeNumber(1, 90),
    unset: 30,
    meaning: 'Length of the sliding window that ends now.',
  },
  burn_rate_alerts: {
    codec: flag,
    input: yesOrNo(),
    unset: false,
    meaning: 'Opens an incident of type error_budget while the budget burns too fast.',
  },
});

type Settings = SettingsOf<typeof sloFields>;
type SettingColumns = Pick<Selectable<Schema['monitor_slo']>, keyof Settings>;

const readSettings = settingsReader<Settings>(sloFields);

const sloListQuery = z.object({
  monitor_id: queryNumber(1, Number.MAX_SAFE_INTEGER, 'a whole number')
    .optional()
    .meta({ description: 'Only the SLO of this monitor; the list is empty without one.' }),
  ...UNSORTED_PAGE_QUERY,
});

/** Those of a team in the order of their monitors' ids. Those of deleted monitors are left out. */
const ofTeam = (db: Db, teamId: number) =>
  db
    .selectFrom('monitor')
    .innerJoin('monitor_slo', 'monitor_slo.monitor_id', 'monitor.id')
    .where('monitor.team_id', '=', teamId)
    .where('monitor.deleted_at', 'is', null)
    .selectAll('monitor_slo')
    .select(['monitor.friendly_name', 'monitor.url', 'monitor.type'])
    .orderBy('monitor.id');

/** Service level objectives of monitors. */
function createSlos({ database, clock }: CollectionDeps) {
  const write = teamWriter(database, 'editor');

  async function view(row: SloRow): Promise<object> {
    const [shown] = await viewSlos(database, [row], clock.now());
    return shown!;
  }

  return {
    async listSlos({ caller, query, address }: Call) {
      const wanted = readQuery(sloListQuery, query);
      const { monitor_id: monitorId } = wanted;
      if (monitorId !== undefined && !(await findMonitor(database.read, caller.team.id, monitorId)))
        throw invalidField('monitor_id', UNKNOWN_MONITOR);
      const { limit, offset, page } = pagingOf(wanted, 'monitor_id');
      const matching = ofTeam(database.read, caller.team.id).$if(monitorId !== undefined, (rows) =>
        rows.where('monitor.id', '=', monitorId!),
      );
      const rows = await matching.limit(limit).offset(offset).execute();
      const shown = await viewSlos(database, rows, clock.now());
      const named = shown.map((slo, index) => {
        const { monitor_id: id, friendly_name: name, url, type } = rows[index]!;
        return { ...slo, name: namedMonitor({ id, name, url, type }).name };
      });
      return pageOf(named, await countRows(matching), { limit, offset, page }, address);
    },

    async getMonitorSlo({ caller, id: monitorId }: Call) {
      await requireMonitor(database.read, caller, monitorId);
      return view(await find(database.read, monitorId));
    },

    /** Sets an SLO, or changes the fields that are present. */
    async setMonitorSlo({ caller, id: monitorId, body }: Call) {
      const row = await write(caller, 'update', async (tx) => {
        const monitor = await requireMonitor(tx, caller, monitorId);
        const stored = await lock(tx, monitorId);
        const before = stored && settingsOf<Settings>(sloFields, stored);
        const findings = new Findings();
        const settings = readSettings(body, before ?? null, findings);
        findings.throwIfAny();
        if (isDeepStrictEqual(before, settings)) return stored!;
        const now = clock.now();
        const isOff = !settings.burn_rate_alerts;
        const columns = {
          ...columnsOf<Settings, SettingColumns>(sloFields, settings),
          next_at: isOff ? null : now,
          updated_at: now,
        };
        if (stored === undefined) {
          const made = { monitor_id: monitorId, team_id: caller.team.id, created_at: now };
          await tx
            .insertInto('monitor_slo')
            .values({ ...made, ...columns })
            .execute();
        } else {
          if (isOff) await endBurn(tx, stored, now);
          const none = { burning: null, incident_id: null, burning_since: null };
          await sloChanges(tx).update(monitorId, { ...columns, ...(isOff && none) });
        }
        const changed = await find(tx, monitorId);
        const change = {
          verb: stored === undefined ? 'created' : 'updated',
          target: targetOf(monitor),
          ...(stored && { before: asSet(stored) }),
          after: asSet(changed),
        };
        await recordChange(tx, caller, change, now);
        return changed;
      });
      return view(row);
    },

    /** Also resolves the incident about its budget. */
    deleteMonitorSlo: ({ caller, id: monitorId }: Call) =>
      write(caller, 'delete', async (tx) => {
        const monitor = await requireMonitor(tx, caller, monitorId);
        const stored = await lock(tx, monitorId);
        if (stored === undefined) throw noSlo();
        const now = clock.now();
        await endBurn(tx, stored, now);
        await tx.deleteFrom('monitor_slo').where('monitor_id', '=', monitorId).execute();
        const change = { verb: 'deleted', target: targetOf(monitor), before: asSet(stored) };
        await recordChange(tx, caller, change, now);
      }),
  };
}

/** All of a team as an export shows them. */
export async function* exportedSlos({ db, teamId }: { db: Db; teamId: number }) {
  for (const row of await ofTeam(db, teamId).execute())
    yield { monitor_id: row.monitor_id, ...asSet(row), ...timesOf(row) };
}

/** The state of the monitor is locked first, as rounds and the budget watch do. */
async function lock(tx: Tx, monitorId: number): Promise<SloRow | undefined> {
  await lockStates(tx, [monitorId]);
  return (await sloChanges(tx).lock([monitorId])).get(monitorId);
}

async function find(db: Db, monitorId: number): Promise<SloRow> {
  const row = await findRow(db, 'monitor_slo', { monitor_id: monitorId });
  if (row === undefined) throw noSlo();
  return row;
}

function noSlo(): Problem {
  return new Problem('not_found', 'This monitor has no SLO: set one with PUT.');
}

/** An SLO has the id and the name of its monitor. */
function targetOf({ id, ...monitor }: MonitorRow) {
  return auditTarget('slo', { id, name: monitorTarget(id, monitor).name });
}

/** SLOs with their error budgets now, in the order given. The number of reads does not depend on how many there are. */
async function viewSlos<Row extends SloRow>(database: Database, rows: readonly Row[], now: number) {
  if (rows.length === 0) return [];
  const longest = Math.max(...rows.map((row) => row.window_days));
  const ids = rows.map((row) => row.monitor_id);
  const times = await readTimes(database, ids, { from: now - longest * DAY_MS, to: now, now });
  return rows.map((row) => viewSlo(row, times.get(row.monitor_id)!, now));
}

/** @param times of the whole window or more. */
function viewSlo(row: SloRow, times: StoredTimes, now: number) {
  const { monitor_id: id, target_percent: targetPercent, window_days: windowDays } = row;
  const period = { from: now - windowDays * DAY_MS, to: now, now };
  const objective = { targetPercent, windowDays };
  const budget = errorBudget(uptime({ ...times, ...period }), objective);
  const rate = (lengthMs: number) =>
    Math.round(100 * burnRate(times, objective, lengthMs, now)) / 100;
  return {
    id,
    monitor_id: id,
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
    ...timesOf(row),
  };
}

/** The settings of an SLO, as the audit log shows them too. */
const asSet = (row: SloRow) =>
  viewSettings<Settings>(sloFields, settingsOf<Settings>(sloFields, row));

const timesOf = (row: SloRow) => ({
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
});

/** To three decimals, never rounded up. */
const floored = (percent: number) => Math.floor(percent * 1_000 + 1e-6) / 1_000;

const seconds = (description: string) => z.number().meta({ description });

const sloAnswer = z
  .object({
    id: z.int().meta({ description: 'Id of the monitor.' }),
    monitor_id: z.int(),
    ...answerShape(sloFields),
    burning: z
      .enum(['fast', 'slow'])
      .nullable()
      .meta({ description: 'How the budget burns, where an alert is active; else null.' }),
    error_budget: z.object({
      from: time.meta({ description: 'Start of the window.' }),
      to: time,
      budget_seconds: seconds(
        'Downtime that the target allows: (100 − target_percent) % of the whole window.',
      ),
      spent_seconds: seconds('Downtime in the window, corrected.'),
      left_seconds: seconds('Negative when more was spent than there is.'),
      left_percent: z.number().nullable().meta({
        description: 'Share of the budget that is left; null when nothing was observed.',
      }),
      burn_rate_1h: seconds(
        'Downtime of the last hour as a multiple of what the target allows in an hour.',
      ),
      burn_rate_6h: seconds('The same of the last 6 hours.'),
    }),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Slo', description: 'Service level objective of a monitor, and its error budget.' })
  .register(CHANGING, { fields: ['burning', 'error_budget'] });

const listed = sloAnswer
  .extend({ name: z.string().meta({ description: 'Name of the monitor, else its URL.' }) })
  .meta({ id: 'ListedSlo', description: 'Service level objective in the list of a team.' })
  .register(CHANGING, { fields: ['burning', 'error_budget'] });

const example = {
  id: 1,
  monitor_id: 1,
  target_percent: 99.9,
  window_days: 30,
  burn_rate_alerts: true,
  burning: null,
  error_budget: {
    from: '2029-12-02T00:00:00.000Z',
    to: '2030-01-01T00:00:00.000Z',
    budget_seconds: 2_592,
    spent_seconds: 600,
    left_seconds: 1_992,
    left_percent: 76.851,
    burn_rate_1h: 0,
    burn_rate_6h: 0,
  },
  created_at: '2030-01-01T00:00:00.000Z',
  updated_at: '2030-01-01T00:00:00.000Z',
} as const;

export const slo = noun('Monitors', createSlos, {
  listSlos: {
    at: 'GET /slos',
    summary: 'List SLOs',
    description:
      'The service level objectives of all monitors of the team and their error budgets now, in the order of the ids of the monitors.',
    query: sloListQuery,
    answer: pageSchema(listed, 'SloPage'),
    example: { answer: pageExample('/slos', [{ ...example, name: 'Shop' }]) },
  },
  getMonitorSlo: {
    at: 'GET /monitors/:id/slo',
    summary: 'Get the SLO',
    description: 'The service level objective of a monitor and its error budget. 404 without one.',
    answer: sloAnswer,
    example: { answer: example },
  },
  setMonitorSlo: {
    at: 'PUT /monitors/:id/slo',
    summary: 'Set the SLO',
    description:
      'Sets a service level objective, or changes the fields that are present. With `burn_rate_alerts` an incident opens while downtime spends the budget too fast.',
    body: requestSchema(sloFields).partial(),
    answer: sloAnswer,
    example: {
      body: { target_percent: 99.9, window_days: 30, burn_rate_alerts: true },
      answer: example,
    },
  },
  deleteMonitorSlo: {
    at: 'DELETE /monitors/:id/slo',
    summary: 'Delete the SLO',
    description: 'Also resolves the incident about its error budget.',
  },
});
