import { enumerated } from '../lib/text.ts';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { type CheckType, CHECK_TYPES } from '../model/monitor.ts';
import { type MonitorType, MONITOR_TYPES } from '../monitor-types/registry.ts';
import { quote } from '../lib/setting-types.ts';
import type { Log } from '../lib/log.ts';
import type { Database } from '../store/database/contract.ts';
import { teamStore } from '../store/people/teams.ts';

/** A subscription: a named set of features and limits (contract 38.1). */
export interface Plan {
  name: string;
  /** Allows API tokens; sessions are always allowed. */
  apiAccess: boolean;
  /** Null for all. */
  monitorTypes: readonly MonitorType[] | null;
  checkTypes: readonly CheckType[] | null;
  /** Minutes; null for the general minimum. */
  minCheckInterval: number | null;
  /** Null for unlimited. */
  maxMonitors: number | null;
  /** Monitors of a team with the same host; null for unlimited. */
  maxMonitorsPerHost: number | null;
  checkUrl: boolean;
}

export interface Plans {
  /** Returns a plan by name; the default for null and for names the file no longer holds. */
  of(name: string | null): Plan;
  names: readonly string[];
}

/** Unlimited plan of all teams in an installation without PLANS_FILE and OPEN_SIGNUP. */
export const FULL_PLAN: Plan = {
  name: 'Self-hosted',
  apiAccess: true,
  monitorTypes: null,
  checkTypes: null,
  minCheckInterval: null,
  maxMonitors: null,
  maxMonitorsPerHost: null,
  checkUrl: true,
};

export const FULL_PLANS: Plans = { of: () => FULL_PLAN, names: [FULL_PLAN.name] };

/** Default plan with OPEN_SIGNUP and without PLANS_FILE: nobody can use the installation against one host. */
export const OPEN_PLAN: Plan = {
  ...FULL_PLAN,
  name: 'Open sign-up',
  minCheckInterval: 1,
  maxMonitors: 50,
  maxMonitorsPerHost: 10,
};

/** The operator gives the unlimited plan to teams by name. */
const OPEN_PLANS: Plans = {
  of: (name) => (name === FULL_PLAN.name ? FULL_PLAN : OPEN_PLAN),
  names: [OPEN_PLAN.name, FULL_PLAN.name],
};

export function builtInPlans({ openSignup }: { openSignup: boolean }): Plans {
  return openSignup ? OPEN_PLANS : FULL_PLANS;
}

/** PLANS_FILE is invalid; the message lists all mistakes for the operator. */
export class PlansFileError extends Error {
  override readonly name = 'PlansFileError';
}

const MAX_NAME_LENGTH = 100;

/** A limit that is left out is unlimited, a feature that is left out is included (contract 38.1). */
const planInput = z.strictObject(
  {
    api_access: included(),
    monitor_types: namesOf(MONITOR_TYPES),
    check_types: namesOf(CHECK_TYPES),
    min_check_interval: limit('a number of minutes from 0.5 to 60', (value) =>
      value.min(0.5).max(60),
    ),
    max_monitors: limit('a whole number from 0 on', (value) => value.int().min(0)),
    max_monitors_per_host: limit('a whole number from 1 on', (value) => value.int().min(1)),
    check_url: included(),
  },
  { error: sentenceFor('must be an object such as {"max_monitors": 10}') },
);

const fileInput = z.strictObject(
  {
    default: z.string({ error: 'must be the name of a plan' }),
    plans: z.record(z.string(), planInput, { error: 'must be an object of plans by their names' }),
  },
  {
    error: sentenceFor(
      'must be a JSON object such as {"default": "Free", "plans": {"Free": {"max_monitors": 10}}}',
    ),
  },
);

/** Reads a plans file. Throws PlansFileError when it can't be read, and with all its mistakes. */
export async function openPlans(file: string): Promise<Plans> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new PlansFileError(
      code === 'ENOENT'
        ? `PLANS_FILE names ${file}, but there is no such file. Correct the path, or leave PLANS_FILE unset.`
        : `PLANS_FILE: ${file} can't be read (${message}). Make it a file that this user may read.`,
      { cause: error },
    );
  }
  try {
    return createPlans(text);
  } catch (error) {
    if (!(error instanceof PlansFileError)) throw error;
    throw new PlansFileError(`PLANS_FILE: ${file} can't be used. ${error.message}`);
  }
}

/** What is wrong with the content of a plans file, in sentences that follow its name; null for nothing. */
export function problemOfPlans(text: string): string | null {
  try {
    createPlans(text);
    return null;
  } catch (error) {
    if (!(error instanceof PlansFileError)) throw error;
    return `can't be used. ${error.message}`;
  }
}

