import { isDeepStrictEqual } from 'node:util';
import type { Kysely, Transaction } from 'kysely';
import type { Caller } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../store/database/contract.ts';
import type { Schema } from '../../store/database/schema.ts';
import {
  insertUpdate,
  listUpdates,
  setPagesOfUpdate,
} from '../../store/resources/announcement-updates.ts';
import {
  deleteAnnouncement,
  findAnnouncement,
  insertAnnouncement,
  listAnnouncements,
  updateAnnouncement,
  type AnnouncementRow,
} from '../../store/resources/announcements.ts';
import { insertMailings } from '../../store/resources/mailings.ts';
import { audit } from '../audit-log/entry.ts';
import { finderOf } from '../common/find.ts';
import { Findings, readBody, readQuery } from '../common/input.ts';
import { pageOf, pagingOf } from '../common/page.ts';
import { teamWriter } from '../common/team-writes.ts';
import {
  announcementCreateBody,
  announcementListQuery,
  announcementUpdateBody,
  checkState,
  isFinal,
  requireField,
  timesOf,
} from './input.ts';
import { checkLimit, checkMonitors, checkPages, replaceLinks } from './scope.ts';
import {
  announcementTarget,
  auditedAnnouncement,
  viewAnnouncement,
  viewWithUpdates,
} from './view.ts';
import type { Call } from '../common/operation.ts';

export interface AnnouncementDeps {
  database: Database;
  clock: Pick<Clock, 'now'>;
}

export const requireAnnouncement = finderOf('announcement', findAnnouncement);

/** Announcements of a team. Throws InvalidInput for a wrong body or query; ids of other teams are not found. */
export function createAnnouncementService({ database, clock }: AnnouncementDeps) {
  const write = teamWriter(database, 'editor');

  return {
    async listAnnouncements({ caller, query, address }: Call) {
      const {
        kind = null,
        state,
        status_page = null,
        ...wanted
      } = readQuery(announcementListQuery, query);
      const paging = pagingOf(wanted, 'started_at');
      const isOpen = state === undefined ? null : state === 'open';
      const filter = { kind, isOpen, pageId: status_page };
      const { rows, total } = await listAnnouncements(
        database.read,
        caller.team.id,
        filter,
        paging,
      );
      return pageOf(rows.map(viewAnnouncement), total, paging, address);
    },

    async getAnnouncement({ caller, id }: Call) {
      return shown(database.read, caller, id);
    },

    /** Creates an announcement with its first update. */
    createAnnouncement: ({ caller, body }: Call) =>
      write(caller, 'create', async (tx) => {
        const now = clock.now();
        const findings = new Findings();
        const input = readBody(announcementCreateBody, body, findings);
        const { title = null, text = null, monitors, status_pages: pages } = input;
        const kind = input.kind ?? 'incident';
        const state = input.state ?? (kind === 'maintenance' ? 'scheduled' : null);
        requireField('title', title, 'say in a few words what is affected', findings);
        requireField('text', text, 'say what visitors should know', findings);
        requireField('state', state, 'give one such as investigating', findings);
        requireField('status_pages', pages, 'name the pages that show it', findings);
        checkState(kind, state, findings);
        await checkPages(tx, caller, pages ?? [], findings);
        await checkMonitors(tx, caller, monitors ?? [], findings);
        const [starts, ends] = [input.starts_at ?? null, input.ends_at ?? null];
        const times = timesOf({ kind, state, starts, ends }, now, findings);
        await checkLimit(tx, caller, findings);
        findings.throwIfAny();
        const columns = {
          team_id: caller.team.id,
          kind,
          origin: 'person',
          title,
          impact: input.impact ?? (kind === 'maintenance' ? 'none' : 'minor'),
          state: state!,
          started_at: times.startedAt,
          ended_at: isFinal(state!) ? (times.endedAt ?? now) : null,
          planned_until: times.plannedUntil,
          person_id: caller.person.id,
        };
        const links = { monitors: monitors ?? [], incidents: [], pages: pages! };
        const id = await insertAnnouncement(tx, columns, links, now);
        const first = { announcementId: id, state: state!, body: text, pages: pages! };
        const written = { ...first, personId: caller.person.id };
        const updateId = await insertUpdate(tx, written, now);
        if (input.notify !== false) await insertMailings(tx, updateId, pages!, now);
        const row = await requireAnnouncement(tx, caller, id);
        const after = { ...auditedAnnouncement(row), state, text };
        await audit(tx, caller, { verb: 'created', target: announcementTarget(row), after }, now);
        return shown(tx, caller, id);
      }),

    /** Changes the fields that are present. */
    updateAnnouncement: ({ caller, id, body }: Call) =>
      write(caller, 'update', async (tx) => {
        const now = clock.now();
        const row = await requireAnnouncement(tx, caller, id);
        const findings = new Findings();
        const input = readBody(announcementUpdateBody, body, findings);
        const { title = row.title, impact, monitors, status_pages: pages } = input;
        if (monitors != null) await checkMonitors(tx, caller, monitors, findings, row.monitors);
        if (pages !== undefined) await checkPages(tx, caller, pages ?? [], findings);
        const links = { monitors: monitorsAfter(row, monitors), pages: pages ?? row.pages };
        if (title === null && links.monitors.length === 0)
          findings.add('title', 'must not be null without monitors whose names stand in for it');
        const times = changedTimes(row, input, now, findings);
        findings.throwIfAny();
        const columns = { title, impact: impact ?? row.impact, ...times };
        const isSame =
          columns.title === row.title &&
          columns.impact === row.impact &&
          times.started_at === row.started_at &&
          times.planned_until === row.planned_until &&
          isDeepStrictEqual(links.monitors.toSorted(ascending), row.monitors) &&
          isDeepStrictEqual(links.pages.toSorted(ascending), row.pages);
        if (isSame) return shown(tx, caller, id);
        await replaceLinks(tx, row, links, now);
        await followPages(tx, row, links.pages);
        await updateAnnouncement(tx, id, { ...columns, person_id: caller.person.id }, now);
        await record(tx, caller, row, now);
        return shown(tx, caller, id);
      }),

    /** Takes it off all pages for good. */
    async deleteAnnouncement({ caller, id }: Call) {
      await write(caller, 'delete', async (tx) => {
        const now = clock.now();
        const row = await requireAnnouncement(tx, caller, id);
        await deleteAnnouncement(tx, id, now);
        const before = auditedAnnouncement(row);
        await audit(tx, caller, { verb: 'deleted', target: announcementTarget(row), before }, now);
      });
    },
  };
}

