import type { Bus } from '../../src/engine/bus/contract.ts';
import type { FakeClock } from '../support/fake-clock.ts';
import type { ProcessInstance } from './process-instance.ts';
import type { Operator } from './operator.ts';
import type { Scenario } from './scenario.ts';
import type { SeenCheck } from './probes.ts';
import type { FaultInjector } from './fault-injector.ts';

/** Rules that each check must satisfy at the moment at which it is requested. */
export interface CheckRules {
  /** Paused and deleted monitors are not checked, once the process had time to read the change. */
  checked(check: SeenCheck): void;
  /** One round in flight per monitor: a region is not asked again before it has answered. */
  oneAtATime(bus: Bus, instance: ProcessInstance): Bus['check'];
}

export interface CheckRulesOptions {
  scenario: Scenario;
  clock: FakeClock;
  /** Called lazily: checks come only once there are monitors. */
  operator(): Operator;
  faultInjector: FaultInjector;
  /** Whether the process is stopping or down. */
  isDown(): boolean;
  violate(rule: string): void;
}

/** The process polls for edits every half second. */
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
        violate(`monitor ${monitorId}: ${host}is checked though its host is ${now}`);
    },
    oneAtATime: (bus, instance) => async (region, request) => {
      const key = `${instance.name} ${request.monitorId} ${region}`;
      const count = (inFlight.get(key) ?? 0) + 1;
      if (count > 1)
        violate(`monitor ${request.monitorId}: ${region}is asked before it has answered`);
      inFlight.set(key, count);
      const result = await bus.check(region, request);
      inFlight.set(key, count - 1);
      return result;
    },
  };
}
