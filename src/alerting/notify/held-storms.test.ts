import { expect, test } from 'vitest';
import {
  channelOf,
  createAlertStory,
  during,
  justNotified,
  type AlertStory,
} from '../../../test/support/alert-story.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { updateRows } from '../../../test/support/rows.ts';

const MINUTE = 60;
const SHARED = { address: '203.0.113.7' };

const counts = async (story: AlertStory, destination: number) =>
  (await story.messages(destination)).map(({ kind, troubleCount }) => [kind, troubleCount]);

async function monitors(story: AlertStory, many: number): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < many) ids.push(await story.monitor());
  return ids;
}

const maintain = (story: AlertStory, id: number, seconds: number) =>
  during(story, seconds, { monitors: `[${id}]` });

/** A look at a monitor was asked for, as it seems to fail. */
async function suspect(story: AlertStory, id: number): Promise<void> {
  await updateRows(story.database, 'monitor_state', { run_at: story.now() }, { monitor_id: id });
}

eachDatabase((_name, open) => {
  test('who is in maintenance keeps the recovery of the others of a storm back from nobody [32.14]', async () => {
    const story = await createAlertStory(await open());
    const [ops, pager] = [await channelOf(story), await channelOf(story, { type: 'pagerduty' })];
    const ids = await monitors(story, 3);
    await justNotified(story);
    await story.fail(ids, SHARED);
    await maintain(story, ids[2]!, 40 * MINUTE);
    await story.pass(31);
    expect(await counts(story, ops)).toEqual([['alarm', 2]]);
    await story.recover(ids.slice(0, 2));
    for (const channel of [ops, pager])
      expect((await counts(story, channel)).at(-1)).toEqual(['recovery', 2]);
    await story.pass(41 * MINUTE);
    // It is still down when its maintenance ends.
    expect(await counts(story, ops)).toEqual([['alarm', 1]]);
    await story.recover(ids[2]!);
    expect(await counts(story, ops)).toEqual([['recovery', 1]]);
  });

  test('what is in maintenance, or seems to fail, holds nothing else back', async () => {
    const story = await createAlertStory(await open());
    const ops = await channelOf(story);
    const [served, suspected, shop, other] = (await monitors(story, 4)) as [
      number,
      number,
      number,
      number,
    ];
    for (const id of [served, suspected]) await maintain(story, id, 10 * MINUTE);
    await suspect(story, suspected);
    await suspect(story, other);
    await story.fail(served);
    expect(await counts(story, ops)).toEqual([]);
    await story.fail(shop);
    expect(await counts(story, ops)).toEqual([['alarm', 1]]);
    await story.pass(5);
    await story.fail(other);
    expect(await counts(story, ops)).toEqual([]);
    await story.pass(25);
    expect(await counts(story, ops)).toEqual([['alarm', 1]]);
  });
});
