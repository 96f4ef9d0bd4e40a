import { AsyncLocalStorage } from 'node:async_hooks';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../store/database/contract.ts';
import type { Schema } from '../store/database/schema.ts';
import type { BudgetExceeded } from '../store/people/budgets.ts';
import { homeTeam, type SignInRow, type SignInTable } from '../store/people/sign-in-rows.ts';
import type { SignInMethod } from './caller.ts';

/** Context of the current sign-in request, and what it created. */
export interface SignInWork {
  address: string | null;
  userAgent: string | null;
  /** Person who is signed in already. */
  personId: number | null;
  /** Sign-in method of a session it creates. */
  method: SignInMethod;
  /** Team of such a session; null for the person's home team. */
  teamId: number | null;
  /** Grant that a consent stores; null for other requests. */
  grantId: number | null;
  /** Session it created; null while a second factor is missing. */
  newSession: { id: number; personId: number } | null;
  /** Account at a provider, or password, it added. */
  newCredential: { personId: number; provider: string } | null;
  /** Person whose address it confirmed. */
  verified: { personId: number } | null;
  /** Budget that kept a mail of the request from being sent. */
  withheld: BudgetExceeded | null;
  /** First database error, which better-auth would turn into an answer of its own. */
  fault: unknown;
}

/** Database access of the adapter: knows the current request, and invalidates cached callers after changes. */
export interface SignInStore {
  run<Value>(work: SignInWork, call: () => Promise<Value>): Promise<Value>;
  current(): SignInWork | undefined;
  read<Value>(query: (db: Kysely<Schema>) => Promise<Value>): Promise<Value>;
  write<Value>(change: (tx: Transaction<Schema>) => Promise<Value>): Promise<Value>;
  /**
   * Runs all writes within in one transaction. It begins with the first write, so that work before it, such as hashing a
   * password, does not block other writers.
   */
  transaction<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Adds the columns that better-auth does not know. */
  complete(tx: Transaction<Schema>, table: SignInTable, row: SignInRow): Promise<SignInRow>;
  created(tx: Transaction<Schema>, table: SignInTable, row: SignInRow): Promise<void>;
  /** Drops the people of these rows from the caller cache once the transaction is stored. */
  invalidate(table: SignInTable, rows: readonly SignInRow[]): void;
}

interface SignInStoreDeps {
  database: Database;
  forget(who: { personId: number }): void;
  /** Called in the transaction that creates a person. */
  onPerson(
    tx: Transaction<Schema>,
    person: { id: number; name: string; email: string },
  ): Promise<void>;
}

interface OpenTransaction {
  /** Null until the first write. */
  opened: Promise<Transaction<Schema>> | null;
  /** Settles when the transaction is committed or rolled back. */
  stored: Promise<void> | null;
  end: (error?: unknown) => void;
  changedPeople: Set<number>;
}

const MAX_NAME_LENGTH = 100;
const MAX_USER_AGENT_LENGTH = 300;
const MAX_IMAGE_URL_LENGTH = 500;

export function createSignInStore({ database, forget, onPerson }: SignInStoreDeps): SignInStore {
  const requests = new AsyncLocalStorage<SignInWork>();
  const transactions = new AsyncLocalStorage<OpenTransaction>();

  function open(own: OpenTransaction): Promise<Transaction<Schema>> {
    if (own.opened !== null) return own.opened;
    const opened = Promise.withResolvers<Transaction<Schema>>();
    const ended = Promise.withResolvers<void>();
    // Not awaited if the transaction never begins.
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

  async function recordingFault<Value>(work: () => Promise<Value>): Promise<Value> {
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
      recordingFault(async () => {
        const own = transactions.getStore();
        return query(own?.opened ? await own.opened : database.read);
      }),
    write: (change) =>
      recordingFault(async () => {
        const own = transactions.getStore();
        if (own !== undefined) return change(await open(own));
        const touched = new Set<number>();
        const alone: OpenTransaction = {
          opened: null,
          stored: null,
          end: () => {},
          changedPeople: touched,
        };
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
        changedPeople: new Set(),
      };
      try {
        const value = await transactions.run(own, work);
        own.end();
        await recordingFault(async () => own.stored);
        for (const personId of own.changedPeople) forget({ personId });
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
        user_agent: request?.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
      };
    },
    async created(tx, table, row) {
      store.invalidate(table, [row]);
      const request = requests.getStore();
      if (table === 'credential' && request !== undefined) {
        const provider = String(row['provider_id']);
        request.newCredential = { personId: Number(row['person_id']), provider };
      }
      if (table !== 'person') return;
      const { id, name, email } = row;
      await onPerson(tx, { id: Number(id), name: String(name), email: String(email) });
    },
    invalidate(table, rows) {
      const touched = transactions.getStore()?.changedPeople;
      for (const row of rows) {
        const personId = Number(table === 'person' ? row['id'] : row['person_id']);
        if (Number.isSafeInteger(personId)) touched?.add(personId);
      }
    },
  };
  return store;
}

/** Name and image of a new person; providers may send anything or nothing. */
function personOf(row: SignInRow): { name: string; image: string | null } {
  const email = String(row['email']);
  const name =
    String(row['name'] ?? '')
      .replaceAll('\0', '')
      .trim() || email.split('@')[0]!;
  const image = String(row['image'] ?? '');
  const isShown = image.startsWith('https://') && image.length <= MAX_IMAGE_URL_LENGTH;
  return { name: name.slice(0, MAX_NAME_LENGTH), image: isShown ? image : null };
}
