import { CompiledQuery } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freshDirectory, type Fresh } from '../../../test/support/directories.ts';
import { openDatabase, type OpenDatabase } from './database.ts';
import { DatabaseUnavailable } from './errors.ts';
import { ScanThreadDriver, type ScanThread } from './scan-thread-driver.ts';

let fresh: Fresh;
let database: OpenDatabase;
let driver: ScanThreadDriver;

beforeEach(async () => {
  fresh = await freshDirectory();
  database = await openDatabase({ engine: 'sqlite', directory: fresh.place });
  driver = new ScanThreadDriver(`${fresh.place}/tocsin.db`);
});

afterEach(async () => {
  await driver.destroy();
  await database.close();
  await fresh.remove();
});

const count = CompiledQuery.raw('select count(*) as n from shard where shard < ?', [10]);

it('reads in its thread', async () => {
  const thread = await driver.acquireConnection();
  expect(await thread.executeQuery(count)).toEqual({ rows: [{ n: 10 }] });
});

it('hands on the errors of SQLite with their code, and goes on', async () => {
  const thread = await driver.acquireConnection();
  const wrong = thread.executeQuery(CompiledQuery.raw('select * from missing'));
  await expect(wrong).rejects.toMatchObject({ message: 'no such table: missing', errcode: 1 });
  expect(await thread.executeQuery(count)).toEqual({ rows: [{ n: 10 }] });
});

it('rejects what was under way when its thread ends, and starts another', async () => {
  const thread = (await driver.acquireConnection()) as ScanThread;
  const pending = thread.executeQuery(count);
  const rejected = expect(pending).rejects.toThrow(DatabaseUnavailable);
  await thread.stop();
  await rejected;
  await expect(thread.executeQuery(count)).rejects.toThrow(DatabaseUnavailable);
  const next = await driver.acquireConnection();
  expect(next).not.toBe(thread);
  expect(await next.executeQuery(count)).toEqual({ rows: [{ n: 10 }] });
});

it('rejects when the file is not there', async () => {
  const other = new ScanThreadDriver(`${fresh.place}/missing.db`);
  const thread = await other.acquireConnection();
  const error = await thread.executeQuery(count).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(DatabaseUnavailable);
  await other.destroy();
});
