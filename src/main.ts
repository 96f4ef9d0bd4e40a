import { readConfig } from './config/config.ts';
import { createLog } from './lib/log.ts';
import { build } from './main/build.ts';
import { start } from './main/run.ts';
import { endOnSignal } from './main/signals.ts';
import { startFailure } from './main/start-failure.ts';

// Files created from here on (database, socket, copies) are readable by their owner only.
process.umask(0o077);

const { config, errors } = readConfig(process.env);
if (errors) {
  for (const error of errors) console.error(error);
  process.exit(1);
}
const log = createLog(config.logLevel, process.stdout);
try {
  const service = await build(config, log);
  const { address, stop } = await start(service);
  endOnSignal(stop, log);
  // Logged after the signal handlers are installed, since supervisors may send a signal right after it.
  log.info(address, 'Tocsin is listening.');
} catch (error) {
  const { fields, message } = startFailure(error);
  log.error(fields, message);
  process.exitCode = 1;
  // Stages started before the failure must not keep the process alive.
  setTimeout(() => process.exit(), 1_000).unref();
}
