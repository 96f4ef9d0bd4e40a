import { describe, expect, it } from 'vitest';
import { storeDelivery } from '../../../test/support/webhooks.ts';
import {
  BULLETS,
  client,
  expectRefused,
  expectStatus,
  idsOf,
  names,
  NOW,
  SECOND,
  type Json,
} from '../../../test/support/client.ts';
import { rowOf } from '../../../test/support/rows.ts';

const { open, get, post, put, del } = client();

const URL = 'https://hooks.example.com/in/7Hq2';
const SECRET = 'sixteen letters.';
const ENDPOINTS = '/webhook-endpoints';

async function endpoint(fields: object = {}): Promise<Json> {
  const answer = await post(ENDPOINTS, { name: 'Chat', url: URL, ...fields });
  expectStatus(answer, 201);
  return answer.body;
}
const change = async (id: number, fields: object) => {
  const answer = await put(`${ENDPOINTS}/${id}`, fields);
  expectStatus(answer, 200);
  return answer.body;
};
const deliveries = async (id: number, query = '') =>
  (await get(`${ENDPOINTS}/${id}/deliveries?${query}`)).body['data'] as Json[];

/** What is stored of a secret field, opened. */
async function stored(id: number, column: 'url' | 'auth_token' | 'signing_secret') {
  const { database } = await open();
  const row = await rowOf(database, 'webhook_endpoint', { id });
  return row[column];
}

