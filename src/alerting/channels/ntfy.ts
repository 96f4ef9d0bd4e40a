import { cut, cutBytes } from '../../lib/text.ts';
import type { Message } from '../message/content.ts';
import { classifyAnswer, meaningOf, postJson } from './answer.ts';
import { defineChannel } from './contract.ts';

const PUBLIC_SERVER = 'https://ntfy.sh';
/** In bytes: ntfy makes a file of what is longer. */
const LONGEST_MESSAGE = 4_096;
const LONGEST_TITLE = 250;

/** 5 rings until somebody looks, 4 rings once more loudly than 3, the default. */
const PRIORITIES = { critical: 5, warning: 4, good: 3, neutral: 3 } as const;
/** ntfy shows these names as symbols before the title. */
const TAGS = {
  critical: 'rotating_light',
  warning: 'warning',
  good: 'white_check_mark',
  neutral: 'information_source',
} as const;

const MEANINGS = {
  401: 'the token is not valid',
  403: 'the topic is protected, and this token may not write to it',
  404: 'there is no ntfy server at this address',
};

/**
 * ntfy, its public server or one's own: JSON to the root of the server, as in
 * https://docs.ntfy.sh/publish/#publish-as-json, read in November 2026 (limits: #limitations).
 */
export const ntfy = defineChannel({
  type: 'ntfy',
  title: 'ntfy',
  fields: {
    server_url: {
      kind: 'url',
      secret: false,
      optional: true,
      description: `The ntfy server; ${PUBLIC_SERVER} when left out.`,
      example: 'https://ntfy.example.com',
    },
    topic: {
      kind: 'text',
      maximum: 64,
      pattern: /^[A-Za-z0-9_-]{1,64}$/,
      must: 'must be 1 to 64 letters, digits, hyphens and underscores',
      secret: true,
      description: 'A name that nobody guesses, since anyone who knows it can read along.',
      example: 'tocsin-x7Qm2Lr9',
    },
    token: {
      kind: 'text',
      maximum: 255,
      pattern: /^[\x21-\x7e]+$/,
      must: 'must be an access token, without spaces',
      secret: true,
      optional: true,
      description: 'An access token, where the topic is protected.',
      example: 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2',
    },
  },
  async send(settings, { message }, { http, now }, signal) {
    const answer = await postJson(
      http,
      {
        url: settings.server_url ?? PUBLIC_SERVER,
        headers: settings.token === null ? {} : { Authorization: `Bearer ${settings.token}` },
        body: { topic: settings.topic, ...contentOf(message) },
      },
      signal,
    );
    const words = meaningOf(answer, MEANINGS);
    return classifyAnswer('ntfy', answer, { words }, { now: now(), secrets: [] });
  },
});

function contentOf({ subject, lines, tone, links }: Message): object {
  return {
    title: cut(subject, LONGEST_TITLE),
    message: cutBytes(lines.join('\n'), LONGEST_MESSAGE),
    priority: PRIORITIES[tone],
    tags: [TAGS[tone]],
    ...(links.details !== null && { click: links.details }),
    ...(links.acknowledge !== null && {
      actions: [{ action: 'view', label: 'Acknowledge', url: links.acknowledge }],
    }),
  };
}
