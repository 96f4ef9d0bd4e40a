import { readFileSync } from 'node:fs';
import { z } from 'zod';
import {
  createDocument,
  type oas31,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import { STATUS } from '../src/api/errors.ts';
import {
  TAGS,
  tagName,
  type Operation,
  type RouteFacts,
} from '../src/resources/common/operation.ts';
import { OPERATIONS, ROUTES } from '../src/resources/nouns.ts';
import {
  FAULT,
  REFUSALS,
  type HeaderName,
  type Refusal,
} from '../src/resources/common/refusals.ts';
import type { ProblemCode } from '../src/resources/common/errors.ts';
import { ABOUT, ABOUT_EVENTS, HEADERS, ON_EVERY_ANSWER, REQUEST_HEADERS } from './openapi-parts.ts';
import { printed, shareParameters, tidy } from './openapi-tidy.ts';
import { anyEvent, WEBHOOK_PARAMETERS, WEBHOOK_RESPONSES, webhooks } from './openapi-webhooks.ts';

export type OpenApiDocument = oas31.OpenAPIObject;

/** Builds the OpenAPI document from the operations. */
export function buildDocument(): OpenApiDocument {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of ROUTES) {
    const path = pathOf(route);
    const method = route.method.toLowerCase() as Lowercase<RouteFacts['method']>;
    paths[path] = { ...paths[path], [method]: operationOf(route, OPERATIONS[route.name]!) };
  }
  const document = createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Tocsin API',
      version: packageVersion(),
      description: ABOUT,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api/v1', description: 'This installation.' }],
    security: [{ token: [] }],
    tags: tags(),
    paths,
    webhooks: webhooks(),
    components: {
      schemas: { WebhookEvent: anyEvent() },
      parameters: { ...REQUEST_HEADERS, ...WEBHOOK_PARAMETERS },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A token of the API.' },
      },
      headers: HEADERS,
      responses: {
        NoContent: { description: 'Done. No body.', headers: headersOf(['X-Ignored-Fields']) },
        NotModified: { description: 'As you know it. No body.', headers: headersOf(['ETag']) },
        // No operation refers to it: it is the response of a path to any other method.
        MethodNotAllowed: responseTo(REFUSALS.method_not_allowed),
        ...WEBHOOK_RESPONSES,
      },
    },
  }) as OpenApiDocument;
  for (const route of ROUTES) showQuery(document, route, OPERATIONS[route.name]!);
  tidy(document);
  shareParameters(document);
  return document;
}

/** Each once, in the order of the operations. */
function tags(): { name: string; description: string }[] {
  const own = Object.values(OPERATIONS).flatMap(({ tag }) =>
    typeof tag === 'object' ? [tag] : [],
  );
  const all: Record<string, string> = Object.assign({}, TAGS, { Events: ABOUT_EVENTS }, ...own);
  return Object.entries(all).map(([name, description]) => ({ name, description }));
}

/** The text of the file `openapi.json`. */
export function documentText(): string {
  return `${printed(buildDocument())}\n`;
}

function pathOf({ path }: RouteFacts): string {
  return path === '' ? '/' : path.replace(/:(\w+)/g, '{$1}');
}

function operationOf(route: RouteFacts, operation: Operation): ZodOpenApiOperationObject {
  const { tag, summary, description, query, body, example } = operation;
  const needs = [...limitOf(route), needsOf(route)].join('\n\n');
  return {
    tags: [tagName(tag)],
    operationId: route.name,
    summary,
    ...(route.needs === 'nobody' && { security: [] }),
    description: description === undefined ? needs : `${description}\n\n${needs}`,
    requestParams: {
      ...(route.path.includes(':') && { path: parametersOf(route, operation) }),
      ...(query !== undefined && { query }),
    },
    parameters: requestHeadersOf(route, operation).map((name) => ({
      $ref: `#/components/parameters/${name}`,
    })),
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: body, ...(example?.body && { example: example.body }) },
        },
      },
    }),
    responses: {
      [`${route.status ?? 200}`]: successOf(route, operation),
      ...(route.method === 'GET' &&
        hasTag(operation) && { '304': { $ref: '#/components/responses/NotModified' } }),
      ...refusalsOf(route, operation),
    },
  } as ZodOpenApiOperationObject;
}

/** Names of the header parameters of a route. */
function requestHeadersOf(
  route: RouteFacts,
  operation: Operation,
): (keyof typeof REQUEST_HEADERS)[] {
  return [
    ...(route.method === 'POST' ? (['IdempotencyKey'] as const) : []),
    ...(isConditional(route) || operation.refusals?.includes('precondition_failed')
      ? (['IfMatch'] as const)
      : []),
    ...(route.method === 'GET' && hasTag(operation) ? (['IfNoneMatch'] as const) : []),
  ];
}

/** Changes of what has an id in its path, and of the account. */
function isConditional({ method, path, needs }: RouteFacts): boolean {
  const isOfOne = path.includes(':') || path === '/account';
  return method !== 'GET' && isOfOne && needs !== 'nobody';
}

/** Responses that are one resource have a tag, and prepared ones. */
function hasTag({ answer, isPrepared = false }: Operation): boolean {
  return isPrepared || (answer instanceof z.ZodObject && 'id' in answer.shape);
}

/** The size of a body that may have more than others. */
function limitOf({ bodyLimit }: RouteFacts): string[] {
  return bodyLimit === undefined ? [] : [`The body has at most ${bodyLimit >> 20} MiB.`];
}

function needsOf({ needs, role = null }: RouteFacts): string {
  if (needs === 'nobody') return 'Open to anybody: needs no token.';
  if (needs === 'token') return 'Needs any valid token.';
  const permission = `Needs a token with the permission \`${needs}\``;
  if (role === null) return `${permission}.`;
  return `${permission}, of ${role === 'owner' ? 'the owner' : `somebody who is at least ${role}`} of the team.`;
}

