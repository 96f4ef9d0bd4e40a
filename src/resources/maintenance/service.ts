import { isDeepStrictEqual } from 'node:util';
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Caller } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import { loadRecurrences, parseRecurrence } from '../../lib/recurrence.ts';
import {
  startedAndNext,
  nextRunAt,
  stateOf,
  occurrencesAfter,
  type MaintenanceSchedule,
} from '../../engine/maintenance/window.ts';
import type { Database } from '../../store/database/contract.ts';
import {
  cutOccurrences,
  endActiveOccurrences,
  insertOccurrences,
  releaseHeld,
  openOccurrences,
  type MaintenanceOccurrence,
} from '../../store/engine/maintenance.ts';
import {
  countLiveWindows,
  deleteWindow,
  findWindow,
  insertWindow,
  listWindows,
  lockWindow,
  setNextRunAt,
  updateWindow,
  type MaintenanceWindowColumns,
  type MaintenanceWindowRow,
} from '../../store/resources/maintenance-windows.ts';
import type { Schema } from '../../store/database/schema.ts';
import { existingGroups, existingMonitors } from '../../store/resources/scoped-monitors.ts';
import { audit } from '../audit-log/entry.ts';
import { authorise, notFound, Problem } from '../common/errors.ts';
import { Findings, readBody, readQuery } from '../common/input.ts';
import { oneOf } from '../../lib/schemas.ts';
import {
  changedWindow,
  demandFields,
  EMPTY_WINDOW,
  judgeTimes,
  startedWindow,
  startInput,
  windowChange,
  type WindowChange,
  type WindowSettings,
} from './input.ts';
import { PAGE_QUERY, pageOf, pagingOf, type ListAddress } from '../common/page.ts';
import { writeToTeam, type TeamWork } from '../common/team-writes.ts';
import { isoOrNull, isoTime } from '../common/time.ts';

/** So many that are to come or active a team may have: each is looked at with every incident. */
export const MOST_WINDOWS = 500;
/** Times of a window in the past that are written when it is created: three months, one each hour. */
const MOST_BEGUN = 2_500;

export const maintenanceListQuery = z.object({
  ...PAGE_QUERY,
  sort: oneOf(['name', 'starts_at', 'created_at']).optional(),
});

/** What callers may do with maintenance windows. Other teams' are not found; a bad body is an InvalidInput. */
export interface MaintenanceService {
  /** Unless it is sorted: those that are to come or active, then those that are over. */
  list(caller: Caller, query: object, address: ListAddress): Promise<object>;
  get(caller: Caller, id: number): Promise<object>;
  create(caller: Caller, body: unknown): Promise<object>;
  /** Opens one now, with a hard end. */
  start(caller: Caller, body: unknown): Promise<object>;
  /** Only what is present changes. What has passed stays maintenance, be it that the window says otherwise now. */
  update(caller: Caller, id: number, body: unknown): Promise<object>;
  /** Ends what runs now; throws a Problem (conflict) when it is not active. */
  end(caller: Caller, id: number): Promise<object>;
  delete(caller: Caller, id: number): Promise<void>;
}

