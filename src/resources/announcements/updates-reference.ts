import { noun } from '../common/operation.ts';
import { createUpdateService } from './updates.ts';
import { z } from 'zod';
import { textOrNull, time } from '../common/reference-schemas.ts';
import { STATES, updateCreateBody, updateEditBody } from './input.ts';

const said = {
  state: z.enum(STATES),
  text: textOrNull.meta({
    description:
      'Markdown; null for an automatic update, which pages show in words of their language.',
  }),
  status_pages: z.array(z.int()).meta({ description: 'Pages that show it.' }),
};

export const update = z
  .object({
    id: z.int(),
    announcement_id: z.int(),
    ...said,
    user_id: z.int().nullable().meta({ description: 'Author; null for an automatic update.' }),
    edited_at: time.nullable(),
    created_at: time,
  })
  .meta({ id: 'AnnouncementUpdate', description: 'Update of an announcement.' });

const updates = z
  .object({ total: z.int(), data: z.array(update) })
  .meta({ id: 'AnnouncementUpdateList', description: 'Updates, newest first.' });

const versions = z
  .object({
    total: z.int(),
    data: z.array(
      z.object({
        number: z.int().meta({ description: 'From 1, the oldest.' }),
        ...said,
        replaced_by: z.int().nullable().meta({ description: 'Id of a user.' }),
        replaced_at: time,
      }),
    ),
  })
  .meta({ id: 'AnnouncementUpdateVersions', description: 'Former versions, oldest first.' });

export const EXAMPLE_UPDATE = {
  id: 1,
  announcement_id: 1,
  state: 'investigating',
  text: 'We are looking into slow payments.',
  status_pages: [1],
  user_id: 1,
  edited_at: null,
  created_at: '2030-01-01T00:00:00.000Z',
};

const IDENTIFIED = {
  ...EXAMPLE_UPDATE,
  id: 2,
  state: 'identified',
  text: 'A **certificate** has expired.',
};
const EDITED = {
  ...EXAMPLE_UPDATE,
  text: 'Card payments take up to a minute.',
  edited_at: '2030-01-01T00:00:00.000Z',
};
const VERSION = {
  number: 1,
  state: 'investigating',
  text: 'We are looking into slow payments.',
  status_pages: [1],
  replaced_by: 1,
  replaced_at: '2030-01-01T00:00:00.000Z',
};

const ENDING =
  'The state `resolved` ends the announcement, not the incident itself: use `POST /incidents/{id}/resolve` for that. Another state reopens an announcement that has ended.';
const TEMPLATE =
  'With `template_id`, the template stands in for a missing `state`, `text` and `title`. Subscribers of its pages are notified, unless `notify` is false.';

/** Operations on updates of one kind of subject. @param incident whether the subject is an incident. */
function updateOperations(example: { isIncident: boolean }) {
  const path = { update: 1 };
  const [made, edited] = example.isIncident
    ? [
        { ...IDENTIFIED, announcement_id: 2 },
        { ...EDITED, id: 2, announcement_id: 2 },
      ]
    : [IDENTIFIED, EDITED];
  const existing = example.isIncident
    ? { ...EXAMPLE_UPDATE, id: 2, announcement_id: 2 }
    : EXAMPLE_UPDATE;
  const one = example.isIncident ? { update: 2 } : path;
  return {
    list: {
      answer: updates,
      example: { answer: { total: 1, data: [existing] } },
    },
    create: {
      body: updateCreateBody,
      answer: update,
      example: {
        body: { state: 'identified', text: 'A **certificate** has expired.' },
        answer: made,
      },
    },
    get: { answer: update, example: { path: one, answer: existing } },
    edit: {
      description:
        'Changes only the given fields and keeps the former version. Subscribers are notified only of pages that are added.',
      body: updateEditBody,
      answer: update,
      example: { path: one, body: { text: edited.text }, answer: edited },
    },
    delete: {
      description:
        'Hides it from visitors; its text stays among its versions. The only update of an announcement can only be deleted together with it.',
      example: { path: one },
      refusals: ['conflict' as const],
    },
    versions: {
      answer: versions,
      example: { path: one, answer: { total: 1, data: [VERSION] } },
    },
  };
}

