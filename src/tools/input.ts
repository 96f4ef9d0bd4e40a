import { z } from 'zod';
import { InvalidInput, invalidField } from '../resources/common/errors.ts';
import type { Operation, Route, RouteFacts } from '../resources/common/operation.ts';
import { digestOf, LIST_ARGUMENTS, positionOf, type Position } from './cursor.ts';
import { jsonSchemaOf, type JsonSchema } from '../lib/json-schema.ts';
import { takesName } from './names.ts';
import { fromTeam } from './target-text.ts';
import type { PathArgument, Tool } from './tool.ts';

/** Arguments of a call, as its operation takes them. */
export interface Arguments {
  /** Path parameters by their name. */
  path: Record<string, string>;
  /** As in a URL: texts, and lists of texts. */
  query: Record<string, string | string[]>;
  /** Undefined for an operation without a body. */
  body: Record<string, unknown> | undefined;
  /** Where a list goes on; the start for other tools. */
  position: Position;
  detail: boolean;
  isDryRun: boolean;
  confirmation: string | null;
}

/** JSON Schema of arguments. */
export type InputSchema = {
  type: 'object';
  properties: Record<string, JsonSchema>;
  required?: string[];
};

/** Input of a tool: its JSON Schema, and how arguments are read. */
export interface ToolInput {
  schema: InputSchema;
  /** Throws InvalidInput with an error for each argument that is unknown or of no use. Values are judged by the operation. */
  read(given: unknown): Arguments;
}

/** A tool with what follows from its operation. */
export interface ReadyTool {
  tool: Tool;
  route: Route;
  input: ToolInput;
}

const DETAIL = { type: 'boolean', description: 'All fields' };
const DRY_RUN = { type: 'boolean', description: 'True by default: changes nothing' };
const CONFIRMATION = { type: 'string', description: 'From the dry run, once a person agreed' };
const PAGING = ['page', 'per_page'];

/** Derives the input of a tool from its operation. */
export function toolInput(tool: Tool, operation: Operation, route: RouteFacts): ToolInput {
  const query = withoutFields(operation.query, [...PAGING, ...(tool.hiddenQuery ?? [])]);
  const body = withoutFields(objectOf(operation.body), tool.hiddenFields ?? []);
  const paths = Object.entries(tool.path ?? {});
  const { properties: parameters = {}, required: requiredQueries = [] } = shapeOf(query);
  const { properties: allFields = {}, required: requiredFields = [] } = shapeOf(body);
  const fields = withoutValues(allFields, tool.hiddenValues ?? {});
  const known: Record<string, JsonSchema> = {
    ...Object.fromEntries(paths.map(([, argument]) => [argument.argument, pathSchema(argument)])),
    ...Object.fromEntries(
      Object.entries(parameters).map(([name, schema]) => [argumentOf(name), schema]),
    ),
    // A field that is left out of a new thing is the same as null.
    ...(route.method === 'POST' ? withoutNulls(fields, tool.nullable ?? []) : fields),
    ...(tool.kind === 'list' && LIST_ARGUMENTS),
    ...(tool.hasDetail && { detail: DETAIL }),
    ...(tool.kind === 'final' && { dry_run: DRY_RUN, confirmation: CONFIRMATION }),
  };
  const properties = Object.fromEntries(
    Object.entries(known).map(([name, schema]) => {
      const said = tool.says?.[name];
      const own = said === undefined ? schema : { ...schema, description: said };
      const isTerse = tool.isTerse === true && Object.hasOwn(fields, name);
      return [name, withNames(name, brief(own, isTerse))];
    }),
  );
  const required = [
    ...paths.map(([, { argument }]) => argument),
    ...requiredQueries.map(argumentOf),
    ...requiredFields,
    ...(tool.required ?? []),
  ];
  const schema: InputSchema = {
    type: 'object',
    properties,
    ...(required.length > 0 && { required: [...new Set(required)] }),
  };

  return {
    schema,
    read(given) {
      const args = argumentsOf(given);
      refuseUnknown(tool.name, args, properties);
      refuseHidden(tool.hiddenValues ?? {}, args, fields);
      // The operation, which judges values, is not called in a dry run.
      if (tool.kind === 'final') requireGiven(tool.required ?? [], args);
      const sent = Object.entries(args).filter(([name]) => Object.hasOwn(fields, name));
      const path = Object.fromEntries(paths.map(([key, one]) => [key, pathValue(one, args)]));
      const chosen = Object.fromEntries(
        Object.keys(parameters).flatMap((name) => inQuery(name, args[argumentOf(name)])),
      );
      const detail = tool.hasDetail === true && flag(args, 'detail', false);
      const of = digestOf([tool.name, path, chosen, detail]);
      return {
        path,
        query: chosen,
        body: body === null ? undefined : Object.fromEntries(sent),
        position: positionOf(tool.kind === 'list' ? args : {}, of),
        detail,
        isDryRun: tool.kind === 'final' && flag(args, 'dry_run', true),
        confirmation: typeof args['confirmation'] === 'string' ? args['confirmation'] : null,
      };
    },
  };
}

