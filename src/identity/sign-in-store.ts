import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database, Db, Tx } from '../store/database/contract.ts';
import type { BudgetExceeded } from '../store/people/budgets.ts';
import type { SessionHolder } from '../store/people/sessions.ts';
import { type SignInRow, type SignInTable, signInStore } from '../store/people/sign-in-rows.ts';
import type { SignInMethod } from './caller.ts';

/** Context of the current sign-in request, and what it created. */
export interface SignInWork {
  address: string | null;
  userAgent: string | null;
  personId: number | null;
  method: SignInMethod;
  /** Team of such a session; null for the person's home team. */
  teamId: number | null;
  grantId: number | null;
  /** Session it created; null while a second factor is missing. */
  newSession: { id: number; personId: number } | null;
  /** Account at a provider, or password, it added. */
  newCredential: { personId: number; provider: string } | null;
  verified: { personId: number } | null;
  /** Budget that kept a mail of the request from being sent. */
  suppressed: BudgetExceeded | null;
  /** First database error, which better-auth would turn into an answer of its own. */
  fault: unknown;
}

interface OpenTransaction {
  /** Null until the first write. */
  opened: Promise<Tx> | null;
  /** Settles when the transaction is committed or rolled back. */
  stored: Promise<void> | null;
  end: (error?: unknown) => void;
  changedPeople: Set<number>;
}

function unopened(): OpenTransaction {
  return { opened: null, stored: null, end: () => {}, changedPeople: new Set() };
}

const MAX_NAME_LENGTH = 100;
const MAX_USER_AGENT_LENGTH = 300;
const MAX_IMAGE_URL_LENGTH = 500;

/** Work of a request of a session's holder, or of somebody who is not signed in. */
export function newWork(holder: SessionHolder | null, known: Partial<SignInWork>): SignInWork {
  return {
    address: null,
    userAgent: null,
    personId: holder?.person.id ?? null,
    method: (holder?.session.method ?? 'password') as SignInMethod,
    teamId: holder?.team?.id ?? null,
    grantId: null,
    newSession: null,
    newCredential: null,
    verified: null,
    suppressed: null,
    fault: null,
    ...known,
  };
}

export type SignInStore = ReturnType<typeof createSignInStore>;

/**
 * Creates the database access of the adapter: it knows the current request, and invalidates cached callers after changes.
 *
 * @param deps.onPerson called in the transaction that creates a person.
 */
export function createSignInStore({
  database,
  forget,
  onPerson,
}: {
  database: Database;
  forget: (who: { personId: number }) => void;
  onPerson: (tx: Tx, person: { id: number; name: string; email: string }) => Promise<void>;
}) {
  const requests = new AsyncLocalStorage<SignInWork>();
  const transactions = new AsyncLocalStorage<OpenTransaction>();

  function open(own: OpenTransaction): Promise<Tx> {
    if (own.opened !== null) return own.opened;
    const opened = Promise.withResolvers<Tx>();
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

  /** Drops the people of these rows from the caller cache once the transaction is stored. */
  function invalidate(table: SignInTable, rows: readonly SignInRow[]): void {
    const touched = transactions.getStore()?.changedPeople;
    for (const row of rows) {
      const personId = Number(table === 'person' ? row['id'] : row['person_id']);
      if (Number.isSafeInteger(personId)) touched?.add(personId);
    }
  }

  return {
    run: <Value>(work: SignInWork, call: () => Promise<Value>) => requests.run(work, call),
    current: () => requests.getStore(),
    read: <Value>(query: (db: Db) => Promise<Value>) =>
      recordingFault(async () => {
        const own = transactions.getStore();
        return query(own?.opened ? await own.opened : database.read);
      }),
    write: <Value>(change: (tx: Tx) => Promise<Value>) =>
      recordingFault(async () => {
        const own = transactions.getStore();
        if (own !== undefined) return change(await open(own));
        const alone = unopened();
        const value = await database.transaction((tx) =>
          transactions.run({ ...alone, opened: Promise.resolve(tx) }, () => change(tx)),
        );
        for (const personId of alone.changedPeople) forget({ personId });
        return value;
      }),
    /**
     * Runs all writes within in one transaction. It begins with the first write, so that work before it, such as hashing a
     * password, does not block other writers.
     */
    async transaction<Value>(work: () => Promise<Value>): Promise<Value> {
      if (transactions.getStore() !== undefined) return work();
      const own = unopened();
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
    /** Adds the columns that better-auth does not know. */
    async complete(tx: Tx, table: SignInTable, row: SignInRow): Promise<SignInRow> {
      if (table === 'person')
        return { ...row, ...personOf(row), timezone: row['timezone'] ?? 'UTC' };
      if (table !== 'session') return row;
      const request = requests.getStore();
      const home = () => signInStore(tx).homeTeam(Number(row['person_id']));
      return {
        ...row,
        method: request?.method ?? 'password',
        team_id: request?.teamId ?? (await home()),
        ip_address: request?.address ?? null,
        user_agent: request?.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
      };
    },
    async created(tx: Tx, table: SignInTable, row: SignInRow) {
      invalidate(table, [row]);
      const request = requests.getStore();
      if (table === 'credential' && request !== undefined) {
        const provider = String(row['provider_id']);
        request.newCredential = { personId: Number(row['person_id']), provider };
      }
      if (table !== 'person') return;
      const { id, name, email } = row;
      await onPerson(tx, { id: Number(id), name: String(name), email: String(email) });
    },
    invalidate,
  };
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
