import { cut, cutLines } from '../../lib/text.ts';
import type { Message } from '../message/content.ts';
import { classifyAnswer, meaningOf, postJson } from './answer.ts';
import { defineChannel } from './contract.ts';
import { linksOf } from './message-parts.ts';

/** Gotify documents no bounds; these keep a message readable. */
const LONGEST_TITLE = 250;
const LONGEST_LINES = 8_000;

/** From 8 on its app vibrates and pops up; from 4 on it makes a sound. */
const PRIORITIES = { critical: 9, warning: 6, good: 5, neutral: 5 } as const;

const MEANINGS = {
  401: 'the application token is not valid',
  403: 'this token may not send messages: take that of an application',
  404: 'there is no Gotify server at this address',
};

/**
 * Gotify, on one's own server: a message (https://gotify.net/docs/pushmsg) with extras as in
 * https://gotify.net/docs/msgextras, a copy of which was read in November 2026.
 */
export const gotify = defineChannel({
  type: 'gotify',
  title: 'Gotify',
  fields: {
    server_url: {
      kind: 'url',
      secret: false,
      description: 'The Gotify server, with the path below which it runs.',
      example: 'https://gotify.example.com',
    },
    token: {
      kind: 'text',
      maximum: 255,
      pattern: /^[\x21-\x7e]+$/,
      must: 'must be an application token, without spaces',
      secret: true,
      description: 'The token of an application there, not that of a client.',
      example: 'AKsjdf83hfVbx2P',
    },
  },
  async send({ server_url: server, token }, { message }, { http, now }, signal) {
    const answer = await postJson(
      http,
      { url: messageUrl(server), headers: { 'X-Gotify-Key': token }, body: contentOf(message) },
      signal,
    );
    const words = meaningOf(answer, MEANINGS);
    return classifyAnswer('Gotify', answer, { words }, { now: now(), secrets: [] });
  },
});

function messageUrl(server: string): string {
  const { origin, pathname } = new URL(server);
  return `${origin}${pathname.replace(/\/+$/, '')}/message`;
}

function contentOf(message: Message): object {
  const { subject, lines, tone, links } = message;
  // A press on the notification opens the details on a phone only: its web page knows nothing of that.
  const addresses = linksOf(message).map(({ title, url }) => `${title}: ${url}`);
  return {
    title: cut(subject, LONGEST_TITLE),
    message: [cutLines(lines, LONGEST_LINES), ...addresses].join('\n\n'),
    priority: PRIORITIES[tone],
    extras: {
      'client::display': { contentType: 'text/plain' },
      ...(links.details !== null && {
        'client::notification': { click: { url: links.details } },
      }),
    },
  };
}
