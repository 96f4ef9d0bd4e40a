import type { z } from 'zod';
import type { ProblemCode } from './errors.ts';

/** Reference of a route, beyond its path, permission and status. */
export interface Operation {
  tag:
    | 'Account'
    | 'Overview'
    | 'Monitors'
    | 'Incidents'
    | 'Groups'
    | 'Users'
    | 'Teams'
    | 'Audit log'
    | 'Tokens'
    | 'Sessions'
    | 'Connected applications'
    | 'Set-up'
    | 'Webhooks'
    | 'Alerts'
    | 'Maintenance'
    | 'Status pages'
    | 'Announcements'
    | 'Reports';
  /** A few words, without a full stop. */
  summary: string;
  /** Sentences for API users, in Markdown. */
  description?: string;
  /** Parameters in the path that are not ids, by name, such as `channel`. */
  words?: Record<string, z.ZodType>;
  query?: z.ZodObject;
  /** Schema of the body; absent when there is none. */
  body?: z.ZodType;
  /** Schema of the response body; absent when there is none (204). */
  answer?: z.ZodType;
  /** Whether the response is a `Prepared` one, which has a tag though it is no resource. */
  isPrepared?: boolean;
  /** Files that the response may be instead. */
  files?: readonly { type: 'text/csv' | 'application/pdf'; example?: string }[];
  /** Server-sent events that the response consists of: the schema of their fields, and the text of some. */
  events?: { schema: z.ZodType; example: string };
  /** Working request and its response; `test/flows` sends it to a running server and compares. */
  example?: {
    /** In the path; 1 by default. */
    id?: number;
    /** Other parameters in the path, by name; 1 by default. */
    path?: Record<string, string | number>;
    query?: string;
    body?: object;
    answer?: object;
  };
  /**
   * Refusals beyond those that follow from the route: `not_found` from an id in its path, `invalid` from a query or
   * body, `malformed`, `too_slow`, `too_large` and `not_json` from a method with a body, and those that any request may meet.
   */
  refusals?: ProblemCode[];
}

/** Adds a tag to operations. */
export function operations<Named extends Record<string, Omit<Operation, 'tag'>>>(
  tag: Operation['tag'],
  named: Named,
): { [Name in keyof Named]: Named[Name] & Pick<Operation, 'tag'> } {
  const tagged = Object.entries(named).map(([name, operation]) => [name, { tag, ...operation }]);
  return Object.fromEntries(tagged) as ReturnType<typeof operations<Named>>;
}
