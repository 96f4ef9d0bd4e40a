import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Database } from '../store/database/contract.ts';
import { type GrantHolder, grantStore } from '../store/people/grants.ts';
import { type SessionHolder, sessionStore } from '../store/people/sessions.ts';
import { type TokenHolder, tokenStore } from '../store/people/tokens.ts';
import {
  PERMISSIONS,
  type GrantPermission,
  type Permission,
  type Principal,
  type Role,
} from './caller.ts';
import { ADMIN_TOKEN_NAME } from './bootstrap.ts';
import { ACCESS_TOKEN_PREFIX } from './oauth-metadata.ts';
import { readSessionToken, type SignInSecret } from './session-cookie.ts';
import { hashToken } from './token.ts';

/** Time a revoked token or session, or a changed role, may stay effective on a node that has cached it. */
export const CALLER_CACHE_MS = 3_000;
/** Minimum time between writes of `last_used_at` of a token or session. */
const RECORD_USE_EVERY_MS = 60_000;
const MAX_CACHED_CALLERS = 10_000;
/** Longer tokens are rejected without hashing. */
const MAX_TOKEN_LENGTH = 512;

export interface Credentials {
  authorization?: string | undefined;
  /** Used only without `authorization`. */
  cookie?: string | undefined;
  address?: string | undefined;
  /**
   * Address of the protected resource that is called, such as the tool server: access tokens of OAuth are valid for the
   * resource that they were issued for, and nowhere else (RFC 8707). None by default, so that the API refuses them.
   */
  resource?: string | undefined;
}

export type Authenticator = ReturnType<typeof createAuthenticator>;

type CredentialKind = 'token' | 'session' | 'grant';

const TABLES = { token: 'token', session: 'session', grant: 'oauth_grant' } as const;

interface CachedCaller {
  principal: Omit<Principal, 'address'>;
  /** Resources for which an access token is valid; null for credentials of the API. */
  resources: readonly string[] | null;
  expiresAt: number | null;
  lastUsedAt: number | null;
  readAt: number;
}

export function createAuthenticator(deps: {
  database: Database;
  clock: Clock;
  log: Log;
  /** Secrets of session cookies, and whether they require TLS; sessions are disabled without it. */
  cookies?: () => { secrets: readonly SignInSecret[]; isSecure: boolean };
}) {
  const { database, clock, log, cookies } = deps;
  const known = new Map<string, CachedCaller>();
  const lastUse = new Map<string, number>();
  const writing = new Set<Promise<void>>();
  /** Counts calls of `forget`, so that a read that spans one is not cached. */
  let invalidations = 0;

  async function lookUp(kind: CredentialKind, secret: string): Promise<CachedCaller | null> {
    const hash = hashToken(secret);
    const key = `${kind} ${hash}`;
    const cached = known.get(key);
    const readAt = clock.monotonic();
    if (cached !== undefined && readAt - cached.readAt < CALLER_CACHE_MS) return cached;
    const invalidationsBefore = invalidations;
    const found = await read(kind, hash);
    known.delete(key);
    if (found === null) return null;
    const entry = { ...found, readAt };
    if (invalidations === invalidationsBefore) known.set(key, entry);
    trim(known, MAX_CACHED_CALLERS);
    const use = useKey(entry.principal);
    lastUse.set(use, Math.max(entry.lastUsedAt ?? 0, lastUse.get(use) ?? 0));
    trim(lastUse, MAX_CACHED_CALLERS);
    return entry;
  }

  async function read(kind: CredentialKind, hash: string) {
    if (kind === 'token') {
      const holder = await tokenStore(database.read).findHolder(hash);
      return holder === undefined ? null : callerOfToken(holder);
    }
    if (kind === 'grant') {
      const holder = await grantStore(database.read).findHolder(hash);
      return holder === undefined ? null : callerOfGrant(holder);
    }
    const holder = await sessionStore(database.read).findHolder(hash);
    return holder === undefined ? null : callerOfSession(holder);
  }

  /** Records the last use without delaying the request; a failure only leaves the time slightly old. */
  function recordUse(principal: CachedCaller['principal'], now: number): void {
    const key = useKey(principal);
    if (now - (lastUse.get(key) ?? 0) < RECORD_USE_EVERY_MS) return;
    lastUse.set(key, now);
    const { kind, id } = principal.credential;
    const write = database
      .transaction((tx) => sessionStore(tx).recordLastUse(TABLES[kind as CredentialKind], id, now))
      .catch((error: unknown) => logUnrecordedUse(kind as CredentialKind, id, error))
      .finally(() => writing.delete(write));
    writing.add(write);
  }

  function logUnrecordedUse(kind: CredentialKind, id: number, error: unknown): void {
    if (kind === 'token')
      // Log: `last_used_at` is a little old.
      log.warn({ error, token_id: id }, 'The last use of a token could not be recorded.');
    else if (kind === 'session')
      // Log: `last_used_at` is a little old.
      log.warn({ error, session_id: id }, 'The last use of a session could not be recorded.');
    else
      // Log: A connected application shows a `last_used_at` that is a little old.
      log.warn({ error, grant_id: id }, 'The last use of a grant could not be recorded.');
  }

  async function find({ authorization, cookie, resource }: Credentials) {
    if (authorization !== undefined) {
      const token = bearerToken(authorization);
      if (token === null) return null;
      if (!token.startsWith(ACCESS_TOKEN_PREFIX)) return lookUp('token', token);
      if (resource === undefined) return null;
      const found = await lookUp('grant', token.slice(ACCESS_TOKEN_PREFIX.length));
      return found?.resources?.includes(resource) === true ? found : null;
    }
    if (cookie === undefined || cookies === undefined) return null;
    const token = readSessionToken(cookie, cookies());
    return token === null ? null : lookUp('session', token);
  }

  return {
    /**
     * Authenticates a caller; null without a token or session, or with an unknown, revoked or expired one. Throws errors of
     * the store when the database is unavailable.
     */
    async authenticate(credentials: Credentials) {
      const found = await find(credentials);
      const now = clock.now();
      if (found === null || (found.expiresAt !== null && found.expiresAt <= now)) return null;
      recordUse(found.principal, now);
      return { ...found.principal, address: credentials.address ?? null };
    },
    /** Drops cached callers of a person or team, so that their next call reads the database. */
    forget(who: { personId: number } | { teamId: number }) {
      invalidations += 1;
      for (const [key, { principal }] of known) {
        const isMeant =
          'personId' in who
            ? principal.person.id === who.personId
            : // The cache does not hold which team is withheld.
              principal.team?.id === who.teamId || principal.withheld !== null;
        if (isMeant) known.delete(key);
      }
    },
    async close() {
      await Promise.all(writing);
    },
  };
}

