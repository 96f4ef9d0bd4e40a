import { z } from 'zod';
import { MAIL_ADDRESS } from '../../model/mail-address.ts';
import { PASSWORD_LENGTH, passwordProblem, type PasswordOwner } from '../../identity/password.ts';
import { required, type Findings } from './input.ts';

const EMAIL = 'must be an e-mail address, such as ed@example.com';

/** @param missing predicate for a missing address. */
export function emailAddress(missing = EMAIL) {
  const error = required(missing, EMAIL);
  return z
    .string({ error })
    .max(254, { error })
    .regex(MAIL_ADDRESS, { error })
    .refine((value) => value.isWellFormed(), { error });
}

const { minimum, maximum } = PASSWORD_LENGTH;

export const PASSWORD_REQUIRED = 'is required: you sign in with it';

/** New password, checked by `addPasswordError`. */
export function newPassword() {
  return z
    .string({
      error: required(PASSWORD_REQUIRED, `must be text of ${minimum} to ${maximum} characters`),
    })
    .meta({ override: { minLength: minimum, maxLength: maximum } });
}

/** Adds the error of a password that is missing or unsuitable for that person. */
export async function addPasswordError(
  password: string | null | undefined,
  owner: PasswordOwner,
  findings: Findings,
): Promise<void> {
  if (findings.has('password')) return;
  const problem = password == null ? PASSWORD_REQUIRED : await passwordProblem(password, owner);
  if (problem !== null) findings.add('password', problem);
}
