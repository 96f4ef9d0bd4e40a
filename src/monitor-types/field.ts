import type { z } from 'zod';
import type { Codec } from '../lib/columns.ts';
import type { CheckType } from '../model/monitor.ts';

/** Settings that the installation makes for all monitors. */
export interface MonitorDefaults {
  /** All of REGIONS. */
  regions: readonly string[];
  /** DEFAULT_CHECK_INTERVAL in minutes; null when it is required. */
  checkInterval: number | null;
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
  /** Codec of its column; null for a field that has rows of its own instead of a column. */
  codec: Codec | null;
  /** Valid values in requests. Null and absence are always allowed. */
  input: z.ZodType | ((context: InputContext) => z.ZodType);
  /** Values in answers, besides null. */
  output: z.ZodType;
  /** Valid values in the reference, where they can't be derived from `input`. */
  documented?: z.ZodType;
  /** Default of a new monitor, null unless given; null in an update restores it. */
  unset?: Value | ((defaults: MonitorDefaults) => Value);
  /** The stored value on types outside `group`, null unless given: required when the column is not null. */
  valueForOtherTypes?: Value;
  meaning: string;
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
}

export interface InputContext {
  type: { name: string; checkTypes: readonly CheckType[]; takes: readonly FieldGroup[] };
  regions: readonly string[];
}

/** Collects what is wrong with an input, so that all of it is answered at once. */
export interface Findings {
  /** @param predicate what follows the field's name, without a full stop: `must be …`. */
  add(field: string, predicate: string): void;
  has(field: string): boolean;
}
