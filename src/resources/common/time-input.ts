import { z } from 'zod';
import { required } from './input.ts';
import { parseTime } from './time.ts';

const DAY_MS = 86_400_000;

/** End of a period that a time is for: a date without a time of day begins the period, or is included in it. */
export type Edge = 'from' | 'to';

/** Whole UTC day in a query, as epoch milliseconds; a time of day is ignored. */
export function queryDay(edge: Edge, description: string) {
  const read = (text: string) => {
    const at = parseTime(text.length === 10 ? `${text}T00:00` : text);
    if (at === null) return null;
    const day = Math.floor(at / DAY_MS) * DAY_MS;
    return edge === 'to' ? day + DAY_MS : day;
  };
  return timeText(() => 'must be a date such as 2030-01-31', read).meta({
    description,
    override: { type: 'string', format: 'date' },
  });
}

/** Date, or date and time, in a query, as epoch milliseconds. */
export function queryTime(edge: Edge, description: string) {
  const error = 'must be a date, or a date and time, such as 2030-01-31 or 2030-01-31T12:00:00Z';
  const read = (text: string) => {
    const isDate = text.length === 10;
    const at = parseTime(isDate ? `${text}T00:00` : text);
    return at !== null && at >= 0 && isDate && edge === 'to' ? at + DAY_MS : at;
  };
  return since1970(timeText(() => error, read)).meta({
    description,
    override: { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] },
  });
}

/**
 * Date and time in a body, as epoch milliseconds.
 *
 * @param example part of the error text.
 * @param missing error of a required field that is missing.
 */
export function dateTime(example = '2030-01-31T12:00:00Z', missing?: string) {
  const error = `must be a date and time such as ${example}`;
  return timeText(required(missing ?? error, error), parseTime).meta({
    override: { type: 'string', format: 'date-time' },
  });
}

export function since1970<Time extends z.ZodType<number>>(time: Time) {
  return time.refine((at) => at >= 0, { error: 'must not be before 1970' });
}

function timeText(
  error: (issue: { input?: unknown }) => string,
  read: (text: string) => number | null,
) {
  return z.string({ error }).transform((input, context) => {
    const at = read(input);
    if (at !== null) return at;
    context.addIssue({ code: 'custom', message: error({ input }) });
    return z.NEVER;
  });
}
