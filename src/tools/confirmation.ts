import { createHash } from 'node:crypto';
import { createTokenSigner } from '../lib/derived-key.ts';
import type { Principal } from '../identity/caller.ts';
import type { Arguments } from './input.ts';

/** Time for a person to agree. */
const VALID_MS = 10 * 60_000;
const EXPIRY_BYTES = 8;
const DIGEST_BYTES = 32;

/** What a confirmation is for: it is of no use to anybody else, for another tool or other arguments. */
export interface Confirmed {
  /** Who passes it on: a model that has asked a person, or the form of a client. Neither can use the other's. */
  by: 'model' | 'form';
  tool: string;
  /** Arguments, which name what is concerned and how it is done. */
  args: Pick<Arguments, 'path' | 'query' | 'body'>;
  principal: Principal;
  /** State of what is concerned, where the work is done in this state alone; null where it doesn't matter. */
  fingerprint?: string | null;
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

/** For JSON.stringify: names in one order, since a repeated call may have another one. */
function ordered(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function digestOf({
  by,
  tool,
  args,
  principal: { person, team },
  fingerprint = null,
}: Confirmed): Buffer {
  const { path, query, body } = args;
  const what = JSON.stringify(
    [by, tool, path, query, body ?? null, person.id, team?.id ?? null, fingerprint],
    ordered,
  );
  return createHash('sha256').update(what).digest();
}
