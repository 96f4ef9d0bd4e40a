import { describe, expect, test } from 'vitest';
import { openApi, sentences, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { storeDelivery } from '../../../test/support/webhooks.ts';
import { createSecretBox, type SecretBox } from '../../lib/secret-box.ts';
import { DESTINATION_LIMITS } from '../../model/outgoing.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { rowOf, updateRows } from '../../../test/support/rows.ts';

const HOUR = 3_600_000;
const ENDPOINTS = '/api/v1/webhook-endpoints';
const KEY = createSecretBox(['a key for tests']);

const freshApi = async (overrides: Parameters<typeof openApi>[1] = {}) =>
  openApi(await openInMemory(), overrides);

async function create(api: TestApi, fields: object = {}): Promise<number> {
  const body = { name: 'Chat', url: 'https://hooks.example.com/in', ...fields };
  const answer = await api.call(api.alice, 'POST', ENDPOINTS, body);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer.body.id;
}

const change = (api: TestApi, id: number, fields: object) =>
  api.call(api.alice, 'PUT', `${ENDPOINTS}/${id}`, fields);

const endpointOf = ({ database }: TestApi, id: number) =>
  rowOf(database, 'webhook_endpoint', { id });

const destinationOf = async (api: TestApi, id: number) => {
  const { destination_id } = await endpointOf(api, id);
  return api.database.read
    .selectFrom('destination')
    .selectAll()
    .where('id', '=', destination_id)
    .executeTakeFirst();
};

/** As sending to it would leave it. */
async function fail(api: TestApi, id: number, nextAt: number): Promise<void> {
  const { destination_id } = await endpointOf(api, id);
  await api.database.transaction(async (tx) => {
    await tx
      .updateTable('destination')
      .set({ failures: 4, failing_since: 1_000, last_error: 'HTTP 503', next_at: nextAt })
      .where('id', '=', destination_id)
      .execute();
    await tx
      .updateTable('delivery')
      .set({ next_at: nextAt })
      .where('destination_id', '=', destination_id)
      .execute();
  });
}

const secretsOf = async (api: TestApi, id: number) => {
  const {
    signing_secret: present,
    previous_signing_secret: former,
    ...row
  } = await endpointOf(api, id);
  const secrets = KEY.of('webhook_endpoint', row.team_id);
  return {
    present: present && secrets.open(present, 'signing_secret'),
    former: former && secrets.open(former, 'previous_signing_secret'),
    until: row.previous_secret_until,
  };
};

describe('the signing secret', () => {
  const [FIRST, SECOND] = ['the first secret', 'the second secret'];

  test('one that is replaced signs beside its successor for 24 hours [29.41]', async () => {
    const api = await freshApi();
    const id = await create(api, { signing_secret: FIRST });
    const until = api.clock.now() + 24 * HOUR;
    const { body } = await change(api, id, { signing_secret: SECOND });
    expect(body['previous_secret_until']).toBe(new Date(until).toISOString());
    expect(await secretsOf(api, id)).toEqual({ present: SECOND, former: FIRST, until });
    await change(api, id, { signing_secret: SECOND, name: 'Other' });
    expect(await secretsOf(api, id)).toEqual({ present: SECOND, former: FIRST, until });
    await api.clock.advance(24 * HOUR);
    const later = await api.call(api.alice, 'GET', `${ENDPOINTS}/${id}`);
    expect(later.body['previous_secret_until']).toBeNull();
  });

  test('null ends both', async () => {
    const api = await freshApi();
    const id = await create(api, { signing_secret: FIRST });
    await change(api, id, { signing_secret: SECOND });
    const { body } = await change(api, id, { signing_secret: null });
    expect(body).toMatchObject({ has_signing_secret: false, previous_secret_until: null });
    expect(await secretsOf(api, id)).toEqual({ present: null, former: null, until: null });
  });

  test.each([
    [undefined, 24],
    [{}, 24],
    [{ overlap_hours: 1 }, 1],
    [{ overlap_hours: 168 }, 168],
    [{ overlap_hours: 0 }, null],
  ])('rotated with %j, the former one signs for %s hours', async (body, hours) => {
    const api = await freshApi();
    const id = await create(api, { signing_secret: FIRST });
    const answer = await api.call(api.alice, 'POST', `${ENDPOINTS}/${id}/rotate-secret`, body);
    const until = hours === null ? null : api.clock.now() + hours * HOUR;
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        previous_valid_until: until && new Date(until).toISOString(),
      },
    ]);
    const present = answer.body['signing_secret'];
    expect(await secretsOf(api, id)).toEqual({ present, former: until && FIRST, until });
    const log = await api.call(api.alice, 'GET', '/api/v1/audit-log?per_page=1');
    expect(log.body['data']).toMatchObject([
      {
        action: 'webhook_endpoint.secret_rotated',
        before: { signing_secret: '••••••••' },
        after: { signing_secret: '••••••••' },
      },
    ]);
  });

  test('an endpoint without one gets one by the rotation', async () => {
    const api = await freshApi();
    const id = await create(api);
    const answer = await api.call(api.alice, 'POST', `${ENDPOINTS}/${id}/rotate-secret`);
    expect(answer.body['previous_valid_until']).toBeNull();
    expect((await secretsOf(api, id)).former).toBeNull();
  });

  test.each([-1, 169, 1.5, '24'])('overlap_hours can not be %j', async (overlap_hours) => {
    const api = await freshApi();
    const path = `${ENDPOINTS}/${await create(api)}/rotate-secret`;
    expect((await api.call(api.alice, 'POST', path, { overlap_hours })).status).toBe(422);
  });

  test('what no key opens any more stays until it is replaced', async () => {
    let box = KEY;
    const secretBox: SecretBox = { of: (...row) => box.of(...row) };
    const api = await freshApi({ secretBox });
    const fields = { auth_type: 'bearer', auth_token: 'x', signing_secret: FIRST };
    const id = await create(api, fields);
    box = createSecretBox(['another key']);
    const before = await endpointOf(api, id);
    const kept = await change(api, id, { name: 'Other' });
    expect(kept.status).toBe(200);
    const { url, auth_token, signing_secret } = before;
    expect(await endpointOf(api, id)).toMatchObject({
      name: 'Other',
      url,
      auth_token,
      signing_secret,
    });
    const mended = await change(api, id, { signing_secret: SECOND });
    expect(mended.body['previous_secret_until']).toBeNull();
  });
});

