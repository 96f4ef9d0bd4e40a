import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Database } from '../store/contract.ts';
import { findTokenHolder, noteTokenUse, type TokenHolder } from '../store/tokens.ts';
import type { Caller, Permission, Role } from './caller.ts';
import { hashToken } from './token.ts';

/** A revoked token, or a changed role, may hold on for so long on a node that has just seen the token. */
export const CALLER_CACHE_MS = 3_000;
/** `last_used_at` is written at most so often for one token. */
const NOTE_USE_MS = 60_000;
const CACHED_CALLERS = 10_000;
/** Longer texts are not even hashed. */
const LONGEST_TOKEN = 512;

export interface Authenticator {
  /**
   * Who calls with this `Authorization` header; null when it holds no token, or an unknown, revoked or expired one.
   * Throws what the store throws when the database is away.
   */
  authenticate(header: string | undefined): Promise<Caller | null>;
  /** The token's next call is judged by what is stored then: its team, say, has been changed on this node. */
  forget(tokenId: number): void;
  /** Waits for the writes of `last_used_at` that are under way. */
  close(): Promise<void>;
}

interface Known {
  caller: Caller;
  expiresAt: number | null;
  readAt: number;
}

export function createAuthenticator(deps: {
  database: Database;
  clock: Clock;
  log: Log;
}): Authenticator {
  const { database, clock, log } = deps;
  const known = new Map<string, Known>();
  const lastUse = new Map<number, number>();
  const writing = new Set<Promise<void>>();
  /** What was being read when a token was forgotten may be old already. */
  let forgotten = 0;

  async function look(hash: string): Promise<Known | null> {
    const cached = known.get(hash);
    const readAt = clock.monotonic();
    if (cached !== undefined && readAt - cached.readAt < CALLER_CACHE_MS) return cached;
    const forgottenBefore = forgotten;
    const holder = await findTokenHolder(database.read, hash);
    known.delete(hash);
    if (holder === undefined) return null;
    const found = { caller: callerOf(holder), expiresAt: holder.token.expires_at, readAt };
    if (forgotten === forgottenBefore) known.set(hash, found);
    trim(known, CACHED_CALLERS);
    const noted = Math.max(holder.token.last_used_at ?? 0, lastUse.get(holder.token.id) ?? 0);
    lastUse.set(holder.token.id, noted);
    trim(lastUse, CACHED_CALLERS);
    return found;
  }

  /** Off the request's path: nobody waits for it, and a failure only leaves the time a little old. */
  function noteUse(tokenId: number, now: number): void {
    if (now - (lastUse.get(tokenId) ?? 0) < NOTE_USE_MS) return;
    lastUse.set(tokenId, now);
    const write = database
      .transaction((tx) => noteTokenUse(tx, tokenId, now))
      .catch((error: unknown) =>
        log.warn({ error, tokenId }, 'The last use of a token could not be noted'),
      )
      .finally(() => writing.delete(write));
    writing.add(write);
  }

  return {
    async authenticate(header) {
      const token = bearerToken(header);
      if (token === null) return null;
      const found = await look(hashToken(token));
      const now = clock.now();
      if (found === null || (found.expiresAt !== null && found.expiresAt <= now)) return null;
      noteUse(found.caller.token.id, now);
      return found.caller;
    },
    forget(tokenId) {
      forgotten += 1;
      for (const [hash, { caller }] of known) if (caller.token.id === tokenId) known.delete(hash);
    },
    async close() {
      await Promise.all(writing);
    },
  };
}

/** The token of `Bearer <token>` (RFC 6750, section 2.1); the scheme's case does not matter (RFC 9110, section 11.1). */
function bearerToken(header: string | undefined): string | null {
  const token = header === undefined ? undefined : /^bearer +(\S+) *$/i.exec(header)?.[1];
  return token === undefined || token.length > LONGEST_TOKEN ? null : token;
}

function callerOf({ token, person, team, role }: TokenHolder): Caller {
  return {
    person,
    team: { id: team.id, name: team.name, slug: team.slug, personalTeam: team.personal_team === 1 },
    role: role as Role,
    token: {
      id: token.id,
      name: token.name,
      permissions: JSON.parse(token.permissions) as Permission[],
    },
  };
}

/** Forgets the oldest entries: a Map keeps the order of insertion. */
function trim(map: Map<unknown, unknown>, size: number): void {
  for (const key of map.keys()) {
    if (map.size <= size) return;
    map.delete(key);
  }
}
