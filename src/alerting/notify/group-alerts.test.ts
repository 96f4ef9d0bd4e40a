import { describe, expect, test } from 'vitest';
import { beginStory, channelOf, kinds } from '../../../test/support/alert-story.ts';

const MINUTE = 60;

describe('storms, and what comes and goes', () => {
  describe('storms', () => {
    test('of one address are one message that lists them [32.11]', async () => {
      const story = await beginStory();
      const ops = await channelOf(story);
      const ids: number[] = [];
      for (let index = 1; index <= 5; index += 1)
        ids.push(await story.monitor({ friendly_name: `Shop ${index}` }));
      await story.fail(ids.slice(0, 2), { address: '203.0.113.7' });
      expect(await kinds(story, ops)).toEqual([['alarm', 'Shop 1', 'Shop 2']]);
      await story.pass(10);
      await story.fail(ids.slice(2), { address: '203.0.113.7' });
      await story.pass(19);
      expect(await story.messages(ops)).toEqual([]);
      await story.pass(1);
      const storm = await story.messages(ops);
      expect(storm).toMatchObject([
        {
          kind: 'update',
          alert: { kind: 'storm', sharedCause: 'the address 203.0.113.7' },
          troubleCount: 5,
        },
      ]);
      expect(storm[0]!.troubles.map(({ name }) => name)).toEqual(
        ids.map((_, index) => `Shop ${index + 1}`),
      );
      await story.pass(10 * MINUTE);
      await story.recover(ids.slice(0, 3));
      await story.pass(9 * MINUTE);
      expect(await kinds(story, ops)).toEqual([]);
      await story.pass(MINUTE);
      expect(await kinds(story, ops)).toEqual([
        ['update', 'Shop 1', 'Shop 2', 'Shop 3', 'Shop 4', 'Shop 5'],
      ]);
      await story.recover(ids.slice(3));
      expect(
        (await story.messages(ops)).map(({ kind, troubleCount }) => [kind, troubleCount]),
      ).toEqual([['recovery', 5]]);
    });

    test('take in others of their cause while they last [32.9]', async () => {
      const story = await beginStory();
      const ops = await channelOf(story);
      const ids = [
        await story.monitor(),
        await story.monitor(),
        await story.monitor(),
        await story.monitor(),
      ];
      await story.fail(ids.slice(0, 3), { address: '203.0.113.7' });
      await story.pass(31);
      await story.fail(ids[3]!, { address: '203.0.113.7' });
      await story.pass(MINUTE);
      const notices = await story.messages(ops);
      expect(notices.map(({ kind, troubleCount }) => [kind, troubleCount])).toEqual([
        ['alarm', 3],
        ['update', 4],
      ]);
    });

    test('name new members also where another message about them was sent meanwhile', async () => {
      const story = await beginStory();
      const ops = await channelOf(story);
      const ids: number[] = [];
      for (let index = 0; index < 4; index += 1) ids.push(await story.monitor());
      const shared = { address: '203.0.113.7' };
      await story.fail(ids.slice(0, 3), { ...shared, condition: 'regional' });
      await story.pass(31);
      expect(await story.messages(ops)).toHaveLength(1);
      await story.fail(ids[3]!, shared);
      await story.pass(5);
      await story.changeOver(ids[0]!, 'regional', 'uptime');
      expect((await story.messages(ops)).map(({ kind }) => kind)).toEqual(['alarm']);
      await story.pass(MINUTE);
      const [joined, ...more] = await story.messages(ops);
      expect(more).toEqual([]);
      expect(joined!.troubles.map(({ monitorId }) => monitorId)).toContain(ids[3]);
    });

    test('of few that share nothing are one message that names no cause [32.9]', async () => {
      const story = await beginStory();
      const ops = await channelOf(story);
      const ids = [await story.monitor(), await story.monitor(), await story.monitor()];
      await story.fail(ids);
      expect(await story.messages(ops)).toMatchObject([
        { kind: 'alarm', alert: { kind: 'storm', sharedCause: null }, troubleCount: 3 },
      ]);
      // What has nothing to do with the rest does not wait ten minutes for it.
      await story.pass(MINUTE);
      await story.recover(ids[0]!);
      await story.pass(29);
      expect(await story.messages(ops)).toEqual([]);
      await story.pass(1);
      expect((await story.messages(ops)).map(({ kind, totals }) => [kind, totals!.open])).toEqual([
        ['update', 2],
      ]);
    });
  });

  test('a flapping monitor is notified once, and again when it is steady [32.17]', async () => {
    const story = await beginStory();
    const ops = await channelOf(story);
    const shop = await story.monitor({ friendly_name: 'Shop' });
    for (let time = 0; time < 8; time += 1) {
      await story.fail(shop);
      await story.pass(2 * MINUTE);
      await story.recover(shop);
      await story.pass(2 * MINUTE);
    }
    const heard = await story.messages(ops);
    expect(heard.map(({ kind, alert }) => [kind, alert!.kind])).toEqual([
      ['alarm', 'single'],
      ['recovery', 'single'],
      ['alarm', 'single'],
      ['recovery', 'single'],
      ['alarm', 'single'],
      ['recovery', 'single'],
      ['alarm', 'flapping'],
    ]);
    await story.pass(31 * MINUTE);
    expect(
      (await story.messages(ops)).map(({ kind, troubleCount }) => [kind, troubleCount]),
    ).toEqual([['recovery', 5]]);
  });

  test('a storm takes what was held for the night along, and waits no longer for that', async () => {
    const story = await beginStory();
    const night = { from: '11:00', to: '20:00', timezone: 'UTC', allow_critical: true };
    const ops = await channelOf(story, { quiet_hours: JSON.stringify(night) });
    const ids: number[] = [];
    for (let index = 0; index < 5; index += 1) ids.push(await story.monitor());
    const shared = { address: '203.0.113.7' };
    await story.fail(ids.slice(0, 2), { ...shared, condition: 'slow_response' });
    await story.pass(60 * MINUTE);
    expect(await story.messages(ops)).toEqual([]);
    await story.fail(ids.slice(2), shared);
    await story.pass(MINUTE);
    expect(
      (await story.messages(ops)).map(({ kind, troubleCount }) => [kind, troubleCount]),
    ).toEqual([['alarm', 3]]);
  });

  test.each([
    [undefined, 'the region ash'],
    ['office', null],
  ])('regional incidents that were seen from %s share %s', async (vantage, sharedCause) => {
    const story = await beginStory();
    const ops = await channelOf(story);
    const ids: number[] = [];
    for (let made = 0; made < 6; made += 1) ids.push(await story.monitor());
    const regional = { condition: 'regional', address: null, ...(vantage && { vantage }) } as const;
    await story.fail(ids, regional);
    await story.pass(MINUTE);
    const received = await story.messages(ops);
    expect(received[0]).toMatchObject({ alert: { kind: 'storm', sharedCause }, troubleCount: 6 });
  });

  test('a flapping monitor that gets worse is notified at once [32.18]', async () => {
    const story = await beginStory();
    const [ops, critical] = [
      await channelOf(story),
      await channelOf(story, { severities: '["critical"]' }),
    ];
    const shop = await story.monitor({ friendly_name: 'Shop' });
    for (let time = 0; time < 4; time += 1) {
      await story.fail(shop, { condition: 'regional' });
      await story.pass(MINUTE);
      if (time < 3) await story.recover(shop, 'regional');
    }
    expect((await story.messages(ops)).at(-1)).toMatchObject({
      kind: 'alarm',
      severity: 'warning',
      alert: { kind: 'flapping' },
    });
    await story.changeOver(shop, 'regional', 'uptime');
    await story.pass(MINUTE);
    for (const destination of [ops, critical]) {
      const heard = await story.messages(destination);
      expect(heard.map(({ kind, severity }) => [kind, severity])).toEqual([['alarm', 'critical']]);
    }
    await story.pass(MINUTE);
    await story.recover(shop);
    await story.pass(40 * MINUTE);
    for (const destination of [ops, critical])
      expect((await story.messages(destination)).map(({ kind }) => kind)).toEqual(['recovery']);
  });
});
