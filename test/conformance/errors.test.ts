import { describe, expect, it } from 'vitest';
import { newToken } from '../../src/identity/token.ts';
import { giveToken } from '../support/people.ts';
import {
  client,
  expectRefused,
  expectStatus,
  freshApi,
  openLine,
  REQUIRED,
  type Answer,
} from './support.ts';

const { open, call, get, post, put, monitor, token } = client();

const messageOf = ({ body }: Answer) => body['message'] as string;

async function send(path: string, payload: string, type = 'application/json') {
  const { app, alice } = await open();
  const headers = { authorization: `Bearer ${alice.token}`, 'content-type': type };
  const answer = await app.inject({ method: 'POST', url: `/api/v1${path}`, headers, payload });
  return { status: answer.statusCode, body: answer.json() as object };
}

describe('errors', () => {
  it.each(['{', '{"url":}', '[1,', 'url', "{'url':1}", '{"url":"x"} x'])(
    'malformed JSON is 400 with a message: %s [2.1]',
    async (payload) => {
      expect(await send('/monitors', payload)).toEqual({
        status: 400,
        body: { message: expect.stringMatching(/\w+ \w+/) },
      });
    },
  );

  it('no token, an unknown, a revoked and an expired one are 401 "Unauthenticated." with WWW-Authenticate: Bearer [2.2]', async () => {
    const { database, alice, clock } = await open();
    const now = clock.now();
    const revoked = await giveToken(database, alice, { now });
    const newest = await database.read
      .selectFrom('token')
      .select((each) => each.fn.max('id').as('id'))
      .executeTakeFirstOrThrow();
    await database.transaction((tx) =>
      tx.deleteFrom('token').where('id', '=', newest.id).execute(),
    );
    const expired = await giveToken(database, alice, { now, expiresAt: now - 1 });
    for (const each of [null, { token: 'unknown' }, { token: revoked }, { token: expired }]) {
      const { status, body, headers } = await get('/monitors', each);
      expect([status, body, headers['www-authenticate']]).toEqual([
        401,
        { message: 'Unauthenticated.' },
        'Bearer',
      ]);
    }
  });

  it('a permission that the token lacks is 403: message names it, error repeats it [2.3]', async () => {
    const reader = await token(['read']);
    const answers: [string, Answer][] = [
      ['create', await post('/monitors', REQUIRED.http, reader)],
      ['update', await put('/monitors/1', {}, reader)],
      ['delete', await call(reader, 'DELETE', '/monitors/1')],
      ['read', await get('/monitors', await token(['create', 'update', 'delete']))],
    ];
    for (const [permission, { status, body }] of answers) {
      expect(status).toBe(403);
      expect(body['message']).toContain(permission);
      expect(body['error']).toContain(permission);
    }
  });

  it('a permission that the role lacks is 403: message names it, error repeats it [2.3]', async () => {
    const { status, body } = await post('/monitors', REQUIRED.http, 'vera');
    expect(status).toBe(403);
    expect(body['message']).toContain('create');
    expect(body['error']).toContain('create');
  });

  it('an unknown route, an unknown id and an id of another team are 404 with a message [2.4]', async () => {
    const { id } = await monitor('http', {}, 'mallory');
    for (const path of [
      '/nothing',
      '/monitors/1/nothing',
      '/monitors/999999',
      '/incidents/999999',
      '/groups/999999',
      `/monitors/${id}`,
    ]) {
      const answer = await get(path);
      expectStatus(answer, 404);
      expect(messageOf(answer), path).toMatch(/\w+ \w+/);
    }
  });

  it('a resource that the service does not have is 404: /billing [2.4]', async () => {
    for (const method of ['GET', 'POST'])
      expectStatus(await call('alice', method, '/billing'), 404);
  });

  it.each(['abc', '1.5', '1e0', '0x1', '+1', '-1', '0', '1x', '%31x', '99999999999999999999'])(
    'an id that is no integer of ours is 404: %s [2.4]',
    async (id) => {
      for (const noun of ['monitors', 'incidents', 'groups'])
        expectStatus(await get(`/${noun}/${id}`), 404);
      expectStatus(await put(`/monitors/${id}`, {}), 404);
      expectStatus(await post(`/monitors/${id}/pause`), 404);
    },
  );

  it.each([
    ['PATCH', '/monitors', ['GET', 'POST']],
    ['DELETE', '/monitors', ['GET', 'POST']],
    ['POST', '/monitors/1', ['GET', 'PUT', 'DELETE']],
    ['GET', '/monitors/1/check', ['POST']],
    ['PUT', '/users', ['GET']],
    ['PATCH', '/incidents/1', ['GET', 'PUT', 'DELETE']],
    ['DELETE', '/groups', ['GET', 'POST']],
  ])('a wrong method is 405 with Allow: %s %s [2.5]', async (method, path, methods) => {
    const answer = await call('alice', method, path);
    expectStatus(answer, 405);
    expect(messageOf(answer)).toMatch(/\w+ \w+/);
    const allowed = String(answer.headers['allow']).split(/, */);
    expect(allowed).toEqual(expect.arrayContaining(methods));
    expect(allowed).not.toContain(method);
  });

  it('a body over 1 MiB is 413 with a message, one of 1 MiB is read [2.6]', async () => {
    const frame = JSON.stringify({ ...REQUIRED.http, padding: '' }).length;
    const sized = (bytes: number) =>
      JSON.stringify({ ...REQUIRED.http, padding: 'x'.repeat(bytes - frame) });
    expect((await send('/monitors', sized(2 ** 20))).status).toBe(201);
    expect(await send('/monitors', sized(2 ** 20 + 1))).toEqual({
      status: 413,
      body: { message: expect.stringMatching(/\w+ \w+/) },
    });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml'])(
    'a body that is not JSON is 415 with a message: %s [2.7]',
    async (type) => {
      expect(await send('/monitors', 'url=x', type)).toEqual({
        status: 415,
        body: { message: expect.stringMatching(/\w+ \w+/) },
      });
    },
  );

  it('validation is 422: errors holds texts by field, message the first of them [2.8]', async () => {
    const answer = await post('/monitors', { ...REQUIRED.http, request_timeout: 61 });
    expectRefused(answer, 'request_timeout');
    const errors = answer.body['errors'] as Record<string, string[]>;
    expect(messageOf(answer)).toContain(errors['request_timeout']![0]);
  });

  it('the message of several errors says how many more there are [2.8]', async () => {
    const answer = await post('/monitors', { request_timeout: 61, tags: 7, url: 'x' });
    expectRefused(answer, 'request_timeout', 'tags', 'url', 'check_interval');
    const texts = Object.values(answer.body['errors'] as Record<string, string[]>).flat();
    expect(texts.some((text) => messageOf(answer).startsWith(text))).toBe(true);
    expect(messageOf(answer)).toMatch(new RegExp(`\\b${texts.length - 1} more\\b`));
  });

  it('nested names are dotted [2.9]', async () => {
    const answer = await post('/monitors', {
      ...REQUIRED.http,
      keyword_settings: {
        keywords: [{ mode: 'must_contain' }, { phrase: 'x', mode: 'maybe', case_sensitive: 'no' }],
        search_target: 'body',
      },
    });
    expectRefused(
      answer,
      'keyword_settings.keywords.0.phrase',
      'keyword_settings.keywords.1.mode',
      'keyword_settings.keywords.1.case_sensitive',
      'keyword_settings.search_target',
    );
  });

  it('all errors of a body are reported at once [2.10]', async () => {
    const fields = {
      url: 'ftp://x',
      check_interval: 0.1,
      check_types: ['none'],
      monitored_regions: ['moon'],
      http_method: 'TRACE',
      follow_redirects: 'yes',
      request_timeout: 0,
      failure_threshold: 11,
      auth_type: 'digits',
      group_id: 999_999,
      tags: [1],
    };
    const answer = await post('/monitors', fields);
    expectStatus(answer, 422);
    const found = Object.keys(answer.body['errors'] as object).map((name) => name.split('.')[0]);
    expect([...new Set(found)]).toEqual(expect.arrayContaining(Object.keys(fields)));
  });

  it('a body that is no object is refused, and not as a fault of ours [2.11]', async () => {
    for (const payload of ['[]', 'null', '1', '"x"', 'true']) {
      const { status } = await send('/monitors', payload);
      expect([400, 422], payload).toContain(status);
    }
  });

  it.each(['heartbeat', 'cron'] as const)(
    'a manual check of a %s monitor is 422 with a message [2.12]',
    async (type) => {
      const { id } = await monitor(type);
      const answer = await post(`/monitors/${id}/check`);
      expectStatus(answer, 422);
      expect(messageOf(answer)).toMatch(/\w+ \w+/);
    },
  );

  it('an unexpected fault is 500 "Server error." with request_id and nothing else [2.13]', async () => {
    const api = await freshApi({
      judgeTarget() {
        throw new Error('select secret from token -- /etc/passwd');
      },
    });
    const { status, body, headers, text } = await api.call(
      api.alice,
      'POST',
      '/api/v1/monitors',
      REQUIRED.http,
    );
    expect([status, body], text).toEqual([
      500,
      { message: 'Server error.', request_id: headers['x-request-id'] },
    ]);
    expect(headers['x-request-id']).toMatch(/\S/);
    expect(headers).toHaveProperty('x-ratelimit-remaining');
  });

  it('a database that is away is 503 with a message and Retry-After [2.14]', async () => {
    const line = await openLine();
    expectStatus(await line.get('/monitors'), 200);
    line.house.setDatabaseAway(true);
    for (const answer of [
      await line.get('/monitors'),
      await line.post('/monitors', REQUIRED.http),
      await line.get('/monitors', { token: newToken() }),
    ]) {
      expectStatus(answer, 503);
      expect(messageOf(answer)).toMatch(/\w+ \w+/);
      expect(String(answer.headers['retry-after'])).toMatch(/^\d+$/);
      expect(answer.headers['x-request-id']).toMatch(/\S/);
      expect(answer.headers).toHaveProperty('x-ratelimit-remaining');
    }
    line.house.setDatabaseAway(false);
    await line.house.close();
  });

  it('no live probe for a manual check is 503 with a message and Retry-After [2.15]', async () => {
    const { deadRegions } = await open();
    const { id } = await monitor('http', { monitored_regions: ['sin', 'nbg'] });
    deadRegions.add('sin').add('nbg');
    const answer = await post(`/monitors/${id}/check`);
    deadRegions.clear();
    expectStatus(answer, 503);
    expect(messageOf(answer)).toMatch(/\w+ \w+/);
    expect(String(answer.headers['retry-after'])).toMatch(/^\d+$/);
  });
});
