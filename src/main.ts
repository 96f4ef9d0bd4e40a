import { readConfig } from './config/config.ts';
import { createLog } from './lib/log.ts';
import { build } from './main/build.ts';
import { start } from './main/run.ts';
import { endOnSignal } from './main/signals.ts';
import { startFailure } from './main/start-failure.ts';

// What is created from here on (the database, the socket, copies) is nobody else's to read.
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
  // Whoever waits for this line may send a signal at once.
  log.info(address, 'Tocsin is listening.');
} catch (error) {
  const { fields, message } = startFailure(error);
  log.error(fields, message);
  process.exitCode = 1;
  // What was started before the failure must not keep the process alive.
  setTimeout(() => process.exit(), 1_000).unref();
}
