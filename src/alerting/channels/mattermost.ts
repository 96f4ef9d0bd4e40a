import { cut, cutLines, cutWritten } from '../../lib/text.ts';
import type { Message } from '../message/content.ts';
import { jsonOf, classifyAnswer, textOf, postJson } from './answer.ts';
import { defineChannel } from './contract.ts';
import { mattermostText, withoutMentions } from './markdown.ts';
import { colourOf, linesBelowSubject, linksOf, symbolOf } from './message-parts.ts';

/**
 * In characters. A post takes 16,383 and splits what is longer. Its attachments are kept as a property of the post, of
 * which older servers take 8,000 in all.
 */
const LONGEST = { subject: 1_000, text: 6_000, fallback: 500 };

/**
 * Mattermost, by an incoming webhook. By copies, read in November 2026, of
 * https://developers.mattermost.com/integrate/webhooks/incoming and
 * https://developers.mattermost.com/integrate/reference/message-attachments. Success is `ok`, errors are JSON with `id` and
 * `message`; a webhook that is no more is a 400. What is from elsewhere: docs/channels.md.
 */
export const mattermost = defineChannel({
  type: 'mattermost',
  title: 'Mattermost',
  fields: {
    webhook_url: {
      kind: 'url',
      secret: true,
      description: 'The address of an incoming webhook of your Mattermost server.',
      example: 'https://mattermost.example.com/hooks/9zxn5ymqzty6jrc6kjqd8xk4mh',
    },
  },
  async send({ webhook_url: url }, { message }, { http, now }, signal) {
    const answer = await postJson(http, { url, body: postOf(message) }, signal);
    const said = jsonOf(answer);
    const reading = {
      words: textOf(said['message']),
      gone:
        said['id'] === 'web.incoming_webhook.invalid.app_error'
          ? 'Make a new incoming webhook in Mattermost, and enter its address.'
          : null,
    };
    return classifyAnswer('Mattermost', answer, reading, { now: now(), secrets: [url] });
  },
});

function postOf(message: Message): object {
  const subject = cutWritten(message.subject, LONGEST.subject, mattermostText);
  // Its buttons call back to a server; a link is a link.
  const links = linksOf(message)
    .map(({ title, url }) => `[${title}](${url})`)
    .join(' · ');
  const lines = cutLines(linesBelowSubject(message), LONGEST.text, { write: mattermostText });
  const text = `${lines}\n\n${links}`.trim();
  const attachment = {
    fallback: withoutMentions(cut(message.short, LONGEST.fallback)),
    color: colourOf(message),
    text,
  };
  return {
    text: `${symbolOf(message)}**${subject}**`,
    ...(text !== '' && { attachments: [attachment] }),
  };
}