describe('the address', () => {
  test('http and private ones are for those whom the operator lets [29.6]', async () => {
    const strict = await freshApi();
    const body = { name: 'Chat', url: 'http://hooks.example.com/in' };
    const refused = await strict.call(strict.alice, 'POST', ENDPOINTS, body);
    expect(refused.body['errors']).toEqual(
      sentences({
        url: 'must begin with https://: only the operator can allow http, by ALLOW_HTTP_WEBHOOKS',
      }),
    );
    await create(await freshApi({ allowHttpWebhooks: true }), { url: body.url });
    const aimed = { ...body, url: 'https://169.254.169.254/' };
    const guarded = await strict.call(strict.alice, 'POST', ENDPOINTS, aimed);
    expect(guarded.body['errors']).toEqual(
      sentences({
        url: 'aims at 169.254.169.254, which is a link-local address: only the operator can allow that, by ALLOW_PRIVATE_TARGETS',
      }),
    );
  });

  test('a new one is tried at once, and leaves a trace without showing it', async () => {
    const api = await freshApi();
    const id = await create(api);
    const now = api.clock.now();
    const waiting = await storeDelivery(api.database, { endpointId: id, at: now });
    await fail(api, id, now + HOUR);
    await change(api, id, { name: 'Other' });
    expect((await destinationOf(api, id))?.next_at).toBe(now + HOUR);
    await change(api, id, { url: 'https://hooks.example.com/other' });
    expect((await destinationOf(api, id))?.next_at).toBe(now);
    const path = `${ENDPOINTS}/${id}/deliveries/${waiting}`;
    const shown = await api.call(api.alice, 'GET', path);
    expect(shown.body['next_attempt_at']).toBe(new Date(now).toISOString());
    const log = await api.call(api.alice, 'GET', '/api/v1/audit-log?per_page=1');
    expect(log.body['data']).toMatchObject([
      { before: { webhook_url: '••••••••' }, after: { webhook_url: '••••••••' } },
    ]);
    expect(log.text).not.toContain('hooks.example.com/');
  });
});

