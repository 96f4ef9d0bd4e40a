import { createContext, useContext } from 'react';
import type { AnswerOf } from './client.ts';

type Team = AnswerOf<'listTeams'>['data'][number];
export type Role = Team['role'];

/** The person who is signed in, their team, and what they may do. */
export interface Session {
  user: AnswerOf<'whoAmI'>['user'];
  /** Null for a person without a team, and when their team withholds its data. */
  team: Team | null;
  /** Whether a team shows nothing until the person has a second factor. */
  needsFactor: boolean;
  teams: Team[];
  plan: AnswerOf<'getPlan'> | null;
  /** IANA time zone that times are shown in. */
  zone: string;
  /** Whether the person's role is at least this one. */
  isAtLeast: (role: Role) => boolean;
}

/** Null where nobody is signed in. */
export const SessionContext = createContext<Session | null>(null);

/** Session of the person. Only inside of SessionProvider. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('There is no session here.');
  return session;
}

/** IANA time zone that times are shown in: that of the person, or of the browser where nobody is signed in. */
export function useZone(): string {
  return useContext(SessionContext)?.zone ?? browserZone();
}

export function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Whether the person may read the audit log; false where nobody is signed in. */
export function useAuditLog(): boolean {
  return useContext(SessionContext)?.isAtLeast('admin') ?? false;
}
