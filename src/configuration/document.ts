/**
 * A configuration set: what a team is to have, as files, importers and discovery write it and the API compares it with
 * what is there. Presets, defaults and references to environment variables are already resolved.
 */
export interface ConfigurationDocument extends Partial<Record<Section, ConfigurationItem[]>> {
  /** Name of the set, unique in the team: lower-case letters, digits and hyphens. */
  name: string;
}

/** The lists of a document, in the order in which they are applied: what is referred to comes first. */
export const SECTIONS = [
  'groups',
  'monitors',
  'alert_channels',
  'alert_routes',
  'webhook_endpoints',
  'maintenance_windows',
  'status_pages',
  'reports',
  'update_templates',
  'walls',
] as const;
export type Section = (typeof SECTIONS)[number];

/**
 * One thing of a set. Its fields are those of a request of the API that creates it; ids of other things are their keys,
 * so `group_id: shop` names the group with the key `shop`. A monitor may also have `is_paused`, `slo` (the fields of its
 * SLO) and `ping_aliases` (paths of other services at which its job reports, such as `/ping/5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278`).
 */
export interface ConfigurationItem {
  /** Stable, and unique among those of its section in the set: lower-case letters, digits, `-`, `_` and `.`. */
  key: string;
  [field: string]: unknown;
}

/** A value that must not stand in a file. It may be used in place of any text of an item. */
export interface SecretValue {
  /** Where it is from, such as `env SMTP_PASSWORD` or `file secrets/token`. */
  from: string;
  /** Absent where the variable or file does not exist: what is stored is kept then. */
  value?: string;
}

/** Whether a value of an item is a secret, and no object of settings. */
export function isSecretValue(value: unknown): value is SecretValue {
  if (typeof value !== 'object' || value === null) return false;
  const { from, value: text, ...more } = value as Partial<Record<keyof SecretValue, unknown>>;
  return (
    typeof from === 'string' &&
    /^(?:env|file|import)\b/.test(from) &&
    (text === undefined || typeof text === 'string') &&
    Object.keys(more).length === 0
  );
}

/** The form of names of sets and of keys, and their maximum length. */
export const SET_NAME = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
export const ITEM_KEY = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/;
export const MAX_KEY_LENGTH = 100;

/** Items that a set may have. */
export const MAX_ITEMS = 20_000;

/**
 * Bytes of a document in a request: 5,000 monitors of 400 bytes. Parsing it keeps the server's thread for less than a tenth
 * of a second.
 */
export const MAX_DOCUMENT_BYTES = 2 * 1024 * 1024;
