import { readConfig } from './config/config.ts';
import { systemClock } from './lib/clock.ts';
import { limitLog } from './lib/log-limit.ts';
import { createLog } from './lib/log.ts';
import { endStartOfThread } from './lib/start-memory.ts';
import { build } from './main/build.ts';
import { start } from './main/run.ts';
import { endOnSignal } from './main/signals.ts';
import { startFailure } from './main/start-failure.ts';

// Files created from here on (database, socket, copies) are readable by their owner only.
process.umask(0o077);

const args = process.argv.slice(2);
const unknown = args.find((word) => word !== '--paused');
if (unknown !== undefined) {
  console.error(`Unknown argument "${unknown}". The only one is --paused.`);
  process.exit(1);
}
const given = args.length > 0 ? { PAUSED: 'true', PAUSED_FILE: undefined } : {};
const { config, errors } = readConfig({ ...process.env, ...given });
if (errors) {
  for (const error of errors) console.error(error);
  process.exit(1);
}
const log = limitLog(createLog(config.logLevel, process.stdout), systemClock);
try {
  const service = await build(config, log);
  endStartOfThread();
  const { address, summary, stop } = await start(service);
  endOnSignal(stop, log);
  log.info(summary, 'Tocsin started.');
  // Logged after the signal handlers are installed, since supervisors may send a signal right after it.
  log.info(address, 'Tocsin is listening.');
} catch (error) {
  const { fields, message } = await startFailure(error);
  log.error(fields, message);
  process.exitCode = 1;
  // Stages started before the failure must not keep the process alive.
  setTimeout(() => process.exit(), 1_000).unref();
}
