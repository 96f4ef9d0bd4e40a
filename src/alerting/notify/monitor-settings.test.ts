import { describe, expect, test } from 'vitest';
import {
  beginStory,
  channelOf,
  endpointOf,
  events,
  kinds,
  createAlertStory,
  type AlertStory,
} from '../../../test/support/alert-story.ts';
import { updateRows } from '../../../test/support/rows.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import type { NotificationSettings } from '../../monitor-types/notification-settings.ts';
import { scheduleAlertsOfMonitors } from '../../store/alerting/alerts.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const SHARED = { address: '203.0.113.7' };
/** Stories begin at 12:00 UTC. */
const NOON: NotificationSettings = { quiet_hours: { start: '11:00', end: '13:00' } };
const ALL_OF_NOON: NotificationSettings = {
  quiet_hours: { ...NOON.quiet_hours, bypass_critical: false },
};

/** Quiet hours of a channel. */
const night = (to: string) =>
  JSON.stringify({ from: '11:00', to, timezone: 'UTC', allow_critical: false });

const monitor = (story: AlertStory, name: string, settings: NotificationSettings | null = null) =>
  story.monitor({
    friendly_name: name,
    notification_settings: settings === null ? null : JSON.stringify(settings),
  });

/** Changes the settings as a PUT does. */
async function change(story: AlertStory, id: number, settings: NotificationSettings | null) {
  const notification_settings = settings === null ? null : JSON.stringify(settings);
  await updateRows(story.database, 'monitor', { notification_settings }, { id });
  await story.database.transaction((tx) => scheduleAlertsOfMonitors(tx, [id], story.now()));
  await story.pass(0);
}

eachDatabase((_name, open) => {
  test('people are not notified of a monitor that is off, webhooks are [31.22]', async () => {
    const story = await createAlertStory(await open());
    const [ops, hook] = [await channelOf(story), await endpointOf(story)];
    const a = await monitor(story, 'A', { enabled: false });
    await story.fail(a);
    await story.pass(HOUR);
    await story.recover(a);
    await story.pass(HOUR);
    expect(await kinds(story, ops)).toEqual([]);
    expect(await events(story, hook)).toEqual(['monitor.down', 'monitor.up']);
  });

  test('what waits in quiet hours of a monitor is sent at their end if it is still true [31.24]', async () => {
    const story = await createAlertStory(await open());
    const [ops, hook] = [await channelOf(story), await endpointOf(story)];
    const [a, b] = [await monitor(story, 'A', NOON), await monitor(story, 'B', NOON)];
    await story.fail([a, b], { condition: 'regional' });
    await story.pass(10 * MINUTE);
    await story.recover(b, 'regional');
    await story.pass(49 * MINUTE);
    expect(await kinds(story, ops)).toEqual([]);
    expect(await events(story, hook)).toHaveLength(3);
    await story.pass(MINUTE);
    expect(await kinds(story, ops)).toEqual([['alarm', 'A']]);
    await story.recover(a, 'regional');
    expect(await kinds(story, ops)).toEqual([['recovery', 'A']]);
  });
});

describe('channels of a kind', () => {
  test('are notified of the severities in their list alone; others are not restricted [31.23]', async () => {
    const story = await beginStory();
    const [slack, sms, ntfy] = [
      await channelOf(story),
      await channelOf(story, { type: 'sms' }),
      await channelOf(story, { type: 'ntfy' }),
    ];
    const a = await monitor(story, 'A', { channels: { slack: ['critical'], sms: [] } });
    await story.fail(a, { condition: 'regional' });
    await story.pass(MINUTE);
    const heard = async () => [
      await kinds(story, slack),
      await kinds(story, sms),
      await kinds(story, ntfy),
    ];
    expect(await heard()).toEqual([[], [], [['alarm', 'A']]]);
    await story.changeOver(a, 'regional', 'uptime');
    await story.pass(MINUTE);
    const [first, second, third] = await heard();
    expect([first, second]).toEqual([[['alarm', 'A']], []]);
    expect(third!.map(([kind]) => kind)).toEqual(['alarm']);
    await story.recover(a);
    expect(await heard()).toEqual([
      [['recovery', 'A']],
      [],
      [expect.arrayContaining(['recovery'])],
    ]);
  });

  test('webhook stands for the webhook endpoints of the team [31.23]', async () => {
    const story = await beginStory();
    const hook = await endpointOf(story);
    const a = await monitor(story, 'A', { channels: { webhook: ['critical'] } });
    await story.fail(a, { condition: 'regional' });
    await story.recover(a, 'regional');
    expect(await events(story, hook)).toEqual([]);
    await story.fail(a);
    await story.recover(a);
    expect(await events(story, hook)).toEqual(['monitor.down', 'monitor.up']);
  });

  test('a message about several monitors names those that allow it [31.25]', async () => {
    const story = await beginStory();
    const [slack, ntfy] = [await channelOf(story), await channelOf(story, { type: 'ntfy' })];
    const ids = [
      await monitor(story, 'A', { channels: { slack: [] } }),
      await monitor(story, 'B'),
      await monitor(story, 'C', { enabled: false }),
      await monitor(story, 'D'),
    ];
    await story.fail(ids, SHARED);
    await story.pass(MINUTE);
    expect(await kinds(story, slack)).toEqual([['alarm', 'B', 'D']]);
    expect(await kinds(story, ntfy)).toEqual([['alarm', 'A', 'B', 'D']]);
    await story.recover(ids);
    await story.pass(MINUTE);
    expect(await kinds(story, slack)).toEqual([['recovery', 'B', 'D']]);
    expect(await kinds(story, ntfy)).toEqual([['recovery', 'A', 'B', 'D']]);
  });

  test('escalation steps are left out too, and the next one still comes [31.26]', async () => {
    const story = await beginStory();
    const [ops, boss] = [await story.channel(), await story.channel({ type: 'ntfy' })];
    const step = { after_minutes: 10, channels: [boss], users: [] };
    await story.route({ channels: `[${ops}]`, escalation: JSON.stringify([step]) });
    await story.fail(await monitor(story, 'A', { channels: { slack: [] } }));
    await story.pass(11 * MINUTE);
    expect(await kinds(story, await story.destinationOf('alert_channel', ops))).toEqual([]);
    const escalated = await kinds(story, await story.destinationOf('alert_channel', boss));
    expect(escalated).toEqual([['escalation', 'A']]);
    await story.fail(await monitor(story, 'B', { enabled: false }));
    await story.pass(11 * MINUTE);
    expect(await kinds(story, await story.destinationOf('alert_channel', boss))).toEqual([]);
  });
});

