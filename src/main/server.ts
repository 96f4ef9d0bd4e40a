import type { Config } from '../config/config.ts';
import type { Log } from '../lib/log.ts';
import { endStartOfThread } from '../lib/start-memory.ts';
import { build } from './build.ts';
import { start } from './run.ts';
import { endOnSignal } from './signals.ts';

/** Runs a process with a database. Resolves once it has started; rejects with the reason why it could not. */
export async function runServer(config: Config, log: Log): Promise<void> {
  const service = await build(config, log);
  endStartOfThread();
  const starting = start(service);
  // It serves and leases shards before it has started: a signal then must not end it like a crash.
  endOnSignal(async () => (await starting).stop(), log);
  const { address, summary } = await starting;
  log.info(summary, 'Tocsin started.');
  log.info(address, 'Tocsin is listening.');
}
