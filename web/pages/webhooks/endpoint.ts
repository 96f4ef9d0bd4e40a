import type { WebhookEndpoint } from '../../app/api.gen.ts';
import type { DisplayStatus } from '../../lib/display-status.ts';
import { SEVERITIES } from '../../lib/severity.ts';
import { words } from '../../words/index.ts';

type Health = 'deactivated' | 'off' | 'failing' | 'untried' | 'works';

/** Whether an endpoint gets its events. */
export function healthOf(endpoint: WebhookEndpoint): Health {
  const { is_active: isActive, deactivated_reason: reason } = endpoint;
  if (!isActive) return reason === null ? 'off' : 'deactivated';
  if (endpoint.failing_since !== null) return 'failing';
  return endpoint.last_delivered_at === null ? 'untried' : 'works';
}

/** Shape that stands for the health of an endpoint. */
export const HEALTH_STATUS: Record<Health, DisplayStatus> = {
  deactivated: 'offline',
  off: 'paused',
  failing: 'offline',
  untried: 'pending',
  works: 'online',
};

/** Whether somebody has to do something. */
export function needsAttention(endpoint: WebhookEndpoint): boolean {
  return HEALTH_STATUS[healthOf(endpoint)] === 'offline';
}

/** Sentence about an endpoint. */
export function healthSentence(endpoint: WebhookEndpoint): string {
  const { webhooks } = words;
  const sentences: Record<Health, (name: string) => string> = {
    deactivated: words.channels.isOff,
    off: words.channels.isOff,
    failing: webhooks.fails,
    untried: webhooks.untried,
    works: webhooks.works,
  };
  return sentences[healthOf(endpoint)](endpoint.name);
}

/** Why an endpoint gets nothing, in the words of the API. */
export function reasonOf({ deactivated_reason: reason, last_error: error }: WebhookEndpoint) {
  return reason ?? error;
}

/** Endpoint while it is edited. Stored secrets are never shown: left empty, they are kept. */
export type WebhookDraft = typeof NEW_WEBHOOK;

export const NEW_WEBHOOK = {
  name: '',
  url: '',
  auth_type: 'none' as WebhookEndpoint['auth_type'],
  auth_header_name: '',
  auth_token: '',
  severities: [...SEVERITIES],
};

export function draftOf(endpoint: WebhookEndpoint): WebhookDraft {
  const { name, auth_type, auth_header_name: header, severities } = endpoint;
  return { ...NEW_WEBHOOK, name, auth_type, auth_header_name: header ?? '', severities };
}

/** Body for the API. An empty address or token is left out, which keeps what is stored. */
export function bodyOf(draft: WebhookDraft) {
  const { name, url, auth_type, auth_header_name: header, auth_token: token, severities } = draft;
  return {
    name: name.trim(),
    ...(url.trim() !== '' && { url: url.trim() }),
    auth_type,
    ...(auth_type === 'header' && { auth_header_name: header.trim() || null }),
    ...(auth_type !== 'none' && token !== '' && { auth_token: token }),
    severities,
  };
}

/** JSON with an indentation; any other text as it is. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
