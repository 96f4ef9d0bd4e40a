import type { WebhookEndpoint } from '../../client/types.gen.ts';
import type { Standing } from '../../lib/standing.ts';
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
export const HEALTH_STANDING: Record<Health, Standing> = {
  deactivated: 'offline',
  off: 'paused',
  failing: 'offline',
  untried: 'pending',
  works: 'online',
};

/** Whether somebody has to do something. */
export function needsAttention(endpoint: WebhookEndpoint): boolean {
  return HEALTH_STANDING[healthOf(endpoint)] === 'offline';
}

/** Sentence about an endpoint. */
export function healthSentence(endpoint: WebhookEndpoint): string {
  const { webhooks } = words;
  const sentences: Record<Health, (name: string) => string> = {
    deactivated: webhooks.isOff,
    off: webhooks.isOff,
    failing: webhooks.fails,
    untried: webhooks.untried,
    works: webhooks.works,
  };
  return sentences[healthOf(endpoint)](endpoint.name);
}

/** What an error says besides the status code that is shown with it; null for nothing. */
export function errorBeside(error: string | null, code: number | null): string | null {
  return error === `The endpoint answered HTTP ${code}.` ? null : error;
}

/** Why an endpoint gets nothing, in the words of the API. */
export function reasonOf({ deactivated_reason: reason, last_error: error }: WebhookEndpoint) {
  return reason ?? error;
}
