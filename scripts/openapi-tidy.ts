import type { oas31 } from 'zod-openapi';

/**
 * Simplifies generated schemas. Objects stay open, since clients must accept fields that are added later; the tests
 * close them. Bounds of safe integers and types of keys are omitted.
 */
export function tidy(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  for (const child of Object.values(node)) tidy(child);
  const schema = node as Record<string, unknown>;
  if (schema['additionalProperties'] === false) delete schema['additionalProperties'];
  if (isEmptyObject(schema['additionalProperties'])) schema['additionalProperties'] = true;
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (schema['type'] === 'object') delete schema['propertyNames'];
  // The format implies the pattern.
  if (schema['format'] === 'date-time') delete schema['pattern'];
  joinWithNull(schema);
}

/** `{ anyOf: [{ type: 'integer', … }, { type: 'null' }] }` is `{ type: ['integer', 'null'], … }`. */
function joinWithNull(schema: Record<string, unknown>): void {
  const [one, other, ...more] = (schema['anyOf'] ?? []) as Record<string, unknown>[];
  if (one === undefined || other?.['type'] !== 'null' || more.length > 0) return;
  if (typeof one['type'] !== 'string' || 'const' in one) return;
  const { type, enum: values, ...rest } = one;
  delete schema['anyOf'];
  Object.assign(schema, { type: [type, 'null'], ...rest, ...schema });
  if (Array.isArray(values)) schema['enum'] = [...values, null];
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Makes a component of each parameter that is the same in several operations; a description is said once. */
export function shareParameters(document: oas31.OpenAPIObject): void {
  const components = (document.components!.parameters ??= {});
  const uses = Map.groupBy(inlineParameters(document), ({ parameter }) =>
    JSON.stringify(parameter),
  );
  for (const alike of uses.values()) {
    const [{ parameter, tag }] = alike as [InlineParameter];
    const schema = parameter.schema as oas31.SchemaObject;
    if (schema.description === parameter.description) delete schema.description;
    if (alike.length === 1) continue;
    const short = nameOfParameter(parameter);
    const name = Object.hasOwn(components, short) ? pascalCase(tag) + short : short;
    if (Object.hasOwn(components, name))
      throw new Error(`Two shared parameters are named ${name}.`);
    components[name] = parameter;
    for (const { place } of alike) place({ $ref: `#/components/parameters/${name}` });
  }
}

interface InlineParameter {
  parameter: oas31.ParameterObject;
  /** Subject of the operation. */
  tag: string;
  place: (reference: oas31.ReferenceObject) => void;
}

function inlineParameters({ paths = {} }: oas31.OpenAPIObject): InlineParameter[] {
  const operations = Object.values(paths).flatMap((item) => Object.values(item)) as {
    tags: [string];
    parameters?: (oas31.ParameterObject | oas31.ReferenceObject)[];
  }[];
  return operations.flatMap(({ tags: [tag], parameters = [] }) =>
    parameters.flatMap((parameter, index) =>
      '$ref' in parameter
        ? []
        : [{ parameter, tag, place: (reference) => void (parameters[index] = reference) }],
    ),
  );
}

/** `MonitorId` for what is described as `Id of the monitor.`, and `PerPage` for `per_page`. */
function nameOfParameter({ name, description = '' }: oas31.ParameterObject): string {
  const [, noun] = /^Id of the ([\w-]+)\.$/.exec(description) ?? [];
  return noun === undefined ? pascalCase(name) : `${pascalCase(noun)}Id`;
}

function pascalCase(words: string): string {
  return words.replaceAll(/(?:^|[-_ ])(\w)/g, (_all, letter: string) => letter.toUpperCase());
}

/** Levels of the document that have lines of their own. Indenting all of them would double the size of the file. */
const LEVELS = 4;

/** The document as JSON, with a line for each part of an operation and each field of a schema. */
export function printed(document: oas31.OpenAPIObject): string {
  const texts = Object.entries(document).map(
    ([key, value]) =>
      `${JSON.stringify(key)}:${inLines(value, key === 'components' ? LEVELS : LEVELS - 1)}`,
  );
  return `{\n${texts.join(',\n')}\n}`;
}

function inLines(value: unknown, levels: number): string {
  if (levels === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value))
    return `[\n${value.map((one) => inLines(one, levels - 1)).join(',\n')}\n]`;
  const texts = Object.entries(value).map(
    ([key, child]) => `${JSON.stringify(key)}:${inLines(child, levels - 1)}`,
  );
  return `{\n${texts.join(',\n')}\n}`;
}
