/** The entry of a probe process: forked by engine/bus/local.ts, with its settings as the one argument. */
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { serveParent, type ChildSettings } from './child-server.ts';
import { createContentEvaluator } from '../content/evaluator.ts';
import { createIcmpClient } from '../icmp/icmp-client.ts';
import { createInspectors } from './inspectors.ts';
import { createRegistry } from './registry.ts';

export type {
  ChildSettings,
  FromChild,
  ProbeAnswer,
  ProbeRequest,
  ToChild,
} from './child-server.ts';

const settings = JSON.parse(process.argv[2]!) as ChildSettings;

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
 * A probe measures milliseconds beside an API that may take all the processors: where the system allows it, the probe
 * goes first. Most systems allow it to privileged users only.
 */
function raisePriority(): void {
  try {
    os.setPriority(os.constants.priority.PRIORITY_ABOVE_NORMAL);
  } catch {
    // Then it takes its turn like everybody.
  }
}
