import type { Kysely, Transaction } from 'kysely';
import type { Caller } from '../../identity/caller.ts';
import type { Schema } from '../../store/database/schema.ts';
import { listUpdates } from '../../store/resources/announcement-updates.ts';
import {
  countOpenAnnouncements,
  linkAnnouncement,
  unlinkAnnouncement,
  updateAnnouncement,
  type AnnouncementRow,
} from '../../store/resources/announcements.ts';
import { teamsOfPages } from '../../store/resources/publishing.ts';
import { existingMonitors } from '../../store/resources/scoped-monitors.ts';
import type { Findings } from '../common/input.ts';
import { isFinal } from './input.ts';

/** Maximum number of open announcements per team: pages show all of them. */
const MAX_OPEN_ANNOUNCEMENTS = 500;

/** Reports pages of other teams, and an empty list. */
export async function checkPages(
  db: Kysely<Schema>,
  caller: Caller,
  ids: readonly number[],
  findings: Findings,
): Promise<void> {
  if (ids.length === 0 && !findings.has('status_pages'))
    findings.add('status_pages', 'must hold at least one status page of your team');
  const teams = await teamsOfPages(db, ids);
  for (const [index, id] of ids.entries())
    if (teams.get(id) !== caller.team.id)
      findings.add(`status_pages.${index}`, 'must be the id of a status page of your team');
}

/** Reports monitors of other teams; those in `known` may have been deleted since. */
export async function checkMonitors(
  db: Kysely<Schema>,
  caller: Caller,
  ids: readonly number[],
  findings: Findings,
  known: readonly number[] = [],
): Promise<void> {
  const existing = await existingMonitors(db, caller.team.id, ids);
  for (const [index, id] of ids.entries())
    if (!existing.has(id) && !known.includes(id))
      findings.add(`monitors.${index}`, 'must be the id of a monitor of your team');
}

/** Makes the state of an announcement that of its last update: a final one ends it, another one reopens it. */
export async function followLastUpdate(
  tx: Transaction<Schema>,
  { id, state, ended_at }: Pick<AnnouncementRow, 'id' | 'state' | 'ended_at'>,
  now: number,
): Promise<void> {
  const last = (await listUpdates(tx, [id])).at(-1);
  const current = last?.state ?? state;
  const endedAt = isFinal(current) ? (ended_at ?? now) : null;
  await updateAnnouncement(tx, id, { state: current, ended_at: endedAt }, now);
}

/** Ids that were there before and no longer are. */
const gone = (before: readonly number[], after: readonly number[]) =>
  before.filter((id) => !after.includes(id));

/** Replaces the monitors and pages of an announcement. */
export async function replaceLinks(
  tx: Transaction<Schema>,
  row: AnnouncementRow,
  { monitors, pages }: { monitors: readonly number[]; pages: readonly number[] },
  now: number,
): Promise<void> {
  await linkAnnouncement(
    tx,
    row.id,
    { monitors: gone(monitors, row.monitors), pages: gone(pages, row.pages) },
    now,
  );
  await unlinkAnnouncement(tx, row.id, {
    monitors: gone(row.monitors, monitors),
    pages: gone(row.pages, pages),
  });
}

/** Reports that a team has too many open announcements for another one. */
export async function checkLimit(
  tx: Transaction<Schema>,
  caller: Caller,
  findings: Findings,
): Promise<void> {
  if ((await countOpenAnnouncements(tx, caller.team.id)) < MAX_OPEN_ANNOUNCEMENTS) return;
  findings.add(
    'announcements',
    `must not be more than ${MAX_OPEN_ANNOUNCEMENTS} open ones in a team: end those that are over`,
  );
}
