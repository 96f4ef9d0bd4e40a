import type { Bus } from '../../src/engine/bus/contract.ts';
import type { FakeClock } from '../support/fake-clock.ts';
import type { ProcessInstance } from './process-instance.ts';
import type { Operator } from './operator.ts';
import type { Scenario } from './scenario.ts';
import type { SeenCheck } from './probes.ts';
import type { FaultInjector } from './fault-injector.ts';

/** What holds of each check at the moment at which it is asked for. */
export interface CheckRules {
  /** What is paused or deleted is not checked, once the process had the time to read it. */
  checked(check: SeenCheck): void;
  /** One round in flight per monitor: a region that is looking is not asked again. */
  oneAtATime(bus: Bus, instance: ProcessInstance): Bus['check'];
}

export interface CheckRulesOptions {
  scenario: Scenario;
  clock: FakeClock;
  /** Asked for late: checks come only once there are monitors. */
  operator(): Operator;
  faultInjector: FaultInjector;
  /** Whether the process is about to end by itself, or is no more. */
  isDown(): boolean;
  violate(rule: string): void;
}

/** An edit that nobody told of is read within half a second. */
const READ_EDITS_MS = 1_500;

export function createCheckRules(options: CheckRulesOptions): CheckRules {
  const { scenario, clock, faultInjector, violate } = options;
  const inFlight = new Map<string, number>();

  const wasDisturbed = (from: number, to: number) =>
    faultInjector.isDatabaseDisturbed() || options.isDown() || faultInjector.wasDisturbed(from, to);

  return {
    checked({ monitorId, host }) {
      const at = clock.monotonic();
      const era = options.operator().monitors.get(monitorId)?.eras.at(-1);
      if (!era || at - era.from < READ_EDITS_MS || wasDisturbed(era.from, at)) return;
      if (era.isPaused || era.isDeleted)
        violate(`monitor ${monitorId} is checked though it is paused or deleted`);
      const now = scenario.targets[era.settings.target]!.host;
      if (host !== now)
        violate(`monitor ${monitorId}: ${host} is checked though it is ${now} since long`);
    },
    oneAtATime: (bus, instance) => async (region, request) => {
      const key = `${instance.name} ${request.monitorId} ${region}`;
      const count = (inFlight.get(key) ?? 0) + 1;
      if (count > 1)
        violate(`monitor ${request.monitorId}: ${region} is asked while it still looks`);
      inFlight.set(key, count);
      const result = await bus.check(region, request);
      inFlight.set(key, count - 1);
      return result;
    },
  };
}
