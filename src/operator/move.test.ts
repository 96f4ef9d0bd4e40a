import { expect, test } from 'vitest';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { MoveProgress, durationText, progressLine } from './move.ts';

test.each([
  [0, '0 s'],
  [1, '1 s'],
  [119_000, '119 s'],
  [119_001, '2 min'],
  [600_000, '10 min'],
  [7_140_000, '119 min'],
  [7_200_000, '2 h 0 min'],
  [9_000_000, '2 h 30 min'],
])('%i ms are %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

test('a line says how far the work is, how fast, and how long it still takes', () => {
  const at = { word: 'Copied', done: 1_200_000, total: 4_800_000, rate: 240_000, table: 'ping' };
  expect(progressLine(at)).toBe(
    'Copied 1,200,000 of 4,800,000 rows (25 %), now ping: 240,000 rows/s, 15 s left.',
  );
  expect(progressLine({ ...at, done: 0, rate: 0 })).toBe(
    'Copied 0 of 4,800,000 rows (0 %), now ping: 0 rows/s.',
  );
  expect(progressLine({ ...at, done: 0, total: 0 })).toContain('(100 %)');
});

test('lines come at most every five seconds', async () => {
  const clock = createFakeClock({ now: 0 });
  const progress = new MoveProgress(clock);
  expect(progress.begin('copy', [1_000, 9_000])).toBe('Copying 10,000 rows of 2 tables.');
  expect(progress.step('first', { rows: 1_000, isDone: true })).toBeNull();
  await clock.advance(4_999);
  expect(progress.step('second', { rows: 3_000, isDone: false })).toBeNull();
  await clock.advance(1);
  expect(progress.step('second', { rows: 4_000, isDone: false })).toBe(
    'Copied 5,000 of 10,000 rows (50 %), now second: 1,000 rows/s, 5 s left.',
  );
  expect(progress.step('second', { rows: 4_500, isDone: false })).toBeNull();
  expect(progress.begin('compare', [1_000, 9_000])).toBe('Comparing 10,000 rows of 2 tables.');
});
