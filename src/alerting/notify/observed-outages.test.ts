import { expect, test } from 'vitest';
import { beginStory, channelOf } from '../../../test/support/alert-story.ts';
import { insertRows, rowOf, updateRows } from '../../../test/support/rows.ts';
import { render } from '../message/index.ts';
import type { MessageContent } from '../message/index.ts';

/** Monitors that were offline for 65 s, and then not observed for 176 s. */
async function beginOutage(...names: string[]) {
  const story = await beginStory();
  const ops = await channelOf(story);
  const channel = await rowOf(story.database, 'alert_channel');
  await story.route({ channels: `[${channel.id}]`, reminder_minutes: 4 });
  const began = story.now();
  const { teamId: team_id } = story.people.alice;
  const ids: number[] = [];
  for (const friendly_name of names) ids.push(await story.monitor({ friendly_name }));
  const observed_until = began + 65_000;
  for (const monitor_id of ids) {
    await updateRows(story.database, 'monitor_state', { observed_until }, { monitor_id });
    const span = { team_id, monitor_id, status: 'offline', from_at: began, to_at: null };
    await insertRows(story.database, 'status_span', span as never);
  }
  await story.fail(ids);
  await story.pass(241);
  const lastMessage = async () => (await story.messages(ops)).at(-1)!;
  return { story, ids, began, lastMessage };
}

const asText = (content: MessageContent) => {
  const links = { details: null, acknowledge: null };
  const { subject, facts } = render(content, { timezone: 'UTC', links });
  return [subject, facts.find(({ name }) => ['Since', 'Lasted'].includes(name))?.value];
};

async function observeAgain({ story, ids, began }: Awaited<ReturnType<typeof beginOutage>>) {
  const [until, now] = [began + 65_000, story.now()];
  const { teamId: team_id } = story.people.alice;
  for (const monitor_id of ids) {
    await updateRows(story.database, 'status_span', { to_at: until }, { monitor_id });
    const rest = [
      { status: 'unobserved', from_at: until, to_at: now },
      { status: 'online', from_at: now, to_at: null },
    ];
    for (const one of rest)
      await insertRows(story.database, 'status_span', { team_id, monitor_id, ...one } as never);
    await updateRows(story.database, 'monitor_state', { observed_until: now }, { monitor_id });
  }
  await story.recover(ids);
}

test('a recovery counts as down what was observed, as uptime does [33.18]', async () => {
  const outage = await beginOutage('Shop');
  await observeAgain(outage);
  const recovery = await outage.lastMessage();
  expect(recovery).toMatchObject({ kind: 'recovery', troubles: [{ unobservedMs: 176_000 }] });
  expect(asText(recovery)).toEqual([
    'Back up: Shop, down 1 min',
    '1 min, and not observed for 2 min, 10 Jan 2030, 12:00:00 to 12:04:01 UTC',
  ]);
});

test('a reminder says for how long nothing was observed, and does not count that as down [33.701]', async () => {
  const { lastMessage } = await beginOutage('Shop');
  const reminder = await lastMessage();
  expect(reminder.kind).toBe('reminder');
  expect(asText(reminder)).toEqual([
    'Still down: Shop, 1 min, and not observed for 2 min',
    '10 Jan 2030, 12:00:00 UTC (1 min, and not observed for 2 min)',
  ]);
});

test('a message about several counts as down what was observed of them [33.701]', async () => {
  const outage = await beginOutage('Shop', 'Search');
  const reminder = await outage.lastMessage();
  expect(asText(reminder)[0]).toBe('2 monitors still down, 1 min, and not observed for 2 min');
  await observeAgain(outage);
  expect(asText(await outage.lastMessage())).toEqual([
    '2 monitors back up, down 1 min',
    '1 min, and not observed for 2 min, 10 Jan 2030, 12:00:00 to 12:04:01 UTC',
  ]);
});
