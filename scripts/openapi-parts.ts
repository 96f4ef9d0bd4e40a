import type { oas31 } from 'zod-openapi';

/** Introduction to the API (Markdown). */
export const ABOUT = `Tocsin watches websites, hosts, ports and jobs, and tells the truth about whether they are up.

Send your token with each request: \`Authorization: Bearer <token>\`. Bodies and answers are JSON in UTF-8. Ids are
integers, times are ISO 8601 in UTC with milliseconds, such as \`2030-01-31T12:00:00.000Z\`.

- In a body, \`""\` in an optional field is the same as \`null\`, and \`null\` unsets the field. A number has to be
  sent as a number, not as text.
- Unknown fields of a body and unknown query parameters are ignored. The response header \`X-Ignored-Fields\` names
  them: look there when a filter seems to match everything.
- A query parameter without a value counts as not given.
- A request that is refused says why: \`message\` is for people, \`errors\` names each field that is wrong.
- A POST with an \`Idempotency-Key\` can be repeated safely: for 24 hours a repetition gets the first response.
- Requests are limited per minute; each answer says in its headers what is left.
- What belongs to another team is answered as if it did not exist.
- Jobs report to the \`ping_url\` of their monitor, which lies beside this API and needs no token.
- New fields may appear in answers: ignore those that you don't know.
- \`/api/…\` is the same as \`/api/v1/…\`.`;

/** What stands under the tag of webhooks. */
export const ABOUT_EVENTS =
  'What webhook endpoints are sent: each is a POST to an address of yours, all of them to the same one. The key `event` of the body says which it is; endpoints choose by severity. A trouble that turns into another one is two events: the former is resolved, the next one opens. Later versions may send further events: answer those that you don’t know with 204. An endpoint’s `auth_type` adds an `Authorization` header or one of your choice. How to check the signatures, in code to copy: `docs/webhooks.md` of the source.';

/** Response headers of the API. */
export const HEADERS: Record<string, oas31.HeaderObject> = {
  'X-Request-Id': {
    description: 'Names the request; give it to the operator when something is odd.',
    required: true,
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': {
    description: 'Requests per minute of the budget that the request counts against.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'X-RateLimit-Remaining': {
    description: 'Requests that are left in the window of 60 seconds.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'X-RateLimit-Reset': {
    description: 'The Unix time in seconds at which the window ends.',
    required: true,
    schema: { type: 'integer' },
  },
  'X-Ignored-Fields': {
    description:
      'Query parameters and top-level fields of the body that were ignored, separated by commas; absent when there are none. The first 20, with up to 64 characters each; characters beyond visible ASCII, commas and percent signs are percent-encoded.',
    schema: { type: 'string', minLength: 1, example: 'tags' },
  },
  ETag: {
    description:
      'Tag of the resource as the response shows it. Send it back as `If-Match` to change the resource only if nobody else has, or as `If-None-Match` to read it only if it changed.',
    required: true,
    schema: { type: 'string', example: '"q3qJ0l0mE2mB4b1X.9wQm4Jt0vYkS7c2e"' },
  },
  'Idempotency-Replayed': {
    description:
      'Present if the request was a repetition by its `Idempotency-Key`: the response is that of the first request.',
    schema: { type: 'string', const: 'true' },
  },
  'Retry-After': {
    description: 'Seconds after which to try again.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
  },
  Allow: {
    description: 'The methods that the path has.',
    required: true,
    schema: { type: 'string' },
  },
};
export const ON_EVERY_ANSWER = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

/** Header parameters of requests, by the name of their component. */
export const REQUEST_HEADERS = {
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` of the resource as you read it, or `*`. If its settings have changed since, the response is 412 and nothing changes. What changes by itself, such as the status of a monitor, does not count.',
    schema: { type: 'string' },
    example: '"q3qJ0l0mE2mB4b1X.9wQm4Jt0vYkS7c2e"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of the resource as you read it: 304 without a body if it is the same.',
    schema: { type: 'string' },
    example: '"q3qJ0l0mE2mB4b1X.9wQm4Jt0vYkS7c2e"',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A value of your choice, such as a UUID: 1 to 255 visible ASCII characters. For 24 hours, the same key and body get the first response again, with `Idempotency-Replayed: true`, and nothing is done twice. 409 while the first request still runs, 422 with another body.',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
    example: 'a1f0c1de-6f0e-4b4e-9d0c-2f6f1b9a7c55',
  },
} satisfies Record<string, oas31.ParameterObject>;
