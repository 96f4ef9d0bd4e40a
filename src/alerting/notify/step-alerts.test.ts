import { expect, test } from 'vitest';
import { createAlertStory } from '../../../test/support/alert-story.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { scheduleAlertsOfIncidents } from '../../store/alerting/alerts.ts';
import { FLAPPING_AT } from '../policy/changes.ts';

const MINUTE = 60;

test('a flapping monitor is steady half an hour later, though somebody deleted its last incident', async () => {
  const story = await createAlertStory(await openInMemory());
  const ops = await story.destinationOf('alert_channel', await story.channel());
  const shop = await story.monitor();
  for (let count = 1; count < FLAPPING_AT; count += 1) {
    await story.fail(shop);
    await story.pass(MINUTE);
    await story.recover(shop);
    await story.pass(MINUTE);
  }
  await story.fail(shop);
  await story.pass(MINUTE);
  const received = async () =>
    (await story.messages(ops)).map(({ kind, alert }) => `${kind} ${alert!.kind}`);
  expect((await received()).at(-1)).toBe('alarm flapping');

  await story.database.transaction(async (tx) => {
    const open = tx.selectFrom('incident').select('id').where('ended_at', 'is', null);
    const { id } = await open.executeTakeFirstOrThrow();
    await tx.deleteFrom('incident').where('id', '=', id).execute();
    await scheduleAlertsOfIncidents(tx, [id], story.now());
  });
  await story.pass(28 * MINUTE);
  expect(await received()).toEqual([]);
  await story.pass(2 * MINUTE);
  expect(await received()).toEqual(['recovery flapping']);
});
