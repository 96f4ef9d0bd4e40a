import { quote } from '../lib/setting-types.ts';
import { needsDatabase } from './roles.ts';
import type { Settings } from './table.ts';
import type { RegionKeyVersion } from './types.ts';

type RegionSettings = Partial<
  Pick<
    Settings,
    'roles' | 'natsUrls' | 'regions' | 'privateRegions' | 'probeRegions' | 'regionKeyVersions'
  >
>;

/**
 * Errors of settings that name regions. Invalid settings are missing. A process that is a probe only knows the regions of
 * its keys, and nothing of the others.
 */
export function regionConflicts(settings: RegionSettings): string[] {
  const { regions, privateRegions, probeRegions, regionKeyVersions, natsUrls } = settings;
  if (!needsDatabase(settings) || regions === undefined || privateRegions === undefined) return [];
  const shared = regions.map(({ code }) => code);
  const ofTeams = (privateRegions ?? []).map(({ code }) => code);
  const errors: string[] = [];
  const both = ofTeams.filter((code) => shared.includes(code));
  if (both.length > 0) {
    errors.push(
      `PRIVATE_REGIONS has ${both.map(quote).join(', ')}, which REGIONS has too: a region is either of one team or of all.`,
    );
  }
  if (ofTeams.length > 0 && natsUrls === null) {
    errors.push(
      'NATS_URL must be set when PRIVATE_REGIONS is: only probes that connect over NATS serve these regions.',
    );
  }
  const probed = probeRegions ?? [];
  const own = probed.filter((code) => ofTeams.includes(code) && !shared.includes(code));
  if (own.length > 0) {
    errors.push(
      `PROBE_REGIONS has ${own.map(quote).join(', ')} of PRIVATE_REGIONS: a server never checks for a private region, start a process with ROLES=probe where its targets are.`,
    );
  }
  const unknown = probed.filter((code) => !shared.includes(code) && !ofTeams.includes(code));
  if (unknown.length > 0) {
    errors.push(
      `PROBE_REGIONS has ${unknown.map(quote).join(', ')}, but REGIONS has only ${shared.join(', ')}.`,
    );
  }
  const all = [...shared, ...ofTeams];
  const unversioned = (regionKeyVersions ?? []).filter(({ region }) => !all.includes(region));
  if (unversioned.length > 0) {
    const names = unversioned.map(({ region }) => quote(region)).join(', ');
    errors.push(`REGION_KEY_VERSIONS has ${names}, but there are only ${all.join(', ')}.`);
  }
  return errors;
}

/** Version of a region's key by REGION_KEY_VERSIONS; undefined for the first one. */
export function keyVersionOf(
  region: string,
  versions: readonly RegionKeyVersion[],
): number | undefined {
  return versions.find((one) => one.region === region)?.version;
}
