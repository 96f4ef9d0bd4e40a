import type { Transaction } from 'kysely';
import type { Schema } from '../../store/database/schema.ts';
import {
  insertUpdate,
  listUpdates,
  setPagesOfUpdate,
} from '../../store/resources/announcement-updates.ts';
import {
  insertAnnouncement,
  linkAnnouncement,
  removeAnnouncement,
  unlinkAnnouncement,
  updateAnnouncement,
  withLinks,
} from '../../store/resources/announcements.ts';
import { insertMailings } from '../../store/resources/mailings.ts';
import type { Change, ChangedFields, NewAnnouncement } from './facts.ts';

/** Writes a change that was decided for a team, with the mailings that it causes. */
export async function applyChange(
  tx: Transaction<Schema>,
  teamId: number,
  change: Change,
  now: number,
): Promise<void> {
  switch (change.do) {
    case 'open':
      return open(tx, teamId, change, now);
    case 'state':
      return setState(tx, change, now);
    case 'link':
      return linkAnnouncement(tx, change.id, change, now);
    case 'show':
      return show(tx, change, now);
    case 'hide':
      return unlinkAnnouncement(tx, change.id, change);
    case 'set':
      return updateAnnouncement(tx, change.id, columnsOf(change.fields), now);
    case 'notify':
      return insertMailings(tx, change.updateId, change.pages, now);
    case 'remove':
      return removeAnnouncement(tx, change.id);
  }
}

async function open(
  tx: Transaction<Schema>,
  teamId: number,
  { announcement, notify }: { announcement: NewAnnouncement; notify: boolean },
  now: number,
): Promise<void> {
  const { monitors, incidents, pages, state, ...fields } = announcement;
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
  const id = await insertAnnouncement(tx, columns, { monitors, incidents, pages }, now);
  await write(tx, { announcementId: id, state, pages, notify }, now);
}

async function setState(
  tx: Transaction<Schema>,
  { id, state, endedAt, notify }: Extract<Change, { do: 'state' }>,
  now: number,
): Promise<void> {
  const [announcement] = await withLinks(tx, [{ id }]);
  const { pages } = announcement!;
  await write(tx, { announcementId: id, state, pages, notify }, now);
  await updateAnnouncement(tx, id, { state, ended_at: endedAt }, now);
}

async function write(
  tx: Transaction<Schema>,
  update: { announcementId: number; state: string; pages: readonly number[]; notify: boolean },
  now: number,
): Promise<void> {
  const { notify, ...written } = update;
  const id = await insertUpdate(tx, { ...written, body: null, personId: null }, now);
  if (notify) await insertMailings(tx, id, update.pages, now);
}

async function show(
  tx: Transaction<Schema>,
  { id, pages, notify }: Extract<Change, { do: 'show' }>,
  now: number,
): Promise<void> {
  await linkAnnouncement(tx, id, { pages }, now);
  const updates = await listUpdates(tx, [id]);
  const automatic = updates.filter((update) => update.person_id === null);
  for (const update of automatic)
    await setPagesOfUpdate(tx, update.id, [...new Set([...update.pages, ...pages])]);
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