describe('quiet hours of a monitor', () => {
  test('let critical messages through, with their improvement and their end [31.24]', async () => {
    const story = await beginStory();
    const ops = await channelOf(story);
    const a = await monitor(story, 'A', NOON);
    await story.fail(a);
    expect(await kinds(story, ops)).toEqual([['alarm', 'A']]);
    await story.pass(MINUTE);
    await story.changeOver(a, 'uptime', 'regional');
    await story.pass(MINUTE);
    expect((await kinds(story, ops)).map(([kind]) => kind)).toEqual(['update']);
    await story.recover(a, 'regional');
    expect((await kinds(story, ops)).map(([kind]) => kind)).toEqual(['recovery']);
  });

  test('hold reminders and recoveries of what was sent before them [31.24]', async () => {
    const story = await beginStory();
    const ops = await story.channel();
    await story.route({ channels: `[${ops}]`, reminder_minutes: 30 });
    const destination = await story.destinationOf('alert_channel', ops);
    const later: NotificationSettings = {
      quiet_hours: { start: '12:10', end: '14:00', bypass_critical: false },
    };
    const [a, b] = [await monitor(story, 'A', later), await monitor(story, 'B', later)];
    await story.fail([a, b], SHARED);
    expect(await kinds(story, destination)).toEqual([['alarm', 'A', 'B']]);
    await story.pass(100 * MINUTE);
    await story.recover(a);
    await story.pass(19 * MINUTE);
    expect(await kinds(story, destination)).toEqual([]);
    await story.pass(MINUTE);
    expect(await kinds(story, destination)).toEqual([['update', 'A', 'B']]);
    await story.recover(b);
    expect((await kinds(story, destination)).map(([kind]) => kind)).toEqual(['recovery']);
  });

  test('hold a recovery until they end, except where the provider keeps the incident [31.24]', async () => {
    const story = await beginStory();
    const [ops, pager] = [await channelOf(story), await channelOf(story, { type: 'pagerduty' })];
    const later: NotificationSettings = {
      quiet_hours: { start: '12:10', end: '14:00', bypass_critical: false },
    };
    const a = await monitor(story, 'A', later);
    await story.fail(a);
    await story.pass(20 * MINUTE);
    await story.recover(a);
    expect(await kinds(story, ops)).toEqual([['alarm', 'A']]);
    expect(await kinds(story, pager)).toEqual([
      ['alarm', 'A'],
      ['recovery', 'A'],
    ]);
    await story.pass(2 * HOUR);
    expect(await kinds(story, ops)).toEqual([['recovery', 'A']]);
  });

  test('hold the part of their monitor alone, and the rest goes on [31.25]', async () => {
    const story = await beginStory();
    const ops = await story.channel();
    await story.route({ channels: `[${ops}]`, reminder_minutes: 20 });
    const destination = await story.destinationOf('alert_channel', ops);
    const ids = [
      await monitor(story, 'A', ALL_OF_NOON),
      await monitor(story, 'B'),
      await monitor(story, 'C'),
    ];
    await story.fail(ids, SHARED);
    expect(await kinds(story, destination)).toEqual([['alarm', 'B', 'C']]);
    await story.pass(21 * MINUTE);
    expect(await kinds(story, destination)).toEqual([['reminder', 'B', 'C']]);
    await story.pass(39 * MINUTE);
    const heard = await kinds(story, destination);
    expect(heard.at(-1)).toEqual(['update', 'A', 'B', 'C']);
  });

  test('combine with those of a channel: the later end counts [31.24]', async () => {
    const story = await beginStory();
    const [early, late] = [
      await channelOf(story, { quiet_hours: night('12:30') }),
      await channelOf(story, { quiet_hours: night('14:00') }),
    ];
    await story.fail(await monitor(story, 'A', ALL_OF_NOON));
    await story.pass(HOUR - 1);
    expect([await kinds(story, early), await kinds(story, late)]).toEqual([[], []]);
    await story.pass(1);
    expect([await kinds(story, early), await kinds(story, late)]).toEqual([[['alarm', 'A']], []]);
    await story.pass(HOUR);
    expect(await kinds(story, late)).toEqual([['alarm', 'A']]);
  });
});

test('a change during an alert counts for the next message, and who was notified hears of the end [31.27]', async () => {
  const story = await beginStory();
  const ops = await channelOf(story);
  const a = await monitor(story, 'A', { enabled: false });
  await story.fail(a);
  await story.pass(MINUTE);
  expect(await kinds(story, ops)).toEqual([]);
  await change(story, a, { enabled: true });
  expect(await kinds(story, ops)).toEqual([['alarm', 'A']]);
  await change(story, a, { enabled: false });
  await story.recover(a);
  expect(await kinds(story, ops)).toEqual([['recovery', 'A']]);
});
