import type { CheckRequest } from '../../model/check.ts';
import type { Region } from '../../model/monitor.ts';
import type { FleetBus, ProbedResult } from './contract.ts';

/**
 * Bus of a process that probes for some regions itself and reaches others over the message bus. Its own probes run what
 * they can, so that it keeps checking while the message bus is away; the others run the rest.
 *
 * @param ownRegions regions that `own` serves.
 */
export function combineBuses(
  own: FleetBus,
  remote: FleetBus,
  ownRegions: readonly Region[],
): FleetBus {
  const served = new Set(ownRegions);
  const busFor = (region: Region) => (served.has(region) ? own : remote);

  async function checkAll(
    regions: readonly Region[],
    request: CheckRequest,
  ): Promise<ProbedResult[]> {
    const here = regions.filter((region) => served.has(region));
    const elsewhere = regions.filter((region) => !served.has(region));
    const [ownResults, remoteResults] = await Promise.all([
      here.length === 0 ? [] : own.checkAll(here, request),
      elsewhere.length === 0 ? [] : remote.checkAll(elsewhere, request),
    ]);
    const results = new Map<Region, ProbedResult>();
    for (const [index, region] of here.entries()) results.set(region, ownResults[index]!);
    for (const [index, region] of elsewhere.entries()) results.set(region, remoteResults[index]!);
    return regions.map((region) => results.get(region)!);
  }

  return {
    check: (region, request) => busFor(region).check(region, request),
    checkAll,
    inspect: (request, region) =>
      (region === undefined ? own : busFor(region)).inspect(request, region),
    inspectMachine: (region) => busFor(region).inspectMachine(region),
    lastSeen: (region) => busFor(region).lastSeen(region),
    vantageOf: (region) => busFor(region).vantageOf(region),
    // Further probes of a region that is probed here, too, serve other processes.
    probesOf: (region) =>
      served.has(region)
        ? [...own.probesOf(region), ...remote.probesOf(region)]
        : remote.probesOf(region),
    async close() {
      await Promise.all([own.close(), remote.close()]);
    },
  };
}
