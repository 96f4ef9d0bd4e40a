import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterEach, describe, inject } from 'vitest';
import { openDatabase, type OpenDatabase } from '../../src/store/database/database.ts';
import type { Engine } from '../../src/store/database/dialect.ts';
import { freshDirectory, type Fresh } from './directories.ts';
import { takePostgres } from './kept-postgres.ts';
import type { PostgresAnswer } from './postgres-server.ts';

export { freshDirectory };

/** A fresh, migrated database, closed and removed after the test. */
export type OpenFresh = () => Promise<OpenDatabase>;

/** The Postgres server for tests, or the reason why there is none; in CI that is a failure. */
export const postgres = await askForPostgres();

/** Runs the same tests on a SQLite file and on Postgres. Without Postgres that half is skipped with a message. */
export function eachDatabase(define: (name: Engine, open: OpenFresh) => void): void {
  describe('on SQLite', () => define('sqlite', opener(takeSqlite)));
  onPostgres((open) => define('postgres', open));
}

/** Tests of Postgres alone. Without one they are skipped with a message; in CI they fail. */
export function onPostgres(define: (open: OpenFresh) => void): void {
  describe.skipIf('missing' in postgres)('on Postgres', () =>
    define(opener(() => takePostgres(freshPostgres))),
  );
}

/** A copy of the template; `place` is its url. With `empty`, a database without our tables. */
export async function freshPostgres(content: 'tables' | 'empty' = 'tables'): Promise<Fresh> {
  if ('missing' in postgres) throw new Error(`Postgres is missing: ${postgres.missing}`);
  const { url, template } = postgres;
  const name = `t_${randomUUID().replaceAll('-', '')}`;
  const source = content === 'tables' ? template : 'template0';
  await administer(url, `create database ${name} template ${source} strategy file_copy`);
  const place = new URL(url);
  place.pathname = `/${name}`;
  return {
    place: place.href,
    remove: () => administer(url, `drop database if exists ${name} with (force)`),
  };
}

/** A folder with a migrated, empty database: writing its bytes takes a tenth of the time of migrating. */
async function freshTables(): Promise<Fresh> {
  migrated ??= bytesOfMigrated();
  const content = await migrated;
  const fresh = await freshDirectory();
  writeFileSync(join(fresh.place, SQLITE_FILE), content);
  return fresh;
}

const SQLITE_FILE = 'tocsin.db';
let migrated: Promise<Buffer> | null = null;

async function bytesOfMigrated(): Promise<Buffer> {
  const { place, remove } = await freshDirectory();
  const database = await openOnDirectory(place);
  await database.close();
  const content = readFileSync(join(place, SQLITE_FILE));
  await remove();
  return content;
}

const openOnDirectory = (directory: string) => openDatabase({ engine: 'sqlite', directory });

async function takeSqlite() {
  const { place, remove } = await freshTables();
  const database = await openOnDirectory(place);
  const release = async () => {
    await database.close();
    await remove();
  };
  return { database, release };
}

function opener(
  take: () => Promise<{ database: OpenDatabase; release(): Promise<void> }>,
): OpenFresh {
  const cleanups: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });
  return async () => {
    const { database, release } = await take();
    cleanups.push(release);
    return database;
  };
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function askForPostgres(): Promise<Exclude<PostgresAnswer, { broken: string }>> {
  const answer = JSON.parse(await text(connect(inject('postgresDoor')))) as PostgresAnswer;
  if ('broken' in answer) throw new Error(`The Postgres for tests broke: ${answer.broken}`);
  if ('missing' in answer) {
    if (process.env['CI'] === 'true') throw new Error(`Postgres is missing: ${answer.missing}`);
    console.warn(`SKIPPED: all tests on Postgres, as ${answer.missing}`);
  }
  return answer;
}
