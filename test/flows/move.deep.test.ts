import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock, type Clock } from '../../src/lib/clock.ts';
import { createSecretBox } from '../../src/lib/secret-box.ts';
import type { LocalContext } from '../../src/operator/command.ts';
import { move as moveInstallation } from '../../src/operator/move.ts';
import { openDatabase } from '../../src/store/database/database.ts';
import { lockDirectory } from '../../src/store/database/process-lock.ts';
import { moveDatabase, type MoveResult, type Phase } from '../../src/store/move/move.ts';
import { MoveSource } from '../../src/store/move/source.ts';
import { MoveTarget, migrateTarget } from '../../src/store/move/target.ts';
import { freshDirectory, freshPostgres, postgres } from '../support/databases.ts';
import { createMonitor } from '../support/monitor-rows.ts';
import {
  changeSqlite,
  createOddRows,
  inPostgres,
  rowsOfPostgres,
  rowsOfSqlite,
} from '../support/odd-rows.ts';
import { startProxy } from '../support/tcp-proxy.ts';

type Content = 'odd rows' | 'tables';

/** A folder with rows in every table, an empty Postgres database, and the command between them. */
async function settle(content: Content = 'odd rows') {
  const from = await freshDirectory();
  onTestFinished(from.remove);
  const to = await freshPostgres('empty');
  onTestFinished(to.remove);
  const dataDir = from.place;
  writeFileSync(path.join(dataDir, 'tocsin.db'), await (sources[content] ??= sourceOf(content)));
  return { dataDir, url: to.place, ...commandFor(dataDir, to.place) };
}

/** The bytes of each source, made once: migrating takes longer than most moves. */
const sources: Partial<Record<Content, Promise<Buffer>>> = {};

async function sourceOf(content: Content): Promise<Buffer> {
  const { place, remove } = await freshDirectory();
  if (content === 'odd rows') await createOddRows(place);
  else await (await openDatabase({ engine: 'sqlite', directory: place })).close();
  const bytes = readFileSync(path.join(place, 'tocsin.db'));
  await remove();
  return bytes;
}

function commandFor(dataDir: string, url: string) {
  const context: LocalContext = {
    dataDir,
    databaseUrl: null,
    secretKeys: [],
    allowMissingKeys: true,
    regions: [],
    clock: systemClock,
    randomBytes,
  };
  const said: string[] = [];
  const move = async (
    options: Record<string, string | boolean> = {},
    more: Partial<LocalContext> = {},
  ) => {
    said.length = 0;
    const hear = async (words: string) => void said.push(words.trimEnd());
    const given = { positionals: [], options: { to: url, ...options }, password: null };
    await moveInstallation({ ...context, ...more }, given, { out: hear, note: hear });
    return said.join('\n');
  };
  return { move, said };
}

/** What the tables of a database are, besides their rows. */
const layoutOf = (url: string) =>
  inPostgres(url, async (client) => {
    const query = async (text: string) => (await client.query(text)).rows as unknown[];
    return [
      await query(`select conrelid::regclass::text as table, conname, pg_get_constraintdef(oid), convalidated
        from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`),
      await query(`select tgrelid::regclass::text as table, tgname, tgenabled from pg_trigger
        where not tgisinternal order by 1, 2`),
      await query(
        `select tablename, indexname, indexdef from pg_indexes where schemaname = 'public' order by 1, 2`,
      ),
    ];
  });

const nextId = (url: string, table: string) =>
  inPostgres(url, async (client) => {
    const text = `select nextval(pg_get_serial_sequence($1, 'id')) as id`;
    const { rows } = await client.query<{ id: number }>(text, [table]);
    return rows[0]!.id;
  });

