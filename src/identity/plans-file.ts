import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { quote } from '../lib/setting-types.ts';
import { CHECK_TYPES } from '../model/monitor.ts';
import { MONITOR_TYPES } from '../monitor-types/registry.ts';
import type { Plan, Plans } from './plans.ts';

/** Sentences for the operator: all that is wrong with the file of PLANS_FILE. */
export class PlansFileError extends Error {
  override readonly name = 'PlansFileError';
}

const LONGEST_NAME = 100;

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

/** The plans in a file. Throws PlansFileError when it can't be read, and with everything that is wrong in it. */
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

/** @param text the content of the file. Throws PlansFileError with everything that is wrong in it. */
export function createPlans(text: string): Plans {
  const file = parseJson(text);
  const read = fileInput.safeParse(file);
  const mistakes = [...(read.error ? sentencesOf(read.error) : []), ...misnamed(read.data ?? file)];
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

/** What is wrong with the names of plans, whatever else is. */
function misnamed(file: unknown): string[] {
  const { default: standard, plans } = (file ?? {}) as { default?: unknown; plans?: unknown };
  if (typeof plans !== 'object' || plans === null || Array.isArray(plans)) return [];
  const names = Object.keys(plans);
  if (names.length === 0) return ['plans must hold at least one plan.'];
  const mistakes = names
    .filter((name) => name.trim() !== name || name === '' || name.length > LONGEST_NAME)
    .map(
      (name) =>
        `The plan ${quote(name)} must have a name of 1 to ${LONGEST_NAME} characters that neither begins nor ends with a space.`,
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
    checkUrl: input.check_url ?? true,
  };
}

function parseJson(text: string): unknown {
  try {
    // Some editors begin a file with a byte order mark, which JSON.parse refuses.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new PlansFileError(`It is no JSON: ${(error as Error).message}.`);
  }
}

/** One sentence for each mistake, beginning with its place, such as `plans.Free.max_monitors`. */
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

/** The same words for all that is wrong with an object but its unknown keys, which have their own. */
function sentenceFor(predicate: string): z.core.$ZodErrorMap {
  return (issue) =>
    issue.code === 'unrecognized_keys' ? `is no key here: ${keysAt(issue.path)} are` : predicate;
}

function keysAt(path: readonly PropertyKey[] | undefined): string {
  const keys = path?.length ? Object.keys(planInput.shape) : Object.keys(fileInput.shape);
  return `${keys.slice(0, -1).join(', ')} and ${keys.at(-1)}`;
}

function included() {
  return z.boolean({ error: 'must be true or false' }).optional();
}

/** Null is the same as left out: `GET /plan` shows it so. */
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
