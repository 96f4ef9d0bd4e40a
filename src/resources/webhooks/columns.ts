import {
  flag,
  json,
  openIfPossible,
  plain,
  readColumns,
  sealed,
  writeColumns,
  type Codecs,
} from '../../lib/columns.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { hostOf } from '../../lib/url-host.ts';
import type {
  WebhookEndpointColumns,
  WebhookEndpointRow,
} from '../../store/resources/webhook-endpoints.ts';
import { isoOrNull, isoTime } from '../common/time.ts';
import type { WebhookSettings } from './input.ts';

/** What nobody sets, of a new endpoint. */
export const NEW_COLUMNS = {
  previous_signing_secret: null,
  previous_secret_until: null,
  deactivated_reason: null,
};

/** The secret that signs beside its successor, and until when; none where there was none, or it can't be read. */
export function formerSecret(
  row: WebhookEndpointRow,
  box: SecretBox,
  { overlapMs, now }: { overlapMs: number; now: number },
): Pick<WebhookEndpointColumns, 'previous_signing_secret' | 'previous_secret_until'> {
  const former = settingsOf(row, box).signing_secret;
  if (overlapMs === 0 || typeof former !== 'string')
    return { previous_signing_secret: null, previous_secret_until: null };
  return { previous_signing_secret: box.seal(former), previous_secret_until: now + overlapMs };
}

type SettingColumns = Omit<WebhookEndpointColumns, keyof typeof NEW_COLUMNS>;

const CODECS: Codecs<WebhookSettings> = {
  name: plain,
  url: sealed,
  auth_type: plain,
  auth_header_name: plain,
  auth_token: sealed,
  signing_secret: sealed,
  severities: json,
  is_active: flag,
};

/** All that people set, sealed where it is secret. */
export function columnsOf(settings: WebhookSettings, box: SecretBox): SettingColumns {
  const { url = '' } = settings;
  const columns: Omit<SettingColumns, 'url_host'> = writeColumns(CODECS, { ...settings, url }, box);
  return { ...columns, url_host: hostOf(url) ?? '' };
}

/** What no key opens any more stays as it is, unless it is replaced. */
export function changedColumns(
  columns: SettingColumns,
  changed: readonly (keyof WebhookSettings)[],
): Partial<SettingColumns> {
  const names = new Set<string>(changed);
  if (changed.includes('url')) names.add('url_host');
  return Object.fromEntries(Object.entries(columns).filter(([name]) => names.has(name)));
}

/** What people set of a stored endpoint, its secrets opened. */
export function settingsOf(row: WebhookEndpointRow, box: SecretBox): WebhookSettings {
  return readColumns(CODECS, row, openIfPossible(box));
}

/** An endpoint as every answer shows it. */
export function viewWebhookEndpoint(row: WebhookEndpointRow, now: number) {
  const { previous_secret_until: until } = row;
  return {
    id: row.id,
    name: row.name,
    url_host: row.url_host,
    auth_type: row.auth_type,
    auth_header_name: row.auth_header_name,
    severities: JSON.parse(row.severities) as string[],
    is_active: row.is_active === 1,
    deactivated_reason: row.deactivated_reason,
    has_signing_secret: row.signing_secret !== null,
    previous_secret_until: isoOrNull(until === null || until <= now ? null : until),
    last_delivered_at: isoOrNull(row.last_delivered_at),
    failing_since: isoOrNull(row.failing_since),
    last_error: row.failing_since === null ? null : row.last_error,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
