import type { Region } from './monitor.ts';

export interface NamedRegion {
  code: Region;
  title: string;
}

/** A region that one team alone is checked from, by probes in that team's own network. */
export interface PrivateRegion extends NamedRegion {
  teamId: number;
}

/** The regions of the installation, and which of them a team may use. */
export type Regions = ReturnType<typeof createRegions>;

export function createRegions(
  shared: readonly NamedRegion[],
  ofTeams: readonly PrivateRegion[] = [],
) {
  const sharedCodes = new Set(shared.map(({ code }) => code));
  const owners = new Map(ofTeams.map(({ code, teamId }) => [code, teamId]));
  const open = shared.map(({ code, title }) => ({ code, title, isPrivate: false }));
  return {
    /** REGIONS: open to every team. */
    shared,
    /** PRIVATE_REGIONS: each open to one team. */
    ofTeams,
    /** All regions that a team may use: the shared ones, then its own. */
    of(teamId: number) {
      const own = ofTeams.filter((region) => region.teamId === teamId);
      return [...open, ...own.map(({ code, title }) => ({ code, title, isPrivate: true }))];
    },
    isShared: (region: Region) => sharedCodes.has(region),
    isPrivateOf: (teamId: number, region: Region) => owners.get(region) === teamId,
    /** Whether the region belongs to another team. False for a region that does not exist. */
    isForeign: (teamId: number, region: Region) => (owners.get(region) ?? teamId) !== teamId,
  };
}

/** Whether a check from these regions happens in private regions of the team alone. */
export function isInsideOnly(
  regions: Pick<Regions, 'isPrivateOf'>,
  teamId: number,
  codes: readonly Region[],
): boolean {
  return codes.length > 0 && codes.every((code) => regions.isPrivateOf(teamId, code));
}

/**
 * Builds something from the codes of the regions that a team may use, once for each team that has private regions and once
 * for all others.
 */
export function perTeam<T>(
  regions: Regions,
  build: (codes: readonly Region[]) => T,
): (teamId: number) => T {
  const common = build(regions.shared.map(({ code }) => code));
  const teams = new Set(regions.ofTeams.map(({ teamId }) => teamId));
  const own = new Map(
    [...teams].map((teamId) => [teamId, build(regions.of(teamId).map(({ code }) => code))]),
  );
  return (teamId) => own.get(teamId) ?? common;
}
