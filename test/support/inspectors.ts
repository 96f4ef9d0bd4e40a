import type { Inspectors } from '../../src/probe/agent/registry.ts';

const findNothing = async () =>
  ({ state: 'unknown', reason: 'Nothing is inspected here' }) as const;

/** Inspectors for agents in tests that only check. */
export const noInspectors: Inspectors = { ssl: findNothing, dns: findNothing, domain: findNothing };
