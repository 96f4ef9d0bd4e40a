export const PASSWORD_LENGTH = { minimum: 8, maximum: 128 };

/** scrypt with a salt of its own, in the form that better-auth verifies. */
export async function hashPassword(password: string): Promise<string> {
  const { hashPassword: hash } = await import('better-auth/crypto');
  return hash(password);
}

/**
 * What is wrong with a new password, as what follows a field's name (`must have …`); null when it will do. Length is
 * what counts, and that it can't be guessed from the address; no kinds of characters are demanded (NIST SP 800-63B,
 * section 3.1.1.2).
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
