/** Generates what the dashboard knows of the API, `web/app/*.gen.ts`, from openapi.json. */

import { IMPORTERS } from '../src/configuration/import/index.ts';
import type { Refers } from '../src/monitor-types/field.ts';
import { DEFINITIONS } from '../src/monitor-types/registry.ts';
import { FIELD_LIST } from '../src/monitor-types/settings.ts';
import { COLLECTIONS } from '../src/resources/nouns.ts';

/** Paths whose answers are streams, which no call reads. */
const STREAMS = ['/events'];
/** Types of what such a stream brings, which the dashboard reads by itself. */
const STREAMED = ['ResultEvent', 'SettingsEvent'];
const HEAD = '// Generated from openapi.json by "npm run generate".\n';

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    requestBodies?: Record<string, Content>;
    responses: Record<string, Content>;
  };
}

interface Operation {
  operationId: string;
  parameters?: (Parameter | Reference)[];
  requestBody?: Content | Reference;
  responses: Record<string, Content | Reference>;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}

interface Content {
  content?: Record<string, { schema: Schema }>;
}

interface Reference {
  $ref: string;
}

/** As much of a JSON schema as types and the limits of forms are made of. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  maxLength?: number | undefined;
  minimum?: number;
  maximum?: number | undefined;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

/**
 * The operations, and the types that they name.
 *
 * Types are printed here and not imported from `src`: a check of `web` would then check all of `src` with it, in four
 * times the time.
 *
 * @param text openapi.json.
 */
export function clientTypes(text: string): string {
  const document = JSON.parse(text) as Document;
  for (const stream of STREAMS) delete document.paths[stream];
  const operations = Object.entries(document.paths).flatMap(([url, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      at: `${method.toUpperCase()} ${url}`,
    })),
  );
  const needed = new Set(STREAMED);
  const texts = [
    HEAD,
    'export const OPERATIONS = {\n',
    ...operations.map(({ operationId, at }) => `  ${operationId}: '${at}',\n`),
    '} as const;\n\nexport interface Operations {\n',
    ...operations.map((operation) => operationLine(operation, document, needed)),
    '}\n',
  ];
  // Grows while it is read.
  for (const name of needed)
    texts.push(
      `\nexport type ${name} = ${typeOf(document.components.schemas[name]!, needed, '\n  ')};\n`,
    );
  return texts.join('');
}

/** What an operation takes and answers. @param needed gets the names of the types in it. */
function operationLine(operation: Operation, { components }: Document, needed: Set<string>) {
  const { operationId, parameters = [], requestBody, responses } = operation;
  const all = parameters.map((one) => resolved(one, components.parameters));
  const input = ['path', 'query'].flatMap((place) => {
    const here = all.filter((parameter) => parameter.in === place);
    const required = here.filter((parameter) => parameter.required).map(({ name }) => name);
    const properties = Object.fromEntries(here.map(({ name, schema }) => [name, schema]));
    const type = typeOf({ type: 'object', properties, required }, needed);
    return here.length === 0 ? [] : `${place}${required.length > 0 ? '' : '?'}: ${type}`;
  });
  const body = requestBody && resolved(requestBody, components.requestBodies);
  input.push(...jsonOf(body).map((schema) => `body: ${typeOf(schema, needed)}`));
  const answers = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, answer]) => jsonOf(resolved(answer, components.responses)))
    .map((schema) => typeOf(schema, needed));
  const answer = answers.length === 0 ? 'void' : answers.join(' | ');
  return `  ${operationId}: { input: { ${input.join('; ')} }; answer: ${answer} };\n`;
}

function resolved<Thing extends object>(
  thing: Thing | Reference,
  named: Record<string, Thing> = {},
): Thing {
  return '$ref' in thing ? named[nameIn(thing.$ref)]! : thing;
}

const nameIn = (reference: string) => reference.split('/').at(-1)!;

function jsonOf(part: Content | undefined): Schema[] {
  const { schema } = part?.content?.['application/json'] ?? {};
  return schema === undefined ? [] : [schema];
}

