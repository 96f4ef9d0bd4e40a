import { z } from 'zod';
import { documentedAs } from '../../lib/schemas.ts';

/** Maximum number of monitors whose results a stream has. */
export const MAX_MONITORS = 5;

const FORM = `must be ids of monitors, separated by commas, at most ${MAX_MONITORS}`;

export const eventsQuery = z.object({
  monitor: z
    .string({ error: FORM })
    .regex(new RegExp(String.raw`^ *[1-9]\d{0,14}( *, *[1-9]\d{0,14}){0,${MAX_MONITORS - 1}} *$`), {
      error: FORM,
    })
    .transform((text) => [...new Set(text.split(',').map(Number))])
    .optional()
    .meta({
      ...documentedAs({ type: 'string', pattern: String.raw`^[1-9]\d*(,[1-9]\d*){0,4}$` }),
      description: `Ids of at most ${MAX_MONITORS} monitors, separated by commas: the stream also has their results (\`result\`) and pings (\`ping\`).`,
    }),
  last_event_id: z.string({ error: 'must be the id of an event' }).optional().meta({
    description:
      'Id of the last event that the client got, for clients that can not send the header `Last-Event-ID`, which comes first.',
  }),
});
