import type { FakeClock } from '../support/fake-clock.ts';
import type { RuleCoverage } from './coverage.ts';
import type { DeliveryDisruption } from './alerts/scenario.ts';
import type { Supervisor } from './supervisor.ts';
import type { Disruption, Scenario } from './scenario.ts';
import type { Jobs } from './push/jobs.ts';
import type { FaultInjector } from './fault-injector.ts';

/** Applies the disruptions of a scenario when their time has come. */
export interface Disruptor {
  /** Applies a disruption now. */
  disrupt(disruption: Disruption): void;
  /** Applies a disruption while a delivery is in flight. */
  disruptDelivery(disruption: DeliveryDisruption): void;
}

export interface DisruptorOptions {
  scenario: Scenario;
  clock: FakeClock;
  faultInjector: FaultInjector;
  supervisor: Supervisor;
  jobs: Jobs;
  coverage: RuleCoverage;
}

export function createDisruptor(options: DisruptorOptions): Disruptor {
  const { scenario, clock, faultInjector, supervisor, jobs, coverage } = options;
  return {
    disrupt(disruption) {
      const left = Math.max(100, scenario.wildMs - clock.monotonic());
      if (!('downMs' in disruption)) {
        faultInjector.begin(disruption, left);
        if (disruption.kind === 'step') jobs.stepped();
        return;
      }
      const downMs = Math.min(disruption.downMs, left);
      if (disruption.kind === 'kill') supervisor.killAfter(disruption.crashPoints, downMs);
      else void supervisor.stop(downMs);
    },
    disruptDelivery(disruption) {
      const left = scenario.wildMs - clock.monotonic();
      if (left <= 0 || supervisor.isDown()) return;
      coverage.deliveryDisruptions += 1;
      if (disruption.kind === 'freeze') faultInjector.begin(disruption, left);
      else supervisor.killAfter(disruption.crashPoints, Math.min(disruption.downMs, left));
    },
  };
}
