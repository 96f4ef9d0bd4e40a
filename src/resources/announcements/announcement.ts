import { z } from 'zod';
import { CHANGING } from '../common/changing.ts';
import { shownAs } from '../common/answer.ts';
import type { Caller } from '../../identity/caller.ts';
import { auditTarget } from '../../model/audit.ts';
import { readPage } from '../../store/database/team-rows.ts';
import type { AnnouncementKind, Impact } from '../../status-page/facts/model.ts';
import type { Db, Tx } from '../../store/database/contract.ts';
import {
  listUpdates,
  withLinks,
  type AnnouncementRow,
  type UpdateRow,
  announcementChanges,
} from '../../store/resources/announcements.ts';
import { namesOfMonitors, teamsOfPages } from '../../store/resources/publishing.ts';
import { recordChange } from '../common/change.ts';
import { notFound } from '../common/errors.ts';
import type { Findings } from '../common/input.ts';
import { textOrNull, time } from '../common/reference-schemas.ts';
import { isoOrNull, isoTime } from '../common/time.ts';
import { ANNOUNCEMENT_KINDS, IMPACTS, isFinal, STATES } from './input.ts';

export const EXAMPLE_TIME = '2030-01-01T00:00:00.000Z';

/** What an update says, in answers. */
export const said = {
  state: z.enum(STATES),
  text: textOrNull.meta({
    description:
      'Markdown; null for an automatic update that pages show in words of their language.',
  }),
  status_pages: z.array(z.int()).meta({ description: 'Pages that show it.' }),
};

type State = (typeof STATES)[number];

const ORIGINS = ['automatic', 'window', 'person'] as const;

/** What people set of an announcement. */
const asSet = shownAs<AnnouncementRow>()({
  kind: [z.enum(ANNOUNCEMENT_KINDS), (row) => row.kind as AnnouncementKind, 'incident'],
  title: [
    textOrNull.meta({
      description:
        'Null for one made of the names of the affected services, in the language of the page.',
    }),
    (row) => row.title,
    'Payments are slow',
  ],
  impact: [z.enum(IMPACTS), (row) => row.impact as Impact, 'minor'],
  started_at: [time, (row) => isoTime(row.started_at), EXAMPLE_TIME],
  planned_until: [
    time.nullable().meta({ description: 'Planned end of maintenance.' }),
    (row) => isoOrNull(row.planned_until),
    null,
  ],
  monitors: [
    z.array(z.int()).meta({ description: 'Affected monitors.' }),
    (row) => row.monitors,
    [1],
  ],
  status_pages: [said.status_pages, (row) => row.pages, [1]],
  post_mortem: [
    z
      .object({
        text: z.string(),
        published_at: time.nullable().meta({ description: 'Null while visitors do not see it.' }),
      })
      .nullable(),
    ({ post_mortem: text, post_mortem_at: at }) =>
      text === null ? null : { text, published_at: isoOrNull(at) },
    null,
  ],
});

const facts = shownAs<AnnouncementRow>()({
  state: [
    z.enum(STATES).meta({ description: 'That of its last update.' }),
    ({ state }) => state as State,
    'investigating',
  ],
  ended_at: [
    time.nullable().meta({ description: 'Null while it is open.' }),
    (row) => isoOrNull(row.ended_at),
    null,
  ],
  origin: [
    z.enum(ORIGINS).meta({
      description:
        '`automatic` from detected incidents, `window` from a maintenance window, `person` by a person.',
    }),
    ({ origin }) => origin as (typeof ORIGINS)[number],
    'person',
  ],
  incidents: [
    z.array(z.int()).meta({ description: 'Incidents that it is about.' }),
    (row) => row.incidents,
    [],
  ],
  created_at: [time, (row) => isoTime(row.created_at), EXAMPLE_TIME],
  updated_at: [time, (row) => isoTime(row.updated_at), EXAMPLE_TIME],
});

const shape = { id: z.int(), ...asSet.shape, ...facts.shape };

export const announcementAnswer = z
  .object(shape)
  .meta({
    id: 'Announcement',
    description: 'Messages for visitors of status pages about an incident or maintenance.',
  })
  .register(CHANGING, { fields: ['incidents'] });

export const EXAMPLE_ANNOUNCEMENT = { id: 1, ...asSet.example, ...facts.example };

/** Fields of an announcement that people set. */
export const auditedAnnouncement = (row: AnnouncementRow) => asSet.view(row);

export const viewAnnouncement = (row: AnnouncementRow) => ({
  id: row.id,
  ...asSet.view(row),
  ...facts.view(row),
});

const updateFacts = shownAs<UpdateRow>()({
  id: [z.int(), (row) => row.id, 1],
  announcement_id: [z.int(), (row) => row.announcement_id, 1],
  state: [said.state, ({ state }) => state as State, 'investigating'],
  text: [said.text, (row) => row.body, 'We are looking into slow payments.'],
  status_pages: [said.status_pages, (row) => row.pages, [1]],
  user_id: [
    z.int().nullable().meta({ description: 'Author; null for an automatic update.' }),
    (row) => row.person_id,
    1,
  ],
  edited_at: [time.nullable(), (row) => isoOrNull(row.edited_at), null],
  created_at: [time, (row) => isoTime(row.shown_at), EXAMPLE_TIME],
});

