import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openApi, sharedApi, type TestApi } from '../../test/support/api.ts';
import { openDatabase } from '../store/database/database.ts';
import { DatabaseBusy, DatabaseUnavailable } from '../store/database/errors.ts';

const MONITORS = '/api/v1/monitors';

describe('requests that are none', () => {
  const api = sharedApi();

  test('unknown paths and ids are 404', async () => {
    const { call, alice } = await api();
    const unknown = [
      '/api/v1/nothing',
      '/api/v2/monitors',
      `${MONITORS}/1/nothing`,
      '/nothing',
      '/api/v1/billing',
    ];
    const ids = [
      'x',
      '1.5',
      '0',
      '-1',
      '1e3',
      '01',
      '99999999999999999999',
      'a'.repeat(500),
      '999999',
    ];
    for (const path of [...unknown, ...ids.map((id) => `${MONITORS}/${id}`), `${MONITORS}/%zz`]) {
      const { status, body, headers } = await call(alice, 'GET', path);
      expect([path, status, body['message']]).toEqual([
        path,
        404,
        expect.stringMatching(/^There is no such/),
      ]);
      expect(headers['x-request-id']).toBeTruthy();
    }
    const invalid = await call(alice, 'PUT', `${MONITORS}/999999`, { check_interval: 'wrong' });
    expect(invalid.status).toBe(404);
  });

  test.each([
    ['PATCH', MONITORS, 'POST, GET, HEAD'],
    ['DELETE', `${MONITORS}?page=1`, 'POST, GET, HEAD'],
    ['POST', `${MONITORS}/1`, 'PUT, DELETE, GET, HEAD'],
    ['GET', `${MONITORS}/1/pause/`, 'POST'],
    ['POST', '/api/v1', 'GET, HEAD'],
    ['OPTIONS', '/api/test', 'GET, HEAD'],
    ['POST', '/healthz', 'GET, HEAD'],
  ])('%s %s is 405, even with a malformed body', async (method, path, allowed) => {
    const { call, alice } = await api();
    const { status, headers, body } = await call(alice, method, path, '{');
    expect([status, String(headers['allow']).split(', ').toSorted()]).toEqual([
      405,
      allowed.split(', ').toSorted(),
    ]);
    expect(body['message']).toContain(method);
  });

  test('bodies: malformed 400, too large 413, not JSON 415, before the id is looked for', async () => {
    const { app, alice, call } = await api();
    const headers = { authorization: `Bearer ${alice.token}` };
    const send = async (type: string | null, payload: string) => {
      const url = `${MONITORS}/999999`;
      const typed = type === null ? headers : { ...headers, 'content-type': type };
      const { statusCode, body } = await app.inject({
        method: 'PUT',
        url,
        headers: typed,
        payload,
      });
      expect(JSON.parse(body)).toEqual({ message: expect.any(String) });
      return statusCode;
    };
    expect(await send('application/json', '{"url":')).toBe(400);
    expect(await send('application/json; charset=utf-8', `"${'a'.repeat(1024 * 1024)}"`)).toBe(413);
    expect(await send('text/plain', 'url=x')).toBe(415);
    expect(await send('application/x-www-form-urlencoded', 'url=x')).toBe(415);
    expect(await send('nonsense', '{}')).toBe(415);
    expect(await send(null, '{}')).toBe(415);
    expect(await send('application/vnd.api+json', '{}')).toBe(404);
    expect((await call(null, 'POST', MONITORS, '{')).status).toBe(401);
  });

  test('empty bodies of any type are none', async () => {
    const { app, alice, create } = await api();
    for (const type of [
      'application/json',
      'application/x-www-form-urlencoded',
      'text/plain',
      null,
    ]) {
      const { id } = await create();
      const headers = {
        authorization: `bearer ${alice.token}`,
        ...(type !== null && { 'content-type': type }),
      };
      const urls: [method: 'GET' | 'POST' | 'DELETE', path: string, status: number][] = [
        ['GET', '', 200],
        ['POST', '/pause', 200],
        ['DELETE', '', 204],
      ];
      for (const [method, path, status] of urls) {
        const answer = await app.inject({ method, url: `${MONITORS}/${id}${path}`, headers });
        expect(answer.statusCode).toBe(status);
      }
    }
  });

  test('a path that hides its letters is no way around the token', async () => {
    const { call } = await api();
    for (const path of [
      '/%61pi/v1/monitors',
      '/api/v1/%6donitors',
      '/%61p%69/nothing',
      '/api/v1/%zz',
      '/api/%ff',
      '/api/v1/monitors/%',
      'http://elsewhere.example/api/nothing',
    ]) {
      expect([path, (await call(null, 'GET', path)).status]).toEqual([path, 401]);
    }
  });

  test('a percent sign that encodes nothing is a letter like any other', async () => {
    const { call, alice } = await api();
    expect((await call(alice, 'GET', '/api/monitors/%zz')).status).toBe(404);
    expect((await call(alice, 'PATCH', '/api/monitors/%zz')).status).toBe(405);
    expect((await call(alice, 'GET', '/%zz')).status).toBe(404);
    expect((await call(alice, 'GET', '/api/monitors?search=%zz')).status).toBe(200);
  });
});

