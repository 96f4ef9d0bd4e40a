import { describe, expect, test } from 'vitest';
import type { Run } from '../../model/heartbeat.ts';
import { firstRunOver, LONGEST_RUN_MS, MAX_RUNS, stepRuns } from './state.ts';

type Kind = 'start' | 'success' | 'failure' | 'log';

/** `'1 start:a, 5 success'`, seconds; which runs are left, and how long the finished ones took. */
function play(story: string) {
  let runs: readonly Run[] = [];
  const took: (number | null)[] = [];
  for (const word of story.split(', ')) {
    const [when, what] = word.split(' ') as [string, string];
    const [kind, runId = null] = what.split(':') as [Kind, string?];
    const step = stepRuns(runs, { kind, runId, at: Number(when) * 1_000 });
    runs = step.runs;
    if (kind !== 'start') took.push(step.durationMs);
  }
  return { left: runs.map(({ id, startedAt }) => `${id ?? ''}@${startedAt / 1_000}`), took };
}

describe('a finish ends', () => {
  test.each([
    ['1 start, 5 success', [], [4_000]],
    ['1 start, 5 failure', [], [4_000]],
    ['1 start, 5 log', ['@1'], [null]],
    ['5 success', [], [null]],
    ['1 start, 5 success, 6 success', [], [4_000, null]],
    // The youngest without a name: the one that hangs is left.
    ['1 start, 3 start, 5 success', ['@1'], [2_000]],
    // By name, whatever their order.
    ['1 start:a, 3 start:b, 5 success:a, 6 success:b', [], [4_000, 3_000]],
    ['1 start:a, 5 success:b', ['a@1'], [null]],
    ['1 start:a, 5 success', ['a@1'], [null]],
    ['1 start, 5 success:a', ['@1'], [null]],
    // The same name again is the same run, begun anew.
    ['1 start:a, 3 start:a, 5 success:a', [], [2_000]],
    ['9 start, 5 success', [], [0]],
  ])('%s', (story, left, took) => {
    expect(play(story)).toEqual({ left, took });
  });
});

test('the oldest starts are forgotten when there are too many, or after the longest time [12.12]', () => {
  const starts = Array.from({ length: MAX_RUNS + 2 }, (_, index) => `${index} start`);
  expect(play(starts.join(', ')).left).toEqual(starts.slice(2).map((_, index) => `@${index + 2}`));
  const week = LONGEST_RUN_MS / 1_000;
  expect(play(`0 start, 1 start, ${week} start:a`).left).toEqual(['@1', `a@${week}`]);
  expect(play(`0 start, ${week - 1} success`).took).toEqual([(week - 1) * 1_000]);
  expect(play(`0 start, ${week} success`).took).toEqual([null]);
});

const run = (startedAt: number, isJudged = false): Run =>
  isJudged ? { id: null, startedAt, isJudged } : { id: null, startedAt };

describe('the first run over its time', () => {
  test.each([
    ['none', [], 60, null],
    ['without a limit', [run(5)], null, null],
    ['the oldest', [run(9), run(5), run(7)], 60, 65],
    ['not one that was judged', [run(5, true), run(7)], 60, 67],
    ['all judged', [run(5, true)], 60, null],
  ])('%s', (_, runs, limit, expected) => {
    expect(firstRunOver(runs, limit)).toBe(expected);
  });
});
