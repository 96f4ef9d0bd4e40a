import { describe, expect, test } from 'vitest';
import { openApi, type Json, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import {
  storeAlert,
  storeChannel,
  storeEvidence,
  storeNotified,
} from '../../../test/support/sent-alerts.ts';
import { ALERT_LINK_MS, createAlertLinks } from '../../alerting/message/index.ts';
import { updateRows } from '../../../test/support/rows.ts';

const LINKS = '/api/v1/alert-links';
const DAY = 24 * 3_600_000;

/** The links of an installation with the key that `openApi` has. */
const links = createAlertLinks({ keys: ['a key for tests'], baseUrl: () => '' });

async function report(api: TestApi, body: object = {}): Promise<number> {
  const monitor = await api.create({ friendly_name: 'Shop' });
  const incident = { monitor_id: monitor.id, started_at: '2029-12-31T23:51:00Z', status: 'open' };
  const answer = await api.call(api.alice, 'POST', '/api/v1/incidents', { ...incident, ...body });
  return answer.body.id;
}

interface Sent {
  api: TestApi;
  alertId: number;
  destinationId: number;
  incidents: number[];
  token: string;
}

/** An alert of so many incidents, sent to a channel of the team unless a person is named. */
async function send(api: TestApi, to: 'team' | 'ed' | 'vera' = 'team', count = 1): Promise<Sent> {
  const now = api.clock.now();
  const { teamId } = api.alice;
  const incidents: number[] = [];
  for (let each = 0; each < count; each += 1) incidents.push(await report(api));
  const alertId = await storeAlert(api.database, { teamId, incidents, now });
  const owner = to === 'team' ? { teamId } : { personId: api[to].personId };
  const destinationId = await storeChannel(api.database, owner, { now });
  await storeNotified(api.database, { alertId, destinationId, incidents }, now);
  return { api, alertId, destinationId, incidents, token: tokenOf(alertId, destinationId, now) };
}

function tokenOf(alertId: number, destinationId: number, now: number): string {
  return new URLSearchParams(links.detailsUrl(alertId, destinationId, now).split('?')[1]).get(
    'token',
  )!;
}

const view = ({ api, token }: Pick<Sent, 'api' | 'token'>) =>
  api.call(null, 'GET', `${LINKS}?token=${token}`);
const acknowledge = ({ api, token }: Pick<Sent, 'api' | 'token'>) =>
  api.call(null, 'POST', `${LINKS}/acknowledge`, { token });

async function incidentOf({ api, incidents }: Sent, index = 0): Promise<Json> {
  return (await api.call(api.alice, 'GET', `/api/v1/incidents/${incidents[index]}`)).body;
}

async function entriesOf({ api }: Sent) {
  const { body } = await api.call(
    api.alice,
    'GET',
    '/api/v1/audit-log?action=incident.acknowledged',
  );
  return body['data'] as Record<string, unknown>[];
}

eachDatabase((_name, open) => {
  describe('the link of a message', () => {
    test('shows the alert to whoever has it, and changes nothing [33.11]', async () => {
      const sent = await send(await openApi(await open()));
      await storeEvidence(sent.api.database, sent.incidents[0]!);
      const { status, body } = await view(sent);
      expect(status).toBe(200);
      expect(body).toEqual({
        team: 'Team ours',
        kind: 'single',
        severity: 'critical',
        shared_cause: null,
        opened_at: '2030-01-01T00:00:00.000Z',
        over_at: null,
        sent_to: '#ops (Slack)',
        timezone: null,
        incidents_count: 1,
        open_count: 1,
        can_acknowledge: true,
        unobserved_seconds: null,
        incidents: [
          {
            id: sent.incidents[0],
            monitor: 'Shop',
            url: 'https://example.com',
            type: 'manual',
            severity: 'critical',
            status: 'open',
            root_cause: null,
            regions: ['ash'],
            vantage: null,
            evidence: 'ash: HTTP 503 Service Unavailable, at 203.0.113.7, after 120 ms',
            started_at: '2029-12-31T23:51:00.000Z',
            ended_at: null,
            unobserved_seconds: null,
            acknowledged_at: null,
            acknowledged_by: null,
          },
        ],
      });
      expect((await incidentOf(sent))['acknowledged_at']).toBeNull();
      expect(await entriesOf(sent)).toEqual([]);
    });

    test('of a person acknowledges in their name [33.13]', async () => {
      const sent = await send(await openApi(await open()), 'ed');
      const { status, body } = await acknowledge(sent);
      expect([status, body['success'], body['message']]).toEqual([
        200,
        true,
        'The incident is acknowledged.',
      ]);
      expect(body['incidents']).toMatchObject([
        { acknowledged_at: '2030-01-01T00:00:00.000Z', acknowledged_by: 'Ed' },
      ]);
      const { personId } = sent.api.ed;
      const incident = await incidentOf(sent);
      expect(incident['acknowledged_by']).toBe(personId);
      expect(incident['activities']).toContainEqual(
        expect.objectContaining({
          type: 'acknowledged',
          description: 'Ed acknowledged the incident by a link.',
          user: { id: personId, name: 'Ed' },
        }),
      );
      expect(await entriesOf(sent)).toMatchObject([
        {
          actor: { id: personId },
          via: 'link',
          ip_address: '127.0.0.1',
          target: { id: sent.incidents[0] },
        },
      ]);
    });

    test('of a channel of the team acknowledges in the name of the channel [33.13, 35.6]', async () => {
      const sent = await send(await openApi(await open()));
      expect((await acknowledge(sent)).status).toBe(200);
      const incident = await incidentOf(sent);
      expect(incident).toMatchObject({
        acknowledged_at: '2030-01-01T00:00:00.000Z',
        acknowledged_by: null,
      });
      expect(incident['activities']).toContainEqual(
        expect.objectContaining({
          description: 'Somebody acknowledged the incident by a link sent to #ops (Slack).',
          user: null,
        }),
      );
      expect(await entriesOf(sent)).toMatchObject([
        { via: 'link', actor: { id: null, name: '#ops (Slack)' } },
      ]);
    });

    test('acknowledges all incidents of a storm that are open, and leaves the others [32.10]', async () => {
      const sent = await send(await openApi(await open()), 'ed', 3);
      const { api, incidents } = sent;
      await api.call(api.alice, 'POST', `/api/v1/incidents/${incidents[1]}/acknowledge`);
      await api.call(api.alice, 'POST', `/api/v1/incidents/${incidents[2]}/resolve`);
      const fourth = await report(api);
      expect((await view(sent)).body).toMatchObject({
        kind: 'storm',
        incidents_count: 3,
        open_count: 2,
        can_acknowledge: true,
      });
      expect((await acknowledge(sent)).body['message']).toBe('The incident is acknowledged.');
      expect((await incidentOf(sent, 0))['acknowledged_by']).toBe(api.ed.personId);
      expect((await incidentOf(sent, 1))['acknowledged_by']).toBe(api.alice.personId);
      expect((await incidentOf(sent, 2))['acknowledged_by']).toBeNull();
      const other = await api.call(api.alice, 'GET', `/api/v1/incidents/${fourth}`);
      expect(other.body['acknowledged_at']).toBeNull();
    });

    test('shows and acknowledges only what its channel was notified of [33.16]', async () => {
      const sent = await send(await openApi(await open()), 'team', 2);
      const { api, alertId, incidents } = sent;
      const [own, foreign] = incidents;
      const now = api.clock.now();
      const { teamId } = api.alice;
      const destinationId = await storeChannel(api.database, { teamId }, { now });
      await storeNotified(api.database, { alertId, destinationId, incidents: [own!] }, now);
      const other = { api, token: tokenOf(alertId, destinationId, now) };
      const { body } = await view(other);
      expect(body).toMatchObject({ incidents_count: 1, open_count: 1, incidents: [{ id: own }] });
      expect((await acknowledge(other)).body).toMatchObject({ incidents: [{ id: own }] });
      expect((await incidentOf(sent, 0))['acknowledged_at']).not.toBeNull();
      expect((await incidentOf(sent, 1))['acknowledged_at']).toBeNull();
      expect(foreign).not.toBe(own);
      const stranger = await storeChannel(api.database, { teamId }, { now });
      expect((await view({ api, token: tokenOf(alertId, stranger, now) })).status).toBe(404);
    });

    test('acknowledges once, however often it is used', async () => {
      const sent = await send(await openApi(await open()), 'ed', 2);
      const answers = await Promise.all([acknowledge(sent), acknowledge(sent)]);
      expect(answers.map(({ body }) => body['message']).toSorted()).toEqual([
        '2 incidents are acknowledged.',
        'The incidents are acknowledged already.',
      ]);
      expect(await entriesOf(sent)).toHaveLength(2);
      expect((await view(sent)).body['can_acknowledge']).toBe(false);
    });

    test('shows that all is over, and has nothing to acknowledge then', async () => {
      const sent = await send(await openApi(await open()));
      const { api, incidents } = sent;
      await api.call(api.alice, 'POST', `/api/v1/incidents/${incidents[0]}/resolve`);
      expect((await view(sent)).body).toMatchObject({ open_count: 0, can_acknowledge: false });
      expect((await acknowledge(sent)).body['message']).toBe('The incident is over.');
      expect((await incidentOf(sent))['acknowledged_at']).toBeNull();
    });

    test('shows a push monitor without its url, and none of a deleted one', async () => {
      const api = await openApi(await open());
      const monitor = await api.create({
        monitor_type: 'heartbeat',
        friendly_name: 'Nightly backup',
        heartbeat_interval: 3600,
        url: undefined,
        check_interval: undefined,
      });
      const sent = await send(api);
      const silent = await report(api, { monitor_id: monitor.id });
      const now = api.clock.now();
      const incidents = [silent, sent.incidents[0]!];
      const { teamId } = api.alice;
      const alertId = await storeAlert(api.database, { teamId, incidents, now });
      const { destinationId } = sent;
      await storeNotified(api.database, { alertId, destinationId, incidents }, now);
      const both = { api, token: tokenOf(alertId, sent.destinationId, now) };
      const shop = await incidentOf(sent);
      await api.call(api.alice, 'DELETE', `/api/v1/monitors/${shop['monitor_id']}`);
      const { body, text } = await view(both);
      expect(body).toMatchObject({ incidents_count: 1, incidents: [{ id: silent, url: null }] });
      expect(text).not.toContain('/ping/');
    });

    test('works for fourteen days [33.14]', async () => {
      const sent = await send(await openApi(await open()));
      await sent.api.clock.advance(ALERT_LINK_MS - DAY);
      expect((await view(sent)).status).toBe(200);
      await sent.api.clock.advance(DAY);
      for (const { status, body } of [await view(sent), await acknowledge(sent)]) {
        expect(status).toBe(422);
        expect(body['errors']).toEqual({
          token: ['token has expired: sign in to see the incidents of your team.'],
        });
      }
    });

    test.each<[string, (sent: Sent) => Promise<void>]>([
      ['disabled', ({ api, ...of }) => changeChannel(api, of, { enabled: 0 })],
      [
        'of another team',
        ({ api, ...of }) => changeChannel(api, of, { team_id: api.mallory.teamId }),
      ],
      [
        'gone',
        async ({ api, destinationId }) => {
          await api.database.transaction(async (tx) => {
            await tx
              .deleteFrom('alert_channel')
              .where('destination_id', '=', destinationId)
              .execute();
          });
        },
      ],
    ])('is refused when its channel is %s', async (_how, change) => {
      const sent = await send(await openApi(await open()));
      await change(sent);
      for (const { status, body } of [await view(sent), await acknowledge(sent)]) {
        expect(status).toBe(403);
        expect(body['message']).toContain('is not used for the team any more');
      }
      expect((await incidentOf(sent))['acknowledged_at']).toBeNull();
    });

    test('tells the zone of its channel, else of whoever it was sent to', async () => {
      const sent = await send(await openApi(await open()), 'ed');
      const { api } = sent;
      const zoneOf = async () => (await view(sent)).body['timezone'];
      await updateRows(api.database, 'person', { timezone: 'Asia/Tokyo' }, { id: api.ed.personId });
      expect(await zoneOf()).toBe('Asia/Tokyo');
      await updateRows(
        api.database,
        'alert_channel',
        { timezone: 'Europe/Berlin' },
        { destination_id: sent.destinationId },
      );
      expect(await zoneOf()).toBe('Europe/Berlin');
    });

    test('of a person is refused once they are no active member', async () => {
      const sent = await send(await openApi(await open()), 'ed');
      const { api } = sent;
      const setStatus = (status: string) =>
        updateRows(api.database, 'member', { status }, { person_id: api.ed.personId });
      await setStatus('disabled');
      expect((await view(sent)).status).toBe(403);
      await setStatus('active');
      expect((await view(sent)).status).toBe(200);
      await api.call(api.alice, 'DELETE', `/api/v1/users/${api.ed.personId}`);
      expect((await acknowledge(sent)).status).toBe(403);
    });

    test('of a viewer shows the alert, and acknowledges nothing', async () => {
      const sent = await send(await openApi(await open()), 'vera');
      expect((await view(sent)).body).toMatchObject({ sent_to: 'Vera', can_acknowledge: false });
      const { status, body } = await acknowledge(sent);
      expect([status, body['message']]).toEqual([403, expect.stringContaining('viewer')]);
      expect((await incidentOf(sent))['acknowledged_at']).toBeNull();
    });

    test('is none when it is forged, of another installation, or of an alert that is gone', async () => {
      const sent = await send(await openApi(await open()));
      const { api, token, alertId, destinationId } = sent;
      const others = createAlertLinks({ keys: ['another key'], baseUrl: () => '' });
      const now = api.clock.now();
      const forged = others.detailsUrl(alertId, destinationId, now).split('token=')[1]!;
      const gone = tokenOf(alertId + 1, destinationId, now);
      for (const wrong of ['', 'x', forged, gone, `${token}A`, token.slice(0, -1)]) {
        expect((await view({ api, token: wrong })).status).toBe(404);
        expect((await acknowledge({ api, token: wrong })).status).toBe(wrong === '' ? 422 : 404);
      }
      await updateRows(api.database, 'team', { deleted_at: now });
      expect((await view(sent)).status).toBe(404);
    });
  });
});

async function changeChannel(
  api: TestApi,
  { destinationId }: Pick<Sent, 'destinationId'>,
  change: { enabled?: number; team_id?: number },
): Promise<void> {
  await updateRows(api.database, 'alert_channel', change, { destination_id: destinationId });
}
