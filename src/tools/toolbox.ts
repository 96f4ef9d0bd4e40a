import type { Principal } from '../identity/caller.ts';
import type { Plans } from '../identity/plans.ts';
import { accountKey, type RateLimits } from '../identity/rate-limits.ts';
import type { Clock } from '../lib/clock.ts';
import { invalidField, Problem, RateLimited } from '../resources/common/errors.ts';
import { unreadNames } from '../resources/common/ignored-fields.ts';
import { OPERATIONS } from '../resources/nouns.ts';
import { authorizeRoute, callWithin, type Route } from '../resources/common/operation.ts';
import { objectOf } from '../resources/common/written-json.ts';
import {
  answerOf,
  dryRunAnswer,
  doneAnswer,
  withIgnored,
  withTaken,
  type ToolAnswer,
} from './answer.ts';
import { FAMILIES, TOOLS } from './catalog.ts';
import { createConfirmations } from './confirmation.ts';
import { definitionOf, definitionOfFamily } from './definition.ts';
import { argumentsOf, toolInput, type Arguments, type ReadyTool } from './input.ts';
import { withIds, type ListThings } from './names.ts';
import { fromTeam } from './target-text.ts';
import { outline } from './outline.ts';
import type { Family, FinalTool, Tool } from './tool.ts';

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

export type Toolbox = ReturnType<typeof createToolbox>;

export interface CallOptions {
  /** Whether the client can show a question to a person. */
  canAsk?: boolean;
  consent?: Consent;
  /** State of the question that was answered. */
  state?: string | null;
}

