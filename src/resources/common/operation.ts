import type { z } from 'zod';
import type { Caller, Permission, Principal, Role } from '../../identity/caller.ts';
import type { Plans } from '../../identity/plans.ts';
import type { AccountBudget } from '../../identity/rate-limits.ts';
import { changingIn, type Changing } from './changing.ts';
import { authorize, holdPermission, inTeam, Problem, type ProblemCode } from './errors.ts';
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
  /** `If-Match` of a client, for operations that compare it themselves; null without one. */
  ifMatch: string | null;
  /** Undefined without a body. */
  body: unknown;
  address: ListAddress;
}

/** A call from within this process, as the API makes one of a request. @param path parameters in the path, by name. */
export function callWithin(
  principal: Principal,
  {
    path = {},
    ...given
  }: { path?: Readonly<Record<string, string>> } & Partial<
    Pick<Call, 'query' | 'body' | 'ifMatch' | 'address'>
  >,
): Call {
  const idOf = (name: string) => Number(path[name] ?? 0);
  return {
    principal,
    get caller() {
      return inTeam(principal);
    },
    visitor: principal,
    clientAddress: principal.address ?? '',
    id: idOf('id'),
    idOf,
    parameter: (name) => path[name] ?? '',
    query: {},
    lastEventId: null,
    ifMatch: null,
    body: undefined,
    address: { path: '', query: '' },
    ...given,
  };
}

/** Chapters of the reference that several nouns share, and what each is about. */
export const TAGS = {
  Account: 'Who the token belongs to.',
  Overview: 'How all monitors are: what needs attention, what expires, and their uptime.',
  Monitors: 'What is watched, and what was seen.',
  Incidents: 'When it was not well, and why.',
  Users: 'The members of the team.',
  Teams: 'The teams of the token’s holder.',
  Webhooks: 'Where programs are notified of events.',
  Alerts: 'Who is notified, and how.',
  Maintenance: 'When trouble is expected, and nobody is notified.',
  'Status pages': 'Public pages that show how services are, and their subscribers.',
  Announcements: 'Messages for visitors of status pages about incidents and maintenance.',
  Reports: 'Figures of a period: uptime, downtime, response times, error budgets, and corrections.',
  Configuration: 'What a team is to have, as files describe it.',
} as const;

/** Chapter of the reference: a shared one, or one of its own with what it is about. */
export type Tag = keyof typeof TAGS | Readonly<Record<string, string>>;

export const tagName = (tag: Tag) => (typeof tag === 'string' ? tag : Object.keys(tag)[0]!);

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Answer = object | Promise<object | void>;

/** Who may use an operation. */
interface Access {
  /**
   * By default what the method stands for: GET reads, POST creates, PUT updates and DELETE deletes. `token` is any valid
   * token or session, for reading what is one's own; `nobody` is open to all.
   */
  needs?: Permission | 'token' | 'nobody';
  /**
   * Minimum role. By default viewers read and editors change (identity/caller.ts); null when the role does not matter,
   * as for what is one's own. Ignored for `token` and `nobody`.
   */
  role?: Role | null;
  /** Permission that a connected application needs besides. */
  grantNeeds?: 'check_url';
  /** Rate limit budget; `standard` by default. */
  budget?: AccountBudget;
  /** Bytes that its body may have, where that is more than 1 MiB. */
  bodyLimit?: number;
  /** Whether its answer is compressed: it is long and holds no secret, so that its length reveals nothing (BREACH). */
  isCompressed?: boolean;
}

