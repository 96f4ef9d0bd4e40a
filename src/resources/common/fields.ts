import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  plain,
  readColumn,
  writeColumn,
  type Codec,
  type Open,
  type Seal,
} from '../../lib/columns.ts';
import { kindOf } from '../../lib/schemas.ts';
import { MASK } from '../../lib/secret-box.ts';
import type { Refers } from '../../monitor-types/field.ts';
import { readBody, type Findings } from './input.ts';
import { isoTime } from './time.ts';

/** One row of a resource's table of fields. A field has the same name in the API, in the settings and as a column. */
export interface Field<Value = unknown> {
  /** `plain` unless given. */
  codec?: Codec;
  /** Valid values in requests, besides null. */
  input: z.ZodType;
  /** Values in responses, besides null. By default the kind of the input: a text, a number, one of its words, a list of these. */
  output?: z.ZodType;
  /** Form of the value in responses and in the audit log; by default the value itself. */
  show?: (value: NonNullable<Value>) => unknown;
  /**
   * Value of a new resource, by default null; null in a request restores it. For a required field, a value that breaks
   * no rule while the field is missing.
   */
  unset?: Value extends readonly (infer Item)[] ? readonly Item[] : Value;
  /** Hint for when the field is missing; absent for optional fields. */
  required?: string;
  /** Sentences for the reference. */
  meaning?: string;
  /** Hint for who wants to change it: only a new resource takes such a field. */
  fixed?: string;
  /** Hidden in responses, masked in exports and the audit log, and kept by eight bullets in a request. */
  secret?: true;
  /** No column: its collection reads and writes it (`apart`, `changed`), and adds it to answers. */
  apart?: true;
  /** What its ids stand for. */
  refers?: Refers;
}

/** A resource's table of fields, in the order of the reference. */
export type Fields<Settings> = { readonly [Name in keyof Settings]-?: Field<Settings[Name]> };

/** Any table of fields, as `SettingsOf` reads it. */
export type FieldTable = Readonly<Record<string, AnyField>>;

interface AnyField extends Omit<Field, 'show' | 'unset'> {
  show?: (value: never) => unknown;
  unset?: unknown;
}

/** A field whose value is never null. */
type Present = { required: string } | { unset: NonNullable<unknown> };

/** The settings that a table of fields describes. A secret is undefined when no key of SECRET_KEY opens it. */
export type SettingsOf<Table extends FieldTable> = {
  -readonly [Name in keyof Table]:
    | z.output<Table[Name]['input']>
    | (Table[Name] extends Present ? never : null)
    | (Table[Name] extends { secret: true } ? undefined : never);
};

/** The values of a field in responses, besides null. */
type Shown<One extends AnyField> = One extends { output: infer Output extends z.ZodType }
  ? z.output<Output>
  : z.output<One['input']>;

/** The fields of an answer. */
export type ShownSettings<Table extends FieldTable> = {
  -readonly [
    Name in keyof Table as Table[Name] extends { secret: true } | { apart: true } ? never : Name
  ]: Table[Name] extends Present ? Shown<Table[Name]> : Shown<Table[Name]> | null;
};

/** The fields of a request. */
export type RequestOf<Table extends FieldTable> = {
  -readonly [
    Name in keyof Table as Table[Name] extends { required: string } ? Name : never
  ]: z.input<Table[Name]['input']>;
} & ChangeOf<Table>;

/** The fields of a change: all may be absent, and null restores a default. */
export type ChangeOf<Table extends FieldTable> = {
  -readonly [Name in keyof Table as Table[Name] extends { fixed: string } ? never : Name]?:
    | z.input<Table[Name]['input']>
    | null
    | undefined;
};

/** Declares a table of fields, from which its settings follow. */
export function fieldTable<const Table extends FieldTable>(table: Table): Table {
  return table;
}

export function outputOf({ input, output }: Pick<Field, 'input' | 'output'>): z.ZodType {
  return output ?? kindOf(input);
}

/** A time, in epoch milliseconds. */
export const TIME = { codec: plain, output: z.iso.datetime(), show: isoTime };

