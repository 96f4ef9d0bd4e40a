import { describe, expect, test } from 'vitest';
import { contract, expectDocumented, type Answered } from './openapi.ts';

const LIMITS = {
  'x-request-id': 'r',
  'x-ratelimit-limit': '120',
  'x-ratelimit-remaining': '119',
  'x-ratelimit-reset': '1893456060',
};
const GROUP = {
  id: 1,
  name: 'Production',
  description: null,
  parent_id: null,
  sort_order: 0,
  monitors_count: 0,
  created_at: '2030-01-01T00:00:00.000Z',
  updated_at: '2030-01-01T00:00:00.000Z',
};
const asked = { method: 'GET', path: '/api/v1/groups/1' };

function answered(body: unknown, change: Partial<Answered> = {}): Answered {
  return { status: 200, headers: LIMITS, text: JSON.stringify(body), ...change };
}

const { name: _name, ...nameless } = GROUP;
const { 'x-request-id': _id, ...idless } = LIMITS;

describe('answers that are not', () => {
  test.for<[string, Answered, string]>([
    ['a key is missing', answered(nameless), "must have required property 'name'"],
    ['a key that nobody documented', answered({ ...GROUP, color: 1 }), 'additional properties'],
    ['a wrong type', answered({ ...GROUP, id: '1' }), '/id must be integer'],
    ['a time without a zone', answered({ ...GROUP, created_at: '2030-01-01' }), 'date-time'],
    [
      'a status',
      answered({ message: 'Gone.' }, { status: 410 }),
      'The status 410 is not documented for getGroup.',
    ],
    ['no JSON', answered(null, { text: '<html>' }), 'The body is not JSON.'],
    ['a header is missing', answered(GROUP, { headers: idless }), 'X-Request-Id is missing'],
    [
      'a header is no number',
      answered(GROUP, { headers: { ...LIMITS, 'x-ratelimit-reset': 'soon' } }),
      'X-RateLimit-Reset is soon',
    ],
    [
      'a refusal without its header',
      answered({ message: 'Unauthenticated.' }, { status: 401 }),
      'WWW-Authenticate is missing',
    ],
  ])('%s', ([, answer, fault]) => {
    expect(contract().faultsOf(asked, answer).join()).toContain(fault);
    expect(() => expectDocumented(asked, answer)).toThrow(fault);
  });

  test('a body where there is none', () => {
    const fault = ['It should have no body.'];
    const deletion = { method: 'DELETE', path: '/api/v1/groups/1' };
    expect(contract().faultsOf(deletion, answered(GROUP, { status: 204 }))).toEqual(fault);
  });

  test('success of what does not exist', () => {
    const request = { method: 'GET', path: '/api/v1/nothing' };
    expect(contract().faultsOf(request, answered({}))).toEqual([
      'The status 200 is not documented for unknown paths.',
    ]);
  });
});
