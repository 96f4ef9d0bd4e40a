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

export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` });
}

/** The IANA name of a time zone. */
export function timeZone() {
  const error = 'must be the IANA name of a time zone, such as Europe/Berlin';
  return z.string({ error }).refine(isTimeZone, { error });
}

/** A wall time `HH:MM`. */
export function timeOfDay() {
  const error = 'must be a time of day from 00:00 to 23:59, such as 22:00';
  return z.string({ error }).regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error });
}

/** A cron expression of 5 fields. */
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

/** Maximum number of unknown keys of one object that are reported. */
const MAX_UNKNOWN_KEYS = 100;

/** The paths that an issue is reported on: unknown keys are each an error of their own. */
export function pathsOf(issue: z.core.$ZodIssue): PropertyKey[][] {
  return issue.code === 'unrecognized_keys'
    ? issue.keys.slice(0, MAX_UNKNOWN_KEYS).map((key) => [...issue.path, key])
    : [issue.path];
}

/** Predicate for a key of a settings object that does not exist. */
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

/** Overrides the documentation derived from a schema: `z.….meta(documentedAs({ … }))`. */
export function documentedAs(schema: Record<string, unknown>) {
  return {
    override({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void {
      for (const name of Object.keys(jsonSchema)) delete jsonSchema[name];
      Object.assign(jsonSchema, schema);
    },
  };
}
