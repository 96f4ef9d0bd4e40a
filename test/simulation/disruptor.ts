import type { FakeClock } from '../support/fake-clock.ts';
import type { AlertCoverage } from './alerts/coverage.ts';
import type { DeliveryDisruption } from './alerts/scenario.ts';
import type { Supervisor } from './supervisor.ts';
import type { Disruption, Scenario } from './scenario.ts';
import type { Jobs } from './push/jobs.ts';
import type { FaultInjector } from './fault-injector.ts';

/** What the plan has in store for the process and its machine, at the moment at which it happens. */
export interface Disruptor {
  /** At an instant of the plan. */
  disrupt(disruption: Disruption): void;
  /** Somebody is just being told of something. */
  disruptDelivery(disruptDelivery: DeliveryDisruption): void;
}

export interface DisruptorOptions {
  scenario: Scenario;
  clock: FakeClock;
  faultInjector: FaultInjector;
  supervisor: Supervisor;
  jobs: Jobs;
  coverage: Pick<AlertCoverage, 'deliveryDisruptions'>;
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
    disruptDelivery(disruptDelivery) {
      const left = scenario.wildMs - clock.monotonic();
      if (left <= 0 || supervisor.isDown()) return;
      coverage.deliveryDisruptions += 1;
      if (disruptDelivery.kind === 'freeze') faultInjector.begin(disruptDelivery, left);
      else
        supervisor.killAfter(disruptDelivery.crashPoints, Math.min(disruptDelivery.downMs, left));
    },
  };
}
