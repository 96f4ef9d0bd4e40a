import { z } from 'zod';
import { oneOf, text, unknownWord } from '../lib/schemas.ts';
import type { MonitorTypeDefinition } from './definition.ts';

const MOST_PARENTS = 10;

export function tagList() {
  return z
    .array(text(50), { error: 'must be an array of texts' })
    .max(20, { error: 'must have at most 20 entries' });
}

/** @param regions the codes of the installation's regions. */
export function regionList(regions: readonly string[]) {
  const names = regions.join(', ');
  return z
    .array(
      z
        .string({ error: ({ input }) => unknownWord(input, regions) })
        .refine((code) => regions.includes(code), {
          error: ({ input }) => unknownWord(input, regions),
        }),
      { error: `must be an array of regions, any of ${names}` },
    )
    .min(1, { error: 'must name at least one region' })
    .max(regions.length, { error: `must have at most ${regions.length} regions, any of ${names}` })
    .refine((codes) => new Set(codes).size === codes.length, {
      error: 'must not name a region twice',
    });
}

/** A status code, a class of them such as `2xx`, or a range such as `200-299`. */
const STATUS = /^[1-5](?:xx|\d\d(?:-[1-5]\d\d)?)$/;

export function statusCodes() {
  const code = z
    .unknown()
    .superRefine((value, context) => {
      const message = statusFault(value);
      if (message !== null) context.addIssue({ code: 'custom', message });
    })
    .meta({
      override: {
        anyOf: [
          { type: 'integer', minimum: 100, maximum: 599 },
          { type: 'string', pattern: STATUS.source },
        ],
      },
    });
  return z
    .array(code as z.ZodType<string | number>, {
      error: 'must be an array of status codes, such as [401, "2xx", "200-299"]',
    })
    .min(1, { error: 'must have at least one entry; null accepts 2xx and 3xx' })
    .max(100, { error: 'must have at most 100 entries' });
}

function statusFault(value: unknown): string | null {
  const isStatus =
    typeof value === 'string'
      ? STATUS.test(value)
      : Number.isInteger(value) && STATUS.test(String(value));
  if (!isStatus)
    return 'must be a status code such as 401, a class such as "2xx" or a range such as "200-299"';
  const range = String(value);
  return range.slice(0, 3) > range.slice(-3) ? 'must not begin above its end' : null;
}

/**
 * The codes and classes that these name: a probe of an earlier release knows no ranges and no numbers.
 *
 * @param accepted as `statusCodes` accepts them.
 */
export function expandStatusCodes(accepted: readonly (string | number)[] | null): string[] | null {
  return accepted === null ? null : [...new Set(accepted.flatMap((each) => codesOf(String(each))))];
}

function codesOf(entry: string): string[] {
  if (!entry.includes('-')) return [entry];
  const [first = 0, last = 0] = entry.split('-').map(Number);
  const codes: string[] = [];
  for (let code = first; code <= last;) {
    const isWhole = code % 100 === 0 && code + 99 <= last;
    codes.push(isWhole ? `${code / 100}xx` : String(code));
    code += isWhole ? 100 : 1;
  }
  return codes;
}

/** Ids of the monitors that one depends on. */
export function dependsOnInput() {
  return z
    .array(z.int({ error: 'must be the id of a monitor, a whole number' }), {
      error: 'must be an array of ids of monitors',
    })
    .max(MOST_PARENTS, { error: `must have at most ${MOST_PARENTS} entries` })
    .refine((ids) => new Set(ids).size === ids.length, {
      error: 'must not name a monitor twice',
    });
}

export function checkTypesInput({ name, checkTypes }: MonitorTypeDefinition) {
  const [first, ...others] = checkTypes;
  if (first === undefined) {
    const error = `must be empty: a ${name} monitor has no sub-checks`;
    return z.array(z.unknown(), { error }).max(0, { error });
  }
  const names = checkTypes.join(', ');
  return z
    .array(oneOf([first, ...others]), { error: `must be a list of sub-checks, any of ${names}` })
    .max(checkTypes.length, {
      error: `must have at most ${checkTypes.length} sub-checks, any of ${names}`,
    })
    .refine((given) => new Set(given).size === given.length, {
      error: 'must not name a sub-check twice',
    });
}

/** A user name or password that an http check signs in with. */
export function credential() {
  const error = 'must be text of 1 to 4096 characters';
  return z
    .string({ error })
    .min(1, { error })
    .max(4096, { error })
    .refine((value) => !/\p{Cc}/u.test(value) && value.isWellFormed(), {
      error: 'must not hold control characters or half a character',
    });
}
