import type { ReactNode } from 'react';
import { getPlan, listTeams, whoAmI } from '../client/sdk.gen.ts';
import { Failure, Waiting } from '../parts/failure.tsx';
import { useRead } from './api.ts';
import { SessionContext, type Role, type Session } from './session-context.ts';

export { useSession, type Session } from './session-context.ts';

const ROLES: readonly Role[] = ['viewer', 'editor', 'admin', 'owner'];

/** Reads who is signed in before it shows anything; a visitor is sent to the sign-in page. */
export function SessionProvider({ children }: { children: ReactNode }): ReactNode {
  const who = useRead(['account', 'who'], () => whoAmI());
  const teams = useRead(['team', 'all'], () => listTeams());
  const current = teams.data?.data.find(({ is_current }) => is_current) ?? null;
  const team = who.data?.team == null ? null : current;
  const plan = useRead(['plan'], () => getPlan(), { enabled: team !== null });
  if (who.error) return <Failure error={who.error} retry={() => void who.refetch()} />;
  if (teams.error) return <Failure error={teams.error} retry={() => void teams.refetch()} />;
  if (who.data === undefined || teams.data === undefined) {
    return (
      <div className="page late">
        <Waiting lines={6} />
      </div>
    );
  }
  const rank = team === null ? -1 : ROLES.indexOf(team.role);
  const session: Session = {
    user: who.data.user,
    team,
    needsFactor: who.data.withheld === 'mfa_required',
    teams: teams.data.data,
    plan: plan.data ?? null,
    zone: who.data.user.timezone,
    isAtLeast: (role) => rank >= ROLES.indexOf(role),
  };
  return <SessionContext value={session}>{children}</SessionContext>;
}
