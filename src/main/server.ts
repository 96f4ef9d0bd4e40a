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
  const { address, summary, stop } = await start(service);
  endOnSignal(stop, log);
  log.info(summary, 'Tocsin started.');
  // Logged after the signal handlers are installed, since supervisors may send a signal right after it.
  log.info(address, 'Tocsin is listening.');
}
