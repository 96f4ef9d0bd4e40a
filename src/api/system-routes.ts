import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';

/** Whether this process can do its work (contract 39.20). */
export interface Readiness {
  ready: boolean;
  /** Whether the database answers. */
  database: boolean;
  /** How late the rounds start, in milliseconds; null where none are started. */
  scheduleLagMs: number | null;
  /** Checks that came due in the last minute, and those of them that started late or were skipped. */
  checksDue: number;
  checksLate: number;
  roundsInFlight: number;
  /** Live probes by region. */
  probes: Record<string, number>;
  /**
   * Since when (epoch ms) the probes can't keep up, and why; null while they can. That is no reason to be not ready:
   * whatever took this process out of service would take its checks with it.
   */
  overload: { since: number; reason: string } | null;
  /** Regions whose own network is in doubt, so that their votes do not count; that is no reason to be not ready. */
  quarantinedRegions: string[];
  diskLow: boolean;
}

/** What operators and their machines ask; no token is needed. */
export function systemRoutes(
  app: FastifyInstance,
  deps: { readiness: () => Promise<Readiness>; metrics: Pick<Registry, 'metrics' | 'contentType'> },
): void {
  app.get('/healthz', () => ({ status: 'alive' }));

  app.get('/readyz', async (_request, reply) => {
    const { ready, overload, ...state } = await deps.readiness();
    return reply.code(ready ? 200 : 503).send({
      status: ready ? 'ready' : 'not ready',
      database: state.database,
      schedule_lag_ms: state.scheduleLagMs,
      checks_due: state.checksDue,
      checks_late: state.checksLate,
      rounds_in_flight: state.roundsInFlight,
      probes: state.probes,
      probe_overload: overload && {
        since: new Date(overload.since).toISOString(),
        reason: overload.reason,
      },
      quarantined_regions: state.quarantinedRegions,
      disk_low: state.diskLow,
    });
  });

  app.get('/metrics', async (_request, reply) =>
    reply.type(deps.metrics.contentType).send(await deps.metrics.metrics()),
  );
}
