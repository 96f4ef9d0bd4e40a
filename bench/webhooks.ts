import { setTimeout as pause } from 'node:timers/promises';
import { applyIncidentChanges } from '../src/engine/record/record.ts';
import { systemClock as clock } from '../src/lib/clock.ts';
import { silentLog } from '../src/lib/log.ts';
import { createAddressGuard } from '../src/net/address-guard.ts';
import { createHttpClient } from '../src/net/http-client.ts';
import { createResolver } from '../src/net/resolver.ts';
import { createNotifier } from '../src/alerting/notifier.ts';
import type { Database } from '../src/store/database/contract.ts';
import { giveEndpoint } from '../test/support/deliveries.ts';
import { workerOn } from '../test/support/delivery-worker.ts';
import { firstIds, importMonitors } from '../test/support/monitor-rows.ts';
import { settlePeople } from '../test/support/people.ts';
import { numberOption, textOption } from './options.ts';
import { inDatabase } from './preload.ts';
import { withFolder } from './process.ts';
import { atMost, exactly, percentile, report } from './report.ts';
import { opening } from './storm.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';

const INCIDENTS = 10_000;
/** Maximum number of incidents that the engine records in one transaction. */
const BATCH = 500;
/** Time for which the engine batches rounds before it records them. */
const GATHER_MS = 50;
/**
 * Monitors checked every 30 s that fail at once are confirmed over 30 s, since their rounds are distributed over it.
 */
const INTERVAL_MS = 30_000;
const RECEIVERS = [
  { name: 'fast', afterMs: 0, overMs: 0, withinMs: 2_000, patienceMs: 120_000 },
  {
    name: 'fast, over 30 s',
    afterMs: 0,
    overMs: INTERVAL_MS,
    withinMs: 2_000,
    patienceMs: 120_000,
  },
  { name: 'of 150 ms', afterMs: 150, overMs: 0, withinMs: 120_000, patienceMs: 240_000 },
];

/**
 * Ten thousand monitors of one team fail, and all events go to one webhook endpoint: the time from storing an incident
 * until its event arrived, on SQLite. The incidents are stored as fast as possible, or at the rate of monitors with an
 * interval of 30 s. `--incidents=1000` for fewer, `--only=fast` for one receiver.
 */
export async function run(options: string[]): Promise<void> {
  const count = numberOption(options, '--incidents', INCIDENTS);
  const only = textOption(options, '--only');
  for (const receiver of RECEIVERS) {
    if (only !== null && only !== receiver.name) continue;
    await withFolder((folder) =>
      inDatabase(folder, (database) => measure(database, count, receiver)),
    );
  }
}

async function measure(
  database: Database,
  count: number,
  { name, afterMs, overMs, withinMs, patienceMs }: (typeof RECEIVERS)[0],
): Promise<void> {
  const receiver = await startWebhookReceiver(afterMs);
  const { teamId } = (await settlePeople(database, clock.now())).alice;
  const ids = firstIds(count);
  await importMonitors(database, ids, clock.now(), { team_id: teamId });
  await giveEndpoint(database, teamId, receiver.url);
  const stages = startStages(database);

  const begin = clock.now();
  const batch = overMs === 0 ? BATCH : Math.ceil((count * GATHER_MS) / overMs);
  for (let from = 0; from < count; from += batch) {
    const now = clock.now();
    const slice = ids
      .slice(from, from + batch)
      .map((id) => opening(id, teamId, `10.0.${id >> 8}.${id & 255}`, now));
    await database.transaction((tx) => applyIncidentChanges(tx, slice, now));
    // Rounds end one after another: other work runs between two batches.
    const nextAt = begin + ((from + batch) / count) * overMs;
    await pause(Math.max(0, nextAt - clock.now()));
  }
  const storedMs = clock.now() - begin;
  while ((await receiver.count()) < count && clock.now() - begin < patienceMs) await pause(100);
  const arrivals = await receiver.arrivals();
  const connections = await receiver.connections();
  await stages.stop();
  receiver.stop();

  const rows = await database.read
    .selectFrom('incident')
    .select(['id', 'created_at as storedAt'])
    .execute();
  const delays = rows.flatMap(({ id, storedAt }) => {
    const at = arrivals.get(id);
    return at === undefined ? [] : [at - storedAt];
  });
  const p99 = percentile(delays, 0.99) / 1000;
  report(`webhooks, ${count.toLocaleString('en')} incidents, a receiver ${name}`, [
    exactly('arrived', delays.length, count),
    { name: 'incidents stored within', value: storedMs / 1000, unit: 's' },
    { name: 'incident to webhook, median', value: percentile(delays, 0.5) / 1000, unit: 's' },
    atMost('incident to webhook, p99', p99, withinMs / 1000, 's'),
    { name: 'incident to webhook, last', value: Math.max(...delays) / 1000, unit: 's' },
    { name: 'connections', value: connections },
  ]);
}

/** The stages that process and send events, as main creates them. */
function startStages(database: Database): { stop(): Promise<void> } {
  const http = createHttpClient({
    resolver: createResolver({ clock }),
    guard: createAddressGuard(true),
    clock,
  });
  const worker = workerOn(database, { http, clock });
  const notifier = createNotifier({
    database,
    clock,
    log: silentLog,
    mail: false,
    onDeliveries: () => worker.wake(),
  });
  worker.start();
  notifier.start();
  return {
    stop: async () => void (await Promise.all([notifier.stop(), worker.stop()])),
  };
}
