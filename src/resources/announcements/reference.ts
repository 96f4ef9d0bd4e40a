import { noun } from '../common/operation.ts';
import { createAnnouncementService } from './service.ts';
import { createPostMortemService } from './post-mortem.ts';
import { z } from 'zod';
import { pageExample, pageSchema } from '../common/page-reference.ts';
import { textOrNull, time } from '../common/reference-schemas.ts';
import {
  ANNOUNCEMENT_KINDS,
  announcementCreateBody,
  announcementListQuery,
  announcementUpdateBody,
  IMPACTS,
  ORIGINS,
  postMortemBody,
  STATES,
} from './input.ts';
import { EXAMPLE_UPDATE, update } from './updates-reference.ts';

const fields = {
  id: z.int(),
  kind: z.enum(ANNOUNCEMENT_KINDS),
  title: textOrNull.meta({
    description:
      'Null for one made of the names of the affected services, in the language of the page.',
  }),
  impact: z.enum(IMPACTS),
  started_at: time,
  planned_until: time.nullable().meta({ description: 'Planned end of maintenance.' }),
  monitors: z.array(z.int()).meta({ description: 'Affected monitors.' }),
  status_pages: z.array(z.int()).meta({ description: 'Pages that show it.' }),
  post_mortem: z
    .object({
      text: z.string(),
      published_at: time.nullable().meta({ description: 'Null while visitors do not see it.' }),
    })
    .nullable(),
  state: z.enum(STATES).meta({ description: 'That of its last update.' }),
  ended_at: time.nullable().meta({ description: 'Null while it is open.' }),
  origin: z.enum(ORIGINS).meta({
    description:
      '`automatic` from detected incidents, `window` from a maintenance window, `person` by a person.',
  }),
  incidents: z.array(z.int()).meta({ description: 'Incidents that it is about.' }),
  created_at: time,
  updated_at: time,
};

const announcement = z.object(fields).meta({
  id: 'Announcement',
  description: 'Messages for visitors of status pages about an incident or maintenance.',
});

const announcementDetail = z
  .object({ ...fields, updates: z.array(update).meta({ description: 'Newest first.' }) })
  .meta({ id: 'AnnouncementDetail', description: 'An announcement with its updates.' });

const PAYMENTS = {
  id: 1,
  kind: 'incident',
  title: 'Payments are slow',
  impact: 'minor',
  started_at: '2030-01-01T00:00:00.000Z',
  planned_until: null,
  monitors: [1],
  status_pages: [1],
  post_mortem: null,
  state: 'investigating',
  ended_at: null,
  origin: 'person',
  incidents: [],
  created_at: '2030-01-01T00:00:00.000Z',
  updated_at: '2030-01-01T00:00:00.000Z',
} as const;

const WITH_UPDATES = { ...PAYMENTS, updates: [EXAMPLE_UPDATE] };
const EXPLAINED = {
  text: 'A certificate of our bank had expired.',
  published_at: '2030-01-01T00:00:00.000Z',
};

export const announcements = noun('Announcements', createAnnouncementService, {
  listAnnouncements: {
    at: 'GET /announcements',
    summary: 'List announcements',
    description: 'By their beginning, newest first.',
    query: announcementListQuery,
    answer: pageSchema(announcement, 'AnnouncementPage'),
    example: {
      query: 'state=open',
      answer: pageExample('/announcements', [PAYMENTS]),
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
      answer: WITH_UPDATES,
    },
  },
  getAnnouncement: {
    at: 'GET /announcements/:id',
    summary: 'Get an announcement',
    answer: announcementDetail,
    example: { answer: WITH_UPDATES },
  },
  updateAnnouncement: {
    at: 'PUT /announcements/:id',
    summary: 'Update an announcement',
    description:
      'Changes only the given fields, and notifies nobody. The pages that are added show all its updates. From then on Tocsin leaves title, impact, monitors and pages of an automatic announcement alone. State and text change by updates.',
    body: announcementUpdateBody,
    answer: announcementDetail,
    example: {
      body: { impact: 'major' },
      answer: { ...WITH_UPDATES, impact: 'major' },
    },
  },
  deleteAnnouncement: {
    at: 'DELETE /announcements/:id',
    summary: 'Delete an announcement',
    description:
      'Takes it off all pages. Its incidents are not announced again by themselves; subscribers are not notified.',
  },
});

export const postMortems = noun('Announcements', createPostMortemService, {
  setPostMortem: {
    at: 'PUT /announcements/:id/post-mortem',
    summary: 'Write a post-mortem',
    description:
      'Visitors see it once it is published by `publish`, which the announcement must have ended for.',
    body: postMortemBody,
    answer: announcementDetail,
    example: {
      body: { text: EXPLAINED.text, publish: false },
      answer: { ...WITH_UPDATES, post_mortem: { ...EXPLAINED, published_at: null } },
    },
  },
  deletePostMortem: {
    at: 'DELETE /announcements/:id/post-mortem',
    summary: 'Delete a post-mortem',
  },
});
