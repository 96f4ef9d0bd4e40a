import { DDL, type Engine } from '../dialect.ts';

/**
 * Counters of requests that several processes share, in the columns that rate-limiter-flexible wants. On SQLite, which
 * has one process, it stays empty. Unlogged on Postgres: counting waits for no disk, and a crash may forget a minute.
 */
export function rateLimits(engine: Engine): string[] {
  const { integer, text, strictByKey } = DDL[engine];
  const create = engine === 'postgres' ? 'create unlogged table' : 'create table';
  return [
    `${create} rate_limit (
      key ${text} not null primary key, points ${integer} not null, expire ${integer}
    ) ${strictByKey}`,
  ];
}