/** An operation of the API: where it is, who may use it, what it takes and gives. */
export interface Operation extends Access {
  /** Method and path below `/api/v1` and `/api`, such as `GET /groups/:id`. */
  at: `${Method} /${string}`;
  /** By default 201 for a POST that needs `create`, 204 for a DELETE, and 200 for the others. 204 has no body. */
  status?: 200 | 201 | 202 | 204;
  tag: Tag;
  /** A few words, without a full stop. */
  summary: string;
  /** Sentences for API users, in Markdown. */
  description?: string;
  /** Parameters in the path that are not ids, by name, such as `channel`. */
  words?: Record<string, z.ZodType>;
  query?: z.ZodObject;
  /** Schema of the body; absent when there is none. */
  body?: z.ZodType;
  /** Schema of the response body; absent when there is none (204). */
  answer?: z.ZodType;
  /** Whether the response is a `Prepared` one, which has a tag though it is no resource. */
  isPrepared?: boolean;
  /** Files that the response may be instead. */
  files?: readonly { type: 'text/csv' | 'application/pdf'; example?: string }[];
  /** Server-sent events that the response consists of: the schema of their fields, and the text of some. */
  events?: { schema: z.ZodType; example: string };
  /** Working request and its response; `test/flows` sends it to a running server and compares. */
  example?: {
    /** In the path; 1 by default. */
    id?: number;
    /** Other parameters in the path, by name; 1 by default. */
    path?: Record<string, string | number>;
    query?: string;
    body?: object;
    answer?: object;
  };
  /**
   * Refusals beyond those that follow from the route: `not_found` from an id in its path, `invalid` from a query or
   * body, `malformed`, `too_slow`, `too_large` and `not_json` from a method with a body, and those that any request may meet.
   */
  refusals?: ProblemCode[];
}

/** An operation that something handles: an object is sent as JSON, a Download as a file, an EventStream as events. */
type Handled<Its> = Omit<Operation, 'tag'> & {
  /** By default what serves the noun, or its function that has the operation's name. */
  handle?: (its: Its, call: Call) => Answer;
};

/** A noun of the API: what serves it, and its operations by their names in the reference. */
export interface Noun<Deps, Its, Named = Record<string, Handled<Its>>> {
  tag: Tag;
  create: (deps: Deps) => Its;
  operations: Named;
}

/** Declares a noun. @param create makes what serves it; its functions take a Call, or `handle` calls them. */
export function noun<Deps, Its, const Named extends Record<string, Handled<Its>>>(
  tag: Tag,
  create: (deps: Deps) => Its,
  operations: Named,
): Noun<Deps, Its, Named> {
  return { tag, create, operations };
}

/** What an operation says about its route. */
export interface RouteFacts extends Omit<Access, 'needs'> {
  needs: NonNullable<Access['needs']>;
  /** Name of the operation in the reference. */
  name: string;
  method: Method;
  /** Path below `/api/v1` and `/api`; empty for the root. */
  path: string;
  status: number;
}

/** An operation with its handler, ready to be called. */
export interface Route extends RouteFacts {
  /** Fields of its answer that change by themselves. */
  changing: Changing;
  handle(call: Call): Answer;
}

const NEEDS = { GET: 'read', POST: 'create', PUT: 'update', DELETE: 'delete' } as const;

export function routeFacts(
  name: string,
  { at, needs, role, grantNeeds, budget, bodyLimit, isCompressed, status }: Omit<Operation, 'tag'>,
): RouteFacts {
  const [method, path] = at.split(' ') as [Method, string];
  const needed = needs ?? NEEDS[method];
  const usual = method === 'DELETE' ? 204 : method === 'POST' && needed === 'create' ? 201 : 200;
  return {
    name,
    method,
    path: path === '/' ? '' : path,
    needs: needed,
    ...(role !== undefined && { role }),
    ...(grantNeeds !== undefined && { grantNeeds }),
    ...(budget !== undefined && { budget }),
    ...(bodyLimit !== undefined && { bodyLimit }),
    ...(isCompressed !== undefined && { isCompressed }),
    status: status ?? usual,
  };
}

/** The routes of a noun. */
export function routesOf<Its>(
  { operations }: { operations: Record<string, Handled<Its>> },
  its: Its,
): Route[] {
  return Object.entries(operations).map(([name, operation]) => {
    const own = typeof its === 'function' ? its : (its as Record<string, unknown>)[name];
    const { handle = typeof own === 'function' && ((_: Its, call: Call) => own(call) as Answer) } =
      operation;
    if (handle === false) throw new Error(`Nothing handles the operation ${name}.`);
    return {
      ...routeFacts(name, operation),
      changing: changingIn(operation.answer),
      handle: (call) => handle(its, call),
    };
  });
}

/** Throws unless the caller may use the route. */
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
