import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../../src/store/database/database.ts';
import { freshDirectory, postgres } from '../support/databases.ts';
import { inPostgres } from '../support/odd-rows.ts';
import {
  postgresPrograms,
  startOnData,
  startPostgres,
  type PostgresPrograms,
  type RunningPostgres,
} from '../support/postgres-server.ts';
import { PATIENTLY, useServices, type Service } from '../support/service.ts';
import { readConfig } from '../../src/config/config.ts';
import { silentLog } from '../../src/lib/log.ts';
import { build } from '../../src/main/build.ts';
import { NETWORK } from '../../src/main/outside.ts';
import { start } from '../../src/main/run.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { DAY_MS } from '../../src/store/engine/results.ts';
import { fillDemo } from '../demo/fill.ts';
import { giveToken } from '../support/people.ts';
import { updateRows } from '../support/rows.ts';
import { contract, parametersOf } from '../support/openapi.ts';

/** Rows of a list whose own addresses are read, too. */
const MAX_ROWS = 4;

/** Of streams, of the request itself, of the machine, and those that write. */
const LEFT_OUT = /^\/(events|test|installation|sign-in|check-url|cron-preview|sessions)?$/;

/** Addresses of all GET operations of the API without required parameters but those of the path. */
function readPaths(): string[] {
  const { document } = contract();
  return Object.entries(document.paths ?? {}).flatMap(([path, { get }]) => {
    if (get === undefined || LEFT_OUT.test(path)) return [];
    const parameters = parametersOf(document, get);
    return parameters.some((one) => one.required === true && one.in !== 'path') ? [] : [path];
  });
}

/**
 * Reads what the API answers at all its addresses: lists, and the things in them.
 *
 * @param period query of what is shown by period, which else ends now.
 * @returns status and body by address.
 */
async function readApiBodies(
  service: Pick<Service, 'url'>,
  token: string,
  period: string,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const read = async (path: string): Promise<string> => {
    const known = found.get(path);
    if (known !== undefined) return known;
    const query = /\/(uptime|response-times|days|results)$/.test(path) ? period : 'per_page=50';
    const response = await fetch(`${service.url}/api/v1${path}?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const text = `${response.status} ${await response.text()}`;
    found.set(path, text);
    return text;
  };
  const expand = async (pattern: string): Promise<string[]> => {
    const at = pattern.indexOf('/{');
    if (at < 0) return [pattern];
    const [list, rest] = [pattern.slice(0, at), pattern.slice(pattern.indexOf('}') + 1)];
    const ids = idsIn(await read(list));
    return (await Promise.all(ids.map((id) => expand(`${list}/${id}${rest}`)))).flat();
  };
  for (const pattern of readPaths()) for (const path of await expand(pattern)) await read(path);
  return found;
}

function idsIn(answer: string): (number | string)[] {
  const body = JSON.parse(answer.slice(answer.indexOf(' ') + 1)) as { data?: { id?: number }[] };
  const rows = Array.isArray(body.data) ? body.data : [];
  return rows.flatMap(({ id }) => (id === undefined ? [] : [id])).slice(0, MAX_ROWS);
}

/** A database goes on with its own time, which this process is not to follow. */
const STANDING_STILL = { ...NETWORK, followDatabaseClock: async () => ({ stop: () => {} }) };

/** Fills a database with 90 days of the demo's team. @returns a token of its owner. */
async function fillForAnswers(database: Database, key: string, now: number): Promise<string> {
  const demo = await fillDemo(database, { now, seed: 1, password: 'correct horse', keys: [key] });
  const holder = { personId: demo.people[0]!.id, teamId: demo.teamId };
  const token = await giveToken(database, holder, { now });
  // So that reading the answers changes none of them.
  const match = { team_id: demo.teamId, name: 'test' };
  await updateRows(database, 'token', { last_used_at: now }, match);
  return token;
}

/** Starts the program, paused and at a time that stands still, and reads what its API answers. */
async function answersOf(
  environment: Record<string, string>,
  token: string,
  now: number,
): Promise<Map<string, string>> {
  vi.useFakeTimers({ toFake: ['Date'], now });
  const { config, errors } = readConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    BASE_URL: 'http://tocsin.example',
    RATE_LIMITS: 'off',
    PAUSED: 'true',
    ...environment,
  });
  if (errors) throw new Error(errors.join('\n'));
  const { address, stop } = await start(await build(config, silentLog, STANDING_STILL));
  try {
    const [from, to] = [now - 20 * DAY_MS, now - DAY_MS].map((at) => new Date(at).toISOString());
    return await readApiBodies(
      { url: `http://127.0.0.1:${address.port}` },
      token,
      `from=${from}&to=${to}`,
    );
  } finally {
    await stop();
    vi.useRealTimers();
  }
}

vi.setConfig({ testTimeout: 300_000 });

const services = useServices();

const KEY = 'a key for the process tests';

const DOCUMENT = readFileSync(new URL('../../docs/operators.md', import.meta.url), 'utf8');

/** The block of docs/operators.md that contains these words, with its folder of backups replaced by another one. */
function documented(words: string, backups: string): string {
  const blocks = [...DOCUMENT.matchAll(/^```(?:sh|ini)\n(.*?)^```$/gms)].map((found) => found[1]!);
  const found = blocks.filter((block) => block.includes(words));
  expect(found, words).toHaveLength(1);
  return found[0]!.replaceAll('/backups/', `${backups}/`);
}

