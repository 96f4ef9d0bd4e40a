import type { Principal } from '../identity/caller.ts';
import type { Plans } from '../identity/plans.ts';
import { accountKey, type RateLimits } from '../identity/rate-limits.ts';
import type { Clock } from '../lib/clock.ts';
import { inTeam, Problem, RateLimited } from '../resources/common/errors.ts';
import { unreadNames } from '../resources/common/ignored-fields.ts';
import { OPERATIONS } from '../resources/nouns.ts';
import { authorizeRoute, type Call, type Route } from '../resources/common/operation.ts';
import { objectOf } from '../resources/common/written-json.ts';
import { answerOf, dryRunAnswer, doneAnswer, withIgnored, type ToolAnswer } from './answer.ts';
import { TOOLS } from './catalog.ts';
import { createConfirmations } from './confirmation.ts';
import { toolInput, type Arguments, type ToolInput } from './input.ts';
import { fromTeam } from './target-text.ts';
import { outline } from './outline.ts';
import type { FinalTool, Tool } from './tool.ts';

/** A tool with what follows from its operation. */
export interface ReadyTool {
  tool: Tool;
  route: Route;
  input: ToolInput;
}

export interface ToolboxDeps {
  /** The routes of all nouns (resources/nouns.ts). */
  routes: readonly Route[];
  plans: Plans;
  rateLimits: Pick<RateLimits, 'spend' | 'giveBack'>;
  clock: Pick<Clock, 'now'>;
  /** The list of SECRET_KEY, by which confirmations are signed. */
  keys: readonly string[];
  /** BASE_URL without a trailing slash. */
  baseUrl: () => string;
}

/** What a person answered when they were asked whether work that can't be undone may be done; null if nobody was asked. */
export type Consent = 'agreed' | 'declined' | null;

/** What a call of a tool led to. */
export type Outcome =
  | { kind: 'answer'; answer: ToolAnswer }
  /** The client shows the question to a person and repeats the call with the state. */
  | { kind: 'question'; text: string; state: string };

export interface Toolbox {
  /** Tools that the caller may use, in the order of the catalog. */
  toolsFor(principal: Principal): ReadyTool[];
  /** Why the caller may not even read, in a sentence; null for callers who may. */
  whyNoReading(principal: Principal): string | null;
  /** Whether there is such a tool, which the caller may not be allowed to use. */
  has(name: string): boolean;
  /** Calls a tool. Throws a Problem, as the API does. */
  call(
    principal: Principal,
    asked: { name: string; args: unknown },
    options?: CallOptions,
  ): Promise<Outcome>;
}

export interface CallOptions {
  /** Whether the client can show a question to a person. */
  canAsk?: boolean;
  consent?: Consent;
  /** State of the question that was answered. */
  state?: string | null;
}

