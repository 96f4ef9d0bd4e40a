import { z } from 'zod';
import type { ProblemCode } from './errors.ts';

/** Reference of a kind of refusal. */
export interface Refusal {
  /** Name of the component that operations refer to. */
  name: string;
  description: string;
  answer: z.ZodObject;
  example: object;
  /** Headers beyond those of every response. */
  headers?: HeaderName[];
}

export type HeaderName =
  | 'ETag'
  | 'Idempotency-Replayed'
  | 'X-Ignored-Fields'
  | 'Retry-After'
  | 'WWW-Authenticate'
  | 'Allow';

const message = z.string().meta({ description: 'What is wrong and what to do, as text.' });

const problem = z
  .object({ message })
  .meta({ id: 'Error', description: 'Why a request was refused.' });

const forbidden = z
  .object({ message, error: z.string().meta({ description: 'The same as `message`.' }) })
  .meta({
    id: 'ForbiddenError',
    description:
      'The token, the role of its holder or the plan of the team does not allow the request.',
  });

const invalid = z
  .object({
    message: z.string().meta({ description: 'The first error, and how many more there are.' }),
    errors: z.record(z.string(), z.array(z.string()).min(1)).meta({
      description:
        'All errors: sentences by field. Names of nested fields are dotted, such as `keyword_settings.keywords.0.phrase`.',
    }),
    existing_group_id: z
      .int()
      .optional()
      .meta({ description: 'Group that already has the name; only for that error.' }),
  })
  .meta({ id: 'ValidationError', description: 'Errors in the query or the body.' });

const rateLimited = z
  .object({
    message,
    error: z.string().meta({ description: 'The same as `message`.' }),
    retry_after: z.int().min(1).meta({ description: 'Seconds until the window ends.' }),
  })
  .meta({
    id: 'RateLimitError',
    description: 'The limit that was reached, and when to try again.',
  });

const unavailable = {
  name: 'Unavailable',
  description:
    'The database cannot be reached, no probe is available, or too many people sign in at once. Try again after the seconds in `Retry-After`.',
  answer: problem,
  example: {
    message: "The database can't be reached right now. Try again in a few seconds.",
  },
  headers: ['Retry-After'],
} satisfies Refusal;

/** Refusals by their code; api/errors.ts has the HTTP status of each. */
export const REFUSALS: Record<ProblemCode, Refusal> = {
  malformed: {
    name: 'Malformed',
    description:
      'The body is not valid JSON, is nested deeper than 32 levels, or has more than 100,000 values and names.',
    answer: problem,
    example: { message: 'The body is not valid JSON.' },
  },
  unauthenticated: {
    name: 'Unauthenticated',
    description: 'There is no token, or it is unknown, revoked or expired.',
    answer: problem,
    example: { message: 'Unauthenticated.' },
    headers: ['WWW-Authenticate'],
  },
  forbidden: {
    name: 'Forbidden',
    description:
      'The token or the role of its holder in the team lacks the permission, or the plan of the team does not allow it.',
    answer: forbidden,
    example: {
      message: 'This token lacks the "update" permission: use a token that has it.',
      error: 'This token lacks the "update" permission: use a token that has it.',
    },
  },
  not_found: {
    name: 'NotFound',
    description: 'The team of the token has nothing with this id.',
    answer: problem,
    example: { message: 'There is no such monitor in your team.' },
  },
  method_not_allowed: {
    name: 'MethodNotAllowed',
    description: 'The path does not support this method.',
    answer: problem,
    example: { message: 'PATCH is not possible here: use GET, PUT, DELETE.' },
    headers: ['Allow'],
  },
  too_slow: {
    name: 'TooSlow',
    description:
      'The body arrived more slowly than 1 KiB a second, or the server was short of memory for bodies and ended the slowest one. The connection is closed.',
    answer: problem,
    example: {
      message:
        'The body arrived too slowly: less than 10 KiB in 10 seconds. Send it again, faster.',
    },
  },
  too_large: {
    name: 'TooLarge',
    description: 'The body is larger than 1 MiB.',
    answer: problem,
    example: { message: 'The body is larger than 1 MiB. Send less.' },
  },
  not_json: {
    name: 'NotJson',
    description: 'The content type of the body is not JSON.',
    answer: problem,
    example: {
      message: 'The body must be JSON: send it with Content-Type: application/json.',
    },
  },
  conflict: {
    name: 'Conflict',
    description:
      'The change conflicts with the current state, such as another open incident of that type. Or the first request with this `Idempotency-Key` is still running, or its answer is no longer known.',
    answer: problem,
    example: {
      message:
        'Another incident of this type is open for this monitor. Resolve that one first, or leave this one resolved.',
    },
  },
  precondition_failed: {
    name: 'PreconditionFailed',
    description: 'The resource is not the one of your `If-Match`. Nothing was changed.',
    answer: problem,
    example: {
      message:
        'It has changed since you read it, or your If-Match is not its ETag. Nothing was changed: read it again, and send the new ETag.',
    },
  },
  invalid: {
    name: 'Invalid',
    description: 'The query or the body is not valid. Nothing was changed.',
    answer: invalid,
    example: {
      message: 'check_interval must be a number of minutes from 0.5 to 60.',
      errors: {
        check_interval: ['check_interval must be a number of minutes from 0.5 to 60.'],
      },
    },
    headers: ['X-Ignored-Fields'],
  },
  unsupported: {
    name: 'Unsupported',
    description: 'A monitor of this type, or this installation, does not support the request.',
    answer: problem,
    example: {
      message:
        "A heartbeat monitor can't be checked from here: its job reports to the ping_url itself.",
    },
  },
  rate_limited: {
    name: 'RateLimited',
    description:
      'The limit of requests per minute is reached, or the client has too many bodies or unread answers in memory at once.',
    answer: rateLimited,
    example: {
      message: 'The limit of 120 requests a minute is reached: try again in 37 seconds.',
      error: 'The limit of 120 requests a minute is reached: try again in 37 seconds.',
      retry_after: 37,
    },
    headers: ['Retry-After'],
  },
  no_probe: unavailable,
  busy: unavailable,
  job_ended: unavailable,
  database_unavailable: unavailable,
};

/** Internal error. */
export const FAULT: Refusal = {
  name: 'ServerError',
  description: 'Internal error. The log of the server has the details under the `request_id`.',
  answer: z
    .object({
      message: z.literal('Server error.'),
      request_id: z.string().meta({ description: 'The same as the header `X-Request-Id`.' }),
    })
    .meta({ id: 'ServerError', description: 'Internal error, without details.' }),
  example: { message: 'Server error.', request_id: '0b8f4a52-6a0c-4c1e-9a53-2b6f2f0d1c55' },
};