/** Arguments of a tool up to which an error names them all. */
const MAX_NAMED = 16;
/** Characters of an unknown name that its error repeats. */
const MAX_UNKNOWN_NAME = 60;

/** What was given, as an object of names and values. Throws InvalidInput for anything else. */
export function argumentsOf(given: unknown): Record<string, unknown> {
  if (given === undefined || given === null) return {};
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw invalidField('arguments', 'must be an object of names and values');
  }
  return given as Record<string, unknown>;
}

/** The API ignores unknown names and says so in a header; a model would not see that its filter did nothing. */
function refuseUnknown(tool: string, args: object, known: object): void {
  const names = Object.keys(known);
  const hint =
    names.length === 0
      ? 'it takes none'
      : names.length > MAX_NAMED
        ? 'tools/list has those it takes'
        : `use ${names.join(', ')}`;
  const unknown = Object.keys(args).filter((name) => !Object.hasOwn(known, name));
  if (unknown.length === 0) return;
  const errors = unknown
    .slice(0, 20)
    .map((name) => fromTeam(name, MAX_UNKNOWN_NAME))
    .map((name) => [name, [`${name} is not an argument of ${tool}: ${hint}.`]]);
  throw new InvalidInput(Object.fromEntries(errors));
}

function refuseHidden(
  hidden: HiddenValues,
  args: Record<string, unknown>,
  fields: Record<string, JsonSchema>,
): void {
  for (const [name, values] of Object.entries(hidden)) {
    if (!values.includes(args[name] as string)) continue;
    throw invalidField(name, `must be one of ${(fields[name]!['enum'] as string[]).join(', ')}`);
  }
}

function requireGiven(names: readonly string[], args: Record<string, unknown>): void {
  const missing = names.filter((name) => args[name] === undefined || args[name] === null);
  if (missing.length === 0) return;
  throw new InvalidInput(
    Object.fromEntries(missing.map((name) => [name, [`${name} is required.`]])),
  );
}

function flag(args: Record<string, unknown>, name: string, byDefault: boolean): boolean {
  const value = args[name] ?? byDefault;
  if (typeof value !== 'boolean') throw invalidField(name, 'must be true or false');
  return value;
}

function pathValue({ argument, type }: PathArgument, args: Record<string, unknown>): string {
  const value = args[argument];
  if (type === 'string') {
    if (typeof value !== 'string' || value === '') throw invalidField(argument, 'must be text');
    return value;
  }
  // Some models send numbers as texts.
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  if (!Number.isSafeInteger(number) || Number(number) < 1) {
    throw invalidField(argument, 'is required: give an id, a whole number of at least 1');
  }
  return String(number);
}

/** Name of a query parameter as an argument: `monitors` for `monitors[]`, since some clients refuse other characters. */
function argumentOf(parameter: string): string {
  return parameter.replace(/\[\]$/, '');
}

/** A value as a URL has it; nothing for null. */
function inQuery(name: string, value: unknown): [string, string | string[]][] {
  if (value === null || value === undefined) return [];
  const argument = argumentOf(name);
  if (Array.isArray(value)) return [[name, value.map((one) => scalarText(argument, one))]];
  return [[name, scalarText(argument, value)]];
}

function scalarText(name: string, value: unknown): string {
  if (typeof value === 'object')
    throw invalidField(name, 'must be text, a number or a list of them');
  return String(value);
}

function pathSchema({ type = 'integer', description }: PathArgument): JsonSchema {
  return { type, ...(description !== undefined && { description }) };
}

/** What a model needs no warning of: a value out of these bounds is refused with a sentence. */
const BOUNDS = new Set(
  'minimum maximum minLength maxLength minItems maxItems minProperties uniqueItems pattern format propertyNames'.split(
    ' ',
  ),
);
/** What a model learns of a field from the tool that describes it. */
const DESCRIBED_ELSEWHERE = new Set(['description', 'enum', 'properties', 'required']);
/** Characters of a description after which its next sentence is left out, and what follows a colon. */
const LONG_ENOUGH = 60;

