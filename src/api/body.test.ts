import { expect, test } from 'vitest';
import { sharedApi } from '../../test/support/api.ts';

const shared = sharedApi();

test.for<[name: string, body: Buffer | string, status: number, name: string | null]>([
  ['UTF-8', '{"name":"Zürich 🏔"}', 201, 'Zürich 🏔'],
  ['Latin-1', Buffer.from('{"name":"Zürich"}', 'latin1'), 400, null],
  ['half a character', Buffer.from('{"name":"Z\xc3"}', 'latin1'), 400, null],
  ['a surrogate as bytes', Buffer.from('7b226e616d65223a22eda080227d', 'hex'), 400, null],
  ['a byte order mark', '\ufeff{"name":"Marked"}', 400, null],
  ['UTF-16', Buffer.from('{"name":"Wide"}', 'utf16le'), 400, null],
])('a body in %s', async ([, payload, status, name]) => {
  const { app, alice } = await shared();
  const headers = {
    authorization: `Bearer ${alice.token}`,
    'content-type': 'application/json; charset=utf-8',
  };
  const answer = await app.inject({ method: 'POST', url: '/api/v1/groups', headers, payload });
  expect([answer.statusCode, answer.json()]).toEqual([
    status,
    name === null ? { message: expect.any(String) } : expect.objectContaining({ name }),
  ]);
});

test.for([
  ['gzip', 415],
  ['br', 415],
  ['identity', 201],
] as const)('a body with Content-Encoding: %s', async ([encoding, status]) => {
  const { app, alice } = await shared();
  const headers = {
    authorization: `Bearer ${alice.token}`,
    'content-type': 'application/json',
    'content-encoding': encoding,
  };
  const payload = JSON.stringify({ name: `Sent as ${encoding}` });
  const answer = await app.inject({ method: 'POST', url: '/api/v1/groups', headers, payload });
  expect([answer.statusCode, answer.json().message ?? null]).toEqual([
    status,
    status === 415 ? 'The body must be JSON as it is: send it without a Content-Encoding.' : null,
  ]);
});
