import { describe, expect, it } from 'vitest';
import { client, freshApi, REQUIRED } from '../support/client.ts';

const { open } = client();

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

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'nonsense'])(
    'a body that is not JSON is 415 with a message: %s [2.7]',
    async (type) => {
      expect(await send('/monitors', 'url=x', type)).toEqual({
        status: 415,
        body: { message: expect.stringMatching(/\w+ \w+/) },
      });
    },
  );

  it('an unexpected fault is 500 "Server error." with request_id and nothing else [2.13]', async () => {
    const api = await freshApi({
      targetRule() {
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
    expect(api.faults).toEqual([
      expect.objectContaining({
        request_id: headers['x-request-id'],
        method: 'POST',
        route: '/api/v1/monitors',
      }),
    ]);
  });
});
