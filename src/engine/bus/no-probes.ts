import { unknownResult } from '../../model/check.ts';
import type { FleetBus } from './contract.ts';

/** Bus of a process that asks no probes. */
export function noProbes(): FleetBus {
  return {
    check: async () => unchecked(),
    checkAll: async (regions) => regions.map(unchecked),
    inspect: async () => ({ state: 'unknown', reason: 'This process reaches no probes' }),
    inspectMachine: async () => null,
    lastSeen: () => null,
    vantageOf: () => null,
    probesOf: () => [],
    close: async () => {},
  };
}

function unchecked() {
  return unknownResult('no_probe', 'This process reaches no probes');
}
