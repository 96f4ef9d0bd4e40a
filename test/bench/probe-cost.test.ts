import { expect, test } from 'vitest';
import { fitProbeCost, probeCores, probePoints, probeRate } from '../../bench/probe-cost.ts';
import type { LayoutName } from '../../bench/scale-layouts.ts';
import type { MeasuredLayout } from '../../bench/scaling-parts.ts';
import type { Measured } from '../../bench/scale-sample.ts';

const measured = (monitors: number, checks: number, cores: number): Measured => ({
  monitors,
  seconds: 30,
  perSecond: { checks, 'cpu.probe': cores * 0.75, 'children.probe': cores * 0.25 },
  present: {},
  statements: [],
});
const layoutOf = (layout: LayoutName, ...loads: Measured[]): MeasuredLayout => ({
  layout,
  idle: measured(0, 0, 0.005),
  loads,
  rollupsPerSecond: null,
});
const SMALL = measured(5_000, 600, 0.28);
const LARGE = measured(10_000, 1_200, 0.4);
/** 0.16 cores, and 0.2 ms a check: four probes with 150 checks a second each, one with 600, and one with 1,200. */
const PARTS = {
  command: '',
  processors: 2,
  layouts: [
    layoutOf('whole', measured(5_000, 600, 0)),
    layoutOf('roles', SMALL, LARGE),
    layoutOf('regions', measured(5_000, 600, 0.76)),
  ],
};

test('points are those of one probe process, of all layouts that have some', () => {
  const points = probePoints(PARTS);
  expect(points.map(({ layout, checksPerSecond }) => [layout, checksPerSecond])).toEqual([
    ['regions', 150],
    ['roles', 600],
    ['roles', 1_200],
  ]);
  expect(points[0]!.cores).toBeCloseTo(0.19);
  expect(probePoints(PARTS, [LARGE])).toEqual(points.slice(0, 2));
});

test('a probe has a fixed cost and one for each check', () => {
  const cost = fitProbeCost(probePoints(PARTS), 0.005);
  expect(cost.fixedCores).toBeCloseTo(0.16);
  expect(cost.cpuPerCheck).toBeCloseTo(0.0002, 8);
  expect(probeCores(cost, 2_000)).toBeCloseTo(0.56);
  expect(probeRate(cost, 0.56)).toBeCloseTo(2_000);
});

test('below the lowest rate, a check costs as much as there, and without checks nothing is added', () => {
  const cost = fitProbeCost(probePoints(PARTS), 0.005);
  expect(probeCores(cost, 0)).toBe(0.005);
  expect(probeCores(cost, 75)).toBeCloseTo(0.005 + 0.185 / 2);
  expect(probeCores(cost, 150)).toBeCloseTo(0.19);
  expect(probeRate(cost, 0.005 + 0.185 / 2)).toBeCloseTo(75);
});

test('one rate is no line: what exceeds the idle cores is divided by the checks', () => {
  const twice = [layoutOf('roles', SMALL), layoutOf('schedulers-2', measured(5_000, 606, 0.282))];
  const cost = fitProbeCost(probePoints({ ...PARTS, layouts: twice }), 0.005);
  expect(cost.fixedCores).toBe(0.005);
  expect(cost.cpuPerCheck).toBeCloseTo(0.276 / 603, 8);
  expect(probeCores(cost, 1_206)).toBeCloseTo(0.005 + 2 * 0.276);
});
