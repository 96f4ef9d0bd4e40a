import type { Transaction } from 'kysely';
import { prepareUpdate } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';
import type { Edited } from './monitor-changes.ts';

/** Sets the tags of monitors; rounds under way still vote. */
export async function setTags(
  tx: Transaction<Schema>,
  monitors: readonly (Edited & { tags: readonly string[] })[],
  now: number,
): Promise<void> {
  await writeTags(
    tx,
    monitors.map(({ id, version, tags }) => [id, JSON.stringify(tags), version, now]),
  );
}

const writeTags = prepareUpdate('monitor', {
  id: 'integer',
  tags: 'text',
  version: 'integer',
  updated_at: 'integer',
});

/** Moves monitors to a group, or out of theirs; rounds under way still vote. */
export async function setGroup(
  tx: Transaction<Schema>,
  monitors: readonly Edited[],
  groupId: number | null,
  now: number,
): Promise<void> {
  await writeGroup(
    tx,
    monitors.map(({ id, version }) => [id, groupId, version, now]),
  );
}

const writeGroup = prepareUpdate('monitor', {
  id: 'integer',
  group_id: 'integer',
  version: 'integer',
  updated_at: 'integer',
});
