import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Caller } from '../../identity/caller.ts';
import { wholeNumber } from '../../lib/schemas.ts';
import { canonicalHostOf } from '../../lib/url-host.ts';
import { impactOf } from '../../status-page/publisher/decide-incidents.ts';
import { countRows, updateRow, findRow } from '../../store/database/rows.ts';
import type { Db, Tx } from '../../store/database/contract.ts';
import {
  listUpdates,
  withPages,
  type AnnouncementRow,
  type UpdateRow,
  announcementChanges,
} from '../../store/resources/announcements.ts';
import { findIncident } from '../../store/resources/incidents.ts';
import { insertMailings } from '../../store/resources/mailings.ts';
import { namesOfMonitors, pagesOfMonitor } from '../../store/resources/publishing.ts';
import { recordChange } from '../common/change.ts';
import type { CollectionDeps } from '../common/collection.ts';
import { notFound, Problem } from '../common/errors.ts';
import { finderOf } from '../common/find.ts';
import { Findings, readBody } from '../common/input.ts';
import type { Call } from '../common/operation.ts';
import { teamWriter } from '../common/team-writes.ts';
import { isoTime } from '../common/time.ts';
import { updateTemplates } from '../update-templates.ts';
import {
  auditedUpdate,
  checkPages,
  followLastUpdate,
  requireAnnouncement,
  targetOf,
  viewUpdate,
} from './announcement.ts';
import { checkState, fields, requireField } from './input.ts';

/** Stands for the names of the affected services in a template. */
const SERVICES_PLACEHOLDER = '{services}';
/** Maximum number of updates of an announcement, deleted ones included: its page shows all of them. */
const MAX_UPDATES = 500;

const shared = {
  state: fields.state,
  text: fields.text,
  status_pages: fields.status_pages.meta({
    description:
      'Pages that show the update. By default those of the announcement; of a new one all pages that show the monitor.',
  }),
};

export const updateCreateBody = z.object({
  ...shared,
  title: fields.title.meta({ description: 'Sets the title of the announcement.' }),
  impact: fields.impact.meta({ description: 'Sets the impact of the announcement.' }),
  template_id: wholeNumber(1, Number.MAX_SAFE_INTEGER, 'the id of an update template of your team,')
    .nullish()
    .meta({ description: 'Template whose state, text and title stand in for missing ones.' }),
  notify: fields.notify,
});

export const updateEditBody = z.object(shared);

/** What the updates in a path belong to. */
export type Subject = 'incident' | 'announcement';

const requireIncident = finderOf('incident', findIncident);

