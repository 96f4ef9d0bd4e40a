import { readConfig } from '../../src/config/config.ts';
import { silentLog, type Log } from '../../src/lib/log.ts';
import { build, type Service } from '../../src/main/build.ts';
import { start } from '../../src/main/run.ts';
import type { PingIngest } from '../../src/engine/heartbeat/ingest.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { SILENT } from './jobs.ts';
import type { LocalBus } from '../../src/engine/bus/local.ts';
import type { CheckResult } from '../../src/model/check.ts';
import type { AnyRequest } from '../../src/monitor-types/registry.ts';
import type { InspectionRequest, InspectionResult } from '../../src/model/inspection.ts';
import type { Region } from '../../src/model/monitor.ts';
import { NETWORK, type Outside } from '../../src/main/outside.ts';
import type { HttpResponse } from '../../src/net/http-client.ts';
import { numberOf, problemResult, upResult, type Target } from './latency.ts';
import { MONITORS } from './northwind/monitors.ts';
import { STORIES } from './northwind/problems.ts';
import { factsOf } from './northwind/targets.ts';
import { ENDPOINTS } from './settings.ts';

/** Longest time that a check takes here, whatever it reports: nobody waits for a demo. */
const MAX_WAIT_MS = 400;

/** Response of a good target, for a person who looks into it. */
const SEEN: CheckResult['evidence'] = {
  statusLine: 'HTTP/1.1 200 OK',
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    server: 'nginx',
  },
  body: null,
  redirects: [],
  tls: {
    protocol: 'TLSv1.3',
    subject: 'northwind.example',
    issuer: 'Example Trust R3',
    validFrom: '2026-09-01T00:00:00.000Z',
    validTo: '2027-03-01T00:00:00.000Z',
    cipher: 'TLS_AES_128_GCM_SHA256',
    chain: [],
  },
};

/** What the targets of the demo answer. Monitors are known by their names, so that a restart changes nothing. */
class Scene {
  #targets = new Map<number, Target>();

  /** Reads the monitors, those that people add too. */
  async read(database: Database): Promise<void> {
    const rows = await database.read
      .selectFrom('monitor')
      .select(['id', 'type', 'friendly_name', 'url'])
      .where('deleted_at', 'is', null)
      .execute();
    this.#targets = new Map(
      rows.map(({ id, type, friendly_name, url }) => [id, targetOf(type, friendly_name ?? url)]),
    );
  }

  answer(region: Region, request: AnyRequest): CheckResult {
    const at = Date.now();
    const target = this.#targets.get(request.monitorId) ?? targetOf(request.type, nameOf(request));
    const problem = STORIES.find((one) => one.monitor === target.name && one.endedAgo === null);
    const result =
      problem === undefined
        ? upResult(target, region, at)
        : problemResult(target, region, at, problem);
    const { content, capturesAll } = request.type === 'http' ? request : {};
    if (capturesAll === true && result.vote === 'up') return { ...result, evidence: SEEN };
    return result.vote === 'up' && content !== undefined
      ? { ...result, content: { kind: content.kind, passed: true, outcomes: [] } }
      : result;
  }
}

const nameOf = (request: AnyRequest) => (request.type === 'http' ? request.url : request.host);

function targetOf(type: string, name: string): Target {
  const known = MONITORS.find((one) => one.friendly_name === name)?.answersInMs;
  return { type, name, answersInMs: known ?? 60 + ((numberOf(name) >>> 5) % 200) };
}

/** A network in which the targets answer as the scene says, and all messages arrive but those of failing endpoints. */
function scriptedNetwork(scene: Scene): Outside {
  return {
    startProbes: async () => busOf(scene),
    followDatabaseClock: NETWORK.followDatabaseClock,
    createHttpClient: () => ({ request: async ({ url }) => answerOf(new URL(url).hostname) }),
    createMailer: () => ({ send: async () => ({ outcome: 'sent' }) }),
  };
}

