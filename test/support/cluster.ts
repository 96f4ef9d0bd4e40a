import type { Database } from '../../src/store/database/contract.ts';
import { deriveRegionKey, probeKeyText } from '../../src/lib/region-keys.ts';
import { freshPostgres } from './databases.ts';
import { openPatiently } from './patient-postgres.ts';
import type { Environment, Service, useServices } from './service.ts';

/** Processes of one installation on one Postgres and one NATS server, started as they are needed. */
export interface Cluster {
  database: Database;
  /** Starts a process with these roles. */
  server(roles: string, more?: Environment): Promise<Service>;
  /** Starts a process that is a probe of a region and nothing else. */
  probe(region: string, more?: Environment): Promise<Service>;
}

export const SECRET_KEY = 'a key for the process tests';

/** @param nats URL of a NATS server. */
export async function startCluster(
  services: ReturnType<typeof useServices>,
  nats: string,
  regions: readonly string[],
): Promise<Cluster> {
  const { place, remove } = await freshPostgres();
  services.use({ close: remove });
  const database = services.use(await openPatiently(place));
  return {
    database,
    server: async (roles, more = {}) =>
      services.start({
        ROLES: roles,
        NATS_URL: nats,
        DATABASE_URL: place,
        SECRET_KEY,
        REGIONS: regions.join(','),
        DATA_DIR: await services.folder(),
        ...more,
      }),
    probe: (region, more = {}) =>
      services.start({
        ROLES: 'probe',
        NATS_URL: nats,
        PROBE_KEY: probeKeyText(deriveRegionKey(SECRET_KEY, region)),
        VANTAGE_NAME: `rack-${region}`,
        // Processes without a database get no secret of the others.
        ADMIN_TOKEN: undefined,
        ...more,
      }),
  };
}
