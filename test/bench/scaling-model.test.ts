import { expect, test } from 'vitest';
import {
  ASSUMED,
  checksPerSecond,
  estimate,
  limits,
  unitCosts,
} from '../../bench/scaling-model.ts';
import type { ScalingParts } from '../../bench/scaling-parts.ts';
import type { Measured } from '../../bench/scale-sample.ts';

const IDLE: Measured = {
  monitors: 0,
  seconds: 20,
  perSecond: {
    'cpu.api': 0.01,
    'cpu.scheduler': 0.02,
    'cpu.worker': 0.02,
    'cpu.probe': 0.005,
    'postgres.cpu.scheduler': 0.03,
    'postgres.wal_bytes': 24_000,
  },
  present: { 'memory.api': 90, 'memory.scheduler': 80, 'memory.worker': 80, 'memory.probe': 40 },
  statements: [],
};

/** 1,000 checks a second of 7,500 monitors. */
const LOAD: Measured = {
  ...IDLE,
  monitors: 7_500,
  perSecond: {
    'cpu.api': 0.01,
    'cpu.scheduler': 0.22,
    'cpu.worker': 0.02,
    'cpu.probe': 0.405,
    'cpu.nats': 0.05,
    'postgres.cpu.scheduler': 0.07,
    'postgres.cpu.checkpointer': 0.01,
    'postgres.wal_bytes': 154_000,
    'postgres.wal_syncs': 9,
    'postgres.result_bytes': 37_000,
    'nats.in_bytes': 500_000,
    'nats.out_bytes': 500_000,
    checks: 1_000,
  },
  present: { ...IDLE.present, 'memory.scheduler': 230, 'connections.scheduler': 5 },
};

const PARTS: ScalingParts = {
  command: '',
  processors: 2,
  layouts: [{ layout: 'roles', idle: IDLE, loads: [LOAD], rollupsPerSecond: 500 }],
};
const COSTS = unitCosts(PARTS);

test('costs are what exceeds those of idle processes', () => {
  expect(COSTS.cpuPerCheck.scheduler).toBeCloseTo(0.0002);
  expect(COSTS.cpuPerCheck.probe).toBeCloseTo(0.0004);
  expect(COSTS.cpuPerCheck.api).toBe(0);
  expect(COSTS.postgres.cpuPerCheck).toBeCloseTo(0.00005);
  expect(COSTS.postgres.idleCores).toBeCloseTo(0.01);
  expect(COSTS.postgres.logBytesPerCheck).toBeCloseTo(130);
  expect(COSTS.postgres.resultBytesPerCheck).toBeCloseTo(37);
  expect(COSTS.nats.bytesPerCheck).toBeCloseTo(1_000);
  expect(COSTS.schedulerMiBPerMonitor).toBeCloseTo(0.02);
});

test('a second layout of roles is used where the first was not measured', () => {
  const [roles] = PARTS.layouts;
  const ofRegions = { ...roles!, layout: 'regions' as const };
  expect(unitCosts({ ...PARTS, layouts: [ofRegions] }).idleCores.probe).toBeCloseTo(0.005 / 4);
  expect(() => unitCosts({ ...PARTS, layouts: [] })).toThrow('No layout of single roles');
});

test('checks come of the interval, of confirmations and of inspections', () => {
  const { regions, confirming, confirmationSeconds } = ASSUMED;
  const rounds = (1 - confirming) / 60 + confirming / confirmationSeconds;
  expect(checksPerSecond({ monitors: 3_600, intervalSeconds: 60 })).toBeCloseTo(
    3_600 * rounds * regions + 2,
  );
});

test('an estimate has processes enough for its checks, and two of each role', () => {
  const small = estimate(COSTS, { monitors: 100, intervalSeconds: 60 });
  expect(small.processes).toEqual({ api: 2, scheduler: 2, worker: 2, probe: 4 });
  expect(small.cores.postgres).toBeCloseTo(small.checksPerSecond * 0.00005 + 6 * 0.01);
  const large = estimate(COSTS, { monitors: 1_000_000, intervalSeconds: 60 });
  expect(large.processes.scheduler).toBe(
    Math.ceil((large.checksPerSecond * 0.0002) / ASSUMED.load),
  );
  expect(large.processes.probe % 4).toBe(0);
  expect(large.rollupShare).toBeCloseTo(1_000_000 / 500 / 3_600);
  expect(large.postgres.logBytesPerSecond).toBeGreaterThan(large.checksPerSecond * 130);
});

test('the first limit is the resource that is used up first', () => {
  const found = limits(COSTS, 60);
  expect(found.map(({ monitors }) => monitors)).toEqual(
    found.map(({ monitors }) => monitors).toSorted((a, b) => a - b),
  );
  const rollups = found.find(({ resource }) => resource.startsWith('roll-ups'))!;
  expect(rollups.monitors).toBeCloseTo(1_800_000, -5);
  const slower = unitCosts({
    ...PARTS,
    layouts: [{ ...PARTS.layouts[0]!, rollupsPerSecond: 10 }],
  });
  expect(limits(slower, 60)[0]).toEqual({
    resource: 'roll-ups, one after another',
    monitors: 36_000,
  });
});