/** A schema as a TypeScript type. @param between what stands between the fields of an object */
function typeOf(schema: Schema, needed: Set<string>, between = ' '): string {
  const { $ref, type, anyOf, oneOf, items, properties = {}, required = [] } = schema;
  if ($ref !== undefined) {
    needed.add(nameIn($ref));
    return nameIn($ref);
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  const parts = anyOf ?? oneOf;
  if (parts !== undefined) return parts.map((part) => typeOf(part, needed)).join(' | ');
  const kinds = [type ?? []].flat().map((kind) => {
    if (kind === 'integer') return 'number';
    if (kind === 'array') return `(${typeOf(items!, needed)})[]`;
    if (kind !== 'object') return kind;
    const named = Object.entries(properties).map(
      ([name, part]) =>
        `${/^\w+$/.test(name) ? name : `'${name}'`}${required.includes(name) ? '' : '?'}: ${typeOf(part, needed)}`,
    );
    const { additionalProperties: more = false } = schema;
    if (more !== false)
      named.push(`[key: string]: ${more === true ? 'unknown' : typeOf(more, needed)}`);
    return `{${named.map((line) => `${between}${line};`).join('')}${between.replace('  ', '')}}`;
  });
  return kinds.length === 0 ? 'unknown' : kinds.join(' | ');
}

/** Operations whose bodies forms of the dashboard fill in. Those that change a thing take what its creation takes. */
const FORMS = /^(create(?!Monitors$)|start|set(?!StatusPage)|update(Account|Team)$)/;

/** What the fields of bodies may hold, as data: no schema reaches the browser. @param text openapi.json */
export function clientLimits(text: string): string {
  const { paths, components } = JSON.parse(text) as Document;
  const lines = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId: name, requestBody }) => {
      const [schema] = jsonOf(requestBody && resolved(requestBody, components.requestBodies));
      if (!FORMS.test(name) || schema === undefined) return [];
      const limits = Object.fromEntries(limitsOf(schema, '', components.schemas));
      if (Object.keys(limits).length === 0) return [];
      const noun = name.replace(/^create/, '').replace(/(?<=[a-z])(?=[A-Z])/g, '_');
      return [`export const ${noun.toUpperCase()}: Limits = ${JSON.stringify(limits)};\n`];
    });
  const type = `/** What fields may hold, by their names; those of the parts of a list have no number in them. */
export type Limits = Readonly<Record<string, { maxLength?: number; min?: number; max?: number; choices?: readonly string[] }>>;\n\n`;
  return HEAD + type + lines.join('') + monitorFields();
}

function monitorFields(): string {
  const fields = FIELD_LIST.map(({ name, field }) => {
    const { output, unset, usedBy, group, unit, card } = field;
    const isWritten = ['number', 'boolean', 'string'].includes(typeof unset);
    const of = usedBy ?? group;
    return [name, { of, kind: output.type, unset: isWritten ? unset : undefined, unit, card }];
  });
  return `\n/** Fields of monitors: the types that use them, all unless given, and what their controls are made of. */
export const MONITOR_FIELDS = ${JSON.stringify(Object.fromEntries(fields))} as const;\n`;
}

/** What the dashboard asks of the types of monitors, as data. */
export function clientMonitorTypes(): string {
  const types = DEFINITIONS.map(({ name, takes, checkTypes, defaults }) => [
    name,
    { takes, checkTypes, defaults },
  ]);
  return `${HEAD}/** All types of monitors, in the order in which they are offered. */
export const MONITOR_TYPES = ${JSON.stringify(Object.fromEntries(types))} as const;\n`;
}

function limitsOf(schema: Schema, name: string, named: Record<string, Schema>): [string, object][] {
  if (schema.$ref !== undefined) return limitsOf(named[nameIn(schema.$ref)]!, name, named);
  const { enum: choices, maxLength, minimum: min, maximum: max, items, properties = {} } = schema;
  const limits = {
    ...(choices !== undefined && { choices: choices.filter((choice) => choice !== null) }),
    ...(maxLength !== undefined && { maxLength }),
    // An id, or a number as large as its column, has no limit that a person meets.
    ...(max !== undefined && max < 2_147_483_647 && { min, max }),
  };
  const parts = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => list ?? []);
  // A limit of each part of a list is none of the field in which they are typed.
  if (items !== undefined) parts.push({ ...items, maxLength: undefined, maximum: undefined });
  return [
    ...(Object.keys(limits).length > 0 ? [[name, limits] as [string, object]] : []),
    ...parts.flatMap((part) => limitsOf(part, name, named)),
    ...Object.entries(properties).flatMap(([key, part]) =>
      limitsOf(part, name === '' ? key : `${name}.${key}`, named),
    ),
  ];
}

/** The services whose files are read, and where their things refer to others. */
export function clientImporters(): string {
  const services = IMPORTERS.map(({ name, title, takes }) => ({ name, title, takes }));
  const fieldsBySection = new Map<string, (readonly [string, Refers | undefined])[]>([
    ['monitors', FIELD_LIST.map(({ name, field }) => [name, field.refers])],
    ...COLLECTIONS.map(({ kinds, fields }) => {
      const all = Object.entries(fields).map(([name, { refers }]) => [name, refers] as const);
      return [kinds, all] as const;
    }),
  ]);
  const references = [...fieldsBySection].flatMap(([section, fields]) => {
    const referring = fields.filter(([, refers]) => refers !== undefined);
    return referring.length === 0 ? [] : [[section, Object.fromEntries(referring)] as const];
  });
  return `// Generated from src/configuration/import by "npm run generate".
/** Services whose files are read, in the order in which they are offered. */
export const IMPORTERS: readonly { name: string; title: string; takes: string }[] = ${JSON.stringify(services)};

/** What the fields of items refer to: sections of the document, by section and field. */
export interface References { [field: string]: string | References }
export const REFERENCES: Readonly<Record<string, References>> = ${JSON.stringify(Object.fromEntries(references))};
`;
}
