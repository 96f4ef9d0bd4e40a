import { expect, test } from 'vitest';
import { openApi } from '../../test/support/api.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { silentLog } from '../lib/log.ts';
import type { AnsweredRequest } from './answered.ts';

async function answering() {
  const lines: Record<string, unknown>[] = [];
  const reported: AnsweredRequest[] = [];
  const log = {
    ...silentLog,
    debug: (fields: object, msg: string) => void lines.push({ ...fields, msg }),
  };
  const onAnswered = (answered: AnsweredRequest) => void reported.push(answered);
  const api = await openApi(await openInMemory(), {}, { log, onAnswered });
  return { api, lines, reported };
}

test('a request is logged at debug with the pattern of its route, who called, and no query string [39.41]', async () => {
  const { api, lines, reported } = await answering();
  const { id } = await api.create();
  lines.splice(0);
  reported.splice(0);
  const { headers } = await api.call(api.ed, 'GET', `/api/monitors/${id}?token=geheim`);
  const line = {
    request_id: headers['x-request-id'],
    method: 'GET',
    route: '/api/v1/monitors/:id',
    status: 200,
    duration_ms: expect.any(Number),
    person_id: api.ed.personId,
    team_id: api.ed.teamId,
    token_id: expect.any(Number),
    msg: 'A request was answered.',
  };
  expect(lines).toEqual([line]);
  expect(JSON.stringify(lines)).not.toContain('geheim');
  expect(reported).toEqual([
    { method: 'GET', route: line.route, status: 200, durationMs: expect.any(Number) },
  ]);
});

test.each([
  ['GET', '/api/v1/monitors', 401, '/api/v1/monitors'],
  ['GET', '/nowhere/geheim', 404, 'unmatched'],
  ['PROPFIND', '/healthz', 405, 'unmatched'],
])('%s %s without a token is reported as %s of %s', async (method, path, status, route) => {
  const { api, reported, lines } = await answering();
  await api.app.inject({ method: method as 'GET', url: path });
  expect(reported).toMatchObject([{ method: method === 'GET' ? 'GET' : 'OTHER', route, status }]);
  expect(lines[0]).not.toHaveProperty('person_id');
});
