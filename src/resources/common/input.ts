import { z } from 'zod';
import { documentedAs } from '../../lib/schemas.ts';
import { InvalidInput } from './errors.ts';
import { parseTime } from './time.ts';

/** Nobody reads more, and an answer must not be many times larger than what was sent. */
const MOST_FIELDS = 100;

/** Collects what is wrong with an input, so that all of it is answered at once. */
export class Findings {
  readonly #errors = new Map<string, Set<string>>();

  /** @param predicate what follows the field's name, without a full stop: `must be …`. */
  add(field: string, predicate: string): void {
    if (this.#errors.size >= MOST_FIELDS && !this.#errors.has(field)) return;
    const sentence = `${field} ${predicate}.`;
    const texts = this.#errors.get(field);
    if (texts === undefined) this.#errors.set(field, new Set([sentence]));
    else texts.add(sentence);
  }

  /** Whether anything is wrong with a field or what is inside of it. */
  has(field: string): boolean {
    return [...this.#errors.keys()].some((name) => name === field || name.startsWith(`${field}.`));
  }

  throwIfAny(extra?: Record<string, unknown>): void {
    if (this.#errors.size > 0) throw this.asError(extra);
  }

  /** @param extra further keys of the answer, for programs. */
  asError(extra: Record<string, unknown> = {}): InvalidInput {
    const errors = [...this.#errors].map(([field, texts]) => [field, [...texts]]);
    return new InvalidInput(Object.fromEntries(errors), extra);
  }
}

/**
 * Reads a JSON body: `""` in a top-level field means null, unknown fields are ignored, an absent body is empty
 * (contract 1.11, 1.17). Fields with findings are missing from the answer.
 */
export function readBody(
  schema: z.ZodObject,
  body: unknown,
  findings: Findings,
): Record<string, unknown> {
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
    findings.add('body', 'must be a JSON object: names and values in braces');
    // Nothing can be said of fields that nobody could send.
    throw findings.asError();
  }
  const given = Object.entries(body ?? {}).map(([name, value]) => [
    name,
    value === '' ? null : value,
  ]);
  const input: Record<string, unknown> = Object.fromEntries(given);
  const whole = schema.safeParse(input);
  if (whole.success) return whole.data;
  note(whole.error, findings);
  // The sound fields are judged by further rules all the same.
  const wrong = new Set(whole.error.issues.map((issue) => issue.path[0]));
  const sound = Object.entries(input).filter(([name]) => !wrong.has(name));
  return schema.safeParse(Object.fromEntries(sound)).data ?? {};
}

/**
 * Reads a query, all of whose parameters are optional: an empty one counts as not given. Throws InvalidInput, or leaves
 * it to the caller who hands in findings; parameters with findings are then missing from the answer.
 */
export function readQuery<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  query: object,
  findings?: Findings,
): z.output<z.ZodObject<Shape>> {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  const read = schema.safeParse(Object.fromEntries(given));
  if (read.success) return read.data;
  const found = findings ?? new Findings();
  note(read.error, found);
  if (findings === undefined) throw found.asError();
  const wrong = new Set(read.error.issues.map((issue) => issue.path[0]));
  return schema.parse(Object.fromEntries(given.filter(([name]) => !wrong.has(name))));
}

function note(error: z.ZodError, findings: Findings): void {
  for (const issue of error.issues) findings.add(issue.path.join('.'), issue.message);
}

/** A number written in a query. */
export function queryNumber(minimum: number, maximum: number, what: 'a number' | 'a whole number') {
  const error =
    maximum === Number.MAX_SAFE_INTEGER
      ? `must be ${what} of at least ${minimum}`
      : `must be ${what} from ${minimum} to ${maximum}`;
  const form = what === 'a number' ? /^\d{1,9}(\.\d{1,9})?$/ : /^\d{1,16}$/;
  return z
    .string({ error })
    .regex(form, { error })
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, { error })
    .meta(documentedAs({ type: what === 'a number' ? 'number' : 'integer', minimum, maximum }));
}

/** A date and time in a body, as epoch milliseconds. @param example part of the error text. */
export function dateTime(example = '2030-01-31T12:00:00Z') {
  const error = `must be a date and time such as ${example}`;
  return z
    .string({ error })
    .transform((value, context) => {
      const at = parseTime(value);
      if (at !== null) return at;
      context.addIssue({ code: 'custom', message: error });
      return z.NEVER;
    })
    .meta({ override: { type: 'string', format: 'date-time' } });
}

const DAY_MS = 86_400_000;

/** A whole UTC day in a query, as its first epoch millisecond; a time of day is understood and dropped. */
export function queryDay(description: string) {
  const error = 'must be a date such as 2030-01-31';
  return z
    .string({ error })
    .transform((value, context) => {
      const at = parseTime(value.length === 10 ? `${value}T00:00` : value);
      if (at !== null) return Math.floor(at / DAY_MS) * DAY_MS;
      context.addIssue({ code: 'custom', message: error });
      return z.NEVER;
    })
    .meta({ description, override: { type: 'string', format: 'date' } });
}