/** Settings of a server that archives its log, as documented, and whose commits are on disk. */
function settingsFor(backups: string): string[] {
  const lines = documented('archive_mode', backups).trim().split('\n');
  const archiving = lines.map((line) => line.replace(/^(\w+) = '?(.*?)'?$/, '$1=$2'));
  return [
    ...archiving,
    'max_wal_senders=4',
    'fsync=on',
    'synchronous_commit=on',
    'full_page_writes=on',
    // Their values in the archive must not be larger.
    'max_connections=50',
  ];
}

/** A server of its own with an empty database, and a folder for backups that it may write. */
async function startArchiving() {
  const { place: directory, remove } = await freshDirectory();
  services.use({ close: remove });
  const backups = join(directory, 'backups');
  const settings = settingsFor(backups);
  const programs = await postgresPrograms();
  const server = await startPostgres(directory, settings);
  if ('missing' in server || 'missing' in programs) throw new Error('Postgres is missing.');
  services.use({ close: server.stop });
  await programs.run(`mkdir -p ${backups}/wal`, directory);
  const url = urlOf(server, 'tocsin');
  await inPostgres(server.url, (client) => client.query('create database tocsin'));
  const run = (script: string, more: Record<string, string> = {}) =>
    programs.run(script, directory, { DATABASE_URL: url, BACKUPS: backups, ...more });
  return { directory, backups, settings, programs, server, url, run };
}

function urlOf({ url }: RunningPostgres, database: string): string {
  const found = new URL(url);
  found.pathname = `/${database}`;
  return found.href;
}

const environmentOf = async (url: string) => ({
  DATABASE_URL: url,
  SECRET_KEY: KEY,
  DATA_DIR: await services.folder(),
});

describe.skipIf('missing' in postgres)('on Postgres', () => {
  test('a dump is restored into a new database, and the service answers as before [39.64]', async () => {
    const { backups, server, url, run } = await startArchiving();
    const database = await openDatabase({ engine: 'postgres', url });
    const now = Date.now();
    const token = await fillForAnswers(database, KEY, now);
    await database.close();
    const before = await answersOf(await environmentOf(url), token, now);
    await run(documented('pg_dump', backups));
    await inPostgres(url, (client) =>
      client.query(`update monitor set friendly_name = 'after the dump'`),
    );
    const restored = urlOf(server, 'tocsin_restored');
    await run(documented('createdb', backups), { RESTORED_URL: restored });
    expect(await answersOf(await environmentOf(restored), token, now)).toEqual(before);
  });

  test('a recovery to a time has the pings acknowledged before it, and none of later [39.64]', async () => {
    const { directory, backups, settings, programs, server, url, run } = await startArchiving();
    const environment = await environmentOf(url);
    const first = await services.start(environment);
    const job = await createJob(first);
    await callOften(first, job, 5);
    await run(documented('pg_basebackup', backups));
    await callOften(first, job, 20);
    const time = await timeOf(url);
    await callOften(first, job, 15);
    expect(await pingsOf(first, job)).toBe(40);
    await untilArchived(url);
    await first.kill();
    await server.stop();

    const PGDATA = join(directory, 'data');
    await run(documented('recovery.signal', backups), { PGDATA, TIME: time });
    await startRecovered(programs, { directory, data: PGDATA, settings });
    const second = await services.start(environment);
    expect(await pingsOf(second, job)).toBe(25);
    // It goes on from there.
    await callOften(second, job, 3);
    expect(await pingsOf(second, job)).toBe(28);
    await second.stop();
  });
});

interface Job {
  id: number;
  path: string;
}

async function createJob(service: Service): Promise<Job> {
  const { status, body } = await service.post<{ id: number; url: string }>('/api/v1/monitors', {
    monitor_type: 'heartbeat',
    friendly_name: 'Backup',
    heartbeat_interval: 3_600,
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return { id: body.id, path: new URL(body.url).pathname };
}

async function callOften(service: Service, { path: url }: Job, times: number): Promise<void> {
  for (let call = 0; call < times; call += 1) {
    expect(await service.get(url)).toMatchObject({ status: 200, body: { success: true } });
  }
}

/** How many pings the service has of a job. */
async function pingsOf(service: Service, { id }: Job): Promise<number> {
  const { body } = await service.get<{ data: unknown[] }>(
    `/api/v1/monitors/${id}/pings?per_page=100`,
  );
  return body.data.length;
}

const timeOf = (url: string) =>
  inPostgres(url, async (client) => {
    const { rows } = await client.query<{ time: string }>('select clock_timestamp()::text as time');
    return rows[0]!.time;
  });

/** Waits until the log so far is in the archive, which takes a minute by itself. */
const untilArchived = (url: string) =>
  inPostgres(url, async (client) => {
    const { rows } = await client.query<{ segment: string }>(
      'select pg_walfile_name(pg_switch_wal()) as segment',
    );
    const isArchived = async () => {
      const archived = await client.query<{ done: boolean }>(
        'select last_archived_wal >= $1 as done from pg_stat_archiver',
        [rows[0]!.segment],
      );
      return archived.rows[0]!.done;
    };
    await expect.poll(isArchived, PATIENTLY).toBe(true);
  });

async function startRecovered(
  programs: PostgresPrograms,
  place: Parameters<typeof startOnData>[1],
): Promise<void> {
  const server = await startOnData(programs, place);
  services.use({ close: server.stop });
  // Connections may read before the end of the recovery.
  const isRecovering = () =>
    inPostgres(server.url, async (client) => {
      const { rows } = await client.query<{ on: boolean }>('select pg_is_in_recovery() as on');
      return rows[0]!.on;
    });
  await expect.poll(isRecovering, PATIENTLY).toBe(false);
}
