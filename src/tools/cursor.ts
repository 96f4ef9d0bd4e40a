import { z } from 'zod';
import { invalidField } from '../resources/common/errors.ts';

/** Position in a list: a page of the operation, and how many of its items were sent before. */
export interface Position {
  page: number;
  perPage: number;
  skip: number;
}

const MAX_ITEMS = 100;
const DEFAULT_ITEMS = 20;
const MAX_LENGTH = 100;
const MAX_PAGE = 1_000_000_000;

const stored = z.tuple([
  z.int().min(1).max(MAX_PAGE),
  z.int().min(1).max(MAX_ITEMS),
  z.int().min(0).max(MAX_ITEMS),
]);

/** Arguments of every tool that lists. */
export const LIST_ARGUMENTS = {
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: MAX_ITEMS,
    description: `Items at most; ${DEFAULT_ITEMS} by default. Fewer come when the answer would be too long.`,
  },
  cursor: {
    type: 'string',
    description: 'The next_cursor of an earlier answer; leave the other arguments as they were.',
  },
} as const;

/** Reads the arguments `limit` and `cursor`. Throws InvalidInput. */
export function positionOf({ limit, cursor }: { limit?: unknown; cursor?: unknown }): Position {
  if (cursor !== undefined && cursor !== null && cursor !== '') return decode(cursor);
  const asked = limit ?? DEFAULT_ITEMS;
  if (!Number.isInteger(asked) || Number(asked) < 1 || Number(asked) > MAX_ITEMS) {
    throw invalidField('limit', `must be a whole number from 1 to ${MAX_ITEMS}`);
  }
  return { page: 1, perPage: Number(asked), skip: 0 };
}

/** Cursor of a position, opaque to clients. */
export function encodeCursor({ page, perPage, skip }: Position): string {
  return Buffer.from(JSON.stringify([page, perPage, skip])).toString('base64url');
}

function decode(cursor: unknown): Position {
  const [page, perPage, skip] = parse(cursor);
  return { page, perPage, skip };
}

function parse(cursor: unknown): z.infer<typeof stored> {
  try {
    const text = z.string().max(MAX_LENGTH).parse(cursor);
    return stored.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch {
    throw invalidField('cursor', 'must be the next_cursor of an earlier answer of this tool');
  }
}

/**
 * Position after `sent` items of a page.
 *
 * @param left items of the page from the position on.
 * @param isLastPage whether no page follows.
 * @returns null at the end of the list.
 */
export function nextPosition(
  position: Position,
  { sent, left, isLastPage }: { sent: number; left: number; isLastPage: boolean },
): Position | null {
  if (sent < left) return { ...position, skip: position.skip + sent };
  return isLastPage ? null : { ...position, page: position.page + 1, skip: 0 };
}
