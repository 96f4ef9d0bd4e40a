import { z } from 'zod';
import { parseCron } from './cron-expression.ts';
import { isExactNumber, type ExactNumber } from './exact-json.ts';
import { isTimeZone } from './time-zone.ts';

/** Whether the text can be stored unchanged: without NUL and lone surrogates. */
function isStorable(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}

/** Text of 1 to `maximum` characters, counted as in JSON Schema: an emoji is one. */
export function text(maximum: number) {
  return anyText(maximum).meta({ override: { maxLength: maximum } });
}

/** Name with at least one visible character. */
export function nameText(maximum: number) {
  return anyText(maximum)
    .regex(VISIBLE, { error: 'must not be blank' })
    .meta({ override: { maxLength: maximum } });
}

const VISIBLE = /\S/;

function anyText(maximum: number) {
  const error = `must be text of 1 to ${maximum} characters`;
  return z
    .string({ error })
    .min(1, { error })
    .refine((value) => hasAtMost(value, maximum), { error })
    .refine(isStorable, { error: 'must not hold a NUL character or half a character' });
}

function hasAtMost(value: string, characters: number): boolean {
  if (value.length <= characters) return true;
  return value.length <= 2 * characters && [...value].length <= characters;
}

export function wholeNumber(minimum: number, maximum: number, what = 'a whole number') {
  const error = `must be ${what} from ${minimum} to ${maximum}`;
  return z.number({ error }).int({ error }).min(minimum, { error }).max(maximum, { error });
}

export function anyNumber(minimum: number, maximum: number, what = 'a number') {
  const error = `must be ${what} from ${minimum} to ${maximum}`;
  return z.number({ error }).min(minimum, { error }).max(maximum, { error });
}

export function yesOrNo() {
  return z.boolean({ error: 'must be true or false' });
}

/** @param elsewhere what serves for words that people try: `{ webhook: 'create a webhook at …' }`. */
export function oneOf<const Values extends readonly [string, ...string[]]>(
  values: Values,
  elsewhere: Readonly<Record<string, string>> = {},
) {
  return z.enum(values, {
    error: ({ input }) =>
      input === undefined
        ? `is required: give one of ${values.join(', ')}`
        : unknownWord(input, values, elsewhere),
  });
}

/** The error of a word that is none of these, with what serves instead if that is known. */
export function unknownWord(
  input: unknown,
  values: readonly string[],
  elsewhere: Readonly<Record<string, string>> = {},
): string {
  return `must be one of ${values.join(', ')}${hintFor(input, values, elsewhere)}`;
}

/** ` (did you mean NAME?)` for a word that is one of these but for a slip; otherwise nothing. */
export function hintFor(
  input: unknown,
  values: readonly string[],
  elsewhere: Readonly<Record<string, string>> = {},
): string {
  if (typeof input !== 'string' || input.length > MAX_WORD_LENGTH) return '';
  const word = input.trim().toLowerCase();
  if (Object.hasOwn(elsewhere, word)) return `: ${elsewhere[word]}`;
  const [nearest] = values
    .map((value) => ({ value, off: differences(word, value.toLowerCase()) }))
    .toSorted((a, b) => a.off - b.off);
  const isNear =
    nearest !== undefined && nearest.off <= 2 && nearest.off * 2 < nearest.value.length;
  return isNear ? ` (did you mean ${nearest.value}?)` : '';
}

/** Words that people may mistype are shorter. */
const MAX_WORD_LENGTH = 50;

/**
 * Number of letters to insert, delete or replace, or of neighbors to exchange, to get from one word to the other (optimal string
 * alignment distance).
 */
function differences(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let index = 1; index <= from.length; index++) {
    const next = [index];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[index - 1] === to[column - 1];
      const isExchanged = from[index - 1] === to[column - 2] && from[index - 2] === to[column - 1];
      next.push(
        Math.min(
          row[column - 1]! + (isSame ? 0 : 1),
          row[column]! + 1,
          next[column - 1]! + 1,
          isExchanged ? before[column - 2]! + 1 : Infinity,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return row.at(-1)!;
}

export function timeZone() {
  const error = 'must be the IANA name of a time zone, such as Europe/Berlin';
  return z.string({ error }).refine(isTimeZone, { error });
}

export function timeOfDay() {
  const error = 'must be a time of day from 00:00 to 23:59, such as 22:00';
  return z.string({ error }).regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error });
}

