import { isDeepStrictEqual } from 'node:util';
import { http } from '../../monitor-types/http.ts';
import { z } from 'zod';
import { SEVERITIES, type Severity } from '../../model/condition.ts';
import { MASK } from '../../lib/secret-box.ts';
import { Findings, readBody } from '../common/input.ts';
import { nameText, oneOf, yesOrNo } from '../../lib/schemas.ts';
import { urlFault, type JudgeTarget } from '../monitors/target-url.ts';

export const WEBHOOK_AUTH_TYPES = ['none', 'bearer', 'basic', 'header'] as const;
export type WebhookAuthType = (typeof WEBHOOK_AUTH_TYPES)[number];

/** What people set of a webhook endpoint. A secret is `undefined` when no key of SECRET_KEY opens it any more. */
export interface WebhookSettings {
  name: string;
  url: string | undefined;
  auth_type: WebhookAuthType;
  auth_header_name: string | null;
  auth_token: string | null | undefined;
  signing_secret: string | null | undefined;
  severities: readonly Severity[];
  is_active: boolean;
}

/** What addresses are judged by. */
export interface WebhookRules {
  judgeTarget: JudgeTarget;
  /** ALLOW_HTTP_WEBHOOKS. */
  allowHttpWebhooks: boolean;
}

const SECRETS = ['url', 'auth_token', 'signing_secret'] as const;
const LONGEST_TOKEN = 4096;
const SECRET_LENGTH = { minLength: 16, maxLength: 255 };

/** What is sent to create an endpoint (contract 29.5); to change one every field may be left out. */
export const webhookInput = z.object({
  name: nameText(100),
  url: z.string({ error: 'must be text' }).meta({
    description: 'Where to: an https address without credentials. Never shown again.',
    override: { minLength: 1, maxLength: 2048 },
  }),
  auth_type: oneOf(WEBHOOK_AUTH_TYPES).nullish().meta({ description: 'none unless given.' }),
  auth_header_name: headerName().nullish().meta({
    description: 'Of the header that holds auth_token, with auth_type header.',
  }),
  auth_token: token().nullish().meta({
    description:
      'With bearer the token, with basic `user:password`, with header the value. Never shown again.',
  }),
  signing_secret: signingSecret().nullish().meta({
    description:
      'What deliveries are signed with; null for no signatures. Never shown again. One that is replaced signs beside its successor for 24 hours.',
  }),
  severities: z
    .array(oneOf(SEVERITIES), { error: `must be a list of any of ${SEVERITIES.join(', ')}` })
    .min(1, { error: `must name at least one of ${SEVERITIES.join(', ')}` })
    .refine((list) => new Set(list).size === list.length, {
      error: 'must not name a severity twice',
    })
    .nullish()
    .meta({
      description: 'Of the events that are sent. All unless given.',
      override: { uniqueItems: true },
    }),
  is_active: yesOrNo().nullish().meta({ description: 'true unless given.' }),
});

/** As it is read: what is required is looked for afterwards, so that all errors are told at once. */
export const webhookChange = webhookInput.extend({
  name: webhookInput.shape.name.nullish(),
  url: webhookInput.shape.url.nullish(),
});

type Input = z.output<typeof webhookChange>;
type Auth = Pick<WebhookSettings, 'auth_type' | 'auth_header_name' | 'auth_token'>;

const NO_AUTH: Auth = { auth_type: 'none', auth_header_name: null, auth_token: null };
const UNSET: WebhookSettings = {
  name: '',
  url: undefined,
  ...NO_AUTH,
  signing_secret: null,
  severities: SEVERITIES,
  is_active: true,
};

/**
 * The settings after a body, and the names of those that differ from the stored. Throws InvalidInput with everything
 * that is wrong.
 *
 * @param stored null for a new endpoint.
 */
export function planWebhook(
  stored: WebhookSettings | null,
  body: unknown,
  rules: WebhookRules,
): { settings: WebhookSettings; changed: (keyof WebhookSettings)[] } {
  const findings = new Findings();
  const input = readBody(webhookChange, body, findings) as Input;
  unmask(stored, input, findings);
  const settings = {
    name: after('name', stored, input),
    url: after('url', stored, input),
    ...resolveAuth(stored, input, findings),
    signing_secret: after('signing_secret', stored, input),
    severities: after('severities', stored, input),
    is_active: after('is_active', stored, input),
  };
  demand(stored, input, findings);
  if (typeof input.url === 'string' && !findings.has('url')) {
    const fault = webhookUrlFault(input.url, rules);
    if (fault !== null) findings.add('url', fault);
  }
  findings.throwIfAny();
  const names = Object.keys(settings) as (keyof WebhookSettings)[];
  return {
    settings,
    changed: names.filter((name) => !isDeepStrictEqual(settings[name], stored?.[name])),
  };
}

