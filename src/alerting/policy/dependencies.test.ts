import { expect, test } from 'vitest';
import type { ParentState } from '../../model/state.ts';
import { dependencies } from './holds.ts';

const NOW = 10_000_000;
const SECOND = 1_000;
const child = {
  startedAt: NOW - 20 * SECOND,
  endedAt: null,
  notifiableAt: NOW,
  monitor: { lastCheckedAt: (NOW - SECOND) as number | null },
};
const heldUntil = (parents: ParentState[], changes: Partial<typeof child> = {}) =>
  dependencies({ ...child, ...changes, parents }, NOW)?.until ?? null;
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
  ['people are notified without parents', [], null],
  ['with a parent that is well, too', [WELL], null],
  ['not while a parent is down', [WELL, GONE], NOW + 15 * SECOND],
  ['a paused parent holds nothing', [{ ...GONE, isPaused: true }], null],
  [
    "not while a parent's failure is being confirmed",
    [{ ...WELL, isSuspected: true }],
    NOW + 2 * SECOND,
  ],
  [
    'not before one was checked since',
    [{ ...WELL, lastCheckedAt: NOW - 30 * SECOND }],
    NOW + 2 * SECOND,
  ],
  [
    'a parent that was never checked holds nothing',
    [{ ...WELL, status: 'pending', lastCheckedAt: null }],
    null,
  ],
  ['not right after one recovered', [{ ...WELL, recoveredAt: NOW - 500 }], NOW + 2 * SECOND],
  ['but once the child failed again since', [{ ...WELL, recoveredAt: NOW - 3 * SECOND }], null],
  ['the soonest of several', [GONE, { ...WELL, isSuspected: true }], NOW + 2 * SECOND],
])('%s [26.16]', ([, parents, until]) => expect(heldUntil(parents)).toBe(until));

test('a parent that is not checked holds nothing for long', () => {
  const unseen = { ...WELL, lastCheckedAt: NOW - 30 * SECOND };
  expect(heldUntil([unseen], { notifiableAt: NOW - 75 * SECOND })).toBe(null);
});

test('a parent whose failure is never confirmed holds nothing for long [26.15]', () => {
  const suspected = { ...WELL, isSuspected: true };
  expect(heldUntil([suspected], { notifiableAt: NOW - 300 * SECOND })).toBe(null);
});

test('people are notified of a child that is never checked two minutes after its parent recovered', () => {
  const job = { monitor: { lastCheckedAt: null } };
  const parent = (ago: number) => ({ ...WELL, recoveredAt: NOW - ago * SECOND });
  expect(heldUntil([parent(119)], job)).toBe(NOW + 2 * SECOND);
  expect(heldUntil([parent(120)], job)).toBe(null);
});
