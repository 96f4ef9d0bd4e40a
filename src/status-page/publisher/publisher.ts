import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { createPoller } from '../../lib/poller.ts';
import { createTurns, nextShare } from '../../lib/turns.ts';
import type { Database, Tx } from '../../store/database/contract.ts';
import { isAway, isBusy, isUnavailable } from '../../store/database/errors.ts';
import { updateRow } from '../../store/database/rows.ts';
import { lockTeam } from '../../store/people/teams.ts';
import {
  withLinks,
  listUpdates,
  announcementChanges,
} from '../../store/resources/announcements.ts';
import { insertMailings } from '../../store/resources/mailings.ts';
import { teamsOfPages } from '../../store/resources/publishing.ts';
import { createPageChanges } from '../page-changes.ts';
import { decideIncidents } from './decide-incidents.ts';
import { decideMaintenance } from './decide-maintenance.ts';
import type { Change, ChangedFields, Decision } from './changes.ts';
import { readPublishing, type PublishingFacts } from './read.ts';

const INTERVAL_MS = 1_000;
/** Time after which a team is evaluated again without a note: scopes of windows follow tags, which write none. */
const SWEEP_MS = 10 * 60_000;
/** Time after which a failed team is evaluated again. */
const RETRY_MS = 60_000;
const SETBACK_MS = 5_000;

/**
 * Creates the publisher. A run without changes is one statement: the changes of pages, which triggers record, and the time at
 * which a team is due again say when to evaluate it. Several processes may publish at once: each decides again while it
 * holds the lock of the team.
 */
export function createPublisher({
  database,
  clock,
  log,
}: {
  database: Database;
  clock: Clock;
  log: Log;
}) {
  /** Evaluations of a team, changes that were written, and teams whose evaluation failed. */
  const counters = { evaluated: 0, changes: 0, failures: 0 };
  /** When each team with pages is due, epoch ms. */
  const due = new Map<number, number>();
  const teamOf = new Map<number, number>();
  const pageChanges = createPageChanges(database, clock);
  /** No team is due before, epoch ms. */
  let soonest = 0;
  let lastRunAt = -Infinity;
  const poller = createPoller({
    run,
    clock,
    intervalMs: INTERVAL_MS,
    isUnavailable,
    // Log: Incidents and maintenance were not announced. It is tried again.
    onFailure: (error) => log.error({ error }, 'Status pages could not be updated.'),
  });

  /** Publishes what is due for the teams whose pages changed. Rejects when the database is unavailable. */
  async function run(): Promise<void> {
    const now = clock.now();
    if (!pageChanges.hasBegun) await pageChanges.begin(noteAll);
    else if (now < lastRunAt - SETBACK_MS) await noteAll();
    await pageChanges.read(notePages);
    lastRunAt = now;
    if (now < soonest) return;
    const turns = createTurns();
    for (const [teamId, at] of due) {
      if (at > now) continue;
      if (poller.isStopped) return;
      await evaluate(teamId);
      await turns();
    }
    soonest = [...due.values()].reduce((first, at) => Math.min(first, at), now + SWEEP_MS);
  }

  /** Makes all teams with pages due, after a start and after the clock was set back. */
  async function noteAll(): Promise<void> {
    for (const [pageId, teamId] of await teamsOfPages(database.read, null))
      noteTeam(pageId, teamId);
  }

  function noteTeam(pageId: number, teamId: number): void {
    teamOf.set(pageId, teamId);
    makeDue(teamId);
  }

  function makeDue(teamId: number): void {
    due.set(teamId, 0);
    soonest = 0;
  }

  async function notePages(changed: ReadonlySet<number>): Promise<void> {
    // Deleted pages are known from before.
    const known = [...changed].map((id) => [id, teamOf.get(id)] as const);
    const found = await teamsOfPages(database.read, [...changed]);
    for (const [pageId] of known) if (!found.has(pageId)) teamOf.delete(pageId);
    for (const [, teamId] of known) if (teamId !== undefined) makeDue(teamId);
    for (const [pageId, teamId] of found) noteTeam(pageId, teamId);
  }

  /** Evaluates a team; a failing one is postponed so that it does not block the others. */
  async function evaluate(teamId: number): Promise<void> {
    try {
      const at = await publish(teamId);
      if (at === null) due.delete(teamId);
      else due.set(teamId, at);
    } catch (error) {
      if (isAway(error)) throw error;
      due.set(teamId, clock.now() + (isBusy(error) ? INTERVAL_MS : RETRY_MS));
      if (isBusy(error)) return;
      counters.failures += 1;
      // Log: Its incidents and maintenance were not announced. It is tried again later.
      log.error({ error, team_id: teamId }, 'Status pages of a team could not be updated.');
    }
  }

  /** @returns when the team is due again, epoch ms; null for a team without pages. */
  async function publish(teamId: number): Promise<number | null> {
    counters.evaluated += 1;
    const now = clock.now();
    const facts = await readPublishing(database.read, teamId, now);
    if (facts.pages.length + facts.announcements.length === 0) return null;
    const first = decide(facts, now);
    if (first.changes.length === 0)
      return Math.min(first.nextAt ?? Infinity, nextShare(teamId, SWEEP_MS, now));
    // Decided again under the lock: another process or a person may have written meanwhile.
    const written = await database.transaction(async (tx) => {
      await lockTeam(tx, teamId);
      const { changes } = decide(await readPublishing(tx, teamId, now), now);
      for (const change of changes) await applyChange({ tx, teamId, now }, change);
      return changes.length;
    });
    counters.changes += written;
    // The changes may make others due.
    return 0;
  }

  return {
    run,
    start: () => poller.start(),
    /** Waits for a run in progress. Never rejects. */
    stop: () => poller.stop(),
    counters,
  };
}

