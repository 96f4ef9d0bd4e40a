import { expect, test } from 'vitest';
import { sumOf, workBetween, type Sample } from '../../bench/sample.ts';

const METRICS = `# HELP tocsin_checks_total Checks by their vote.
tocsin_checks_total{vote="up"} 10
tocsin_checks_total{vote="down"} 2
tocsin_checks_total_other 100
tocsin_schedule_lag_seconds 1.5
`;

test('a metric is the sum over its labels, or over some of them', () => {
  expect(sumOf(METRICS, 'tocsin_checks_total')).toBe(12);
  expect(sumOf(METRICS, 'tocsin_checks_total', 'vote="down"')).toBe(2);
  expect(sumOf(METRICS, 'tocsin_schedule_lag_seconds')).toBe(1.5);
  expect(sumOf(METRICS, 'tocsin_missing')).toBe(0);
});

test('work is the difference of two samples, per check and per round', () => {
  const before: Sample = {
    at: 1_000,
    cpuSeconds: 1,
    machineCpuSeconds: 50,
    memoryMiB: 300,
    checks: 100,
    up: 100,
    down: 0,
    unknown: 0,
    due: 100,
    late: 1,
    rounds: 25,
    skipped: 1,
    absorbed: 2,
    missed: 3,
    caughtUp: 4,
    lag: new Map([[Infinity, 0]]),
  };
  const after = {
    ...before,
    at: 11_000,
    cpuSeconds: 2,
    machineCpuSeconds: 65,
    checks: 4_100,
    rounds: 1_025,
    late: 6,
  };
  expect(workBetween(before, after)).toMatchObject({
    seconds: 10,
    checks: 4_000,
    rounds: 1_000,
    checksPerSecond: 400,
    cores: 0.1,
    machineCores: 1.5,
    cpuMsPerCheck: 0.25,
    cpuMsPerRound: 1,
    late: 5,
    skipped: 0,
    absorbed: 0,
    memoryMiB: 300,
  });
});
