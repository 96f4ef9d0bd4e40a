import { parametersOf } from '../support/openapi.ts';
import { isDeepStrictEqual } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { hasNoContent } from '../../src/monitor-types/content-settings.ts';
import type { FoundOperation } from '../support/openapi.ts';
import type { OpenApiDocument } from '../../scripts/openapi.ts';
import { overviewLies } from './overviews.ts';
import type { JsonSchema } from './values.ts';

/** Checks accepted requests: the document must allow them, and their values must be stored. */
export interface Truth {
  /** Faults of an accepted request that the document forbids, or that was not stored as sent. */
  liesOf(found: FoundOperation, accepted: Accepted): string[];
}

/** A successful request and its response. */
export interface Accepted {
  query: [name: string, value: string][];
  /** Undefined without one. */
  body: unknown;
  answer: unknown;
}

/** Fields that are returned exactly as sent (contract 1.19, 1.20). */
const KEPT_AS_SENT = [
  'friendly_name',
  'tags',
  'keyword_settings',
  'json_assertion_settings',
  'name',
  'description',
  'root_cause',
  'title',
  'text',
];

export function truthOf(document: OpenApiDocument): Truth {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi');

  function queryLies(operation: JsonSchema, query: Accepted['query']): string[] {
    return parametersOf(document, operation)
      .filter((parameter) => parameter.in === 'query')
      .flatMap(({ name, schema: documented }) => {
        const schema = documented as JsonSchema;
        const values = query.filter(([given, value]) => given === name && value !== '');
        if (schema['type'] === 'array') {
          const items = values.map(([, value]) => value);
          // Some lists may also be written with commas; in others a comma is part of a value.
          const parts = items.flatMap((item) => item.split(','));
          const read = (list: string[]) =>
            list.map((item) => readAs(schema['items'] as JsonSchema, item));
          const isList = [items, parts].some((list) => ajv.validate(schema, read(list)));
          return isList ? [] : [`The list ${name} was ${items.join()}.`];
        }
        if (values.length > 1) return [`The parameter ${name} was given ${values.length} times.`];
        const isSound = values.every(([, value]) => ajv.validate(schema, readAs(schema, value)));
        return isSound ? [] : [`The parameter ${name} was ${JSON.stringify(values)}.`];
      });
  }

  function bodyLies(pointer: string, operation: JsonSchema, accepted: Accepted): string[] {
    if (operation['requestBody'] === undefined) return [];
    const validate = ajv.getSchema(
      `openapi#${pointer}/requestBody/content/application~1json/schema`,
    );
    if (validate === undefined) return ['The schema of the body can not be read.'];
    if (validate(withoutBlanks(accepted.body, ignoredBy(accepted)))) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message }) => `The body was accepted, but ${instancePath} ${message}.`,
    );
  }

  function operationOf(path: string, method: string): JsonSchema {
    return (document.paths![path] as Record<string, JsonSchema>)[method]!;
  }

  function liesOf(
    { path, method }: Pick<FoundOperation, 'path' | 'method'>,
    accepted: Accepted,
  ): string[] {
    // Each monitor of the list is accepted or refused by itself.
    if (path === '/monitors/bulk')
      return createdIn(accepted).flatMap((one) => liesOf({ path: '/monitors', method }, one));
    // An answer that names errors accepts nothing.
    if (path === '/monitors/validate') {
      const { valid } = accepted.answer as { valid: boolean };
      if (!valid) return [];
      return bodyLies(pointerOf(path, method), operationOf(path, method), validated(accepted));
    }
    const operation = operationOf(path, method);
    return [
      ...queryLies(operation, accepted.query),
      ...(method === 'get' ? [] : bodyLies(pointerOf(path, method), operation, accepted)),
      ...(method === 'get' ? [] : changedLies(accepted)),
      ...overviewLies(path, accepted),
    ];
  }

  return { liesOf };
}

function pointerOf(path: string, method: string): string {
  return `/paths/${path.replaceAll('/', '~1')}/${method}`;
}

