import { describe, expect, test } from 'vitest';
import {
  beginStory,
  channelOf,
  createAlertStory,
  during,
  type AlertStory,
} from '../../../test/support/alert-story.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { scheduleAlertsOfIncidents } from '../../store/alerting/alerts.ts';
import { updateRows } from '../../../test/support/rows.ts';

const MINUTE = 60;
const SHARED = { address: '203.0.113.7' };

/** What a channel was received: of each monitor whether it is down or up, and with what trouble. */
const heard = async (story: AlertStory, destination: number) =>
  (await story.messages(destination)).map(({ kind, troubles }) => [
    kind,
    ...troubles.map(
      ({ name, endedAt, type }) => `${name} ${endedAt === null ? 'has' : 'had'} ${type}`,
    ),
  ]);

async function three(story: AlertStory): Promise<[number, number, number]> {
  const name = (friendly_name: string) => story.monitor({ friendly_name });
  return [await name('A'), await name('B'), await name('C')];
}

const maintain = (story: AlertStory, id: number, seconds: number) =>
  during(story, seconds, { monitors: `[${id}]` });

/** A monitor of a storm became another trouble. What followed was held, and over before it could be received; unless it was received, and is over. */
async function passedOn(isHeld: boolean) {
  const story = await beginStory();
  const ops = await channelOf(story);
  const ids = await three(story);
  await story.fail(ids, { condition: 'regional', ...SHARED });
  await story.pass(31);
  if (isHeld) await maintain(story, ids[0], 10 * MINUTE);
  await story.changeOver(ids[0], 'regional', 'uptime');
  await story.pass(MINUTE);
  await story.recover(ids[0], 'uptime');
  await story.pass(60 * MINUTE);
  await heard(story, ops);
  return { story, ops, shop: ids[0] };
}

eachDatabase((_name, open) => {
  test('what becomes another problem goes on in its own alert, not in a storm in which its monitor did so long ago', async () => {
    const story = await createAlertStory(await open());
    const ops = await channelOf(story);
    const ids = await three(story);
    await story.fail(ids, { condition: 'regional', ...SHARED });
    await story.pass(31);
    await story.changeOver(ids[0], 'regional', 'uptime');
    await story.pass(10);
    await story.recover(ids[0], 'uptime');
    await story.pass(300 * MINUTE);
    await heard(story, ops);
    await story.fail(ids[0], { condition: 'regional' });
    await story.pass(MINUTE);
    await story.changeOver(ids[0], 'regional', 'uptime');
    await story.pass(MINUTE);
    expect(await heard(story, ops)).toEqual([
      ['alarm', 'A has regional'],
      ['alarm', 'A has uptime'],
    ]);
    // Again and again, it stays there.
    await story.changeOver(ids[0], 'uptime', 'regional');
    await story.changeOver(ids[0], 'regional', 'uptime');
    await story.pass(MINUTE);
    expect((await heard(story, ops)).map(([kind]) => kind)).toEqual(['update', 'alarm']);
    await story.recover(ids[0]);
    expect((await heard(story, ops)).map(([kind]) => kind)).toEqual(['recovery']);
  });

  test('what is held is notified with the rest where others know of it: nobody is notified twice, or never [32.15]', async () => {
    const story = await createAlertStory(await open());
    const pager = await channelOf(story, { type: 'pagerduty' });
    const late = await channelOf(story, {
      quiet_hours: JSON.stringify({
        from: '11:00',
        to: '12:20',
        timezone: 'UTC',
        allow_critical: false,
      }),
    });
    const ids = await three(story);
    await story.fail(ids, SHARED);
    await story.pass(10 * MINUTE);
    await maintain(story, ids[2], 40 * MINUTE);
    await story.pass(15 * MINUTE);
    const all = ['alarm', 'A has uptime', 'B has uptime', 'C has uptime'];
    expect(await heard(story, pager)).toEqual([all]);
    expect(await heard(story, late)).toEqual([all]);
    await story.recover(ids.slice(0, 2));
    const partly = ['update', 'A had uptime', 'B had uptime', 'C has uptime'];
    for (const channel of [pager, late]) expect(await heard(story, channel)).toEqual([partly]);
    await story.recover(ids[2]);
    for (const channel of [pager, late])
      expect(await heard(story, channel)).toEqual([
        ['recovery', 'A had uptime', 'B had uptime', 'C had uptime'],
      ]);
  });

  test('what is down again, and was notified as such, is not reported up [32.16]', async () => {
    const story = await createAlertStory(await open());
    const ops = await channelOf(story);
    const ids = await three(story);
    await story.fail(ids, SHARED);
    await story.pass(60 * MINUTE);
    await story.recover(ids[0]);
    await story.pass(2 * MINUTE);
    await story.fail(ids[0], SHARED);
    await story.pass(30 * MINUTE);
    const received = await heard(story, ops);
    expect(received.slice(1)).toEqual([['alarm', 'A has uptime']]);
    await story.recover(ids.slice(1));
    expect(await heard(story, ops)).toEqual([['recovery', 'B had uptime', 'C had uptime']]);
    await story.recover(ids[0]);
    expect(await heard(story, ops)).toEqual([['recovery', 'A had uptime']]);
  });
});

