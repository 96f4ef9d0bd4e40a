import { ensureOwner } from '../identity/bootstrap.ts';
import { firstStartText } from '../identity/first-start.ts';
import { systemClock as clock } from '../lib/clock.ts';
import type { OperatorContext } from '../operator/command.ts';
import { openOperatorSocket } from '../operator/server.ts';
import type { OperatorSocket } from '../operator/server.ts';
import type { Service } from './build.ts';

export interface Started {
  /** For people and their tools. */
  address: { url: string; host: string; port: number };
  /** Ends it all in order. */
  stop: () => Promise<void>;
}

/** How long rounds that were aborted may take to be handed on. */
const LAST_ROUNDS_MS = 2_000;

/** Has every stage begin its work, and listens. Rejects when it can't listen. */
export async function start(service: Service): Promise<Started> {
  const { settings, address, checking, heartbeats, alerting } = service;
  checking.scheduler.start();
  checking.selfCheck.start();
  checking.overload.start();
  checking.networkDiagnosis.start();
  checking.inspector.start();
  checking.history.start();
  const port = await listen(service);
  // Its first mark may have to wait for the database; until then silence is not judged.
  void heartbeats.alive.start();
  heartbeats.sweep.start();
  // Its links hold the address that was just found.
  alerting.start();
  const operator = await openToOperator(service);
  return {
    address: { url: address.baseUrl(), host: settings.host, port },
    stop: () => stop(service, operator),
  };
}

/** @returns the port, which differs from PORT where that is 0. */
async function listen(service: Service): Promise<number> {
  const { settings, address, resources, http } = service;
  const { host } = settings;
  // Whoever is answered at all may already use ADMIN_TOKEN.
  const owner = await ensureOwner({ database: resources.database, clock }, settings);
  let { port } = settings;
  try {
    await http.listen({ host, port });
    port = (http.server.address() as { port: number }).port;
  } finally {
    address.found(port);
    // What is shown this once is shown also when the port is taken. Not a log line: logs never hold tokens.
    process.stderr.write(firstStartText(owner, address.baseUrl()));
  }
  return port;
}

/** For whoever holds the lock of the data folder alone: with a database of its own there is no such folder. */
async function openToOperator(service: Service): Promise<OperatorSocket | null> {
  const { settings, version, address, resources, people, log } = service;
  const { lock, database, plans } = resources;
  if (lock === null) return null;
  const context: OperatorContext = {
    database,
    migrated: [],
    clock,
    forget: (who) => people.authenticator.forget(who),
    plans,
    baseUrl: address.baseUrl,
    version,
  };
  return openOperatorSocket({ context, log }, settings.dataDir);
}

/** First nobody new is let in, then what is under way ends, and what it leaves is stored; the database is last. */
async function stop(service: Service, operator: OperatorSocket | null): Promise<void> {
  const { resources, checking, heartbeats, people, alerting, http } = service;
  await operator?.close();
  // The last mark is of this moment: what nobody takes from now on lies after it.
  const lastMark = heartbeats.alive.stop();
  await Promise.all([http.close(), heartbeats.sweep.stop()]);
  await people.signIn.close();
  const lastDeliveries = alerting.stop();
  await heartbeats.pings.close();
  await lastMark;
  checking.selfCheck.stop();
  checking.overload.stop();
  checking.networkDiagnosis.stop();
  const lastRounds = checking.scheduler.stop(LAST_ROUNDS_MS);
  const lastInspections = checking.inspector.stop();
  await checking.bus.close();
  await Promise.all([lastRounds, lastInspections]);
  await Promise.all([
    checking.recorder.close(),
    checking.history.stop(),
    people.authenticator.close(),
    lastDeliveries,
  ]);
  await resources.database.close();
  resources.lock?.release();
}
