import { endBurn } from '../../engine/error-budget-watch.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Kysely, Transaction } from 'kysely';
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
import { invalidField, Problem } from '../common/errors.ts';
import {
  columnsOf,
  settingsOf,
  settingsReader,
  answerShape,
  requestSchema,
} from '../common/fields.ts';
import { Findings, readQuery } from '../common/input.ts';
import { pageOf, pagingOf } from '../common/page.ts';
import { teamWriter } from '../common/team-writes.ts';
import { UNKNOWN_MONITOR } from '../incidents/input.ts';
import { monitorTarget } from '../monitors/audit.ts';
import { requireMonitor } from '../monitors/find.ts';
import { namedMonitor } from '../overview/monitor-name.ts';
import { SLO_FIELDS } from './fields.ts';
import { sloListQuery } from './input.ts';
import { asSet, viewSlos } from './view.ts';
import { type Call, noun } from '../common/operation.ts';
import { z } from 'zod';
import { pageExample, pageSchema } from '../common/page-reference.ts';
import { time } from '../common/reference-schemas.ts';

const readSettings = settingsReader(SLO_FIELDS);

/** Service level objective of a monitor. Throws InvalidInput for an invalid body, and `not_found` without an SLO. */
export function createSloService(deps: { database: Database; clock: Pick<Clock, 'now'> }) {
  const { database, clock } = deps;
  const write = teamWriter(database, 'editor');

  async function view(row: SloRow): Promise<object> {
    const [shown] = await viewSlos(database, [row], clock.now());
    return shown!;
  }

  return {
    /** Of all monitors of the team, in the order of their ids. */
    async listSlos({ caller, query, address }: Call) {
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

    async getMonitorSlo({ caller, id: monitorId }: Call) {
      await requireMonitor(database.read, caller, monitorId);
      return view(await requireSlo(database.read, monitorId));
    },

    /** Sets an SLO, or changes the fields that are present. */
    async setMonitorSlo({ caller, id: monitorId, body }: Call) {
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

    /** Also resolves the incident about its budget. */
    async deleteMonitorSlo({ caller, id: monitorId }: Call) {
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

const seconds = (description: string) => z.number().meta({ description });

const sloAnswer = z
  .object({
    id: z.int().meta({ description: 'Id of the monitor.' }),
    monitor_id: z.int(),
    ...answerShape(SLO_FIELDS),
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
  .meta({ id: 'Slo', description: 'Service level objective of a monitor, and its error budget.' });

const listed = sloAnswer
  .extend({ name: z.string().meta({ description: 'Name of the monitor, else its URL.' }) })
  .meta({ id: 'ListedSlo', description: 'Service level objective in the list of a team.' });

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

export const slo = noun('Monitors', createSloService, {
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
    body: requestSchema(SLO_FIELDS).partial(),
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