describe('switching it off and on', () => {
  test('off gives up what waits, and no test', async () => {
    const api = await freshApi();
    const id = await create(api);
    const at = api.clock.now();
    await storeDelivery(api.database, { endpointId: id, at, status: 'delivered', attempts: [204] });
    await storeDelivery(api.database, { endpointId: id, at });
    await storeDelivery(api.database, { endpointId: id, at, kind: 'test' });
    await change(api, id, { is_active: false });
    const { body } = await api.call(api.alice, 'GET', `${ENDPOINTS}/${id}/deliveries`);
    const statuses = (body['data'] as { status: string }[]).map(({ status }) => status);
    expect(statuses).toEqual(['pending', 'failed', 'delivered']);
  });

  test('on forgets why it was off and how it failed', async () => {
    const api = await freshApi();
    const id = await create(api);
    await fail(api, id, 0);
    await updateRows(
      api.database,
      'webhook_endpoint',
      { is_active: 0, deactivated_reason: 'It failed for 3 days.' },
      { id },
    );
    const off = await api.call(api.alice, 'GET', `${ENDPOINTS}/${id}`);
    expect(off.body).toMatchObject({
      is_active: false,
      deactivated_reason: 'It failed for 3 days.',
      failing_since: new Date(1_000).toISOString(),
      last_error: 'HTTP 503',
    });
    expect((await change(api, id, { is_active: true })).body).toMatchObject({
      is_active: true,
      deactivated_reason: null,
      failing_since: null,
      last_error: null,
    });
    expect((await destinationOf(api, id))?.failures).toBe(0);
  });
});

const { perTeam, openPerHost } = DESTINATION_LIMITS.webhook_endpoint;

test(`a team has at most ${perTeam} endpoints`, async () => {
  const api = await freshApi();
  for (let made = 0; made < perTeam; made += 1) await create(api);
  const body = { name: 'Chat', url: 'https://hooks.example.com/in' };
  const refused = await api.call(api.alice, 'POST', ENDPOINTS, body);
  expect([refused.status, refused.body['message']]).toEqual([
    422,
    'webhook_endpoints must be at most 50 in a team: delete one that is no longer used.',
  ]);
  expect((await api.call(api.mallory, 'POST', ENDPOINTS, body)).status).toBe(201);
});

test(`with open sign-up, at most ${openPerHost} of them at one host, however it is written [29.44]`, async () => {
  const api = await openApi(await openInMemory(), { openSignup: true });
  const add = (url: string) => api.call(api.alice, 'POST', ENDPOINTS, { name: 'Chat', url });
  for (let made = 0; made < openPerHost; made += 1)
    expect((await add(`https://hooks.example.com/${made}`)).status).toBe(201);
  const refused = await add('https://HOOKS.example.com.:8443/in');
  expect([refused.status, refused.body['message']]).toEqual([
    422,
    'webhook_endpoints must be at most 10 of a team at one host, and hooks.example.com has as many: delete one that is no longer used.',
  ]);
  const { body } = await add('https://other.example.com/in');
  const moved = await change(api, body.id, { url: 'https://hooks.example.com/in' });
  expect(moved.status).toBe(422);
  expect((await change(api, body.id, { url: 'https://other.example.com/2' })).status).toBe(200);
});

eachDatabase((_engine, open) => {
  test('an endpoint, its deliveries and its end [29.12]', async () => {
    const api = await openApi(await open());
    const [id, other] = [await create(api), await create(api)];
    const at = api.clock.now();
    const sent = { endpointId: id, at, status: 'failed' as const, attempts: [503, 'Reset'] };
    const delivery = await storeDelivery(api.database, sent);
    const kept = await storeDelivery(api.database, { ...sent, endpointId: other });
    const call = (method: string, path: string) =>
      api.call(api.alice, method, `${ENDPOINTS}/${path}`);
    expect((await call('POST', `${id}/test`)).status).toBe(202);
    expect((await call('POST', `${id}/deliveries/${delivery}/redeliver`)).status).toBe(202);

    const page = await call('GET', `${id}/deliveries?per_page=2&page=2`);
    expect(page.body).toMatchObject({
      total: 3,
      data: [{ id: delivery, attempts_count: 2, last_error: 'Reset', last_status_code: null }],
    });
    const failed = await call('GET', `${id}/deliveries?status=failed&event=monitor.down`);
    expect(failed.body).toMatchObject({ total: 1 });
    expect((await call('GET', `${id}/deliveries/${delivery}`)).body['attempts']).toHaveLength(2);
    expect((await call('GET', `${id}/deliveries/${kept}`)).status).toBe(404);

    const gone = await destinationOf(api, id);
    const deleted = await call('DELETE', `${id}`);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await call('GET', `${id}`)).status).toBe(404);
    const { read } = api.database;
    const left = await read.selectFrom('delivery').select(['id', 'destination_id']).execute();
    expect(left.map((row) => row.id)).toEqual([kept]);
    const attempts = await read.selectFrom('delivery_attempt').select('delivery_id').execute();
    expect(new Set(attempts.map((row) => row.delivery_id))).toEqual(new Set([kept]));
    const destinations = await read.selectFrom('destination').select('id').execute();
    expect(destinations.map((row) => row.id)).not.toContain(gone?.id);
  });
});
