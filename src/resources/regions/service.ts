import type { FleetBus } from '../../engine/bus/contract.ts';
import type { Caller } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Region } from '../../model/monitor.ts';
import { authorize } from '../common/errors.ts';
import { viewProbes } from './probes.ts';
import { PROBE_ALIVE_MS } from '../checks/monitor-check.ts';

/** A region of the installation and its title for people. */
export interface NamedRegion {
  code: Region;
  title: string;
}

export interface RegionServiceDeps {
  bus: Pick<FleetBus, 'lastSeen' | 'vantageOf' | 'probesOf'>;
  clock: Pick<Clock, 'now'>;
  /** REGIONS, in their order. */
  regions: readonly NamedRegion[];
}

/** Lists the installation's regions and the machines that probe for them (contract 14.20). */
type ListRegions = (caller: Caller) => object;

export function createListRegions({ bus, clock, regions }: RegionServiceDeps): ListRegions {
  const isLive = (code: Region) =>
    (bus.lastSeen(code) ?? -Infinity) >= clock.now() - PROBE_ALIVE_MS;
  return (caller) => {
    authorize(caller, 'read');
    return {
      data: regions.map(({ code, title }) => ({
        code,
        title,
        vantage: bus.vantageOf(code),
        is_live: isLive(code),
        probes: viewProbes(bus.probesOf(code)),
      })),
    };
  };
}
