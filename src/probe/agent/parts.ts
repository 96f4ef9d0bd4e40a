import { readFileSync } from 'node:fs';
import os from 'node:os';
import { createContentEvaluator } from '../content/evaluator.ts';
import { createIcmpClient } from '../icmp/icmp-client.ts';
import { createInspectors, createRegistry } from './registry.ts';
import type { ProbeRunnerDeps, ProbeSettings } from './runner.ts';

/** What a probe is made of on a real machine. */
export function probeParts(
  settings: ProbeSettings,
): Pick<ProbeRunnerDeps, 'limits' | 'createRegistry' | 'createInspectors'> {
  return {
    limits: readLimits(),
    createRegistry: (deps) =>
      createRegistry({ icmp: createIcmpClient(deps), evaluator: createContentEvaluator(deps) }),
    createInspectors: (deps) =>
      createInspectors({ ...deps, rdapBootstrapFile: settings.rdapBootstrapFile }),
  };
}

function readLimits(): string | null {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return null;
  }
}

/**
 * Raises the process priority where permitted, usually for privileged users only: a probe measures milliseconds beside
 * an API that may use all processors.
 */
export function raisePriority(): void {
  try {
    os.setPriority(os.constants.priority.PRIORITY_ABOVE_NORMAL);
  } catch {
    // Run at normal priority.
  }
}
