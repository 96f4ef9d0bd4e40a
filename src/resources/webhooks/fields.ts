import { z } from 'zod';
import { flag, json, plain, sealed } from '../../lib/columns.ts';
import { nameText, oneOf, yesOrNo } from '../../lib/schemas.ts';
import { MASK } from '../../lib/secret-box.ts';
import { SEVERITIES, type Severity } from '../../model/condition.ts';
import { secretNames, type Fields } from '../common/fields.ts';

export const WEBHOOK_AUTH_TYPES = ['none', 'bearer', 'basic', 'header'] as const;
export type WebhookAuthType = (typeof WEBHOOK_AUTH_TYPES)[number];

const MAX_TOKEN_LENGTH = 4096;
const SECRET_LENGTH = { minLength: 16, maxLength: 255 };

/** Settings of a webhook endpoint. A secret is `undefined` when no key of SECRET_KEY opens it. */
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

/** All fields of a webhook endpoint (contract 29.5). */
export const WEBHOOK_FIELDS: Fields<WebhookSettings> = {
  name: {
    codec: plain,
    input: nameText(100),
    output: z.string(),
    required: 'give the endpoint a name for lists',
    meaning: 'The name of the endpoint in lists.',
  },
  url: {
    codec: sealed,
    input: z
      .string({ error: 'must be text' })
      .meta({ override: { minLength: 1, maxLength: 2048 } }),
    output: z.string(),
    required: 'events are sent there',
    meaning: 'The address that events are sent to: https, without credentials. Never shown again.',
    secret: true,
  },
  auth_type: {
    codec: plain,
    input: oneOf(WEBHOOK_AUTH_TYPES),
    output: z.enum(WEBHOOK_AUTH_TYPES),
    unset: 'none',
    meaning: 'How a delivery authenticates.',
  },
  auth_header_name: {
    codec: plain,
    input: headerName(),
    output: z.string(),
    meaning: 'The header that holds `auth_token`, with `auth_type` header.',
  },
  auth_token: {
    codec: sealed,
    input: token(),
    output: z.string(),
    meaning:
      'With bearer the token, with basic `user:password`, with header the value. Never shown again.',
    secret: true,
  },
  signing_secret: {
    codec: sealed,
    input: signingSecret(),
    output: z.string(),
    meaning:
      'The secret that signs deliveries; null for no signatures. Never shown again. One that is replaced signs beside its successor for 24 hours.',
    secret: true,
  },
  severities: {
    codec: json,
    input: severities(),
    output: z.array(z.enum(SEVERITIES)),
    unset: SEVERITIES,
    meaning: 'The severities whose events are sent. All unless set.',
  },
  is_active: {
    codec: flag,
    input: yesOrNo(),
    output: z.boolean(),
    unset: true,
    meaning: 'Whether events are sent.',
  },
};

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
