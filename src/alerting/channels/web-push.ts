import { createHash } from 'node:crypto';
import { cutBytes } from '../../lib/text.ts';
import type { Message } from '../message/content.ts';
import { classifyAnswer, meaningOf, sendRequest } from './answer.ts';
import {
  defineChannel,
  type ChannelDelivery,
  type ChannelOutcome,
  type ChannelTools,
} from './contract.ts';

/** Time for which a push service keeps a message for an offline browser: as long as we would retry it. */
const TIME_TO_LIVE_S = 24 * 60 * 60;
/** In bytes: services must take 4,096, of which the encryption uses 103 (RFC 8291, section 4). */
const LONGEST_PAYLOAD = 3_993;
const LONGEST_TITLE = 300;
const LONGEST_BODY = 1_200;

/** RFC 8030, section 5.3: a phone with little battery takes `high` at once, the others when it wakes up. */
const URGENCIES = { critical: 'high', warning: 'high', good: 'normal', neutral: 'normal' } as const;

const OTHER_KEY =
  'the subscription belongs to another key: turn it off and on again in that browser';
const MEANINGS = {
  400: 'it does not take the subscription: turn it off and on again in that browser',
  401: OTHER_KEY,
  403: OTHER_KEY,
  404: 'the browser has unsubscribed',
  410: 'the browser has unsubscribed',
  413: 'the message is too long for it',
};

/**
 * Web Push, to a browser in which somebody pressed "Notify me in this browser": RFC 8030 (delivery), RFC 8291
 * (encryption) and RFC 8292 (the installation's key). The settings are what `PushSubscription.toJSON()` says
 * (https://www.w3.org/TR/push-api/, read in November 2026).
 */
export const webPush = defineChannel({
  type: 'web_push',
  title: 'Web Push',
  scopes: ['person'],
  fields: {
    endpoint: {
      kind: 'url',
      secret: true,
      description: "The address of the browser's push service: `endpoint` of its subscription.",
      example: 'https://push.example.com/send/dGhpcyBpcyBub3QgcmVhbA',
    },
    p256dh: {
      kind: 'text',
      maximum: 88,
      pattern: /^[A-Za-z0-9_-]{87}=?$/,
      must: 'must be 65 bytes in base64url',
      secret: false,
      description: "The browser's public key: `keys.p256dh` of its subscription.",
      example:
        'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    },
    auth: {
      kind: 'text',
      maximum: 24,
      pattern: /^[A-Za-z0-9_-]{22}={0,2}$/,
      must: 'must be 16 bytes in base64url',
      secret: true,
      description: 'The secret of the subscription: its `keys.auth`.',
      example: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
  },
  async send(settings, delivery, tools, signal) {
    const sealed = await sealedRequest(settings, delivery, tools);
    if ('outcome' in sealed) return sealed;
    const answer = await sendRequest(tools.http, { url: settings.endpoint, ...sealed }, signal);
    const words = meaningOf(answer, MEANINGS);
    const outcome = classifyAnswer(
      'The push service',
      answer,
      { words },
      { now: tools.now(), secrets: [] },
    );
    // RFC 8030, section 7.3: the subscription is no more.
    if (outcome.outcome === 'refused' && outcome.statusCode === 404)
      return { ...outcome, outcome: 'gone' };
    return outcome;
  },
});

interface Subscription {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** The encrypted and signed request, or why there can't be one. */
async function sealedRequest(
  { endpoint, p256dh, auth }: Subscription,
  { dedupKey, message }: ChannelDelivery,
  tools: Pick<ChannelTools, 'vapid'>,
): Promise<{ headers: Record<string, string>; body: Buffer } | ChannelOutcome> {
  let vapidDetails;
  try {
    vapidDetails = await tools.vapid();
  } catch (error) {
    const reason = `The key pair of Web Push can't be read: ${(error as Error).message}`;
    return { outcome: 'failed', reason, statusCode: null, retryAfterMs: null };
  }
  try {
    // Of nobody who has no browser: loaded when first needed.
    const { default: webPushLibrary } = await import('web-push');
    const { headers, body } = webPushLibrary.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      payloadOf(message, dedupKey),
      {
        vapidDetails,
        TTL: TIME_TO_LIVE_S,
        urgency: URGENCIES[message.tone],
        contentEncoding: 'aes128gcm',
        ...(dedupKey !== null && { topic: topicOf(dedupKey) }),
      },
    );
    const texts = Object.entries(headers ?? {})
      .filter(([name]) => name !== 'Content-Length')
      .map(([name, value]) => [name, String(value)]);
    return { headers: Object.fromEntries(texts), body: body as unknown as Buffer };
  } catch {
    return {
      outcome: 'refused',
      reason:
        'The keys of the subscription are not valid: turn it off and on again in that browser.',
      statusCode: null,
    };
  }
}

/**
 * The topic of a message. A push service keeps only the newest of the waiting messages with one topic (RFC 8030,
 * section 5.4).
 */
function topicOf(dedupKey: string): string {
  return createHash('sha256').update(dedupKey).digest('base64url').slice(0, 32);
}

/** The payload that the service worker shows (api/pages/browser/service-worker.js). */
function payloadOf({ subject, lines, links, tone }: Message, dedupKey: string | null): string {
  const payload = (body: string) =>
    JSON.stringify({
      title: cutBytes(subject, LONGEST_TITLE),
      body,
      tone,
      tag: dedupKey,
      details: links.details,
      acknowledge: links.acknowledge,
    });
  // A character of the text may take two in JSON.
  const room = Math.floor((LONGEST_PAYLOAD - Buffer.byteLength(payload(''))) / 2);
  return payload(cutBytes(lines.join('\n'), Math.min(LONGEST_BODY, Math.max(0, room))));
}
