import type { Caller, Permission, Principal, Role } from '../../identity/caller.ts';
import type { Plans } from '../../identity/plans.ts';
import type { AccountBudget } from '../../identity/rate-limits.ts';
import { authorize, holdPermission, inTeam, Problem } from './errors.ts';
import type { ListAddress } from './page.ts';

/** Call that has passed authentication and authorization. */
export interface Call {
  /** Caller with their team. Reading it refuses callers without a team, also on routes that need none. */
  readonly caller: Caller;
  /** Caller, with or without a team. */
  readonly principal: Principal;
  /** Caller, or null for an anonymous call of an open route. */
  readonly visitor: Principal | null;
  /** Client address for the audit log. */
  clientAddress: string;
  /** Id in the path; 0, which matches nothing, when it is not a whole number. */
  id: number;
  /** Another id in the path, such as `:delivery`; 0 when it is not a whole number. */
  idOf(name: string): number;
  /** Text in the path, such as `:channel`. */
  parameter(name: string): string;
  query: object;
  /** `Last-Event-ID` of a client that resumes a stream of events; null without one. */
  lastEventId: string | null;
  /** Undefined without a body. */
  body: unknown;
  address: ListAddress;
}

export interface Route {
  /** Name of the operation in the reference (resources/operations.ts). */
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below `/api/v1` and `/api`. */
  path: string;
  /** `token` is any valid token or session, for reading what is one's own; `nobody` is open to all. */
  needs: Permission | 'token' | 'nobody';
  /**
   * Minimum role. By default viewers read and editors change (identity/caller.ts); null when the role does not matter,
   * as for what is one's own. Ignored for `token` and `nobody`.
   */
  role?: Role | null;
  /** Permission that a connected application needs besides. */
  grantNeeds?: 'check_url';
  /** Rate limit budget; `standard` by default. */
  budget?: AccountBudget;
  /** 200 by default; 204 has no body. */
  status?: 201 | 202 | 204;
  /** Handles a call: an object is sent as JSON, a Download as a file, an EventStream as events. */
  answer(call: Call): object | Promise<object | void>;
}

/** Throws unless the caller may use the route (api/routes.ts has the table). */
export function authorizeRoute(
  access: Pick<Route, 'needs' | 'role' | 'grantNeeds'>,
  principal: Principal,
  plans: Plans,
): void {
  const { needs, role, grantNeeds } = access;
  if (needs === 'nobody' || needs === 'token') return;
  if (role === null) return holdPermission(principal, needs);
  const caller = inTeam(principal);
  const plan = plans.of(caller.team.plan);
  if (caller.credential.kind !== 'session' && !plan.apiAccess) {
    throw new Problem(
      'forbidden',
      `The plan "${plan.name}" of this team does not include API access: use the dashboard, or change the plan.`,
    );
  }
  authorize(caller, needs, role);
  if (grantNeeds === undefined || caller.credential.kind !== 'grant' || caller.mayCheckUrl) return;
  throw new Problem(
    'forbidden',
    `This application lacks the "${grantNeeds}" permission: connect it again, and allow it to check any address.`,
  );
}
