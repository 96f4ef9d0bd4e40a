import { createHash } from 'node:crypto';
import { z } from 'zod';
import { invalidField } from '../resources/common/errors.ts';

/** Position in a list. */
export interface Position {
  /** Page of the operation; the first one is 1. */
  page: number;
  perPage: number;
  /** Items of that page that were sent before. */
  skip: number;
  /** Length of the list when the cursor was given out; null at the begin of the list. */
  total: number | null;
  /** Digest of the call that the list belongs to. */
  of: string;
}

const MAX_ITEMS = 100;
const DEFAULT_ITEMS = 20;
const MAX_LENGTH = 100;
const MAX_OFFSET = 1_000_000_000;

const stored = z.tuple([
  z.int().min(1).max(MAX_OFFSET),
  z.int().min(1).max(MAX_ITEMS),
  z.int().min(0),
  z.string(),
]);

/** Arguments of every tool that lists. */
export const LIST_ARGUMENTS = {
  limit: { type: 'integer', description: `At most ${MAX_ITEMS}, by default ${DEFAULT_ITEMS}` },
  cursor: { type: 'string', description: 'next_cursor of the last answer' },
} as const;

/**
 * Reads the arguments `limit` and `cursor`. Throws InvalidInput, also for the cursor of another call.
 *
 * @param of digest of the call (`digestOf`).
 */
export function positionOf(
  { limit, cursor }: { limit?: unknown; cursor?: unknown },
  of: string,
): Position {
  const asked = limit ?? null;
  if (asked !== null) requireLimit(asked);
  if (cursor === undefined || cursor === null || cursor === '') {
    return { page: 1, perPage: Number(asked ?? DEFAULT_ITEMS), skip: 0, total: null, of };
  }
  const [offset, usual, total, call] = parse(cursor);
  if (call !== of) {
    throw invalidField(
      'cursor',
      'belongs to a call with other arguments: repeat those of the call that answered it',
    );
  }
  const perPage = Number(asked ?? usual);
  return { page: Math.floor(offset / perPage) + 1, perPage, skip: offset % perPage, total, of };
}

/** Digest of a call that lists: its tool and all arguments that choose and show items. */
export function digestOf(call: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(call)).digest('base64url').slice(0, 11);
}

/** Cursor of a position, opaque to clients. */
export function encodeCursor(position: Position): string {
  const { perPage, total, of } = position;
  const values = [offsetOf(position), perPage, total ?? 0, of];
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

function offsetOf({ page, perPage, skip }: Position): number {
  return (page - 1) * perPage + skip;
}

function requireLimit(limit: unknown): void {
  if (Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= MAX_ITEMS) return;
  throw invalidField('limit', `must be a whole number from 1 to ${MAX_ITEMS}`);
}

/** Throws when a list has become shorter since its cursor was given out, so that items would be skipped. */
export function requireNotShorter({ total }: Position, now: number): void {
  if (total === null || now >= total) return;
  throw invalidField(
    'cursor',
    'is of a list that has become shorter since, so that items would be skipped: begin again without cursor',
  );
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
 * @param total length of the list.
 * @returns null at the end of the list.
 */
export function nextPosition(
  position: Position,
  rest: { sent: number; left: number; isLastPage: boolean; total: number },
): Position | null {
  const { sent, left, isLastPage, total } = rest;
  if (sent < left) return { ...position, skip: position.skip + sent, total };
  return isLastPage ? null : { ...position, page: position.page + 1, skip: 0, total };
}