/** The meaning of a field, with its default where that is a text, a number, true or false. */
export function descriptionOf({
  meaning,
  unset,
  required,
}: Pick<Field, 'meaning' | 'unset' | 'required'>): string | undefined {
  const isNamed =
    required === undefined &&
    ['number', 'boolean', 'string'].includes(typeof unset) &&
    unset !== '';
  return isNamed ? `${meaning ?? ''} \`${String(unset)}\` unless set.`.trim() : meaning;
}

function described(schema: z.ZodType, field: Field): z.ZodType {
  const description = descriptionOf(field);
  return description === undefined ? schema : schema.meta({ description });
}

function shapeOf(fields: object, schemaOf: (field: Field) => z.ZodType): z.ZodRawShape {
  const entries = Object.entries(fields) as [string, Field][];
  return Object.fromEntries(entries.map(([name, field]) => [name, schemaOf(field)]));
}

/** The names of the secret fields. */
export function secretNames(fields: object): string[] {
  const entries = Object.entries(fields) as [string, Field][];
  return entries.filter(([, { secret }]) => secret).map(([name]) => name);
}

/** The names of the fields that only a new resource takes. */
export function fixedNames(fields: object): string[] {
  const entries = Object.entries(fields) as [string, Field][];
  return entries.filter(([, { fixed }]) => fixed !== undefined).map(([name]) => name);
}

/** The table without secret fields and those that are kept apart. */
function shownFields(fields: object): object {
  const entries = Object.entries(fields) as [string, Field][];
  return Object.fromEntries(entries.filter(([, { secret, apart }]) => !secret && !apart));
}

/** Schema of a request in the reference. */
export function requestSchema(fields: object): z.ZodObject {
  return z.object(
    shapeOf(fields, (field) =>
      described(field.required === undefined ? field.input.nullish() : field.input, field),
    ),
  );
}

/** Schema of a change in the reference: no field is required. */
export function changeSchema(fields: object): z.ZodObject {
  const all = shapeOf(fields, (field) =>
    described(field.required === undefined ? field.input.nullish() : field.input.optional(), field),
  );
  return z.object(all).omit(Object.fromEntries(fixedNames(fields).map((name) => [name, true])));
}

/** Schemas of the fields in responses. */
export function answerShape(fields: object): z.ZodRawShape {
  return shapeOf(shownFields(fields), (field) => {
    const isNullable = field.required === undefined && (field.unset ?? null) === null;
    return described(isNullable ? outputOf(field).nullable() : outputOf(field), field);
  });
}

/**
 * Reads the settings that a JSON body asks for: the stored ones with the body's fields over them, or the defaults for a
 * new resource. They are of use only when nothing was found; a field with findings keeps its former value.
 */
export function settingsReader<Settings extends object>(fields: Fields<Settings>) {
  const readInput = inputReader(fields);
  return (body: unknown, stored: Settings | null, findings: Findings): Settings => {
    const input = readInput(body, findings);
    requireFields(fields, input, stored === null, findings);
    return applyInput(fields, stored, input);
  };
}

/** Valid fields of a request: absent ones are left alone, null means "unset". */
export type FieldInput<Settings> = { [Name in keyof Settings]?: Settings[Name] | null };

/**
 * Reads the fields of a JSON body. All may be absent: `requireFields` reports those that are missing.
 *
 * @param more further keys of the body.
 */
export function inputReader<Settings extends object, More extends z.ZodRawShape>(
  fields: Fields<Settings>,
  more?: More,
) {
  const schema = z.object({ ...shapeOf(fields, ({ input }) => input.nullish()), ...more });
  return (body: unknown, findings: Findings) =>
    readBody(schema, body, findings) as FieldInput<Settings> & Partial<z.output<z.ZodObject<More>>>;
}

/** Reports required fields that are missing. @param isNew a change may omit them, but not set them to null. */
export function requireFields<Settings extends object>(
  fields: Fields<Settings>,
  input: FieldInput<Settings>,
  isNew: boolean,
  findings: Findings,
): void {
  for (const name in fields) {
    const { required } = fields[name];
    const isMissing = input[name] === null || (isNew && input[name] === undefined);
    if (required !== undefined && isMissing && !findings.has(name))
      findings.add(name, `is required: ${required}`);
  }
}