/** Decides what is published for a team, and when to decide again (epoch ms). */
export function decide(facts: PublishingFacts, now: number): Decision {
  const [incidents, maintenance] = [decideIncidents(facts, now), decideMaintenance(facts, now)];
  const nextAt = Math.min(incidents.nextAt ?? Infinity, maintenance.nextAt ?? Infinity);
  return {
    changes: [...incidents.changes, ...maintenance.changes],
    nextAt: nextAt === Infinity ? null : nextAt,
  };
}

interface Scope {
  tx: Tx;
  teamId: number;
  now: number;
}

/** Writes a change that was decided, with the mailings that it causes. */
async function applyChange(scope: Scope, change: Change): Promise<void> {
  const { tx, now } = scope;
  switch (change.do) {
    case 'open':
      return open(scope, change);
    case 'state':
      return setState(scope, change);
    case 'link':
      return announcementChanges(tx).link(change.id, change, now);
    case 'show':
      return show(scope, change);
    case 'hide':
      return announcementChanges(tx).unlink(change.id, change);
    case 'set':
      return announcementChanges(tx).update(change.id, columnsOf(change.fields), now);
    case 'text':
      return updateRow(tx, 'announcement_update', change.updateId, { body: change.text });
    case 'notify':
      return insertMailings(tx, change.updateId, change.pages, now);
    case 'remove':
      return announcementChanges(tx).remove(change.id);
  }
}

async function open(scope: Scope, change: Extract<Change, { do: 'open' }>): Promise<void> {
  const { tx, teamId, now } = scope;
  const { text = null, notify } = change;
  const { monitors, incidents, pages, state, ...fields } = change.announcement;
  const columns = {
    team_id: teamId,
    kind: fields.kind,
    origin: fields.origin,
    title: fields.title,
    impact: fields.impact,
    state,
    started_at: fields.startedAt,
    planned_until: fields.plannedUntil,
    window_id: fields.windowId,
    window_from: fields.windowFrom,
  };
  const id = await announcementChanges(tx).insert(columns, { monitors, incidents, pages }, now);
  await write(scope, { id, state, text, pages, notify });
}

async function setState(scope: Scope, change: Extract<Change, { do: 'state' }>): Promise<void> {
  const { id, state, text = null, endedAt: ended_at, notify } = change;
  const [announcement] = await withLinks(scope.tx, [{ id }]);
  await write(scope, { id, state, text, pages: announcement!.pages, notify });
  await announcementChanges(scope.tx).update(id, { state, ended_at }, scope.now);
}

/** Writes an automatic update of an announcement. */
async function write(
  { tx, now }: Scope,
  update: {
    id: number;
    state: string;
    text: string | null;
    pages: readonly number[];
    notify: boolean;
  },
): Promise<void> {
  const { id: announcementId, state, text: body, pages, notify } = update;
  const written = { announcementId, state, pages, body, personId: null };
  const id = await announcementChanges(tx).insertUpdate(written, now);
  if (notify) await insertMailings(tx, id, pages, now);
}

async function show({ tx, now }: Scope, change: Extract<Change, { do: 'show' }>): Promise<void> {
  const { id, pages, notify } = change;
  await announcementChanges(tx).link(id, { pages }, now);
  const updates = await listUpdates(tx, [id]);
  const automatic = updates.filter((update) => update.person_id === null);
  for (const update of automatic)
    await announcementChanges(tx).setPagesOfUpdate(update.id, [
      ...new Set([...update.pages, ...pages]),
    ]);
  const last = automatic.at(-1);
  if (notify && last !== undefined) await insertMailings(tx, last.id, pages, now);
}

function columnsOf({ title, impact, startedAt, plannedUntil, windowFrom }: ChangedFields) {
  return {
    ...(title !== undefined && { title }),
    ...(impact !== undefined && { impact }),
    ...(startedAt !== undefined && { started_at: startedAt }),
    ...(plannedUntil !== undefined && { planned_until: plannedUntil }),
    ...(windowFrom !== undefined && { window_from: windowFrom }),
  };
}
