import { existsSync, readFileSync, statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eachDatabase, freshDirectory } from '../../test/support/databases.ts';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { operatorContext, runCommand } from '../../test/support/operator.ts';
import { ensureOwner, readFirstStartText } from '../identity/bootstrap.ts';
import { SETUP_LINK_MS, setupTokenState, useSetupToken } from '../identity/setup-token.ts';
import { silentLog } from '../lib/log.ts';
import type { Database } from '../store/database/contract.ts';
import { FirstStart, terminalOf } from './first-start.ts';

const BASE_URL = 'http://localhost:3000';
const UNSET = { adminEmail: null, adminPassword: null, teamName: null, adminToken: null };

async function install(database: Database, options: { terminal?: boolean } = {}) {
  const fresh = await freshDirectory();
  onTestFinished(fresh.remove);
  const dataDir = path.join(fresh.place, 'data');
  const clock = createFakeClock({ now: Date.UTC(2026, 10, 21, 12) });
  const shown: string[] = [];
  const logged: string[] = [];
  const keepLine = (fields: object, message: string) =>
    void logged.push(`${message} ${JSON.stringify(fields)}`);
  const log = { ...silentLog, info: keepLine, warn: keepLine };
  const write = (text: string) => shown.push(text) > 0;
  const terminal = options.terminal === true ? { write } : null;
  const firstStart = () => new FirstStart({ dataDir, database, clock, log, terminal });
  const file = path.join(dataDir, 'first-start.txt');
  return {
    dataDir,
    file,
    clock,
    shown,
    logged,
    /** A start; it fails before it listens with `fails`. */
    async start(how: { fails?: boolean; url?: string; settings?: object } = {}) {
      const one = firstStart();
      const { url = BASE_URL, settings = {} } = how;
      await ensureOwner({ database, clock }, { ...UNSET, ...settings }, (secrets) =>
        one.keep(secrets, url),
      );
      if (how.fails !== true) await one.announce(url);
      return one;
    },
    tokens: () => readFirstStartText(readFileSync(file, 'utf8'))!,
    state: (token: string) => setupTokenState(database.read, token, clock.now()),
  };
}

eachDatabase((_name, open) => {
  test('the secrets of the first start go to a private file and, once, to a terminal; logs name the file [39.9, 39.43]', async () => {
    const database = await open();
    const { start, file, shown, logged, tokens, state } = await install(database, {
      terminal: true,
    });
    await start();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { setupToken, token } = tokens();
    expect(await state(setupToken)).toBe('good');
    expect(shown.join('')).toContain(`${BASE_URL}/setup?token=${setupToken}`);
    expect(shown.join('')).toContain(token!);
    await start({ url: 'http://localhost:4000' });
    expect(shown).toHaveLength(1);
    expect(readFileSync(file, 'utf8')).toContain(`http://localhost:4000/setup?token=${setupToken}`);
    expect(logged).toHaveLength(2);
    expect(logged.join()).toContain(file);
    expect(logged.join()).not.toMatch(new RegExp(`${setupToken}|${token}`));
  });

  test('a start that fails shows nothing and loses nothing [39.44]', async () => {
    const database = await open();
    const { start, shown, tokens, file, dataDir } = await install(database, { terminal: true });
    await writeFile(dataDir, 'no folder');
    await expect(start()).rejects.toThrow(/can't be stored in .*Make DATA_DIR a folder/);
    expect(await database.read.selectFrom('person').select('id').execute()).toEqual([]);
    await rm(dataDir);
    await start({ fails: true });
    expect(shown).toEqual([]);
    const kept = tokens();
    await start();
    expect(tokens()).toEqual(kept);
    expect(shown.join('')).toContain(kept.setupToken);
    expect(shown.join('')).toContain(kept.token);
    expect(existsSync(`${file}.draft`)).toBe(false);
  });

  test('the file is removed once set-up is complete, at the next start at the latest [39.45]', async () => {
    const database = await open();
    const { start, file, tokens, logged } = await install(database);
    const one = await start();
    const { setupToken } = tokens();
    await one.remove();
    expect(existsSync(file)).toBe(false);
    await writeFile(file, 'left by a process that was killed');
    await database.transaction((tx) => useSetupToken(tx, setupToken));
    logged.length = 0;
    await start();
    expect(existsSync(file)).toBe(false);
    expect(logged).toEqual([]);
  });

  test('the set-up link ends after 24 hours, its file with it, and the next start and a command say how to go on [39.45]', async () => {
    const database = await open();
    const { start, file, tokens, clock, state, logged } = await install(database);
    await start();
    const { setupToken } = tokens();
    await clock.advance(SETUP_LINK_MS - 1);
    expect(await state(setupToken)).toBe('good');
    await clock.advance(1);
    expect(await state(setupToken)).toBe('expired');
    await expect.poll(() => existsSync(file)).toBe(false);
    await start();
    expect(logged.at(-1)).toContain(
      'Set-up is not complete: npm run tocsin -- setup link creates a new link.',
    );
    const context = operatorContext(database, { clock });
    const { end, out } = await runCommand(context, ['setup', 'link']);
    expect(end).toEqual({ end: 'done' });
    const token = /\/setup\?token=(\w+)/.exec(out)![1]!;
    expect(await state(token)).toBe('good');
    expect(await state(setupToken)).toBe('unknown');
    await database.transaction((tx) => useSetupToken(tx, token));
    expect((await runCommand(context, ['setup', 'link'])).end).toMatchObject({
      message: expect.stringContaining('Set-up is complete') as string,
    });
  });

  test('a new link leaves the API token of the first start in its file until that link ends [39.45]', async () => {
    const database = await open();
    const { start, file, clock } = await install(database);
    await start();
    const first = readFileSync(file, 'utf8');
    await runCommand(operatorContext(database, { clock }), ['setup', 'link']);
    await start();
    expect(readFileSync(file, 'utf8')).toBe(first);
    await clock.advance(SETUP_LINK_MS);
    await expect.poll(() => existsSync(file)).toBe(false);
  });

  test('with ADMIN_PASSWORD there is no file', async () => {
    const { start, file, logged } = await install(await open());
    await start({ settings: { adminPassword: 'correct horse battery' } });
    expect([existsSync(file), logged]).toEqual([false, []]);
  });
});

test('a stream that is no terminal shows no secrets', () => {
  const [pipe, tty] = [
    { isTTY: false, write: () => true },
    { isTTY: true, write: () => true },
  ];
  expect(terminalOf([pipe, tty])).toBe(tty);
  expect(terminalOf([pipe, pipe])).toBe(null);
});
