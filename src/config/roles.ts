import type { Settings } from './table.ts';
import type { Role } from './types.ts';

type RoleSettings = Partial<
  Pick<
    Settings,
    | 'roles'
    | 'natsUrls'
    | 'databaseUrl'
    | 'probeKeys'
    | 'probeRegions'
    | 'natsTlsCert'
    | 'natsTlsKey'
  >
>;

/** Roles that read and write the database: all but `probe`. */
const DATABASE_ROLES: readonly Role[] = ['api', 'scheduler', 'worker'];

/** Whether a process with these settings uses the database. True when the roles are invalid. */
export function needsDatabase({ roles }: { roles?: readonly Role[] }): boolean {
  return roles === undefined || roles.some((role) => role !== 'probe');
}

/** Whether a process with these settings checks and does nothing else. */
export function isProbeOnly(settings: { roles: readonly Role[] }): boolean {
  return !needsDatabase(settings);
}

/** Errors of settings that the roles of a process need, or do not go with. Invalid settings are missing. */
export function roleConflicts(settings: RoleSettings): string[] {
  const { roles } = settings;
  if (roles === undefined) return tlsConflicts(settings);
  const ofProbe = roles.includes('probe') ? probeConflicts(settings) : [];
  return [...ofProbe, ...serverConflicts(settings, roles), ...tlsConflicts(settings)];
}

function probeConflicts(settings: RoleSettings): string[] {
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

function serverConflicts(
  { natsUrls, databaseUrl }: RoleSettings,
  roles: readonly Role[],
): string[] {
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

function tlsConflicts({ natsTlsCert, natsTlsKey }: RoleSettings): string[] {
  if (natsTlsCert === undefined || natsTlsKey === undefined) return [];
  if ((natsTlsCert === null) === (natsTlsKey === null)) return [];
  return ['NATS_TLS_CERT and NATS_TLS_KEY must be set together.'];
}