/** Parses the content of a plans file. Throws PlansFileError with all its mistakes. */
export function createPlans(text: string): Plans {
  const file = parseJson(text);
  const read = fileInput.safeParse(file);
  const mistakes = [
    ...(read.error ? sentencesOf(read.error) : []),
    ...nameMistakes(read.data ?? file),
  ];
  if (!read.success || mistakes.length > 0) throw new PlansFileError(mistakes.join(' '));
  const plans = new Map(
    Object.entries(read.data.plans).map(([name, input]) => [name, planOf(name, input)]),
  );
  const standard = plans.get(read.data.default)!;
  return {
    of: (name) => (name === null ? standard : (plans.get(name) ?? standard)),
    names: [...plans.keys()],
  };
}

/** Logs a warning for each plan that teams have but PLANS_FILE no longer holds; they get the default plan. */
export async function warnOfMissingPlans(deps: { database: Database; plans: Plans; log: Log }) {
  const { database, plans, log } = deps;
  const given = await teamStore(database.read).countByPlan();
  for (const { plan, teams } of given.filter((one) => !plans.names.includes(one.plan))) {
    const fields = { plan, teams, default_plan: plans.of(null).name };
    // Log: They have the default plan until PLANS_FILE holds theirs, or they get another.
    log.warn(fields, 'Teams have a plan that PLANS_FILE does not hold.');
  }
}

/** Mistakes in the names of plans, found even if the rest is invalid. */
function nameMistakes(file: unknown): string[] {
  const { default: standard, plans } = (file ?? {}) as { default?: unknown; plans?: unknown };
  if (typeof plans !== 'object' || plans === null || Array.isArray(plans)) return [];
  const names = Object.keys(plans);
  if (names.length === 0) return ['plans must hold at least one plan.'];
  const mistakes = names
    .filter((name) => name.trim() !== name || name === '' || name.length > MAX_NAME_LENGTH)
    .map(
      (name) =>
        `The plan ${quote(name)} must have a name of 1 to ${MAX_NAME_LENGTH} characters that neither begins nor ends with a space.`,
    );
  if (typeof standard === 'string' && !names.includes(standard))
    mistakes.push(
      `default is ${quote(standard)}, but must be one of the plans: ${names.map(quote).join(', ')}.`,
    );
  return mistakes;
}

function planOf(name: string, input: z.output<typeof planInput>): Plan {
  const { monitor_types: monitorTypes, check_types: checkTypes } = input;
  return {
    name,
    apiAccess: input.api_access ?? true,
    monitorTypes: monitorTypes ? MONITOR_TYPES.filter((one) => monitorTypes.includes(one)) : null,
    checkTypes: checkTypes ? CHECK_TYPES.filter((one) => checkTypes.includes(one)) : null,
    minCheckInterval: input.min_check_interval ?? null,
    maxMonitors: input.max_monitors ?? null,
    maxMonitorsPerHost: input.max_monitors_per_host ?? null,
    checkUrl: input.check_url ?? true,
  };
}

function parseJson(text: string): unknown {
  try {
    // Some editors write a byte order mark, which JSON.parse rejects.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new PlansFileError(`It is not valid JSON: ${(error as Error).message}.`);
  }
}

/** One sentence per mistake, starting with its path, such as `plans.Free.max_monitors`. */
function sentencesOf(error: z.ZodError): string[] {
  return error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => sentenceAt([...issue.path, key], issue.message))
      : [sentenceAt(issue.path, issue.message)],
  );
}

function sentenceAt(path: readonly PropertyKey[], predicate: string): string {
  return `${path.length === 0 ? 'The file' : path.map(String).join('.')} ${predicate}.`;
}

/** Error map with one predicate for all mistakes of an object but unknown keys. */
function sentenceFor(predicate: string): z.core.$ZodErrorMap {
  return (issue) =>
    issue.code === 'unrecognized_keys'
      ? `is not a known key: use ${keysAt(issue.path)}`
      : predicate;
}

function keysAt(path: readonly PropertyKey[] | undefined): string {
  const keys = path?.length ? Object.keys(planInput.shape) : Object.keys(fileInput.shape);
  return enumerated(keys);
}

function included() {
  return z.boolean({ error: 'must be true or false' }).optional();
}

/** Optional limit; null is unlimited, as in `GET /plan`. */
function limit(what: string, bound: (value: z.ZodNumber) => z.ZodNumber) {
  const error = `must be ${what}; without it there is no limit`;
  return bound(z.number({ error })).nullish();
}

function namesOf<const Names extends readonly [string, ...string[]]>(names: Names) {
  const known = `must be one of ${names.join(', ')}`;
  return z
    .array(z.enum(names, { error: known }), { error: `must be a list, any of ${names.join(', ')}` })
    .nullish();
}
