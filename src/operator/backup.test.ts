import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { giveChannel, giveEndpoint, giveTeam } from '../../test/support/deliveries.ts';
import { freshDirectory } from '../../test/support/directories.ts';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createMonitor } from '../../test/support/monitor-rows.ts';
import { openSecretKey } from '../identity/secret-key.ts';
import { createSecretBox } from '../lib/secret-box.ts';
import { openDatabase, type OpenDatabase } from '../store/database/database.ts';
import { lockDirectory } from '../store/database/process-lock.ts';
import { backup as runBackup } from './backup.ts';
import type { LocalCommand, LocalContext } from './command.ts';
import { finishRestore, restore as runRestore, restoreSteps } from './restore.ts';
import { insertRows, updateRows } from '../../test/support/rows.ts';

async function install() {
  const fresh = await freshDirectory();
  onTestFinished(fresh.remove);
  const elsewhere = await freshDirectory();
  onTestFinished(elsewhere.remove);
  const dataDir = fresh.place;
  const context: LocalContext = {
    dataDir,
    databaseUrl: null,
    regions: [{ code: 'ash', keyVersion: 1 }],
    secretKeys: [],
    allowMissingKeys: false,
    clock: createFakeClock({ now: Date.UTC(2026, 10, 21, 12) }),
    randomBytes,
  };
  const run = async (
    command: LocalCommand['run'],
    file: string,
    more: Partial<LocalContext> & { force?: boolean } = {},
  ) => {
    const said: string[] = [];
    const { force = false, ...settings } = more;
    const given = { positionals: [file], options: { force }, password: null };
    const hear = async (words: string) => void said.push(words.trimEnd());
    await command({ ...context, ...settings }, given, { out: hear, note: hear });
    return said;
  };
  return {
    dataDir,
    file: path.join(elsewhere.place, 'tocsin.backup'),
    backup: (file: string, more = {}) => run(runBackup, file, more),
    restore: (file: string, more = {}) => run(runRestore, file, more),
    open: () => openDatabase({ engine: 'sqlite', directory: dataDir }),
    key: () => openSecretKey(dataDir, randomBytes),
  };
}

/** A monitor whose credentials are sealed with that key. */
const keepSecret = (database: OpenDatabase, key: string, secret: string) =>
  createMonitor(database, 1, {
    auth_type: 'bearer',
    auth_password: createSecretBox([key]).of('monitor', 1).seal(secret, 'auth_password'),
  });

async function secrets(database: OpenDatabase, key: string): Promise<string[]> {
  const rows = await database.read.selectFrom('monitor').select('auth_password').execute();
  return rows.map((row) =>
    createSecretBox([key]).of('monitor', 1).open(row.auth_password!, 'auth_password'),
  );
}

