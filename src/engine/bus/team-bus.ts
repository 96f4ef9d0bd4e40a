import { unknownResult } from '../../model/check.ts';
import type { Region } from '../../model/monitor.ts';
import type { Regions } from '../../model/regions.ts';
import type { Bus, ProbedResult } from './contract.ts';

/** The part of a bus that checks for a team. */
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

/** As of a region that no probe serves. */
function noProbe(region: Region): ProbedResult {
  return unknownResult('no_probe', `No probe is running in region ${region}`);
}
