import { createContext, useContext, type ReactNode } from 'react';
import { getPlan, listTeams, whoAmI } from '../client/sdk.gen.ts';
import type { GetPlanResponses, ListTeamsResponses, WhoAmIResponses } from '../client/types.gen.ts';
import { Failure } from '../parts/failure.tsx';
import { useRead } from './api.ts';

type Who = WhoAmIResponses[200];
type Team = ListTeamsResponses[200]['data'][number];
export type Role = Team['role'];

/** The person who is signed in, their team, and what they may do. */
export interface Session {
  user: Who['user'];
  /** Null for a person without a team. */
  team: Team | null;
  teams: Team[];
  plan: GetPlanResponses[200] | null;
  /** IANA time zone that times are shown in. */
  zone: string;
  /** Whether the person's role is at least this one. */
  isAtLeast: (role: Role) => boolean;
}

const ROLES: readonly Role[] = ['viewer', 'editor', 'admin', 'owner'];

const SessionContext = createContext<Session | null>(null);

/** Session of the person. Only inside of SessionProvider. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('There is no session here.');
  return session;
}

/** Reads who is signed in before it shows anything; a visitor is sent to the sign-in page. */
export function SessionProvider({ children }: { children: ReactNode }): ReactNode {
  const who = useRead(['account', 'who'], () => whoAmI());
  const teams = useRead(['team', 'all'], () => listTeams());
  const team = teams.data?.data.find(({ is_current }) => is_current) ?? null;
  const plan = useRead(['plan'], () => getPlan(), { enabled: team !== null });
  if (who.error) return <Failure error={who.error} retry={() => void who.refetch()} />;
  if (teams.error) return <Failure error={teams.error} retry={() => void teams.refetch()} />;
  if (who.data === undefined || teams.data === undefined) return null;
  const rank = team === null ? -1 : ROLES.indexOf(team.role);
  const session: Session = {
    user: who.data.user,
    team,
    teams: teams.data.data,
    plan: plan.data ?? null,
    zone: who.data.user.timezone,
    isAtLeast: (role) => rank >= ROLES.indexOf(role),
  };
  return <SessionContext value={session}>{children}</SessionContext>;
}
