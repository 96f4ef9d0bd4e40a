import { createHash, hkdfSync } from 'node:crypto';

/**
 * Key that the servers of an installation share with the probes of one region. Everything between them is sealed with
 * it, so that nobody else who reaches the message bus can read a check or answer for the region.
 */
export type RegionKey = ReturnType<typeof regionKey>;

const KEY_BYTES = 32;

/** Version of a region's key before the first one is withdrawn. */
export const FIRST_KEY_VERSION = 1;

/**
 * Derives the key of a region from one key of SECRET_KEY (HKDF, RFC 5869). Each region has another one, and each version
 * of it: no version reveals anything about another.
 */
export function deriveRegionKey(secretKey: string, region: string, version = FIRST_KEY_VERSION) {
  // Codes of regions have no spaces: no two pairs share a text.
  const info = version === FIRST_KEY_VERSION ? region : `${region} ${version}`;
  const bytes = hkdfSync('sha256', secretKey.trim(), 'tocsin probe key', info, KEY_BYTES);
  return regionKey(region, Buffer.from(bytes));
}

/** Writes a key as PROBE_KEY takes it: `nbg.<base64url of 32 bytes>`. */
export function probeKeyText({ region, bytes }: RegionKey): string {
  return `${region}.${bytes.toString('base64url')}`;
}

/** Reads a key as `probeKeyText` writes it; null for any other text. */
export function parseProbeKey(text: string): RegionKey | null {
  const [, region, encoded] = /^([a-z][a-z0-9-]{0,30})\.([A-Za-z0-9_-]{43})$/.exec(text) ?? [];
  if (region === undefined || encoded === undefined) return null;
  const bytes = Buffer.from(encoded, 'base64url');
  // The last digit holds two bits that no byte needs: another digit is a mistake in copying.
  return bytes.toString('base64url') === encoded ? regionKey(region, bytes) : null;
}

function regionKey(region: string, bytes: Buffer) {
  // Identifies the key without revealing anything about it.
  const id = createHash('sha256').update('tocsin key id').update(bytes).digest('hex').slice(0, 16);
  return { region, id, bytes };
}
