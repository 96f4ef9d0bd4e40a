import { isDeepStrictEqual } from 'node:util';
import type { Kysely, Transaction } from 'kysely';
import type { Caller } from '../../identity/caller.ts';
import type { Schema } from '../../store/database/schema.ts';
import {
  countUpdates,
  editUpdate,
  findUpdate,
  hideUpdate,
  insertUpdate,
  listUpdates,
  listUpdateVersions,
  type UpdateRow,
} from '../../store/resources/announcement-updates.ts';
import {
  announcementOfIncident,
  linkAnnouncement,
  updateAnnouncement,
  type AnnouncementRow,
} from '../../store/resources/announcements.ts';
import { findIncident } from '../../store/resources/incidents.ts';
import { insertMailings } from '../../store/resources/mailings.ts';
import { audit } from '../audit-log/entry.ts';
import { authorize, notFound, Problem } from '../common/errors.ts';
import { finderOf } from '../common/find.ts';
import { Findings, readBody } from '../common/input.ts';
import { teamWriter } from '../common/team-writes.ts';
import { announceIncident, pagesOfIncident, type Subject } from './incident.ts';
import { checkState, requireField, updateCreateBody, updateEditBody } from './input.ts';
import { checkPages, followLastUpdate } from './scope.ts';
import { requireAnnouncement, type AnnouncementDeps } from './service.ts';
import { filledTemplate } from './template.ts';
import { announcementTarget, auditedUpdate, viewUpdate, viewVersion } from './view.ts';

/** Maximum number of updates of an announcement, deleted ones included: its page shows all of them. */
const MAX_UPDATES = 500;

const requireIncident = finderOf('incident', findIncident);

/** Updates of announcements. Throws InvalidInput for a wrong body; ids of other teams are not found. */
export function createUpdateService({ database, clock }: AnnouncementDeps) {
  const write = teamWriter(database, 'editor');

  return {
    async list(caller: Caller, subject: Subject) {
      authorize(caller, 'read');
      const announcement = await announcementOf(database.read, caller, subject);
      const rows = announcement === null ? [] : await listUpdates(database.read, [announcement.id]);
      return { total: rows.length, data: rows.toReversed().map(viewUpdate) };
    },

    async get(caller: Caller, subject: Subject, id: number) {
      authorize(caller, 'read');
      return viewUpdate((await mustFind(database.read, caller, subject, id)).update);
    },

    /** Writes an update. The first one of an incident makes its announcement. */
    create: (caller: Caller, subject: Subject, body: unknown) =>
      write(caller, 'create', async (tx) => {
        const now = clock.now();
        const found = await announcementOf(tx, caller, subject);
        const findings = new Findings();
        const sent = readBody(updateCreateBody, body, findings);
        const template = await filledTemplate(tx, caller, sent.template_id ?? null, findings, () =>
          monitorsOf(tx, caller, subject, found),
        );
        const state = sent.state ?? template?.state ?? null;
        const text = sent.text ?? template?.text ?? null;
        const title = sent.title ?? template?.title ?? undefined;
        requireField('state', state, 'give one such as investigating', findings);
        requireField('text', text, 'say what visitors should know', findings);
        checkState(found?.kind ?? 'incident', state, findings);
        const byDefault = found?.pages ?? (await pagesOfIncident(tx, caller, subject));
        const pages = sent.status_pages ?? byDefault;
        if (sent.status_pages == null && pages.length === 0)
          findings.add('status_pages', 'is required: no status page shows this yet');
        else await checkPages(tx, caller, pages, findings);
        if (found !== null && (await countUpdates(tx, found.id)) >= MAX_UPDATES)
          findings.add('updates', `must not be more than ${MAX_UPDATES} of one announcement`);
        findings.throwIfAny();
        const announcement =
          found ?? (await announceIncident(tx, caller, subject, { pages, state: state! }, now));
        const personId = caller.person.id;
        await setByPerson(tx, announcement, { title, impact: sent.impact, pages, personId }, now);
        const update = { announcementId: announcement.id, state: state!, body: text, pages };
        const id = await insertUpdate(tx, { ...update, personId }, now);
        if (sent.notify !== false) await insertMailings(tx, id, pages, now);
        await followLastUpdate(tx, announcement, now);
        const written = (await findUpdate(tx, announcement.id, id))!;
        await record(tx, caller, { announcement, verb: 'update_added', after: written }, now);
        return viewUpdate(written);
      }),

    /** Changes the fields that are present and keeps the former version. */
    update: (caller: Caller, subject: Subject, id: number, body: unknown) =>
      write(caller, 'update', async (tx) => {
        const now = clock.now();
        const { announcement, update } = await mustFind(tx, caller, subject, id);
        const findings = new Findings();
        const sent = readBody(updateEditBody, body, findings);
        const edit = {
          state: sent.state ?? update.state,
          body: sent.text === undefined ? update.body : sent.text,
          pages: sent.status_pages === undefined ? update.pages : (sent.status_pages ?? []),
        };
        if (sent.state === null) findings.add('state', 'must not be null');
        if (sent.text === null) findings.add('text', 'must not be null');
        checkState(announcement.kind, edit.state, findings);
        if (sent.status_pages !== undefined) await checkPages(tx, caller, edit.pages, findings);
        findings.throwIfAny();
        const { state, body: text, pages } = update;
        if (isDeepStrictEqual(edit, { state, body: text, pages })) return viewUpdate(update);
        await editUpdate(tx, update, { ...edit, personId: caller.person.id }, now);
        const added = edit.pages.filter((page) => !pages.includes(page));
        await setByPerson(tx, announcement, { pages: added, personId: caller.person.id }, now);
        await insertMailings(tx, id, added, now);
        await followLastUpdate(tx, announcement, now);
        const after = (await findUpdate(tx, announcement.id, id))!;
        const change = { announcement, verb: 'update_edited', before: update, after };
        await record(tx, caller, change, now);
        return viewUpdate(after);
      }),

    /** Hides an update and keeps its versions. Throws `conflict` for the only one. */
    async delete(caller: Caller, subject: Subject, id: number) {
      await write(caller, 'delete', async (tx) => {
        const now = clock.now();
        const { announcement, update } = await mustFind(tx, caller, subject, id);
        if ((await listUpdates(tx, [announcement.id])).length === 1) throw isOnlyOne();
        await hideUpdate(tx, update, caller.person.id, now);
        await followLastUpdate(tx, announcement, now);
        const change = { announcement, verb: 'update_deleted', before: update };
        await record(tx, caller, change, now);
      });
    },

    async listVersions(caller: Caller, subject: Subject, id: number) {
      authorize(caller, 'read');
      const announcement = await announcementOf(database.read, caller, subject);
      const update = announcement && (await findUpdate(database.read, announcement.id, id));
      if (!update) throw notFound('update');
      const rows = await listUpdateVersions(database.read, id);
      return { total: rows.length, data: rows.map(viewVersion) };
    },
  };
}