/** The parameters of a path such as `/monitors/:id/pause`; descriptions of named ones come from the operation. */
function parametersOf({ path }: RouteFacts, { words = {} }: Operation): z.ZodObject {
  const names = [...path.matchAll(/([^/:]*)\/:(\w+)/g)].map(([, noun = '', name = '']) => {
    const description = `Id of the ${name === 'id' ? noun.replace(/s$/, '') : name}.`;
    return [name, words[name] ?? z.int().min(1).meta({ description, example: 1 })] as const;
  });
  return z.object(Object.fromEntries(names));
}

/** Sets the parameters to the values in the example of the operation. */
function showQuery(document: OpenApiDocument, route: RouteFacts, { example }: Operation): void {
  const item = document.paths?.[pathOf(route)] as Record<string, oas31.OperationObject>;
  const parameters = item[route.method.toLowerCase()]!.parameters as oas31.ParameterObject[];
  const shown = new URLSearchParams(example?.query ?? '');
  for (const [name, value] of shown) {
    const parameter = parameters.find((one) => one.in === 'query' && one.name === name);
    if (parameter === undefined) throw new Error(`${route.name} has no parameter ${name}.`);
    const { type } = parameter.schema as oas31.SchemaObject;
    const isNumber = type === 'integer' || type === 'number';
    parameter.example = type === 'array' ? shown.getAll(name) : isNumber ? Number(value) : value;
  }
}

function successOf(
  route: RouteFacts,
  operation: Operation,
): ZodOpenApiResponseObject | oas31.ReferenceObject {
  const { answer, events, files = [], example } = operation;
  if (route.status === 204 && route.method !== 'POST')
    return { $ref: '#/components/responses/NoContent' };
  const headers = headersOf([
    'X-Ignored-Fields',
    ...(route.method === 'POST' ? (['Idempotency-Replayed'] as const) : []),
    ...(hasTag(operation) ? (['ETag'] as const) : []),
  ]);
  if (events !== undefined) {
    return {
      description: 'Events, until the client leaves. The schema is the one of each event.',
      headers,
      content: { 'text/event-stream': events },
    };
  }
  if (answer === undefined) return { description: 'Done. No body.', headers };
  return {
    description: route.status === 201 ? 'Created.' : route.status === 202 ? 'Accepted.' : 'Done.',
    headers,
    content: {
      'application/json': { schema: answer, ...(example?.answer && { example: example.answer }) },
      ...Object.fromEntries(files.map((file) => [file.type, fileContent(file)])),
    },
  };
}

/** Bytes have no schema (OpenAPI 3.1.1, section 4.8.14.3.1). */
function fileContent({ example }: { example?: string }) {
  return example === undefined ? {} : { schema: { type: 'string' as const }, example };
}

/** Error responses by status; a status that several errors share lists all of them. */
function refusalsOf(route: RouteFacts, operation: Operation) {
  const answers = new Map<number, Set<Refusal>>([[500, new Set([FAULT])]]);
  for (const code of codesOf(route, operation)) {
    const { status } = STATUS[code];
    answers.set(status, (answers.get(status) ?? new Set()).add(REFUSALS[code]));
  }
  const sorted = [...answers].toSorted(([one], [other]) => one - other);
  return Object.fromEntries(
    sorted.map(([status, refusals]) => [status, responseOf([...refusals])]),
  );
}

function codesOf(route: RouteFacts, { query, body, refusals = [] }: Operation): ProblemCode[] {
  return [
    ...(route.needs === 'nobody' ? [] : ['unauthenticated' as const]),
    'rate_limited',
    ...(mayForbid(route) ? ['forbidden' as const] : []),
    ...(route.path.includes(':') ? ['not_found' as const] : []),
    // A body is parsed if the method may have one, even if none is needed.
    ...(route.method === 'GET'
      ? []
      : (['malformed', 'too_slow', 'too_large', 'not_json'] as const)),
    ...(query === undefined && body === undefined ? [] : ['invalid' as const]),
    ...(isConditional(route) ? (['precondition_failed'] as const) : []),
    ...(route.method === 'POST' ? (['conflict', 'invalid'] as const) : []),
    'database_unavailable',
    ...refusals,
  ];
}

/** Sessions may only write from pages of the dashboard. */
function mayForbid({ needs, method }: RouteFacts): boolean {
  return (needs !== 'token' && needs !== 'nobody') || method !== 'GET';
}

/** Cached, so that each becomes one component. */
const responses = new Map<Refusal, ZodOpenApiResponseObject>();

function responseOf(refusals: Refusal[]): ZodOpenApiResponseObject {
  const [only, ...others] = refusals.map((refusal) => {
    const known = responses.get(refusal) ?? { ...responseTo(refusal), id: refusal.name };
    responses.set(refusal, known);
    return known;
  });
  if (others.length === 0) return only!;
  const [first, ...more] = refusals.map(({ answer }) => answer);
  return {
    description: refusals.map(({ description }) => description).join(' Or: '),
    headers: headersOf(refusals.flatMap(({ headers = [] }) => headers)),
    content: { 'application/json': { schema: z.union([first!, ...more]) } },
  };
}

function responseTo({ description, answer, example, headers = [] }: Refusal) {
  return {
    description,
    headers: headersOf(headers),
    content: { 'application/json': { schema: answer, example } },
  };
}

function headersOf(more: readonly HeaderName[]): Record<string, oas31.ReferenceObject> {
  const names = [...ON_EVERY_ANSWER, ...more];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function packageVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
