/** The entry of a probe process: forked by bus/local.ts, with its settings as the one argument. */
import { readFileSync } from 'node:fs';
import { serveParent, type ChildSettings } from './child-server.ts';
import { createIcmp } from './icmp.ts';
import { createRegistry } from './registry.ts';

export type { ChildSettings, FromChild, ToChild } from './child-server.ts';

serveParent({
  settings: JSON.parse(process.argv[2]!) as ChildSettings,
  limits: readLimits(),
  createRegistry: (deps) => createRegistry({ icmp: createIcmp(deps) }),
});

function readLimits(): string | null {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return null;
  }
}
