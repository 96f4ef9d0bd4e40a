import { callOf } from '../../../test/support/call.ts';
import { expect, test } from 'vitest';
import { channelOf, createAlertStory, type AlertStory } from '../../../test/support/alert-story.ts';
import { openApi, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { callerOf } from '../../../test/support/people.ts';
import { updateRows } from '../../../test/support/rows.ts';
import { storeAlert, storeChannel, storeNotified } from '../../../test/support/sent-alerts.ts';
import { trouble, notice } from '../../../test/support/notices.ts';
import { destinationStore } from '../../store/alerting/destinations.ts';
import { queueChanges } from '../../store/alerting/delivery-outcomes.ts';
import { listIncidentNotifications } from './notifications.ts';

const MINUTE = 60;
const SHARED = { address: '203.0.113.7' };

interface Notification {
  kind: string;
  channel: { id: number | null; type: string; name: string | null };
  user: { id: number; name: string | null } | null;
  status: string;
  last_error: string | null;
}

/** Kinds of the messages about each incident of a story by its monitor, in the order in which they were sent. */
async function kindsByMonitor({ database, people }: AlertStory) {
  const list = listIncidentNotifications.create({ database });
  const rows = await database.read
    .selectFrom('incident')
    .select(['id', 'monitor_id'])
    .orderBy('id')
    .execute();
  const kinds: Record<number, string[]> = {};
  for (const { id, monitor_id: monitor } of rows) {
    const { data } = (await list(callOf(callerOf(people.alice), { id }))) as {
      data: Notification[];
    };
    kinds[monitor] = [...(kinds[monitor] ?? []), ...data.map(({ kind }) => kind).toReversed()];
  }
  return kinds;
}

const notifications = (api: TestApi, id: number, who = api.alice, query = '') =>
  api.call(who, 'GET', `/api/v1/incidents/${id}/notifications${query}`);

/** An incident of Alice's team. */
async function incidentOf(api: TestApi): Promise<number> {
  const { id: monitorId } = await api.create();
  const body = { monitor_id: monitorId, started_at: iso(api), status: 'open' };
  return (await api.call(api.alice, 'POST', '/api/v1/incidents', body)).body.id;
}

const iso = (api: TestApi) => new Date(api.clock.now()).toISOString();

/** Sends an alarm about incidents to a channel, which failed once. */
async function alarm(api: TestApi, alertId: number, destinationId: number, incidents: number[]) {
  const now = api.clock.now();
  const troubles = incidents.map((incidentId) => trouble({ incidentId }));
  await api.database.transaction((tx) =>
    destinationStore(tx).enqueue(
      [
        {
          destinationId,
          teamId: api.alice.teamId,
          messageId: `msg_${destinationId}`,
          kind: 'alarm',
          eventType: null,
          incidentId: incidents.length === 1 ? incidents[0]! : null,
          alertId,
          body: JSON.stringify(notice({ troubles })),
        },
      ],
      now,
    ),
  );
  const { id } = await api.database.read
    .selectFrom('delivery')
    .select('id')
    .where('destination_id', '=', destinationId)
    .executeTakeFirstOrThrow();
  const error = 'Slack answered HTTP 404.';
  const attempt = { at: now, durationMs: 1, statusCode: 404, error, response: null };
  const next = { status: 'failed', at: now } as const;
  await api.database.transaction((tx) =>
    queueChanges(tx).recordAttempts([{ deliveryId: id, number: 1, attempt, next }]),
  );
}

eachDatabase((_name, open) => {
  test('lists the messages about an incident, also those of a storm [59.1, 59.2]', async () => {
    const story = await createAlertStory(await open());
    await channelOf(story);
    const [alone, ...together] = [
      await story.monitor(),
      await story.monitor(),
      await story.monitor(),
      await story.monitor(),
    ] as const;
    await story.fail(alone);
    await story.pass(10 * MINUTE);
    await story.recover(alone);
    await story.pass(30 * MINUTE);
    await story.fail(together, SHARED);
    await story.pass(10 * MINUTE);
    await story.recover(together[0]!);
    await story.pass(10 * MINUTE);
    await story.recover(together.slice(1));
    await story.pass(60 * MINUTE);
    const found = await kindsByMonitor(story);
    expect(found[alone]).toEqual(['alarm', 'recovery']);
    for (const id of together) expect(found[id]![0]).toBe('alarm');
    expect(found[together[1]!]).toContain('recovery');
  });

  test('has channel, person, state, error and times, newest first and in pages [59.1]', async () => {
    const api = await openApi(await open());
    const id = await incidentOf(api);
    const now = api.clock.now();
    const { teamId, personId } = api.alice;
    const alertId = await storeAlert(api.database, { teamId, incidents: [id], now });
    await alarm(api, alertId, await storeChannel(api.database, { teamId }, { now }), [id]);
    const own = { now, type: 'telegram', name: 'Phone' };
    await alarm(api, alertId, await storeChannel(api.database, { personId }, own), [id]);
    const { status, body } = await notifications(api, id);
    expect([status, body['total']]).toEqual([200, 2]);
    expect(body['data']).toMatchObject([
      { channel: { type: 'telegram', name: 'Phone' }, user: { id: personId, name: 'Alice' } },
      {
        kind: 'alarm',
        channel: { type: 'slack', name: '#ops' },
        user: null,
        status: 'failed',
        attempts_count: 1,
        last_status_code: 404,
        last_error: 'Slack answered HTTP 404.',
        created_at: iso(api),
        finished_at: iso(api),
        next_attempt_at: null,
      },
    ]);
    const second = (await notifications(api, id, api.alice, '?per_page=1&page=2')).body;
    expect(second['data']).toEqual((body['data'] as object[]).slice(1));
  });

  test('shows names and errors of channels to those whose lists show the channel [59.3]', async () => {
    const api = await openApi(await open());
    const id = await incidentOf(api);
    const now = api.clock.now();
    const { teamId } = api.alice;
    const alertId = await storeAlert(api.database, { teamId, incidents: [id], now });
    const ofTeam = await storeChannel(api.database, { teamId }, { now });
    const personal = { now, type: 'telegram', name: 'Phone' };
    const ofEd = await storeChannel(api.database, { personId: api.ed.personId }, personal);
    await alarm(api, alertId, ofTeam, [id]);
    await alarm(api, alertId, ofEd, [id]);
    const shown = async (who: typeof api.alice) => {
      const data = (await notifications(api, id, who)).body['data'] as unknown as Notification[];
      for (const { channel, last_error: error } of data)
        expect([channel.id === null, error === null]).toEqual(Array(2).fill(channel.name === null));
      return data.map(({ channel, user }) => [channel.type, channel.name, user?.name ?? null]);
    };
    expect(await shown(api.alice)).toEqual([
      ['telegram', null, 'Ed'],
      ['slack', '#ops', null],
    ]);
    expect(await shown(api.ed)).toEqual([
      ['telegram', 'Phone', 'Ed'],
      ['slack', null, null],
    ]);
    expect(await shown(api.vera)).toEqual([
      ['telegram', null, 'Ed'],
      ['slack', null, null],
    ]);
  });

  test('lists a message of several incidents for those that it names, or for all of many [59.2]', async () => {
    const api = await openApi(await open());
    const ids = [await incidentOf(api), await incidentOf(api)];
    const now = api.clock.now();
    const { teamId } = api.alice;
    const alertId = await storeAlert(api.database, { teamId, incidents: ids, now });
    const destination = await storeChannel(api.database, { teamId }, { now });
    await alarm(api, alertId, destination, [ids[0]!, 4_711]);
    const totals = async () =>
      Promise.all(ids.map(async (id) => (await notifications(api, id)).body['total']));
    expect(await totals()).toEqual([1, 0]);
    await updateRows(api.database, 'alert', { notified_count: 51 }, { id: alertId });
    const sent = { alertId, destinationId: destination };
    await storeNotified(api.database, { ...sent, incidents: [ids[0]!, 4_711] }, now);
    expect(await totals()).toEqual([1, 0]);
    await storeNotified(api.database, { ...sent, incidents: [...ids, 4_711] }, now);
    expect(await totals()).toEqual([1, 1]);
    // The second incident was confirmed after the message.
    await updateRows(api.database, 'incident', { created_at: now + 1 }, { id: ids[1]! });
    expect(await totals()).toEqual([1, 0]);
  });

  test('knows no incidents of other teams [59.4]', async () => {
    const api = await openApi(await open());
    const id = await incidentOf(api);
    expect((await notifications(api, id, api.mallory)).status).toBe(404);
    expect((await notifications(api, id, api.vera)).status).toBe(200);
  });
});
