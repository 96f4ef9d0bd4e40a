import type { FastifyInstance } from 'fastify';
import type { InstallationProblem } from '../model/installation-health.ts';

/** Whether this process can do its work (contract 39.20). */
export interface Readiness {
  ready: boolean;
  roles: readonly string[];
  /** True when the database answers. */
  database: boolean;
  /** Lateness of rounds in milliseconds; null without a scheduler. */
  scheduleLagMs: number | null;
  /** Checks that came due in the last minute, and how many started late or were skipped; null without a scheduler. */
  checksDue: number | null;
  checksLate: number | null;
  roundsInFlight: number | null;
  /** Probes that take checks, by region: processes of this machine, and probes of others. */
  probes: Record<string, number>;
  /**
   * Overload of the probes with its start (epoch ms); null without one. The process stays ready: taking it out of
   * service would stop its checks.
   */
  overload: { since: number; reason: string } | null;
  /** Regions whose own network is suspect and whose votes do not count; the process stays ready. */
  quarantinedRegions: string[];
  diskLow: boolean;
  /** Problems of the whole installation that its operators are notified of; the process stays ready. */
  problems: readonly InstallationProblem[];
  /** Whether NATS is connected; null without it. */
  isBusConnected: boolean | null;
}

/** Adds the routes for operators and their tools, which need no authentication. */
export function systemRoutes(
  app: FastifyInstance,
  deps: { readiness: () => Promise<Readiness> },
): void {
  app.get('/healthz', () => ({ status: 'alive' }));

  app.get('/readyz', async (_request, reply) => {
    const readiness = await deps.readiness();
    return reply.code(readiness.ready ? 200 : 503).send(readinessBody(readiness));
  });
}

/** Body of `/readyz`. */
export function readinessBody({ ready, overload, ...state }: Readiness): object {
  return {
    status: ready ? 'ready' : 'not ready',
    roles: state.roles,
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
    problems: state.problems.map(({ kind, subject, since }) => ({
      kind,
      subject,
      since: new Date(since).toISOString(),
    })),
    nats: state.isBusConnected,
  };
}
