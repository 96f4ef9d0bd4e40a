import type { Inspectors } from '../../src/probe/agent/registry.ts';

const findNothing = async () =>
  ({ state: 'unknown', reason: 'Nothing is inspected here' }) as const;

/** For an agent whose checks are what a test is about. */
export const noInspectors: Inspectors = { ssl: findNothing, dns: findNothing, domain: findNothing };