describe('webhook endpoints', () => {
  it('url, auth_token and signing_secret are write-only [29.3]', async () => {
    const fields = { auth_type: 'bearer', auth_token: 'n3WdTn9x', signing_secret: SECRET };
    const made = await post(ENDPOINTS, { name: 'Chat', url: URL, ...fields });
    const { id } = made.body;
    const answers = [
      made,
      await get(`${ENDPOINTS}/${id}`),
      await get(ENDPOINTS),
      await put(`${ENDPOINTS}/${id}`, { name: 'Other', signing_secret: `${SECRET}.` }),
      await get('/audit-log?target_type=webhook_endpoint&per_page=100'),
    ];
    for (const { text, body } of answers) {
      for (const secret of ['7Hq2', 'n3WdTn9x', SECRET]) expect(text).not.toContain(secret);
      for (const name of ['url', 'auth_token', 'signing_secret'])
        expect(Object.keys(body)).not.toContain(name);
    }
    for (const column of ['url', 'auth_token', 'signing_secret'] as const)
      expect(await stored(id, column)).toMatch(/^v1\./);
  });

  it.each(['omitted', 'eight bullets'])(
    'url, auth_token and signing_secret are kept when %s [29.4]',
    async (how) => {
      const fields = { auth_type: 'bearer', auth_token: 'n3WdTn9x', signing_secret: SECRET };
      const { id } = await endpoint(fields);
      const columns = ['url', 'auth_token', 'signing_secret'] as const;
      const before = await Promise.all(columns.map((column) => stored(id, column)));
      const masked = { url: BULLETS, auth_token: BULLETS, signing_secret: BULLETS };
      await change(id, { name: 'Other', ...(how === 'eight bullets' && masked) });
      expect(await Promise.all(columns.map((column) => stored(id, column)))).toEqual(before);
    },
  );

  it.each([
    'http://example.com/hook',
    'ftp://example.com',
    'example.com',
    'https://',
    'https://user:secret@example.com/',
    'https://169.254.169.254/latest',
    ' https://example.com',
    `https://example.com/${'x'.repeat(2048)}`,
    BULLETS,
    7,
  ])('url is an https address that may be aimed at, and not %s [29.6]', async (url) => {
    expectRefused(await post(ENDPOINTS, { name: 'Chat', url }), 'url');
    const { id } = await endpoint();
    if (url !== BULLETS) expectRefused(await put(`${ENDPOINTS}/${id}`, { url }), 'url');
    expectStatus(await del(`${ENDPOINTS}/${id}`), 204);
  });

  it('severities are any of critical, warning and info, all unless given [29.7]', async () => {
    const { id, severities } = await endpoint({ severities: ['info', 'critical'] });
    expect(severities).toEqual(['info', 'critical']);
    expect((await change(id, { severities: null }))['severities']).toEqual(
      names('critical warning info'),
    );
    for (const wrong of [[], ['fatal'], ['info', 'info'], 'info', [7]])
      expect((await put(`${ENDPOINTS}/${id}`, { severities: wrong })).status).toBe(422);
  });

  it.each([
    ['bearer', 'n3WdTn9x', null],
    ['basic', 'user:password', null],
    ['header', 'n3WdTn9x', 'X-Api-Key'],
  ])(
    'auth_type %s needs an auth_token, and header an auth_header_name [29.8]',
    async (type, value, name) => {
      const fields = { auth_type: type, auth_token: value, auth_header_name: name };
      const made = await endpoint(fields);
      expect(made).toMatchObject({ auth_type: type, auth_header_name: name });
      const body = { name: 'Chat', url: URL, ...fields };
      expectRefused(await post(ENDPOINTS, { ...body, auth_token: null }), 'auth_token');
      const other = type === 'header' ? null : 'X-Api-Key';
      expectRefused(
        await post(ENDPOINTS, { ...body, auth_header_name: other }),
        'auth_header_name',
      );
      for (const auth_type of ['none', null]) {
        await change(made.id, fields);
        const cleared = await change(made.id, { auth_type });
        expect(cleared).toMatchObject({ auth_type: 'none', auth_header_name: null });
        expect(await stored(made.id, 'auth_token')).toBeNull();
      }
    },
  );

  it.each([
    [{ auth_type: 'digest', auth_token: 'x' }, 'auth_type'],
    [{ auth_token: 'x' }, 'auth_type'],
    [{ auth_type: 'bearer', auth_token: 'a\nb' }, 'auth_token'],
    [{ auth_type: 'bearer', auth_token: 'snow ☃' }, 'auth_token'],
    [{ auth_type: 'bearer', auth_token: BULLETS }, 'auth_token'],
    [{ auth_type: 'basic', auth_token: 'no colon' }, 'auth_token'],
    [{ auth_type: 'header', auth_token: 'x', auth_header_name: 'a b' }, 'auth_header_name'],
    [{ auth_type: 'header', auth_token: 'x', auth_header_name: 'Host' }, 'auth_header_name'],
    [{ auth_type: 'header', auth_token: 'x', auth_header_name: 'Webhook-Id' }, 'auth_header_name'],
    [
      { auth_type: 'header', auth_token: 'x', auth_header_name: 'content-type' },
      'auth_header_name',
    ],
    [
      { auth_type: 'header', auth_token: 'x', auth_header_name: 'X-Webhook-Signature' },
      'auth_header_name',
    ],
  ])('%j is refused on %s [29.9]', async (fields, field) => {
    expectRefused(await post(ENDPOINTS, { name: 'Chat', url: URL, ...fields }), field);
  });

  it('signing_secret has 16 to 255 characters [29.10]', async () => {
    for (const length of [16, 255]) await endpoint({ signing_secret: 'ä'.repeat(length) });
    for (const wrong of ['x'.repeat(15), 'x'.repeat(256), BULLETS, 7])
      expectRefused(
        await post(ENDPOINTS, { name: 'Chat', url: URL, signing_secret: wrong }),
        'signing_secret',
      );
  });

  it('POST /webhook-endpoints/{id}/test answers 202 with a message and sends the keys of an event [29.13]', async () => {
    const { id } = await endpoint({ is_active: false });
    const answer = await post(`${ENDPOINTS}/${id}/test`);
    expect([answer.status, answer.body]).toEqual([202, { message: expect.any(String) }]);
    const [sent] = await deliveries(id);
    expect(sent).toMatchObject({ event: 'webhook.test', status: 'pending', attempts_count: 0 });
    const { body } = (await get(`${ENDPOINTS}/${id}/deliveries/${sent!.id}`)).body;
    expect(JSON.parse(String(body))).toEqual({
      event: 'webhook.test',
      timestamp: new Date(NOW).toISOString(),
      monitor: { id: 0, name: 'Test', url: 'https://example.com' },
      status: {
        current: 'online',
        previous: 'online',
        root_cause: null,
        region: null,
        is_regional_issue: false,
      },
      incident: null,
    });
  });

  it('GET /webhook-endpoints/{id}/deliveries is a page of deliveries, newest first [29.14]', async () => {
    const { id } = await endpoint();
    const { database } = await open();
    const [first, second, third] = [
      await storeDelivery(database, {
        endpointId: id,
        at: NOW - 3 * SECOND,
        status: 'delivered',
        attempts: [500, 204],
      }),
      await storeDelivery(database, {
        endpointId: id,
        at: NOW - 2 * SECOND,
        status: 'failed',
        attempts: [404],
        event: 'monitor.up',
      }),
      await storeDelivery(database, {
        endpointId: id,
        at: NOW - SECOND,
        attempts: ['No answer within 10 s'],
      }),
    ];
    const answer = await get(`${ENDPOINTS}/${id}/deliveries?per_page=2`);
    expect(answer.body).toMatchObject({ current_page: 1, per_page: 2, total: 3, last_page: 2 });
    expect(idsOf(answer)).toEqual([third, second]);
    expect(await deliveries(id, 'per_page=2&page=2')).toEqual([
      {
        id: first,
        message_id: `msg_${NOW - 3 * SECOND}`,
        event: 'monitor.down',
        incident_id: null,
        status: 'delivered',
        attempts_count: 2,
        last_status_code: 204,
        last_error: null,
        created_at: new Date(NOW - 3 * SECOND).toISOString(),
        finished_at: new Date(NOW - SECOND).toISOString(),
        next_attempt_at: null,
      },
    ]);
    expect((await deliveries(id, 'status=failed')).map((one) => one.id)).toEqual([second]);
    expect((await deliveries(id, 'event=monitor.up')).map((one) => one.id)).toEqual([second]);
    const edge = encodeURIComponent(new Date(NOW - 2 * SECOND).toISOString());
    expect((await deliveries(id, `from=${edge}`)).map((one) => one.id)).toEqual([third, second]);
    expect((await deliveries(id, `to=${edge}`)).map((one) => one.id)).toEqual([first]);
    const wrong = `status=lost&from=${edge}&to=${edge}`;
    expectRefused(await get(`${ENDPOINTS}/${id}/deliveries?${wrong}`), 'status', 'to');
  });

  it('a delivery shows its body as sent and all its attempts [29.15]', async () => {
    const { id } = await endpoint();
    const { database } = await open();
    const body = '{"event":"monitor.down", "timestamp":"ä"}';
    const delivery = await storeDelivery(database, {
      endpointId: id,
      at: NOW,
      body,
      attempts: [503, 'Reset'],
    });
    const { body: shown } = await get(`${ENDPOINTS}/${id}/deliveries/${delivery}`);
    expect(shown).toMatchObject({
      id: delivery,
      body,
      last_error: 'Reset',
      last_status_code: null,
    });
    expect(shown['attempts']).toEqual([
      {
        number: 1,
        at: new Date(NOW).toISOString(),
        duration_ms: 20,
        status_code: 503,
        error: 'HTTP 503',
        response: 'Oops',
      },
      {
        number: 2,
        at: new Date(NOW + SECOND).toISOString(),
        duration_ms: 20,
        status_code: null,
        error: 'Reset',
        response: 'Oops',
      },
    ]);
    const other = await endpoint();
    expectStatus(await get(`${ENDPOINTS}/${other.id}/deliveries/${delivery}`), 404);
  });

  it('POST /webhook-endpoints/{id}/deliveries/{delivery}/redeliver answers 202 and sends the same body under the same id [29.16]', async () => {
    const { id } = await endpoint();
    const { database } = await open();
    const delivery = await storeDelivery(database, {
      endpointId: id,
      at: NOW,
      status: 'failed',
      messageId: 'msg_7',
      body: '{"a": 1}',
    });
    const answer = await post(`${ENDPOINTS}/${id}/deliveries/${delivery}/redeliver`);
    expect([answer.status, answer.body]).toEqual([202, { message: expect.any(String) }]);
    const [again] = await deliveries(id);
    expect(again).toMatchObject({ message_id: 'msg_7', status: 'pending', attempts_count: 0 });
    expect(again!.id).toBeGreaterThan(delivery);
    const shown = await get(`${ENDPOINTS}/${id}/deliveries/${again!.id}`);
    expect(shown.body['body']).toBe('{"a": 1}');
    expectStatus(await get(`${ENDPOINTS}/${id}/deliveries/${delivery}`), 200);
    // Once at a time.
    expectStatus(await post(`${ENDPOINTS}/${id}/deliveries/${delivery}/redeliver`), 422);
    expect(await deliveries(id)).toHaveLength(2);
  });

  it('what waits, a test, and what an endpoint that is off was sent are not redelivered: 422 [29.17]', async () => {
    const { id } = await endpoint();
    const { database } = await open();
    const again = async (delivery: number) => {
      const answer = await post(`${ENDPOINTS}/${id}/deliveries/${delivery}/redeliver`);
      expect([answer.status, answer.body['message']]).toEqual([422, expect.any(String)]);
    };
    const sent = await storeDelivery(database, {
      endpointId: id,
      at: NOW,
      status: 'delivered',
      attempts: [204],
    });
    await again(await storeDelivery(database, { endpointId: id, at: NOW }));
    await again(
      await storeDelivery(database, { endpointId: id, at: NOW, kind: 'test', status: 'delivered' }),
    );
    await change(id, { is_active: false });
    await again(sent);
    expectStatus(await post(`${ENDPOINTS}/${id}/deliveries/999999/redeliver`), 404);
  });
});
