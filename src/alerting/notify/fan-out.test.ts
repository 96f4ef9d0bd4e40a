import { describe, expect, test } from 'vitest';
import {
  beginStory,
  channelOf,
  createAlertStory,
  during,
  endpointOf,
  events,
  kinds,
} from '../../../test/support/alert-story.ts';
import { ending, opening } from '../../../test/support/incident-changes.ts';
import { onPostgres } from '../../../test/support/databases.ts';
import { applyIncidentChanges, insertInfoEvents } from '../../engine/record/record.ts';
import type { IncidentChange } from '../../model/incident.ts';
import { fanOut } from '../index.ts';
import { alertSteps } from '../../store/alerting/alert-steps.ts';
import { scheduleAlertsOfIncidents, alertStore } from '../../store/alerting/alerts.ts';
import { occurrenceChanges } from '../../store/engine/maintenance.ts';
import { lockStates } from '../../store/engine/monitor-state.ts';
import { untilLockWait } from '../../../test/support/lock-waits.ts';
import { updateRows } from '../../../test/support/rows.ts';

const MINUTE = 60;

describe('events, handed on', () => {
  describe('webhook endpoints', () => {
    test('that want no info are sent the end of an incident that was deleted [29.19]', async () => {
      const story = await beginStory();
      const critical = await endpointOf(story, ['critical']);
      const shop = await story.monitor();
      await story.fail(shop);
      await story.database.transaction(async (tx) => {
        await tx.deleteFrom('incident').execute();
      });
      const ids = { monitorId: shop, teamId: story.people.alice.teamId };
      const end = ending({ ...ids, at: story.now() });
      const closedByHand = [{ id: 1, startedAt: story.now() }];
      await story.database.transaction((tx) =>
        applyIncidentChanges(tx, [{ ...end, closedByHand } as IncidentChange], story.now()),
      );
      await story.pass(1);
      expect(await events(story, critical)).toEqual(['monitor.down', 'monitor.up']);
    });

    test('are sent each event of their severities, in order, byte for byte [28.6, 29.18]', async () => {
      const story = await beginStory();
      const [all, critical] = [await endpointOf(story), await endpointOf(story, ['critical'])];
      const shop = await story.monitor({ friendly_name: 'Shop' });
      await story.fail(shop);
      await story.recover(shop);
      await story.fail(shop, { condition: 'slow_response' });
      await story.recover(shop, 'slow_response');
      expect(await events(story, all)).toEqual([
        'monitor.down',
        'monitor.up',
        'monitor.slow_response',
        'monitor.slow_response_resolved',
      ]);
      // Each beginning that it was sent has its end.
      expect(await events(story, critical)).toEqual(['monitor.down', 'monitor.up']);
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

    test('are sent no event of a monitor that was deleted [28.13]', async () => {
      const story = await beginStory();
      const hook = await endpointOf(story);
      const [shop, other] = [await story.monitor(), await story.monitor()];
      const ids = (monitorId: number) => ({
        monitorId,
        teamId: story.people.alice.teamId,
        at: story.now(),
      });
      await story.database.transaction(async (tx) => {
        await applyIncidentChanges(tx, [opening(ids(shop)), opening(ids(other))], story.now());
        await tx.updateTable('monitor').set({ deleted_at: 1 }).where('id', '=', shop).execute();
      });
      await story.pass(1);
      const sent = await story.database.read
        .selectFrom('delivery')
        .select('monitor_id')
        .where('destination_id', '=', hook)
        .execute();
      expect(sent).toEqual([{ monitor_id: other }]);
    });

    test('of other teams, and those that are switched off, are sent nothing', async () => {
      const story = await beginStory();
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

    test('are sent the events of storms, flapping and dependent monitors like all others [26.18]', async () => {
      const story = await beginStory();
      const hook = await endpointOf(story);
      const many = [await story.monitor(), await story.monitor(), await story.monitor()];
      await story.fail(many, { address: '203.0.113.7' });
      expect(await events(story, hook)).toEqual(['monitor.down', 'monitor.down', 'monitor.down']);
    });
  });

  describe('people', () => {
    test('are notified when it begins, and when it is over', async () => {
      const story = await beginStory();
      const ops = await channelOf(story);
      const shop = await story.monitor({ friendly_name: 'Shop', url: 'https://shop.example' });
      await story.fail(shop, { cause: 'Connection refused' });
      const [alarm, ...more] = await story.messages(ops);
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
      expect(alarm!.troubles[0]!.evidence).toContain('ash failed');
      await story.pass(9 * MINUTE);
      await story.recover(shop);
      const [recovery] = await story.messages(ops);
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
      const story = await beginStory({ mail: true });
      await updateRows(story.database, 'person', { email_verified: 1 });
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

    test('are notified who resolved by hand, and that a monitor was deleted [31.15, 33.8]', async () => {
      const story = await beginStory();
      const ops = await channelOf(story);
      const [shop, gone] = [await story.monitor(), await story.monitor()];
      await story.fail(shop);
      await story.pass(MINUTE);
      await story.fail(gone);
      await story.pass(MINUTE);
      await story.messages(ops);
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
      const endings = (await story.messages(ops)).map(({ kind, troubles }) => [
        kind,
        troubles[0]!.ending,
      ]);
      expect(endings).toEqual([
        ['recovery', 'Alice resolved the incident'],
        ['recovery', 'The monitor was deleted'],
      ]);
    });

    test('are notified of changed records where they want it [30.22]', async () => {
      const story = await beginStory();
      const [curious, calm] = [
        await channelOf(story, { severities: '["info"]' }),
        await channelOf(story),
      ];
      const shop = await story.monitor({ friendly_name: 'Shop' });
      await story.database.transaction(async (tx) => {
        const states = await lockStates(tx, [shop]);
        const text = 'A records: 192.0.2.1 became 192.0.2.2';
        await insertInfoEvents(tx, 'monitor.dns_changed', [...states.values()], text, story.now());
      });
      await story.pass(1);
      expect(await story.messages(curious)).toMatchObject([
        {
          kind: 'notice',
          headline: 'DNS records changed: Shop',
          text: expect.stringContaining('192.0.2.2'),
        },
      ]);
      expect(await story.messages(calm)).toEqual([]);
    });
  });

  test('reminders, acknowledgement and escalation [31.11]', async () => {
    const story = await beginStory();
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
    await updateRows(story.database, 'incident', { acknowledged_at: story.now() });
    await story.pass(60 * MINUTE);
    expect([await kinds(story, ops), await kinds(story, boss)]).toEqual([[], []]);
  });

  test('each is handed on once, however often it is tried [28.14]', async () => {
    const story = await beginStory();
    const hook = await endpointOf(story);
    await story.fail(await story.monitor());
    await story.pass(10 * MINUTE);
    expect(await events(story, hook)).toEqual(['monitor.down']);
  });
});

onPostgres((open) => {
  test.each([
    ['ends by the clock', 0],
    ['is ended just then', 1],
  ])('nobody is notified of what is over when a window %s', async (_how, isEnded) => {
    const database = await open();
    const story = await createAlertStory(database);
    const [ops, hook] = [await channelOf(story), await endpointOf(story)];
    const monitorId = await story.monitor();
    await during(story, 600);
    await story.fail(monitorId);
    await story.pass(600 - 0.1);
    const at = story.now();
    await database.transaction(async (tx) => {
      const end = ending({ monitorId, teamId: story.people.alice.teamId, at });
      await applyIncidentChanges(tx, [end], at);
      if (isEnded === 0) return;
      await tx
        .updateTable('maintenance_occurrence')
        .set({ to_at: at + 1 })
        .execute();
      await occurrenceChanges(tx).releaseHeld(story.people.alice.teamId, at + 1);
    });
    // Its end and, held, its beginning are handed on together, in this order.
    expect(await fanOut(database, { now: at + 150, mail: false })).toMatchObject({ events: 2 });
    await story.pass(1);
    expect(await events(story, hook)).toEqual([]);
    expect(await kinds(story, ops)).toEqual([]);
    const alerts = await database.read.selectFrom('alert').select('id').execute();
    expect(alerts).toEqual([]);
    const waiting = await database.read
      .selectFrom('event')
      .select('id')
      .where('fan_out_at', 'is not', null)
      .execute();
    expect(waiting).toEqual([]);
  });

  test('an incident that is resolved while its alert is processed is not overlooked', async () => {
    const database = await open();
    const story = await createAlertStory(database);
    const ops = await story.destinationOf('alert_channel', await story.channel());
    await story.fail(await story.monitor());
    expect(await story.messages(ops)).toHaveLength(1);
    await updateRows(database, 'alert', { next_at: story.now() });
    const seen = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const step = database.transaction(async (tx) => {
      const [alert] = await alertStore(tx).due(story.now(), 1);
      seen.resolve();
      await goOn.promise;
      const { id, kind, severity, notified_at: notifiedAt, notified_count: notifiedCount } = alert!;
      const nothing = { overAt: null, nextAt: null };
      const change = {
        id,
        kind,
        severity: severity as 'critical',
        notifiedAt,
        notifiedCount,
        ...nothing,
      };
      await alertSteps(tx).writeAlerts([change]);
    });
    await seen.promise;
    const resolved = database.transaction(async (tx) => {
      const { id } = await tx
        .updateTable('incident')
        .set({ ended_at: story.now() })
        .returning('id')
        .executeTakeFirstOrThrow();
      await scheduleAlertsOfIncidents(tx, [id], story.now());
    });
    // It waits for the look, or has overtaken it.
    await Promise.race([resolved, untilLockWait(database)]);
    goOn.resolve();
    await Promise.all([step, resolved]);
    await story.pass(1);
    expect(await story.messages(ops)).toMatchObject([{ kind: 'recovery' }]);
  });
});
