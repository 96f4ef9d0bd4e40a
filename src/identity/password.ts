import { passwordWeakness } from './password-strength.ts';

export const PASSWORD_LENGTH = { minimum: 8, maximum: 128 };

/** Hashes passwords and compares them with a stored hash. */
export interface PasswordHashing {
  hash(password: string): Promise<string>;
  verify(stored: { hash: string; password: string }): Promise<boolean>;
}

/** better-auth's scrypt, which takes 70 ms of CPU on purpose. Loaded on first use. */
export const SCRYPT: PasswordHashing = {
  hash: hashPassword,
  async verify(stored) {
    const { verifyPassword } = await import('better-auth/crypto');
    return verifyPassword(stored);
  },
};

/** Hashes a password by scrypt with a random salt, in better-auth's format. */
export async function hashPassword(password: string): Promise<string> {
  const { hashPassword: hash } = await import('better-auth/crypto');
  return hash(password);
}

/** What is known of the person a new password is for. */
export interface PasswordOwner {
  /** Lower case. */
  email: string;
  /** Names of the person and the team, where they are known. */
  names?: readonly (string | null | undefined)[];
}

/**
 * Problem of a new password as the predicate of a sentence (`must have …`); null for a valid one. Checks length,
 * similarity to the person, and how easy it is to guess; requires no kinds of characters (NIST SP 800-63B, section
 * 3.1.1.2).
 */
export async function passwordProblem(
  password: string,
  { email, names = [] }: PasswordOwner,
): Promise<string | null> {
  const { minimum, maximum } = PASSWORD_LENGTH;
  const length = [...password].length;
  if (length < minimum || length > maximum) {
    return `must have ${minimum} to ${maximum} characters`;
  }
  const plain = password.toLowerCase();
  const isOfAddress = plain === email || plain === email.split('@')[0];
  if (isOfAddress) return "must not be the person's own e-mail address or name";
  if (new Set(plain).size < 3) return 'must have more than two different characters';
  const known = names.filter((name) => typeof name === 'string');
  const weakness = await passwordWeakness(password, [email, ...known]);
  return weakness === null
    ? null
    : `must be harder to guess (${weakness}): use several words that have nothing to do with each other, or let a password manager make one`;
}