function busOf(scene: Scene): LocalBus {
  const check: LocalBus['check'] = async (region, request) => {
    const result = scene.answer(region, request as AnyRequest);
    const waitMs = Math.min(MAX_WAIT_MS, result.timings.totalMs ?? 0);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    return result;
  };
  return {
    check,
    checkAll: (regions, request) => Promise.all(regions.map((region) => check(region, request))),
    inspect: (async (request: InspectionRequest): Promise<InspectionResult> => ({
      state: 'known',
      facts: factsOf(request.kind, inspectedTarget(request), Date.now()),
    })) as LocalBus['inspect'],
    lastSeen: () => Date.now(),
    vantageOf: (region) => `probe-${region}`,
    probesOf: (region) => [
      {
        vantage: `probe-${region}`,
        version: '0.1.0',
        seenAt: Date.now(),
        takesChecks: true,
        isRemote: false,
        load: [],
      },
    ],
    processes: () => [],
    inspectMachine: async () => null,
    close: async () => {},
  };
}

function inspectedTarget(request: InspectionRequest): string {
  if (request.kind === 'ssl') return `${request.host}:${request.port}`;
  return request.kind === 'dns' ? request.host : request.domain;
}

function answerOf(host: string): HttpResponse {
  const isFailing = ENDPOINTS.some((one) => one.host === host && one.failingForDays !== null);
  const [status, body] = isFailing ? [503, 'upstream connect error'] : [200, 'ok'];
  return { ok: true, status, headers: {}, body: Buffer.from(body) };
}

export interface OpenOptions {
  /** Folder that `npm run demo` filled. */
  dataDir: string;
  /** TCP port; 0 for a free one. */
  port: number;
  host?: string;
  log?: Log;
  /** Called when jobs could not call; it is tried again. */
  onFault?(error: unknown): void;
  /** Further settings, as in the environment. */
  environment?: Readonly<Record<string, string>>;
}

/** A running demo. */
export interface OpenedDemo {
  url: string;
  service: Service;
  stop(): Promise<void>;
}

const REFRESH_MS = 5_000;

/**
 * Starts the program on the folder of a demo with a scripted network: rounds run, answers vary, jobs call, and open
 * incidents stay open.
 */
export async function openDemo(options: OpenOptions): Promise<OpenedDemo> {
  const { dataDir, port, host = '127.0.0.1', log = silentLog, environment = {} } = options;
  const { onFault = console.error } = options;
  const { config, errors } = readConfig({
    DATA_DIR: dataDir,
    PORT: String(port),
    HOST: host,
    SMTP_URL: 'smtp://mail.northwind.example',
    ...environment,
  });
  if (errors) throw new Error(errors.join('\n'));
  const scene = new Scene();
  const service = await build(config, log, scriptedNetwork(scene));
  const { database } = service.resources;
  await scene.read(database);
  const { address, stop } = await start(service);
  const keepAlive = async () => {
    await scene.read(database);
    await callJobs(database, service.heartbeats.pings);
  };
  let refresh = Promise.resolve();
  const timer = setInterval(() => {
    refresh = keepAlive().catch(onFault);
  }, REFRESH_MS);
  return {
    url: address.url,
    service,
    async stop() {
      clearInterval(timer);
      await refresh;
      await stop();
    },
  };
}

/** Sends the pings of jobs that are expected by now. */
async function callJobs(database: Database, pings: Pick<PingIngest, 'take'>): Promise<void> {
  const now = Date.now();
  const due = await database.read
    .selectFrom('monitor')
    .innerJoin('monitor_state', 'monitor_state.monitor_id', 'monitor.id')
    .select('monitor.ping_token_hash')
    .where('monitor_state.heartbeat_expected_at', '<=', now)
    .where('monitor.is_paused', '=', 0)
    .where('monitor.deleted_at', 'is', null)
    .where('monitor.friendly_name', '!=', SILENT)
    .execute();
  await Promise.all(
    due.map(({ ping_token_hash: tokenHash }) =>
      pings.take({
        tokenHash: tokenHash!,
        kind: 'success',
        exitCode: 0,
        runId: null,
        sourceAddress: '198.51.100.80',
        userAgent: 'curl/8.5.0',
        body: null,
        isBodyCut: false,
      }),
    ),
  );
}
