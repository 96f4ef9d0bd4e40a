import { http } from '../../monitor-types/http.ts';
import {
  applyInput,
  changedNames,
  inputReader,
  keepSecrets,
  requireFields,
  type FieldInput,
} from '../common/fields.ts';
import { Findings } from '../common/input.ts';
import { urlError, type TargetRule } from '../monitors/target-url.ts';
import { WEBHOOK_FIELDS, type WebhookSettings } from './fields.ts';

/** The installation's rules for the addresses of endpoints. */
export interface WebhookRules {
  targetRule: TargetRule;
  /** ALLOW_HTTP_WEBHOOKS. */
  allowHttpWebhooks: boolean;
}

const readInput = inputReader(WEBHOOK_FIELDS);

type Input = FieldInput<WebhookSettings>;
type Auth = Pick<WebhookSettings, 'auth_type' | 'auth_header_name' | 'auth_token'>;

const NO_AUTH: Auth = { auth_type: 'none', auth_header_name: null, auth_token: null };

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
  const input = readInput(body, findings);
  keepSecrets(WEBHOOK_FIELDS, stored, input, findings);
  const wanted = applyInput(WEBHOOK_FIELDS, stored, input);
  const settings = { ...wanted, ...resolveAuth(wanted, input, findings) };
  requireFields(WEBHOOK_FIELDS, input, stored === null, findings);
  if (typeof input.url === 'string' && !findings.has('url')) {
    const fault = webhookUrlFault(input.url, rules);
    if (fault !== null) findings.add('url', fault);
  }
  findings.throwIfAny();
  return { settings, changed: changedNames(stored, settings) };
}

/** The mistake in an address that we send to, as a predicate; null if there is none. */
export function webhookUrlFault(url: string, rules: WebhookRules): string | null {
  if (!/^https?:\/\//i.test(url) || URL.parse(url) === null)
    return `must be an absolute https ${rules.allowHttpWebhooks ? 'or http ' : ''}URL, such as https://example.com/hook`;
  const fault = urlError(http, url, rules.targetRule);
  if (fault !== null || rules.allowHttpWebhooks || /^https:/i.test(url)) return fault;
  return 'must begin with https://: only the operator can allow http, by ALLOW_HTTP_WEBHOOKS';
}

/** The authentication after an input: `none` or null clears all of it, a type alone keeps the stored token. */
function resolveAuth(wanted: WebhookSettings, input: Input, findings: Findings): Auth {
  if (input.auth_type === null || input.auth_type === 'none') return NO_AUTH;
  const { auth_type, auth_header_name, auth_token } = wanted;
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
