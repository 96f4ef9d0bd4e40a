import type { WebhookEndpoint } from '../../client/types.gen.ts';
import { SEVERITIES, type Severity } from '../../lib/severity.ts';

/** Endpoint while it is edited. Stored secrets are never shown: left empty, they are kept. */
export interface WebhookDraft {
  name: string;
  url: string;
  auth_type: WebhookEndpoint['auth_type'];
  auth_header_name: string;
  auth_token: string;
  severities: Severity[];
}

export const NEW_WEBHOOK: WebhookDraft = {
  name: '',
  url: '',
  auth_type: 'none',
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
