import { readConfig } from './config/config.ts';
import { needsDatabase } from './config/conflicts.ts';
import { systemClock } from './lib/clock.ts';
import { limitLog } from './lib/log-limit.ts';
import { createLog } from './lib/log.ts';

// Files created from here on (database, socket, copies) are readable by their owner only.
process.umask(0o077);

const args = process.argv.slice(2);
const unknown = args.find((word) => word !== '--paused');
if (unknown !== undefined) {
  console.error(`Unknown argument "${unknown}". The only one is --paused.`);
  process.exit(1);
}
const given = args.length > 0 ? { PAUSED: 'true', PAUSED_FILE: undefined } : {};
// Loads the parser where there is a file of plans: its mistakes are reported with all others.
const { problemOfPlans } = process.env['PLANS_FILE'] ? await import('./identity/plans.ts') : {};
const { config, errors } = readConfig({ ...process.env, ...given }, undefined, problemOfPlans);
if (errors) {
  for (const error of errors) console.error(error);
  process.exit(1);
}
const log = limitLog(createLog(config.logLevel, process.stdout), systemClock);
try {
  if (!needsDatabase(config)) {
    // Loads no more than it needs.
    const { runProbe } = await import('./main/probe.ts');
    await runProbe(config, log);
  } else {
    const { runServer } = await import('./main/run.ts');
    await runServer(config, log);
  }
} catch (error) {
  const { startFailure } = await import('./main/start-failure.ts');
  const { fields, message } = await startFailure(error);
  log.error(fields, message);
  process.exitCode = 1;
  // Stages started before the failure must not keep the process alive.
  setTimeout(() => process.exit(), 1_000).unref();
}