/** Creates the tools over the operations of the API. */
export function createToolbox(deps: ToolboxDeps): Toolbox {
  const { routes, plans, rateLimits, clock, keys, baseUrl } = deps;
  const confirmations = createConfirmations(keys);
  const byName = new Map(TOOLS.map((tool) => [tool.name, readyTool(tool, routes)]));

  function allowed(principal: Principal, { route }: ReadyTool): boolean {
    try {
      authorizeRoute(route, principal, plans);
      return true;
    } catch (error) {
      if (error instanceof Problem) return false;
      throw error;
    }
  }

  function whyNoReading(principal: Principal): string | null {
    try {
      authorizeRoute({ needs: 'read' }, principal, plans);
      return null;
    } catch (error) {
      if (error instanceof Problem) return error.message;
      throw error;
    }
  }

  function usable(principal: Principal, name: string): ReadyTool {
    const ready = byName.get(name);
    if (ready === undefined)
      throw new Problem('not_found', `There is no tool ${fromTeam(name, 60)}.`);
    authorizeRoute(ready.route, principal, plans);
    return ready;
  }

  async function carryOut(
    { tool, route }: ReadyTool,
    principal: Principal,
    args: Arguments,
  ): Promise<ToolAnswer> {
    const call = callOf(principal, args, tool, baseUrl());
    const answered = objectOf(await route.handle(call));
    const now = clock.now();
    if (tool.kind === 'final') return doneAnswer(tool, answered, now);
    const answer = answerOf(tool, answered, args, now);
    return withIgnored(answer, [...unreadNames(call.query), ...unreadNames(call.body)]);
  }

  /** Does what can't be undone: a dry run first, then with the agreement of a person. */
  async function remove(
    ready: ReadyTool & { tool: FinalTool },
    principal: Principal,
    args: Arguments,
    { canAsk = false, consent = null, state = null }: CallOptions,
  ): Promise<Outcome> {
    const { tool } = ready;
    const now = clock.now();
    // A client that can ask a person does, whatever its model says.
    const by = canAsk ? 'form' : 'model';
    const confirmed = { by, tool: tool.name, args, principal } as const;
    const confirmation = canAsk ? state : args.confirmation;
    if (!args.isDryRun && consent === 'declined') throw new Problem('conflict', DECLINED);
    const isAgreed = !canAsk || consent === 'agreed';
    if (!args.isDryRun && isAgreed && confirmations.isValid(confirmation, confirmed, now)) {
      return { kind: 'answer', answer: await carryOut(ready, principal, args) };
    }
    const target = await carryOut(usable(principal, tool.shows), principal, args);
    const issued = confirmations.issue(confirmed, now);
    if (args.isDryRun) {
      return { kind: 'answer', answer: dryRunAnswer(tool, target, canAsk ? null : issued) };
    }
    if (!canAsk) throw new Problem('conflict', CONFIRM_FIRST);
    const text = `Shall this ${tool.effect}?\n\n${shownTo(args.body)}${shownTo(target.text)}`;
    return { kind: 'question', text, state: issued };
  }

  /** Spends the budget that an operation has of its own, beside the one of the tool server. */
  async function spend({ route }: ReadyTool, { person }: Principal): Promise<void> {
    if (route.budget === undefined) return;
    const key = accountKey(person.id);
    const allowance = await rateLimits.spend(route.budget, key);
    if (allowance.allowed) return;
    // A refused call costs nothing.
    await rateLimits.giveBack('tool_server', key);
    throw new RateLimited(allowance.limit, allowance.retryAfter);
  }

  return {
    toolsFor: (principal) => [...byName.values()].filter((ready) => allowed(principal, ready)),

    whyNoReading,

    has: (name) => byName.has(name),

    async call(principal, { name, args: given }, options = {}) {
      const ready = usable(principal, name);
      const args = ready.input.read(given);
      await spend(ready, principal);
      const { tool } = ready;
      if (tool.kind === 'final') return remove({ ...ready, tool }, principal, args, options);
      return { kind: 'answer', answer: await carryOut(ready, principal, args) };
    },
  };
}

/** Characters of each part of what is shown to a person who is asked. */
const MAX_QUESTION = 1_000;

/** What a person is asked about: what is sent, or what it concerns. Empty for nothing. */
function shownTo(part: Arguments['body'] | string): string {
  if (part === undefined || Object.keys(part).length === 0) return '';
  const text = typeof part === 'string' ? part : `${outline(part)}\n\n`;
  return text.slice(0, MAX_QUESTION).toWellFormed();
}

const DECLINED = 'A person was asked and declined. Do not try again unless they say so.';
const CONFIRM_FIRST =
  'This cannot be undone and needs a confirmation: call it with dry_run true, show a person what it would do, and once they agree call it with dry_run false and the confirmation of that answer. A confirmation is valid for 10 minutes.';

function readyTool(tool: Tool, routes: readonly Route[]): ReadyTool {
  const route = routes.find(({ name }) => name === tool.operation);
  const operation = OPERATIONS[tool.operation];
  if (route === undefined || operation === undefined) {
    throw new Error(`The tool ${tool.name} has no operation ${tool.operation}.`);
  }
  return { tool, route, input: toolInput(tool, operation, route) };
}

function callOf(principal: Principal, args: Arguments, tool: Tool, baseUrl: string): Call {
  const { path, query, body, position } = args;
  const paging = { page: String(position.page), per_page: String(position.perPage) };
  const idOf = (name: string) => Number(path[name] ?? 0);
  return {
    principal,
    get caller() {
      return inTeam(principal);
    },
    visitor: principal,
    lastEventId: null,
    ifMatch: null,
    clientAddress: principal.address ?? '',
    id: idOf('id'),
    idOf,
    parameter: (name) => path[name] ?? '',
    query: tool.kind === 'list' && isPaged(tool) ? { ...query, ...paging } : query,
    body,
    address: { path: `${baseUrl}/mcp`, query: '' },
  };
}

/** True when the operation of a list has pages; the others answer all at once. */
function isPaged({ operation }: Tool): boolean {
  return OPERATIONS[operation]?.query?.shape['per_page'] !== undefined;
}
