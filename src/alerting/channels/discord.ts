import { cutLines, cutWritten } from '../../lib/text.ts';
import type { Message } from '../message/content.ts';
import { jsonOf, classifyAnswer, textOf, withQuery, postJson, retryAfter } from './answer.ts';
import { defineChannel } from './contract.ts';
import { discordText } from './markdown.ts';
import { colourOf, linesBelowSubject, linksOf, symbolOf } from './message-parts.ts';

/** In characters; all of an embed may have 6,000. */
const LONGEST = { content: 2_000, description: 4_096 };

/** Unknown channel, unknown webhook, invalid webhook token. */
const GONE = new Set([10_003, 10_015, 50_027]);

/**
 * Discord, by a webhook of a channel. By a copy, read in November 2026, of
 * https://docs.discord.com/developers/resources/webhook#execute-webhook. With `wait` it answers 200 once the message is
 * kept, else 204; errors are JSON with a `code`, and 429 has `retry_after` in seconds with a fraction. What is from
 * elsewhere: docs/channels.md.
 */
export const discord = defineChannel({
  type: 'discord',
  title: 'Discord',
  fields: {
    webhook_url: {
      kind: 'url',
      secret: true,
      description:
        'The address of a webhook of a channel; `?thread_id=` at its end sends to a thread of the channel.',
      example:
        'https://discord.com/api/webhooks/223704706495545344/3d89bb7572e0fb30d8128367b3b1b44f',
    },
  },
  async send({ webhook_url: url }, { message, content }, { http, now }, signal) {
    const request = { url: withQuery(url, { wait: 'true' }), body: contentOf(message, content.at) };
    const answer = await postJson(http, request, signal);
    const said = jsonOf(answer);
    const seconds = said['retry_after'];
    const reading = {
      words: textOf(said['message']),
      gone: GONE.has(Number(said['code']))
        ? 'Make a new webhook in Discord, and enter its address.'
        : null,
      retryAfterMs: typeof seconds === 'number' ? retryAfter(String(seconds), now()) : null,
    };
    return classifyAnswer('Discord', answer, reading, { now: now(), secrets: [url] });
  },
});

function contentOf(message: Message, at: number): object {
  const headline = cutWritten(message.subject, LONGEST.content - 10, discordText);
  // A button would need a webhook that an application owns.
  const links = linksOf(message)
    .map(({ title, url }) => `[${title}](${url})`)
    .join(' · ');
  const lines = cutLines(linesBelowSubject(message), LONGEST.description - links.length - 2, {
    write: discordText,
  });
  const description = `${lines}\n\n${links}`.trim();
  const embed = {
    description,
    color: Number.parseInt(colourOf(message).slice(1), 16),
    timestamp: new Date(at).toISOString(),
  };
  return {
    content: `${symbolOf(message)}**${headline}**`,
    ...(description !== '' && { embeds: [embed] }),
    allowed_mentions: { parse: [] },
  };
}
