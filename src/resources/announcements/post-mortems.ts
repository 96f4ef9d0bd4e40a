import { z } from 'zod';
import { text, yesOrNo } from '../../lib/schemas.ts';
import { MAX_POST_MORTEM } from '../../status-page/facts/model.ts';
import { announcementChanges } from '../../store/resources/announcements.ts';
import type { CollectionDeps } from '../common/collection.ts';
import { notFound } from '../common/errors.ts';
import { Findings, readBody } from '../common/input.ts';
import { noun, type Call } from '../common/operation.ts';
import { teamWriter } from '../common/team-writes.ts';
import {
  announcementDetail,
  EXAMPLE_DETAIL,
  recordEdit,
  requireAnnouncement,
  showAnnouncement,
} from './announcement.ts';
import { MARKDOWN, requireField } from './input.ts';

const postMortemBody = z.object({
  text: text(MAX_POST_MORTEM).nullish().meta({ description: MARKDOWN }),
  publish: yesOrNo()
    .nullish()
    .meta({ description: 'True shows it on the pages, false hides it. Hidden by default.' }),
});

function createPostMortems({ database, clock }: CollectionDeps) {
  const write = teamWriter(database, 'editor');

  return {
    setPostMortem: ({ caller, id, body }: Call) =>
      write(caller, 'update', async (tx) => {
        const now = clock.now();
        const row = await requireAnnouncement(tx, caller, id);
        const findings = new Findings();
        const input = readBody(postMortemBody, body, findings);
        const post_mortem = input.text ?? row.post_mortem;
        requireField('text', post_mortem, 'write the post-mortem', findings);
        const isPublished = input.publish ?? row.post_mortem_at !== null;
        if (isPublished && row.ended_at === null)
          findings.add('publish', 'must be false until the announcement has ended');
        findings.throwIfAny();
        const post_mortem_at = isPublished ? (row.post_mortem_at ?? now) : null;
        if (post_mortem !== row.post_mortem || post_mortem_at !== row.post_mortem_at) {
          await announcementChanges(tx).update(id, { post_mortem, post_mortem_at }, now);
          await recordEdit(tx, caller, row, now);
        }
        return showAnnouncement(tx, caller, id);
      }),

    deletePostMortem: ({ caller, id }: Call) =>
      write(caller, 'delete', async (tx) => {
        const now = clock.now();
        const row = await requireAnnouncement(tx, caller, id);
        if (row.post_mortem === null) throw notFound('post-mortem');
        await announcementChanges(tx).update(id, { post_mortem: null, post_mortem_at: null }, now);
        await recordEdit(tx, caller, row, now);
      }),
  };
}

const EXAMPLE_TEXT = 'A certificate of our bank had expired.';

/** What a team explains about an announcement once it has ended (contract 43.11). */
export const postMortems = noun('Announcements', createPostMortems, {
  setPostMortem: {
    at: 'PUT /announcements/:id/post-mortem',
    summary: 'Write a post-mortem',
    description:
      'Visitors see it once it is published by `publish`, which the announcement must have ended for.',
    body: postMortemBody,
    answer: announcementDetail,
    example: {
      body: { text: EXAMPLE_TEXT, publish: false },
      answer: { ...EXAMPLE_DETAIL, post_mortem: { text: EXAMPLE_TEXT, published_at: null } },
    },
  },
  deletePostMortem: {
    at: 'DELETE /announcements/:id/post-mortem',
    summary: 'Delete a post-mortem',
  },
});
