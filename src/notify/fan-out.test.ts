import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createAlertStory, type AlertStory } from '../../test/support/alert-story.ts';
import { onPostgres } from '../../test/support/databases.ts';
import { insertNotices } from '../incident/notice.ts';
import { dueAlerts, wakeAlertsOfIncidents, writeAlerts } from '../store/alerts.ts';
import type { Database } from '../store/contract.ts';
import { openDatabase } from '../store/database.ts';
import { lockStates } from '../store/monitor-state.ts';

const MINUTE = 60;

const openMemory = () => openDatabase({ engine: 'sqlite', directory: ':memory:' });
const begin = async (options?: Parameters<typeof createAlertStory>[1]) =>
  createAlertStory(await openMemory(), options);
const channelOf = async (story: AlertStory, columns = {}) =>
  story.destinationOf('alert_channel', await story.channel(columns));
const endpointOf = async (story: AlertStory, severities?: string[]) =>
  story.destinationOf('webhook_endpoint', await story.endpoint(severities));
const kinds = async (story: AlertStory, destination: number) =>
  (await story.told(destination)).map(({ kind, troubles }) => [
    kind,
    ...troubles.map(({ name }) => name),
  ]);
const events = async (story: AlertStory, destination: number) =>
  (await story.sent(destination)).map(({ event }) => event);

const during = async (story: AlertStory, seconds: number, scope: object = {}) => {
  await story.database.transaction((tx) =>
    tx
      .insertInto('maintenance_occurrence')
      .values({
        window_id: 1,
        team_id: story.people.alice.teamId,
        monitors: '[]',
        groups: '[]',
        tags: '[]',
        from_at: story.now(),
        to_at: story.now() + seconds * 1_000,
        ...scope,
      })
      .execute(),
  );
};