const ofIncident = updateOperations({ isIncident: true });
const ofAnnouncement = updateOperations({ isIncident: false });

export const announcementUpdates = noun('Announcements', createUpdateService, {
  listIncidentUpdates: {
    at: 'GET /incidents/:id/updates',
    summary: 'List the updates of an incident',
    description: 'Empty for an incident that no status page shows.',
    ...ofIncident.list,
    handle: (its, { caller, id }) => its.list(caller, { incidentId: id }),
  },
  createIncidentUpdate: {
    at: 'POST /incidents/:id/updates',
    summary: 'Write an update about an incident',
    description: `Adds to the announcement of the incident, and creates it where there is none. ${ENDING} ${TEMPLATE}`,
    ...ofIncident.create,
    handle: (its, { caller, id, body }) => its.create(caller, { incidentId: id }, body),
  },
  getIncidentUpdate: {
    at: 'GET /incidents/:id/updates/:update',
    summary: 'Get an update of an incident',
    ...ofIncident.get,
    handle: (its, { caller, id, idOf }) => its.get(caller, { incidentId: id }, idOf('update')),
  },
  updateIncidentUpdate: {
    at: 'PUT /incidents/:id/updates/:update',
    summary: 'Edit an update of an incident',
    ...ofIncident.edit,
    handle: (its, { caller, id, idOf, body }) =>
      its.update(caller, { incidentId: id }, idOf('update'), body),
  },
  deleteIncidentUpdate: {
    at: 'DELETE /incidents/:id/updates/:update',
    summary: 'Delete an update of an incident',
    ...ofIncident.delete,
    handle: (its, { caller, id, idOf }) => its.delete(caller, { incidentId: id }, idOf('update')),
  },
  listIncidentUpdateVersions: {
    at: 'GET /incidents/:id/updates/:update/versions',
    summary: 'List former versions of an update of an incident',
    ...ofIncident.versions,
    handle: (its, { caller, id, idOf }) =>
      its.listVersions(caller, { incidentId: id }, idOf('update')),
  },
  listAnnouncementUpdates: {
    at: 'GET /announcements/:id/updates',
    summary: 'List the updates of an announcement',
    ...ofAnnouncement.list,
    handle: (its, { caller, id }) => its.list(caller, { announcementId: id }),
  },
  createAnnouncementUpdate: {
    at: 'POST /announcements/:id/updates',
    summary: 'Write an update of an announcement',
    description: `${ENDING} ${TEMPLATE}`,
    ...ofAnnouncement.create,
    handle: (its, { caller, id, body }) => its.create(caller, { announcementId: id }, body),
  },
  getAnnouncementUpdate: {
    at: 'GET /announcements/:id/updates/:update',
    summary: 'Get an update',
    ...ofAnnouncement.get,
    handle: (its, { caller, id, idOf }) => its.get(caller, { announcementId: id }, idOf('update')),
  },
  updateAnnouncementUpdate: {
    at: 'PUT /announcements/:id/updates/:update',
    summary: 'Edit an update',
    ...ofAnnouncement.edit,
    handle: (its, { caller, id, idOf, body }) =>
      its.update(caller, { announcementId: id }, idOf('update'), body),
  },
  deleteAnnouncementUpdate: {
    at: 'DELETE /announcements/:id/updates/:update',
    summary: 'Delete an update',
    ...ofAnnouncement.delete,
    handle: (its, { caller, id, idOf }) =>
      its.delete(caller, { announcementId: id }, idOf('update')),
  },
  listAnnouncementUpdateVersions: {
    at: 'GET /announcements/:id/updates/:update/versions',
    summary: 'List former versions of an update',
    ...ofAnnouncement.versions,
    handle: (its, { caller, id, idOf }) =>
      its.listVersions(caller, { announcementId: id }, idOf('update')),
  },
});
