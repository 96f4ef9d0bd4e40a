import { expect, test } from 'vitest';
import { eachDatabase } from '../../test/support/databases.ts';
import { parseExposition } from '../../test/support/exposition.ts';
import { createMonitor, importMonitors, firstIds } from '../../test/support/monitor-rows.ts';
import { MONITOR_METRICS } from '../lib/metric-table.ts';
import type { Database } from '../store/database/contract.ts';
import type { ProbeFilter } from '../store/resources/probe-results.ts';
import { monitorMetrics } from './monitor-metrics.ts';

const NOW = Date.UTC(2030, 0, 1);
const ALL: ProbeFilter = { teamId: null, tag: null };

async function scrape(database: Database, filter = ALL) {
  let text = '';
  for await (const piece of monitorMetrics(database, filter, NOW)) text += piece;
  return { text, families: parseExposition(text) };
}

const setState = (database: Database, id: number, state: object) =>
  database.transaction((tx) =>
    tx.updateTable('monitor_state').set(state).where('monitor_id', '=', id).execute(),
  );

const result = (more: object = {}) => ({
  responseTimeMs: 123.4,
  statusCode: 200,
  checkedAt: NOW - 10_000,
  failure: null,
  ...more,
});

eachDatabase((_engine, open) => {
  test('each monitor and region in the names of the blackbox exporter, without secrets [39.60]', async () => {
    const database = await open();
    const id = await createMonitor(database, NOW, {
      friendly_name: 'Shop "main"\\1\nDE',
      url: 'https://user:geheim@shop.example/path-geheim?key=geheim',
      host: 'shop.example',
      tags: '["shop"]',
    });
    const newest = {
      ash: result(),
      pdx: result({ failure: 'no_response', responseTimeMs: null, statusCode: null }),
      nbg: result({ checkedAt: NOW - 120_001 }),
    };
    await setState(database, id, {
      status: 'online',
      last_checked_at: NOW - 10_000,
      newest: JSON.stringify(newest),
    });
    const pending = await createMonitor(database, NOW, { friendly_name: null });
    const paused = await createMonitor(database, NOW, { is_paused: 1 });
    await setState(database, paused, { status: 'online', newest: JSON.stringify(newest) });

    const { text, families } = await scrape(database);
    expect([...families.keys()]).toEqual(Object.keys(MONITOR_METRICS));
    const labels = {
      monitor_id: String(id),
      monitor_name: 'Shop "main"\\1\nDE',
      monitor_type: 'http',
      host: 'shop.example',
      team_id: '1',
    };
    const samples = (name: string) => families.get(name)!.samples;
    expect(samples('tocsin_monitor_up')).toEqual([{ name: 'tocsin_monitor_up', labels, value: 1 }]);
    expect(samples('tocsin_monitor_observed')).toMatchObject([{ labels, value: 1 }]);
    expect(samples('tocsin_monitor_last_checked_timestamp_seconds')).toMatchObject([
      { labels, value: NOW / 1_000 - 10 },
    ]);
    expect(samples('probe_success')).toMatchObject([
      { labels: { ...labels, region: 'ash' }, value: 1 },
      { labels: { ...labels, region: 'pdx' }, value: 0 },
    ]);
    expect(samples('probe_duration_seconds')).toMatchObject([
      { labels: { region: 'ash' }, value: 0.1234 },
    ]);
    expect(samples('probe_http_status_code')).toMatchObject([
      { labels: { region: 'ash' }, value: 200 },
    ]);
    for (const [name, { samples: found }] of families) {
      const { labels: documented } = MONITOR_METRICS[name as keyof typeof MONITOR_METRICS];
      for (const sample of found) expect(Object.keys(sample.labels)).toEqual(documented);
    }
    expect(text).not.toContain('geheim');
    expect(text).not.toContain(`monitor_id="${paused}"`);
    expect(text).not.toContain(`monitor_id="${pending}"`);
  });

  test('the earliest end of a certificate that clients need is shown', async () => {
    const database = await open();
    const id = await createMonitor(database, NOW);
    const facts = {
      certificate: { validTo: NOW + 9_000 },
      chain: [{ validTo: NOW + 5_000 }, { validTo: NOW + 1_000, isSpare: true }],
    };
    await database.transaction(async (tx) => {
      const target = { kind: 'ssl', target: 'target.example:443' };
      await tx
        .insertInto('inspection')
        .values({
          ...target,
          facts: JSON.stringify(facts),
          claim: 0,
          unknown_run: 0,
          is_recheck: 0,
          is_open: 0,
        } as never)
        .execute();
      await tx
        .insertInto('monitor_inspection')
        .values({ monitor_id: id, ...target })
        .execute();
    });
    const { families } = await scrape(database);
    expect(families.get('probe_ssl_earliest_cert_expiry')!.samples).toMatchObject([
      { labels: { monitor_id: String(id), host: 'target.example' }, value: NOW / 1_000 + 5 },
    ]);
  });

  test('monitors are filtered by team and tag, and read in pages', async () => {
    const database = await open();
    const first = await createMonitor(database, NOW, { team_id: 2, tags: '["shop"]' });
    const ids = firstIds(1_002).filter((id) => id !== first);
    await importMonitors(database, ids, NOW);
    await database.transaction((tx) =>
      tx
        .updateTable('monitor_state')
        .set({ status: 'offline', newest: JSON.stringify({ ash: result() }) })
        .execute(),
    );
    const count = async (filter: Partial<ProbeFilter>) => {
      const { families } = await scrape(database, { ...ALL, ...filter });
      const { samples } = families.get('probe_success')!;
      expect(families.get('tocsin_monitor_up')!.samples).toHaveLength(samples.length);
      return samples.length;
    };
    expect(await count({})).toBe(1_002);
    expect(await count({ teamId: 2 })).toBe(1);
    expect(await count({ tag: 'shop' })).toBe(1);
    expect(await count({ teamId: 1, tag: 'shop' })).toBe(0);
  });
});
