import { describe, expect, test } from 'vitest';
import { contract, expectDocumented, isOfApi, type Answered } from './openapi.ts';

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
const TAGGED = { ...LIMITS, etag: '"1.2"' };
const asked = { method: 'GET', path: '/api/v1/groups/1' };

function answered(body: unknown, change: Partial<Answered> = {}): Answered {
  return { status: 200, headers: LIMITS, text: JSON.stringify(body), ...change };
}

describe('answers that are as documented', () => {
  test.for<[string, { method: string; path: string }, Answered]>([
    ['a group', asked, answered(GROUP, { headers: TAGGED })],
    [
      'without the version',
      { method: 'GET', path: '/api/groups/1?x=1' },
      answered(GROUP, { headers: TAGGED }),
    ],
    [
      'HEAD',
      { method: 'HEAD', path: '/api/v1/groups/1' },
      answered(null, { text: '', headers: TAGGED }),
    ],
    [
      'no body',
      { method: 'DELETE', path: '/api/v1/groups/1/' },
      answered(null, { status: 204, text: '' }),
    ],
    ['a refusal', asked, answered({ message: 'No such group.' }, { status: 404 })],
    [
      'an unknown path',
      { method: 'GET', path: '/api/v1/nothing' },
      answered({ message: 'No such path.' }, { status: 404 }),
    ],
    [
      'a wrong method',
      { method: 'PATCH', path: '/api/v1/groups/1' },
      answered({ message: 'No.' }, { status: 405, headers: { ...LIMITS, allow: 'GET' } }),
    ],
  ])('%s', ([, request, answer]) => {
    expect(contract().faultsOf(request, answer)).toEqual([]);
    expect(() => expectDocumented(request, answer)).not.toThrow();
  });
});

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

test.for<[method: string, path: string, name: string | undefined]>([
  ['GET', '/api', 'whoAmI'],
  ['GET', '/api/v1/', 'whoAmI'],
  ['GET', '/api/v1//', undefined],
  ['HEAD', '/api/v1/monitors?page=1', 'listMonitors'],
  ['GET', '/api/monitors/', 'listMonitors'],
  ['GET', '/api/v1/monitors/x', 'getMonitor'],
  ['GET', '/api/v1/monitors/1%2f2', 'getMonitor'],
  ['POST', '/api/v1/monitors//pause', 'pauseMonitor'],
  ['POST', '/api/v1/monitors/1/2', undefined],
  ['PATCH', '/api/v1/monitors/1', undefined],
  ['GET', '/api/v2/monitors', undefined],
])('%s %s is %s', ([method, path, name]) => {
  expect(contract().find({ method, path })?.name).toBe(name);
});

test.for<[string, boolean]>([
  ['/api', true],
  ['/api/v1?x', true],
  ['/api/nothing', true],
  ['/apis', false],
  ['/healthz', false],
])('%s is of the API: %s', ([path, is]) => {
  expect(isOfApi(path)).toBe(is);
});
