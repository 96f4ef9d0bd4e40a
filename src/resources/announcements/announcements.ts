import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Caller } from '../../identity/caller.ts';
import { oneOf } from '../../lib/schemas.ts';
import { countRows, updateRow } from '../../store/database/rows.ts';
import type { Db, Tx } from '../../store/database/contract.ts';
import {
  listUpdates,
  type AnnouncementRow,
  announcementChanges,
} from '../../store/resources/announcements.ts';
import { insertMailings } from '../../store/resources/mailings.ts';
import { idsOfTeam } from '../../store/resources/scoped-monitors.ts';
import { recordChange } from '../common/change.ts';
import type { CollectionDeps } from '../common/collection.ts';
import { Findings, queryNumber, readBody, readQuery } from '../common/input.ts';
import { noun, type Call } from '../common/operation.ts';
import { pageExample, pageSchema } from '../common/page-reference.ts';
import { pageOf, pagingOf, UNSORTED_PAGE_QUERY } from '../common/page.ts';
import { teamWriter } from '../common/team-writes.ts';
import {
  announcementAnswer,
  announcementDetail,
  announcementsOf,
  auditedAnnouncement,
  checkPages,
  EXAMPLE_ANNOUNCEMENT,
  EXAMPLE_DETAIL,
  pageOfAnnouncements,
  recordEdit,
  requireAnnouncement,
  showAnnouncement,
  targetOf,
  viewAnnouncement,
} from './announcement.ts';
import { ANNOUNCEMENT_KINDS, checkState, fields, isFinal, requireField } from './input.ts';

/** Maximum number of open announcements per team: pages show all of them. */
const MAX_OPEN_ANNOUNCEMENTS = 500;
/** Tolerance for clocks that are ahead of the server's. */
const FUTURE_MS = 5 * 60_000;
const YEAR_MS = 366 * 86_400_000;

const listQuery = z.object({
  ...UNSORTED_PAGE_QUERY,
  kind: oneOf(ANNOUNCEMENT_KINDS).optional(),
  state: oneOf(['open', 'ended']).optional(),
  status_page: queryNumber(1, Number.MAX_SAFE_INTEGER, 'a whole number')
    .optional()
    .meta({ description: 'Id of a page that shows them.' }),
});

export const announcementCreateBody = z.object({
  kind: oneOf(ANNOUNCEMENT_KINDS).nullish().meta({ description: '`incident` by default.' }),
  title: fields.title,
  impact: fields.impact.meta({
    description: 'By default `minor` for an incident, and `none` for maintenance.',
  }),
  state: fields.state,
  text: fields.text,
  status_pages: fields.status_pages,
  monitors: fields.monitors,
  starts_at: fields.starts_at.meta({
    description: 'By default now; required for maintenance.',
  }),
  ends_at: fields.ends_at.meta({
    description:
      'Planned end of maintenance, required there; of an incident its end, with the state `resolved` only.',
  }),
  notify: fields.notify,
});

const updateBody = z.object({
  title: fields.title,
  impact: fields.impact,
  monitors: fields.monitors,
  status_pages: fields.status_pages,
  starts_at: fields.starts_at,
  ends_at: fields.ends_at,
});

