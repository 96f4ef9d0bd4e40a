import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Registry } from 'prom-client';
import { createSystemServer, type SystemServer } from '../api/system-server.ts';
import type { Config } from '../config/config.ts';
import { connectBus, type BusConnection } from '../engine/bus/nats/connection.ts';
import { serveRegions, type ProbeService } from '../engine/bus/nats/probe-service.ts';
import { systemClock as clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { exposeCounts, exposeGauge, exposeValue } from '../lib/metrics.ts';
import { endStartOfThread } from '../lib/start-memory.ts';
import { readVersion } from '../lib/version.ts';
import type { Vote } from '../model/check.ts';
import { probeParts, raisePriority } from '../probe/agent/parts.ts';
import { createProbeRunner, type ProbeAnswer, type ProbeRunner } from '../probe/agent/runner.ts';
import { exposeProcess, exposeOwnProbes } from './metrics.ts';
import { natsSettings } from './probes.ts';
import { endOnSignal } from './signals.ts';

/** A process that only checks gets this long for the checks that are under way when it ends. */
const LAST_CHECKS_MS = 8_000;

interface Stages {
  connection: BusConnection;
  service: ProbeService;
  runner: ProbeRunner;
  server: SystemServer;
}

/**
 * Runs a process that is a probe only: it gets its checks over NATS, runs them itself and has no database. Resolves once
 * it takes checks. Rejects when NATS can't be reached, or the port is taken.
 */
export async function runProbe(settings: Config, log: Log): Promise<void> {
  raisePriority();
  const startedAt = clock.monotonic();
  const votes: Record<Vote, number> = { up: 0, down: 0, unknown: 0 };
  const registry = new Registry();
  const { allowPrivateTargets, dnsServers, rdapBootstrapFile } = settings;
  const own = { allowPrivateTargets, dnsServers, rdapBootstrapFile };
  const runner = createProbeRunner({ settings: own, ...probeParts(own), clock, log });
  const keys = (settings.probeKeys ?? []).filter(({ region }) =>
    settings.probeRegions.includes(region),
  );
  const vantage = settings.probeHostName ?? hostname();
  const version = readVersion();
  const name = `tocsin probe ${settings.probeRegions.join(',')} ${vantage} ${process.pid}`;
  const connection = await connectBus(natsSettings(settings), { name, clock, log });
  const service = serveRegions({
    connection,
    probe: randomUUID(),
    keys,
    vantage,
    version,
    async run(request) {
      const answer = await runner.run(request);
      countVote(votes, answer);
      return answer;
    },
    load: () => [runner.load()],
    clock,
    log,
  });
  const server = createSystemServer({
    readiness: async () => readiness(settings, { connection, service, runner }),
    metrics: registry,
    metricsToken: settings.metricsToken,
    log,
  });
  exposeGauge(registry, 'tocsin_build_info', () => [
    [{ version, node_version: process.version }, 1],
  ]);
  exposeCounts(registry, 'tocsin_checks_total', () => votes);
  exposeValue(registry, 'tocsin_nats_connected', () => (connection.isConnected() ? 1 : 0));
  exposeOwnProbes(registry, () => [{ pid: process.pid, load: runner.load() }]);
  exposeProcess(registry);
  const { host, port } = settings;
  await server.listen({ host, port });
  endStartOfThread();
  // A bug that one target triggers must not stop the checks of all others: its own check ends at the deadline.
  process.on('uncaughtException', (error) => {
    // Log: A fault of Tocsin.
    log.error({ error: error.stack ?? String(error) }, 'Something failed in the probe process.');
  });
  endOnSignal(() => stop({ connection, service, runner, server }, votes, startedAt), log);
  const fields = {
    version,
    regions: settings.probeRegions,
    vantage,
    node_version: process.version,
  };
  // Log: A process that is a probe only is connected to NATS.
  log.info({ ...fields, pid: process.pid }, 'This probe takes checks.');
  const { port: listensOn } = server.server.address() as { port: number };
  // Log: The server accepts requests.
  log.info({ url: `http://localhost:${listensOn}`, host, port: listensOn }, 'Tocsin is listening.');
}

function countVote(votes: Record<Vote, number>, answer: ProbeAnswer): void {
  if ('vote' in answer) votes[answer.vote]++;
}

/** Whether it takes checks, and how many are under way. */
function readiness(
  settings: Config,
  { connection, service, runner }: Pick<Stages, 'connection' | 'service' | 'runner'>,
): { ready: boolean; body: object } {
  const ready = connection.isConnected();
  const { running, waiting, longestWaitMs, capacity } = runner.load();
  return {
    ready,
    body: {
      status: ready ? 'ready' : 'not ready',
      roles: settings.roles,
      nats: ready,
      regions: settings.probeRegions,
      requests_under_way: service.underWay(),
      checks_running: running,
      checks_waiting: waiting,
      longest_wait_ms: Math.round(longestWaitMs),
      slots: capacity,
    },
  };
}

async function stop(
  { connection, service, runner, server }: Stages,
  votes: Readonly<Record<Vote, number>>,
  startedAt: number,
) {
  await service.stop(LAST_CHECKS_MS);
  runner.close();
  await Promise.all([connection.close(), server.close()]);
  return {
    uptime_seconds: Math.round((clock.monotonic() - startedAt) / 1_000),
    checks: votes.up + votes.down + votes.unknown,
  };
}
