import type { z } from 'zod';
import type { Codec } from '../lib/columns.ts';
import type { Cron } from '../lib/cron-expression.ts';
import type { CheckRequest, CheckRequestBase } from '../model/check.ts';
import type { CheckType } from '../model/monitor.ts';
import type { FieldName, MonitorSettings } from './fields.ts';

/** A monitor type: all that distinguishes it from others. */
export type MonitorTypeDefinition = PullTypeDefinition | PushTypeDefinition;

interface CommonDefinition {
  name: string;
  /** Groups of fields that it takes, besides those that every type takes. */
  takes: readonly FieldGroup[];
  /** Fields that must be set, with what to do when one is missing. */
  required: readonly (readonly [field: FieldName, hint: string])[];
  checkTypes: readonly CheckType[];
  /** Names of the events when its job or target fails, and when that ends. */
  events: { open: TypeEvent; resolve: TypeEvent };
  /** The monitor of the events' examples, and why it failed. */
  eventExample: { monitor: { id: number; name: string; url: string | null }; cause: string };
  /** A working body for the reference. */
  example: Readonly<Record<string, unknown>>;
  /** Rules between fields: answers those that the input changes beyond its own. */
  resolve?(edit: SettingsEdit, findings: Findings): Partial<MonitorSettings>;
}

/** A type that probes check. */
export interface PullTypeDefinition extends CommonDefinition {
  kind: 'pull';
  /** The host that a url names, as it is written; null where there is none. */
  hostIn(url: string): string | null;
  /** Says what a url without a host must be. */
  urlForm(url: string): string;
  /** Builds the request to a probe. No secret of the settings may be undefined. Throws on incomplete settings. */
  request(settings: MonitorSettings, base: CheckRequestBase): CheckRequest;
  /** The host that one of its requests names; its `host` unless given. */
  hostAsked?(request: CheckRequest): string | null;
  /**
   * One of its requests with no more than it takes to see whether the target answers; null when it may change something
   * there. The request itself unless given.
   */
  lightRequest?(request: CheckRequest): CheckRequest | null;
}

/** A type whose job calls us. */
export interface PushTypeDefinition extends CommonDefinition {
  kind: 'push';
  /** When the job is to call. Throws on settings that lack what it requires. */
  schedule(settings: ScheduleSettings): PingSchedule;
}

/** When a job is to call: an interval after its last call, or at the times of a cron expression. */
export type PingSchedule = { intervalSeconds: number } | { cron: Cron; timezone: string };

export type ScheduleSettings = Pick<
  MonitorSettings,
  'heartbeat_interval' | 'heartbeat_cron_expression' | 'heartbeat_timezone'
>;

export interface TypeEvent {
  /** The names of events are the contract of webhooks. */
  name: string;
  /** When it is sent: a sentence. */
  when: string;
}

/** An input that is about to become the settings of a monitor. */
export interface SettingsEdit {
  /** Null for a new monitor. */
  stored: MonitorSettings | null;
  /** The stored settings, or the defaults. */
  base: MonitorSettings;
  input: MonitorInput;
  /** The base with the input's fields over it. */
  settings: MonitorSettings;
}

/** The sound fields of a body: absent ones are left alone, null means "unset". */
export type MonitorInput = { [Name in FieldName]?: MonitorSettings[Name] | null };

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
  elsewhere?: Value;
  /** Sentences for the reference. */
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
  type: MonitorTypeDefinition;
  /** The codes of the installation's regions. */
  regions: readonly string[];
}

/** Collects what is wrong with an input, so that all of it is answered at once. */
export interface Findings {
  /** @param predicate what follows the field's name, without a full stop: `must be …`. */
  add(field: string, predicate: string): void;
  /** Whether anything is wrong with a field or what is inside of it. */
  has(field: string): boolean;
}
