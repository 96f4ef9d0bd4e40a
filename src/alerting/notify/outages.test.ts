import { expect, test } from 'vitest';
import {
  beginStory,
  channelOf,
  observedAs,
  type AlertStory,
} from '../../../test/support/alert-story.ts';
import type { MessageContent } from '../message/content.ts';
import { render } from '../message/render.ts';

function shown(message: MessageContent) {
  const links = { details: null, acknowledge: null };
  const { subject, facts } = render(message, { timezone: 'UTC', links });
  return [subject, facts.find(({ name }) => name === 'Lasted' || name === 'Since')?.value];
}

async function shops(story: AlertStory, count: number): Promise<number[]> {
  const names = Array.from({ length: count }, (_, index) => `Shop ${index + 1}`);
  const ids: number[] = [];
  for (const name of names) ids.push(await story.monitor({ friendly_name: name }));
  return ids;
}

test('a recovery counts as down what was observed, as uptime does [33.18]', async () => {
  const story = await beginStory();
  const ops = await channelOf(story);
  const [shop = 0] = await shops(story, 1);
  const began = story.now();
  await story.fail(shop);
  await story.pass(241);
  await observedAs(story, shop, began, { offline: [0, 65], unobserved: [65, 241] });
  await story.recover(shop);
  const recovery = (await story.messages(ops)).at(-1)!;
  expect(recovery).toMatchObject({ kind: 'recovery', troubles: [{ unobservedMs: 176_000 }] });
  expect(shown(recovery)).toEqual([
    'Back up: Shop 1, down 1 min',
    '1 min, and not observed for 2 min, 10 Jan 2030, 12:00:00 to 12:04:01 UTC',
  ]);
});

test('so does the recovery of several: time counts in which any of them was observed [33.19]', async () => {
  const story = await beginStory();
  const ops = await channelOf(story);
  const [first = 0, second = 0] = await shops(story, 2);
  const began = story.now();
  await story.fail([first, second], { address: '203.0.113.7' });
  await story.pass(600);
  // Both are unobserved from 120 s to 300 s.
  await observedAs(story, first, began, { offline: [0, 120], unobserved: [120, 420] });
  await observedAs(story, second, began, { offline: [0, 60], unobserved: [60, 300] });
  await story.recover([first, second]);
  await story.pass(60);
  const recovery = (await story.messages(ops)).at(-1)!;
  expect(recovery).toMatchObject({ kind: 'recovery', unobservedMs: 180_000 });
  expect(shown(recovery)).toEqual([
    '2 monitors back up, down 7 min',
    '7 min, and not observed for 3 min, 10 Jan 2030, 12:00:00 to 12:10:00 UTC',
  ]);
  const subjects = render(recovery, {
    timezone: 'UTC',
    links: { details: null, acknowledge: null },
  }).lines.filter((line) => line.includes('Shop'));
  expect(subjects.join('\n')).toMatch(/Shop 1, down 5 min[\s\S]*Shop 2, down 6 min/);
});

test('so do reminders of what goes on, of one and of several [33.19]', async () => {
  const story = await beginStory();
  const ops = await story.channel();
  await story.route({ channels: `[${ops}]`, reminder_minutes: 10 });
  const destination = await story.destinationOf('alert_channel', ops);
  const [first = 0, second = 0] = await shops(story, 2);
  const began = story.now();
  await story.fail(first);
  await story.pass(599);
  await observedAs(story, first, began, { offline: [0, 120], unobserved: [120, 540] });
  await story.pass(1);
  expect(shown((await story.messages(destination)).at(-1)!)).toEqual([
    'Still down: Shop 1, 3 min, and not observed for 7 min',
    '10 Jan 2030, 12:00:00 UTC (3 min, and not observed for 7 min)',
  ]);
  await story.recover(first);
  await story.pass(3_600);
  const again = story.now();
  await story.messages(destination);
  await story.fail([first, second], { address: '203.0.113.7' });
  await story.pass(599);
  for (const id of [first, second])
    await observedAs(story, id, again, { offline: [0, 120], unobserved: [120, 540] });
  await story.pass(1);
  expect(shown((await story.messages(destination)).at(-1)!)).toEqual([
    '2 monitors still down, 3 min, and not observed for 7 min',
    expect.stringMatching(/\(3 min, and not observed for 7 min\)$/),
  ]);
});