export function createMaintenanceService(deps: {
  database: Database;
  clock: Pick<Clock, 'now'>;
}): MaintenanceService {
  const { database, clock } = deps;

  const write = <Value>(
    caller: Caller,
    permission: 'create' | 'update' | 'delete',
    work: TeamWork<Value>,
  ) => writeToTeam(database, caller, { permission, role: 'editor' }, work);

  async function views(db: Kysely<Schema>, rows: readonly MaintenanceWindowRow[]) {
    const now = clock.now();
    const ids = rows.map((row) => row.id);
    const times = await openOccurrences(db, ids, now);
    return rows.map((row) => view(row, times.get(row.id) ?? [], now));
  }

  async function shown(db: Kysely<Schema>, caller: Caller, id: number) {
    const row = await findWindow(db, caller.team.id, id);
    if (row === undefined) throw notFound('maintenance window');
    const [one] = await views(db, [row]);
    return one!;
  }

  async function add(
    tx: Transaction<Schema>,
    caller: Caller,
    { wanted, verb, now }: { wanted: WindowSettings; verb: string; now: number },
  ): Promise<object> {
    const id = await insertWindow(tx, caller.team.id, columnsOf(wanted), now);
    const { startsAt } = wanted;
    const all = occurrencesAfter(scheduleOf(wanted), startsAt - 1, await recurrencesOf(wanted));
    const times = startedAndNext(all, now, MOST_BEGUN);
    await insertOccurrences(tx, id, times);
    await setNextRunAt(tx, id, nextRunAt(times, now, wanted.goodRounds !== null));
    const change = { verb, target: targetOf(id, wanted), after: asSet(wanted) };
    await audit(tx, caller, change, now);
    return shown(tx, caller, id);
  }

  return {
    async list(caller, query, address) {
      authorise(caller, 'read');
      const paging = pagingOf(readQuery(maintenanceListQuery, query), 'live');
      const { rows, total } = await listWindows(database.read, caller.team.id, paging);
      return pageOf(await views(database.read, rows), total, paging, address);
    },

    async get(caller, id) {
      authorise(caller, 'read');
      return shown(database.read, caller, id);
    },

    create: (caller, body) =>
      write(caller, 'create', async (tx) => {
        const now = clock.now();
        const findings = new Findings();
        const input = readBody(windowChange, body, findings) as WindowChange;
        demandFields(input, true, findings);
        const wanted = changedWindow(EMPTY_WINDOW, input);
        judgeTimes(wanted, null, now, findings);
        await judgeScope(tx, caller, wanted, null, findings);
        await judgeRecurrence(wanted, findings);
        await leaveRoom(tx, caller, findings);
        findings.throwIfAny();
        return add(tx, caller, { wanted, verb: 'created', now });
      }),

    start: (caller, body) =>
      write(caller, 'create', async (tx) => {
        const now = clock.now();
        const findings = new Findings();
        const input = readBody(startInput, body, findings) as z.output<typeof startInput>;
        const wanted = startedWindow(input, now);
        await judgeScope(tx, caller, wanted, null, findings);
        await leaveRoom(tx, caller, findings);
        findings.throwIfAny();
        return add(tx, caller, { wanted, verb: 'started', now });
      }),

    update: (caller, id, body) =>
      write(caller, 'update', async (tx) => {
        const row = await mustLock(tx, caller, id);
        const now = clock.now();
        const stored = settingsOf(row);
        const findings = new Findings();
        const input = readBody(windowChange, body, findings) as WindowChange;
        demandFields(input, false, findings);
        const wanted = changedWindow(stored, input);
        judgeTimes(wanted, stored, now, findings);
        await judgeScope(tx, caller, wanted, stored, findings);
        await judgeRecurrence(wanted, findings);
        findings.throwIfAny();
        if (isDeepStrictEqual(stored, wanted)) return shown(tx, caller, id);
        await updateWindow(tx, id, columnsOf(wanted), now);
        if (isElsewhere(stored, wanted)) await replan(tx, id, wanted, now);
        const times = (await openOccurrences(tx, [id], now)).get(id) ?? [];
        await setNextRunAt(tx, id, nextRunAt(times, now, wanted.goodRounds !== null));
        await releaseHeld(tx, caller.team.id, now);
        const change = {
          verb: 'updated',
          target: targetOf(id, wanted),
          before: asSet(stored),
          after: asSet(wanted),
        };
        await audit(tx, caller, change, now);
        return shown(tx, caller, id);
      }),

    end: (caller, id) =>
      write(caller, 'update', async (tx) => {
        const row = await mustLock(tx, caller, id);
        const now = clock.now();
        const times = (await openOccurrences(tx, [id], now)).get(id) ?? [];
        const { activeUntil } = stateOf(times, now);
        if (activeUntil === null) throw notActive();
        await endActiveOccurrences(tx, id, now);
        const toCome = times.filter(({ from }) => from > now);
        await setNextRunAt(tx, id, nextRunAt(toCome, now, row.good_rounds !== null));
        await releaseHeld(tx, caller.team.id, now);
        const change = {
          verb: 'ended',
          target: targetOf(id, row),
          before: { active_until: isoTime(activeUntil) },
          after: { active_until: isoTime(now) },
        };
        await audit(tx, caller, change, now);
        return shown(tx, caller, id);
      }),

    async delete(caller, id) {
      await write(caller, 'delete', async (tx) => {
        const row = await mustLock(tx, caller, id);
        const now = clock.now();
        await cutOccurrences(tx, id, now);
        await deleteWindow(tx, id, now);
        await releaseHeld(tx, caller.team.id, now);
        const change = {
          verb: 'deleted',
          target: targetOf(id, row),
          before: asSet(settingsOf(row)),
        };
        await audit(tx, caller, change, now);
      });
    },
  };
}

async function mustLock(tx: Transaction<Schema>, caller: Caller, id: number) {
  const row = await lockWindow(tx, caller.team.id, id);
  if (row === undefined) throw notFound('maintenance window');
  return row;
}

/** Notes the ids that are none of the team's. Those that a window had before may be gone meanwhile. */
async function judgeScope(
  tx: Transaction<Schema>,
  caller: Caller,
  wanted: WindowSettings,
  before: WindowSettings | null,
  findings: Findings,
): Promise<void> {
  const teamId = caller.team.id;
  const known = {
    monitors: await existingMonitors(tx, teamId, wanted.monitors),
    groups: await existingGroups(tx, teamId, wanted.groups),
  };
  for (const [field, what] of [
    ['monitors', 'monitor'],
    ['groups', 'group'],
  ] as const) {
    for (const [index, id] of wanted[field].entries()) {
      if (known[field].has(id) || before?.[field].includes(id)) continue;
      findings.add(`${field}.${index}`, `must be the id of a ${what} of your team`);
    }
  }
}

