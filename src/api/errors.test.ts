import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openApi, sharedApi, type TestApi } from '../../test/support/api.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { DatabaseBusy, DatabaseUnavailable } from '../store/database/errors.ts';

const MONITORS = '/api/v1/monitors';

describe('malformed requests', () => {
  const api = sharedApi();

  test('a percent-encoded path does not bypass authentication', async () => {
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

  test('an invalid percent-encoding is taken literally', async () => {
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
    const database = await openInMemory();
    const api = await openApi(database);
    await api.call(api.alice, 'GET', '/api/v1');
    database.transaction = async () => {
      throw error;
    };
    opened.push(api);
    return api;
  }

  test.each([
    [new DatabaseUnavailable('the disk is full'), /^The database can't be reached right now\. /],
    [new DatabaseBusy('canceling statement due to lock timeout'), /^The database is busy\. /],
  ])('of the database are 503 with a time to come back: %s [2.14]', async (error, message) => {
    const api = await failing(error);
    const body = { url: 'https://example.com', check_interval: 1 };
    const answer = await api.call(api.alice, 'POST', MONITORS, body);
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
    expect(answer.body).toEqual({ message: expect.stringMatching(message) });
    expect(answer.text).not.toMatch(/disk|lock/);
  });

  test('a closed database refuses the token with 503, not 401', async () => {
    const database = await openInMemory();
    const api = await openApi(database);
    await database.close();
    expect((await api.call(api.alice, 'GET', MONITORS)).status).toBe(503);
  });

  test('requests during shutdown are still handled', async () => {
    const api = await openApi(await openInMemory());
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
});
