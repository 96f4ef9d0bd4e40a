import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { SHARD_COUNT } from '../../src/model/monitor.ts';
import { freshPostgres, postgres } from '../support/databases.ts';
import { roundsOf, untilOwned } from '../support/pair.ts';
import { openPatiently } from '../support/patient-postgres.ts';
import { createMonitors, PATIENTLY, untilAll, useServices } from '../support/service.ts';
import type { Service } from '../support/service.ts';
import { startTarget } from '../support/target-server.ts';

const services = useServices();
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const MIGRATION = '9000-next';
/** Tables that a process reads and writes all the time, by statements that its connections keep. */
const WIDENED =
  'monitor monitor_state status_span incident ping delivery destination alert setting shard node person team member token';
const MONITORS = 6;

/** This tree as a later release, whose migration adds a column to each of these tables, and a table. */
function makeNextRelease(place: string): void {
  for (const part of ['src', 'package.json'])
    cpSync(`${ROOT}${part}`, `${place}/${part}`, { recursive: true });
  symlinkSync(`${ROOT}node_modules`, `${place}/node_modules`);
  const list = `${place}/src/store/database/migrations/index.ts`;
  const text = readFileSync(list, 'utf8');
  const end = '\n];\n';
  expect(text.split(end)).toHaveLength(2);
  const statements = [
    'create table next_release (id integer primary key)',
    ...WIDENED.split(' ').map(
      (table) => `alter table ${table} add column next_release text default 'none'`,
    ),
  ];
  const line = `\n  { name: '${MIGRATION}', statements: () => ${JSON.stringify(statements)} },`;
  writeFileSync(list, text.replace(end, line + end));
}

test.skipIf('missing' in postgres)(
  'a process of this release goes on beside one of the next, whose migration adds, and is started again [39.17]',
  async () => {
    const next = await services.folder();
    makeNextRelease(next);
    const { place, remove } = await freshPostgres();
    services.use({ close: remove });
    const database = services.use(await openPatiently(place));
    const target = services.use(await startTarget());
    const settings = { DATABASE_URL: place, SECRET_KEY: 'a key for the process tests' };
    const start = async (program?: string) =>
      services.start({ ...settings, DATA_DIR: await services.folder() }, null, program);

    const before = await start();
    const ids = await createMonitors(before, MONITORS, (index) => ({
      url: target.url(`/${index}`),
      check_interval: 0.5,
    }));
    await untilAll(before, ids, 'online');

    const after = await start(`${next}/src/start.js`);
    expect(after.stdout).toContain(`"migrations":["${MIGRATION}"]`);
    const added = await sql`select next_release from monitor`.execute(database.read);
    expect(added.rows).toHaveLength(MONITORS);
    await untilOwned(database, [SHARD_COUNT / 2, SHARD_COUNT / 2]);
    await Promise.all([expectRounds(before), expectRounds(after)]);
    await expectEdits([before, after], ids);
    expect(before.stderr + before.stdout).not.toContain('"level":"error"');

    await before.kill();
    const again = await start();
    expect(again.stdout).toContain('A newer release has migrated the database');
    await untilOwned(database, [SHARD_COUNT / 2, SHARD_COUNT / 2]);
    await expectEdits([again, after], ids);
    // The way back.
    await after.stop();
    await untilOwned(database, [SHARD_COUNT]);
    await expectRounds(again, MONITORS);
  },
);

/** Sees that many further rounds of a process. */
async function expectRounds(service: Service, count = 1): Promise<void> {
  const before = await roundsOf(service, 'counted');
  await expect
    .poll(() => roundsOf(service, 'counted'), PATIENTLY)
    .toBeGreaterThanOrEqual(before + count);
}

/** Edits monitors at each process, as many as there are, and sees that all of them show it. */
async function expectEdits(all: readonly Service[], ids: readonly number[]): Promise<void> {
  for (const [index, service] of all.entries()) {
    for (const id of ids) {
      const name = `Monitor ${id} as ${index}`;
      const { status } = await service.put(`/api/v1/monitors/${id}`, { friendly_name: name });
      expect(status).toBe(200);
      for (const reader of all) {
        const shown = async () =>
          (await reader.get(`/api/v1/monitors/${id}`)).body['friendly_name'];
        await expect.poll(shown, PATIENTLY).toBe(name);
      }
    }
  }
}
