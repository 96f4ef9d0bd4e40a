import type { z } from 'zod';
import type { ProblemCode } from './errors.ts';

/** What the reference says of one route, beyond what the route itself tells (path, permission, status). */
export interface Operation {
  tag:
    | 'Account'
    | 'Monitors'
    | 'Incidents'
    | 'Groups'
    | 'Users'
    | 'Teams'
    | 'Audit log'
    | 'Tokens'
    | 'Sessions'
    | 'Set-up'
    | 'Webhooks'
    | 'Alerts'
    | 'Maintenance';
  /** A few words, without a full stop. */
  summary: string;
  /** Sentences for people who use the API (Markdown). */
  description?: string;
  /** Parameters in the path that are words and no ids, by name, such as `channel`. */
  words?: Record<string, z.ZodType>;
  /** The schema that reads the query. */
  query?: z.ZodObject;
  /** The schema of the body; absent when there is none. */
  body?: z.ZodType;
  /** The schema of the answer; absent when there is none (204). */
  answer?: z.ZodType;
  /** The answer may be a file instead, and what such a file holds. */
  file?: { type: 'text/csv'; example: string };
  /** One working request and its answer; `test/flows` sends it to a running server and compares. */
  example?: {
    /** In the path; 1 unless given. */
    id?: number;
    /** Other parameters in the path, by name; 1 unless given. */
    path?: Record<string, string | number>;
    query?: string;
    body?: object;
    answer?: object;
  };
  /**
   * Refusals beyond those that follow from the route: `not_found` from an id in its path, `invalid` from a query or
   * body, `malformed`, `too_large` and `not_json` from a method with a body, and those that any request may meet.
   */
  refusals?: ProblemCode[];
}
