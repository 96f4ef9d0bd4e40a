/** Generates the dashboard's types of the API, `web/client`, from openapi.json. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import ts from 'typescript';

/** Paths whose answers are streams, which no call reads. */
const STREAMS = ['/events'];
/** Types of what such a stream brings, which the dashboard reads by itself. */
const STREAMED = ['ResultEvent', 'SettingsEvent'];
const HEAD = '// Generated from openapi.json by "npm run generate".\n';

interface Operation {
  operationId: string;
  requestBody?: { content: Record<string, { schema: Schema }> };
}

/** As much of a JSON schema as says what a form lets people type. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  maxLength?: number | undefined;
  minimum?: number;
  maximum?: number | undefined;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

/**
 * Generates the files of the client: the operations, and the types that they name.
 *
 * @param document text of openapi.json.
 * @returns the texts by path below `web/client`; without comments, which repeat the reference.
 */
export async function clientFiles(document: string): Promise<Map<string, string>> {
  const input = JSON.parse(document) as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  };
  for (const stream of STREAMS) delete input.paths[stream];
  const operations = Object.entries(input.paths).flatMap(([url, methods]) =>
    Object.entries(methods).map(([method, { operationId: name }]) => ({ name, method, url })),
  );
  const folder = await mkdtemp(path.join(tmpdir(), 'tocsin-client-'));
  try {
    await createClient({
      input,
      output: { path: folder, entryFile: false },
      plugins: ['@hey-api/typescript'],
      logs: { level: 'silent', file: false },
    });
    const text = await readFile(path.join(folder, 'types.gen.ts'), 'utf8');
    const roots = operations.flatMap(({ name }) => [inputOf(name), answersOf(name)]);
    return new Map([
      ['fields.gen.ts', fieldsFile(input)],
      ['operations.gen.ts', operationsFile(operations)],
      ['types.gen.ts', HEAD + neededTypes(text, new Set([...roots, ...STREAMED]))],
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const typeName = (name: string) => name.slice(0, 1).toUpperCase() + name.slice(1);
const inputOf = (name: string) => `${typeName(name)}Data`;
const answersOf = (name: string) => `${typeName(name)}Responses`;

function operationsFile(
  operations: readonly { name: string; method: string; url: string }[],
): string {
  return [
    HEAD,
    "import type * as types from './types.gen.ts';\n\n",
    'export const OPERATIONS = {\n',
    ...operations.map(({ name, method, url }) => `  ${name}: '${method.toUpperCase()} ${url}',\n`),
    '} as const;\n\nexport interface Operations {\n',
    ...operations.map(
      ({ name }) =>
        `  ${name}: { input: types.${inputOf(name)}; answers: types.${answersOf(name)} };\n`,
    ),
    '}\n',
  ].join('');
}

/** Operations whose bodies forms of the dashboard fill in. Those that change a thing take what its creation takes. */
const FORMS = /^(create(?!Monitors$)|start|set(?!StatusPageLogo)|update(Account|Team)$)/;

/** What the fields of bodies may hold, as data: no schema reaches the browser. */
function fieldsFile({
  paths,
  components,
}: {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}): string {
  const lines = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId: name, requestBody }) => {
      const schema = requestBody?.content['application/json']?.schema;
      if (!FORMS.test(name) || schema === undefined) return [];
      const limits = Object.fromEntries(limitsOf(schema, '', components.schemas));
      if (Object.keys(limits).length === 0) return [];
      const noun = name.replace(/^create/, '').replace(/(?<=[a-z])(?=[A-Z])/g, '_');
      return [`export const ${noun.toUpperCase()}: Limits = ${JSON.stringify(limits)};\n`];
    });
  const type = `/** What fields may hold, by their names; those of the parts of a list have no number in them. */
export type Limits = Readonly<Record<string, { maxLength?: number; min?: number; max?: number; choices?: readonly string[] }>>;\n\n`;
  return HEAD + type + lines.join('');
}

function limitsOf(schema: Schema, name: string, named: Record<string, Schema>): [string, object][] {
  if (schema.$ref !== undefined)
    return limitsOf(named[schema.$ref.split('/').at(-1)!]!, name, named);
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

/** The types with these names and those that they name, without comments. */
function neededTypes(text: string, needed: Set<string>): string {
  const file = ts.createSourceFile('types.gen.ts', text, ts.ScriptTarget.Latest);
  const declared = new Map(
    file.statements
      .filter((statement) => ts.isTypeAliasDeclaration(statement))
      .map((statement) => [statement.name.text, statement]),
  );
  const visit = (node: ts.Node): void => {
    if (ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName))
      needed.add(node.typeName.text);
    ts.forEachChild(node, visit);
  };
  // Grows while it is read.
  for (const name of needed) {
    const declaration = declared.get(name);
    if (declaration !== undefined) visit(declaration);
  }
  const printer = ts.createPrinter({ removeComments: true });
  return [...declared]
    .filter(([name]) => needed.has(name))
    .map(([, declaration]) => `${printer.printNode(ts.EmitHint.Unspecified, declaration, file)}\n`)
    .join('');
}
