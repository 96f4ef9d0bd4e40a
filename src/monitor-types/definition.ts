import type { Cron } from '../lib/cron-expression.ts';
import type { CheckRequest } from '../model/check.ts';
import type { CheckType } from '../model/monitor.ts';
import type { FieldGroup, Findings } from './field.ts';
import type { FieldName, MonitorSettings } from './fields.ts';

/** A monitor type: all that distinguishes it from others. */
export type MonitorTypeDefinition = PullTypeDefinition | PushTypeDefinition;

interface CommonDefinition {
  name: string;
  takes: readonly FieldGroup[];
  /** Fields that must be set, with what to do when one is missing. */
  required: readonly (readonly [field: FieldName, hint: string])[];
  /** Defaults of its own, in place of those of the table of fields. */
  defaults?: Partial<MonitorSettings>;
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
  /** Target without scheme, user, query and fragment, which may hold secrets; the host, and the port if there is one, unless given. */
  shownTarget?(url: string): string | null;
  /** What to do about a url that is refused because it holds a user or password. */
  credentialsHint?: string;
  /** What a url must be. */
  urlForm: string;
  urlExample: string;
  /** What to say besides of a url without a host. */
  urlHint?(url: string): string;
  /**
   * Builds the request to a probe, which is the one of that type of requests. No secret of the settings may be undefined.
   * Throws on incomplete settings.
   */
  request(settings: MonitorSettings, base: Omit<CheckRequest, 'type'>): CheckRequest;
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
