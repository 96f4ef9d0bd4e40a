import type { RuleCoverage } from '../coverage.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import { shardOf } from '../../../src/model/monitor.ts';
import type { Disturbance } from '../stable-periods.ts';
import type { ProcessInstance } from '../process-instance.ts';
import type { Process } from '../process.ts';
import { compiler } from '../world-database.ts';
import type { WorldDatabase } from '../world-database.ts';

export interface PairRules {
  /** A process only checks monitors whose lease it holds. */
  checks(instance: ProcessInstance, monitorId: number): void;
  /** Every shard has an owner, and no process owns more than its share. */
  look(): void;
}

export interface PairRulesOptions {
  clock: FakeClock;
  peek: WorldDatabase['peek'];
  disturbances: readonly Disturbance[];
  isDatabaseDisturbed(): boolean;
  running(): Process[];
  coverage: RuleCoverage;
  violate(rule: string): void;
}

const SHARD = compiler
  .selectFrom('shard')
  .select(['shard', 'owner', 'lease_until'])
  .where('shard', '=', 0)
  .compile();
const SHARDS = compiler.selectFrom('shard').select(['shard', 'owner', 'lease_until']).compile();
/** Time without a fault after which all shards are distributed: a starting process needs two renewals. */
const SETTLED_MS = 12_000;

export function createPairRules(options: PairRulesOptions): PairRules {
  const { clock, peek, disturbances, coverage, violate } = options;
  /** The process that last checked each monitor. */
  const last = new Map<number, string>();

  return {
    checks({ name }, monitorId) {
      const [row] = peek(SHARD, [shardOf(monitorId)]);
      coverage.owned += 1;
      if (row!.owner !== name || row!.lease_until <= clock.now())
        violate(`monitor ${monitorId}: ${name}checks it, but its lease belongs to ${row!.owner}`);
      if (last.get(monitorId) !== name) coverage.handedOver += last.has(monitorId) ? 1 : 0;
      last.set(monitorId, name);
    },
    look() {
      const now = clock.monotonic();
      const isDisturbed = disturbances.some(({ to }) => to > now - SETTLED_MS);
      if (isDisturbed || options.isDatabaseDisturbed()) return;
      const running = options.running().map(({ instance }) => instance.name);
      if (running.length === 0) return;
      coverage.shared += running.length - 1;
      const rows = peek(SHARDS);
      const lost = rows.filter(
        ({ owner, lease_until: until }) => !running.includes(owner ?? '') || until <= clock.now(),
      );
      if (lost.length > 0) violate(`${lost.length} shards belong to no running process`);
      const share = Math.ceil(rows.length / running.length);
      for (const name of running) {
        const own = rows.filter(({ owner }) => owner === name).length;
        if (own > share) violate(`${name} owns ${own} shards, but its share is ${share}`);
      }
    },
  };
}
