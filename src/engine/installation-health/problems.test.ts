import { describe, expect, test } from 'vitest';
import { processReport } from '../../../test/support/process-reports.ts';
import type { ProcessReport, StoredProblem } from '../../model/installation-health.ts';
import {
  evaluateInstallation,
  shownProblem,
  type OpenProblem,
  type InstallationFacts,
} from './rules.ts';

const NOW = Date.UTC(2030, 0, 1);
const SECOND = 1_000;

/** Facts of one process that is well otherwise. */
function facts(changes: Partial<ProcessReport> = {}): InstallationFacts {
  return {
    reports: [processReport({ seenAt: NOW, probes: { ash: 1, pdx: 1 }, ...changes })],
    shards: new Map([['a', 256]]),
    unownedShards: 0,
    deliveries: { waiting: 0, oldestDueAt: null },
    workerRan: null,
    regions: ['ash', 'pdx'],
  };
}

const late = facts({ lagMs: 45_000 });

function without(...regions: string[]): InstallationFacts {
  const gone = Object.fromEntries(regions.map((region) => [region, 0]));
  return facts({ probes: { ash: 1, pdx: 1, ...gone } });
}

/** Evaluates each [seconds from the start, facts], and tells what began and ended when. */
function play(course: readonly (readonly [number, InstallationFacts])[]) {
  let problems: StoredProblem[] = [];
  let evaluatedAt: number | null = null;
  const changes: string[] = [];
  for (const [at, seen] of course) {
    const now = NOW + at * SECOND;
    const fresh = seen.reports.map((one) => ({ ...one, seenAt: now }));
    const evaluation = evaluateInstallation(
      problems,
      { ...seen, reports: fresh },
      { now, evaluatedAt },
    );
    evaluatedAt = now;
    problems = evaluation.problems;
    for (const one of evaluation.opened) changes.push(`${at}: ${one.kind}${one.subject} began`);
    for (const one of evaluation.ended) changes.push(`${at}: ${one.kind}${one.subject} ended`);
  }
  return { changes, problems };
}

/** Every 5 s from each of these seconds to the next one, what was seen since. */
function steps(...phases: (readonly [number, InstallationFacts])[]) {
  return phases.flatMap(([from, seen], index) => {
    const until = phases[index + 1]?.[0] ?? from + 1;
    const count = Math.max(1, Math.ceil((until - from) / 5));
    return Array.from({ length: count }, (_, step) => [from + 5 * step, seen] as const);
  });
}

describe('over time', () => {
  test('a problem counts once it has lasted, and ends once it was not there for a minute', () => {
    const { changes, problems } = play(steps([0, late], [70, facts()], [200, facts()]));
    expect(changes).toEqual(['60: rounds_late began', '130: rounds_late ended']);
    expect(problems).toEqual([]);
  });

  test('one that is gone for a moment before it counts begins anew', () => {
    const { changes } = play(steps([0, late], [55, facts()], [60, late], [125, late]));
    expect(changes).toEqual(['120: rounds_late began']);
  });

  test('one that is back within a minute did not end', () => {
    const { changes, problems } = play(
      steps([0, late], [70, facts()], [125, late], [130, facts()], [185, facts()]),
    );
    expect(changes).toEqual(['60: rounds_late began']);
    expect(problems.map((one) => shownProblem(one as OpenProblem))).toEqual([
      { kind: 'rounds_late', subject: '', since: NOW, value: 45, processes: ['a:3000'] },
    ]);
  });

  test('regions are problems of their own, which begin and end by themselves', () => {
    const { changes } = play(
      steps(
        [0, without('ash')],
        [30, without('ash', 'pdx')],
        [90, without('pdx')],
        [150, without()],
        [250, without()],
      ),
    );
    expect(changes).toEqual([
      '60: region_without_probeash began',
      '90: region_without_probepdx began',
      '150: region_without_probeash ended',
      '210: region_without_probepdx ended',
    ]);
  });

  test('a clock that is set back neither hides a problem nor keeps one', () => {
    const { changes } = play([
      ...steps([500, late], [510, late]),
      ...steps([0, late], [70, facts()], [90, facts()]),
      ...steps([-600, facts()], [-500, facts()]),
    ]);
    expect(changes).toEqual(['60: rounds_late began', '-540: rounds_late ended']);
  });

  test('after a time without an evaluation nothing is known to have lasted', () => {
    const wasLate = steps([0, late], [55, late]);
    expect(play([...wasLate, ...steps([600, late], [655, late])]).changes).toEqual([]);
    expect(play([...wasLate, ...steps([600, late], [665, late])]).changes).toEqual([
      '660: rounds_late began',
    ]);
    const wasOver = steps([0, late], [65, facts()], [100, facts()]);
    expect(play([...wasOver, ...steps([600, facts()], [700, facts()])]).changes).toEqual([
      '60: rounds_late began',
      '660: rounds_late ended',
    ]);
  });

  test('one that ended is kept until the operator webhook was told so', () => {
    const told: StoredProblem = {
      kind: 'shards_unowned',
      subject: '',
      seenAt: NOW,
      openedAt: NOW,
      clearSince: NOW,
      value: 3,
      processes: [],
      notifiedOpenedAt: NOW,
    };
    const evaluate = (one: StoredProblem, at: number) => {
      const now = NOW + at * SECOND;
      const seen = facts({ seenAt: now });
      return evaluateInstallation([one], seen, { now, evaluatedAt: now - 5 * SECOND });
    };
    const { problems, ended } = evaluate(told, 60);
    expect(ended).toEqual([told]);
    const over = { ...told, seenAt: null, openedAt: null, clearSince: null, value: null };
    expect(problems).toEqual([over]);
    expect(evaluate(over, 90)).toEqual({ problems: [over], opened: [], ended: [] });
    expect(evaluate({ ...over, notifiedOpenedAt: null }, 95).problems).toEqual([]);
  });
});
