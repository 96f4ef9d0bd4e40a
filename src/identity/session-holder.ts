import type { Clock } from '../lib/clock.ts';
import type { Database } from '../store/database/contract.ts';
import { findSessionHolder, type SessionHolder } from '../store/people/sessions.ts';
import { readSessionToken, type SignInSecret } from './session-cookie.ts';
import { hashToken } from './token.ts';

/** Reads whose session a Cookie header holds; null without one, or with an unknown or expired one. */
export type HolderReader = (cookie: string | undefined) => Promise<SessionHolder | null>;

export function createHolderReader(deps: {
  database: Database;
  clock: Pick<Clock, 'now'>;
  secrets: readonly SignInSecret[];
  baseUrl: () => string;
}): HolderReader {
  const { database, clock, secrets, baseUrl } = deps;
  return async (cookie) => {
    const isSecure = baseUrl().startsWith('https:');
    const token = readSessionToken(cookie, { secrets, isSecure });
    if (token === null) return null;
    const holder = await findSessionHolder(database.read, hashToken(token));
    return holder === undefined || holder.session.expires_at <= clock.now() ? null : holder;
  };
}
