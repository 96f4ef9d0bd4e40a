import type { HttpResponse } from '../../net/http-client.ts';
import { cut, cutLines } from '../../lib/text.ts';
import type { Message } from '../message/content.ts';
import { jsonOf, classifyAnswer, objectOf, textOf, postJson, retryAfter } from './answer.ts';
import { defineChannel } from './contract.ts';
import { withoutMentions } from './markdown.ts';
import { linesBelowSubject, linksOf, symbolOf } from './message-parts.ts';

const API = 'https://api.telegram.org';
/** In characters. */
const LONGEST = { text: 4_096, subject: 500 };

/**
 * Refusals of a chat that removed or blocked the bot, or no longer exists. Others can be fixed, such as a chat that
 * nobody has started yet.
 */
const TURNED_AWAY = /blocked|kicked|deactivated|not a member|was deleted/i;

interface Where {
  chat: string;
  thread: number | null;
}

/**
 * Telegram, by a bot. By copies, read in November 2026, of https://core.telegram.org/bots/api#sendmessage. Answers are
 * JSON with `ok`, else with `error_code`, `description` and `parameters`: `retry_after` in seconds, `migrate_to_chat_id`
 * of a group that became a supergroup. What is from elsewhere: docs/channels.md.
 */
export const telegram = defineChannel({
  type: 'telegram',
  title: 'Telegram',
  fields: {
    bot_token: {
      kind: 'text',
      maximum: 100,
      pattern: /^\d{3,20}:[\w-]{20,70}$/,
      must: 'must be a token as BotFather gives it: digits, a colon, letters',
      secret: true,
      description: 'The token of a bot, which @BotFather gave you.',
      example: '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw',
    },
    chat_id: {
      kind: 'text',
      maximum: 40,
      pattern: /^(-?\d{1,20}|@[A-Za-z]\w{3,31})$/,
      must: 'must be the number of a chat, or the @name of a public group or channel',
      secret: false,
      description: 'The chat that the bot writes to. A person must have started the bot first.',
      example: '-1001234567890',
    },
    thread_id: {
      kind: 'number',
      minimum: 1,
      maximum: 2_147_483_647,
      secret: false,
      optional: true,
      description: 'The number of a topic, in a group that has topics.',
      example: 42,
    },
  },
  async send(settings, { message }, { http, now }, signal) {
    const { bot_token: token } = settings;
    const url = `${API}/bot${token}/sendMessage`;
    const post = (body: object): Promise<HttpResponse> => postJson(http, { url, body }, signal);
    let where: Where = { chat: settings.chat_id, thread: settings.thread_id };

    let answer = await post(textWithButtons(message, where));
    const chat = movedTo(answer);
    if (chat !== null) {
      where = { chat, thread: where.thread };
      answer = await post(textWithButtons(message, where));
    }
    // It takes no button to a name without a dot, such as localhost.
    if (isRefusedButton(answer)) answer = await post(textWithLinks(message, where));
    return classifyAnswer('Telegram', answer, readingOf(answer, now()), {
      now: now(),
      secrets: [token],
    });
  },
});

function readingOf(answer: HttpResponse, now: number): Parameters<typeof classifyAnswer>[2] {
  const said = jsonOf(answer);
  const words = textOf(said['description']);
  const status = answer.ok ? answer.status : null;
  const seconds = objectOf(said['parameters'])['retry_after'];
  const retryAfterMs = typeof seconds === 'number' ? retryAfter(String(seconds), now) : null;
  if (status === 401 || status === 404) {
    return { words, gone: 'No bot has this token any more: enter a new one.' };
  }
  if (status === 403 && TURNED_AWAY.test(words ?? '')) {
    return { words, gone: 'Let the bot into the chat again, then enable this channel.' };
  }
  return { words, retryAfterMs };
}

function movedTo(answer: HttpResponse): string | null {
  if (!answer.ok || answer.status !== 400) return null;
  const chat = objectOf(jsonOf(answer)['parameters'])['migrate_to_chat_id'];
  return typeof chat === 'number' || typeof chat === 'string' ? String(chat) : null;
}

function isRefusedButton(answer: HttpResponse): boolean {
  const words = textOf(jsonOf(answer)['description']);
  return answer.ok && answer.status === 400 && /button/i.test(words ?? '');
}

function textWithButtons(message: Message, where: Where): object {
  const buttons = linksOf(message).map(({ title, url }) => ({ text: title, url }));
  return {
    ...textOfMessage(message, [], where),
    ...(buttons.length > 0 && { reply_markup: { inline_keyboard: [buttons] } }),
  };
}

function textWithLinks(message: Message, where: Where): object {
  const links = linksOf(message).map(({ title, url }) => `${title}: ${url}`);
  return textOfMessage(message, links, where);
}

/** Without a parse mode nothing in a name is mark-up; what is bold is said by its place, in UTF-16 units. */
function textOfMessage(message: Message, links: string[], { chat, thread }: Where): object {
  const symbol = symbolOf(message);
  const subject = withoutMentions(cut(message.subject, LONGEST.subject));
  const head = `${symbol}${subject}`;
  const tail = links.length === 0 ? '' : `\n\n${links.join('\n')}`;
  const room = LONGEST.text - head.length - tail.length - 2;
  const lines = cutLines(linesBelowSubject(message), room, { write: withoutMentions });
  return {
    chat_id: chat,
    ...(thread !== null && { message_thread_id: thread }),
    text: `${`${head}\n\n${lines}`.trimEnd()}${tail}`,
    entities: [{ type: 'bold', offset: symbol.length, length: subject.length }],
    link_preview_options: { is_disabled: true },
  };
}
