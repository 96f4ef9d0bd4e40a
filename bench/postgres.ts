import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestProject } from 'vitest/node';
import pg from 'pg';
import setup, { type PostgresAnswer } from '../test/support/postgres-server.ts';

/** Starts a Postgres server with an empty database for the benchmark. @throws if there is none to start. */
export async function startPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  let door = '';
  const stop = await setup({
    provide: (_name: string, path: string) => (door = path),
  } as unknown as TestProject);
  const answer = JSON.parse(await text(connect(door))) as PostgresAnswer;
  if (!('url' in answer)) {
    await stop();
    throw new Error(`Postgres could not be started: ${JSON.stringify(answer)}`);
  }
  const client = new pg.Client({ connectionString: answer.url });
  await client.connect();
  await client.query('create database bench');
  await client.end();
  const url = new URL(answer.url);
  url.pathname = '/bench';
  return { url: url.href, stop };
}
