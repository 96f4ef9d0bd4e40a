import { z } from 'zod';
import { tagText } from '../../monitor-types/input-schemas.ts';

/** Maximum number of ids or tags of one kind in a route or a window. */
const MAX_LISTED = 500;

/** A list of ids, none twice. @param what such as `monitors`. */
export function idList(what: string) {
  const error = `must be the id of one of the ${what} of your team`;
  return uniqueList(z.int({ error }).min(1, { error }), `ids of ${what} of your team`);
}

/** A list of tags, none twice. */
export function tagNames() {
  return uniqueList(tagText(), 'tags');
}

function uniqueList<Item extends z.ZodType>(item: Item, what: string) {
  const error = `must be a list of at most ${MAX_LISTED} ${what}, each at most once`;
  return z
    .array(item, { error })
    .max(MAX_LISTED, { error })
    .refine((list) => new Set(list).size === list.length, { error })
    .meta({ override: { uniqueItems: true } });
}
