import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { oas31 } from 'zod-openapi';
import { buildDocument, type OpenApiDocument } from '../../scripts/openapi.ts';

/** The part of a request that determines the documented responses. */
export interface AskedFor {
  method: string;
  /** With or without `/v1` and query. */
  path: string;
}

/** A response, with header names in lower case. */
export interface Answered {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

/** A webhook request as received, with header names in lower case. */
export interface SentWebhook {
  headers: Record<string, unknown>;
  body: string;
}

/** The documented operation of a request. */
export interface FoundOperation {
  /** As in the document, such as `/monitors/{id}`. */
  path: string;
  /** In lower case; `get` for a HEAD request. */
  method: string;
  /** Name of the route. */
  name: string;
}

/** Compares responses with the OpenAPI document. */
export interface Contract {
  document: OpenApiDocument;
  /** Undefined for an unknown path or method. */
  find(asked: AskedFor): FoundOperation | undefined;
  /** Faults of a response, in sentences; none if it is as documented. */
  faultsOf(asked: AskedFor, answered: Answered): string[];
  /** Faults of a webhook: its headers and the body of its event. */
  webhookFaults(sent: SentWebhook): string[];
  /** Faults of the body alone. */
  eventFaults(body: string): string[];
}

type Node = Record<string, unknown>;

const METHODS = ['get', 'post', 'put', 'delete'];
/** Responses that are sent before the operation is known. */
const WITHOUT_OPERATION: Record<string, string> = {
  401: 'Unauthenticated',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  429: 'RateLimited',
  500: 'ServerError',
  503: 'Unavailable',
};

let built: Contract | null = null;

/** The OpenAPI document of the current source. */
export function contract(): Contract {
  return (built ??= contractOf(buildDocument()));
}

/** Parameters of an operation, with references to shared ones resolved. */
export function parametersOf(
  document: OpenApiDocument,
  { parameters = [] }: { parameters?: object[] },
): oas31.ParameterObject[] {
  return parameters.map((parameter) =>
    '$ref' in parameter
      ? (at(
          document as unknown as Node,
          String(parameter.$ref).slice(1),
        ) as unknown as oas31.ParameterObject)
      : (parameter as oas31.ParameterObject),
  );
}

/** Throws if a response of the API is not as documented. */
export function expectDocumented(asked: AskedFor, answered: Answered): void {
  const faults = contract().faultsOf(asked, answered);
  if (faults.length === 0) return;
  const request = `${asked.method} ${asked.path} answered ${answered.status}`;
  throw new Error(`${request}, not as documented:\n${faults.join('\n')}\n${answered.text}`);
}

/** Throws if a webhook is not as documented. */
export function expectDocumentedWebhook(sent: SentWebhook): void {
  const faults = contract().webhookFaults(sent);
  if (faults.length > 0)
    throw new Error(`A webhook is not as documented:\n${faults.join('\n')}\n${sent.body}`);
}

/** Whether a request belongs to the documented API; `/healthz` and the like do not. */
export function isOfApi(path: string): boolean {
  return /^\/api(?=[/?]|$)/.test(path);
}

export function contractOf(document: OpenApiDocument): Contract {
  const closed = structuredClone(document) as unknown as Node;
  closeObjects(closed);
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  addFormats.default(ajv);
  ajv.addSchema(closed, 'openapi');
  const table = operationsOf(document);

  function find({ method, path }: AskedFor): FoundOperation | undefined {
    const [way = ''] = path.split('?', 1);
    const inside = way
      .replace(/^\/api(\/v1(?=\/|$))?/, '')
      .split('/')
      .map(decoded)
      .join('/');
    const wanted = method === 'HEAD' ? 'get' : method.toLowerCase();
    const fitting = table.filter((one) => one.form.test(inside));
    // Another matching path has other methods.
    return fitting.find((one) => one.method === wanted && one.path === fitting[0]!.path);
  }

  /** The JSON pointer of a documented response, with references resolved. */
  function responseAt(found: FoundOperation | undefined, status: number): string | null {
    if (found === undefined) {
      const name = WITHOUT_OPERATION[status];
      const known = name !== undefined && at(closed, `/components/responses/${name}`) !== undefined;
      return known ? `/components/responses/${name}` : null;
    }
    const { path, method } = found;
    const pointer = `/paths/${escaped(path)}/${method}/responses/${status}`;
    const response = at(closed, pointer);
    if (response === undefined) return null;
    return typeof response['$ref'] === 'string' ? response['$ref'].slice(1) : pointer;
  }

  function headerFaults(response: Node, headers: Record<string, unknown>): string[] {
    return Object.entries((response['headers'] ?? {}) as Record<string, Node>).flatMap(
      ([name, reference]) => {
        const header = at(closed, String(reference['$ref']).slice(1)) ?? {};
        const value = headers[name.toLowerCase()];
        if (value === undefined) return header['required'] ? `The header ${name} is missing.` : [];
        const schema = header['schema'] as Node;
        const read = schema['type'] === 'integer' ? Number(value) : value;
        return ajv.validate(schema, read) ? [] : `The header ${name} is ${String(value)}.`;
      },
    );
  }

  function bodyFaults(
    pointer: string,
    response: Node,
    method: string,
    { headers, text }: Answered,
  ): string[] {
    if (method === 'HEAD') return text === '' ? [] : ['An answer to HEAD has no body.'];
    const content = (response['content'] ?? {}) as Record<string, unknown>;
    const [type = ''] = String(headers['content-type'] ?? '').split(';');
    // Files are not JSON.
    if (type !== 'application/json' && content[type] !== undefined) return [];
    if (content['application/json'] === undefined)
      return text === '' ? [] : ['It should have no body.'];
    const body = parsed(text);
    if (body === undefined) return ['The body is not JSON.'];
    return jsonFaults(pointer, body);
  }

  /** @param pointer JSON pointer of the object with `content`. */
  function jsonFaults(pointer: string, body: unknown): string[] {
    const key = `openapi#${pointer}/content/application~1json/schema`;
    const validate = ajv.getSchema(key) as ValidateFunction;
    return validate(body) ? [] : (validate.errors ?? []).map(inWords);
  }

  function eventFaults(text: string): string[] {
    const body = parsed(text) as { event?: unknown } | null | undefined;
    const pointer = `/webhooks/${escaped(String(body?.event))}/post/requestBody`;
    if (at(closed, pointer) === undefined)
      return [`The event ${String(body?.event)} is not documented.`];
    return jsonFaults(pointer, body);
  }

  /** Headers that only webhooks have must be documented. */
  function webhookHeaderFaults(headers: Record<string, unknown>): string[] {
    const parameters = (closed['components'] as Node)['parameters'] as Record<string, Node>;
    const documented = Object.values(parameters).filter((one) => one['in'] === 'header');
    const names = new Set(documented.map((one) => String(one['name']).toLowerCase()));
    const unknown = Object.keys(headers).filter(
      (name) => /^(x-)?webhook-/.test(name) && !names.has(name),
    );
    return [
      ...unknown.map((name) => `The header ${name} is not documented.`),
      ...documented.flatMap(({ name, required, schema }) => {
        const value = headers[String(name).toLowerCase()];
        if (value === undefined) return required ? [`The header ${String(name)} is missing.`] : [];
        return ajv.validate(schema as Node, value)
          ? []
          : [`The header ${String(name)} is ${String(value)}.`];
      }),
      ...(headers['content-type'] === 'application/json'
        ? []
        : ['The body is said not to be JSON.']),
    ];
  }

  return {
    document,
    find,
    eventFaults,
    webhookFaults: ({ headers, body }) => [...webhookHeaderFaults(headers), ...eventFaults(body)],
    faultsOf(asked, answered) {
      const { status, headers } = answered;
      const found = find(asked);
      const pointer = responseAt(found, status);
      if (pointer === null)
        return [`The status ${status} is not documented for ${found?.name ?? 'unknown paths'}.`];
      const response = at(closed, pointer)!;
      return [
        ...headerFaults(response, headers),
        ...bodyFaults(pointer, response, asked.method, answered),
      ];
    },
  };
}

function operationsOf(document: OpenApiDocument): (FoundOperation & { form: RegExp })[] {
  // A brace is after all letters, so that literal segments come before parameters.
  const paths = Object.entries(document.paths ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const all = paths.flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = (item as Record<string, { operationId?: string }>)[method];
      if (operation === undefined) return [];
      return { path, method, name: operation.operationId ?? '', form: formOf(path) };
    }),
  );
  // A literal segment takes precedence over a parameter, from the left.
  const wordsOf = ({ path }: FoundOperation) => `${path}{`.indexOf('{');
  return all.toSorted((one, other) => wordsOf(other) - wordsOf(one));
}

/** As the router matches it: a parameter may be empty before a slash, and a trailing slash is ignored. */
function formOf(path: string): RegExp {
  const form = path.replace(/\/$/, '').replace(/\{\w+\}(?=\/)/g, '[^/]*');
  const last = /\{\w+\}$/;
  return new RegExp(last.test(form) ? `^${form.replace(last, '([^/]+/?|/)')}$` : `^${form}/?$`);
}

/** A response has exactly the documented keys. */
function closeObjects(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const schema = node as Node;
  const hasKeys = schema['type'] === 'object' && typeof schema['properties'] === 'object';
  if (hasKeys) schema['additionalProperties'] ??= false;
  for (const [key, child] of Object.entries(node)) if (key !== 'example') closeObjects(child);
}

function at(root: Node, pointer: string): Node | undefined {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  return keys.reduce<Node | undefined>((node, key) => node?.[key] as Node | undefined, root);
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** An encoded slash is part of its segment. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment).replaceAll('/', '_');
  } catch {
    return segment;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function inWords({ instancePath, message, params }: NonNullable<ValidateFunction['errors']>[0]) {
  return `${instancePath || 'The body'} ${message} ${JSON.stringify(params)}`;
}
