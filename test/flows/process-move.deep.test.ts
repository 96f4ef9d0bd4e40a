import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openSecretKey } from '../../src/identity/secret-key.ts';
import { openDatabase } from '../../src/store/database/database.ts';
import { answersOf, fillForAnswers } from '../support/answers.ts';
import { freshDirectory, freshPostgres, postgres } from '../support/databases.ts';
import { rowsOfPostgres, rowsOfSqlite } from '../support/odd-rows.ts';

vi.setConfig({ testTimeout: 300_000 });

const PROGRAM = fileURLToPath(new URL('../../src/tocsin.js', import.meta.url));
/** How often a move is killed, at this many parts of its work and a bit. */
const KILLS = 8;

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

function launchMove(dataDir: string, url: string) {
  const child = spawn(process.execPath, [PROGRAM, 'move', '--to', url], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  return { child, ended, output: Promise.all([text(child.stdout), text(child.stderr)]) };
}

/** Rows that were copied and compared so far; 0 before the move has begun, null without one. */
async function rowsDone(client: pg.Client): Promise<number | null> {
  try {
    const { rows } = await client.query<{ done: string }>(
      'select sum(copied_rows) + sum(verified_rows) as done from tocsin_move_table',
    );
    return Number(rows[0]!.done);
  } catch {
    return null;
  }
}

describe.skipIf('missing' in postgres)('on Postgres', () => {
  test('killed again and again, a move goes on until it is done, and the service answers as before [39.61, 39.62]', async () => {
    const from = await freshDirectory();
    cleanups.push(from.remove);
    const elsewhere = await freshDirectory();
    cleanups.push(elsewhere.remove);
    const to = await freshPostgres('empty');
    cleanups.push(to.remove);
    const client = new pg.Client({ connectionString: to.place });
    await client.connect();
    cleanups.push(() => client.end());

    const now = Date.now();
    const key = await openSecretKey(from.place, randomBytes);
    const database = await openDatabase({ engine: 'sqlite', directory: from.place });
    const token = await fillForAnswers(database, key, now);
    await database.close();
    const before = await answersOf({ DATA_DIR: from.place }, token, now);
    expect(before.size).toBeGreaterThan(150);
    const rows = rowsOfSqlite(from.place);
    const total = [...rows.values()].flat().length;

    const reached: number[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const least = ((kill + Math.random()) * 2 * total) / KILLS;
      const { child, ended } = launchMove(from.place, to.place);
      let done = 0;
      while (done < least && child.exitCode === null) done = (await rowsDone(client)) ?? 0;
      expect(child.exitCode, `rows ${least} of ${total}`).toBeNull();
      child.kill('SIGKILL');
      await ended;
      reached.push((await rowsDone(client)) ?? 0);
      // No server starts on half of the rows.
      const settings = { DATABASE_URL: to.place, SECRET_KEY: key, DATA_DIR: elsewhere.place };
      if (kill === 3)
        await expect(answersOf(settings, token, now)).rejects.toThrow('has not ended');
    }
    // What was done stays done.
    expect(reached).toEqual(reached.toSorted((one, other) => one - other));
    const { ended, output } = launchMove(from.place, to.place);
    const [[status], [stdout, stderr]] = await Promise.all([ended, output]);
    expect(stderr).toMatch(/^Copying .+ are done\.\nComparing .+ are done\.\n$/);
    expect(stdout).toContain('all are the same.');
    expect(stdout).toContain(`SECRET_KEY_FILE   ${from.place}/secret-key`);
    expect(status).toBe(0);

    expect(await rowsOfPostgres(to.place)).toEqual(rows);
    const settings = { DATABASE_URL: to.place, SECRET_KEY: key, DATA_DIR: elsewhere.place };
    expect(await answersOf(settings, token, now)).toEqual(before);
  });
});
