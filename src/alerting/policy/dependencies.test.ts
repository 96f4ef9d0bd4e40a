import { expect, test } from 'vitest';
import { heldByParents, type ParentState } from './dependencies.ts';

const NOW = 10_000_000;
const SECOND = 1_000;
const child = { startedAt: NOW - 20 * SECOND, toldAbleAt: NOW, lastCheckedAt: NOW - SECOND };
const WELL: ParentState = {
  status: 'online',
  isPaused: false,
  isSuspected: false,
  lastCheckedAt: NOW - 5 * SECOND,
  downSince: null,
  recoveredAt: null,
};
const GONE: ParentState = { ...WELL, downSince: NOW - 60 * SECOND };

test.for<[string, ParentState[], number | null]>([
  ['without parents people are told', [], null],
  ['with a parent that is well, too', [WELL], null],
  ['not while a parent is down', [WELL, GONE], NOW + 15 * SECOND],
  ['a paused parent says nothing', [{ ...GONE, isPaused: true }], null],
  [
    'not while it is being found out whether one is',
    [{ ...WELL, isSuspected: true }],
    NOW + 2 * SECOND,
  ],
  [
    'not before one was looked at since',
    [{ ...WELL, lastCheckedAt: NOW - 30 * SECOND }],
    NOW + 2 * SECOND,
  ],
  [
    'a parent that was never looked at can tell nothing',
    [{ ...WELL, status: 'pending', lastCheckedAt: null }],
    null,
  ],
  ['not right after one recovered', [{ ...WELL, recoveredAt: NOW - 500 }], NOW + 2 * SECOND],
  ['but once the child failed again since', [{ ...WELL, recoveredAt: NOW - 3 * SECOND }], null],
  ['the soonest of several', [GONE, { ...WELL, isSuspected: true }], NOW + 2 * SECOND],
])('%s [26.16]', ([, parents, until]) => expect(heldByParents(child, parents, NOW)).toBe(until));

test('a parent that nobody looks at holds nobody for long', () => {
  const unseen = { ...WELL, lastCheckedAt: NOW - 30 * SECOND };
  expect(heldByParents({ ...child, toldAbleAt: NOW - 75 * SECOND }, [unseen], NOW)).toBe(null);
});

test('a parent of which nothing comes out holds nobody for long [26.15]', () => {
  const suspected = { ...WELL, isSuspected: true };
  const told = { ...child, toldAbleAt: NOW - 300 * SECOND };
  expect(heldByParents(told, [suspected], NOW)).toBe(null);
});

test('a child that is never checked is told of two minutes after its parent recovered', () => {
  const job = { ...child, lastCheckedAt: null };
  const parent = (ago: number) => ({ ...WELL, recoveredAt: NOW - ago * SECOND });
  expect(heldByParents(job, [parent(119)], NOW)).toBe(NOW + 2 * SECOND);
  expect(heldByParents(job, [parent(120)], NOW)).toBe(null);
});
