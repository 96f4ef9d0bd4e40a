import { z } from 'zod';
import { noun, type Call } from '../common/operation.ts';
import { time } from '../common/reference-schemas.ts';
import { EXAMPLE_TIME, EXAMPLE_UPDATE, said, updateAnswer } from './announcement.ts';
import { createUpdates, updateCreateBody, updateEditBody, type Subject } from './updates.ts';

const updates = z
  .object({ total: z.int(), data: z.array(updateAnswer) })
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

const IDENTIFIED = { state: 'identified', text: 'A **certificate** has expired.' };
const EDITED = { text: 'Card payments take up to a minute.' };
const VERSION = {
  number: 1,
  state: EXAMPLE_UPDATE.state,
  text: EXAMPLE_UPDATE.text,
  status_pages: EXAMPLE_UPDATE.status_pages,
  replaced_by: 1,
  replaced_at: EXAMPLE_TIME,
};

const ENDING =
  'The state `resolved` ends the announcement, not the incident itself: use `POST /incidents/{id}/resolve` for that. Another state reopens an announcement that has ended.';
const TEMPLATE =
  'With `template_id`, the template stands in for a missing `state`, `text` and `title`. Subscribers of its pages are notified, unless `notify` is false.';

type Its = ReturnType<typeof createUpdates>;

/** The same operations below an incident and below an announcement, whose first update is another in the examples. */
function updateOperations(subject: Subject) {
  const isIncident = subject === 'incident';
  const [name, ofIncident] = isIncident
    ? ['IncidentUpdate', ' of an incident']
    : ['AnnouncementUpdate', ''];
  const existing = isIncident ? { ...EXAMPLE_UPDATE, id: 2, announcement_id: 2 } : EXAMPLE_UPDATE;
  const path = { update: existing.id };
  const list = `/${subject}s/:id/updates` as const;
  const handle = (operation: keyof Its) => (its: Its, call: Call) => its[operation](subject, call);
  return {
    [`list${name}s`]: {
      at: `GET ${list}` as const,
      summary: `List the updates of an ${subject}`,
      ...(isIncident && { description: 'Empty for an incident that no status page shows.' }),
      answer: updates,
      example: { answer: { total: 1, data: [existing] } },
      handle: handle('list'),
    },
    [`create${name}`]: {
      at: `POST ${list}` as const,
      summary: `Write an update ${isIncident ? 'about' : 'of'} an ${subject}`,
      description: `${isIncident ? 'Adds to the announcement of the incident, and creates it where there is none. ' : ''}${ENDING} ${TEMPLATE}`,
      body: updateCreateBody,
      answer: updateAnswer,
      example: { body: IDENTIFIED, answer: { ...existing, ...IDENTIFIED, id: 2 } },
      handle: handle('create'),
    },
    [`get${name}`]: {
      at: `GET ${list}/:update` as const,
      summary: `Get an update${ofIncident}`,
      answer: updateAnswer,
      example: { path, answer: existing },
      handle: handle('get'),
    },
    [`update${name}`]: {
      at: `PUT ${list}/:update` as const,
      summary: `Edit an update${ofIncident}`,
      description:
        'Changes only the given fields and keeps the former version. Subscribers are notified only of pages that are added.',
      body: updateEditBody,
      answer: updateAnswer,
      example: {
        path,
        body: EDITED,
        answer: { ...existing, ...EDITED, edited_at: EXAMPLE_TIME },
      },
      handle: handle('update'),
    },
    [`delete${name}`]: {
      at: `DELETE ${list}/:update` as const,
      summary: `Delete an update${ofIncident}`,
      description:
        'Hides it from visitors; its text stays among its versions. The only update of an announcement can only be deleted together with it.',
      example: { path },
      refusals: ['conflict' as const],
      handle: handle('delete'),
    },
    [`list${name}Versions`]: {
      at: `GET ${list}/:update/versions` as const,
      summary: `List former versions of an update${ofIncident}`,
      answer: versions,
      example: { path, answer: { total: 1, data: [VERSION] } },
      handle: handle('listVersions'),
    },
  };
}

/** Updates of announcements (contract 43). */
export const announcementUpdates = noun('Announcements', createUpdates, {
  ...updateOperations('incident'),
  ...updateOperations('announcement'),
});