/**
 * Stores the title and impact that came with an update, and adds its pages. An announcement that is changed by this
 * belongs to the person from then on: the publisher leaves its title, impact and pages alone (contract 43.32).
 */
async function setByPerson(
  tx: Transaction<Schema>,
  announcement: AnnouncementRow,
  sent: {
    title?: string | undefined;
    impact?: AnnouncementRow['impact'] | null | undefined;
    pages: readonly number[];
    personId: number;
  },
  now: number,
): Promise<void> {
  const { title, impact, pages, personId } = sent;
  await linkAnnouncement(tx, announcement.id, { pages }, now);
  const isChanged =
    title !== undefined || impact || pages.some((page) => !announcement.pages.includes(page));
  const columns = {
    ...(title !== undefined && { title }),
    ...(impact && { impact }),
    ...(isChanged && { person_id: personId }),
  };
  await updateAnnouncement(tx, announcement.id, columns, now);
}

/** Finds an update that is not deleted, with its announcement. */
async function mustFind(db: Kysely<Schema>, caller: Caller, subject: Subject, id: number) {
  const announcement = await announcementOf(db, caller, subject);
  const update = announcement && (await findUpdate(db, announcement.id, id));
  if (!announcement || !update || update.deleted_at !== null) throw notFound('update');
  return { announcement, update };
}

/** The announcement of a subject; null for an incident without one. Throws `not_found` for an unknown subject. */
async function announcementOf(
  db: Kysely<Schema>,
  caller: Caller,
  subject: Subject,
): Promise<AnnouncementRow | null> {
  if ('announcementId' in subject) return requireAnnouncement(db, caller, subject.announcementId);
  await requireIncident(db, caller, subject.incidentId);
  const found = await announcementOfIncident(db, subject.incidentId);
  return found === null || found.isDeleted ? null : requireAnnouncement(db, caller, found.id);
}

/** The monitors that an update is about. */
async function monitorsOf(
  db: Kysely<Schema>,
  caller: Caller,
  subject: Subject,
  announcement: AnnouncementRow | null,
): Promise<number[]> {
  if (announcement !== null) return announcement.monitors;
  if (!('incidentId' in subject)) return [];
  return [(await requireIncident(db, caller, subject.incidentId)).monitor_id];
}

const recorded = (row: UpdateRow) => ({ update_id: row.id, ...auditedUpdate(row) });

async function record(
  tx: Transaction<Schema>,
  caller: Caller,
  change: { announcement: AnnouncementRow; verb: string; before?: UpdateRow; after?: UpdateRow },
  now: number,
): Promise<void> {
  const { announcement, verb, before, after } = change;
  await audit(
    tx,
    caller,
    {
      verb,
      target: announcementTarget(announcement),
      ...(before !== undefined && { before: recorded(before) }),
      ...(after !== undefined && { after: recorded(after) }),
    },
    now,
  );
}

function isOnlyOne(): Problem {
  return new Problem(
    'conflict',
    'This is the only update of its announcement: edit it, or delete the announcement.',
  );
}