/** The times of a window that is another one from now on: what has passed stays as it was. */
async function replan(
  tx: Transaction<Schema>,
  id: number,
  wanted: WindowSettings,
  now: number,
): Promise<void> {
  await cutOccurrences(tx, id, now);
  const schedule = scheduleOf(wanted);
  const recurrences = await recurrencesOf(wanted);
  const isOnce = schedule.rule === null;
  // One that comes once is what it says, be it that people note it afterwards.
  const after = isOnce ? wanted.startsAt - 1 : now - (wanted.endsAt - wanted.startsAt);
  const times = startedAndNext(occurrencesAfter(schedule, after, recurrences), now, MOST_BEGUN);
  const fromNow = ({ from, to }: MaintenanceOccurrence) => ({ from: Math.max(from, now), to });
  await insertOccurrences(tx, id, isOnce ? times : times.map(fromNow));
}

const timesAndScope = ({ name: _name, goodRounds: _rounds, ...rest }: WindowSettings) => rest;

/** Whether another time or other monitors are meant. */
function isElsewhere(before: WindowSettings, after: WindowSettings): boolean {
  return !isDeepStrictEqual(timesAndScope(before), timesAndScope(after));
}

function scheduleOf({ startsAt, endsAt, rrule, timezone }: WindowSettings): MaintenanceSchedule {
  const parsed = rrule === null ? { rule: null } : parseRecurrence(rrule);
  if ('fault' in parsed) throw new Error(`The stored recurrence rule ${parsed.fault}.`);
  return { startsAt, endsAt, rule: parsed.rule, timezone };
}

async function recurrencesOf({ rrule }: WindowSettings) {
  return rrule === null ? null : loadRecurrences();
}

/** A rule that never comes is a mistake, which nobody would notice otherwise. */
async function judgeRecurrence(wanted: WindowSettings, findings: Findings): Promise<void> {
  const { startsAt, rrule } = wanted;
  const isSound = !['starts_at', 'ends_at', 'rrule', 'timezone'].some((one) => findings.has(one));
  if (rrule === null || !isSound) return;
  const times = occurrencesAfter(scheduleOf(wanted), startsAt - 1, await recurrencesOf(wanted));
  if (times.next().done)
    findings.add('rrule', 'must come at least once after starts_at: no day is as it says');
}

async function leaveRoom(
  tx: Transaction<Schema>,
  caller: Caller,
  findings: Findings,
): Promise<void> {
  if ((await countLiveWindows(tx, caller.team.id)) < MOST_WINDOWS) return;
  findings.add(
    'maintenance_windows',
    `must not be more than ${MOST_WINDOWS} in a team that are to come or active: delete one that is no longer needed`,
  );
}

function notActive(): Problem {
  return new Problem(
    'conflict',
    'This maintenance window is not active now: there is nothing to end. Delete it if it is no longer wanted.',
  );
}

function columnsOf(settings: WindowSettings): MaintenanceWindowColumns {
  return {
    name: settings.name,
    starts_at: settings.startsAt,
    ends_at: settings.endsAt,
    rrule: settings.rrule,
    timezone: settings.timezone,
    monitors: JSON.stringify(settings.monitors),
    groups: JSON.stringify(settings.groups),
    tags: JSON.stringify(settings.tags),
    good_rounds: settings.goodRounds,
  };
}

function settingsOf(row: MaintenanceWindowColumns): WindowSettings {
  return {
    name: row.name,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    rrule: row.rrule,
    timezone: row.timezone,
    monitors: JSON.parse(row.monitors) as number[],
    groups: JSON.parse(row.groups) as number[],
    tags: JSON.parse(row.tags) as string[],
    goodRounds: row.good_rounds,
  };
}

/** What people set of a window, as the API shows it. */
function asSet(settings: WindowSettings) {
  return {
    name: settings.name,
    starts_at: isoTime(settings.startsAt),
    ends_at: isoTime(settings.endsAt),
    rrule: settings.rrule,
    timezone: settings.timezone,
    monitors: settings.monitors,
    groups: settings.groups,
    tags: settings.tags,
    good_rounds: settings.goodRounds,
  };
}

function targetOf(id: number, { name }: { name: string }) {
  return { type: 'maintenance_window', id, name } as const;
}

function view(
  row: MaintenanceWindowRow,
  times: readonly MaintenanceOccurrence[],
  now: number,
): object {
  const { status, activeUntil, next } = stateOf(times, now);
  return {
    id: row.id,
    ...asSet(settingsOf(row)),
    status,
    active_until: isoOrNull(activeUntil),
    next_starts_at: isoOrNull(next?.from ?? null),
    next_ends_at: isoOrNull(next?.to ?? null),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