export function cronExpression() {
  return z
    .string({ error: 'must be a cron expression of 5 fields, such as "0 3 * * *"' })
    .superRefine((expression, context) => {
      const parsed = parseCron(expression);
      if (!parsed.ok) context.addIssue({ code: 'custom', message: parsed.fault });
    });
}

/** A value of JSON without parts; a number may be one that JavaScript would round. */
export function scalar() {
  return z
    .custom<string | number | boolean | null | ExactNumber>(
      (value) => value === null || typeof value !== 'object' || isExactNumber(value),
      { error: 'must be text, a number, true, false or null' },
    )
    .meta({
      override: {
        anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }],
      },
    });
}

/** Maximum size of a settings object in a body, as JSON. */
const MAX_SETTINGS_BYTES = 16_384;

/**
 * An object of settings with these keys and no others, since a misspelled setting would be lost in silence.
 *
 * @param error of a value that is no object.
 */
export function settingsObject<Shape extends z.ZodRawShape>(shape: Shape, error: string) {
  return z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? unknownKey(Object.keys(shape)) : error),
  });
}

const MAX_UNKNOWN_KEYS = 100;

/** The paths that an issue is reported on: unknown keys are each an error of their own. */
export function pathsOf(issue: z.core.$ZodIssue): PropertyKey[][] {
  return issue.code === 'unrecognized_keys'
    ? issue.keys.slice(0, MAX_UNKNOWN_KEYS).map((key) => [...issue.path, key])
    : [issue.path];
}

export function unknownKey(known: readonly string[]): string {
  if (known.length === 0) return 'is not a known setting: leave it out';
  return `is not a known setting: use ${known.join(', ')}, or leave it out`;
}

/** The error of a settings object that is too large to be read; null for any other value. */
export function settingsSizeFault(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  return Buffer.byteLength(JSON.stringify(value)) > MAX_SETTINGS_BYTES
    ? 'must have at most 16 KiB as JSON'
    : null;
}

/** Schema of the same kind of value, without its rules and its reference. Throws where the kind does not follow. */
export function kindOf(schema: z.ZodType, time: z.ZodType = z.string()): z.ZodType {
  const of = (part: z.core.$ZodType) => kindOf(part as z.ZodType, time);
  if (schema instanceof z.ZodNullable) return of(schema.unwrap()).nullable();
  if (schema instanceof z.ZodOptional) return of(schema.unwrap()).optional();
  if (schema instanceof z.ZodISODateTime) return time;
  if (schema instanceof z.ZodEnum) return z.enum(schema.enum);
  if (schema instanceof z.ZodArray) return z.array(of(schema.element));
  if (schema instanceof z.ZodNumber) return schema.isInt ? z.int() : z.number();
  if (schema instanceof z.ZodBoolean) return z.boolean();
  if (schema instanceof z.ZodLiteral) return z.literal(schema.value);
  if (schema instanceof z.ZodPipe) return of(schema.in);
  if (schema instanceof z.ZodUnion) return z.union(schema.options.map(of));
  if (schema instanceof z.ZodObject) {
    const parts = Object.entries<z.ZodType>(schema.shape).map(([name, part]) => [name, of(part)]);
    return z.object(Object.fromEntries(parts));
  }
  if (schema.type === 'string') return z.string();
  throw new Error(`Give the field an output: it does not follow from ${schema.type}.`);
}

/** Overrides the documentation derived from a schema: `z.….meta(documentedAs({ … }))`. */
export function documentedAs(schema: Record<string, unknown>) {
  return {
    override({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void {
      for (const name of Object.keys(jsonSchema)) delete jsonSchema[name];
      Object.assign(jsonSchema, schema);
    },
  };
}
