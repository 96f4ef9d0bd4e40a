import { SLACK_LONGEST, slackMessage } from '../../lib/chat-messages.ts';
import { cutLines, escapeTags } from '../../lib/text.ts';
import type { Message } from '../message/content.ts';
import { bodyOf, classifyAnswer, postJson } from './answer.ts';
import { defineChannel } from './contract.ts';
import { linesBelowSubject, linksOf, symbolOf } from './message-parts.ts';

/** The form of Slack's error codes. */
const ERROR_WORD = /^[a-z_]{1,60}$/;

/** Errors after which no message will ever arrive. */
const GONE: ReadonlySet<string> = new Set([
  'no_service',
  'no_team',
  'channel_not_found',
  'channel_is_archived',
  'user_not_found',
]);

/** Whether the answer of an incoming webhook says that no message will ever arrive there. */
export const isGoneFromSlack = (answer: string) => GONE.has(answer.trim());

/**
 * Slack, by an incoming webhook. By copies, read in November 2026, of
 * https://docs.slack.dev/tools/python-slack-sdk/webhook, https://docs.slack.dev/reference/block-kit/blocks/header-block
 * and, for errors, https://api.slack.com/changelog/2016-05-17-changes-to-errors-for-incoming-webhooks. Success is `ok`,
 * errors are a word as plain text, and 429 comes with `Retry-After`. What is from elsewhere: docs/channels.md.
 */
export const slack = defineChannel({
  type: 'slack',
  title: 'Slack',
  fields: {
    webhook_url: {
      kind: 'url',
      secret: true,
      description: 'The address of an incoming webhook of a Slack app.',
      example: 'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX',
    },
  },
  async send({ webhook_url: url }, { message }, { http, now }, signal) {
    const rich = await postJson(http, { url, body: blocksOf(message) }, signal);
    // Whatever it did not like about the blocks, the alarm is worth a plain line.
    const isRefused = rich.ok && rich.status === 400 && bodyOf(rich).startsWith('invalid_');
    const answer = isRefused ? await postJson(http, { url, body: plainOf(message) }, signal) : rich;
    const said = bodyOf(answer).trim();
    // Of any other server that somebody's address leads to, nothing is repeated.
    const words = ERROR_WORD.test(said) ? said : null;
    const gone = isGoneFromSlack(said)
      ? 'Make a new webhook in Slack, and enter its address.'
      : null;
    return classifyAnswer('Slack', answer, { words, gone }, { now: now(), secrets: [url] });
  },
});

function blocksOf(message: Message): object {
  return slackMessage({
    headline: `${symbolOf(message)}${message.subject}`,
    text: cutLines(linesBelowSubject(message), SLACK_LONGEST.section),
    links: linksOf(message),
  });
}

function plainOf(message: Message): object {
  const links = linksOf(message).map(({ title, url }) => `<${url}|${title}>`);
  const room = SLACK_LONGEST.text - links.join(' ').length - 1;
  const lines = [`${symbolOf(message)}${message.subject}`, ...linesBelowSubject(message)];
  const text = [cutLines(lines, room, { write: escapeTags }), links.join(' ')].join('\n').trim();
  return { text, unfurl_links: false, unfurl_media: false };
}
