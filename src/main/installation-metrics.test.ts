import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../test/support/databases.ts';
import { parseExposition } from '../../test/support/exposition.ts';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { createMonitor } from '../../test/support/monitor-rows.ts';
import type { Database } from '../store/database/contract.ts';
import { insertManualIncident } from '../store/resources/incidents.ts';
import { exposeInstallation } from './installation-metrics.ts';

const NOW = Date.UTC(2030, 0, 1);
const COUNTS = {
  opened: new Map([['uptime critical', 3]]),
  ended: new Map([['uptime critical', 2]]),
  slow: { read: 1, scan: 0, write: 4 },
};

function scraping(database: Pick<Database, 'read' | 'scan'>) {
  const registry = new Registry();
  const clock = createFakeClock({ now: NOW });
  exposeInstallation(registry, { database, counts: COUNTS, version: '1.2.3', clock });
  const scrape = async () => parseExposition(await registry.metrics());
  return { clock, scrape };
}

eachDatabase((_engine, open) => {
  test('monitors by status, open incidents, and what this process opened [39.58]', async () => {
    const database = await open();
    const ids = await Promise.all([1, 2, 3].map(() => createMonitor(database, NOW)));
    await createMonitor(database, NOW, { is_paused: 1 });
    const gone = await createMonitor(database, NOW, { deleted_at: NOW });
    await database.transaction(async (tx) => {
      const online = tx.updateTable('monitor_state').set({ status: 'online' });
      await online.where('monitor_id', 'in', [ids[0]!, ids[1]!, gone]).execute();
      const report = { team_id: 1, severity: 'warning', started_at: NOW };
      for (const [monitor_id, ended_at] of [
        [ids[0]!, null],
        [ids[1]!, null],
        [ids[2]!, NOW],
      ] as const)
        await insertManualIncident(tx, { ...report, monitor_id, ended_at }, NOW);
    });
    const { scrape } = scraping(database);
    const families = await scrape();
    const values = (name: string) =>
      families
        .get(name)!
        .samples.map(({ labels, value }) => `${Object.values(labels).join(' ')} ${value}`)
        .toSorted();
    expect(values('tocsin_monitors')).toEqual(['http online 2', 'http paused 1', 'http pending 1']);
    expect(values('tocsin_incidents_open')).toEqual(['manual warning 2']);
    expect(values('tocsin_incidents_opened_total')).toEqual(['uptime critical 3']);
    expect(values('tocsin_incidents_ended_total')).toEqual(['uptime critical 2']);
    expect(values('tocsin_database_slow_queries_total')).toEqual(['read 1', 'scan 0', 'write 4']);
    expect(values('tocsin_database_up')).toEqual([' 1']);
    expect(values('tocsin_build_info')).toEqual([`1.2.3 ${process.version} 1`]);
  });

  test('scrapers share one count for five seconds', async () => {
    const database = await open();
    let scans = 0;
    const counted = {
      read: database.read,
      get scan() {
        scans += 1;
        return database.scan;
      },
    };
    const { clock, scrape } = scraping(counted);
    await Promise.all([scrape(), scrape(), scrape()]);
    await scrape();
    expect(scans).toBe(1);
    await clock.advance(5_000);
    await scrape();
    expect(scans).toBe(2);
  });
});

const never = { execute: () => new Promise(() => {}) };
/** A query that is never answered, however it is built. */
const unanswered: object = new Proxy(never, {
  get: (target, name) => Reflect.get(target, name) ?? (() => unanswered),
});

test('a database that does not answer is shown after two seconds, with all else', async () => {
  const hung = unanswered as Database['scan'];
  const { clock, scrape } = scraping({ read: hung, scan: hung });
  const scraped = scrape();
  await clock.advance(2_000);
  const families = await scraped;
  expect(families.get('tocsin_database_up')!.samples[0]!.value).toBe(0);
  expect(families.get('tocsin_monitors')!.samples).toEqual([]);
  expect(families.get('tocsin_incidents_opened_total')!.samples).toHaveLength(1);
});

test('behind a long export the last counts are shown, for five minutes', async () => {
  const database = await openInMemory();
  await createMonitor(database, NOW);
  let isBusy = false;
  const busy = {
    read: database.read,
    get scan() {
      return isBusy ? (unanswered as Database['scan']) : database.scan;
    },
  };
  const { clock, scrape } = scraping(busy);
  await scrape();
  isBusy = true;
  for (const [passedMs, shown] of [
    [60_000, 1],
    [240_000, 0],
  ] as const) {
    await clock.advance(passedMs);
    const scraped = scrape();
    await clock.advance(2_000);
    const families = await scraped;
    expect(families.get('tocsin_monitors')!.samples).toHaveLength(shown);
    expect(families.get('tocsin_database_up')!.samples[0]!.value).toBe(1);
  }
});

test('a database that fails is shown', async () => {
  const failing = {
    get read(): Database['read'] {
      throw new Error('away');
    },
    get scan(): Database['scan'] {
      throw new Error('away');
    },
  };
  const families = await scraping(failing).scrape();
  expect(families.get('tocsin_database_up')!.samples[0]!.value).toBe(0);
  expect(families.get('tocsin_monitors')!.samples).toEqual([]);
});
