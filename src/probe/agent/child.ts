/** Entry point of a probe process, forked by engine/bus/local.ts with its settings as the only argument. */
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { serveParent, type ChildSettings } from './child-server.ts';
import { createContentEvaluator } from '../content/evaluator.ts';
import { endStartOfThread } from '../../lib/start-memory.ts';
import { createIcmpClient } from '../icmp/icmp-client.ts';
import { createInspectors, createRegistry } from './registry.ts';

export type {
  ChildSettings,
  FromChild,
  ProbeAnswer,
  ProbeRequest,
  ToChild,
} from './child-server.ts';

const settings = JSON.parse(process.argv[2]!) as ChildSettings;

endStartOfThread();
raisePriority();
serveParent({
  settings,
  limits: readLimits(),
  createRegistry: (deps) =>
    createRegistry({ icmp: createIcmpClient(deps), evaluator: createContentEvaluator(deps) }),
  createInspectors: (deps) =>
    createInspectors({ ...deps, rdapBootstrapFile: settings.rdapBootstrapFile }),
});

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
function raisePriority(): void {
  try {
    os.setPriority(os.constants.priority.PRIORITY_ABOVE_NORMAL);
  } catch {
    // Run at normal priority.
  }
}