export const EXAMPLE_UPDATE = updateFacts.example;

export const viewUpdate = (row: UpdateRow) => updateFacts.view(row);

export const updateAnswer = z
  .object(updateFacts.shape)
  .meta({ id: 'AnnouncementUpdate', description: 'Update of an announcement.' });

export const announcementDetail = z
  .object({ ...shape, updates: z.array(updateAnswer).meta({ description: 'Newest first.' }) })
  .meta({ id: 'AnnouncementDetail', description: 'An announcement with its updates.' })
  .register(CHANGING, { fields: ['incidents'] });

export const EXAMPLE_DETAIL = { ...EXAMPLE_ANNOUNCEMENT, updates: [EXAMPLE_UPDATE] };

/** Those of a team, without deleted ones. */
export const announcementsOf = (db: Db, teamId: number) =>
  db
    .selectFrom('announcement')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('deleted_at', 'is', null);

export async function requireAnnouncement(db: Db, { team }: Caller, id: number) {
  const rows = await announcementsOf(db, team.id).where('id', '=', id).execute();
  const [row] = await withLinks(db, rows);
  if (row === undefined) throw notFound('announcement');
  return row;
}

/** A page by their beginning, newest first. */
export async function pageOfAnnouncements(
  db: Db,
  wanted: ReturnType<typeof announcementsOf>,
  page: { limit: number; offset: number },
): Promise<{ rows: AnnouncementRow[]; total: number }> {
  const newest = { ...page, direction: 'desc' } as const;
  const { rows, total } = await readPage(wanted, 'announcement', ['started_at'], newest);
  return { rows: await withLinks(db, rows), total };
}

/** Fields of an update that people set. */
export function auditedUpdate(row: Pick<UpdateRow, 'state' | 'body' | 'pages'>) {
  return { state: row.state, text: row.body, status_pages: row.pages };
}

const viewWithUpdates = (row: AnnouncementRow, updates: readonly UpdateRow[]) => ({
  ...viewAnnouncement(row),
  updates: updates.toReversed().map(viewUpdate),
});

/** An announcement as it is answered alone. */
export async function showAnnouncement(db: Db, caller: Caller, id: number) {
  const row = await requireAnnouncement(db, caller, id);
  return viewWithUpdates(row, await listUpdates(db, [id]));
}

/** Announcements of an export that are read at once. */
const EXPORTED_AT_ONCE = 500;

/** All of a team as an export shows them. */
export async function* exportedAnnouncements({ db, teamId }: { db: Db; teamId: number }) {
  for (let offset = 0; ; offset += EXPORTED_AT_ONCE) {
    const page = { limit: EXPORTED_AT_ONCE, offset };
    const { rows } = await pageOfAnnouncements(db, announcementsOf(db, teamId), page);
    const updates = await listUpdates(
      db,
      rows.map(({ id }) => id),
    );
    const byAnnouncement = Map.groupBy(updates, (update) => update.announcement_id);
    yield* rows.map((row) => viewWithUpdates(row, byAnnouncement.get(row.id) ?? []));
    if (rows.length < EXPORTED_AT_ONCE) return;
  }
}

/** An announcement in the audit log, by its title; one without, by its monitors. */
export async function targetOf(
  db: Db,
  { id, title, monitors }: Pick<AnnouncementRow, 'id' | 'title' | 'monitors'>,
) {
  const named = title === null ? await namesOfMonitors(db, monitors) : [];
  const names = named.map(({ friendly_name, url }) => friendly_name ?? url);
  return auditTarget('announcement', { id, name: title ?? (names.join(', ') || null) });
}

/** Records a change of an announcement in the audit log. */
export async function recordEdit(tx: Tx, caller: Caller, before: AnnouncementRow, now: number) {
  const after = await requireAnnouncement(tx, caller, before.id);
  const change = {
    verb: 'updated',
    target: await targetOf(tx, after),
    before: auditedAnnouncement(before),
    after: auditedAnnouncement(after),
  };
  await recordChange(tx, caller, change, now);
}

/** Reports pages of other teams, and an empty list. */
export async function checkPages(
  db: Db,
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

/** Makes the state of an announcement that of its last update: a final one ends it, another one reopens it. */
export async function followLastUpdate(
  tx: Tx,
  { id, state, ended_at }: Pick<AnnouncementRow, 'id' | 'state' | 'ended_at'>,
  now: number,
): Promise<void> {
  const last = (await listUpdates(tx, [id])).at(-1);
  const current = last?.state ?? state;
  const endedAt = isFinal(current) ? (ended_at ?? now) : null;
  await announcementChanges(tx).update(id, { state: current, ended_at: endedAt }, now);
}
