import { chmodSync, chownSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { sleep, systemClock } from '../../src/lib/clock.ts';
import { postgresPrograms, startOnData, startPostgres } from '../support/postgres-server.ts';
import type { PostgresPrograms, RunningPostgres } from '../support/postgres-server.ts';

/** Postgres of a run, behind an address that always leads to the primary. */
export interface SoakPostgres {
  /** Of the server's own database, at the address. */
  url: string;
  /** Path of the socket at the address. */
  socket: string;
  /** The server that the address leads to, without the standby. */
  primary(): RunningPostgres;
  /** Null in a run without one, and until it is there after a failover. */
  standby(): RunningPostgres | null;
  /**
   * Kills the primary, and makes the standby the primary at the same address. Resolves when it takes writes. The caller
   * waits for `redundant` before the next one.
   */
  failOver(how: FailOver): Promise<void>;
  /** Resolves when there is a standby that has every acknowledged transaction. At once in a run without standby. */
  redundant(): Promise<void>;
  stop(): Promise<void>;
}

export interface FailOver {
  /** Kills only the main process of the primary (SIGKILL), whose sessions notice and end; otherwise all end as in a crash. */
  kill: boolean;
  /** Time until the standby is promoted, milliseconds. */
  afterMs: number;
  /** Whether the address leads to the standby during that time already, which then takes reads only. */
  addressFirst: boolean;
}

/** Postgres as it is run in earnest: a commit is on disk when it is acknowledged. */
const DURABLE = [
  'fsync=on',
  'synchronous_commit=on',
  'full_page_writes=on',
  'autovacuum=on',
  'shared_buffers=128MB',
];
const REPLICATED = [
  ...DURABLE,
  'wal_level=replica',
  'max_wal_senders=10',
  'wal_keep_size=512MB',
  'max_wal_size=256MB',
  // The default of 5 seconds would be added to each restart of the primary.
  'wal_retrieve_retry_interval=200ms',
];
const SOCKET = '.s.PGSQL.5432';
const NOBODY = 65_534;
const READY_WITHIN_MS = 60_000;

/**
 * Starts a server in that folder.
 *
 * @param standby null for none; `synchronous` acknowledges a commit when the standby has it on disk, too.
 */
export async function startSoakPostgres(
  folder: string,
  standby: 'synchronous' | 'asynchronous' | null,
): Promise<SoakPostgres> {
  const programs = await postgresPrograms();
  if ('missing' in programs) throw new Error(`Postgres could not be started: ${programs.missing}`);
  const servers = new Servers(folder, programs, standby);
  try {
    await servers.start();
  } catch (error) {
    await servers.stop();
    throw error;
  }
  return servers;
}

class Servers implements SoakPostgres {
  readonly url: string;
  readonly socket: string;
  readonly #folder: string;
  readonly #programs: PostgresPrograms;
  readonly #standbyKind: 'synchronous' | 'asynchronous' | null;
  readonly #settings: readonly string[];
  #primary: Server | null = null;
  #standby: Server | null = null;
  #started = 0;

  constructor(
    folder: string,
    programs: PostgresPrograms,
    standby: 'synchronous' | 'asynchronous' | null,
  ) {
    this.#folder = folder;
    this.#programs = programs;
    this.#standbyKind = standby;
    this.#settings = standby === null ? DURABLE : REPLICATED;
    const address = path.join(folder, 'address');
    mkdirSync(address, { recursive: true });
    // Postgres runs as another user below it.
    chmodSync(folder, 0o755);
    this.socket = path.join(address, SOCKET);
    this.url = urlOf(address);
  }

  async start(): Promise<void> {
    const place = this.#newPlace();
    const running = await startPostgres(place, this.#settings);
    if ('missing' in running) throw new Error(`Postgres could not be started: ${running.missing}`);
    this.#primary = { place, running };
    this.#lead(place);
    await this.redundant();
  }

  primary(): RunningPostgres {
    return this.#primary!.running;
  }

  standby(): RunningPostgres | null {
    return this.#standby?.running ?? null;
  }

  async failOver({ kill, afterMs, addressFirst }: FailOver): Promise<void> {
    const [old, next] = [this.#primary!, this.#standby];
    if (next === null) throw new Error('There is no standby.');
    await old.running.stop(kill ? 'kill' : 'immediate');
    this.#primary = next;
    this.#standby = null;
    if (addressFirst) this.#lead(next.place);
    await sleep(systemClock, afterMs);
    // Acknowledged transactions are on its disk. The next standby is not there yet, and no commit may wait for it.
    await this.#query(next, `alter system set synchronous_standby_names = ''`);
    await this.#query(next, 'select pg_reload_conf()');
    await this.#query(next, 'select pg_promote()');
    this.#lead(next.place);
    // It would be a second primary if it were started again. Asynchronously: targets and receiver are in this process.
    await rm(old.place, { recursive: true, force: true });
  }

  async redundant(): Promise<void> {
    if (this.#standbyKind === null || this.#standby !== null) return;
    const primary = this.#primary!;
    const place = this.#newPlace();
    const data = path.join(place, 'data');
    await this.#programs.run(
      `pg_basebackup -h '${primary.place}' -U tocsin -D '${data}' -X stream -c fast && touch '${data}/standby.signal'`,
      place,
    );
    const upstream = `host=${primary.place} user=tocsin application_name=standby`;
    const settings = [...this.#settings, `primary_conninfo=${upstream}`];
    const running = await startOnData(this.#programs, { directory: place, data, settings });
    this.#standby = { place, running };
    if (this.#standbyKind === 'synchronous') {
      await this.#query(primary, `alter system set synchronous_standby_names = 'standby'`);
      await this.#query(primary, 'select pg_reload_conf()');
    }
    const state = this.#standbyKind === 'synchronous' ? 'sync' : 'async';
    const deadline = performance.now() + READY_WITHIN_MS;
    while (performance.now() < deadline) {
      const rows = await this.#query(
        primary,
        `select from pg_stat_replication where state = 'streaming' and sync_state = '${state}'`,
      );
      if (rows > 0) return;
      await sleep(systemClock, 50);
    }
    throw new Error(`The standby did not follow within ${READY_WITHIN_MS / 1_000} s.`);
  }

  async stop(): Promise<void> {
    // The primary first: a commit would wait for the standby.
    await this.#primary?.running.stop();
    await this.#standby?.running.stop();
  }

  #newPlace(): string {
    this.#started += 1;
    const place = path.join(this.#folder, `server-${this.#started}`);
    mkdirSync(place);
    chmodSync(place, 0o755);
    if (process.getuid?.() === 0) chownSync(place, NOBODY, NOBODY);
    return place;
  }

  /** Leads new connections to that server. Those that exist stay where they are. */
  #lead(place: string): void {
    const fresh = `${this.socket}.new`;
    symlinkSync(path.join(place, SOCKET), fresh);
    renameSync(fresh, this.socket);
  }

  /** Runs a statement on a server, whichever the address leads to. @returns number of rows. */
  async #query({ place }: Server, text: string): Promise<number> {
    const client = new pg.Client({ connectionString: urlOf(place) });
    await client.connect();
    try {
      const { rowCount } = await client.query(text);
      return rowCount ?? 0;
    } finally {
      await client.end();
    }
  }
}

interface Server {
  /** Folder of its data and its socket. */
  place: string;
  running: RunningPostgres;
}

const urlOf = (place: string) =>
  `postgres://tocsin@localhost/postgres?host=${encodeURIComponent(place)}`;