/** What is wrong with an address that we send to, as a predicate; null when nothing is. */
export function webhookUrlFault(url: string, rules: WebhookRules): string | null {
  if (!/^https?:\/\//i.test(url) || URL.parse(url) === null)
    return `must be an absolute https ${rules.allowHttpWebhooks ? 'or http ' : ''}URL, such as https://example.com/hook`;
  const fault = urlFault(http, url, rules.judgeTarget);
  if (fault !== null || rules.allowHttpWebhooks || /^https:/i.test(url)) return fault;
  return 'must begin with https://: only the operator can allow http, by ALLOW_HTTP_WEBHOOKS';
}

/** A field after an input: null stands for what it is unless given. */
function after<Name extends keyof WebhookSettings>(
  name: Name,
  stored: WebhookSettings | null,
  input: Input,
): WebhookSettings[Name] {
  const sent = input[name] as WebhookSettings[Name] | null | undefined;
  return sent === undefined ? (stored ?? UNSET)[name] : (sent ?? UNSET[name]);
}

/** Eight bullets, as forms show them, keep what is stored. */
function unmask(stored: WebhookSettings | null, input: Input, findings: Findings): void {
  for (const field of SECRETS) {
    if (input[field] !== MASK) continue;
    if (stored === null || stored[field] === null) {
      findings.add(
        field,
        'is a placeholder, and nothing is stored that it could stand for: send the value itself',
      );
    }
    delete input[field];
  }
}

function demand(stored: WebhookSettings | null, input: Input, findings: Findings): void {
  const isMissing = (field: 'name' | 'url') =>
    (stored === null ? (input[field] ?? null) : input[field]) === null && !findings.has(field);
  if (isMissing('name')) findings.add('name', 'is required: endpoints are told apart by it');
  if (isMissing('url')) findings.add('url', 'is required: events are sent there');
}

/** How a delivery signs in after an input: `none` or null clears all of it, a type alone keeps the stored token. */
function resolveAuth(stored: WebhookSettings | null, input: Input, findings: Findings): Auth {
  if (input.auth_type === null || input.auth_type === 'none') return NO_AUTH;
  const auth: Auth = {
    auth_type: after('auth_type', stored, input),
    auth_header_name: after('auth_header_name', stored, input),
    auth_token: after('auth_token', stored, input),
  };
  if (findings.has('auth_type')) return auth;
  if (auth.auth_type === 'none') return refuseLoose(input, findings);
  judgeToken(auth, input, findings);
  return { ...auth, auth_header_name: judgeHeaderName(auth, input, findings) };
}

/** Nothing could be made of them. */
function refuseLoose(input: Input, findings: Findings): Auth {
  const loose = (['auth_token', 'auth_header_name'] as const).filter(
    (field) => (input[field] ?? null) !== null,
  );
  if (loose.length > 0)
    findings.add('auth_type', `is required with ${loose.join(' and ')}: bearer, basic or header`);
  return NO_AUTH;
}

function judgeToken({ auth_type, auth_token }: Auth, input: Input, findings: Findings): void {
  if (findings.has('auth_token') || auth_token === undefined) return;
  const wasSent = (input.auth_token ?? null) !== null;
  if (auth_token === null) {
    const instead = 'to send none, send auth_type none';
    findings.add('auth_token', `is required with auth_type ${auth_type}: ${instead}`);
  } else if (auth_type === 'basic' && !auth_token.includes(':')) {
    if (wasSent) findings.add('auth_token', 'must be user:password with auth_type basic');
    else
      findings.add(
        'auth_type',
        "can't be basic while the auth_token has no colon: send auth_token user:password, too",
      );
  } else if (auth_type !== 'basic' && !/^[\x20-\x7e\xa0-\xff]*$/.test(auth_token)) {
    if (wasSent)
      findings.add('auth_token', `must hold only Latin-1 characters with auth_type ${auth_type}`);
    else
      findings.add(
        'auth_type',
        `can't be ${auth_type} while the auth_token holds other than Latin-1 characters: send another, too`,
      );
  }
}

/** @returns the name that is kept: null with any type but header. */
function judgeHeaderName(
  { auth_type, auth_header_name }: Auth,
  input: Input,
  findings: Findings,
): string | null {
  if (findings.has('auth_header_name')) return null;
  if (auth_type === 'header') {
    if (auth_header_name === null)
      findings.add('auth_header_name', 'is required with auth_type header');
    return auth_header_name;
  }
  if ((input.auth_header_name ?? null) !== null)
    findings.add('auth_header_name', 'is for auth_type header alone: leave it out, or send null');
  return null;
}

function token() {
  const error = `must be text of 1 to ${LONGEST_TOKEN} characters`;
  return z
    .string({ error })
    .min(1, { error })
    .max(LONGEST_TOKEN, { error })
    .refine((value) => !/\p{Cc}/u.test(value) && value.isWellFormed(), {
      error: 'must not hold control characters or half a character',
    });
}

function signingSecret() {
  const { minLength, maxLength } = SECRET_LENGTH;
  const error = `must be text of ${minLength} to ${maxLength} characters`;
  return z
    .string({ error })
    .refine((value) => value === MASK || isOfLength(value), { error })
    .refine((value) => value.isWellFormed(), { error: 'must not hold half a character' })
    .meta({ override: SECRET_LENGTH });
}

function isOfLength(value: string): boolean {
  const { minLength, maxLength } = SECRET_LENGTH;
  if (value.length > 2 * maxLength) return false;
  const { length } = [...value];
  return length >= minLength && length <= maxLength;
}

/** Headers that a delivery sets itself, or that say how a message is framed. */
const OWN_HEADERS =
  /^(host|user-agent|accept|accept-encoding|connection|expect|keep-alive|te|trailer|transfer-encoding|upgrade|content-.*|webhook-.*|x-webhook-.*)$/i;

/** A field name of RFC 9110, section 5.6.2. */
function headerName() {
  const error = 'must be a header name of 1 to 100 letters, digits and hyphens';
  return z
    .string({ error })
    .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, { error })
    .refine((name) => !OWN_HEADERS.test(name), {
      error: 'is set by the delivery itself: choose another, such as Authorization or X-Api-Key',
    });
}
