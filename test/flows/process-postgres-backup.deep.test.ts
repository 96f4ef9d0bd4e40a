import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../../src/store/database/database.ts';
import { answersOf, fillForAnswers } from '../support/answers.ts';
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
  const backups = path.join(directory, 'backups');
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

    const PGDATA = path.join(directory, 'data');
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
