import { AsyncLocalStorage } from 'node:async_hooks';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../store/database/contract.ts';
import type { Schema } from '../store/database/schema.ts';
import { homeTeam, type SignInRow, type SignInTable } from '../store/people/sign-in-rows.ts';
import type { SignInMethod } from './caller.ts';

/** What is known of the request that sign-in works on. */
export interface SignInWork {
  address: string | null;
  userAgent: string | null;
  /** Who is signed in already. */
  personId: number | null;
  /** How a session that it makes came about. */
  method: SignInMethod;
  /** Where such a session begins; null for the person's home. */
  teamId: number | null;
  /** What the request made in the end; null while a second factor is missing. */
  newSession: { id: number; personId: number } | null;
  /** An account at a provider, or a password, that somebody has from now on. */
  newCredential: { personId: number; provider: string } | null;
  /** Whose address it confirmed. */
  verified: { personId: number } | null;
  /** The first failure of the database, which better-auth turns into an answer of its own. */
  fault: unknown;
}

/** The database as the adapter sees it: who calls is known, and what changes somebody is told. */
export interface SignInStore {
  run<Value>(work: SignInWork, call: () => Promise<Value>): Promise<Value>;
  current(): SignInWork | undefined;
  read<Value>(query: (db: Kysely<Schema>) => Promise<Value>): Promise<Value>;
  write<Value>(change: (tx: Transaction<Schema>) => Promise<Value>): Promise<Value>;
  /**
   * All writes within are one. It begins with the first of them: what comes before, such as the hashing of a password,
   * holds no other writer up.
   */
  transaction<Value>(work: () => Promise<Value>): Promise<Value>;
  /** The row with what better-auth knows nothing of. */
  complete(tx: Transaction<Schema>, table: SignInTable, row: SignInRow): Promise<SignInRow>;
  created(tx: Transaction<Schema>, table: SignInTable, row: SignInRow): Promise<void>;
  /** The people of these rows are looked at anew once this is stored. */
  touch(table: SignInTable, rows: readonly SignInRow[]): void;
}

interface SignInStoreDeps {
  database: Database;
  forget(who: { personId: number }): void;
  /** In the transaction that made them. */
  onPerson(
    tx: Transaction<Schema>,
    person: { id: number; name: string; email: string },
  ): Promise<void>;
}

interface OpenTransaction {
  /** Null until the first write. */
  opened: Promise<Transaction<Schema>> | null;
  /** Settles when it is stored, or was given up. */
  stored: Promise<void> | null;
  end: (error?: unknown) => void;
  touched: Set<number>;
}

const LONGEST_NAME = 100;
const LONGEST_USER_AGENT = 300;
const LONGEST_IMAGE_URL = 500;

export function createSignInStore({ database, forget, onPerson }: SignInStoreDeps): SignInStore {
  const requests = new AsyncLocalStorage<SignInWork>();
  const transactions = new AsyncLocalStorage<OpenTransaction>();

  function open(own: OpenTransaction): Promise<Transaction<Schema>> {
    if (own.opened !== null) return own.opened;
    const opened = Promise.withResolvers<Transaction<Schema>>();
    const ended = Promise.withResolvers<void>();
    // Nobody waits for it where the transaction never began.
    ended.promise.catch(() => {});
    own.end = (error) => (error === undefined ? ended.resolve() : ended.reject(error));
    own.stored = database.transaction((tx) => {
      opened.resolve(tx);
      return ended.promise;
    });
    own.stored.catch((error: unknown) => opened.reject(error));
    own.opened = opened.promise;
    return own.opened;
  }

  async function noted<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      const request = requests.getStore();
      if (request !== undefined) request.fault ??= error;
      throw error;
    }
  }

  const store: SignInStore = {
    run: (work, call) => requests.run(work, call),
    current: () => requests.getStore(),
    read: (query) =>
      noted(async () => {
        const own = transactions.getStore();
        return query(own?.opened ? await own.opened : database.read);
      }),
    write: (change) =>
      noted(async () => {
        const own = transactions.getStore();
        if (own !== undefined) return change(await open(own));
        const touched = new Set<number>();
        const alone: OpenTransaction = { opened: null, stored: null, end: () => {}, touched };
        const value = await database.transaction((tx) =>
          transactions.run({ ...alone, opened: Promise.resolve(tx) }, () => change(tx)),
        );
        for (const personId of touched) forget({ personId });
        return value;
      }),
    async transaction(work) {
      if (transactions.getStore() !== undefined) return work();
      const own: OpenTransaction = {
        opened: null,
        stored: null,
        end: () => {},
        touched: new Set(),
      };
      try {
        const value = await transactions.run(own, work);
        own.end();
        await noted(async () => own.stored);
        for (const personId of own.touched) forget({ personId });
        return value;
      } catch (error) {
        own.end(error);
        await own.stored?.catch(() => {});
        throw error;
      }
    },
    async complete(tx, table, row) {
      if (table === 'person')
        return { ...row, ...personOf(row), timezone: row['timezone'] ?? 'UTC' };
      if (table !== 'session') return row;
      const request = requests.getStore();
      const home = () => homeTeam(tx, Number(row['person_id']));
      return {
        ...row,
        method: request?.method ?? 'password',
        team_id: request?.teamId ?? (await home()),
        ip_address: request?.address ?? null,
        user_agent: request?.userAgent?.slice(0, LONGEST_USER_AGENT) ?? null,
      };
    },
    async created(tx, table, row) {
      store.touch(table, [row]);
      const request = requests.getStore();
      if (table === 'credential' && request !== undefined) {
        const provider = String(row['provider_id']);
        request.newCredential = { personId: Number(row['person_id']), provider };
      }
      if (table !== 'person') return;
      const { id, name, email } = row;
      await onPerson(tx, { id: Number(id), name: String(name), email: String(email) });
    },
    touch(table, rows) {
      const touched = transactions.getStore()?.touched;
      for (const row of rows) {
        const personId = Number(table === 'person' ? row['id'] : row['person_id']);
        if (Number.isSafeInteger(personId)) touched?.add(personId);
      }
    },
  };
  return store;
}

/** Providers may call people anything, or nothing. */
function personOf(row: SignInRow): { name: string; image: string | null } {
  const email = String(row['email']);
  const name =
    String(row['name'] ?? '')
      .replaceAll('\0', '')
      .trim() || email.split('@')[0]!;
  const image = String(row['image'] ?? '');
  const isShown = image.startsWith('https://') && image.length <= LONGEST_IMAGE_URL;
  return { name: name.slice(0, LONGEST_NAME), image: isShown ? image : null };
}
