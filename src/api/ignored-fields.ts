import type { FastifyReply, FastifyRequest } from 'fastify';
import { InvalidInput } from '../resources/common/errors.ts';
import { unreadNames, wasRead } from '../resources/common/ignored-fields.ts';

/** Maximum number of names in the header. */
const MAX_NAMES = 20;
/** Maximum length of a name in the header. */
const MAX_LENGTH = 64;

/**
 * Handles a call, and names the query parameters and fields of the body that it ignored in the header
 * `X-Ignored-Fields` (contract 1.17). An input that was refused before it was read has ignored nothing.
 */
export async function nameIgnoredFields<Answer>(
  request: Pick<FastifyRequest, 'query' | 'body'>,
  reply: Pick<FastifyReply, 'header'>,
  handle: () => Answer | Promise<Answer>,
): Promise<Answer> {
  const inputs = [request.query, request.body];
  const nameAll = (unread: string[]) => {
    const names = unread.filter((one) => one !== '');
    if (names.length > 0) void reply.header('x-ignored-fields', headerOf(names));
  };
  try {
    const answer = await handle();
    nameAll(inputs.flatMap(unreadNames));
    return answer;
  } catch (error) {
    if (error instanceof InvalidInput) nameAll(inputs.filter(isRead).flatMap(unreadNames));
    throw error;
  }
}

function isRead(input: unknown): boolean {
  return typeof input === 'object' && input !== null && wasRead(input);
}

/**
 * Names in a form that is safe in a header, since clients choose them: visible ASCII, the rest percent-encoded as in a
 * URL, with the comma, which separates them, and the percent sign.
 */
export function headerOf(names: readonly string[]): string {
  const encoded = names.slice(0, MAX_NAMES).map(encodeName);
  return [...new Set(encoded)].join(', ');
}

function encodeName(name: string): string {
  let encoded = '';
  // Cut first, so that a long name costs no more than a short one.
  for (const character of name.slice(0, MAX_LENGTH).toWellFormed()) {
    const next = /[^!-~]|[%,]/u.test(character) ? encodeURIComponent(character) : character;
    if (encoded.length + next.length > MAX_LENGTH) break;
    encoded += next;
  }
  return encoded;
}
