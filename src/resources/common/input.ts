import { z } from 'zod';
import { documentedAs, pathsOf } from '../../lib/schemas.ts';
import { InvalidInput } from './errors.ts';
import { markShapeRead } from './ignored-fields.ts';

/** Maximum number of fields with errors, so that a response stays in proportion to the request. */
const MAX_FIELDS = 100;

/** Collects the errors of an input, so that one response shows them all. */
export class Findings {
  readonly #errors = new Map<string, Set<string>>();

  /** @param predicate follows the name of the field, without a full stop: `must be …`. */
  add(field: string, predicate: string): void {
    if (this.#errors.size >= MAX_FIELDS && !this.#errors.has(field)) return;
    const sentence = `${field} ${predicate}.`;
    const texts = this.#errors.get(field);
    if (texts === undefined) this.#errors.set(field, new Set([sentence]));
    else texts.add(sentence);
  }

  /** True when a field, or a field nested in it, has an error. */
  has(field: string): boolean {
    return [...this.#errors.keys()].some((name) => name === field || name.startsWith(`${field}.`));
  }

  get isAny(): boolean {
    return this.#errors.size > 0;
  }

  throwIfAny(extra?: Record<string, unknown>): void {
    if (this.#errors.size > 0) throw this.asError(extra);
  }

  /** @param extra further keys of the response, for programs. */
  asError(extra: Record<string, unknown> = {}): InvalidInput {
    const errors = [...this.#errors].map(([field, texts]) => [field, [...texts]]);
    return new InvalidInput(Object.fromEntries(errors), extra);
  }
}

/**
 * Reads a JSON body. An empty text in a top-level field means null, unknown fields are ignored and named in the
 * answer, and no body means an empty one (contract 1.11, 1.17).
 *
 * @param findings collects the errors; without it they are thrown.
 * @returns the fields without errors.
 */
export function readBody<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  body: unknown,
  findings?: Findings,
): Partial<z.output<z.ZodObject<Shape>>> {
  const collected = findings ?? new Findings();
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
    collected.add('body', 'must be a JSON object: names and values in braces');
    throw collected.asError();
  }
  if (body !== undefined) markShapeRead(body, schema.shape);
  // Only names of the schema, as a body may have tens of thousands of others.
  const given = Object.keys(schema.shape)
    .filter((name) => body !== undefined && Object.hasOwn(body, name))
    .map((name) => [name, fieldIn(body, name) === '' ? null : fieldIn(body, name)]);
  const read = readFields(schema, Object.fromEntries(given), collected);
  if (findings === undefined) collected.throwIfAny();
  return read;
}

/**
 * Reads a query with optional parameters only; an empty one counts as absent.
 *
 * @param findings collects the errors; without it they are thrown.
 * @returns the parameters without errors.
 */
export function readQuery<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  query: object,
  findings?: Findings,
): z.output<z.ZodObject<Shape>> {
  const collected = findings ?? new Findings();
  markShapeRead(query, schema.shape);
  const given = Object.entries(query).filter(([, value]) => value !== '');
  const read = readFields(schema, Object.fromEntries(given), collected);
  if (findings === undefined) collected.throwIfAny();
  return read as z.output<z.ZodObject<Shape>>;
}

/** The fields without errors, so that further rules can check them. */
function readFields<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  input: Record<string, unknown>,
  findings: Findings,
): Partial<z.output<z.ZodObject<Shape>>> {
  const whole = schema.safeParse(input);
  if (whole.success) return whole.data as Partial<z.output<z.ZodObject<Shape>>>;
  const { issues } = whole.error;
  for (const issue of issues) {
    for (const path of pathsOf(issue)) findings.add(path.join('.'), issue.message);
  }
  const wrong = new Set(issues.map(({ path }) => path[0]));
  const valid = Object.entries(input).filter(([name]) => !wrong.has(name));
  const others = Object.entries(schema.shape).filter(([name]) => !wrong.has(name));
  return z.object(Object.fromEntries(others)).parse(Object.fromEntries(valid)) as Partial<
    z.output<z.ZodObject<Shape>>
  >;
}

/** Error of a required field: one predicate when it is missing or null, another when it is wrong. */
export function required(missing: string, wrong: string) {
  return ({ input }: { input?: unknown }) => (input == null ? missing : wrong);
}

/** Number in a query. */
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

/**
 * A list of a query: `name[]=` and `name=`, repeated or with commas. An empty item names nothing; a blank one is no item.
 *
 * @returns names of its parameters, and the items, undefined without any.
 */
export function listIn(query: object, name: string) {
  const values = query as Record<string, string | string[]>;
  const names = Object.keys(values).filter((one) => one.replace(/\[\d*\]$/, '') === name);
  const items = names
    .flatMap((one) => values[one]!)
    .flatMap((value) => value.split(','))
    .filter((item) => item !== '')
    .map((item) => item.trim());
  return { names, items: items.length === 0 ? undefined : items };
}

/** A field of a body that was not read yet, of any type; null without it. */
export function fieldIn(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return null;
  return (body as Record<string, unknown>)[name];
}
