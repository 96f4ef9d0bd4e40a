import { hash, randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isSecretValue } from '../../configuration/document.ts';
import { MASK } from '../../lib/secret-box.ts';

/** Makes digests of secrets useless outside of this process. */
const SALT = randomBytes(16).toString('base64');

/** A stored secret in the fields of a thing: it can be compared, and is shown as eight bullets. */
export class StoredSecret {
  readonly #digest: string;

  constructor(value: unknown) {
    this.#digest = hash('sha256', SALT + JSON.stringify(value ?? null));
  }

  equals(other: unknown): boolean {
    return other instanceof StoredSecret && other.#digest === this.#digest;
  }

  toJSON(): string {
    return MASK;
  }
}

/** The secret, or null where none is set. @param value undefined when no key of SECRET_KEY opens it. */
export const storedSecret = (value: unknown) => (value === null ? null : new StoredSecret(value));

/** Whether two fields of things are alike, with their secrets. */
export function isAlike(one: unknown, other: unknown): boolean {
  if (one instanceof StoredSecret) return one.equals(other);
  if (!isTree(one) || !isTree(other)) return isDeepStrictEqual(one, other);
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [names, others] = [one, other].map((tree) =>
    Object.keys(tree).filter((name) => tree[name] !== undefined),
  );
  return (
    names!.length === others!.length && names!.every((name) => isAlike(one[name], other[name]))
  );
}

/** Whether a value of a thing or an item is a secret or has one in it. */
export function hasSecret(value: unknown): boolean {
  if (value instanceof StoredSecret || isSecretValue(value)) return true;
  return isTree(value) && Object.values(value).some(hasSecret);
}

/** A value without the secrets in it, to be stored. */
export function withoutSecrets(value: unknown): unknown {
  if (value instanceof StoredSecret) return undefined;
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isTree(value)) return value;
  const entries = Object.entries(value).map(([name, one]) => [name, withoutSecrets(one)] as const);
  return Object.fromEntries(entries.filter(([, one]) => one !== undefined));
}

export function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !(value instanceof StoredSecret);
}
