import { networkInterfaces } from 'node:os';
import type { Clock } from '../lib/clock.ts';
import type { Family } from './host.ts';

/** Whether a non-internal interface has an address of the family. */
export type LocalNetwork = (family: Family) => boolean;

const LOOK_AGAIN_AFTER_MS = 1_000;

/** Looks at this machine's interfaces, at most once a second. Link-local addresses don't reach anywhere and don't count. */
export function createLocalNetwork(clock: Clock, interfaces = networkInterfaces): LocalNetwork {
  let families = new Set<Family>();
  let lookedAt = Number.NEGATIVE_INFINITY;
  return (family) => {
    const now = clock.monotonic();
    if (now - lookedAt >= LOOK_AGAIN_AFTER_MS) {
      lookedAt = now;
      families = familiesOf(interfaces());
    }
    return families.has(family);
  };
}

function familiesOf(interfaces: ReturnType<typeof networkInterfaces>): Set<Family> {
  const families = new Set<Family>();
  for (const address of Object.values(interfaces).flatMap((list) => list ?? [])) {
    if (address.internal || /^(fe[89ab]|169\.254\.)/i.test(address.address)) continue;
    families.add(address.family === 'IPv4' ? 4 : 6);
  }
  return families;
}
