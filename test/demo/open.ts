import { readConfig } from '../../src/config/config.ts';
import { silentLog, type Log } from '../../src/lib/log.ts';
import { build, type Service } from '../../src/main/build.ts';
import { start } from '../../src/main/run.ts';
import type { PingIngest } from '../../src/engine/heartbeat/ingest.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { SILENT } from './jobs.ts';
import { Scene, scriptedNetwork } from './scene.ts';

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
