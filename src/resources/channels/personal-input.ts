import { oneOf } from '../../lib/schemas.ts';
import { inputReader, type FieldInput } from '../common/fields.ts';
import { markRead } from '../common/ignored-fields.ts';
import type { Findings } from '../common/input.ts';
import {
  PERSONAL_CHANNEL_FIELDS,
  PERSONAL_CHANNEL_TYPES,
  PERSONAL_TYPES,
  type PersonalChannel,
} from './fields.ts';
import { FLAT_KEYS, flatShape } from './flat-keys.ts';
import { fieldIn } from '../common/input.ts';

/** Readers of a body, by type of channel. */
const READERS = new Map(
  PERSONAL_TYPES.map((type) => {
    const more = { type: oneOf(PERSONAL_CHANNEL_TYPES).nullish(), ...flatShape(type) };
    return [type.type, inputReader(PERSONAL_CHANNEL_FIELDS, more)];
  }),
);
const readUnknown = inputReader(PERSONAL_CHANNEL_FIELDS, {
  type: oneOf(PERSONAL_CHANNEL_TYPES).nullish(),
});

/** The fields of a request, flat keys included. */
export type PersonalInput = FieldInput<PersonalChannel> &
  Record<string, unknown> & { type?: string | null };

/**
 * Reads a body for a channel of a type. Flat keys of other types are ignored, and named in the answer unless they are
 * empty: clients send all of them.
 *
 * @param type a word of the path, or what the body names (`typeIn`).
 */
export function readInput(type: unknown, body: unknown, findings: Findings): PersonalInput {
  const read = (typeof type === 'string' && READERS.get(type)) || readUnknown;
  const input = read(body, findings);
  const given = (body ?? {}) as Record<string, unknown>;
  markRead(
    given,
    FLAT_KEYS.filter((key) => given[key] === null || given[key] === ''),
  );
  return input as PersonalInput;
}

/** The type that a body names. */
export function typeIn(body: unknown): unknown {
  return fieldIn(body, 'type');
}
