import type { Registry } from 'prom-client';
import { createSystemServer, readinessBody, type SystemServer } from '../api/system-server.ts';
import type { Config } from '../config/config.ts';
import type { InstallationHealth } from '../engine/installation-health/watch.ts';
import type { Log } from '../lib/log.ts';
import type { Checking } from './checking.ts';
import { readiness } from './readiness.ts';
import type { Resources } from './resources.ts';

/** Builds the HTTP server of a process that has a database and no API. */
export function createSystemHttp(
  parts: Pick<Resources, 'database' | 'probes'> & {
    settings: Config;
    checking: Pick<Checking, 'scheduler' | 'regions' | 'overload'>;
    health: Pick<InstallationHealth, 'problems'>;
    registry: Registry;
    log: Log;
  },
): SystemServer {
  const { settings, checking, registry, log } = parts;
  return createSystemServer({
    async readiness() {
      const found = await readiness({ ...parts, ...checking });
      return { ready: found.ready, body: readinessBody(found) };
    },
    metrics: registry,
    metricsToken: settings.metricsToken,
    log,
  });
}
