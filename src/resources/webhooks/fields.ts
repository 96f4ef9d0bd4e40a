import { z } from 'zod';
import { flag, json, sealed } from '../../lib/columns.ts';
import { nameText, oneOf, yesOrNo } from '../../lib/schemas.ts';
import { MASK } from '../../lib/secret-box.ts';
import { SEVERITIES } from '../../model/condition.ts';
import { http } from '../../monitor-types/http.ts';
import {
  applyInput,
  fieldTable,
  secretNames,
  type FieldInput,
  type SettingsOf,
} from '../common/fields.ts';
import type { Findings } from '../common/input.ts';
import { urlError, type TargetRule } from '../monitors/target-url.ts';

const MAX_TOKEN_LENGTH = 4096;
const SECRET_LENGTH = { minLength: 16, maxLength: 255 };

/** All fields of a webhook endpoint (contract 29.5). */
export const WEBHOOK_FIELDS = fieldTable({
  name: {
    input: nameText(100),
    required: 'give the endpoint a name for lists',
    meaning: 'The name of the endpoint in lists.',
  },
  url: {
    codec: sealed,
    input: z
      .string({ error: 'must be text' })
      .meta({ override: { minLength: 1, maxLength: 2048 } }),
    required: 'events are sent there',
    meaning: 'The address that events are sent to: https, without credentials. Never shown again.',
    secret: true,
  },
  auth_type: {
    input: oneOf(['none', 'bearer', 'basic', 'header']),
    unset: 'none',
    meaning: 'How a delivery authenticates.',
  },
  auth_header_name: {
    input: headerName(),
    meaning: 'The header that holds `auth_token`, with `auth_type` header.',
  },
  auth_token: {
    codec: sealed,
    input: token(),
    meaning:
      'With bearer the token, with basic `user:password`, with header the value. Never shown again.',
    secret: true,
  },
  signing_secret: {
    codec: sealed,
    input: signingSecret(),
    meaning:
      'The secret that signs deliveries; null for no signatures. Never shown again. One that is replaced signs beside its successor for 24 hours.',
    secret: true,
  },
  severities: {
    codec: json,
    input: severities(),
    unset: [...SEVERITIES],
    meaning: 'The severities whose events are sent. All unless set.',
  },
  is_active: {
    codec: flag,
    input: yesOrNo(),
    unset: true,
    meaning: 'Whether events are sent.',
  },
});

export type WebhookSettings = SettingsOf<typeof WEBHOOK_FIELDS>;

/** The secrets as the audit log names them: a field `url` of its own is that of a monitor, which is none. */
export const AUDITED_WEBHOOK_SECRETS = secretNames(WEBHOOK_FIELDS).map((name) =>
  name === 'url' ? 'webhook_url' : name,
);

function token() {
  const error = `must be text of 1 to ${MAX_TOKEN_LENGTH} characters`;
  return z
    .string({ error })
    .min(1, { error })
    .max(MAX_TOKEN_LENGTH, { error })
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

function severities() {
  return z
    .array(oneOf(SEVERITIES), { error: `must be a list of any of ${SEVERITIES.join(', ')}` })
    .min(1, { error: `must name at least one of ${SEVERITIES.join(', ')}` })
    .refine((list) => new Set(list).size === list.length, {
      error: 'must not name a severity twice',
    })
    .meta({ override: { uniqueItems: true } });
}

/** A field name of RFC 9110, section 5.6.2. */
function headerName() {
  const error = 'must be a header name of 1 to 100 letters, digits and hyphens';
  return z
    .string({ error })
    .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, { error })
    .refine((name) => !isOwnHeader(name), {
      error: 'is set by the delivery itself: choose another, such as Authorization or X-Api-Key',
    });
}

/** Whether a delivery sets the header itself, or it describes how a message is framed. */
function isOwnHeader(name: string): boolean {
  return /^(host|user-agent|accept|accept-encoding|connection|expect|keep-alive|te|trailer|transfer-encoding|upgrade|content-.*|webhook-.*|x-webhook-.*)$/i.test(
    name,
  );
}

/** The installation's rules for the addresses of endpoints. */
export interface WebhookRules {
  targetRule: TargetRule;
  /** ALLOW_HTTP_WEBHOOKS. */
  allowHttpWebhooks: boolean;
}

/** The mistake in an address that we send to, as a predicate; null if there is none. */
export function webhookUrlFault(url: string, rules: WebhookRules): string | null {
  if (!/^https?:\/\//i.test(url) || URL.parse(url) === null)
    return `must be an absolute https ${rules.allowHttpWebhooks ? 'or http ' : ''}URL, such as https://example.com/hook`;
  const fault = urlError(http, url, rules.targetRule);
  if (fault !== null || rules.allowHttpWebhooks || /^https:/i.test(url)) return fault;
  return 'must begin with https://: only the operator can allow http, by ALLOW_HTTP_WEBHOOKS';
}

type Input = FieldInput<WebhookSettings>;
type Auth = Pick<WebhookSettings, 'auth_type' | 'auth_header_name' | 'auth_token'>;

const NO_AUTH: Auth = { auth_type: 'none', auth_header_name: null, auth_token: null };

/** The authentication after an input: `none` or null clears all of it, a type alone keeps the stored token. */
export function resolveAuth(stored: WebhookSettings | null, input: Input, findings: Findings) {
  if (input.auth_type === null || input.auth_type === 'none') return NO_AUTH;
  const { auth_type, auth_header_name, auth_token } = applyInput(WEBHOOK_FIELDS, stored, input);
  const auth = { auth_type, auth_header_name, auth_token };
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
function judgeHeaderName({ auth_type, auth_header_name }: Auth, input: Input, findings: Findings) {
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
