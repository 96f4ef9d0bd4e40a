import { unknownResult, type CheckRequest } from '../../model/check.ts';
import type { Region } from '../../model/monitor.ts';
import type { Regions } from '../../model/regions.ts';
import { noProbe, type Bus, type ProbedResult, type FleetBus } from './contract.ts';

export type TeamBus = Pick<Bus, 'check' | 'lastSeen' | 'vantageOf'> &
  Pick<Partial<Bus>, 'checkAll'>;

/**
 * Bus of one team: private regions of other teams are to it as if they did not exist. What monitors name may be older than
 * the settings, so this is asked at each check, not only when a monitor is saved.
 */
export function busOfTeam<Whole extends TeamBus>(
  bus: Whole,
  regions: Pick<Regions, 'ofTeams' | 'isForeign'>,
  teamId: number,
): TeamBus {
  const foreign = (region: Region) => regions.isForeign(teamId, region);
  if (regions.ofTeams.length === 0) return bus;
  const { checkAll } = bus;
  return {
    check: (region, request) =>
      foreign(region) ? Promise.resolve(noProbe(region)) : bus.check(region, request),
    ...(checkAll !== undefined && {
      async checkAll(wanted, request) {
        const open = wanted.filter((region) => !foreign(region));
        const results = (await checkAll.call(bus, open, request)).values();
        return wanted.map((region) => (foreign(region) ? noProbe(region) : results.next().value!));
      },
    }),
    lastSeen: (region) => (foreign(region) ? null : bus.lastSeen(region)),
    vantageOf: (region) => (foreign(region) ? null : bus.vantageOf(region)),
  };
}

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

  async function checkAll(regions: readonly Region[], request: CheckRequest) {
    const here = regions.filter((region) => served.has(region));
    const remoteRegions = regions.filter((region) => !served.has(region));
    const [ownResults, remoteResults] = await Promise.all([
      here.length === 0 ? [] : own.checkAll(here, request),
      remoteRegions.length === 0 ? [] : remote.checkAll(remoteRegions, request),
    ]);
    const results = new Map<Region, ProbedResult>();
    for (const [index, region] of here.entries()) results.set(region, ownResults[index]!);
    for (const [index, region] of remoteRegions.entries())
      results.set(region, remoteResults[index]!);
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
