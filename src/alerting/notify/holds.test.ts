import { applyIncidentChanges } from '../../engine/record/record.ts';
import { ending } from '../../../test/support/incident-changes.ts';
import { describe, expect, test } from 'vitest';
import {
  beginStory,
  channelOf,
  during,
  endpointOf,
  events,
  kinds,
} from '../../../test/support/alert-story.ts';
import { insertRows, updateRows } from '../../../test/support/rows.ts';

const MINUTE = 60;

describe('what is held', () => {
  test('a burning error budget of a monitor that is down has no alert beside that of the outage [31.28]', async () => {
    const story = await beginStory();
    const slack = await story.channel();
    const ops = await story.destinationOf('alert_channel', slack);
    await story.route({ channels: JSON.stringify([slack]), reminder_minutes: 1 });
    const shop = await story.monitor({ friendly_name: 'Shop' });
    await story.fail(shop);
    await story.pass(30);
    await story.fail(shop, { condition: 'error_budget_fast' });
    await story.pass(2 * MINUTE);
    expect(await story.messages(ops)).toMatchObject([
      { kind: 'alarm', troubles: [{ type: 'uptime' }] },
      { kind: 'reminder', troubles: [{ type: 'uptime' }] },
      { kind: 'reminder', troubles: [{ type: 'uptime' }] },
    ]);
    await story.recover(shop);
    await story.pass(10 * MINUTE);
    await story.recover(shop, 'error_budget_fast');
    await story.pass(2 * 60 * MINUTE);
    expect(await story.messages(ops)).toMatchObject([{ kind: 'recovery', troubleCount: 1 }]);
    // Without an outage it is an alert.
    await story.fail(shop, { condition: 'error_budget_slow' });
    expect(await kinds(story, ops)).toEqual([['alarm', 'Shop']]);
  });

  describe('maintenance', () => {
    test('holds what began until its end, if it is still there [27.19, 27.20]', async () => {
      const story = await beginStory();
      const [ops, hook] = [await channelOf(story), await endpointOf(story)];
      const [stays, goes] = [
        await story.monitor({ friendly_name: 'Stays' }),
        await story.monitor(),
      ];
      await during(story, 600);
      await story.fail(stays);
      await story.fail(goes);
      await story.pass(300);
      await story.recover(goes);
      await story.pass(299);
      expect([await story.messages(ops), await story.messages(hook)]).toEqual([[], []]);
      await story.pass(2);
      expect(await kinds(story, ops)).toEqual([['alarm', 'Stays']]);
      expect(await events(story, hook)).toEqual(['monitor.down']);
      await story.pass(MINUTE);
      await story.recover(stays);
      expect(await events(story, hook)).toEqual(['monitor.up']);
    });

    test('does not hold the end of what people know of, nor other monitors [27.21]', async () => {
      const story = await beginStory();
      const ops = await channelOf(story);
      const [known, other] = [await story.monitor(), await story.monitor()];
      await story.fail(known);
      await story.pass(MINUTE);
      await during(story, 600, { monitors: `[${known}]` });
      await story.recover(known);
      await story.fail(other);
      await story.pass(MINUTE);
      expect((await story.messages(ops)).map(({ kind }) => kind)).toEqual([
        'alarm',
        'recovery',
        'alarm',
      ]);
    });

    test('of two that follow each other lasts to the end of the second [27.22]', async () => {
      const story = await beginStory();
      const ops = await channelOf(story);
      await during(story, 300);
      await during(story, 900);
      await story.fail(await story.monitor());
      await story.pass(899);
      expect(await story.messages(ops)).toEqual([]);
      await story.pass(2);
      expect(await story.messages(ops)).toHaveLength(1);
    });
  });

  test('people are notified of a child only when its parent is well [26.14, 26.17]', async () => {
    const story = await beginStory();
    const ops = await channelOf(story);
    const router = await story.monitor({ friendly_name: 'Router' });
    const shop = await story.monitor({ friendly_name: 'Shop' });
    await insertRows(story.database, 'monitor_dependency', {
      monitor_id: shop,
      depends_on_id: router,
      team_id: story.people.alice.teamId,
      position: 0,
    } as never);
    await story.fail(router);
    await story.pass(40);
    await story.fail(shop);
    await story.pass(10 * MINUTE);
    expect(await kinds(story, ops)).toEqual([['alarm', 'Router']]);
    await story.recover(router);
    const look = (id: number) =>
      updateRows(
        story.database,
        'monitor_state',
        { last_checked_at: story.now() },
        { monitor_id: id },
      );
    await look(router);
    await story.pass(20);
    await look(shop);
    await story.pass(20);
    expect(await kinds(story, ops)).toEqual([
      ['recovery', 'Router'],
      ['alarm', 'Shop'],
    ]);
  });

  test('what becomes another problem during maintenance has not recovered', async () => {
    const story = await beginStory();
    const ops = await channelOf(story);
    const shop = await story.monitor({ friendly_name: 'Shop' });
    await story.fail(shop, { condition: 'regional' });
    await story.pass(MINUTE);
    expect(await kinds(story, ops)).toEqual([['alarm', 'Shop']]);
    await during(story, 600);
    await story.changeOver(shop, 'regional', 'uptime');
    await story.pass(599);
    expect(await kinds(story, ops)).toEqual([]);
    await story.pass(2);
    expect((await story.messages(ops)).map(({ kind, severity }) => [kind, severity])).toEqual([
      ['alarm', 'critical'],
    ]);
    await story.recover(shop);
    expect((await story.messages(ops)).map(({ kind }) => kind)).toEqual(['recovery']);
  });

  test('what became another problem during maintenance, and ended in it, is over', async () => {
    const story = await beginStory();
    const ops = await channelOf(story);
    const shop = await story.monitor();
    await story.fail(shop, { condition: 'regional' });
    await story.pass(MINUTE);
    await during(story, 600);
    await story.changeOver(shop, 'regional', 'uptime');
    await story.pass(MINUTE);
    await story.recover(shop);
    await story.pass(MINUTE);
    expect((await story.messages(ops)).map(({ kind }) => kind)).toEqual(['alarm', 'recovery']);
  });

  test.each(['resolved', 'deleted'])(
    'nobody is notified of an incident that was %s by hand during maintenance',
    async (how) => {
      const story = await beginStory();
      const [ops, hook] = [await channelOf(story), await endpointOf(story)];
      const [shop, other] = [await story.monitor(), await story.monitor()];
      await during(story, 600);
      await story.fail([shop, other]);
      await story.database.transaction(async (tx) => {
        if (how === 'deleted')
          return void (await tx.deleteFrom('incident').where('monitor_id', '=', shop).execute());
        const ended = { ended_at: story.now() };
        await tx.updateTable('incident').set(ended).where('monitor_id', '=', shop).execute();
      });
      await story.pass(601);
      await story.pass(MINUTE);
      expect(await events(story, hook)).toEqual(['monitor.down']);
      // Nor is the end of what was never sent, when the target is well again.
      const closedByHand = [{ id: 1, startedAt: story.now() }];
      const end = ending({ monitorId: shop, teamId: 1, at: story.now() });
      const ids = { teamId: story.people.alice.teamId, closedByHand };
      await story.database.transaction((tx) =>
        applyIncidentChanges(tx, [{ ...end, ...ids } as typeof end], story.now()),
      );
      await story.pass(1);
      expect(await events(story, hook)).toEqual([]);
      expect((await story.messages(ops)).map(({ troubles }) => troubles[0]!.monitorId)).toEqual([
        other,
      ]);
    },
  );
});
