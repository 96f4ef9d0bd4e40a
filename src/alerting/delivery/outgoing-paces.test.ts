import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import {
  enqueue,
  eventOf,
  giveChannel,
  giveEndpoint,
  giveTeam,
} from '../../../test/support/deliveries.ts';
import { MINUTE, SECOND, startWorkers } from '../../../test/support/delivery-worker.ts';
import { OUTGOING_PACES } from '../../model/outgoing.ts';

const { event, alert } = OUTGOING_PACES;
const SETTINGS = { webhook_url: 'https://chat.example.com/hooks/one' };

/** A message as alerts enqueue it. */
const CONTENT = {
  kind: 'reminder',
  team: { id: 1, name: 'Harbour' },
  severity: 'critical',
  at: 0,
  alert: null,
  troubles: [],
  troubleCount: 0,
  headline: 'The shop is still down',
  text: null,
  silence: null,
};

eachDatabase((_, open) => {
  test('with open sign-up events of a team to one host wait for their pace, in order, and none is lost [29.45]', async () => {
    const database = await open();
    const [mine, other] = [await giveTeam(database), await giveTeam(database, 'Other')];
    const hooks = [
      await giveEndpoint(database, mine, 'https://hooks.example.com/one'),
      await giveEndpoint(database, mine, 'https://HOOKS.example.com:8443/two'),
    ];
    const { destinationId: others } = await giveEndpoint(
      database,
      other,
      'https://hooks.example.com/',
    );
    const work = startWorkers(database, { openSignup: true });
    await work.rest();
    const { burst, perMinute } = event.open;
    const each = (burst + 40) / 2;
    const events = hooks.flatMap(({ destinationId }, hook) =>
      Array.from({ length: each }, (_item, index) =>
        eventOf(destinationId, `${hook}.${index}`, index % 100),
      ),
    );
    await enqueue(database, [...events, eventOf(others, 'other')], work.clock.now());
    await work.pass(2 * SECOND);
    const ofMine = () => work.sent.filter(({ id }) => id !== 'other');
    expect(ofMine().length).toBeGreaterThanOrEqual(burst);
    expect(ofMine().length).toBeLessThan(burst + 10);
    expect(work.sent.filter(({ id }) => id === 'other')).toHaveLength(1);
    await work.pass((60 * SECOND * 50) / perMinute);
    expect(new Set(ofMine().map(({ id }) => id)).size).toBe(2 * each);
    for (const hook of [0, 1]) {
      const own = ofMine().filter(({ id }) => id.startsWith(`${hook}.`));
      const ofFirst = own.map(({ id }) => Number(id.slice(2))).filter((index) => index % 100 === 0);
      expect(ofFirst).toEqual(ofFirst.toSorted((a, b) => a - b));
    }
    expect(work.counters).toMatchObject({ postponed: 0, expired: 0 });
    await work.stop();
  });

  test('a test of an endpoint does not wait for the pace of its host [29.45]', async () => {
    const database = await open();
    const team = await giveTeam(database);
    const { destinationId } = await giveEndpoint(database, team, 'https://hooks.example.com/');
    const work = startWorkers(database, { openSignup: true });
    const count = event.open.burst + 20;
    const events = Array.from({ length: count }, (_item, index) =>
      eventOf(destinationId, String(index), index),
    );
    await enqueue(database, events, work.clock.now());
    await work.pass(2 * SECOND);
    await enqueue(
      database,
      [{ ...eventOf(destinationId, 'test'), kind: 'test' }],
      work.clock.now(),
    );
    await work.pass(SECOND);
    expect(work.sent.map(({ id }) => id)).toContain('test');
    await work.stop();
  });

  test('with open sign-up messages to channels at one host wait for their pace', async () => {
    const database = await open();
    const team = await giveTeam(database);
    const given = { type: 'mattermost', settings: SETTINGS };
    const channels = [
      await giveChannel(database, team, given),
      await giveChannel(database, team, given),
    ];
    const work = startWorkers(database, { openSignup: true });
    const each = 0.6 * alert.open.burst;
    const messages = channels.flatMap(({ destinationId }, channel) =>
      Array.from({ length: each }, (_item, index) => ({
        ...eventOf(destinationId, `${channel}.${index}`, null),
        kind: 'reminder',
        eventType: null,
        body: JSON.stringify(CONTENT),
      })),
    );
    await enqueue(database, messages, work.clock.now());
    await work.pass(2 * SECOND);
    expect(work.sent.length).toBeGreaterThanOrEqual(alert.open.burst);
    expect(work.sent.length).toBeLessThan(alert.open.burst + 5);
    await work.pass(MINUTE);
    expect(work.sent).toHaveLength(2 * each);
    expect(work.counters).toMatchObject({ delivered: 2 * each, postponed: 0, failed: 0 });
    await work.stop();
  });
});
