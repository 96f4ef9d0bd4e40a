import type { FleetBus } from '../../engine/bus/contract.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Region } from '../../model/monitor.ts';
import type { Regions } from '../../model/regions.ts';
import { viewProbes } from './probes.ts';
import { PROBE_ALIVE_MS } from '../checks/monitor-check.ts';
import { type Call } from '../common/operation.ts';

export interface RegionServiceDeps {
  bus: Pick<FleetBus, 'lastSeen' | 'vantageOf' | 'probesOf'>;
  clock: Pick<Clock, 'now'>;
  regions: Regions;
}

/** Lists the regions that the team may use, and the machines that probe for them (contract 14.20). */
export function createListRegions({ bus, clock, regions }: RegionServiceDeps) {
  const isLive = (code: Region) =>
    (bus.lastSeen(code) ?? -Infinity) >= clock.now() - PROBE_ALIVE_MS;
  return ({ caller }: Call) => {
    return {
      data: regions.of(caller.team.id).map(({ code, title, isPrivate }) => ({
        code,
        title,
        ...(isPrivate && { is_private: true }),
        vantage: bus.vantageOf(code),
        is_live: isLive(code),
        probes: viewProbes(bus.probesOf(code)),
      })),
    };
  };
}
