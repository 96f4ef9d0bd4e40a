import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ClaimedKey, Principal } from '../../identity/caller.ts';
import { clientOf } from '../../identity/rate-limits.ts';
import type { Clock } from '../../lib/clock.ts';
import { openIfPossible } from '../../lib/columns.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { Database, Db, Tx } from '../../store/database/contract.ts';
import { parseExactJson } from '../../lib/exact-json.ts';
import {
  markCarriedOut,
  timeOfNthNewest,
  type IdempotencyKeyRow,
  idempotencyKeys,
} from '../../store/resources/idempotency-keys.ts';
import { invalidField, Problem, RateLimited, type InvalidInput } from './errors.ts';

/** Time for which a key is kept (contract 1.23). */
export const KEY_MS = 24 * 3_600_000;
/**
 * Time after which a request without an answer is taken for dead. The slowest one, a manual check, answers within 25 s. A
 * slower one changes nothing any more once the key is claimed again.
 */
export const LEASE_MS = 30_000;
/** Maximum number of keys of one account, so that nobody fills the disk: 10,000 answers of a monitor are about 10 MB. */
export const MAX_KEYS = 10_000;
/** Maximum size of a stored answer, compressed, in bytes. That of 500 created monitors has about 100 kB. */
const MAX_ANSWER_BYTES = 256 * 1024;

/** A request with a key. */
export interface KeyedRequest {
  /** Null for an open route. */
  principal: Principal | null;
  clientAddress: string;
  method: string;
  /** Path with its ids, without the query. */
  path: string;
  key: string;
  query: string;
  /** Undefined without a body. */
  body: unknown;
}

/** Answer to a request that succeeded. */
export interface KeptAnswer {
  status: number;
  /** Undefined without a body. */
  body: unknown;
  /** Headers that belong to the answer, by lower-case name. */
  headers: Record<string, string>;
}

/** What is to be done with a request. */
export type Claim =
  | { is: 'new'; key: ClaimedKey }
  | { is: 'answered'; answer: KeptAnswer }
  /** It was carried out, and its answer is lost: the process ended in between, or the answer was too large. */
  | { is: 'unanswered'; target: { type: string; id: number | null } | null };

export type IdempotentRequests = ReturnType<typeof createIdempotentRequests>;

/** Requests that are carried out at most once, by the key that their sender gave them. */
export function createIdempotentRequests(deps: {
  database: Database;
  clock: Pick<Clock, 'now'>;
  secretBox: SecretBox;
}) {
  const { database, clock, secretBox } = deps;

  async function claimIn(tx: Tx, request: KeyedRequest): Promise<Claim> {
    const now = clock.now();
    const owner = ownerOf(request);
    const [scope, fingerprint] = [scopeOf(request), fingerprintOf(request)];
    const lease = { fingerprint, leased_until: now + LEASE_MS };
    const id = await idempotencyKeys(tx).insert({ scope, owner, ...lease }, now);
    if (id !== null) {
      await checkCount(tx, owner, now);
      return { is: 'new', key: { id, claim: 1 } };
    }
    const row = (await idempotencyKeys(tx).lock(scope))!;
    const reclaim = async (createdAt: number): Promise<Claim> => {
      await idempotencyKeys(tx).reclaim(row, lease, createdAt);
      return { is: 'new', key: { id: row.id, claim: row.claim + 1 } };
    };
    if (row.created_at <= now - KEY_MS) return reclaim(now);
    if (row.fingerprint !== fingerprint) throw usedForAnother();
    const isRunning = row.leased_until > now && row.leased_until <= now + LEASE_MS;
    if (row.status === null && isRunning) throw stillRunning();
    if (row.status === null && row.carried_out_at === null) return reclaim(row.created_at);
    return answerOf(row);
  }

  function answerOf({
    id: keyId,
    status,
    answer,
    target_type: type,
    target_id: id,
  }: IdempotencyKeyRow): Claim {
    const text = answer === null ? undefined : openIfPossible(secretsOf(keyId))(answer, 'answer');
    if (status === null || text === undefined)
      return { is: 'unanswered', target: type === null ? null : { type, id } };
    const json = inflateRawSync(Buffer.from(text, 'base64')).toString();
    return {
      is: 'answered',
      answer: { status, ...(parseExactJson(json) as Omit<KeptAnswer, 'status'>) },
    };
  }

  const secretsOf = (keyId: number) => secretBox.of('idempotency_key', keyId);

  return {
    /** Throws a Problem for a key that is in use by a running request, or was used for another one. */
    claim: (request: KeyedRequest) => database.transaction((tx) => claimIn(tx, request)),

    /** Keeps the answer of a request that succeeded. */
    async keep(key: ClaimedKey, { status, ...rest }: KeptAnswer) {
      const packed = deflateRawSync(JSON.stringify(rest));
      const isKept = packed.length <= MAX_ANSWER_BYTES;
      const answer = isKept ? secretsOf(key.id).seal(packed.toString('base64'), 'answer') : null;
      await database.transaction((tx) => idempotencyKeys(tx).storeAnswer(key, { status, answer }));
    },

    /** Lets a request that failed be repeated. */
    release: (key: ClaimedKey) => database.transaction((tx) => idempotencyKeys(tx).release(key)),
  };
}

/**
 * Records in the transaction of a change that the request's key has been used. So a request that dies before its answer
 * is not carried out again, and one that was taken for dead changes nothing: throws a Problem when its key was claimed
 * again.
 */
export async function recordCarriedOut(
  tx: Db,
  key: ClaimedKey,
  target: { type: string; id: number | null },
  now: number,
): Promise<void> {
  if (!(await markCarriedOut(tx, key, target, now))) throw stillRunning();
}

async function checkCount(tx: Tx, owner: string, now: number): Promise<void> {
  const oldest = await timeOfNthNewest(tx, owner, MAX_KEYS + 1);
  if (oldest === null || oldest <= now - KEY_MS) return;
  const seconds = Math.max(1, Math.ceil((oldest + KEY_MS - now) / 1_000));
  throw new RateLimited(
    MAX_KEYS,
    seconds,
    `The limit of ${MAX_KEYS} idempotency keys in 24 hours is reached`,
  );
}

function usedForAnother(): InvalidInput {
  return invalidField(
    'Idempotency-Key',
    'was used for a request with another body: take a new key, and repeat one only with the same request',
  );
}

function stillRunning(): Problem {
  return new Problem(
    'conflict',
    'The first request with this Idempotency-Key is still running. Repeat this one in a few seconds.',
  );
}

/** Whose keys are counted together: those of a person, or of a client on open routes. */
function ownerOf({ principal, clientAddress }: KeyedRequest): string {
  return principal === null
    ? hashOf(['client', clientOf(clientAddress)])
    : `person ${principal.person.id}`;
}

/** A key is for one token or session, the team that it acts on, and one path. */
function scopeOf({ principal, clientAddress, method, path, key }: KeyedRequest): string {
  const sender =
    principal === null
      ? ['address', clientAddress]
      : [principal.credential.kind, principal.credential.id, principal.team?.id ?? null];
  return hashOf([...sender, method, path, key]);
}

/** The key is part of it, so that short secrets in a body can't be guessed from its hash. */
function fingerprintOf({ key, query, body }: KeyedRequest): string {
  return hashOf([key, query, body ?? null]);
}

function hashOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
