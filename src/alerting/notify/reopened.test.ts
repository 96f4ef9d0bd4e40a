import { callOf } from '../../../test/support/call.ts';
import { describe, expect, test } from 'vitest';
import {
  createAlertStory,
  during,
  endpointOf,
  events,
  kinds,
} from '../../../test/support/alert-story.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { callerOf } from '../../../test/support/people.ts';
import { createSecretBox } from '../../lib/secret-box.ts';
import { createIncidentService } from '../../resources/incidents/incidents.ts';

const MINUTE = 60;

eachDatabase((_name, open) => {
  async function begin() {
    const story = await createAlertStory(await open());
    const { database, people, now } = story;
    const secretBox = createSecretBox(['a key for tests']);
    const clock = { now };
    const deps = { database, clock, secretBox, openSignup: false, baseUrl: () => '' };
    const service = createIncidentService(deps);
    const { personId, teamId } = people.alice;
    const alice = callerOf({ personId, teamId });
    const ids = async () => {
      const rows = await database.read.selectFrom('incident').select('id').orderBy('id').execute();
      return rows.map(({ id }) => id);
    };
    const [ops, boss] = [await story.channel(), await story.channel({ is_default: 0 })];
    await story.route({
      channels: `[${ops}]`,
      reminder_minutes: 30,
      escalation: JSON.stringify([{ after_minutes: 10, channels: [boss], users: [] }]),
    });
    const [heard, asked] = [
      await story.destinationOf('alert_channel', ops),
      await story.destinationOf('alert_channel', boss),
    ];
    return {
      story,
      ids,
      resolve: (id: number) => service.resolveIncident(callOf(alice, { id })),
      acknowledge: (id: number) => service.acknowledgeIncident(callOf(alice, { id })),
      reopen: (id: number) =>
        service.updateIncident(callOf(alice, { id, body: { status: 'open' } })),
      create: (monitorId: number) =>
        service.createIncident(
          callOf(alice, {
            body: {
              monitor_id: monitorId,
              severity: 'critical',
              root_cause: 'Seen by somebody',
              status: 'resolved',
              started_at: new Date(story.now() - 60_000).toISOString(),
            },
          }),
        ),
      ops: async () => (await kinds(story, heard)).map(([kind]) => kind),
      boss: async () => (await kinds(story, asked)).map(([kind]) => kind),
      troubles: async () => (await story.messages(heard)).map(({ troubles }) => troubles.length),
    };
  }

  describe('an incident that is opened again', () => {
    test('is over for those who were notified of it, also when its problem came and went in maintenance', async () => {
      const { story, ids, resolve, reopen, ops } = await begin();
      const hook = await endpointOf(story);
      const monitorId = await story.monitor();
      await story.fail(monitorId);
      const [id] = (await ids()) as [number];
      await resolve(id);
      await story.pass(MINUTE);
      await reopen(id);
      await story.pass(MINUTE);
      expect(await ops()).toEqual(['alarm', 'recovery', 'alarm']);
      expect(await events(story, hook)).toEqual(['monitor.down']);
      await during(story, 20 * MINUTE);
      await story.fail(monitorId);
      await story.pass(5 * MINUTE);
      await story.recover(monitorId);
      await story.pass(60 * MINUTE);
      expect(await ops()).toEqual(['recovery']);
      expect(await events(story, hook)).toEqual(['monitor.up']);
    });

    test('is notified again, with reminders and escalation from then on, whoever acknowledged it before [21.36, 31.12]', async () => {
      const { story, ids, resolve, acknowledge, reopen, ops, boss } = await begin();
      await story.fail(await story.monitor());
      const [id] = (await ids()) as [number];
      await acknowledge(id);
      await resolve(id);
      await story.pass(60 * MINUTE);
      expect(await ops()).toEqual(['alarm', 'recovery']);
      expect(await reopen(id)).toMatchObject({ acknowledged_at: null, acknowledged_by: null });
      await story.pass(9 * MINUTE);
      expect([await ops(), await boss()]).toEqual([['alarm'], []]);
      await story.pass(22 * MINUTE);
      expect([await ops(), await boss()]).toEqual([['reminder'], ['escalation']]);
      await acknowledge(id);
      await story.pass(60 * MINUTE);
      await story.recover(1);
      expect([await ops(), await boss()]).toEqual([['recovery'], ['recovery']]);
    });

    test('is over for whom it was escalated to before, though the escalation was not due again', async () => {
      const { story, ids, resolve, reopen, ops, boss } = await begin();
      const shop = await story.monitor();
      await story.fail(shop);
      await story.pass(11 * MINUTE);
      expect([await ops(), await boss()]).toEqual([['alarm'], ['escalation']]);
      const [id] = (await ids()) as [number];
      await resolve(id);
      await reopen(id);
      await story.pass(MINUTE);
      await story.recover(shop);
      await story.pass(20 * MINUTE);
      expect([(await ops()).at(-1), (await boss()).at(-1)]).toEqual(['recovery', 'recovery']);
    });

    test('while others of its alert go on joins them once more', async () => {
      const { story, ids, resolve, reopen, ops, troubles } = await begin();
      const monitors = [await story.monitor(), await story.monitor(), await story.monitor()];
      await story.fail(monitors, { address: '203.0.113.7' });
      await story.pass(MINUTE);
      const [first] = (await ids()) as [number];
      await resolve(first);
      await story.pass(11 * MINUTE);
      expect(await ops()).toEqual(['alarm', 'update']);
      await reopen(first);
      await story.pass(MINUTE);
      expect(await troubles()).toEqual([3]);
      const alerts = await story.database.read.selectFrom('alert').select('id').execute();
      expect(alerts).toHaveLength(1);
    });

    test('is notified once more when its problem comes [31.13]', async () => {
      const { story, ids, resolve, reopen, ops } = await begin();
      const shop = await story.monitor();
      await story.fail(shop);
      const [id] = (await ids()) as [number];
      await resolve(id);
      await story.pass(MINUTE);
      await reopen(id);
      await story.pass(MINUTE);
      expect(await ops()).toEqual(['alarm', 'recovery', 'alarm']);
      await story.fail(shop);
      expect(await ops()).toEqual(['update']);
      await story.recover(shop);
      expect(await ops()).toEqual(['recovery']);
    });

    test('during maintenance is notified at its end, and once', async () => {
      const { story, ids, resolve, reopen, ops } = await begin();
      await during(story, 20 * MINUTE);
      await story.fail(await story.monitor());
      const [id] = (await ids()) as [number];
      await resolve(id);
      await reopen(id);
      await story.pass(19 * MINUTE);
      expect(await ops()).toEqual([]);
      await story.pass(2 * MINUTE);
      expect(await ops()).toEqual(['alarm']);
    });

    test('is notified to nobody when a person reported it', async () => {
      const { story, ids, create, reopen, ops } = await begin();
      await create(await story.monitor());
      const [id] = (await ids()) as [number];
      await reopen(id);
      await story.pass(MINUTE);
      expect(await ops()).toEqual([]);
    });
  });
});