/** The stored settings with a request's fields over them, or the defaults for a new resource. */
export function applyInput<Settings extends object>(
  fields: Fields<Settings>,
  stored: Settings | null,
  input: FieldInput<Settings>,
): Settings {
  const settings = { ...(stored ?? defaultSettings(fields)) };
  for (const name in fields) {
    const { required, unset = null } = fields[name];
    const value = input[name];
    if (value === undefined || (value === null && required !== undefined)) continue;
    settings[name] = (value ?? unset) as never;
  }
  return settings;
}

/** The settings of a new resource. */
export function defaultSettings<Settings extends object>(fields: Fields<Settings>): Settings {
  const settings: Record<string, unknown> = {};
  for (const name in fields) settings[name] = fields[name].unset ?? null;
  return settings as Settings;
}

/** Removes the bullets that stand for a stored secret from a request. Reports those that stand for none. */
export function keepSecrets<Settings extends object>(
  fields: Fields<Settings>,
  stored: Settings | null,
  input: FieldInput<Settings>,
  findings: Findings,
): void {
  for (const name in fields) {
    if (!fields[name].secret || input[name] !== MASK) continue;
    if (stored === null || stored[name] === null) findings.add(name, UNKNOWN_SECRET);
    delete input[name];
  }
}

/** Removes fixed fields from a change. Reports those that differ from what is stored. */
export function keepFixed<Settings extends object>(
  fields: Fields<Settings>,
  stored: Settings,
  input: FieldInput<Settings>,
  findings: Findings,
): void {
  for (const name in fields) {
    const { fixed } = fields[name];
    if (fixed === undefined) continue;
    if (input[name] !== undefined && input[name] !== stored[name])
      findings.add(name, `can't be changed: it is ${String(stored[name])}. ${fixed}`);
    delete input[name];
  }
}

export const UNKNOWN_SECRET =
  'is a placeholder, and nothing is stored that it could stand for: send the value itself';

/** The names of the fields whose values differ; of a new resource all. */
export function changedNames<Settings extends object>(before: Settings | null, after: Settings) {
  const names = Object.keys(after) as (keyof Settings & string)[];
  return names.filter((name) => before === null || !isDeepStrictEqual(after[name], before[name]));
}

const NO_KEYS: Seal = () => {
  throw new Error('Sealed columns require a secret box.');
};

/**
 * The columns of the settings, cast to the type that the caller knows.
 *
 * @param names fields to write; by default all.
 */
export function columnsOf<Settings extends object, Columns>(
  fields: Fields<Settings>,
  settings: Settings,
  seal = NO_KEYS,
  names: readonly (keyof Settings)[] = Object.keys(fields) as (keyof Settings)[],
): Columns {
  const columns: Record<string, unknown> = {};
  for (const name of names) {
    if (fields[name].apart) continue;
    columns[name as string] = writeColumn(
      fields[name].codec ?? plain,
      settings[name],
      seal,
      name as string,
    );
  }
  return columns as Columns;
}

/** The settings of a row. A setting whose sealed column can't be opened is undefined. */
export function settingsOf<Settings extends object>(
  fields: Fields<Settings>,
  row: { readonly [Name in keyof Settings]: string | number | null },
  open: Open = () => undefined,
): Settings {
  const settings: Record<string, unknown> = {};
  for (const name in fields) {
    const { codec = plain, apart } = fields[name];
    if (!apart) settings[name] = readColumn(codec, row[name], open, name);
  }
  return settings as Settings;
}

/** The settings as responses show them. */
export function viewSettings<Settings extends object>(
  fields: Fields<Settings>,
  settings: Settings,
): Record<keyof Settings, unknown> {
  const view: Partial<Record<keyof Settings, unknown>> = {};
  for (const name in fields) {
    const { show, secret, apart } = fields[name];
    if (secret || apart) continue;
    const value = settings[name] ?? null;
    view[name] = show === undefined || value === null ? value : show(value as never);
  }
  return view as Record<keyof Settings, unknown>;
}

/** The fields of an example answer: these settings, and the defaults of all others. */
export function exampleFields<Settings extends object>(
  fields: Fields<Settings>,
  settings: Partial<Settings>,
) {
  return viewSettings(fields, { ...defaultSettings(fields), ...settings });
}

/** The secrets of a row, as exports show them. */
export function maskSecrets(fields: object, row: object): object {
  const columns = Object.entries(row).filter(([name]) => secretNames(fields).includes(name));
  return Object.fromEntries(columns.map(([name, value]) => [name, value === null ? null : MASK]));
}