/** Updates of announcements, which an incident has where there is one of it. */
export function createUpdates({ database, clock }: CollectionDeps) {
  const write = teamWriter(database, 'editor');

  return {
    async list(subject: Subject, { caller, id }: Call) {
      const found = await announcementOf(database.read, caller, subject, id);
      const rows = found === null ? [] : await listUpdates(database.read, [found.id]);
      return { total: rows.length, data: rows.toReversed().map(viewUpdate) };
    },

    async get(subject: Subject, call: Call) {
      return viewUpdate((await findShown(database.read, subject, call)).update);
    },

    /** Writes an update. The first one of an incident makes its announcement. */
    create: (subject: Subject, { caller, id: subjectId, body }: Call) =>
      write(caller, 'create', async (tx) => {
        const now = clock.now();
        const found = await announcementOf(tx, caller, subject, subjectId);
        const incident = found ? null : await requireIncident(tx, caller, subjectId);
        const findings = new Findings();
        const sent = readBody(updateCreateBody, body, findings);
        const monitors = found?.monitors ?? [incident!.monitor_id];
        const template = await filledTemplate(
          tx,
          caller,
          { id: sent.template_id ?? null, monitors },
          findings,
        );
        const state = sent.state ?? template?.state ?? null;
        const text = sent.text ?? template?.text ?? null;
        const title = sent.title ?? template?.title ?? undefined;
        requireField('state', state, 'give one such as investigating', findings);
        requireField('text', text, 'say what visitors should know', findings);
        checkState(found?.kind ?? 'incident', state, findings);
        const pages =
          sent.status_pages ??
          found?.pages ??
          (await pagesOfMonitor(tx, caller.team.id, incident!.monitor_id));
        if (sent.status_pages == null && pages.length === 0)
          findings.add('status_pages', 'is required: no status page shows this yet');
        else await checkPages(tx, caller, pages, findings);
        if (found !== null && (await countUpdates(tx, found.id)) >= MAX_UPDATES)
          findings.add('updates', `must not be more than ${MAX_UPDATES} of one announcement`);
        findings.throwIfAny();
        const personId = caller.person.id;
        const announcement =
          found ?? (await announceIncident(tx, caller, incident!, { pages, state: state! }, now));
        await setByPerson(tx, announcement, { title, impact: sent.impact, pages, personId }, now);
        const update = { announcementId: announcement.id, state: state!, body: text, pages };
        const id = await announcementChanges(tx).insertUpdate({ ...update, personId }, now);
        if (sent.notify !== false) await insertMailings(tx, id, pages, now);
        await followLastUpdate(tx, announcement, now);
        const after = (await findUpdate(tx, announcement.id, id))!;
        const named = { ...announcement, title: title ?? announcement.title };
        await record(tx, caller, { announcement: named, verb: 'update_added', after }, now);
        return viewUpdate(after);
      }),

    /** Changes the fields that are present and keeps the former version. */
    update: (subject: Subject, call: Call) =>
      write(call.caller, 'update', async (tx) => {
        const { caller, body } = call;
        const now = clock.now();
        const { announcement, update } = await findShown(tx, subject, call);
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
        const { id, state, body: text, pages } = update;
        if (isDeepStrictEqual(edit, { state, body: text, pages })) return viewUpdate(update);
        const personId = caller.person.id;
        await keepVersion(tx, update, personId, now);
        await updateRow(tx, 'announcement_update', id, {
          state: edit.state,
          body: edit.body,
          status_pages: JSON.stringify(edit.pages),
          edited_at: now,
        });
        const added = edit.pages.filter((page) => !pages.includes(page));
        await setByPerson(tx, announcement, { pages: added, personId }, now);
        await insertMailings(tx, id, added, now);
        await followLastUpdate(tx, announcement, now);
        const after = (await findUpdate(tx, announcement.id, id))!;
        const change = { announcement, verb: 'update_edited', before: update, after };
        await record(tx, caller, change, now);
        return viewUpdate(after);
      }),

    /** Hides an update and keeps its versions. Throws `conflict` for the only one. */
    delete: (subject: Subject, call: Call) =>
      write(call.caller, 'delete', async (tx) => {
        const { caller } = call;
        const now = clock.now();
        const { announcement, update } = await findShown(tx, subject, call);
        if ((await listUpdates(tx, [announcement.id])).length === 1)
          throw new Problem(
            'conflict',
            'This is the only update of its announcement: edit it, or delete the announcement.',
          );
        await keepVersion(tx, update, caller.person.id, now);
        await updateRow(tx, 'announcement_update', update.id, { deleted_at: now });
        await followLastUpdate(tx, announcement, now);
        const change = { announcement, verb: 'update_deleted', before: update };
        await record(tx, caller, change, now);
      }),

    /** Deleted updates have versions too. */
    async listVersions(subject: Subject, call: Call) {
      const { update } = await findOne(database.read, subject, call);
      const rows = await database.read
        .selectFrom('announcement_update_version')
        .selectAll()
        .where('update_id', '=', update.id)
        .orderBy('number')
        .execute();
      const data = rows.map(withPages).map((row) => ({
        number: row.number,
        ...auditedUpdate(row),
        replaced_by: row.person_id,
        replaced_at: isoTime(row.at),
      }));
      return { total: data.length, data };
    },
  };
}

/** The announcement of a subject; null for an incident without one. Throws `not_found` for an unknown subject. */
async function announcementOf(db: Db, caller: Caller, subject: Subject, id: number) {
  if (subject === 'announcement') return requireAnnouncement(db, caller, id);
  await requireIncident(db, caller, id);
  const found = await db
    .selectFrom('announcement_incident')
    .innerJoin('announcement', 'announcement.id', 'announcement_incident.announcement_id')
    .select(['announcement.id', 'announcement.deleted_at'])
    .where('announcement_incident.incident_id', '=', id)
    .executeTakeFirst();
  return found?.deleted_at === null ? requireAnnouncement(db, caller, found.id) : null;
}

/** Deleted updates are found. */
async function findUpdate(db: Db, announcementId: number, id: number) {
  const row = await findRow(db, 'announcement_update', { announcement_id: announcementId, id });
  return row && withPages(row);
}

