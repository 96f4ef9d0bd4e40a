import { problemOfDockerHost } from '../lib/docker-host.ts';
import type { Settings } from './table.ts';
import type { Role, RegionKeyVersion } from './types.ts';
import { quote } from '../lib/setting-types.ts';

type Given = Partial<Settings>;

/** Roles that read and write the database: all but `probe`. */
const DATABASE_ROLES: readonly Role[] = ['api', 'scheduler', 'worker'];

/** Whether a process with these settings uses the database. True when the roles are invalid. */
export function needsDatabase({ roles }: { roles?: readonly Role[] }): boolean {
  return roles === undefined || roles.some((role) => role !== 'probe');
}

/** Errors of settings that exclude or need each other. Invalid settings are missing. */
export function conflictsOf(settings: Given): string[] {
  const errors = [
    ...incompleteProviders(settings),
    ...roleConflicts(settings),
    ...regionConflicts(settings),
    ...discoveryConflicts(settings),
  ];
  if (settings.databaseUrl && settings.secretKeys === null && needsDatabase(settings)) {
    errors.push(
      'SECRET_KEY must be set when DATABASE_URL is: all processes on one database need the same key.',
    );
  }
  const { rawRetentionDays: raw, rollupRetentionDays: rollup } = settings;
  if (raw !== undefined && rollup !== undefined && rollup < raw) {
    errors.push(
      `ROLLUP_RETENTION_DAYS is ${rollup}, but must not be below RAW_RETENTION_DAYS, which is ${raw}.`,
    );
  }
  return errors;
}

function incompleteProviders(settings: Given): string[] {
  const providers = [
    {
      OIDC_ISSUER: settings.oidcIssuer,
      OIDC_CLIENT_ID: settings.oidcClientId,
      OIDC_CLIENT_SECRET: settings.oidcClientSecret,
    },
    {
      GITHUB_CLIENT_ID: settings.githubClientId,
      GITHUB_CLIENT_SECRET: settings.githubClientSecret,
    },
    {
      GOOGLE_CLIENT_ID: settings.googleClientId,
      GOOGLE_CLIENT_SECRET: settings.googleClientSecret,
    },
  ];
  return providers.flatMap((provider) => {
    const names = Object.keys(provider);
    const missing = Object.entries(provider).filter(([, value]) => value === null);
    if (missing.length === 0 || missing.length === names.length) return [];
    const missingNames = missing.map(([name]) => name).join(' and ');
    return [`${missingNames} must be set too: ${names.join(', ')} belong together.`];
  });
}

function roleConflicts(settings: Given): string[] {
  const { roles } = settings;
  if (roles === undefined) return tlsConflicts(settings);
  const ofProbe = roles.includes('probe') ? probeConflicts(settings) : [];
  return [...ofProbe, ...serverConflicts(settings, roles), ...tlsConflicts(settings)];
}

function probeConflicts(settings: Given): string[] {
  const { natsUrls, probeKeys, probeRegions } = settings;
  if (needsDatabase(settings)) {
    return probeKeys
      ? [
          'PROBE_KEY is for processes that are a probe only: this one derives the keys from SECRET_KEY.',
        ]
      : [];
  }
  const errors: string[] = [];
  if (natsUrls === null) {
    errors.push('NATS_URL must be set when ROLES is probe: it gets its checks over NATS.');
  }
  if (probeKeys === null) {
    errors.push(
      'PROBE_KEY must be set when ROLES is probe: print it with `npm run tocsin -- probe key REGION` beside the servers.',
    );
  }
  const known = new Set(probeKeys?.map(({ region }) => region));
  const unknown = probeKeys ? (probeRegions ?? []).filter((region) => !known.has(region)) : [];
  if (unknown.length > 0) {
    errors.push(`PROBE_REGIONS has ${unknown.join(', ')}, for which PROBE_KEY has no key.`);
  }
  return errors;
}

function serverConflicts({ natsUrls, databaseUrl }: Given, roles: readonly Role[]): string[] {
  const errors: string[] = [];
  const missing = DATABASE_ROLES.filter((role) => !roles.includes(role));
  const isServer = missing.length < DATABASE_ROLES.length;
  if (isServer && missing.length > 0 && databaseUrl === null) {
    errors.push(
      `DATABASE_URL must be set when ROLES leaves out ${missing.join(' and ')}: only one process can use SQLite.`,
    );
  }
  const asksProbes = roles.some((role) => role === 'api' || role === 'scheduler');
  if (asksProbes && !roles.includes('probe') && natsUrls === null) {
    errors.push(
      'NATS_URL must be set when ROLES has api or scheduler without probe: it reaches the probes over NATS.',
    );
  }
  return errors;
}

function discoveryConflicts(settings: Given): string[] {
  const { discover, roles, dockerHost, kubeconfig, kubernetesServiceHost: host } = settings;
  if (!discover) return [];
  const errors: string[] = [];
  if (discover.some(({ kind }) => kind === 'docker') && dockerHost !== undefined)
    errors.push(...[problemOfDockerHost(dockerHost)].filter((one) => one !== null));
  if (roles?.includes('worker') === false)
    errors.push('DISCOVER is for a process with the role worker.');
  if (discover.some(({ kind }) => kind === 'kubernetes') && kubeconfig === null && host === null)
    errors.push(
      'KUBECONFIG must be set when DISCOVER has kubernetes and Tocsin does not run in the cluster.',
    );
  return errors;
}

function tlsConflicts({ natsTlsCert, natsTlsKey }: Given): string[] {
  if (natsTlsCert === undefined || natsTlsKey === undefined) return [];
  if ((natsTlsCert === null) === (natsTlsKey === null)) return [];
  return ['NATS_TLS_CERT and NATS_TLS_KEY must be set together.'];
}

/**
 * Errors of settings that name regions. A process that is a probe only knows the regions of
 * its keys, and nothing of the others.
 */
function regionConflicts(settings: Given): string[] {
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
