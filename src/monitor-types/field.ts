import type { z } from 'zod';
import { plain, type Codec } from '../lib/columns.ts';
import { kindOf } from '../lib/schemas.ts';
import type { CheckType } from '../model/monitor.ts';

/** Settings that the installation makes for all monitors. */
export interface MonitorDefaults {
  /** All of REGIONS. */
  regions: readonly string[];
  /** DEFAULT_CHECK_INTERVAL in minutes; null when it is required. */
  checkInterval: number | null;
}

/** What sentences say of the types: each a list such as `http, ping and port`, or a sentence for each. */
export interface TypesInWords {
  push: string;
  /** What their url is. */
  urls: string;
  checkTypes: string;
  taking(group: FieldGroup): string;
  requiring(field: string): string;
}

/** Fields that a type takes or lacks together. */
export type FieldGroup = 'pull' | 'push' | 'http' | 'port' | 'heartbeat' | 'cron';

/** One row of the table of fields. */
export interface Field<Value = unknown> {
  /** All types take it unless given. */
  group?: FieldGroup;
  /** Of a field that all types take: those whose checks depend on it, where not all do. */
  usedBy?: 'pull' | 'http';
  /** Unit of its numbers. */
  unit?: 'minutes' | 'seconds' | 'ms' | 'days';
  /**
   * Card of the dashboard's form that draws its control from this row: how the target is asked, or which answers are
   * good. Without one the form names the field itself.
   */
  card?: 'request' | 'answer';
  /** Codec of its column, `plain` unless given; null for a field that has rows of its own instead of a column. */
  codec?: Codec | null;
  /** Valid values in requests. Null and absence are always allowed. */
  input: z.ZodType | ((context: InputContext) => z.ZodType);
  /** Values in answers, besides null; the kind of the input unless given. */
  output?: z.ZodType<Value>;
  /** Valid values in the reference, where they can't be derived from `input`. */
  documented?: z.ZodType;
  /** Default of a new monitor, null unless given; null in an update restores it. */
  unset?: Default<Value> | ((defaults: MonitorDefaults) => Value);
  /** The stored value on types outside `group`, null unless given: required when the column is not null. */
  valueForOtherTypes?: Value;
  /** Sentences for the reference. */
  meaning: string | ((types: TypesInWords) => string);
  /** To whom answers show the value: callers who may update, or nobody. Audit log and exports mask it. */
  secret?: 'shown to editors' | 'never shown';
  /** Answers show it only to callers who may update. It is no secret: audit log and exports show it. */
  visibleTo?: 'editors';
  /** Combines a value of an update with the stored one, which is null where none is; replaces that one unless given. */
  merge?: (stored: Value | null, sent: NonNullable<Value>) => Value;
  /** A label only names and sorts the monitor: a change of it leaves the check as it is. */
  isLabel?: true;
  /** True for a value that asks for nothing, besides null and empty values: types that refuse the field accept it. */
  isEmpty?: (value: unknown) => boolean;
  /** What its ids stand for. */
  refers?: Refers;
}

type Default<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;

/** A field with all that follows from its input. */
export type CompleteField<Value = unknown> = Field<Value> & {
  codec: Codec | null;
  output: z.ZodType;
};

export function completed<Settings>(table: {
  readonly [Name in keyof Settings]: Field<Settings[Name]>;
}): { readonly [Name in keyof Settings]: CompleteField<Settings[Name]> } {
  const entries = Object.entries<Field>(table as Record<string, Field>);
  const all = entries.map(([name, field]) => {
    const { codec = plain, input, output = kindOf(input as z.ZodType) } = field;
    return [name, { ...field, codec, output }];
  });
  return Object.fromEntries(all) as ReturnType<typeof completed<Settings>>;
}

/** A table of fields whose values are still to be inferred. */
export type FieldTable = Readonly<Record<string, AnyField>>;

interface AnyField extends Omit<Field, 'unset' | 'merge'> {
  unset?: string | number | boolean | readonly [] | ((defaults: MonitorDefaults) => unknown);
  merge?: (stored: never, sent: never) => unknown;
}

/** The settings that a table of fields describes. */
export type SettingsOf<Table extends FieldTable> = {
  -readonly [Name in keyof Table]:
    | ValueOf<Table[Name]>
    | NullOf<Table[Name]>
    | UnreadableOf<Table[Name]>;
};

type ValueOf<One extends AnyField> = One extends { output: infer Output extends z.ZodType }
  ? z.output<Output>
  : One extends { input: infer Input extends z.ZodType }
    ? z.output<Input>
    : never;

/** Null on other types, and where nothing is the default. */
type NullOf<One extends AnyField> = One extends { group: FieldGroup }
  ? One extends { valueForOtherTypes: unknown }
    ? DefaultOf<One> & null
    : null
  : DefaultOf<One> & null;

type DefaultOf<One extends AnyField> = One extends { unset: infer Unset }
  ? Unset extends (...given: never) => infer Default
    ? Default
    : Unset
  : null;

/** A secret is undefined when no key of SECRET_KEY opens it. */
type UnreadableOf<One extends AnyField> = One extends { secret: string } ? undefined : never;

export interface InputContext {
  type: { name: string; checkTypes: readonly CheckType[]; takes: readonly FieldGroup[] };
  regions: readonly string[];
}

/**
 * What ids in a field stand for: the list of a configuration set that has the thing, or `users`; or that of the fields of an
 * object. Lists are transparent.
 */
export type Refers = string | { readonly [field: string]: Refers };

/** Collects what is wrong with an input, so that all of it is answered at once. */
export interface Findings {
  /** @param predicate what follows the field's name, without a full stop: `must be …`. */
  add(field: string, predicate: string): void;
  has(field: string): boolean;
}