/** A schema without bounds and what follows the first sentences of its descriptions, since models read all schemas each time. */
function brief(schema: JsonSchema, isTerse: boolean): JsonSchema {
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (BOUNDS.has(key) || value === false) return [];
    if (isTerse && DESCRIBED_ELSEWHERE.has(key)) return [];
    if (key === 'description') return [[key, firstSentences(String(value))]];
    if (key === 'properties') return [[key, briefly(value as Record<string, JsonSchema>, isTerse)]];
    if (key === 'anyOf')
      return alternatives((value as JsonSchema[]).map((one) => brief(one, isTerse)));
    if (key === 'items' || (key === 'additionalProperties' && typeof value === 'object'))
      return [[key, brief(value as JsonSchema, isTerse)]];
    return [[key, value]];
  });
  return Object.fromEntries(entries);
}

function briefly(fields: Record<string, JsonSchema>, isTerse: boolean): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, one]) => [name, brief(one, isTerse)]),
  );
}

const isMore = (one: JsonSchema) => Object.keys(one).some((key) => key !== 'type');
/** The types of a schema, and text. */
const orText = ({ type }: JsonSchema) => [...new Set([type, 'string'].flat())];

/** Alternatives, as one schema with several types where at most one of them says more than its type. */
function alternatives(all: readonly JsonSchema[]): [string, unknown][] {
  if (all.filter(isMore).length > 1) return [['anyOf', all]];
  const types = [...new Set(all.flatMap((one) => one['type'] ?? []))];
  const type = types.length === 1 ? types[0] : types;
  return Object.entries({ ...all.find(isMore), ...(types.length > 0 && { type }) });
}

function firstSentences(text: string): string {
  const sentences = text.replaceAll('`', '').split(/(?<=[.;])\s+/);
  let kept = sentences[0]!;
  for (const sentence of sentences.slice(1)) {
    if (kept.length + sentence.length > LONG_ENOUGH) break;
    kept += ` ${sentence}`;
  }
  return kept.replace(/[.;]$/, '').replace(new RegExp(`^(.{${LONG_ENOUGH},}?): .*$`), '$1');
}

/** The schema of an argument that takes names in place of ids. */
function withNames(name: string, schema: JsonSchema): JsonSchema {
  if (!takesName(name)) return schema;
  const { items, description: said = 'Id' } = schema;
  const description = String(said).replace(/^Id(s?)\b(?!,)/, 'Id$1 or name$1');
  return items === undefined
    ? { ...schema, type: orText(schema), description }
    : { ...schema, items: { type: orText(items as JsonSchema) }, description };
}

function objectOf(body: z.ZodType | undefined): z.ZodObject | undefined {
  if (body === undefined || body instanceof z.ZodObject) return body;
  throw new Error('The body of an operation with a tool must be an object.');
}

function withoutFields(schema: z.ZodObject | undefined, hidden: readonly string[]) {
  if (schema === undefined) return null;
  const names = hidden.filter((name) => Object.hasOwn(schema.shape, name));
  return schema.omit(Object.fromEntries(names.map((name) => [name, true])) as never) as z.ZodObject;
}

type HiddenValues = Readonly<Record<string, readonly string[]>>;

/** Schemas without some of the values that they list. */
function withoutValues(
  fields: Record<string, JsonSchema>,
  hidden: HiddenValues,
): Record<string, JsonSchema> {
  const changed = Object.entries(hidden).map(([name, values]) => {
    const listed = fields[name]!['enum'] as string[];
    return [name, { ...fields[name], enum: listed.filter((one) => !values.includes(one)) }];
  });
  return { ...fields, ...Object.fromEntries(changed) };
}

function shapeOf(schema: z.ZodObject | null): Partial<InputSchema> {
  return schema === null ? {} : (jsonSchemaOf(schema, 'input') as Partial<InputSchema>);
}

/** Schemas without the alternative null. @param nullable fields that keep it. */
function withoutNulls(fields: Record<string, JsonSchema>, nullable: readonly string[]) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [
      name,
      nullable.includes(name) ? schema : withoutNull(schema),
    ]),
  );
}

function withoutNull(schema: JsonSchema): JsonSchema {
  const { anyOf, type, ...rest } = schema;
  if (Array.isArray(anyOf)) {
    const others = (anyOf as JsonSchema[]).filter((one) => one['type'] !== 'null');
    return others.length === 1 ? { ...others[0], ...rest } : { ...rest, anyOf: others };
  }
  if (!Array.isArray(type)) return schema;
  const types = type.filter((one) => one !== 'null');
  return { ...rest, type: types.length === 1 ? types[0] : types };
}