describe.skipIf('missing' in postgres)('on Postgres', () => {
  test('every row of every table is the same after a move, and the source is as it was [39.61]', async () => {
    const { dataDir, url, move } = await settle();
    const file = path.join(dataDir, 'tocsin.db');
    const before = readFileSync(file);
    const said = await move();
    expect(readFileSync(file).equals(before)).toBe(true);
    const source = rowsOfSqlite(dataDir);
    expect(Math.min(...[...source.values()].map((rows) => rows.length))).toBeGreaterThanOrEqual(5);
    expect(await rowsOfPostgres(url)).toEqual(source);
    expect(said).toMatch(/^Copying [\d,]+ rows of \d+ tables\.\nComparing /);
    expect(said).toMatch(/Moved and compared \d+ rows of \d+ tables in \d+ s: all are the same\./);
    expect(said).toContain('DATABASE_URL ');
    expect(await move({ 'verify-only': true })).toMatch(/Compared \d+ rows .+ all are the same\./);
  });

  test('the tables are those of a new database: foreign keys, triggers, indexes', async () => {
    const { url, move } = await settle('tables');
    await move();
    const fresh = await freshPostgres('tables');
    onTestFinished(fresh.remove);
    expect(await layoutOf(url)).toEqual(await layoutOf(fresh.place));
    expect(await nextId(url, 'team')).toBe(1);
  });

  test('a row that is not the same in the target is found, and named by its key [39.61]', async () => {
    const { url, move } = await settle();
    await move();
    const changes = [
      `update incident set root_cause = 'another' where id = 4`,
      `update team set plan = null where id = 3`,
      `delete from budget where key like '3%'`,
      `insert into setting (name, value) values ('zz', '')`,
      `insert into round_20261120 (monitor_id, at, data) values (3, 1, '')`,
    ];
    await inPostgres(url, async (client) => {
      for (const change of changes) await client.query(change);
    });
    const found = move({ 'verify-only': true });
    await expect(found).rejects.toThrow('incident 4: differs in root_cause');
    await expect(found).rejects.toThrow('team 3: differs in plan');
    await expect(found).rejects.toThrow('budget "3tab\\tline\\nend\\\\N \\\\.": not in the target');
    await expect(found).rejects.toThrow('budget: 5 rows in the source, 4 in the target');
    await expect(found).rejects.toThrow('setting "zz": only in the target');
    await expect(found).rejects.toThrow('round_20261120 3, 1: only in the target');
  });

  test('a difference that is found during the move leaves the target empty', async () => {
    const { dataDir, url, move } = await settle();
    const result = await moveOnce(dataDir, url, {
      async onPhase(phase, { client }) {
        if (phase === 'compare')
          await client.query(`update activity set description = 'another' where id = 1`);
      },
    });
    expect(result.unlike).toMatchObject([
      { table: 'activity', differences: [{ kind: 'changed' }] },
    ]);
    await expect(move({ 'verify-only': true })).rejects.toThrow('The target is empty');
    expect(await move()).toContain('all are the same');
    expect(await rowsOfPostgres(url)).toEqual(rowsOfSqlite(dataDir));
  });

  test('ended after any step, the move leaves the target empty, and can be run again [39.62]', async () => {
    const { dataDir, url, move } = await settle();
    for (const steps of [1, 60, 300]) {
      const crash = new Error('crash');
      let left = steps;
      const ended = moveOnce(dataDir, url, {
        async onStep() {
          left -= 1;
          if (left === 0) throw crash;
        },
      });
      await expect(ended).rejects.toBe(crash);
      const rows = [...(await rowsOfPostgres(url))].filter(([, all]) => all.length > 0);
      expect(rows.map(([name]) => name)).toEqual(['shard']);
    }
    expect(await move()).toContain('all are the same');
    expect(await rowsOfPostgres(url)).toEqual(rowsOfSqlite(dataDir));
  });

  test.each(['is cut off', 'freezes'])('a target that %s ends the move [39.62]', async (how) => {
    const { dataDir, url, move } = await settle();
    const { searchParams, pathname } = new URL(url);
    const line = await startProxy(`${searchParams.get('host')}/.s.PGSQL.5432`);
    onTestFinished(line.close);
    let steps = 0;
    const ended = moveOnce(dataDir, `postgres://tocsin@127.0.0.1:${line.port}${pathname}`, {
      // A minute takes a second.
      clock: {
        ...systemClock,
        after: (milliseconds, call) => systemClock.after(milliseconds / 60, call),
      },
      async onStep() {
        steps += 1;
        if (steps === 60) await (how === 'freezes' ? line.freeze() : line.close());
      },
    });
    await expect(ended).rejects.toThrow('not available');
    // A batch that was under way may still be answered.
    expect(steps).toBeLessThan(65);
    await line.close();
    await vi.waitFor(async () => expect(await move()).toContain('all are the same'), 20_000);
    expect(await rowsOfPostgres(url)).toEqual(rowsOfSqlite(dataDir));
  });

  test('while a move runs, neither another one nor a server starts on its target [39.62]', async () => {
    const { dataDir, url, move } = await settle();
    let isTried = false;
    await moveOnce(dataDir, url, {
      async onStep() {
        if (isTried) return;
        isTried = true;
        await expect(moveOnce(dataDir, url)).rejects.toThrow('Another move to this database');
        await expect(openDatabase({ engine: 'postgres', url })).rejects.toThrow('is running');
      },
    });
    expect(await rowsOfPostgres(url)).toEqual(rowsOfSqlite(dataDir));
    await expect(move()).rejects.toThrow('holds an installation already');
    await (await openDatabase({ engine: 'postgres', url })).close();
  });

  test('NUL characters become U+FFFD, and are counted', async () => {
    const { dataDir, url, move } = await settle();
    changeSqlite(dataDir, (file) => {
      file.prepare('update incident set root_cause = ? where id in (1, 3)').run('a\0b\0');
      file.prepare('update team set name = ? where id = 1').run('\0');
    });
    const said = await move();
    expect(said).toContain('2 texts of incident held NUL characters');
    expect(said).toContain('1 texts of team held NUL characters');
    const [incident] = await inPostgres(url, async (client) => {
      return (await client.query('select root_cause from incident where id = 3')).rows as object[];
    });
    expect(incident).toEqual({ root_cause: 'a\ufffdb\ufffd' });
  });

  test('a NUL character in a key is refused', async () => {
    const { dataDir, move } = await settle('tables');
    changeSqlite(dataDir, (file) =>
      file.prepare('insert into setting (name, value) values (?, ?)').run('a\0b', ''),
    );
    await expect(move()).rejects.toThrow('the key "a\\u0000b" holds a NUL character');
  });

  test('a target that holds an installation is refused, and stays as it is [39.63]', async () => {
    const { move, url } = await settle('tables');
    await migrateTarget(url);
    await inPostgres(url, (client) =>
      client.query(`insert into setting (name, value) values ('a', 'b')`),
    );
    await expect(move()).rejects.toThrow('holds an installation already');
    expect((await rowsOfPostgres(url)).get('setting')).toHaveLength(1);
  });

  test('a target with tables of another program is refused, and they stay as they are [39.63]', async () => {
    const { move, url } = await settle('tables');
    const create = () =>
      inPostgres(url, (client) =>
        client.query('create table another (id int8); insert into another values (1)'),
      );
    await create();
    await expect(move()).rejects.toThrow('tables of another program, such as another');
    expect((await rowsOfPostgres(url)).get('another')).toHaveLength(1);
    await inPostgres(url, (client) => client.query('drop table another'));
    await migrateTarget(url);
    await create();
    await expect(move()).rejects.toThrow('holds an installation already');
    expect((await rowsOfPostgres(url)).get('another')).toHaveLength(1);
  });

  test('a target with tables of another version is refused [39.63]', async () => {
    const { move, url } = await settle('tables');
    await migrateTarget(url);
    await inPostgres(url, (client) =>
      client.query(
        `delete from kysely_migration where name = (select max(name) from kysely_migration)`,
      ),
    );
    await expect(move()).rejects.toThrow('of another version of Tocsin');
  });

  test('a source of another version is refused [39.63]', async () => {
    const { dataDir, move } = await settle('tables');
    changeSqlite(dataDir, (file) => file.exec(`delete from kysely_migration`));
    await expect(move()).rejects.toThrow(/The source is of another version .+run "migrate" first/);
  });

  test('a source that a server uses is refused [39.63]', async () => {
    const { dataDir, move } = await settle('tables');
    const lock = lockDirectory(dataDir);
    onTestFinished(() => lock.release());
    await expect(move()).rejects.toThrow(
      /A server runs on .+: stop it first, also one started with --paused/,
    );
  });

  test('keys that can not read the stored secrets are refused [39.63]', async () => {
    const { dataDir, move } = await settle('tables');
    const database = await openDatabase({ engine: 'sqlite', directory: dataDir });
    const key = 'a key of sixteen or more characters';
    await createMonitor(database, 1, {
      auth_password: createSecretBox([key]).of('monitor', 1).seal('secret', 'auth_password'),
    });
    await database.close();
    const strict = { allowMissingKeys: false };
    await expect(move({}, strict)).rejects.toThrow('1 password of monitors');
    await expect(
      move({}, { ...strict, secretKeys: ['another key, of another day'] }),
    ).rejects.toThrow('Stored secrets need a key that is not there');
    expect(await move({}, { ...strict, secretKeys: [key] })).toContain('SECRET_KEY ');
  });

  test('the address may be in a file', async () => {
    const { dataDir, url, move } = await settle('tables');
    const file = path.join(dataDir, 'address');
    await expect(move({ 'to-file': file })).rejects.toThrow(`${file} can't be read`);
    writeFileSync(file, `${url}\n`);
    expect(await move({ 'to-file': file, to: '' })).toContain(`DATABASE_URL_FILE ${file}`);
  });

  test.each([
    [{ to: 'mysql://here' }, {}, '--to must be a URL such as postgres://'],
    [{}, { databaseUrl: 'postgres://there/db' }, 'on Postgres already'],
    [{}, { dataDir: '/nowhere-at-all/data' }, 'There is no database in /nowhere-at-all/data'],
  ])('refuses %j with %j', async (options, more, message) => {
    const { move } = await settle('tables');
    await expect(move(options, more)).rejects.toThrow(message);
  });
});

/** Moves with batches of two rows. */
async function moveOnce(
  dataDir: string,
  url: string,
  hooks: {
    onStep?(): Promise<void>;
    onPhase?(phase: Phase, target: MoveTarget): Promise<void>;
    clock?: Clock;
  } = {},
): Promise<MoveResult> {
  const { onStep = async () => {}, onPhase = async () => {}, clock = systemClock } = hooks;
  const source = new MoveSource(path.join(dataDir, 'tocsin.db'));
  const target = await MoveTarget.connect(url, clock);
  const observer = {
    onPhase: (phase: Phase) => onPhase(phase, target),
    onReplaced: async () => {},
    onStep,
  };
  const limits = { rows: 2, bytes: 1_000_000 };
  try {
    return await moveDatabase({ source, target, observer, limits }, () => migrateTarget(url));
  } finally {
    await target.close();
    source.close();
  }
}