describe('faults', () => {
  let opened: TestApi[] = [];
  afterEach(async () => {
    for (const { app } of opened) await app.close();
    opened = [];
  });

  async function failing(error: Error): Promise<TestApi> {
    const database = await openDatabase({ engine: 'sqlite', directory: ':memory:' });
    const api = await openApi(database);
    await api.call(api.alice, 'GET', '/api/v1');
    database.transaction = async () => {
      throw error;
    };
    opened.push(api);
    return api;
  }

  test('of ours are 500 without a word of what happened, and logged', async () => {
    const api = await failing(new Error('select secret from /path'));
    const body = { url: 'https://example.com', check_interval: 1 };
    const answer = await api.call(api.alice, 'POST', MONITORS, body);
    expect([answer.status, answer.body]).toEqual([
      500,
      { message: 'Server error.', request_id: answer.headers['x-request-id'] },
    ]);
    const requestId = answer.headers['x-request-id'];
    expect(api.faults).toEqual([
      expect.objectContaining({ requestId, method: 'POST', route: MONITORS }),
    ]);
  });

  test('of the database are 503 with a time to come back', async () => {
    const api = await failing(new DatabaseUnavailable('the disk is full'));
    const body = { url: 'https://example.com', check_interval: 1 };
    const answer = await api.call(api.alice, 'POST', MONITORS, body);
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
    expect(answer.text).not.toContain('disk');
  });

  test('of a busy database are 503, too, and do not say that it is away', async () => {
    const api = await failing(new DatabaseBusy('canceling statement due to lock timeout'));
    const body = { url: 'https://example.com', check_interval: 1 };
    const answer = await api.call(api.alice, 'POST', MONITORS, body);
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
    expect(answer.body).toMatchObject({
      message: 'The database is busy. Try again in a few seconds.',
    });
  });

  test('a closed database refuses the token with 503, not 401', async () => {
    const database = await openDatabase({ engine: 'sqlite', directory: ':memory:' });
    const api = await openApi(database);
    await database.close();
    expect((await api.call(api.alice, 'GET', MONITORS)).status).toBe(503);
  });

  test('what arrives while the server ends is still judged and answered', async () => {
    const api = await openApi(await openDatabase({ engine: 'sqlite', directory: ':memory:' }));
    const authenticating = Promise.withResolvers<void>();
    const known = Promise.withResolvers<null>();
    vi.spyOn(api.authenticator, 'authenticate').mockImplementation(() => {
      authenticating.resolve();
      return known.promise;
    });
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = api.app.server.address() as { port: number };
    const socket = connect(port, '127.0.0.1');
    const answers = text(socket);
    socket.write('GET /api HTTP/1.1\r\nHost: x\r\n\r\n');
    await authenticating.promise;
    const closed = api.app.close();
    const second = once(api.app.server, 'request');
    socket.write('GET /api/nothing HTTP/1.1\r\nHost: x\r\nExpect: much\r\n\r\n');
    await second;
    known.resolve(null);
    await closed;
    expect((await answers).match(/HTTP\/1.1 401 |x-ratelimit-limit: 120/g)).toHaveLength(4);
  });

  test('a request that is no HTTP gets an answer and the server goes on', async () => {
    const api = await openApi(await openDatabase({ engine: 'sqlite', directory: ':memory:' }));
    opened.push(api);
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = api.app.server.address() as { port: number };
    const socket = connect(port, '127.0.0.1');
    socket.write('NONSENSE\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1.1 400 /);
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  });
});