export function createAnnouncements({ database, clock }: CollectionDeps) {
  const write = teamWriter(database, 'editor');

  return {
    async listAnnouncements({ caller, query, address }: Call) {
      const { kind, state, status_page: pageId, ...wanted } = readQuery(listQuery, query);
      const matching = announcementsOf(database.read, caller.team.id)
        .$if(kind !== undefined, (all) => all.where('kind', '=', kind!))
        .$if(state !== undefined, (all) =>
          all.where('ended_at', state === 'open' ? 'is' : 'is not', null),
        )
        .$if(pageId !== undefined, (all) =>
          all.where('id', 'in', (select) =>
            select
              .selectFrom('announcement_page')
              .select('announcement_id')
              .where('page_id', '=', pageId!),
          ),
        );
      const paging = pagingOf(wanted, 'started_at');
      const { rows, total } = await pageOfAnnouncements(database.read, matching, paging);
      return pageOf(rows.map(viewAnnouncement), total, paging, address);
    },

    getAnnouncement: ({ caller, id }: Call) => showAnnouncement(database.read, caller, id),

    /** Creates an announcement with its first update. */
    createAnnouncement: ({ caller, body }: Call) =>
      write(caller, 'create', async (tx) => {
        const now = clock.now();
        const findings = new Findings();
        const input = readBody(announcementCreateBody, body, findings);
        const { title = null, text = null, status_pages: pages } = input;
        const kind = input.kind ?? 'incident';
        const state = input.state ?? (kind === 'maintenance' ? 'scheduled' : null);
        const monitors = input.monitors ?? [];
        requireField('title', title, 'say in a few words what is affected', findings);
        requireField('text', text, 'say what visitors should know', findings);
        requireField('state', state, 'give one such as investigating', findings);
        requireField('status_pages', pages, 'name the pages that show it', findings);
        checkState(kind, state, findings);
        await checkPages(tx, caller, pages ?? [], findings);
        await checkMonitors(tx, caller, monitors, [], findings);
        const [starts, ends] = [input.starts_at ?? null, input.ends_at ?? null];
        const { startedAt, plannedUntil, endedAt } = timesOf(
          { kind, state, starts, ends },
          now,
          findings,
        );
        await checkLimit(tx, caller, findings);
        findings.throwIfAny();
        const personId = caller.person.id;
        const columns = {
          team_id: caller.team.id,
          kind,
          origin: 'person',
          title,
          impact: input.impact ?? (kind === 'maintenance' ? 'none' : 'minor'),
          state: state!,
          started_at: startedAt,
          ended_at: isFinal(state!) ? (endedAt ?? now) : null,
          planned_until: plannedUntil,
          person_id: personId,
        };
        const links = { monitors, incidents: [], pages: pages! };
        const id = await announcementChanges(tx).insert(columns, links, now);
        const first = { announcementId: id, state: state!, body: text, pages: pages!, personId };
        const updateId = await announcementChanges(tx).insertUpdate(first, now);
        if (input.notify !== false) await insertMailings(tx, updateId, pages!, now);
        const row = await requireAnnouncement(tx, caller, id);
        const after = { ...auditedAnnouncement(row), state, text };
        const change = { verb: 'created', target: await targetOf(tx, row), after };
        await recordChange(tx, caller, change, now);
        return showAnnouncement(tx, caller, id);
      }),

    /** Changes the fields that are present. */
    updateAnnouncement: ({ caller, id, body }: Call) =>
      write(caller, 'update', async (tx) => {
        const now = clock.now();
        const row = await requireAnnouncement(tx, caller, id);
        const findings = new Findings();
        const input = readBody(updateBody, body, findings);
        const { title = row.title, impact, status_pages: pages } = input;
        const monitors = input.monitors === undefined ? row.monitors : (input.monitors ?? []);
        if (input.monitors != null)
          await checkMonitors(tx, caller, monitors, row.monitors, findings);
        if (pages !== undefined) await checkPages(tx, caller, pages ?? [], findings);
        if (title === null && monitors.length === 0)
          findings.add('title', 'must not be null without monitors whose names stand in for it');
        const times = changedTimes(row, input, now, findings);
        findings.throwIfAny();
        const links = { monitors, pages: pages ?? row.pages };
        const columns = { title, impact: impact ?? row.impact, ...times };
        if (isSame(row, columns, links)) return showAnnouncement(tx, caller, id);
        await replaceLinks(tx, row, links, now);
        await followPages(tx, row, links.pages);
        await announcementChanges(tx).update(id, { ...columns, person_id: caller.person.id }, now);
        await recordEdit(tx, caller, row, now);
        return showAnnouncement(tx, caller, id);
      }),

    /** Takes it off all pages. Its row stays, so that its incidents are not announced again. */
    deleteAnnouncement: ({ caller, id }: Call) =>
      write(caller, 'delete', async (tx) => {
        const now = clock.now();
        const row = await requireAnnouncement(tx, caller, id);
        await tx.deleteFrom('announcement_page').where('announcement_id', '=', id).execute();
        await updateRow(tx, 'announcement', id, { deleted_at: now, updated_at: now });
        const before = auditedAnnouncement(row);
        const change = { verb: 'deleted', target: await targetOf(tx, row), before };
        await recordChange(tx, caller, change, now);
      }),
  };
}

