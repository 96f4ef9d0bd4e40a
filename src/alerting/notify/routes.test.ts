import { expect, test } from 'vitest';
import { beginStory, type AlertStory } from '../../../test/support/alert-story.ts';
import { scheduleAlertsOfTeam } from '../../store/alerting/alerts.ts';
import { updateRows } from '../../../test/support/rows.ts';

const MINUTE = 60;
const START = Date.UTC(2030, 0, 10, 12);
const ADDRESS = { address: '127.0.0.1' };

/** What a channel was sent: seconds since the story began, kind, names of the monitors. */
const timeline = async (story: AlertStory, destination: number) =>
  (await story.messages(destination)).map(({ at, kind, troubles }) =>
    [(at - START) / 1_000, kind, ...troubles.map(({ name }) => name)].join(' '),
  );

async function begin() {
  const story = await beginStory();
  const shopIds = { id: await story.channel({ type: 'ntfy', is_default: 0 }) };
  const ntfy = await story.destinationOf('alert_channel', shopIds.id);
  const slackId = await story.channel();
  const slack = await story.destinationOf('alert_channel', slackId);
  await story.route({
    tags: '["shop"]',
    channels: JSON.stringify([shopIds.id]),
    reminder_minutes: 1,
    escalation: JSON.stringify([{ after_minutes: 2, channels: [slackId], users: [] }]),
  });
  const shop = await story.monitor({ friendly_name: 'Shop', tags: '["shop"]' });
  const others = [
    await story.monitor({ friendly_name: 'Blog' }),
    await story.monitor({ friendly_name: 'Wiki' }),
  ];
  return { story, ntfy, slack, shop, others };
}

test('a shared cause gives no channel an incident before its routes do, and no reminder of another [32.20, 32.21]', async () => {
  const { story, ntfy, slack, shop, others } = await begin();
  await story.fail(shop, ADDRESS);
  await story.pass(48);
  await story.fail(others, ADDRESS);
  await story.pass(10);
  expect(await timeline(story, slack)).toEqual(['48 alarm Blog Wiki']);
  await story.pass(3 * MINUTE);
  expect(await timeline(story, ntfy)).toEqual([
    '0 alarm Shop',
    '60 reminder Shop',
    '120 reminder Shop',
    '180 reminder Shop',
  ]);
  // Slack is asked two minutes after ntfy, and reminded of Shop alone, as its route says.
  expect(await timeline(story, slack)).toEqual(['120 update Shop Blog Wiki', '180 reminder Shop']);
  await story.recover(others);
  await story.pass(30);
  expect(await timeline(story, ntfy)).toEqual(['240 reminder Shop']);
  await story.recover(shop);
  expect(await timeline(story, ntfy)).toEqual(['268 recovery Shop']);
});

test('who is no longer named receives the end of what it was sent, and nothing of the rest [30.19, 32.21]', async () => {
  const { story, ntfy, shop, others } = await begin();
  await story.fail([shop, ...others], ADDRESS);
  await story.pass(30);
  expect(await timeline(story, ntfy)).toEqual(['0 alarm Shop']);
  await updateRows(story.database, 'monitor', { tags: '[]' }, { id: shop });
  const { teamId } = story.people.alice;
  await story.database.transaction((tx) => scheduleAlertsOfTeam(tx, teamId, story.now()));
  await story.pass(2 * MINUTE);
  await story.recover(others);
  await story.pass(MINUTE);
  expect(await timeline(story, ntfy)).toEqual([]);
  await story.recover(shop);
  await story.pass(MINUTE);
  expect(await timeline(story, ntfy)).toEqual(['210 recovery Shop']);
});
