import { describe, expect, it } from 'vitest';
import { storePings, type TestPing } from '../support/pings.ts';
import {
  client,
  expectRefused,
  expectStatus,
  idsOf,
  ISO_TIME,
  MINUTE,
  NOW,
  type Json,
  PULL_TYPES,
} from './support.ts';

const { open, get, monitor } = client();

const DAY = 24 * 60 * MINUTE;
const timeOf = (offsetMs: number) => encodeURIComponent(new Date(NOW + offsetMs).toISOString());

/** A push monitor to which the job behind it told so much. */
async function told(pings: readonly TestPing[]): Promise<number> {
  const { id } = await monitor('heartbeat');
  await storePings((await open()).database, id, pings);
  return id;
}

const listed = async (id: number, query = '') => {
  const answer = await get(`/monitors/${id}/pings?${query}`);
  expectStatus(answer, 200);
  return answer.body['data'] as Json[];
};

describe('the list of pings', () => {
  it('GET /monitors/{id}/pings is a page of pings, newest first [12.32]', async () => {
    const id = await told([1, 2, 3].map((minute) => ({ at: NOW - DAY + minute * MINUTE })));
    const answer = await get(`/monitors/${id}/pings?per_page=2`);
    expectStatus(answer, 200);
    expect(answer.body).toMatchObject({ current_page: 1, per_page: 2, total: 3, last_page: 2 });
    const times = (answer.body['data'] as Json[]).map((ping) => String(ping['received_at']));
    expect(times).toHaveLength(2);
    for (const time of times) expect(time).toMatch(ISO_TIME);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(idsOf(await get(`/monitors/${id}/pings?per_page=2&page=2`))).toEqual([1]);
  });

  it('kind narrows the pings to that kind [12.34]', async () => {
    const kinds = ['success', 'failure', 'start', 'log', 'success'] as const;
    const id = await told(kinds.map((kind) => ({ at: NOW - MINUTE, kind })));
    for (const kind of kinds) {
      const pings = await listed(id, `kind=${kind}`);
      expect(pings).toHaveLength(kind === 'success' ? 2 : 1);
      expect(new Set(pings.map((ping) => ping['kind']))).toEqual(new Set([kind]));
    }
  });

  it('from and to narrow the pings to a time [12.34]', async () => {
    const id = await told([-3, -2, -1].map((day) => ({ at: NOW + day * DAY })));
    const edge = timeOf(-2 * DAY);
    expect((await listed(id, `from=${edge}`)).map((ping) => ping.id)).toEqual([3, 2]);
    expect((await listed(id, `to=${edge}`)).map((ping) => ping.id)).toEqual([1]);
  });

  it('an unusable kind, from or to of the pings is 422 on that parameter [12.35]', async () => {
    const id = await told([]);
    for (const query of ['kind=late', 'from=yesterday', 'to=x'])
      expectRefused(await get(`/monitors/${id}/pings?${query}`), query.split('=')[0]!);
  });

  it.each(PULL_TYPES)('a %s monitor has no pings [12.36]', async (type) => {
    const { id } = await monitor(type);
    const answer = await get(`/monitors/${id}/pings`);
    expect(answer.body).toMatchObject({ data: [], total: 0, from: null, to: null });
  });

  it('what a ping brought along is shown [12.33]', async () => {
    const run = { runId: 'r1', sourceAddress: '2001:db8::1', userAgent: 'curl/8.5.0' };
    const id = await told([
      { at: NOW - 2 * MINUTE, kind: 'start', ...run },
      {
        at: NOW - MINUTE,
        kind: 'failure',
        ...run,
        exitCode: 1,
        durationMs: MINUTE,
        body: 'disk full',
        isBodyCut: true,
      },
    ]);
    const shown = { run_id: 'r1', source_address: '2001:db8::1', user_agent: 'curl/8.5.0' };
    expect(await listed(id)).toEqual([
      {
        id: 2,
        kind: 'failure',
        received_at: new Date(NOW - MINUTE).toISOString(),
        duration_ms: MINUTE,
        exit_code: 1,
        ...shown,
        body: 'disk full',
        body_truncated: true,
      },
      {
        id: 1,
        kind: 'start',
        received_at: new Date(NOW - 2 * MINUTE).toISOString(),
        duration_ms: null,
        exit_code: null,
        ...shown,
        body: null,
        body_truncated: false,
      },
    ]);
  });
});
