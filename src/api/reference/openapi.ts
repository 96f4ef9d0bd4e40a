/** The parts of OpenAPI 3.1 that `openapi.json` uses. A `$ref` names a component by its JSON pointer. */

export interface Reference {
  $ref: string;
}

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  default?: unknown;
}

export type Content = Record<string, { schema?: Schema; example?: unknown }>;

export interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

export interface Header {
  description?: string;
}

export interface Response {
  description: string;
  headers?: Record<string, Header | Reference>;
  content?: Content;
}

export interface Operation {
  tags: string[];
  operationId: string;
  summary: string;
  description?: string;
  /** An empty list: no authentication. */
  security?: object[];
  parameters?: (Parameter | Reference)[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, Response | Reference>;
}

export type PathItem = Record<string, Operation>;

export interface OpenApiDocument {
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, PathItem>;
  webhooks: Record<string, PathItem>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Response>;
    parameters: Record<string, Parameter>;
    headers: Record<string, Header>;
  };
}

/** Returns a component for a reference to it, and anything else as it is. Throws for an unknown component. */
export function resolve<T extends object>(document: OpenApiDocument, value: T | Reference): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T;
  const steps = value.$ref.replace(/^#\//, '').split('/');
  const found = steps.reduce<unknown>(
    (node, step) => (node as Record<string, unknown> | undefined)?.[step],
    document,
  );
  if (found === undefined) throw new Error(`openapi.json has no ${value.$ref}.`);
  return found as T;
}

export function nameOf(reference: string): string {
  return reference.split('/').at(-1)!;
}
