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
    'postgres.statements.api': 10,
    'postgres.statements.scheduler': 9,
    'postgres.statements.worker': 20,
    'postgres.bytes_received': 10_000,
    'postgres.bytes_sent': 35_000,
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
    'postgres.statements.api': 10,
    'postgres.statements.scheduler': 59,
    'postgres.statements.worker': 20,
    'postgres.bytes_received': 70_000,
    'postgres.bytes_sent': 75_000,
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
  expect(COSTS.cpuPerCheck.scheduler).toBeCloseTo(0.0002, 6);
  expect(COSTS.probe.cpuPerCheck).toBeCloseTo(0.0004, 6);
  expect(COSTS.cpuPerCheck.api).toBe(0);
  expect(COSTS.postgres.cpuPerCheck).toBeCloseTo(0.00005, 7);
  expect(COSTS.postgres.idleCores).toBeCloseTo(0.01);
  expect(COSTS.postgres.logBytesPerCheck).toBeCloseTo(130);
  expect(COSTS.postgres.resultBytesPerCheck).toBeCloseTo(37);
  expect(COSTS.nats.bytesPerCheck).toBeCloseTo(1_000);
  expect(COSTS.schedulerMiBPerMonitor).toBeCloseTo(0.02);
});

test('a second layout of roles is used where the first was not measured', () => {
  const [roles] = PARTS.layouts;
  const ofRegions = { ...roles!, layout: 'regions' as const };
  expect(unitCosts({ ...PARTS, layouts: [ofRegions] }).probe.idleCores).toBeCloseTo(0.005 / 4);
  expect(() => unitCosts({ ...PARTS, layouts: [] })).toThrow('No layout of single roles');
});

test('checks come of the interval, of confirmations and of inspections', () => {
  const { regions, confirming, confirmationSeconds } = ASSUMED;
  const rounds = (1 - confirming) / 60 + confirming / confirmationSeconds;
  expect(checksPerSecond({ monitors: 3_600, intervalSeconds: 60 })).toBeCloseTo(
    3_600 * rounds * regions + 2,
  );
});

test('an estimate has processes enough for its checks, and one of each role to spare', () => {
  const small = estimate(COSTS, { monitors: 100, intervalSeconds: 60 });
  expect(small.processes).toEqual({ api: 2, scheduler: 2, worker: 2, probe: 4 });
  expect(small.cores.postgres).toBeCloseTo(small.checksPerSecond * 0.00005 + 6 * 0.01);
  const large = estimate(COSTS, { monitors: 1_000_000, intervalSeconds: 60 });
  expect(large.processes.scheduler).toBe(
    Math.ceil((large.checksPerSecond * 0.0002) / ASSUMED.load) + 1,
  );
  expect(large.schedulerMiB).toBeCloseTo(80 + (1_000_000 / (large.processes.scheduler - 1)) * 0.02);
  expect(large.processes.probe % 4).toBe(0);
  expect(large.rollupShare).toBeCloseTo(1_000_000 / 500 / 3_600);
  expect(large.postgres.logBytesPerSecond).toBeGreaterThan(large.checksPerSecond * 130);
});

test('statements and network are those of checks and of processes without any', () => {
  const { processes, postgres, ...found } = estimate(COSTS, {
    monitors: 100_000,
    intervalSeconds: 60,
  });
  expect(postgres.statementsPerSecond).toBeCloseTo(
    found.checksPerSecond * 0.05 +
      processes.api * 10 +
      processes.scheduler * 9 +
      processes.worker * 20,
  );
  expect(postgres.networkBytesPerSecond).toBeCloseTo(
    found.checksPerSecond * 100 + (processes.api + processes.scheduler + processes.worker) * 15_000,
  );
});

test('what a second scheduler adds to the network is what a scheduler causes', () => {
  const second = {
    ...PARTS.layouts[0]!,
    layout: 'schedulers-2' as const,
    idle: { ...IDLE, perSecond: { ...IDLE.perSecond, 'postgres.bytes_sent': 67_000 } },
  };
  const costs = unitCosts({ ...PARTS, layouts: [...PARTS.layouts, second] });
  expect(costs.postgres.idleNetwork).toEqual({ api: 6_500, scheduler: 32_000, worker: 6_500 });
});

test('commits are no limit where Postgres does not count them', () => {
  const { 'postgres.wal_syncs': _, ...perSecond } = LOAD.perSecond;
  const costs = unitCosts({
    ...PARTS,
    layouts: [{ ...PARTS.layouts[0]!, loads: [{ ...LOAD, perSecond }] }],
  });
  expect(limits(costs, 60).map(({ resource }) => resource)).not.toContain('commits of Postgres');
  expect(limits(COSTS, 60).map(({ resource }) => resource)).toContain('commits of Postgres');
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