describe('events, handed on', () => {
  describe('webhook endpoints', () => {
    test('are sent each event of their severities, in order, byte for byte', async () => {
      const story = await begin();
      const [all, critical] = [await endpointOf(story), await endpointOf(story, ['critical'])];
      const shop = await story.monitor({ friendly_name: 'Shop' });
      await story.fail(shop);
      await story.recover(shop);
      await story.fail(shop, { condition: 'slow_response' });
      expect(await events(story, all)).toEqual([
        'monitor.down',
        'monitor.up',
        'monitor.slow_response',
      ]);
      expect(await events(story, critical)).toEqual(['monitor.down']);
      const { payload } = await story.database.read
        .selectFrom('event')
        .select('payload')
        .orderBy('id')
        .executeTakeFirstOrThrow();
      const { body, incident_id, message_id } = await story.database.read
        .selectFrom('delivery')
        .selectAll()
        .orderBy('id')
        .executeTakeFirstOrThrow();
      expect(body).toBe(payload);
      expect(incident_id).not.toBe(null);
      expect(message_id).toMatch(/^msg_[\w-]+$/);
    });

    test('of other teams, and those that are switched off, are sent nothing', async () => {
      const story = await begin();
      const off = await story.endpoint();
      const other = await story.endpoint();
      await story.database.transaction(async (tx) => {
        await tx
          .updateTable('webhook_endpoint')
          .set({ is_active: 0 })
          .where('id', '=', off)
          .execute();
        await tx
          .updateTable('webhook_endpoint')
          .set({ team_id: story.people.mallory.teamId })
          .where('id', '=', other)
          .execute();
      });
      await story.fail(await story.monitor());
      const rows = await story.database.read.selectFrom('delivery').select('id').execute();
      expect(rows).toEqual([]);
    });

    test('hear of storms, flapping and what depends on others like of everything', async () => {
      const story = await begin();
      const hook = await endpointOf(story);
      const many = [await story.monitor(), await story.monitor(), await story.monitor()];
      await story.fail(many, { address: '203.0.113.7' });
      expect(await events(story, hook)).toEqual(['monitor.down', 'monitor.down', 'monitor.down']);
    });
  });

  describe('people', () => {
    test('are told when it begins, and when it is over', async () => {
      const story = await begin();
      const ops = await channelOf(story);
      const shop = await story.monitor({ friendly_name: 'Shop', url: 'https://shop.example' });
      await story.fail(shop, { cause: 'Connection refused' });
      const [alarm, ...more] = await story.told(ops);
      expect(more).toEqual([]);
      expect(alarm).toMatchObject({
        kind: 'alarm',
        severity: 'critical',
        team: { name: 'Team ours' },
        alert: { kind: 'single', sharedCause: null },
        troubles: [
          {
            name: 'Shop',
            url: 'https://shop.example',
            type: 'uptime',
            cause: 'Connection refused',
            regions: ['ash'],
            startedAt: story.now(),
            endedAt: null,
            acknowledged: false,
          },
        ],
        troubleCount: 1,
      });
      expect(alarm!.troubles[0]!.evidence).toContain('ash: Connection refused');
      await story.pass(9 * MINUTE);
      await story.recover(shop);
      const [recovery] = await story.told(ops);
      expect(recovery).toMatchObject({
        kind: 'recovery',
        troubles: [{ name: 'Shop', endedAt: story.now(), ending: null }],
      });
      expect(recovery!.alert!.id).toBe(alarm!.alert!.id);
      const open = await story.database.read
        .selectFrom('alert')
        .select('id')
        .where('over_at', 'is', null)
        .execute();
      expect(open).toEqual([]);
    });

    test('with verified addresses have mail by default, where mail can be sent', async () => {
      const story = await begin({ mail: true });
      await story.database.transaction((tx) =>
        tx.updateTable('person').set({ email_verified: 1 }).execute(),
      );
      await story.fail(await story.monitor());
      const rows = await story.database.read
        .selectFrom('delivery')
        .innerJoin('alert_channel', 'alert_channel.destination_id', 'delivery.destination_id')
        .innerJoin('person', 'person.id', 'alert_channel.person_id')
        .select(['person.name', 'alert_channel.type'])
        .orderBy('person.id')
        .execute();
      expect(rows).toEqual([
        { name: 'Alice', type: 'email' },
        { name: 'Ed', type: 'email' },
      ]);
    });

    test('hear of an outage that a regional trouble became as of one alert', async () => {
      const story = await begin();
      const ops = await channelOf(story);
      const shop = await story.monitor({ friendly_name: 'Shop' });
      await story.fail(shop, { condition: 'regional' });
      await story.pass(MINUTE);
      await story.changeOver(shop, 'regional', 'uptime');
      await story.pass(MINUTE);
      await story.changeOver(shop, 'uptime', 'regional');
      await story.pass(MINUTE);
      await story.recover(shop, 'regional');
      const notices = await story.told(ops);
      expect(notices.map(({ kind, severity }) => [kind, severity])).toEqual([
        ['alarm', 'warning'],
        ['alarm', 'critical'],
        ['update', 'warning'],
        ['recovery', 'critical'],
      ]);
      expect(new Set(notices.map(({ alert }) => alert!.id)).size).toBe(1);
    });

    test('hear who resolved by hand, and that a monitor was deleted', async () => {
      const story = await begin();
      const ops = await channelOf(story);
      const [shop, gone] = [await story.monitor(), await story.monitor()];
      await story.fail(shop);
      await story.pass(MINUTE);
      await story.fail(gone);
      await story.pass(MINUTE);
      await story.told(ops);
      const { personId } = story.people.alice;
      await story.database.transaction(async (tx) => {
        const { id } = await tx
          .updateTable('incident')
          .set({ ended_at: story.now() })
          .where('monitor_id', '=', shop)
          .returning('id')
          .executeTakeFirstOrThrow();
        await tx
          .insertInto('activity')
          .values({
            team_id: story.people.alice.teamId,
            incident_id: id,
            type: 'resolved',
            description: 'Alice resolved the incident.',
            person_id: personId,
            created_at: story.now(),
          })
          .execute();
        await tx.updateTable('monitor').set({ deleted_at: 1 }).where('id', '=', gone).execute();
        await tx.updateTable('alert').set({ next_at: story.now() }).execute();
      });
      await story.pass(1);
      const endings = (await story.told(ops)).map(({ kind, troubles }) => [
        kind,
        troubles[0]!.ending,
      ]);
      expect(endings).toEqual([
        ['recovery', 'Alice resolved the incident'],
        ['recovery', 'The monitor was deleted'],
      ]);
    });

    test('who want to know hear that records changed', async () => {
      const story = await begin();
      const [curious, calm] = [
        await channelOf(story, { severities: '["info"]' }),
        await channelOf(story),
      ];
      const shop = await story.monitor({ friendly_name: 'Shop' });
      await story.database.transaction(async (tx) => {
        const states = await lockStates(tx, story.database.engine, [shop]);
        const text = 'A records: 192.0.2.1 became 192.0.2.2';
        await insertNotices(tx, 'monitor.dns_changed', [...states.values()], text, story.now());
      });
      await story.pass(1);
      expect(await story.told(curious)).toMatchObject([
        {
          kind: 'notice',
          headline: 'DNS records changed: Shop',
          text: expect.stringContaining('192.0.2.2'),
        },
      ]);
      expect(await story.told(calm)).toEqual([]);
    });
  });

  describe('storms', () => {
    test('of one address are one message that lists them', async () => {
      const story = await begin();
      const ops = await channelOf(story);
      const ids: number[] = [];
      for (let index = 1; index <= 5; index += 1)
        ids.push(await story.monitor({ friendly_name: `Shop ${index}` }));
      await story.fail(ids.slice(0, 2), { address: '203.0.113.7' });
      await story.pass(10);
      await story.fail(ids.slice(2), { address: '203.0.113.7' });
      expect(await story.told(ops)).toEqual([]);
      await story.pass(20);
      const storm = await story.told(ops);
      expect(storm).toMatchObject([
        {
          kind: 'alarm',
          alert: { kind: 'storm', sharedCause: 'the address 203.0.113.7' },
          troubleCount: 5,
        },
      ]);
      expect(storm[0]!.troubles.map(({ name }) => name)).toEqual(
        ids.map((_, index) => `Shop ${index + 1}`),
      );
      await story.pass(10 * MINUTE);
      await story.recover(ids.slice(0, 3));
      await story.pass(5 * MINUTE);
      expect(await kinds(story, ops)).toEqual([
        ['update', 'Shop 1', 'Shop 2', 'Shop 3', 'Shop 4', 'Shop 5'],
      ]);
      await story.recover(ids.slice(3));
      expect((await story.told(ops)).map(({ kind, troubleCount }) => [kind, troubleCount])).toEqual(
        [['recovery', 5]],
      );
    });

    test('take in others of their cause while they last', async () => {
      const story = await begin();
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
      const notices = await story.told(ops);
      expect(notices.map(({ kind, troubleCount }) => [kind, troubleCount])).toEqual([
        ['alarm', 3],
        ['update', 4],
      ]);
    });

    test('name who joins also where something else was told of them meanwhile', async () => {
      const story = await begin();
      const ops = await channelOf(story);
      const ids: number[] = [];
      for (let index = 0; index < 4; index += 1) ids.push(await story.monitor());
      const shared = { address: '203.0.113.7' };
      await story.fail(ids.slice(0, 3), { ...shared, condition: 'regional' });
      await story.pass(31);
      expect(await story.told(ops)).toHaveLength(1);
      await story.fail(ids[3]!, shared);
      await story.pass(5);
      await story.changeOver(ids[0]!, 'regional', 'uptime');
      expect((await story.told(ops)).map(({ kind }) => kind)).toEqual(['alarm']);
      await story.pass(MINUTE);
      const [joined, ...more] = await story.told(ops);
      expect(more).toEqual([]);
      expect(joined!.troubles.map(({ monitorId }) => monitorId)).toContain(ids[3]);
    });

    test('are none of two, nor of what shares nothing', async () => {
      const story = await begin();
      const ops = await channelOf(story);
      await story.fail([await story.monitor(), await story.monitor(), await story.monitor()]);
      await story.pass(MINUTE);
      const notices = await story.told(ops);
      expect(notices.map(({ alert }) => alert!.kind)).toEqual(['single', 'single', 'single']);
    });

    test('of many that share nothing are one message, too', async () => {
      const story = await begin();
      const ops = await channelOf(story);
      const ids: number[] = [];
      for (let index = 0; index < 12; index += 1) ids.push(await story.monitor());
      await story.fail(ids);
      await story.pass(MINUTE);
      expect(await story.told(ops)).toMatchObject([
        { alert: { kind: 'storm', sharedCause: null }, troubleCount: 12 },
      ]);
    });
  });

  test('one that fails alone is told at once; one beside a suspect waits for it', async () => {
    const story = await begin();
    const ops = await channelOf(story);
    const [alone, other, suspect] = [
      await story.monitor(),
      await story.monitor(),
      await story.monitor(),
    ];
    await story.fail(alone);
    expect(await story.told(ops)).toHaveLength(1);
    await story.pass(MINUTE);
    await story.database.transaction((tx) =>
      tx
        .updateTable('monitor_state')
        .set({ run_at: story.now() })
        .where('monitor_id', '=', suspect)
        .execute(),
    );
    await story.fail(other);
    expect(await story.told(ops)).toEqual([]);
    await story.pass(30);
    expect(await story.told(ops)).toHaveLength(1);
  });

  test('a monitor that comes and goes is told of once, and again when it is steady', async () => {
    const story = await begin();
    const ops = await channelOf(story);
    const shop = await story.monitor({ friendly_name: 'Shop' });
    for (let time = 0; time < 8; time += 1) {
      await story.fail(shop);
      await story.pass(2 * MINUTE);
      await story.recover(shop);
      await story.pass(2 * MINUTE);
    }
    const heard = await story.told(ops);
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
    expect((await story.told(ops)).map(({ kind, troubleCount }) => [kind, troubleCount])).toEqual([
      ['recovery', 5],
    ]);
  });

  test('reminders, acknowledgement and escalation', async () => {
    const story = await begin();
    const first = await story.channel();
    const next = await story.channel({ is_default: 0 });
    const [ops, boss] = [
      await story.destinationOf('alert_channel', first),
      await story.destinationOf('alert_channel', next),
    ];
    await story.route({
      channels: `[${first}]`,
      reminder_minutes: 5,
      escalation: JSON.stringify([{ after_minutes: 12, channels: [next], users: [] }]),
    });
    await story.fail(await story.monitor({ friendly_name: 'Shop' }));
    await story.pass(16 * MINUTE);
    expect((await kinds(story, ops)).map(([kind]) => kind)).toEqual([
      'alarm',
      'reminder',
      'reminder',
      'reminder',
    ]);
    expect(await kinds(story, boss)).toEqual([['escalation', 'Shop']]);
    await story.database.transaction((tx) =>
      tx.updateTable('incident').set({ acknowledged_at: story.now() }).execute(),
    );
    await story.pass(60 * MINUTE);
    expect([await kinds(story, ops), await kinds(story, boss)]).toEqual([[], []]);
  });

  describe('maintenance', () => {
    test('holds what began until its end, if it is still there', async () => {
      const story = await begin();
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
      expect([await story.told(ops), await story.told(hook)]).toEqual([[], []]);
      await story.pass(2);
      expect(await kinds(story, ops)).toEqual([['alarm', 'Stays']]);
      expect(await events(story, hook)).toEqual(['monitor.down']);
      await story.pass(MINUTE);
      await story.recover(stays);
      expect(await events(story, hook)).toEqual(['monitor.up']);
    });

    test('does not hold the end of what people know of, nor other monitors', async () => {
      const story = await begin();
      const ops = await channelOf(story);
      const [known, other] = [await story.monitor(), await story.monitor()];
      await story.fail(known);
      await story.pass(MINUTE);
      await during(story, 600, { monitors: `[${known}]` });
      await story.recover(known);
      await story.fail(other);
      await story.pass(MINUTE);
      expect((await story.told(ops)).map(({ kind }) => kind)).toEqual([
        'alarm',
        'recovery',
        'alarm',
      ]);
    });

    test('of two that follow each other lasts to the end of the second', async () => {
      const story = await begin();
      const ops = await channelOf(story);
      await during(story, 300);
      await during(story, 900);
      await story.fail(await story.monitor());
      await story.pass(899);
      expect(await story.told(ops)).toEqual([]);
      await story.pass(2);
      expect(await story.told(ops)).toHaveLength(1);
    });
  });

  test('a child is told of only when its parent is well', async () => {
    const story = await begin();
    const ops = await channelOf(story);
    const router = await story.monitor({ friendly_name: 'Router' });
    const shop = await story.monitor({ friendly_name: 'Shop' });
    await story.database.transaction((tx) =>
      tx
        .insertInto('monitor_dependency')
        .values({
          monitor_id: shop,
          depends_on_id: router,
          team_id: story.people.alice.teamId,
          position: 0,
        } as never)
        .execute(),
    );
    await story.fail(router);
    await story.pass(40);
    await story.fail(shop);
    await story.pass(10 * MINUTE);
    expect(await kinds(story, ops)).toEqual([['alarm', 'Router']]);
    await story.recover(router);
    const look = (id: number) =>
      story.database.transaction((tx) =>
        tx
          .updateTable('monitor_state')
          .set({ last_checked_at: story.now() })
          .where('monitor_id', '=', id)
          .execute(),
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

  test('what is held while the rest of a storm is told joins it later', async () => {
    const story = await begin();
    const ops = await channelOf(story);
    const ids = [await story.monitor(), await story.monitor(), await story.monitor()];
    await story.fail(ids, { address: '203.0.113.7' });
    await story.database.transaction((tx) =>
      tx
        .insertInto('maintenance_occurrence')
        .values({
          window_id: 1,
          team_id: story.people.alice.teamId,
          monitors: `[${ids[2]}]`,
          groups: '[]',
          tags: '[]',
          from_at: story.now() + 10_000,
          to_at: story.now() + 300_000,
        })
        .execute(),
    );
    await story.pass(60);
    expect((await story.told(ops)).map(({ kind, troubleCount }) => [kind, troubleCount])).toEqual([
      ['alarm', 2],
    ]);
    await story.pass(300);
    expect((await story.told(ops)).map(({ kind, troubleCount }) => [kind, troubleCount])).toEqual([
      ['update', 3],
    ]);
  });

  test('a storm takes what was held for the night along, and waits no longer for that', async () => {
    const story = await begin();
    const night = { from: '11:00', to: '20:00', timezone: 'UTC', allow_critical: true };
    const ops = await channelOf(story, { quiet_hours: JSON.stringify(night) });
    const ids: number[] = [];
    for (let index = 0; index < 5; index += 1) ids.push(await story.monitor());
    const shared = { address: '203.0.113.7' };
    await story.fail(ids.slice(0, 2), { ...shared, condition: 'slow_response' });
    await story.pass(60 * MINUTE);
    expect(await story.told(ops)).toEqual([]);
    await story.fail(ids.slice(2), shared);
    await story.pass(MINUTE);
    expect((await story.told(ops)).map(({ kind, troubleCount }) => [kind, troubleCount])).toEqual([
      ['alarm', 3],
    ]);
  });

  test('what comes and goes and then gets worse is told at once', async () => {
    const story = await begin();
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
    expect((await story.told(ops)).at(-1)).toMatchObject({
      kind: 'alarm',
      severity: 'warning',
      alert: { kind: 'flapping' },
    });
    await story.changeOver(shop, 'regional', 'uptime');
    await story.pass(MINUTE);
    for (const destination of [ops, critical]) {
      const heard = await story.told(destination);
      expect(heard.map(({ kind, severity }) => [kind, severity])).toEqual([['alarm', 'critical']]);
    }
    await story.pass(MINUTE);
    await story.recover(shop);
    await story.pass(40 * MINUTE);
    for (const destination of [ops, critical])
      expect((await story.told(destination)).map(({ kind }) => kind)).toEqual(['recovery']);
  });

  test('what becomes another trouble during maintenance has not recovered', async () => {
    const story = await begin();
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
    expect((await story.told(ops)).map(({ kind, severity }) => [kind, severity])).toEqual([
      ['alarm', 'critical'],
    ]);
    await story.recover(shop);
    expect((await story.told(ops)).map(({ kind }) => kind)).toEqual(['recovery']);
  });

  test('what became another trouble during maintenance, and ended in it, is over', async () => {
    const story = await begin();
    const ops = await channelOf(story);
    const shop = await story.monitor();
    await story.fail(shop, { condition: 'regional' });
    await story.pass(MINUTE);
    await during(story, 600);
    await story.changeOver(shop, 'regional', 'uptime');
    await story.pass(MINUTE);
    await story.recover(shop);
    await story.pass(MINUTE);
    expect((await story.told(ops)).map(({ kind }) => kind)).toEqual(['alarm', 'recovery']);
  });

  test.each(['resolved', 'deleted'])(
    'an incident that was %s by hand during maintenance is told to nobody',
    async (how) => {
      const story = await begin();
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
      expect((await story.told(ops)).map(({ troubles }) => troubles[0]!.monitorId)).toEqual([
        other,
      ]);
    },
  );

  test('each is handed on once, however often it is tried', async () => {
    const story = await begin();
    const hook = await endpointOf(story);
    await story.fail(await story.monitor());
    await story.pass(10 * MINUTE);
    expect(await events(story, hook)).toEqual(['monitor.down']);
  });
});

/** Until a transaction waits for another one. */
async function isWaiting({ read }: Database): Promise<void> {
  for (;;) {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(read);
    if (rows.length > 0) return;
  }
}

onPostgres((open) => {
  test('the same on Postgres: a storm, its end, maintenance, what flaps, and a child', async () => {
    const story = await createAlertStory(await open(), { mail: true });
    const ops = await story.destinationOf('alert_channel', await story.channel());
    const hook = await story.destinationOf('webhook_endpoint', await story.endpoint());
    const ids = [await story.monitor(), await story.monitor(), await story.monitor()];
    await story.fail(ids, { address: '203.0.113.7' });
    await story.pass(31);
    await story.recover(ids);
    const told = await story.told(ops);
    expect(told.map(({ kind, troubleCount }) => [kind, troubleCount])).toEqual([
      ['alarm', 3],
      ['recovery', 3],
    ]);
    expect((await story.sent(hook)).map(({ event }) => event)).toEqual([
      ...ids.map(() => 'monitor.down'),
      ...ids.map(() => 'monitor.up'),
    ]);
    await story.pass(60 * MINUTE);
    const [shop = 0] = ids;
    for (let time = 0; time < 5; time += 1) {
      await story.fail(shop);
      await story.pass(2 * MINUTE);
      await story.recover(shop);
    }
    expect((await story.told(ops)).at(-1)).toMatchObject({
      kind: 'alarm',
      alert: { kind: 'flapping' },
    });
    await story.pass(31 * MINUTE);
    expect(await story.told(ops)).toMatchObject([{ kind: 'recovery' }]);
  });

  test('what becomes another trouble in maintenance goes on; what a person resolved in it is over', async () => {
    const story = await createAlertStory(await open());
    const [ops, hook] = [await channelOf(story), await endpointOf(story)];
    const [shop, other] = [await story.monitor(), await story.monitor()];
    await story.fail(shop, { condition: 'regional' });
    await story.pass(MINUTE);
    await during(story, 600);
    await story.changeOver(shop, 'regional', 'uptime');
    await story.fail(other);
    await story.database.transaction((tx) =>
      tx
        .updateTable('incident')
        .set({ ended_at: story.now() })
        .where('monitor_id', '=', other)
        .execute(),
    );
    await story.pass(11 * MINUTE);
    expect((await story.told(ops)).map(({ kind, severity }) => [kind, severity])).toEqual([
      ['alarm', 'warning'],
      ['alarm', 'critical'],
    ]);
    expect(await events(story, hook)).toEqual([
      'monitor.degraded',
      'monitor.degraded_resolved',
      'monitor.down',
    ]);
  });

  test('who resolves an incident while its alert is looked at is not overlooked', async () => {
    const database = await open();
    const story = await createAlertStory(database);
    const ops = await story.destinationOf('alert_channel', await story.channel());
    await story.fail(await story.monitor());
    expect(await story.told(ops)).toHaveLength(1);
    await database.transaction((tx) =>
      tx.updateTable('alert').set({ next_at: story.now() }).execute(),
    );
    const seen = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const step = database.transaction(async (tx) => {
      const [alert] = await dueAlerts(tx, database.engine, story.now(), 1);
      seen.resolve();
      await goOn.promise;
      const { id, kind, severity, told_at: toldAt, told_count: toldCount } = alert!;
      const nothing = { overAt: null, nextAt: null };
      const change = { id, kind, severity: severity as 'critical', toldAt, toldCount, ...nothing };
      await writeAlerts(tx, database.engine, [change]);
    });
    await seen.promise;
    const resolved = database.transaction(async (tx) => {
      const { id } = await tx
        .updateTable('incident')
        .set({ ended_at: story.now() })
        .returning('id')
        .executeTakeFirstOrThrow();
      await wakeAlertsOfIncidents(tx, [id], story.now());
    });
    // It waits for the look, or has overtaken it.
    await Promise.race([resolved, isWaiting(database)]);
    goOn.resolve();
    await Promise.all([step, resolved]);
    await story.pass(1);
    expect(await story.told(ops)).toMatchObject([{ kind: 'recovery' }]);
  });
});
