import { expect, test } from 'vitest';
import { beginStory, channelOf, observedAs } from '../../../test/support/alert-story.ts';
import { updateRows } from '../../../test/support/rows.ts';
import { loadChannel } from '../../store/alerting/deliveries.ts';
import { channelType } from '../channels/index.ts';
import { nextMessage } from './next-message.ts';

test('the message of a delivery gap counts as down what was observed by then [33.19]', async () => {
  const story = await beginStory();
  const ops = await channelOf(story);
  const shop = await story.monitor({ friendly_name: 'Shop' });
  const began = story.now();
  await story.fail(shop);
  await story.pass(241);
  await story.recover(shop);
  // Known once the message of the recovery was enqueued.
  await observedAs(story, shop, began, { offline: [0, 65], unobserved: [65, 241] });
  await updateRows(story.database, 'destination', { failing_since: began }, { id: ops });
  const channel = (await loadChannel(story.database.read, ops))!;
  const next = await nextMessage(story.database.read, channel, story.now(), channelType);
  expect(next?.gapMessage?.content).toMatchObject({
    kind: 'blind_spot',
    troubles: [{ unobservedMs: 176_000 }],
    unobservedMs: 176_000,
  });
});