/** Creates the tools over the operations of the API. */
export function createToolbox({ routes, plans, rateLimits, clock, keys, baseUrl }: ToolboxDeps) {
  const confirmations = createConfirmations(keys);
  const byName = new Map(TOOLS.map((tool) => [tool.name, readyTool(tool, routes)]));
  const addressOf = () => ({ path: `${baseUrl()}/mcp`, query: '' });
  const families = new Map(FAMILIES.map((family) => [family.name, family]));

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

  /** The call of a tool that a call of its family stands for; any other call is as it was. */
  function memberOf({ name, args }: { name: string; args: unknown }) {
    const family = families.get(name);
    if (family === undefined) return { name, args };
    const { [family.by]: value, id, ...others } = argumentsOf(args);
    const chosen = Object.entries(family.tools).find(([one]) => one === value);
    if (chosen === undefined)
      throw invalidField(family.by, `must be one of ${Object.keys(family.tools).join(', ')}`);
    const argument = (family.hasId && byName.get(chosen[1])!.tool.path?.['id']?.argument) || 'id';
    if (id === undefined) return { name: chosen[1], args: others };
    if (Object.hasOwn(others, argument))
      throw invalidField('id', `and ${argument} are the same: give one of them`);
    return { name: chosen[1], args: { ...others, [argument]: id } };
  }

  /** Lists things for a caller, to find them by their names. */
  function listFor(principal: Principal): ListThings {
    return async (operation, query) => {
      const route = routes.find(({ name }) => name === operation)!;
      authorizeRoute(route, principal, plans);
      const { page: _, ...whole } = query;
      const asked = isPaged(operation) ? { ...query, per_page: MOST_SEARCHED } : whole;
      const call = callWithin(principal, { query: asked, address: addressOf() });
      return objectOf(await route.handle(call)) as never;
    };
  }

  async function carryOut(
    { tool, route }: ReadyTool,
    principal: Principal,
    args: Arguments,
    ifMatch: string | null = null,
  ): Promise<ToolAnswer> {
    const { page, perPage } = args.position;
    const paging = { page: String(page), per_page: String(perPage) };
    const isPage = tool.kind === 'list' && isPaged(tool.operation);
    const query = isPage ? { ...args.query, ...paging } : args.query;
    const { path, body } = args;
    const call = callWithin(principal, { path, query, body, ifMatch, address: addressOf() });
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
    const shows = usable(principal, tool.shows);
    // A read takes no body: what is sent has its effect when it is done.
    const { body } = shows.route.method === 'GET' ? { body: undefined } : args;
    const target = await carryOut(shows, principal, { ...args, body });
    const fingerprint =
      tool.fingerprint === undefined ? null : String(target.content[tool.fingerprint]);
    // A client that can ask a person does, whatever its model says.
    const by = canAsk ? 'form' : 'model';
    const confirmed = { by, tool: tool.name, args, principal, fingerprint } as const;
    const confirmation = canAsk ? state : args.confirmation;
    if (!args.isDryRun && consent === 'declined') throw new Problem('conflict', DECLINED);
    const isAgreed = !canAsk || consent === 'agreed';
    if (!args.isDryRun && isAgreed && confirmations.isValid(confirmation, confirmed, now)) {
      return { kind: 'answer', answer: await carryOut(ready, principal, args, fingerprint) };
    }
    const issued = confirmations.issue(confirmed, now);
    if (args.isDryRun) {
      return { kind: 'answer', answer: dryRunAnswer(tool, target, canAsk ? null : issued) };
    }
    if (!canAsk) throw new Problem('conflict', CONFIRM_FIRST);
    // What has a fingerprint is the outcome of what was sent, which may be long and hold secrets.
    const about =
      fingerprint === null
        ? `${shownTo(args.body, MAX_AGREED)}${shownTo(target.text, MAX_CONTEXT)}`
        : shownTo(target.text, MAX_AGREED);
    const text = `Shall this ${tool.effect}?\n\n${about}`;
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
    /** The tools and families that are listed for the caller, in the order of the catalog. */
    toolsFor(principal: Principal) {
      const usableTools = [...byName.values()].filter((ready) => allowed(principal, ready));
      const membersOf = ({ tools }: Family) =>
        Object.entries(tools).flatMap(([value, name]) => {
          const ready = byName.get(name)!;
          return usableTools.includes(ready) ? [[value, ready] as const] : [];
        });
      return [
        ...usableTools.map(definitionOf),
        ...FAMILIES.map((family) => definitionOfFamily(family, membersOf(family))),
      ].filter((one) => one !== null);
    },

    whyNoReading,

    /** Whether there is such a tool, which the caller may not be allowed to use. */
    has: (name: string) => byName.has(name) || families.has(name),

    /** Calls a tool. Throws a Problem, as the API does. */
    async call(
      principal: Principal,
      asked: { name: string; args: unknown },
      options: CallOptions = {},
    ): Promise<Outcome> {
      const { name, args: given } = memberOf(asked);
      const ready = usable(principal, name);
      const { tool, route } = ready;
      const isWrite = route.method !== 'GET';
      const named = await withIds(argumentsOf(given), listFor(principal), isWrite);
      const args = ready.input.read(named.args);
      await spend(ready, principal);
      if (tool.kind === 'final') return remove({ ...ready, tool }, principal, args, options);
      const answer = await carryOut(ready, principal, args);
      return { kind: 'answer', answer: isWrite ? withTaken(answer, named.taken) : answer };
    },
  };
}

/** Things of a page among which one is found by its name. */
const MOST_SEARCHED = '100';
/** Characters of what a person agrees to, such as the text that is published, and of what it concerns. */
const MAX_AGREED = 12_000;
const MAX_CONTEXT = 1_000;

/** What a person is asked about, with a word on what is left out. Empty for nothing. */
function shownTo(part: Arguments['body'] | string, most: number): string {
  if (part === undefined || Object.keys(part).length === 0) return '';
  const text = typeof part === 'string' ? part : `${outline(part)}\n\n`;
  if (text.length <= most) return text;
  return `${text.slice(0, most).toWellFormed()}…\n(${text.length - most} more characters are not shown.)`;
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

/** True when the operation of a list has pages; the others answer all at once. */
function isPaged(operation: string): boolean {
  return OPERATIONS[operation]?.query?.shape['per_page'] !== undefined;
}
