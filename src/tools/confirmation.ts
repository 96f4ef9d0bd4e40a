import { createHash } from 'node:crypto';
import { createTokenSigner } from '../lib/signed-token.ts';
import type { Principal } from '../identity/caller.ts';

/** Time for a person to agree. */
const VALID_MS = 10 * 60_000;
const EXPIRY_BYTES = 8;
const DIGEST_BYTES = 32;

/** What a confirmation is for: it is of no use to anybody else, for another tool or other arguments. */
export interface Confirmed {
  tool: string;
  /** Arguments in the path, which name what is concerned. */
  path: Readonly<Record<string, string>>;
  principal: Principal;
}

/** Issues and checks the confirmations of work that can't be undone. Nothing is stored. */
export interface Confirmations {
  issue(confirmed: Confirmed, now: number): string;
  isValid(confirmation: string | null, confirmed: Confirmed, now: number): boolean;
}

/** @param keys the list of SECRET_KEY. */
export function createConfirmations(keys: readonly string[]): Confirmations {
  const signer = createTokenSigner({
    keys,
    purpose: 'tocsin tool confirmation v1',
    contentBytes: EXPIRY_BYTES + DIGEST_BYTES,
  });
  return {
    issue(confirmed, now) {
      const expiry = Buffer.alloc(EXPIRY_BYTES);
      expiry.writeBigUInt64BE(BigInt(now + VALID_MS));
      return signer.sign(Buffer.concat([expiry, digestOf(confirmed)]));
    },
    isValid(confirmation, confirmed, now) {
      const content = confirmation === null ? null : signer.verify(confirmation);
      if (content === null) return false;
      return (
        Number(content.readBigUInt64BE()) > now &&
        content.subarray(EXPIRY_BYTES).equals(digestOf(confirmed))
      );
    },
  };
}

function digestOf({ tool, path, principal: { person, team } }: Confirmed): Buffer {
  const what = JSON.stringify([tool, Object.entries(path).toSorted(), person.id, team?.id ?? null]);
  return createHash('sha256').update(what).digest();
}
