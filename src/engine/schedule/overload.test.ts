import { describe, expect, test } from 'vitest';
import type { ProbeLoad } from '../../model/probe-load.ts';
import { NOT_OVERLOADED, nextOverload, type Observation, type OverloadState } from './overload.ts';

const NOW = Date.UTC(2030, 0, 1);
const SECOND = 1_000;

const load = (fields: Partial<ProbeLoad> = {}): ProbeLoad => ({
  running: 10,
  waiting: 0,
  longestWaitMs: 0,
  capacity: 9_904,
  openFiles: 20_000,
  ...fields,
});
const WELL: Observation = { loads: [load()], punctuality: { due: 1_000, late: 10 } };
const FULL: Observation = {
  ...WELL,
  loads: [load(), load({ running: 9_904, waiting: 1_200, longestWaitMs: 12_000 })],
};
const late = (count: number, due: number): Observation => ({
  ...WELL,
  punctuality: { due, late: count },
});

describe('the probes are overloaded', () => {
  test('once a check has waited a second for a slot', () => {
    const state = nextOverload(NOT_OVERLOADED, FULL, NOW);
    expect(state.since).toBe(NOW);
    expect(state.reason).toBe(
      '1,200 checks wait for a slot, the first one for 12 s, as 9,904 checks run in one probe process, which is as many as its limit of open files allows. Raise the limit (ulimit -n, or LimitNOFILE= of systemd) or PROBE_WORKERS, or lower request_timeout of targets that hang',
    );
    const short = { ...FULL, loads: [load({ waiting: 40, longestWaitMs: 999 })] };
    expect(nextOverload(NOT_OVERLOADED, short, NOW)).toBe(NOT_OVERLOADED);
  });

  test('blames the processor when checks wait although slots are free', () => {
    const loads = [load({ running: 40, waiting: 300, longestWaitMs: 1_000 })];
    const { reason } = nextOverload(NOT_OVERLOADED, { ...WELL, loads }, NOW);
    expect(reason).toMatch(/^300 checks wait .* the machine is too slow for them\./);
  });

  test.each([
    ['a twentieth of the last minute is late', late(50, 1_000), true],
    ['less than that is', late(49, 1_000), false],
    ['a few checks of a small installation are', late(19, 19), false],
    ['twenty of them are', late(20, 20), true],
  ])('when %s: %o', (_name, observation, expected) => {
    expect(nextOverload(NOT_OVERLOADED, observation, NOW).since !== null).toBe(expected);
  });

  test('says how many were late', () => {
    expect(nextOverload(NOT_OVERLOADED, late(1_200, 10_000), NOW).reason).toMatch(
      /^1,200 of the 10,000 checks of the last minute started more than 0\.5 s late: /,
    );
  });
});

function steps(...observations: [Observation, number][]): OverloadState {
  return observations.reduce((state, [seen, at]) => nextOverload(state, seen, at), NOT_OVERLOADED);
}

describe('an overload', () => {
  test('ends after a minute without a sign of it [25.26]', () => {
    const before: [Observation, number][] = [
      [FULL, NOW],
      [WELL, NOW + 10 * SECOND],
    ];
    expect(steps(...before, [WELL, NOW + 70 * SECOND - 1]).since).toBe(NOW);
    expect(steps(...before, [WELL, NOW + 70 * SECOND])).toEqual(NOT_OVERLOADED);
  });

  test('continues when a sign shows again within that minute', () => {
    const state = steps(
      [FULL, NOW],
      [WELL, NOW + 10 * SECOND],
      [late(500, 1_000), NOW + 40 * SECOND],
      [WELL, NOW + 50 * SECOND],
      [WELL, NOW + 80 * SECOND],
    );
    expect(state).toMatchObject({ since: NOW, recoveringSince: NOW + 50 * SECOND });
  });
});