/** An announcement as it is answered alone. */
export async function shown(db: Kysely<Schema>, caller: Caller, id: number) {
  const row = await requireAnnouncement(db, caller, id);
  return viewWithUpdates(row, await listUpdates(db, [id]));
}

/** Records a change of an announcement in the audit log. */
export async function record(
  tx: Transaction<Schema>,
  caller: Caller,
  before: AnnouncementRow,
  now: number,
): Promise<void> {
  const after = await requireAnnouncement(tx, caller, before.id);
  const change = {
    verb: 'updated',
    target: announcementTarget(after),
    before: auditedAnnouncement(before),
    after: auditedAnnouncement(after),
  };
  await audit(tx, caller, change, now);
}

const ascending = (a: number, b: number) => a - b;

const monitorsAfter = (row: AnnouncementRow, monitors: number[] | null | undefined) =>
  monitors === undefined ? row.monitors : (monitors ?? []);

/** Times after a change; those of a maintenance window and of an automatic incident are not set by people. */
function changedTimes(
  row: AnnouncementRow,
  input: { starts_at?: number | null | undefined; ends_at?: number | null | undefined },
  now: number,
  findings: Findings,
): Pick<AnnouncementRow, 'started_at' | 'planned_until'> {
  const { kind, origin, state } = row;
  for (const field of ['starts_at', 'ends_at'] as const) {
    if (input[field] == null) continue;
    if (origin !== 'person')
      findings.add(field, 'is that of the incident or maintenance window: change it there');
    else if (field === 'ends_at' && kind === 'incident')
      findings.add(field, 'is for maintenance only: an incident ends by an update');
  }
  if (findings.has('starts_at') || findings.has('ends_at') || origin !== 'person')
    return { started_at: row.started_at, planned_until: row.planned_until };
  const starts = input.starts_at ?? row.started_at;
  const ends = input.ends_at ?? row.planned_until;
  const times = timesOf({ kind, state, starts, ends }, now, findings);
  return { started_at: times.startedAt, planned_until: times.plannedUntil };
}

/** Shows the updates of an announcement on the pages that were added to it, and no longer on those that were removed. */
async function followPages(
  tx: Transaction<Schema>,
  row: AnnouncementRow,
  pages: readonly number[],
): Promise<void> {
  const added = pages.filter((id) => !row.pages.includes(id));
  for (const update of await listUpdates(tx, [row.id])) {
    const kept = update.pages.filter((id) => pages.includes(id));
    await setPagesOfUpdate(tx, update.id, [...kept, ...added]);
  }
}
