import { expect, test } from 'vitest';
import { failureCause, missedCause, unfinishedCause } from './cause.ts';

const NIGHT = Date.UTC(2026, 10, 21, 2, 0, 0, 250);
/** Its last run ended a day ago; one that began before that hangs. */
const SILENT = {
  expectedAt: NIGHT,
  armedAt: NIGHT - 86_400_000,
  firstPingAt: NIGHT - 86_400_000,
  runs: [{ id: 'hangs', startedAt: NIGHT - 86_400_001 }],
};

test.each([
  [0, 'No ping came at 2026-11-21 02:00:00 UTC, when it was expected'],
  [1, 'No ping came at 2026-11-21 02:00:00 UTC, when it was expected, nor in the second after'],
  [60, 'No ping came at 2026-11-21 02:00:00 UTC, when it was expected, nor in the minute after'],
  [
    5_400,
    'No ping came at 2026-11-21 02:00:00 UTC, when it was expected, nor in the 1 hour and 30 minutes after',
  ],
  [
    86_399,
    'No ping came at 2026-11-21 02:00:00 UTC, when it was expected, nor in the 23 hours, 59 minutes and 59 seconds after',
  ],
  [86_400, 'No ping came at 2026-11-21 02:00:00 UTC, when it was expected, nor in the day after'],
])('missed, with a grace of %i s', (grace, rootCause) => {
  expect(missedCause(SILENT, grace * 1_000)).toEqual({
    rootCause,
    failureCode: 'ping_missed',
  });
});

test('never called', () => {
  const { rootCause } = missedCause({ ...SILENT, firstPingAt: null }, 60_000);
  expect(rootCause).toBe('No ping ever came; one was expected at 2026-11-21 02:00:00 UTC');
});

test.each([
  [
    0,
    'The run that started at 2026-11-21 02:00:03 UTC did not end in time: its end was expected at 2026-11-21 02:00:00 UTC',
  ],
  [
    60,
    'The run that started at 2026-11-21 02:00:03 UTC did not end in time: its end was expected at 2026-11-21 02:00:00 UTC or in the minute after',
  ],
])('started and not ended, with a grace of %i s [13.12]', (grace, rootCause) => {
  const runs = [...SILENT.runs, { id: null, startedAt: NIGHT + 3_000 }];
  expect(missedCause({ ...SILENT, runs }, grace * 1_000)).toEqual({
    rootCause,
    failureCode: 'ping_missed',
  });
});

test.each([
  [null, 'The job reported a failure'],
  [1, 'The job ended with exit code 1'],
  [255, 'The job ended with exit code 255'],
])('failed with %j', (exitCode, rootCause) => {
  expect(failureCause({ exitCode })).toEqual({ rootCause, failureCode: 'job_failed' });
});

test('a run that did not finish', () => {
  expect(unfinishedCause(NIGHT, 7 * 86_400_000)).toEqual({
    rootCause: 'The run that started at 2026-11-21 02:00:00 UTC did not finish within 7 days',
    failureCode: 'run_unfinished',
  });
});
