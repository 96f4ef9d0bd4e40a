import { z } from 'zod';
import { MASK } from '../lib/secret-box.ts';
import { AUTH_TYPES } from '../model/monitor.ts';
import type { Findings } from './definition.ts';
import type { MonitorSettings } from './fields.ts';

type CheckCredentials = Pick<MonitorSettings, 'auth_type' | 'auth_username' | 'auth_password'>;

type CredentialsInput = { [Name in keyof CheckCredentials]?: CheckCredentials[Name] };

const NO_CREDENTIALS: CheckCredentials = {
  auth_type: null,
  auth_username: null,
  auth_password: null,
};

const SECRETS = ['auth_username', 'auth_password'] as const;

/** A user name or password that an http check signs in with. */
export function credential() {
  const error = 'must be text of 1 to 4096 characters';
  return z
    .string({ error })
    .min(1, { error })
    .max(4096, { error })
    .refine((value) => !/\p{Cc}/u.test(value) && value.isWellFormed(), {
      error: 'must not hold control characters or half a character',
    });
}

/**
 * The credentials after an input (contract 8.28). `auth_type: null` clears all
 * three; a type needs both others, sent or stored.
 *
 * @param stored null for a new monitor.
 */
export function resolveCredentials(
  stored: CheckCredentials | null,
  input: CredentialsInput,
  findings: Findings,
): CheckCredentials {
  if (input.auth_type === null && stored !== null) return NO_CREDENTIALS;
  // Whoever calls may know more of the monitor than its credentials.
  const { auth_type, auth_username, auth_password } = stored ?? NO_CREDENTIALS;
  const known: CheckCredentials = { auth_type, auth_username, auth_password };
  const result = { ...known, ...unmask(known, input, findings) };
  if (input.auth_type === null) return NO_CREDENTIALS;
  const wasSent = SECRETS.some((field) => (input[field] ?? null) !== null);
  if (result.auth_type === null) {
    if (wasSent && !findings.has('auth_type')) {
      findings.add(
        'auth_type',
        `is required with auth_username and auth_password: one of ${AUTH_TYPES.join(', ')}`,
      );
    }
    return NO_CREDENTIALS;
  }
  demandBoth(result, findings);
  refuseColon(result, input, findings);
  return result;
}

/** What was sent, with the stored values where the mask stands. */
function unmask(
  stored: CheckCredentials,
  input: CredentialsInput,
  findings: Findings,
): CredentialsInput {
  const sent = Object.fromEntries(
    (['auth_type', ...SECRETS] as const)
      .filter((field) => input[field] !== undefined)
      .map((field) => [field, input[field]]),
  ) as CredentialsInput;
  for (const field of SECRETS) {
    if (sent[field] !== MASK) continue;
    if (stored[field] === null) {
      findings.add(
        field,
        `is a placeholder, and nothing is stored that it could stand for: send the value itself`,
      );
    }
    sent[field] = stored[field];
  }
  return sent;
}

function demandBoth(credentials: CheckCredentials, findings: Findings): void {
  for (const field of SECRETS) {
    if (credentials[field] !== null || findings.has(field)) continue;
    const hint =
      credentials.auth_type !== 'bearer'
        ? 'to check without credentials, send auth_type null'
        : field === 'auth_username'
          ? 'give the token'
          : 'give any text; it is not sent';
    findings.add(field, `is required with auth_type ${credentials.auth_type}: ${hint}`);
  }
}

/** RFC 7617, section 2: the first colon ends the user name. */
function refuseColon(
  credentials: CheckCredentials,
  input: CredentialsInput,
  findings: Findings,
): void {
  if (credentials.auth_type !== 'basic' || !credentials.auth_username?.includes(':')) return;
  if (input.auth_username === undefined) {
    findings.add('auth_type', "can't be basic while the auth_username holds a colon");
  } else {
    findings.add('auth_username', 'must not hold a colon with auth_type basic');
  }
}
