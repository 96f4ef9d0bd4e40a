import type { Distance } from './networks.ts';

/** A kind of process: how many there are, with which settings. */
export interface ProcessKind {
  name: string;
  count: number;
  /** In addition to the settings that all of these share. */
  env: Record<string, string>;
  /** Whether it leases shards. */
  schedules: boolean;
  /** Whether it answers the API, and takes pings. */
  serves: boolean;
  /** Whether it has a line to Postgres, and the secrets of those that do. */
  usesDatabase: boolean;
  /** Region in which it probes, if it has no database. */
  region?: string;
  /** Where it is, if it has a network of its own. */
  distance?: Distance;
}

/** A process of all roles. */
const WHOLE = { name: 'whole', env: {}, schedules: true, serves: true, usesDatabase: true };

/** A process of one role, which reaches the others over NATS. */
const ofRole = (name: string, count: number, has: Partial<ProcessKind>): ProcessKind => ({
  name,
  count,
  env: { ROLES: name },
  schedules: false,
  serves: false,
  usesDatabase: true,
  ...has,
});

/** The only region of fleets that don't name others. */
const REGION = 'ash';

const probesIn = (region: string, distance: Distance): ProcessKind => ({
  ...ofRole('probe', 2, { usesDatabase: false, region, distance }),
  name: `probe-${region}`,
});

/** The processes of a run. A new fleet is one more list. */
export const FLEETS = {
  /** Each process has all roles. */
  whole: [{ ...WHOLE, count: 4 }],
  /** As few as can lose one. */
  pair: [{ ...WHOLE, count: 2 }],
  seven: [{ ...WHOLE, count: 7 }],
  /** Each process has one role. */
  roles: [
    ofRole('api', 2, { serves: true }),
    ofRole('scheduler', 2, { schedules: true }),
    ofRole('worker', 2, {}),
    ofRole('probe', 2, { usesDatabase: false, region: REGION }),
  ],
  /** Servers, probes beside them, and probes in a region behind a slow line that loses packets; each with a network. */
  far: [
    {
      ...WHOLE,
      name: 'server',
      count: 2,
      env: { ROLES: 'api,scheduler,worker' },
      distance: 'near',
    },
    probesIn('nbg', 'near'),
    probesIn('sin', 'far'),
  ],
} satisfies Record<string, ProcessKind[]>;

export type FleetName = keyof typeof FLEETS;

/** Regions in which monitors are checked. */
export function regionsOf(kinds: readonly ProcessKind[]): string[] {
  const regions = kinds.flatMap(({ region }) => region ?? []);
  return regions.length === 0 ? [REGION] : regions;
}

/** Whether processes have networks of their own. */
export const needsNetworks = (kinds: readonly ProcessKind[]): boolean =>
  kinds.some(({ distance }) => distance !== undefined);

/** Whether the processes need a NATS server. */
export const needsNats = (kinds: readonly ProcessKind[]): boolean =>
  kinds.some(({ env }) => 'ROLES' in env);
