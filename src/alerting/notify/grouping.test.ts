import { describe, expect, test } from 'vitest';
import {
  beginStory,
  channelOf,
  createAlertStory,
  type AlertStory,
} from '../../../test/support/alert-story.ts';
import { eachDatabase } from '../../../test/support/databases.ts';

const MINUTE = 60;
const START = Date.UTC(2030, 0, 10, 12);

/** What a channel was notified of: seconds since the story began, kind, number of incidents. */
const timeline = async (story: AlertStory, destination: number) =>
  (await story.messages(destination)).map(({ at, kind, troubleCount }) => [
    (at - START) / 1_000,
    kind,
    troubleCount,
  ]);

async function monitors(story: AlertStory, many: number, fields = {}): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < many) ids.push(await story.monitor(fields));
  return ids;
}

/** They fail one after another, this many seconds apart. */
async function failApart(story: AlertStory, ids: number[], seconds: number, trouble = {}) {
  for (const id of ids) {
    await story.fail(id, trouble);
    await story.pass(seconds);
  }
}

eachDatabase((_name, open) => {
  test('120 that begin within half a minute are two messages: the first at once, then the others [32.5]', async () => {
    const story = await createAlertStory(await open());
    const ops = await channelOf(story);
    const [first, ...others] = (await monitors(story, 120)) as [number, ...number[]];
    const shared = { address: '203.0.113.7' };
    await story.fail(first, shared);
    await story.pass(5);
    await story.fail(others.slice(0, 60), shared);
    await story.pass(15);
    await story.fail(others.slice(60), shared);
    await story.pass(MINUTE);
    const [alarm, update, ...more] = await story.messages(ops);
    expect(more).toEqual([]);
    expect([alarm!.at, alarm!.kind, alarm!.troubleCount]).toEqual([START, 'alarm', 1]);
    expect(update).toMatchObject({
      at: START + 30_000,
      kind: 'update',
      alert: { id: alarm!.alert!.id, kind: 'storm', sharedCause: 'the address 203.0.113.7' },
      troubleCount: 120,
      totals: { from: START, to: null, open: 120, monitors: 120, isSameCause: true },
    });
    await story.recover([first, ...others]);
    const ends = await story.messages(ops);
    expect(ends.map(({ kind, totals }) => [kind, totals!.open])).toEqual([['recovery', 0]]);
    expect(ends[0]!.totals).toMatchObject({ from: START, to: story.now() });
  });
});

describe('when people are notified', () => {
  test('of 500 at once: at once, in one message', async () => {
    const story = await beginStory();
    const ops = await channelOf(story);
    await story.fail(await monitors(story, 500));
    await story.pass(MINUTE);
    expect(await timeline(story, ops)).toEqual([[0, 'alarm', 500]]);
  });

  test('of something worse: at once, with what waited [32.4]', async () => {
    const story = await beginStory();
    const ops = await channelOf(story);
    const ids = await monitors(story, 4);
    await story.fail(ids[0]!, { condition: 'slow_response' });
    await story.pass(5);
    await story.fail(ids[1]!, { condition: 'slow_response' });
    await story.pass(5);
    await story.fail(ids[2]!);
    await story.pass(5);
    await story.fail(ids[3]!);
    await story.pass(MINUTE);
    expect(await timeline(story, ops)).toEqual([
      [0, 'alarm', 1],
      [10, 'alarm', 2],
      [40, 'alarm', 1],
    ]);
  });

  test('a recovery is sent at once, and starts no window [32.3]', async () => {
    const story = await beginStory();
    const ops = await channelOf(story);
    const [first, second] = (await monitors(story, 2)) as [number, number];
    await story.fail(first);
    await story.pass(50);
    await story.recover(first);
    await story.pass(5);
    await story.fail(second);
    expect(await timeline(story, ops)).toEqual([
      [0, 'alarm', 1],
      [50, 'recovery', 1],
      [55, 'alarm', 1],
    ]);
  });

  test('reminders come by the first message, and escalations start a window of their own', async () => {
    const story = await beginStory();
    const [ops, boss] = [await story.channel(), await story.channel({ is_default: 0 })];
    await story.route({
      channels: `[${ops}]`,
      reminder_minutes: 5,
      escalation: JSON.stringify([{ after_minutes: 8, channels: [boss], users: [] }]),
    });
    const [toOps, toBoss] = [
      await story.destinationOf('alert_channel', ops),
      await story.destinationOf('alert_channel', boss),
    ];
    await failApart(story, await monitors(story, 3), 5);
    await story.pass(8 * MINUTE + 15);
    expect(await timeline(story, toOps)).toEqual([
      [0, 'alarm', 1],
      [30, 'alarm', 2],
      [300, 'reminder', 1],
      [330, 'reminder', 2],
    ]);
    expect(await timeline(story, toBoss)).toEqual([
      [480, 'escalation', 1],
      [510, 'escalation', 2],
    ]);
  });

  test('an escalation within a window does not prolong it', async () => {
    const story = await beginStory();
    const [ops, boss] = [await story.channel(), await story.channel({ is_default: 0 })];
    const [blog, cart, basket] = (await monitors(story, 3)) as [number, number, number];
    const escalation = [{ after_minutes: 8, channels: [boss], users: [] }];
    await story.route({
      channels: `[${ops}]`,
      monitors: `[${blog}]`,
      escalation: JSON.stringify(escalation),
    });
    await story.route({ channels: `[${boss}]`, monitors: `[${cart},${basket}]` });
    const toBoss = await story.destinationOf('alert_channel', boss);
    await story.fail(blog);
    await story.pass(7 * MINUTE + 50);
    await story.fail(cart);
    await story.pass(5);
    await story.fail(basket);
    await story.pass(MINUTE);
    expect(await timeline(story, toBoss)).toEqual([
      [470, 'alarm', 1],
      [480, 'escalation', 1],
      [500, 'alarm', 1],
    ]);
  });
});