describe('the end of a part of a storm', () => {
  test('is part of the next reminder, once, though that comes before its own time [32.13]', async () => {
    const story = await beginStory();
    const id = await story.channel();
    await story.route({ channels: `[${id}]`, reminder_minutes: 5 });
    const ops = await story.destinationOf('alert_channel', id);
    const ids = await three(story);
    await story.fail(ids, SHARED);
    await story.pass(3 * MINUTE);
    await story.recover(ids[0]);
    await story.pass(10 * MINUTE);
    const rest = ['B has uptime', 'C has uptime'];
    expect((await heard(story, ops)).slice(1)).toEqual([
      ['update', 'A had uptime', ...rest],
      ['reminder', ...rest],
    ]);
  });

  test('is notified once, though somebody edits its record later', async () => {
    const story = await beginStory();
    const ops = await channelOf(story);
    const ids = await three(story);
    await story.fail(ids, SHARED);
    await story.pass(31);
    await story.recover(ids[0]);
    await story.pass(11 * MINUTE);
    expect((await heard(story, ops)).map(([kind]) => kind)).toEqual(['alarm', 'update']);
    await story.database.transaction(async (tx) => {
      const edit = { root_cause: 'Somebody knows', updated_at: story.now() };
      await tx.updateTable('incident').set(edit).where('id', '=', 1).execute();
      await scheduleAlertsOfIncidents(tx, [1], story.now());
    });
    await story.pass(20 * MINUTE);
    expect(await heard(story, ops)).toEqual([]);
  });
});

describe('a storm in which a monitor became another problem, and whose rest goes on', () => {
  test('takes in nothing that became another one elsewhere', async () => {
    const { story, ops, shop } = await passedOn(true);
    await story.fail(shop, { condition: 'regional' });
    await story.pass(MINUTE);
    await story.changeOver(shop, 'regional', 'uptime');
    await story.pass(MINUTE);
    expect(await heard(story, ops)).toEqual([
      ['alarm', 'A has regional'],
      ['alarm', 'A has uptime'],
    ]);
  });

  test('takes in nothing whose beginning nobody was notified of', async () => {
    const { story, ops, shop } = await passedOn(false);
    await maintain(story, shop, 10 * MINUTE);
    await story.fail(shop, { condition: 'regional' });
    await story.pass(MINUTE);
    await story.changeOver(shop, 'regional', 'uptime');
    await story.pass(20 * MINUTE);
    expect(await heard(story, ops)).toEqual([['alarm', 'A has uptime']]);
  });
});

test('what is acknowledged and held stays known to those who were notified, whoever else is asked', async () => {
  const story = await beginStory();
  const [ops, boss] = [await story.channel(), await story.channel({ is_default: 0 })];
  await story.route({
    channels: `[${ops}]`,
    escalation: JSON.stringify([{ after_minutes: 15, channels: [boss], users: [] }]),
  });
  const received = await story.destinationOf('alert_channel', ops);
  const asked = await story.destinationOf('alert_channel', boss);
  const ids = await three(story);
  await story.fail(ids, SHARED);
  await story.pass(31);
  await updateRows(
    story.database,
    'incident',
    { acknowledged_at: story.now() },
    { monitor_id: ids[2] },
  );
  await maintain(story, ids[2], 40 * MINUTE);
  await story.pass(20 * MINUTE);
  expect(await heard(story, asked)).toEqual([['escalation', 'A has uptime', 'B has uptime']]);
  await heard(story, received);
  await story.recover(ids.slice(0, 2));
  expect(await heard(story, received)).toEqual([
    ['update', 'A had uptime', 'B had uptime', 'C has uptime'],
  ]);
});
