import { updateAnnouncement } from '../../store/resources/announcements.ts';
import { notFound } from '../common/errors.ts';
import { Findings, readBody } from '../common/input.ts';
import { teamWriter } from '../common/team-writes.ts';
import { postMortemBody, requireField } from './input.ts';
import { record, requireAnnouncement, shown, type AnnouncementDeps } from './service.ts';
import type { Call } from '../common/operation.ts';

/** Post-mortems of announcements. Throws InvalidInput for a wrong body; ids of other teams are not found. */
export function createPostMortemService({ database, clock }: AnnouncementDeps) {
  const write = teamWriter(database, 'editor');

  return {
    /** Writes the post-mortem of an announcement, and shows or hides it. */
    setPostMortem: ({ caller, id, body }: Call) =>
      write(caller, 'update', async (tx) => {
        const now = clock.now();
        const row = await requireAnnouncement(tx, caller, id);
        const findings = new Findings();
        const input = readBody(postMortemBody, body, findings);
        const text = input.text ?? row.post_mortem;
        requireField('text', text, 'write the post-mortem', findings);
        const isPublished = input.publish ?? row.post_mortem_at !== null;
        if (isPublished && row.ended_at === null)
          findings.add('publish', 'must be false until the announcement has ended');
        findings.throwIfAny();
        const at = isPublished ? (row.post_mortem_at ?? now) : null;
        if (text === row.post_mortem && at === row.post_mortem_at) return shown(tx, caller, id);
        await updateAnnouncement(tx, id, { post_mortem: text, post_mortem_at: at }, now);
        await record(tx, caller, row, now);
        return shown(tx, caller, id);
      }),

    async deletePostMortem({ caller, id }: Call) {
      await write(caller, 'delete', async (tx) => {
        const now = clock.now();
        const row = await requireAnnouncement(tx, caller, id);
        if (row.post_mortem === null) throw notFound('post-mortem');
        await updateAnnouncement(tx, id, { post_mortem: null, post_mortem_at: null }, now);
        await record(tx, caller, row, now);
      });
    },
  };
}