/** Reports monitors of other teams; those in `known` may have been deleted since. */
async function checkMonitors(
  db: Db,
  caller: Caller,
  ids: readonly number[],
  known: readonly number[],
  findings: Findings,
): Promise<void> {
  const existing = await idsOfTeam(db, 'monitor', caller.team.id, ids);
  for (const [index, id] of ids.entries())
    if (!existing.has(id) && !known.includes(id))
      findings.add(`monitors.${index}`, 'must be the id of a monitor of your team');
}

async function checkLimit(tx: Tx, { team }: Caller, findings: Findings): Promise<void> {
  const open = announcementsOf(tx, team.id).where('ended_at', 'is', null);
  if ((await countRows(open)) < MAX_OPEN_ANNOUNCEMENTS) return;
  findings.add(
    'announcements',
    `must not be more than ${MAX_OPEN_ANNOUNCEMENTS} open ones in a team: end those that are over`,
  );
}

interface AskedTimes {
  kind: string;
  state: string | null;
  starts: number | null;
  ends: number | null;
}

/** Checks the times of an announcement. Those that it returns are of use only when nothing was found. */
function timesOf({ kind, state, starts, ends }: AskedTimes, now: number, findings: Findings) {
  const startedAt = starts ?? now;
  if (kind === 'maintenance') {
    requireField('starts_at', starts, 'give the planned beginning', findings);
    requireField('ends_at', ends, 'give the planned end', findings);
    if (startedAt > now + YEAR_MS) findings.add('starts_at', 'must not be more than a year ahead');
  } else {
    if (startedAt > now + FUTURE_MS)
      findings.add('starts_at', 'must not be more than 5 minutes in the future');
    if (ends !== null && state !== null && state !== 'resolved')
      findings.add('ends_at', 'is for the state resolved only: leave it out, or send null');
    if ((ends ?? 0) > now + FUTURE_MS)
      findings.add('ends_at', 'must not be more than 5 minutes in the future');
  }
  if (ends !== null && starts !== null && ends <= starts)
    findings.add('ends_at', 'must be after starts_at');
  if (ends !== null && starts === null && kind === 'incident' && ends < now)
    findings.add('starts_at', 'is required with an ends_at in the past: give the beginning');
  return kind === 'maintenance'
    ? { startedAt, plannedUntil: ends, endedAt: null }
    : { startedAt, plannedUntil: null, endedAt: ends };
}

/** Times after a change; those of a maintenance window and of an automatic incident are not set by people. */
function changedTimes(
  row: AnnouncementRow,
  input: { starts_at?: number | null | undefined; ends_at?: number | null | undefined },
  now: number,
  findings: Findings,
): Pick<AnnouncementRow, 'started_at' | 'planned_until'> {
  const { kind, origin, state, started_at, planned_until } = row;
  for (const field of ['starts_at', 'ends_at'] as const) {
    if (input[field] == null) continue;
    if (origin !== 'person')
      findings.add(field, 'is that of the incident or maintenance window: change it there');
    else if (field === 'ends_at' && kind === 'incident')
      findings.add(field, 'is for maintenance only: an incident ends by an update');
  }
  if (findings.has('starts_at') || findings.has('ends_at') || origin !== 'person')
    return { started_at, planned_until };
  const starts = input.starts_at ?? started_at;
  const ends = input.ends_at ?? planned_until;
  const { startedAt, plannedUntil } = timesOf({ kind, state, starts, ends }, now, findings);
  return { started_at: startedAt, planned_until: plannedUntil };
}

