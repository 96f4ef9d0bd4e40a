import { openIfPossible } from '../../lib/columns.ts';
import type { RowSecrets, SecretBox } from '../../lib/secret-box.ts';
import { hostOf } from '../../lib/url-host.ts';
import type {
  WebhookEndpointColumns,
  WebhookEndpointRow,
} from '../../store/resources/webhook-endpoints.ts';
import { columnsOf, settingsOf, viewSettings } from '../common/fields.ts';
import { isoOrNull, isoTime } from '../common/time.ts';
import { WEBHOOK_FIELDS, type WebhookSettings } from './fields.ts';

type SettingColumns = Pick<WebhookEndpointColumns, keyof WebhookSettings | 'url_host'>;

/** Encryption of the endpoints of a team. */
export function secretsOf(teamId: number, box: SecretBox): RowSecrets {
  return box.of('webhook_endpoint', teamId);
}

/** The columns of these fields, and the host that follows from the url. */
export function webhookColumns(
  settings: WebhookSettings,
  names: readonly (keyof WebhookSettings)[],
  secrets: RowSecrets,
): SettingColumns {
  const { url = '' } = settings;
  const columns: SettingColumns = columnsOf(WEBHOOK_FIELDS, settings, secrets.seal, names);
  return names.includes('url') ? { ...columns, url_host: hostOf(url) ?? '' } : columns;
}

/** The settings of a stored endpoint, with its secrets opened. */
export function webhookSettings(row: WebhookEndpointRow, box: SecretBox): WebhookSettings {
  return settingsOf(WEBHOOK_FIELDS, row, openIfPossible(secretsOf(row.team_id, box)));
}

/** A webhook endpoint in answers. */
export function viewWebhookEndpoint(row: WebhookEndpointRow, now: number) {
  const { name, ...settings } = viewSettings(WEBHOOK_FIELDS, settingsOf(WEBHOOK_FIELDS, row));
  const { previous_secret_until: until } = row;
  return {
    id: row.id,
    name,
    url_host: row.url_host,
    ...settings,
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

/** The settings in the audit log, which shows the host of the url and masks the url itself. */
export function auditedWebhook({ url, ...settings }: WebhookSettings): object {
  return { ...settings, url_host: url === undefined ? null : hostOf(url), webhook_url: url };
}