test('a restore drops later writes, and sealed secrets open', async () => {
  const { file, backup, restore, open, key, dataDir } = await install();
  const database = await open();
  await keepSecret(database, await key(), 'before');
  // The database is open, as it is while the server runs.
  const said = await backup(file);
  expect(said).toEqual([
    expect.stringMatching(
      /^Backed up to .+: \d.+ [kM]B, 0 people, 0 teams, 1 monitor and 0 incidents, at 0\d+-\S+\.$/,
    ),
    expect.stringContaining(`${file}.secret-key`),
  ]);
  expect(readdirSync(path.dirname(file)).toSorted()).toEqual([
    'tocsin.backup',
    'tocsin.backup.secret-key',
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(`${file}.secret-key`).mode & 0o777).toBe(0o600);
  await keepSecret(database, await key(), 'after');
  await database.close();

  expect(await restore(file)).toEqual([
    expect.stringContaining('1 monitor'),
    'The former database is kept beside it as tocsin.db.before-restore-2026-11-21T120000Z.',
    expect.stringContaining('Start the server now.'),
  ]);
  const restored = await open();
  onTestFinished(restored.close);
  expect(await secrets(restored, await key())).toEqual(['before']);
  const kept = new DatabaseSync(`${dataDir}/tocsin.db.before-restore-2026-11-21T120000Z`);
  expect(kept.prepare('select count(*) as n from monitor').get()).toEqual({ n: 2 });
  kept.close();
});

test('on another machine the key is restored, too, and the former one is kept [39.30]', async () => {
  const here = await install();
  const there = await install();
  const source = await here.open();
  const key = await here.key();
  await keepSecret(source, key, 'mine');
  await here.backup(here.file);
  await source.close();
  const former = await there.key();
  const own = await there.open();
  await own.close();

  expect(await there.restore(here.file)).toContainEqual(
    'The former secret key is kept beside it as secret-key.before-restore-2026-11-21T120000Z.',
  );
  expect(await there.key()).toBe(key);
  const kept = `${there.dataDir}/secret-key.before-restore-2026-11-21T120000Z`;
  expect(readFileSync(kept, 'utf8').trim()).toBe(former);
  expect(statSync(`${there.dataDir}/secret-key`).mode & 0o777).toBe(0o600);
  const restored = await there.open();
  onTestFinished(restored.close);
  expect(await secrets(restored, await there.key())).toEqual(['mine']);
});

describe('a wrong key is reported', () => {
  test('for a missing key file', async () => {
    const here = await install();
    const there = await install();
    const source = await here.open();
    await keepSecret(source, await here.key(), 'mine');
    await here.backup(here.file);
    await source.close();
    rmSync(`${here.file}.secret-key`);
    expect((await there.restore(here.file)).join('\n')).toContain('there is no key for them');
    await there.key();
    expect((await there.restore(here.file)).join('\n')).toContain('sealed with another key');
  });

  test.each<[what: string, keep: (database: OpenDatabase, sealed: string) => Promise<unknown>]>([
    [
      'a webhook endpoint',
      async (database, url) => {
        const teamId = await giveTeam(database);
        await giveEndpoint(database, teamId, 'https://hooks.example.com', { url });
      },
    ],
    [
      'a channel',
      async (database, settings) => {
        const { destinationId } = await giveChannel(database, await giveTeam(database));
        await updateRows(
          database,
          'alert_channel',
          { settings },
          { destination_id: destinationId },
        );
      },
    ],
  ])('where nothing but %s is sealed, too', async (_what, keep) => {
    const { file, backup, restore, open } = await install();
    const source = await open();
    await keep(
      source,
      createSecretBox(['a key of the operator']).of('webhook_endpoint', 1).seal('mine', 'url'),
    );
    const secretKeys = ['a key of the operator'];
    await backup(file, { secretKeys });
    await source.close();
    expect((await restore(file, { secretKeys: ['another one'] })).join('\n')).toContain(
      'Add the key of that time to SECRET_KEY, after a comma',
    );
    expect((await restore(file, { secretKeys })).join('\n')).not.toContain('SECRET_KEY');
  });

  test('for SECRET_KEY, and a fitting one is not', async () => {
    const { file, backup, restore, open } = await install();
    const source = await open();
    await keepSecret(source, 'a key of the operator', 'mine');
    const secretKeys = ['a key of the operator'];
    expect((await backup(file, { secretKeys })).join('\n')).toContain('keep its value too');
    expect(existsSync(`${file}.secret-key`)).toBe(false);
    await source.close();
    expect((await restore(file, { secretKeys: ['another one'] })).join('\n')).toContain(
      'Add the key of that time to SECRET_KEY, after a comma',
    );
    expect((await restore(file, { secretKeys })).join('\n')).not.toContain('SECRET_KEY');
  });
});

test('a backup is a snapshot, also during constant writes [39.27]', async () => {
  const { file, backup, open } = await install();
  const database = await open();
  onTestFinished(database.close);
  // Two rows at a time: an odd number would be half a transaction.
  const stop = new AbortController();
  let transactions = 0;
  const writing = (async () => {
    while (!stop.signal.aborted) {
      const names = [`a${transactions}`, `b${transactions}`];
      transactions += 1;
      await insertRows(
        database,
        'setting',
        names.map((name) => ({ name, value: 'x'.repeat(2_000) })),
      );
      await new Promise((resolve) => void setImmediate(resolve));
    }
  })();
  await expect.poll(() => transactions).toBeGreaterThan(100);
  for (let round = 0; round < 5; round += 1) {
    await backup(file, { force: true });
    const copy = new DatabaseSync(file, { readOnly: true });
    const ofTransactions = `name glob 'a[0-9]*' or name glob 'b[0-9]*'`;
    const { n } = copy
      .prepare(`select count(*) as n from setting where ${ofTransactions}`)
      .get() as { n: number };
    copy.close();
    expect(n).toBeGreaterThan(100);
    expect(n % 2).toBe(0);
  }
  stop.abort();
  await writing;
});

describe('a backup is refused', () => {
  test('for an existing or unusable target, which stays unchanged [39.28]', async () => {
    const { dataDir, file, backup, open, key } = await install();
    await expect(backup(file)).rejects.toThrow(`There is no database in ${dataDir}`);
    await (await open()).close();
    await key();
    writeFileSync(file, 'precious');
    await expect(backup(file)).rejects.toThrow('exists already: choose another name');
    expect(readFileSync(file, 'utf8')).toBe('precious');
    await expect(backup(`${file}/no/folder`)).rejects.toThrow('There is no folder');
    for (const name of ['tocsin.db', 'secret-key', 'lock.db']) {
      await expect(backup(`${dataDir}/${name}`, { force: true })).rejects.toThrow(
        'is a file of the server itself',
      );
    }
    rmSync(file);
    writeFileSync(`${file}.secret-key`, 'the key of another installation');
    await expect(backup(file)).rejects.toThrow('exists already, with another key');
    expect(await backup(file, { force: true })).toHaveLength(2);
  });

  test('for a damaged database, and leaves no copy', async () => {
    const { dataDir, file, backup, open } = await install();
    await (await open()).close();
    const bytes = readFileSync(`${dataDir}/tocsin.db`);
    bytes.fill(0x55, 4096, 12_288);
    writeFileSync(`${dataDir}/tocsin.db`, bytes);
    await expect(backup(file)).rejects.toThrow(/^The backup failed: of the database it /);
    expect(readdirSync(path.dirname(file))).toEqual([]);
  });

  test('on Postgres, with what to run instead [39.32]', async () => {
    const { file, backup, restore } = await install();
    const databaseUrl = 'postgres://user:secret@db/tocsin';
    await expect(backup(file, { databaseUrl })).rejects.toThrow(
      'pg_dump --format=custom --file=tocsin.dump "$DATABASE_URL"',
    );
    await expect(restore(file, { databaseUrl })).rejects.toThrow(
      'pg_restore --no-owner --exit-on-error --single-transaction --dbname="$RESTORED_URL" tocsin.dump',
    );
  });
});

describe('a restore is refused, and nothing is changed [39.29]', () => {
  const refusals: [string, (file: string, dataDir: string) => string, string][] = [
    ['without a file', (file) => `${file}.missing`, 'There is no file'],
    ['of a folder', (file) => path.dirname(file), 'is no file'],
    ['of the present database', (_, dataDir) => `${dataDir}/tocsin.db`, 'is the present database'],
    ['of something else', (file) => written(file, 'a letter to my aunt'), "can't be restored: it"],
    ['of nothing', (file) => written(file, ''), 'it is no database of Tocsin'],
    ["of somebody else's", (file) => databaseWith(file, 'create table t (a)'), 'no database of'],
    [
      'of a newer version',
      (file) =>
        databaseWith(
          file,
          "create table kysely_migration (name text); insert into kysely_migration values ('0001-baseline'), ('9999-far')",
        ),
      'written by a newer version of Tocsin (it has 9999-far)',
    ],
    [
      'of a database in use',
      (file) => {
        written(`${file}-wal`, 'log');
        return written(file, 'x');
      },
      'is a database in use, not a backup',
    ],
  ];
  test.each(refusals)('%s', async (_, make, message) => {
    const { dataDir, file, restore, open, key } = await install();
    const database = await open();
    await keepSecret(database, await key(), 'kept');
    await database.close();
    const before = readFileSync(`${dataDir}/tocsin.db`);
    await expect(restore(make(file, dataDir))).rejects.toThrow(message);
    expect(readFileSync(`${dataDir}/tocsin.db`).equals(before)).toBe(true);
    expect(readdirSync(dataDir).toSorted()).toEqual(['lock.db', 'secret-key', 'tocsin.db']);
  });

  test('while a server runs', async () => {
    const { dataDir, file, restore } = await install();
    const lock = lockDirectory(dataDir);
    onTestFinished(() => lock.release());
    await expect(restore(file)).rejects.toThrow(`A server runs on ${dataDir}: stop it first.`);
  });
});

test('a damaged database is replaced and kept with its log', async () => {
  const { dataDir, file, backup, restore, open, key } = await install();
  const database = await open();
  await keepSecret(database, await key(), 'good');
  await backup(file);
  await database.close();
  writeFileSync(`${dataDir}/tocsin.db`, 'no database any more'.repeat(500));
  writeFileSync(`${dataDir}/tocsin.db-wal`, 'nor a log');
  await restore(file);
  const restored = await open();
  onTestFinished(restored.close);
  expect(await secrets(restored, await key())).toEqual(['good']);
  const kept = `${dataDir}/tocsin.db.before-restore-2026-11-21T120000Z`;
  expect(readFileSync(kept, 'utf8')).toContain('no database any more');
  expect(readFileSync(`${kept}-wal`, 'utf8')).toBe('nor a log');
});

test('a restore killed after any of its steps is finished by the next process that opens the folder [39.31]', async () => {
  const stamp = '2026-11-21T120000Z';
  const count = restoreSteps('', stamp).length;
  for (let killedAfter = 0; killedAfter <= count; killedAfter += 1) {
    const { dataDir } = await install();
    for (const [name, content] of [
      ['tocsin.db', 'old'],
      ['tocsin.db-wal', 'old log'],
      ['tocsin.db-shm', 'old index'],
      ['secret-key', 'old key'],
      ['tocsin.db.restoring', 'new'],
      ['secret-key.restoring', 'new key'],
      ['restore-pending', `${stamp}\n`],
    ] as const) {
      written(`${dataDir}/${name}`, content);
    }
    for (const step of restoreSteps(dataDir, stamp).slice(0, killedAfter)) await step();
    await finishRestore(dataDir);
    await finishRestore(dataDir);
    const found = readdirSync(dataDir).toSorted();
    const contents = found.map((name) => [name, readFileSync(`${dataDir}/${name}`, 'utf8')]);
    expect(Object.fromEntries(contents), `killed after ${killedAfter}`).toEqual({
      'tocsin.db': 'new',
      'secret-key': 'new key',
      [`tocsin.db.before-restore-${stamp}`]: 'old',
      [`tocsin.db.before-restore-${stamp}-wal`]: 'old log',
      [`secret-key.before-restore-${stamp}`]: 'old key',
    });
  }
});

test('a restore killed before its first step has changed nothing', async () => {
  const { dataDir } = await install();
  written(`${dataDir}/tocsin.db`, 'old');
  written(`${dataDir}/tocsin.db.restoring`, 'half of the new');
  await finishRestore(dataDir);
  expect(readFileSync(`${dataDir}/tocsin.db`, 'utf8')).toBe('old');
});

function written(file: string, content: string): string {
  writeFileSync(file, content);
  return file;
}

function databaseWith(file: string, statements: string): string {
  const database = new DatabaseSync(file);
  database.exec(statements);
  database.close();
  return file;
}
