import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { readAliasTarget, type AliasCall } from './aliases.ts';

const UUID = '5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278';
const KEY = 'fqOOd6-F4MMNuCEnzTU01w';
const ROBOT = `m790172323-${'b3d887182c'.repeat(4)}`;
const STACK = 'ggS7szqbF5aWxoeMyMLyxj2U';
const CRONITOR = '70f15f445cc1490ba2183404be52079c';
const PUSH = 'dX9bq4Yc2LmN8sTzW0aRkP3uVhJ6eGfQ';

type Meaning = Partial<Omit<AliasCall, 'service' | 'alias'>>;

const call = (service: AliasCall['service'], alias: string, meaning: Meaning): AliasCall => ({
  service,
  alias,
  kind: 'success',
  exitCode: null,
  runId: null,
  message: null,
  durationMs: null,
  ...meaning,
});

describe('Healthchecks [12.43]', () => {
  test.each<[target: string, alias: string, Meaning]>([
    [`/ping/${UUID}`, `/ping/${UUID}`, {}],
    [`/ping/${UUID}/`, `/ping/${UUID}`, {}],
    [`/${UUID}`, `/ping/${UUID}`, {}],
    [`/ping/${UUID.toUpperCase()}`, `/ping/${UUID}`, {}],
    [`https://hc-ping.com/${UUID}/fail`, `/ping/${UUID}`, { kind: 'failure' }],
    [
      `/ping/${UUID}/start?rid=${UUID.toUpperCase()}`,
      `/ping/${UUID}`,
      { kind: 'start', runId: UUID },
    ],
    [`/${UUID}/log`, `/ping/${UUID}`, { kind: 'log' }],
    [`/ping/${UUID}/0`, `/ping/${UUID}`, { exitCode: 0 }],
    [`/ping/${UUID}/007`, `/ping/${UUID}`, { kind: 'failure', exitCode: 7 }],
    [`/ping/${UUID}/255`, `/ping/${UUID}`, { kind: 'failure', exitCode: 255 }],
    [`/ping/${KEY}/backup`, `/ping/${KEY}/backup`, {}],
    [`/${KEY}/backup/fail`, `/ping/${KEY}/backup`, { kind: 'failure' }],
    // A slug may have the name of a suffix.
    [`/ping/${KEY}/start`, `/ping/${KEY}/start`, {}],
    [`/ping/${KEY}/start/start`, `/ping/${KEY}/start`, { kind: 'start' }],
    [`/ping/${KEY}/backup?create=1`, `/ping/${KEY}/backup`, {}],
  ])('%s', (target, alias, meaning) => {
    expect(readAliasTarget(target)).toEqual(call('healthchecks', alias, meaning));
  });
});

describe('Uptime Kuma [12.44]', () => {
  test.each<[query: string, Meaning]>([
    ['', {}],
    ['?status=up&msg=OK&ping=', { message: 'OK' }],
    ['?status=', {}],
    ['?status=up&ping=12.6', { durationMs: 13 }],
    ['?status=up&ping=0', { durationMs: 0 }],
    ['?status=down&msg=disk%20full', { kind: 'failure', message: 'disk full' }],
    ['?status=UP', { kind: 'failure' }],
    ['?ping=-1', {}],
    ['?ping=1e300', {}],
    ['?ping=NaN', {}],
  ])('%s', (query, meaning) => {
    const alias = `/api/push/${PUSH}`;
    expect(readAliasTarget(alias + query)).toEqual(call('uptime_kuma', alias, meaning));
  });
});

describe('other services [12.45]', () => {
  test.each<[target: string, AliasCall]>([
    [`/${ROBOT}`, call('uptimerobot', `/${ROBOT}`, {})],
    [
      `/api/v1/heartbeat/${STACK}/fail`,
      call('better_stack', `/api/v1/heartbeat/${STACK}`, { kind: 'failure' }),
    ],
    [
      `/api/v1/heartbeat/${STACK}/3`,
      call('better_stack', `/api/v1/heartbeat/${STACK}`, { kind: 'failure', exitCode: 3 }),
    ],
    [
      `/api/v1/heartbeat/${STACK}/0`,
      call('better_stack', `/api/v1/heartbeat/${STACK}`, { exitCode: 0 }),
    ],
    [
      `/p/${CRONITOR}/nightly?state=run&series=7`,
      call('cronitor', `/p/${CRONITOR}/nightly`, { kind: 'start', runId: '7' }),
    ],
    [
      `/p/${CRONITOR}/nightly?state=complete&metric=count:3&metric=duration:1.5&message=done`,
      call('cronitor', `/p/${CRONITOR}/nightly`, { durationMs: 1_500, message: 'done' }),
    ],
    [
      `/p/${CRONITOR}/nightly/fail?status_code=2`,
      call('cronitor', `/p/${CRONITOR}/nightly`, { kind: 'failure', exitCode: 2 }),
    ],
    [
      `/p/${CRONITOR}/nightly?state=complete&status_code=2`,
      call('cronitor', `/p/${CRONITOR}/nightly`, {}),
    ],
    [`/p/${CRONITOR}/run`, call('cronitor', `/p/${CRONITOR}/run`, {})],
    [
      `/p/${CRONITOR}/nightly?state=pause`,
      call('cronitor', `/p/${CRONITOR}/nightly`, { kind: 'log' }),
    ],
  ])('%s', (target, expected) => {
    expect(readAliasTarget(target)).toEqual(expected);
  });
});

test.each([
  '/',
  '*',
  '',
  '/ping',
  '/ping/T',
  `/ping/${'a'.repeat(30)}`,
  `/ping/${'a'.repeat(30)}/start`,
  `/ping/${UUID}/256`,
  `/ping/${UUID}/stop`,
  `/ping/${UUID}/start/1`,
  `/ping/${KEY}`,
  `/ping/${KEY}/Backup`,
  `/status/${UUID}`,
  `/api/push`,
  `/api/push/short`,
  `/api/push/${PUSH}/fail`,
  '/api/v1/monitors/1',
  '/api/v1/heartbeat/short',
  '/m12',
  '/monitors/1',
  '/p/x/y',
  'http://',
  'https://hc-ping.com',
])('%j is no address of another service', (target) => {
  expect(readAliasTarget(target)).toBeNull();
});

it('reads every text, and the alias of an alias is itself', () => {
  const target = fc.oneof(
    fc.string(),
    fc.string().map((path) => `/p/${CRONITOR}/x${path}`),
    fc.string().map((query) => `/${UUID}?${query}`),
  );
  fc.assert(
    fc.property(target, (text) => {
      const read = readAliasTarget(text);
      if (read === null) return;
      expect(readAliasTarget(read.alias)).toMatchObject({ alias: read.alias, kind: 'success' });
    }),
  );
});