/** Finds the update in a path with its announcement. */
async function findOne(db: Db, subject: Subject, { caller, id, idOf }: Call) {
  const announcement = await announcementOf(db, caller, subject, id);
  const update = announcement && (await findUpdate(db, announcement.id, idOf('update')));
  if (!announcement || !update) throw notFound('update');
  return { announcement, update };
}

/** As `findOne`, and not deleted. */
async function findShown(db: Db, subject: Subject, call: Call) {
  const found = await findOne(db, subject, call);
  if (found.update.deleted_at !== null) throw notFound('update');
  return found;
}

/** Number of updates of an announcement, deleted ones included. */
const countUpdates = (db: Db, announcementId: number) =>
  countRows(db.selectFrom('announcement_update').where('announcement_id', '=', announcementId));

async function keepVersion(
  tx: Tx,
  { id, state, body, pages }: UpdateRow,
  personId: number,
  now: number,
): Promise<void> {
  const { newest } = await tx
    .selectFrom('announcement_update_version')
    .select((select) => select.fn.max<number | null>('number').as('newest'))
    .where('update_id', '=', id)
    .executeTakeFirstOrThrow();
  const version = { update_id: id, number: (newest ?? 0) + 1, state, body };
  await tx
    .insertInto('announcement_update_version')
    .values({ ...version, status_pages: JSON.stringify(pages), person_id: personId, at: now })
    .execute();
}

/**
 * State, title and text of a template for an update about these monitors, with their names; null without an id. Reports
 * an unknown one.
 */
async function filledTemplate(
  db: Db,
  caller: Caller,
  { id, monitors }: { id: number | null; monitors: readonly number[] },
  findings: Findings,
): Promise<{ state: string; title: string | null; text: string } | null> {
  if (id === null) return null;
  const row = await updateTemplates.rows.find(db, caller.team.id, id);
  if (row === undefined) {
    findings.add('template_id', 'must be the id of an update template of your team');
    return null;
  }
  const { state, title, text } = row;
  if (![title, text].some((one) => one?.includes(SERVICES_PLACEHOLDER)))
    return { state, title, text };
  const names = (await namesOfMonitors(db, monitors)).map(
    ({ friendly_name, url }) => friendly_name ?? canonicalHostOf(url) ?? '',
  );
  const services = names.filter((name) => name !== '').join(', ');
  const fill = (one: string) => one.replaceAll(SERVICES_PLACEHOLDER, () => services);
  return { state, title: title === null ? null : fill(title), text: fill(text) };
}

/** Creates the announcement of an incident, without an update. A deleted one of this incident is given up. */
async function announceIncident(
  tx: Tx,
  caller: Caller,
  incident: Awaited<ReturnType<typeof requireIncident>>,
  { pages, state }: { pages: readonly number[]; state: string },
  now: number,
): Promise<AnnouncementRow> {
  await tx.deleteFrom('announcement_incident').where('incident_id', '=', incident.id).execute();
  const columns = {
    team_id: caller.team.id,
    kind: 'incident',
    origin: 'person',
    title: null,
    impact: impactOf(incident.severity),
    state,
    started_at: incident.started_at,
    person_id: caller.person.id,
  };
  const links = { monitors: [incident.monitor_id], incidents: [incident.id], pages };
  return requireAnnouncement(tx, caller, await announcementChanges(tx).insert(columns, links, now));
}

/**
 * Stores the title and impact that came with an update, and adds its pages. An announcement that is changed by this
 * belongs to the person from then on: the publisher leaves its title, impact and pages alone (contract 43.32).
 */
async function setByPerson(
  tx: Tx,
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
  await announcementChanges(tx).link(announcement.id, { pages }, now);
  const isChanged =
    title !== undefined || impact || pages.some((page) => !announcement.pages.includes(page));
  const columns = {
    ...(title !== undefined && { title }),
    ...(impact && { impact }),
    ...(isChanged && { person_id: personId }),
  };
  await announcementChanges(tx).update(announcement.id, columns, now);
}

const recorded = (row: UpdateRow) => ({ update_id: row.id, ...auditedUpdate(row) });

async function record(
  tx: Tx,
  caller: Caller,
  change: { announcement: AnnouncementRow; verb: string; before?: UpdateRow; after?: UpdateRow },
  now: number,
): Promise<void> {
  const { announcement, verb, before, after } = change;
  const sides = {
    ...(before !== undefined && { before: recorded(before) }),
    ...(after !== undefined && { after: recorded(after) }),
  };
  const target = await targetOf(tx, announcement);
  await recordChange(tx, caller, { verb, target, ...sides }, now);
}
