import type { Mailer } from '../../net/mail.ts';
import type { HttpClient } from '../../net/http-client.ts';
import type { Message, MessageContent } from '../message/content.ts';

/** A field of a channel's settings. A secret one is sealed, never shown, and kept when the mask is sent (`MASK`). */
export type ChannelField = (
  | {
      kind: 'text';
      maximum: number;
      pattern?: RegExp;
      /** `must be …` of the pattern. */ must?: string;
    }
  /** Absolute http or https; the scheme and a literal address are judged where it is written. */
  | { kind: 'url' }
  | { kind: 'choice'; choices: readonly [string, ...string[]] }
  | { kind: 'number'; minimum: number; maximum: number }
  | { kind: 'emails'; maximum: number }
) & {
  secret: boolean;
  optional?: true;
  /** One sentence for the reference and for forms. */
  description: string;
  example: string | number | string[];
};

export type ChannelFields = Record<string, ChannelField>;

type Value<Field extends ChannelField> = Field['kind'] extends 'number'
  ? number
  : Field['kind'] extends 'emails'
    ? string[]
    : string;

/** The settings that a channel's fields describe; an optional one that was not set is null. */
type SettingsOf<Fields extends ChannelFields> = {
  [Name in keyof Fields]: Fields[Name] extends { optional: true }
    ? Value<Fields[Name]> | null
    : Value<Fields[Name]>;
};

/** Settings as stored. */
export type ChannelSettings = Record<string, string | number | string[] | null>;

/** Clients and keys that are handed to a channel. */
export interface ChannelTools {
  /** Guarded: whatever address a user gives, it goes through here. */
  http: HttpClient;
  /** Null without SMTP_URL. */
  mailer: Mailer | null;
  /** The installation's own key pair for Web Push (RFC 8292), made when first asked for. */
  vapid(): Promise<{ publicKey: string; privateKey: string; subject: string }>;
  now(): number;
}

/** One message for one channel. */
export interface ChannelDelivery {
  /** Letters, digits, `_`, `-` and dots; the same however often it is sent. */
  id: string;
  /** Key of the alert, the same for its alarm, reminders and recovery; null for messages without an alert. */
  dedupKey: string | null;
  /**
   * The action of a provider that keeps incidents of its own: it opens or updates one, closes it, or only shows the
   * message.
   */
  action: 'trigger' | 'resolve' | 'inform';
  content: MessageContent;
  message: Message;
}

/** Reasons are sentences for people, without secrets. */
export type ChannelOutcome =
  | { outcome: 'delivered'; statusCode: number | null }
  /** A later attempt may succeed: no answer, 408, 429, 5xx. */
  | { outcome: 'failed'; reason: string; statusCode: number | null; retryAfterMs: number | null }
  /** The provider rejects this message for good, though it may accept others. */
  | { outcome: 'refused'; reason: string; statusCode: number | null }
  /** The address is gone for good: nothing is sent there any more. */
  | { outcome: 'gone'; reason: string; statusCode: number | null };

/** A way to notify people: one file, and one line in the registry. */
export interface ChannelType {
  /** Name in the API, such as `google_chat`. */
  type: string;
  /** Name for people, such as `Google Chat`. */
  title: string;
  /** Whether a team, a person, or both can have one. */
  scopes: readonly ('team' | 'person')[];
  /** Whether the provider keeps incidents, which then must be closed: recoveries are sent, even when late. */
  keepsIncidents: boolean;
  fields: ChannelFields;
  /** Ends within the time limit of a request (10 s, 60 s for mail) or soon after the signal. Never rejects. */
  send(
    settings: ChannelSettings,
    delivery: ChannelDelivery,
    tools: ChannelTools,
    signal: AbortSignal,
  ): Promise<ChannelOutcome>;
}

const ORDINARY = { scopes: ['team', 'person'], keepsIncidents: false } as const;

/** Gives `send` the types of its own fields. A team and a person can have a channel that does not say otherwise. */
export function defineChannel<const Fields extends ChannelFields>(
  channel: Pick<ChannelType, 'type' | 'title'> & {
    scopes?: ChannelType['scopes'];
    keepsIncidents?: boolean;
    fields: Fields;
    send(
      settings: SettingsOf<Fields>,
      delivery: ChannelDelivery,
      tools: ChannelTools,
      signal: AbortSignal,
    ): Promise<ChannelOutcome>;
  },
): ChannelType {
  // Stored settings were validated against these fields when they were written.
  return { ...ORDINARY, ...channel } as unknown as ChannelType;
}