/** Token of `Bearer <token>` (RFC 6750, section 2.1), with a case-insensitive scheme (RFC 9110, section 11.1). */
function bearerToken(header: string): string | null {
  const token = /^bearer +(\S+) *$/i.exec(header)?.[1];
  return token === undefined || token.length > MAX_TOKEN_LENGTH ? null : token;
}

function callerOfToken(row: TokenHolder): Omit<CachedCaller, 'readAt'> {
  const { token_id: id, token_name: name } = row;
  // ADMIN_TOKEN is the operator's: who can set it has the database, too.
  const isExempt = name === ADMIN_TOKEN_NAME;
  return { ...callerOf(row, { kind: 'token', id, name }, isExempt), resources: null };
}

/** The tokens of a grant hold no more than what their client asked for. */
function callerOfGrant(row: GrantHolder): Omit<CachedCaller, 'readAt'> {
  const credential = { kind: 'grant', id: row.grant_id, name: row.client_name ?? '' } as const;
  const { principal, ...times } = callerOf(row, credential, false);
  const scopes = JSON.parse(row.scopes) as string[];
  const held = (principal.permissions as readonly GrantPermission[]).filter((one) =>
    scopes.includes(one),
  );
  const permissions = PERMISSIONS.filter((one) => held.includes(one));
  const mayCheckUrl = held.includes('check_url') && { mayCheckUrl: true as const };
  const resources = JSON.parse(row.resources ?? '[]') as string[];
  return { ...times, principal: { ...principal, permissions, ...mayCheckUrl }, resources };
}

/** @param isExempt whether the holder needs no second factor, whatever the team requires. */
function callerOf(
  row: Omit<TokenHolder, 'token_id' | 'token_name'>,
  credential: Principal['credential'],
  isExempt: boolean,
): Omit<CachedCaller, 'readAt' | 'resources'> {
  const { email, timezone, slug, personal_team, plan } = row;
  const hasFactor = row.mfa_enabled === 1 || Boolean(row.has_passkey);
  const lacksFactor = row.mfa_required === 1 && !hasFactor && !isExempt;
  const team = teamOf({ id: row.team_id, name: row.team_name, slug, personal_team, plan });
  return {
    principal: {
      person: { id: row.person_id, name: row.person_name, email, timezone },
      team: lacksFactor ? null : team,
      role: lacksFactor ? null : (row.role as Role),
      withheld: lacksFactor ? 'mfa_required' : null,
      permissions: JSON.parse(row.permissions) as Permission[],
      credential,
    },
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  };
}

function callerOfSession({ session, person, team }: SessionHolder): Omit<CachedCaller, 'readAt'> {
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
    resources: null,
    expiresAt: session.expires_at,
    lastUsedAt: session.last_used_at,
  };
}

type TeamRow = Omit<NonNullable<SessionHolder['team']>, 'mfa_required' | 'role'>;

function teamOf({ id, name, slug, plan, personal_team }: TeamRow) {
  return { id, name, slug, personalTeam: personal_team === 1, plan };
}

function useKey({ credential: { kind, id } }: CachedCaller['principal']): string {
  return `${kind} ${id}`;
}

/** Deletes the oldest entries: a Map keeps insertion order. */
function trim(map: Map<unknown, unknown>, size: number): void {
  for (const key of map.keys()) {
    if (map.size <= size) return;
    map.delete(key);
  }
}
