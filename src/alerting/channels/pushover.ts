import type { HttpResponse } from '../../net/http-client.ts';
import { cut, cutLines } from '../../lib/text.ts';
import type { Message } from '../message/content.ts';
import { classifyAnswer, jsonOf, sendRequest, retryAfter } from './answer.ts';
import { defineChannel, type ChannelDelivery } from './contract.ts';

const API = 'https://api.pushover.net/1';
/** In characters. */
const LONGEST = { message: 1_024, title: 250, url: 512 };
/** Pushover's bounds for the retry interval of an emergency, in seconds. */
const RETRY = { minimum: 30, maximum: 10_800 };
const EXPIRE_SECONDS = 3_600;
/** Pushover asks for this after an error of its own. */
const WAIT_AFTER_ERROR_MS = 5_000;
const LONGEST_WAIT_MS = 60 * 60_000;

/** 1 sounds in the quiet hours of the phone too. */
const PRIORITIES = { critical: 1, warning: 0, good: 0, neutral: 0 } as const;
const EMERGENCY = 2;

/**
 * Pushover: https://pushover.net/api, a copy of which was read in November 2026; emergencies are ended as in
 * https://pushover.net/api/receipts.
 */
export const pushover = defineChannel({
  type: 'pushover',
  title: 'Pushover',
  fields: {
    token: {
      kind: 'text',
      maximum: 30,
      pattern: /^[A-Za-z0-9]{30}$/,
      must: 'must be the 30 letters and digits of an application token',
      secret: true,
      description: 'The API token of an application that you registered with Pushover.',
      example: 'azGDORePK8gMaC0QOYAMyEEuzJnyUi',
    },
    user: {
      kind: 'text',
      maximum: 30,
      pattern: /^[A-Za-z0-9]{30}$/,
      must: 'must be the 30 letters and digits of a user or group key',
      secret: true,
      description: 'The user key or group key of the recipients.',
      example: 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG',
    },
    emergency_retry: {
      kind: 'number',
      ...RETRY,
      secret: false,
      optional: true,
      description:
        'Makes critical alarms emergencies, which sound again after this many seconds until somebody confirms them.',
      example: 60,
    },
    emergency_expire: {
      kind: 'number',
      ...RETRY,
      secret: false,
      optional: true,
      description: `After how many seconds an emergency falls silent; ${EXPIRE_SECONDS} when left out.`,
      example: 3_600,
    },
  },
  async send(settings, delivery, { http, now }, signal) {
    const { token, user } = settings;
    const post = (path: string, form: Record<string, string>) =>
      sendRequest(
        http,
        {
          url: `${API}${path}`,
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({ token, ...form }).toString(),
        },
        signal,
      );
    const form = { user, ...contentOf(delivery.message), ...urgencyOf(settings, delivery) };
    const answer = await post('/messages.json', form);
    const outcome = readOutcome(answer, now(), [token, user]);
    const tag = tagOf(delivery);
    // What is over sounds no longer. It falls silent by itself, too: nothing depends on the answer.
    const isOver = delivery.action === 'resolve' && outcome.outcome === 'delivered';
    if (isOver && tag !== null && settings.emergency_retry !== null)
      await post(`/receipts/cancel_by_tag/${tag}.json`, {});
    return outcome;
  },
});

function contentOf({ subject, lines, links }: Message): Record<string, string> {
  const link =
    links.acknowledge !== null
      ? { url: links.acknowledge, url_title: 'Acknowledge' }
      : links.details !== null
        ? { url: links.details, url_title: 'Details' }
        : null;
  return {
    title: cut(subject, LONGEST.title),
    // An empty message is refused.
    message: cutLines(lines.length === 0 ? [subject] : lines, LONGEST.message),
    ...(link !== null && link.url.length <= LONGEST.url && link),
  };
}

function urgencyOf(
  settings: { emergency_retry: number | null; emergency_expire: number | null },
  delivery: ChannelDelivery,
): Record<string, string> {
  const { emergency_retry: retry, emergency_expire: expire } = settings;
  const { tone } = delivery.message;
  if (retry === null || tone !== 'critical') return { priority: String(PRIORITIES[tone]) };
  const tag = tagOf(delivery);
  return {
    priority: String(EMERGENCY),
    retry: String(retry),
    expire: String(expire ?? EXPIRE_SECONDS),
    ...(tag !== null && { tags: tag }),
  };
}

/** The alert's tag, safe in a comma-separated list and in a path. */
function tagOf({ dedupKey }: ChannelDelivery): string | null {
  return dedupKey?.replace(/[^\w-]/g, '-') ?? null;
}

function readOutcome(answer: HttpResponse, now: number, secrets: readonly string[]) {
  const words = wordsOf(answer);
  const retryAfterMs = waitOf(answer, now);
  return classifyAnswer('Pushover', answer, { words, retryAfterMs }, { now, secrets });
}

/** Which parameters it does not take, in its own words. */
function wordsOf(answer: HttpResponse): string | null {
  const { errors } = jsonOf(answer);
  if (!Array.isArray(errors)) return null;
  return errors.filter((error) => typeof error === 'string').join(', ');
}

/**
 * Time to wait, in milliseconds. When the month's quota is used up, Pushover says when the next month begins (epoch
 * seconds).
 */
function waitOf(answer: HttpResponse, now: number): number | null {
  if (!answer.ok) return null;
  if (answer.status >= 500)
    return Math.max(WAIT_AFTER_ERROR_MS, retryAfter(answer.headers['retry-after'], now) ?? 0);
  const reset = Number(answer.headers['x-limit-app-reset']) * 1_000;
  return reset > now ? Math.min(LONGEST_WAIT_MS, reset - now) : null;
}
