import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Database } from '../store/database/contract.ts';
import { findSessionHolder, noteSessionUse, type SessionHolder } from '../store/people/sessions.ts';
import { findTokenHolder, noteTokenUse, type TokenHolder } from '../store/people/tokens.ts';
import { PERMISSIONS, type Permission, type Principal, type Role } from './caller.ts';
import { readSessionToken } from './session-cookie.ts';
import { hashToken } from './token.ts';

/** A revoked token or session, or a changed role, may hold on for so long on a node that has just seen it. */
export const CALLER_CACHE_MS = 3_000;
/** `last_used_at` is written at most so often for one token or session. */
const NOTE_USE_MS = 60_000;
const CACHED_CALLERS = 10_000;
/** Longer texts are not even hashed. */
const LONGEST_TOKEN = 512;

/** The headers by which somebody says who they are, and where they call from. */
export interface Credentials {
  authorization?: string | undefined;
  /** Looked at when there is no `authorization`. */
  cookie?: string | undefined;
  address?: string | undefined;
}

export interface Authenticator {
  /**
   * Who calls with these headers; null when they hold no token or session, or an unknown, revoked or expired one.
   * Throws what the store throws when the database is away.
   */
  authenticate(credentials: Credentials): Promise<Principal | null>;
  /** The next call of that person, or of anybody on that team, is judged by what is stored then. */
  forget(who: { personId: number } | { teamId: number }): void;
  /** Waits for the writes of `last_used_at` that are under way. */
  close(): Promise<void>;
}

interface Known {
  principal: Omit<Principal, 'address'>;
  expiresAt: number | null;
  lastUsedAt: number | null;
  readAt: number;
}

export function createAuthenticator(deps: {
  database: Database;
  clock: Clock;
  log: Log;
  /** What session cookies are signed with, and whether they come over TLS; without it there are no sessions. */
  cookies?: () => { secret: string; isSecure: boolean };
}): Authenticator {
  const { database, clock, log, cookies } = deps;
  const known = new Map<string, Known>();
  const lastUse = new Map<string, number>();
  const writing = new Set<Promise<void>>();
  /** What was being read when somebody was forgotten may be old already. */
  let forgotten = 0;

  async function look(kind: 'token' | 'session', secret: string): Promise<Known | null> {
    const hash = hashToken(secret);
    const key = `${kind} ${hash}`;
    const cached = known.get(key);
    const readAt = clock.monotonic();
    if (cached !== undefined && readAt - cached.readAt < CALLER_CACHE_MS) return cached;
    const forgottenBefore = forgotten;
    const found = await read(kind, hash);
    known.delete(key);
    if (found === null) return null;
    const entry = { ...found, readAt };
    if (forgotten === forgottenBefore) known.set(key, entry);
    trim(known, CACHED_CALLERS);
    const use = useKey(entry.principal);
    lastUse.set(use, Math.max(entry.lastUsedAt ?? 0, lastUse.get(use) ?? 0));
    trim(lastUse, CACHED_CALLERS);
    return entry;
  }

  async function read(kind: 'token' | 'session', hash: string) {
    if (kind === 'token') {
      const holder = await findTokenHolder(database.read, hash);
      return holder === undefined ? null : ofToken(holder);
    }
    const holder = await findSessionHolder(database.read, hash);
    return holder === undefined ? null : ofSession(holder);
  }

  /** Off the request's path: nobody waits for it, and a failure only leaves the time a little old. */
  function noteUse(principal: Known['principal'], now: number): void {
    const { kind, id } = principal.credential;
    const key = useKey(principal);
    if (now - (lastUse.get(key) ?? 0) < NOTE_USE_MS) return;
    lastUse.set(key, now);
    const note = kind === 'token' ? noteTokenUse : noteSessionUse;
    const write = database
      .transaction((tx) => note(tx, id, now))
      .catch((error: unknown) =>
        log.warn({ error, [`${kind}Id`]: id }, `The last use of a ${kind} could not be noted`),
      )
      .finally(() => writing.delete(write));
    writing.add(write);
  }

  async function find({ authorization, cookie }: Credentials): Promise<Known | null> {
    if (authorization !== undefined) {
      const token = bearerToken(authorization);
      return token === null ? null : look('token', token);
    }
    if (cookie === undefined || cookies === undefined) return null;
    const token = readSessionToken(cookie, cookies());
    return token === null ? null : look('session', token);
  }

  return {
    async authenticate(credentials) {
      const found = await find(credentials);
      const now = clock.now();
      if (found === null || (found.expiresAt !== null && found.expiresAt <= now)) return null;
      noteUse(found.principal, now);
      return { ...found.principal, address: credentials.address ?? null };
    },
    forget(who) {
      forgotten += 1;
      for (const [key, { principal }] of known) {
        const isMeant =
          'personId' in who
            ? principal.person.id === who.personId
            : // Which team is withheld is not kept.
              principal.team?.id === who.teamId || principal.withheld !== null;
        if (isMeant) known.delete(key);
      }
    },
    async close() {
      await Promise.all(writing);
    },
  };
}

/** The token of `Bearer <token>` (RFC 6750, section 2.1); the scheme's case does not matter (RFC 9110, section 11.1). */
function bearerToken(header: string): string | null {
  const token = /^bearer +(\S+) *$/i.exec(header)?.[1];
  return token === undefined || token.length > LONGEST_TOKEN ? null : token;
}

function ofToken({ token, person, team, role }: TokenHolder): Omit<Known, 'readAt'> {
  return {
    principal: {
      person,
      team: teamOf(team),
      role: role as Role,
      withheld: null,
      permissions: JSON.parse(token.permissions) as Permission[],
      credential: { kind: 'token', id: token.id, name: token.name },
    },
    expiresAt: token.expires_at,
    lastUsedAt: token.last_used_at,
  };
}

function ofSession({ session, person, team }: SessionHolder): Omit<Known, 'readAt'> {
  const { mfa_enabled, ...shown } = person;
  const lacksFactor =
    team !== null && team.mfa_required === 1 && mfa_enabled === 0 && session.method !== 'passkey';
  return {
    principal: {
      person: shown,
      team: team === null || lacksFactor ? null : teamOf(team),
      role: team === null || lacksFactor ? null : (team.role as Role),
      withheld: lacksFactor ? 'mfa_required' : null,
      permissions: PERMISSIONS,
      credential: { kind: 'session', id: session.id, name: 'Session' },
    },
    expiresAt: session.expires_at,
    lastUsedAt: session.last_used_at,
  };
}

function teamOf(row: TokenHolder['team']) {
  const { id, name, slug, plan } = row;
  return { id, name, slug, personalTeam: row.personal_team === 1, plan };
}

function useKey({ credential: { kind, id } }: Known['principal']): string {
  return `${kind} ${id}`;
}

/** Forgets the oldest entries: a Map keeps the order of insertion. */
function trim(map: Map<unknown, unknown>, size: number): void {
  for (const key of map.keys()) {
    if (map.size <= size) return;
    map.delete(key);
  }
}
