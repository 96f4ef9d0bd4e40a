import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PingKind } from '../model/heartbeat.ts';
import { isPingTarget, parsePingTarget, truncated } from './ping-request.ts';

type Told = [kind: PingKind, exitCode: number | null];

describe('the path', () => {
  test.each<[path: string, ...Told]>([
    ['/ping/T', 'success', null],
    ['/ping/T/', 'success', null],
    ['/ping/T/fail', 'failure', null],
    ['/ping/T/fail/', 'failure', null],
    ['/ping/T/start', 'start', null],
    ['/ping/T/log', 'log', null],
    ['/ping/T/0', 'success', 0],
    ['/ping/T/1', 'failure', 1],
    ['/ping/T/99/', 'failure', 99],
    ['/ping/T/255', 'failure', 255],
    ['/ping/T#fail', 'success', null],
    ['/ping/T/st%61rt', 'start', null],
    ['/ping/T/%32', 'failure', 2],
    ['/ping/%54', 'success', null],
    ['/%70i%6Eg/T/fail', 'failure', null],
    ['http://up.example.com/ping/T/fail', 'failure', null],
    ['HTTPS://[::1]:3000/ping/T', 'success', null],
  ])('%s means %s [12.5]', (path, kind, exitCode) => {
    const rest = { runId: null, isStatusUnknown: false };
    expect(parsePingTarget(path)).toEqual({ token: 'T', kind, exitCode, ...rest });
  });

  test.each([
    '/ping',
    '/ping/',
    '/ping?status=fail',
    '/ping//',
    '/ping//fail',
    '/ping/T//',
    '/ping/T//fail',
    '/ping/T/fail//',
    '/ping/T/fail/3',
    '/ping/T/256',
    '/ping/T/999',
    '/ping/T/1000',
    '/ping/T/007',
    '/ping/T/00',
    '/ping/T/-1',
    '/ping/T/+1',
    '/ping/T/1.0',
    '/ping/T/1e2',
    '/ping/T/0x1',
    '/ping/T/%201',
    '/ping/T/FAIL',
    '/ping/T/failed',
    '/ping/T/success',
    '/ping/T/%zz',
    '/ping/T/constructor',
  ])('%s is no path', (path) => {
    expect([isPingTarget(path), parsePingTarget(path)]).toEqual([true, null]);
  });

  test.each([
    ['/ping/a%zz', 'a%zz'],
    ['/ping/%', '%'],
    ['/ping/%ff/fail', '%ff'],
    ['/ping/a%2Fb', 'a/b'],
    ['/ping/%41', 'A'],
  ])('the token of %s is %s: what encodes nothing stands for itself', (path, token) => {
    expect(parsePingTarget(path)?.token).toBe(token);
  });
});

describe('the query', () => {
  test.each<[target: string, ...Told]>([
    ['/ping/T?status=fail', 'failure', null],
    ['/ping/T/?status=fail', 'failure', null],
    ['/ping/T?status=%66ail', 'failure', null],
    ['/ping/T?status=ok&status=fail', 'failure', null],
    ['/ping/T?%zz&status=fail&%', 'failure', null],
    ['/ping/T?status=fail#status=ok', 'failure', null],
    ['/ping/T/start?status=fail', 'failure', null],
    ['/ping/T/log?status=fail', 'failure', null],
    ['/ping/T/fail?status=ok', 'failure', null],
    ['/ping/T/7?status=fail', 'failure', 7],
    ['/ping/T/7?status=ok', 'failure', 7],
    // One of the two is wrong, and it is not the one that tells of trouble.
    ['/ping/T/0?status=fail', 'failure', null],
    ['/ping/T?status=', 'success', null],
    ['/ping/T?status=ok', 'success', null],
    ['/ping/T?status=failure', 'success', null],
    ['/ping/T?status=FAIL', 'success', null],
    ['/ping/T?Status=fail', 'success', null],
    ['/ping/T?status', 'success', null],
    ['/ping/T?fail', 'success', null],
    ['/ping/T?/fail', 'success', null],
    ['/ping/T#?status=fail', 'success', null],
  ])('%s means %s [12.6, 12.7]', (target, kind, exitCode) => {
    expect(parsePingTarget(target)).toMatchObject({ token: 'T', kind, exitCode });
  });

  test.each<[query: string, runId: string | null]>([
    ['rid=nightly-7', 'nightly-7'],
    ['rid=', null],
    ['rid', null],
    ['RID=1', null],
    ['rid=one&rid=two', 'one'],
    ['status=fail&rid=7', '7'],
    ['rid=a+b%20c', 'a b c'],
    ['rid=%zz%4', '%zz%4'],
    ['rid=%ff', '\ufffd'],
    ['rid=a%00b', 'a\ufffdb'],
    ['rid=%C3%BC', 'ü'],
    ['rid=a=b', 'a=b'],
    [`rid=${'x'.repeat(129)}`, 'x'.repeat(128)],
    [`rid=${'x'.repeat(127)}%F0%9F%94%94`, 'x'.repeat(127)],
    [`rid=${'x'.repeat(126)}%F0%9F%94%94y`, `${'x'.repeat(126)}🔔`],
  ])('%s is the run %j [12.9]', (query, runId) => {
    expect(parsePingTarget(`/ping/T/start?${query}`)?.runId).toBe(runId);
  });
});

test.each([
  '/',
  '/pin',
  '/pings',
  '/pingT',
  '/Ping/T',
  '/api/ping/T',
  '//ping/T',
  '*',
  '',
  'ping/T',
])('%j is not for the ping route', (target) => {
  expect(isPingTarget(target)).toBe(false);
});

test('never throws, and its results are within bounds', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary-ascii' }),
    fc.constantFrom(
      '/',
      '%',
      '%f',
      '%00',
      '?',
      '&',
      'rid=',
      'status=fail',
      '#',
      '255',
      '\u00ff',
      '😀',
    ),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const target = `/ping/${pieces.join('')}`;
      expect(isPingTarget(target)).toBe(true);
      const asked = parsePingTarget(target);
      if (asked === null) return;
      expect(asked.token).not.toBe('');
      expect(asked.runId ?? 'none').toMatch(/^[^\0]{1,128}$/u);
      if (/^[^?#]*\?(?:[^?#]*&)?status=fail(?:&|$)/.test(target))
        expect(asked.kind).toBe('failure');
      if (asked.exitCode !== null)
        expect(asked.kind).toBe(asked.exitCode === 0 ? 'success' : 'failure');
    }),
    { numRuns: 1_000 },
  );
});

test('truncation never leaves half a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 20 }), (text, most) => {
      const kept = truncated(text, most) ?? '';
      expect(kept.isWellFormed()).toBe(true);
      expect(kept.length).toBeLessThanOrEqual(most);
      expect(text.replaceAll('\0', '\ufffd').startsWith(kept)).toBe(true);
    }),
  );
});