/** A validation as if its answer named the type, which is that of the body; an update may concern any type. */
function validated(accepted: Accepted): Accepted {
  const { id = null, monitor_type: type = null } = accepted.body as Record<string, unknown>;
  if (id === null) return { ...accepted, answer: { monitor_type: type ?? 'http' } };
  const ignored = new Set([...Object.values(IGNORED).flat(), ...HTTP_ONLY, ...CREDENTIALS]);
  const body = Object.entries(accepted.body as object).filter(([name]) => !ignored.has(name));
  return { ...accepted, body: Object.fromEntries(body) as Accepted['body'] };
}

/** The monitors of a bulk request that were created, each as if it had been created alone. */
function createdIn({ body, answer }: Accepted): Accepted[] {
  const { monitors } = body as { monitors: unknown[] };
  const { results } = answer as { results: { index: number; monitor?: unknown }[] };
  return results
    .filter(({ monitor }) => monitor !== undefined)
    .map(({ index, monitor }) => ({ query: [], body: monitors[index], answer: monitor }));
}

function readAs(schema: JsonSchema, value: string): unknown {
  const isNumber = schema['type'] === 'integer' || schema['type'] === 'number';
  return isNumber && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

/** Settings of content checks, and the list that is their content. */
const CONTENT_LISTS: Record<string, string> = {
  keyword_settings: 'keywords',
  json_assertion_settings: 'assertions',
};
/** Settings objects: an empty list in place of one is null. */
const SETTINGS = new Set([...Object.keys(CONTENT_LISTS), 'notification_settings']);

/** A blank field is unset, and an unset one equals a missing one. */
function withoutBlanks(body: unknown, ignored: readonly string[]): unknown {
  if (!isRecord(body)) return body ?? {};
  const entries = Object.entries(body).filter(
    ([name, value]) => hasContent(name, value) && !ignored.includes(name),
  );
  return Object.fromEntries(entries);
}

const HEARTBEAT = ['interval', 'cron_expression', 'timezone', 'grace'];
const HEARTBEAT_FIELDS = [...HEARTBEAT, 'wait_for_first_ping', 'max_runtime'].map(
  (name) => `heartbeat_${name}`,
);
/** Fields that other types of monitors ignore (contract 6.9). */
const IGNORED: Record<string, string[]> = {
  http: ['port', ...HEARTBEAT_FIELDS],
  ping: ['port', ...HEARTBEAT_FIELDS],
  port: HEARTBEAT_FIELDS,
  heartbeat: ['port', 'url', 'check_interval', 'heartbeat_cron_expression'],
  cron: ['port', 'url', 'check_interval', 'heartbeat_interval'],
};

/** Other types ignore these without content, and reject them with content. */
const HTTP_ONLY = ['http_method', 'request_headers', 'request_body', ...Object.keys(CONTENT_LISTS)];
const CREDENTIALS = ['auth_type', 'auth_username', 'auth_password'];

function ignoredBy({ body, answer }: Accepted): string[] {
  const type = isRecord(answer) ? String(answer['monitor_type']) : '';
  const isEmpty = (name: string) => isRecord(body) && hasNoContent(body[name], null);
  const httpOnly = type === 'http' ? [] : [...HTTP_ONLY, ...CREDENTIALS].filter(isEmpty);
  return [...(IGNORED[type] ?? []), ...httpOnly];
}

function changedLies({ body, answer }: Accepted): string[] {
  if (!isRecord(body) || !isRecord(answer)) return [];
  return KEPT_AS_SENT.filter(
    (name) =>
      Object.hasOwn(body, name) &&
      Object.hasOwn(answer, name) &&
      hasContent(name, body[name]) &&
      !isDeepStrictEqual(body[name], answer[name]),
  ).map((name) => `${name} came back as ${JSON.stringify(answer[name])}.`);
}

/** Settings without content are unset, in any form. */
function hasContent(name: string, value: unknown): boolean {
  if (value === '' || value === null) return false;
  return !SETTINGS.has(name) || !hasNoContent(value, CONTENT_LISTS[name] ?? null);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
