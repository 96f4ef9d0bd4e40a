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

/**
 * Problem of a new password as the predicate of a sentence (`must have …`); null for a valid one. Checks length and
 * similarity to the address, and requires no kinds of characters (NIST SP 800-63B, section 3.1.1.2).
 */
export function passwordProblem(password: string, person: { email: string }): string | null {
  const { minimum, maximum } = PASSWORD_LENGTH;
  const length = [...password].length;
  if (length < minimum || length > maximum) {
    return `must have ${minimum} to ${maximum} characters`;
  }
  const plain = password.toLowerCase();
  const isOfAddress = plain === person.email || plain === person.email.split('@')[0];
  if (isOfAddress) return "must not be the person's own e-mail address or name";
  return new Set(plain).size < 3 ? 'must have more than two different characters' : null;
}