interface Links {
  monitors: readonly number[];
  pages: readonly number[];
}

const ascending = (ids: readonly number[]) => ids.toSorted((a, b) => a - b);

function isSame(row: AnnouncementRow, columns: Partial<AnnouncementRow>, links: Links): boolean {
  const { monitors, pages } = links;
  const asked = { ...row, ...columns, monitors: ascending(monitors), pages: ascending(pages) };
  return isDeepStrictEqual(asked, row);
}

const missing = (ids: readonly number[], among: readonly number[]) =>
  ids.filter((id) => !among.includes(id));

async function replaceLinks(tx: Tx, row: AnnouncementRow, { monitors, pages }: Links, now: number) {
  const added = { monitors: missing(monitors, row.monitors), pages: missing(pages, row.pages) };
  const gone = { monitors: missing(row.monitors, monitors), pages: missing(row.pages, pages) };
  await announcementChanges(tx).link(row.id, added, now);
  await announcementChanges(tx).unlink(row.id, gone);
}

/** Shows the updates of an announcement on the pages that were added to it, and no longer on those that were removed. */
async function followPages(tx: Tx, row: AnnouncementRow, pages: readonly number[]): Promise<void> {
  const added = pages.filter((id) => !row.pages.includes(id));
  for (const update of await listUpdates(tx, [row.id])) {
    const kept = update.pages.filter((id) => pages.includes(id));
    await announcementChanges(tx).setPagesOfUpdate(update.id, [...kept, ...added]);
  }
}

/** Messages of a team for visitors of its pages about an incident or maintenance (contract 43). */
export const announcements = noun('Announcements', createAnnouncements, {
  listAnnouncements: {
    at: 'GET /announcements',
    summary: 'List announcements',
    description: 'By their beginning, newest first.',
    query: listQuery,
    answer: pageSchema(announcementAnswer, 'AnnouncementPage'),
    example: {
      query: 'state=open',
      answer: pageExample('/announcements', [EXAMPLE_ANNOUNCEMENT]),
    },
  },
  createAnnouncement: {
    at: 'POST /announcements',
    summary: 'Announce an incident or maintenance',
    description:
      'For what concerns no monitor, or several: to tell visitors about a detected incident, use `POST /incidents/{id}/updates`. `title`, `text`, `state` and `status_pages` are required; for maintenance also `starts_at` and `ends_at`, and its `state` is `scheduled` by default. Maintenance begins and ends by itself at these times. An incident stays open until an update with the state `resolved`.',
    body: announcementCreateBody,
    answer: announcementDetail,
    example: {
      body: {
        title: 'Payments are slow',
        state: 'investigating',
        text: 'We are looking into slow payments.',
        status_pages: [1],
        monitors: [1],
      },
      answer: EXAMPLE_DETAIL,
    },
  },
  getAnnouncement: {
    at: 'GET /announcements/:id',
    summary: 'Get an announcement',
    answer: announcementDetail,
    example: { answer: EXAMPLE_DETAIL },
  },
  updateAnnouncement: {
    at: 'PUT /announcements/:id',
    summary: 'Update an announcement',
    description:
      'Changes only the given fields, and notifies nobody. The pages that are added show all its updates. From then on Tocsin leaves title, impact, monitors and pages of an automatic announcement alone. State and text change by updates.',
    body: updateBody,
    answer: announcementDetail,
    example: {
      body: { impact: 'major' },
      answer: { ...EXAMPLE_DETAIL, impact: 'major' },
    },
  },
  deleteAnnouncement: {
    at: 'DELETE /announcements/:id',
    summary: 'Delete an announcement',
    description:
      'Takes it off all pages. Its incidents are not announced again by themselves; subscribers are not notified.',
  },
});
