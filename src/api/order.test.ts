import { expect, test } from 'vitest';
import { openApi } from '../../test/support/api.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import type { RateLimits } from '../identity/rate-limits.ts';

/** A part of a request; two faults of the same part can't meet. */
interface Request {
  who: 'alice' | 'vera' | null;
  spent: boolean;
  method: string;
  family: 'monitors' | 'nothing';
  id: 'known' | 'unknown';
  type: string;
  payload: string;
}

const GOOD: Request = {
  who: 'alice',
  spent: false,
  method: 'PUT',
  family: 'monitors',
  id: 'known',
  type: 'application/json',
  payload: '{"friendly_name":"Home"}',
};

/** In the order in which they are judged (contract 2.16 to 2.21). */
const FAULTS: [name: string, fault: Partial<Request>, status: number, says: RegExp][] = [
  ['no token', { who: null }, 401, /^Unauthenticated/],
  ['no budget', { spent: true }, 429, /^The limit of 120/],
  ['an unknown path', { family: 'nothing' }, 404, /^There is no such path/],
  ['a wrong method', { method: 'PATCH' }, 405, /^PATCH is not possible/],
  ['no permission', { who: 'vera' }, 403, /"update"/],
  ['too large a body', { payload: `"${'a'.repeat(1024 * 1024)}"` }, 413, /larger than 1 MiB/],
  ['a body of another type', { type: 'text/plain' }, 415, /must be JSON/],
  ['a malformed body', { payload: '{' }, 400, /not valid JSON/],
  ['an unknown id', { id: 'unknown' }, 404, /^There is no such monitor/],
  ['an invalid body', { payload: '{"check_interval":"often"}' }, 422, /^check_interval must/],
];

const pairs = FAULTS.flatMap(([first, one, status, says], index) =>
  FAULTS.slice(index)
    .filter(([name, other]) => name === first || !Object.keys(one).some((part) => part in other))
    .map(([second, other]) => ({
      first,
      second,
      request: { ...GOOD, ...one, ...other },
      status,
      says,
    })),
);

const house = (async () => {
  let spent = false;
  const spend: RateLimits['spend'] = async (budget) => ({
    allowed: budget === 'anonymous' || !spent,
    limit: 120,
    remaining: 0,
    resetAt: 0,
    retryAfter: 1,
  });
  const database = await openInMemory();
  const api = await openApi(
    database,
    {},
    { rateLimits: { spend, show: spend, giveBack: spend, block: spend } },
  );
  const { id } = await api.create();
  return async (request: Request) => {
    const { who, method, family, type, payload } = request;
    spent = request.spent;
    return api.app.inject({
      method: method as 'PUT',
      url: `/api/${family}/${request.id === 'known' ? id : 999_999}`,
      headers: {
        'content-type': type,
        ...(who !== null && { authorization: `Bearer ${api[who].token}` }),
      },
      payload,
    });
  };
})();

function expectHeaders({ headers }: { headers: Record<string, unknown> }): void {
  for (const name of ['limit', 'remaining', 'reset'])
    expect(headers[`x-ratelimit-${name}`]).toBeDefined();
  expect(headers['x-request-id']).toBeTruthy();
}

test('the valid request is answered [1.10]', async () => {
  const answer = await (await house)(GOOD);
  expect(answer.statusCode).toBe(200);
  expectHeaders(answer);
});

test.each(pairs)(
  '$first comes before $second: $status [1.10, 2.16, 2.17, 2.18, 2.19, 2.20, 2.21]',
  async ({ request, status, says }) => {
    const answer = await (await house)(request);
    expect([answer.statusCode, answer.json().message]).toEqual([
      status,
      expect.stringMatching(says),
    ]);
    expectHeaders(answer);
  },
);
