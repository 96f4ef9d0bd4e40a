import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';

/** Whether this process can do its work (completions, section 11). */
export interface Readiness {
  ready: boolean;
  /** Whether the database answers. */
  database: boolean;
  /** How late the rounds start, in milliseconds; null where none are started. */
  scheduleLagMs: number | null;
  /** Live probes by region. */
  probes: Record<string, number>;
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
    const { ready, database, scheduleLagMs, probes, quarantinedRegions, diskLow } =
      await deps.readiness();
    const status = ready ? 'ready' : 'not ready';
    return reply.code(ready ? 200 : 503).send({
      status,
      database,
      schedule_lag_ms: scheduleLagMs,
      probes,
      quarantined_regions: quarantinedRegions,
      disk_low: diskLow,
    });
  });

  app.get('/metrics', async (_request, reply) =>
    reply.type(deps.metrics.contentType).send(await deps.metrics.metrics()),
  );
}
