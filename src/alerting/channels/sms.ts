import type { HttpResponse } from '../../net/http-client.ts';
import type { Message } from '../message/content.ts';
import { jsonOf, classifyAnswer, textOf, sendRequest } from './answer.ts';
import {
  defineChannel,
  type ChannelOutcome,
  type ChannelSettings,
  type ChannelTools,
} from './contract.ts';

const TWILIO = 'https://api.twilio.com';
/** In characters: about two messages for who pays for them. */
const LONGEST_WITH_LINK = 320;
const TOO_MANY_REQUESTS = 20_429;

/** Errors of Twilio's dictionary that somebody can do something about. */
const MEANINGS: Record<number, string> = {
  20003: 'the account and its token do not fit together',
  21211: 'the recipient is no valid phone number',
  21212: 'the sender is no valid phone number',
  21408: 'the account may not send to the country of the recipient',
  21606: 'the sender does not belong to the account, or can send no messages',
  21608: 'a trial account may only send to numbers that were verified there',
  21610: 'the recipient answered STOP: only an answer of START allows messages again',
  21614: 'the recipient can receive no text messages',
};

/**
 * Text messages through Twilio, or any service with its API: https://www.twilio.com/docs/messaging/api/message-resource
 * and https://www.twilio.com/docs/usage/twilios-response (July 2026), errors by https://www.twilio.com/docs/api/errors.
 * It takes no key against repeats: a message whose answer was lost is sent again.
 */
export const sms = defineChannel({
  type: 'sms',
  title: 'SMS',
  fields: {
    to: {
      kind: 'text',
      maximum: 16,
      pattern: /^\+[1-9]\d{6,14}$/,
      must: 'must be a phone number such as +15558675310',
      secret: false,
      description: 'The phone number that is notified, with its country code (E.164).',
      example: '+15558675310',
    },
    from: {
      kind: 'text',
      maximum: 34,
      pattern: /^(?:\+[1-9]\d{6,14}|\d{3,8}|MG[0-9a-fA-F]{32}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$/,
      must: 'must be a phone number, a short code, a sender name of at most 11 letters and digits, or the SID of a messaging service',
      secret: false,
      description:
        'Who sends: a phone number of the account, a short code, a sender name, or the SID of a messaging service (MG…).',
      example: '+15017122661',
    },
    account_sid: {
      kind: 'text',
      maximum: 64,
      pattern: /^[A-Za-z0-9_-]{1,64}$/,
      must: 'must be an account SID, of letters, digits, hyphens and underscores',
      secret: false,
      description: 'The SID of the account (AC…).',
      example: 'AC0123456789abcdef0123456789abcdef',
    },
    auth_token: {
      kind: 'text',
      maximum: 255,
      pattern: /^[\x21-\x7e]+$/,
      must: 'must be a token, without spaces',
      secret: true,
      description: 'The auth token of the account, or the secret of the API key.',
      example: '0123456789abcdef0123456789abcdef',
    },
    api_key_sid: {
      kind: 'text',
      maximum: 64,
      pattern: /^[A-Za-z0-9_-]{1,64}$/,
      must: 'must be the SID of an API key, of letters, digits, hyphens and underscores',
      secret: false,
      optional: true,
      description: 'The SID of an API key (SK…), where one is used instead of the auth token.',
      example: 'SK0123456789abcdef0123456789abcdef',
    },
    api_url: {
      kind: 'url',
      secret: false,
      optional: true,
      description: `Another service with Twilio's API; ${TWILIO} when left out.`,
      example: 'https://api.twilio.com',
    },
  },
  send: async (settings, { message }, tools, signal) =>
    (await sendText(settings, wordingOf(message), tools, signal)).outcome,
});

/** Errors that concern the number and not the account that sends to it. */
const OF_RECIPIENT: ReadonlySet<unknown> = new Set([21_211, 21_610, 21_614]);
/** The recipient answered STOP. */
const STOPPED = 21_610;

/**
 * Sends a text to a subscriber of a status page. A number that answered STOP is gone; what is refused for other reasons than
 * the number may work later, once the team has put its account in order.
 *
 * @param settings of a channel of the team
 */
export async function sendTextTo(
  to: string,
  text: string,
  settings: ChannelSettings,
  tools: Pick<ChannelTools, 'http' | 'now'>,
  signal: AbortSignal,
): Promise<ChannelOutcome> {
  const { outcome, code } = await sendText(
    { ...(settings as unknown as SmsSettings), to },
    text,
    tools,
    signal,
  );
  if (outcome.outcome !== 'refused') return outcome;
  if (code === STOPPED) return { ...outcome, outcome: 'gone' };
  return OF_RECIPIENT.has(code) ? outcome : { ...outcome, outcome: 'failed', retryAfterMs: null };
}

interface Said {
  outcome: ChannelOutcome;
  /** Of an error, by Twilio's dictionary. */
  code: unknown;
}

interface SmsSettings {
  to: string;
  from: string;
  account_sid: string;
  auth_token: string;
  api_key_sid: string | null;
  api_url: string | null;
}

async function sendText(
  settings: SmsSettings,
  text: string,
  { http, now }: Pick<ChannelTools, 'http' | 'now'>,
  signal: AbortSignal,
): Promise<Said> {
  const { to, from, account_sid: account, auth_token: token, api_key_sid: key } = settings;
  const answer = await sendRequest(
    http,
    {
      url: messagesUrl(settings.api_url ?? TWILIO, account),
      headers: {
        Authorization: `Basic ${Buffer.from(`${key ?? account}:${token}`).toString('base64')}`,
        'Content-Type': 'application/x-www-form-urlencoded',
        Accept: 'application/json',
      },
      body: new URLSearchParams({
        To: to,
        [from.startsWith('MG') && from.length === 34 ? 'MessagingServiceSid' : 'From']: from,
        Body: plainSigns(text),
      }).toString(),
    },
    signal,
  );
  return readOutcome(answer, now(), [to, token, account]);
}

function messagesUrl(api: string, account: string): string {
  const { origin, pathname } = new URL(api);
  const base = `${origin}${pathname.replace(/\/+$/, '')}`;
  return `${base}/2010-04-01/Accounts/${account}/Messages.json`;
}

function wordingOf({ short, links }: Message): string {
  const withLink = links.acknowledge === null ? short : `${short} ${links.acknowledge}`;
  return plainSigns(withLink).length <= LONGEST_WITH_LINK ? withLink : short;
}

/** One sign beyond the alphabet of text messages (3GPP TS 23.038) more than halves what fits into one. */
const SIGNS: Record<string, string> = {
  '…': '...',
  '−': '-',
  '–': '-',
  '’': "'",
  '“': '"',
  '”': '"',
};

/** Ours and the common ones; names in other scripts stay as they are. */
function plainSigns(text: string): string {
  return text.replace(/[…−–’“”]/g, (sign) => SIGNS[sign]!);
}

function readOutcome(answer: HttpResponse, now: number, secrets: readonly string[]): Said {
  const { code, message } = jsonOf(answer);
  const words = (typeof code === 'number' ? MEANINGS[code] : undefined) ?? textOf(message);
  const outcome = classifyAnswer('The SMS service', answer, { words }, { now, secrets });
  if (outcome.outcome === 'refused' && code === TOO_MANY_REQUESTS)
    return { outcome: { ...outcome, outcome: 'failed', retryAfterMs: null }, code };
  return { outcome, code };
}
