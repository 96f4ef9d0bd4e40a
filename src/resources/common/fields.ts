import { z } from 'zod';
import { plain, readColumn, writeColumn, type Codec, type Open } from '../../lib/columns.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { readBody, type Findings } from './input.ts';
import { isoTime } from './time.ts';

/** One row of a resource's table of fields. A field has the same name in the API, in the settings and as a column. */
export interface Field<Value = unknown> {
  codec: Codec;
  /** Valid values in requests, besides null. */
  input: z.ZodType;
  /** Values in answers, besides null. */
  output: z.ZodType;
  /** The value in answers and in the audit log; the value itself unless given. */
  show?: (value: NonNullable<Value>) => unknown;
  /**
   * Value of a new resource; null in a request restores it. Null unless given. That of a required field is neutral to
   * the rules that are applied to the rest of the request.
   */
  unset?: Value;
  /** What to do when the field is missing; optional fields have no such hint. */
  required?: string;
  /** Sentences for the reference. */
  meaning?: string;
}

/** A resource's table of fields, in the order of the reference. */
export type Fields<Settings> = { readonly [Name in keyof Settings]-?: Field<Settings[Name]> };

/** A time, in epoch milliseconds. */
export const TIME = { codec: plain, output: z.iso.datetime(), show: isoTime };

/** The meaning of a field, with its default where that is a text, a number, true or false. */
function descriptionOf({ meaning, unset, required }: Field): string | undefined {
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

/** Schema of a request in the reference. */
export function requestSchema(fields: object): z.ZodObject {
  return z.object(
    shapeOf(fields, (field) =>
      described(field.required === undefined ? field.input.nullish() : field.input, field),
    ),
  );
}

/** Schemas of the fields in answers. */
export function answerShape(fields: object): z.ZodRawShape {
  return shapeOf(fields, (field) => {
    const isNullable = field.required === undefined && (field.unset ?? null) === null;
    return described(isNullable ? field.output.nullable() : field.output, field);
  });
}

/**
 * Reads the settings that a JSON body asks for: the stored ones with the body's fields over them, or the defaults for a
 * new resource. They are of use only when nothing was found; a field with findings keeps its former value.
 */
export function settingsReader<Settings extends object>(fields: Fields<Settings>) {
  const schema = z.object(shapeOf(fields, ({ input }) => input.nullish()));
  return (body: unknown, stored: Settings | null, findings: Findings): Settings => {
    const input = readBody(schema, body, findings) as { [Name in keyof Settings]?: unknown };
    const settings: Record<string, unknown> = {};
    for (const name in fields) {
      const { unset = null, required } = fields[name];
      const value = input[name];
      settings[name] = (value === undefined ? stored?.[name] : value) ?? unset;
      const isMissing = value === null || (value === undefined && stored === null);
      if (required !== undefined && isMissing && !findings.has(name))
        findings.add(name, `is required: ${required}`);
    }
    return settings as Settings;
  };
}

const NO_KEYS: Pick<SecretBox, 'seal'> = {
  seal() {
    throw new Error('Sealed columns require a secret box.');
  },
};

/** The columns of the settings, cast to the type that the caller knows. */
export function columnsOf<Settings extends object, Columns>(
  fields: Fields<Settings>,
  settings: Settings,
  box = NO_KEYS,
): Columns {
  const columns: Record<string, unknown> = {};
  for (const name in fields) columns[name] = writeColumn(fields[name].codec, settings[name], box);
  return columns as Columns;
}

/** The settings of a row. A setting whose sealed column can't be opened is undefined. */
export function settingsOf<Settings extends object>(
  fields: Fields<Settings>,
  row: { readonly [Name in keyof Settings]: string | number | null },
  open: Open = () => undefined,
): Settings {
  const settings: Record<string, unknown> = {};
  for (const name in fields) settings[name] = readColumn(fields[name].codec, row[name], open);
  return settings as Settings;
}

/** The settings as answers and the audit log show them. */
export function viewSettings<Settings extends object>(
  fields: Fields<Settings>,
  settings: Settings,
): Record<keyof Settings, unknown> {
  const view: Partial<Record<keyof Settings, unknown>> = {};
  for (const name in fields) {
    const { show } = fields[name];
    const value = settings[name] ?? null;
    view[name] = show === undefined || value === null ? value : show(value as never);
  }
  return view as Record<keyof Settings, unknown>;
}
