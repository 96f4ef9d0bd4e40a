/**
 * Fills a new data folder with the team Northwind and 90 days of its history, and starts the program on it: `npm run demo`,
 * and `npm run demo -- --serve`.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openSecretKey } from '../../src/identity/secret-key.ts';
import { createLog } from '../../src/lib/log.ts';
import { startFailure } from '../../src/main/start-failure.ts';
import { openDatabase } from '../../src/store/database/database.ts';
import { fillDemo } from './fill.ts';
import { addManyMonitors } from './many.ts';
import { AUTHENTICATOR, PEOPLE } from './northwind/people.ts';
import { openDemo } from './open.ts';

const USAGE = `Usage: npm run demo -- [--data DIR] [--password TEXT] [--seed NUMBER] [--more NUMBER] [--serve] [--port NUMBER]

  --data DIR       new folder to fill, or with --serve one that was filled; demo-data unless given
  --password TEXT  password of all members; made up unless given
  --seed NUMBER    draws other problems of the past; 1 unless given
  --more NUMBER    adds that many further monitors, such as 10000 for a look at long lists; none unless given
  --serve          starts Tocsin on the folder with scripted targets, so that the demo stays as it is
  --port NUMBER    port of --serve; 3000 unless given`;

const options = readOptions();
const directory = resolve(options.data);
/** What was printed when the folder was filled, for a later `--serve`. */
const SIGN_IN_FILE = join(directory, 'demo-sign-in.txt');
const isFilled = existsSync(directory) && readdirSync(directory).length > 0;
// Files created from here on are readable by their owner only.
process.umask(0o077);
if (isFilled && !options.serve)
  fail(
    `${options.data} holds data already. Choose a new folder by --data, or start this one with --serve.`,
  );
if (!isFilled) await fill();
if (options.serve) await run();

interface Options {
  data: string;
  password: string;
  seed: number;
  more: number;
  serve: boolean;
  port: number;
}

function readOptions(): Options {
  try {
    const { values } = parseArgs({
      options: {
        data: { type: 'string', default: 'demo-data' },
        password: { type: 'string' },
        seed: { type: 'string', default: '1' },
        more: { type: 'string', default: '0' },
        serve: { type: 'boolean', default: false },
        port: { type: 'string', default: '3000' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      console.log(USAGE);
      process.exit();
    }
    const { data, serve, password = newPassword() } = values;
    const seed = wholeNumber('--seed', values.seed, Number.MAX_SAFE_INTEGER);
    const more = wholeNumber('--more', values.more, 50_000);
    const port = wholeNumber('--port', values.port, 65_535);
    if (password.length < 8 || password.length > 128)
      fail('--password must have 8 to 128 characters.');
    return { data, serve, password, seed, more, port };
  } catch (error) {
    return fail(`${(error as Error).message}\n\n${USAGE}`);
  }
}

function newPassword(): string {
  return randomBytes(9).toString('base64url');
}

function wholeNumber(name: string, text: string, maximum: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= maximum) return number;
  return fail(`${name} must be a whole number from 0 to ${maximum}.`);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

async function fill(): Promise<void> {
  const { data, password, seed, more } = options;
  const begunAt = performance.now();
  console.log(
    `Filling ${data}. This takes 15 seconds on a fast processor that is idle, and a minute or more on others.`,
  );
  const keys = [await openSecretKey(directory, randomBytes)];
  const database = await openDatabase({ engine: 'sqlite', directory });
  const now = Date.now();
  const { teamId } = await fillDemo(database, { now, seed, password, keys });
  if (more > 0) await addManyMonitors(database, { teamId, count: more, now });
  await database.close();
  const seconds = Math.round((performance.now() - begunAt) / 1_000);
  const people = PEOPLE.map(
    ({ email, role, hasSecondFactor }) =>
      `  ${email.padEnd(26)}${role}${hasSecondFactor ? ', with a second factor' : ''}`,
  );
  const signIn = `Sign in as

${people.join('\n')}

with the password ${password}
The authenticator of the second factor has the secret ${AUTHENTICATOR.base32}.
`;
  await writeFile(SIGN_IN_FILE, signIn, { mode: 0o600 });
  console.log(`
${data} holds the team Northwind with 90 days of history (${seconds} s). ${signIn}
Start it with scripted targets, so that it stays as it is:
  npm run demo -- --serve --data ${data}
Or as usual; its targets don't exist, so that all of them go down within minutes:
  DATA_DIR=${data} npm start
`);
}

async function run(): Promise<void> {
  const { data, port } = options;
  const log = createLog('warn', process.stdout);
  try {
    const { url, stop } = await openDemo({ dataDir: directory, port, log });
    const signIn = isFilled ? await readFile(SIGN_IN_FILE, 'utf8').catch(() => '') : '';
    console.log(`\nTocsin serves ${data} at ${url}. Stop it with Ctrl+C. ${signIn}`);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
  } catch (error) {
    const { fields, message } = await startFailure(error);
    log.error(fields, message);
    process.exit(1);
  }
}
