/** Secret of an authenticator. Pure. */

/** Secret of an `otpauth://` address; empty without one. */
export function secretOf(uri: string): string {
  return URL.parse(uri)?.searchParams.get('secret') ?? '';
}

/** Writes a secret in groups of four, for typing. */
export function grouped(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, '$1 ');
}

/** Size of the QR code: modules of 4 px with a border of 4 modules, as ISO/IEC 18004 has it. */
export const QR_SIZE = { border: 4, scale: 4 } as const;
