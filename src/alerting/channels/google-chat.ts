import { cut, cutLines, cutWritten, escapeTags } from '../../lib/text.ts';
import type { Message } from '../message/content.ts';
import { jsonOf, classifyAnswer, objectOf, textOf, withQuery, postJson } from './answer.ts';
import { defineChannel } from './contract.ts';
import { linesBelowSubject, linksOf, symbolOf } from './message-parts.ts';

/** A message may have 32,000 bytes; these characters stay below it in any script. */
const LONGEST = { subject: 500, lines: 7_000, fallback: 500 };

/**
 * Google Chat, by a webhook of a space. By copies, read in November 2026, of
 * https://developers.google.com/workspace/chat/quickstart/webhooks,
 * https://developers.google.com/chat/api/reference/rest/v1/spaces.messages/create and
 * https://developers.google.com/workspace/chat/limits. Too many messages are a 429 without a time to wait; errors are JSON
 * with an `error`. What is from elsewhere: docs/channels.md.
 */
export const googleChat = defineChannel({
  type: 'google_chat',
  title: 'Google Chat',
  fields: {
    webhook_url: {
      kind: 'url',
      secret: true,
      description: 'The address of a webhook of a space.',
      example:
        'https://chat.googleapis.com/v1/spaces/AAAAbCdEfGh/messages?key=AIzaSyD0000000000&token=Zm9vYmFyYmF6cXV4',
    },
  },
  async send({ webhook_url: url }, { message, dedupKey }, { http, now }, signal) {
    const target = withQuery(url, {
      messageReplyOption: 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD',
    });
    const thread = dedupKey === null ? {} : { thread: { threadKey: dedupKey } };
    const rich = await postJson(
      http,
      { url: target, body: { ...cardOf(message), ...thread } },
      signal,
    );
    const error = objectOf(jsonOf(rich)['error']);
    // Whatever it did not like about the card, the alarm is worth a plain line.
    const isRefused = rich.ok && rich.status === 400 && error['status'] === 'INVALID_ARGUMENT';
    const answer = isRefused
      ? await postJson(http, { url: target, body: { ...textOnly(message), ...thread } }, signal)
      : rich;
    const { message: words, status } = objectOf(jsonOf(answer)['error']);
    const gone =
      status === 'NOT_FOUND' ? 'Make a new webhook in the space, and enter its address.' : null;
    const reading = { words: textOf(words), gone };
    return classifyAnswer('Google Chat', answer, reading, { now: now(), secrets: [url] });
  },
});

function cardOf(message: Message): object {
  const subject = cutWritten(message.subject, LONGEST.subject, escapeTags);
  const lines = cutLines(linesBelowSubject(message), LONGEST.lines, { write: escapeTags });
  const text = `${symbolOf(message)}<b>${subject}</b>\n\n${lines}`.trimEnd();
  const buttons = linksOf(message).map(({ title, url }) => ({
    text: title,
    onClick: { openLink: { url } },
  }));
  const widgets = [
    { textParagraph: { text } },
    ...(buttons.length === 0 ? [] : [{ buttonList: { buttons } }]),
  ];
  return {
    fallbackText: withoutTags(cut(message.short, LONGEST.fallback)),
    cardsV2: [{ cardId: 'tocsin', card: { sections: [{ widgets }] } }],
  };
}

function textOnly(message: Message): object {
  const lines = [`${symbolOf(message)}${message.subject}`, ...linesBelowSubject(message)];
  const links = linksOf(message).map(({ title, url }) => `${title}: ${url}`);
  return { text: [cutLines(lines, 4_000, { write: withoutTags }), ...links].join('\n') };
}

/** In texts outside of cards `<users/all>` is a mention, and nothing escapes it: a space keeps it from being one. */
function withoutTags(text: string): string {
  return text.replaceAll('<', '< ');
}
