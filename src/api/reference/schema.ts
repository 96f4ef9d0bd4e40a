import { escapeHtml } from '../../lib/text.ts';
import { inline } from './markdown.ts';
import { nameOf, type Schema } from './openapi.ts';

/** Id of the section that describes a named schema. */
export function schemaId(name: string): string {
  return `schema-${name}`;
}

/**
 * Renders the fields of an object schema as a table: name, type with its limits, description. Fields of nested objects
 * without a name of their own follow theirs, with a dotted name. Empty for a schema that is no object.
 */
export function renderFields(schema: Schema): string {
  const rows = rowsOf(schema, '');
  if (rows.length === 0) return '';
  return `<table class="fields"><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows.join('')}</tbody></table>`;
}

/** Renders the type of a schema as HTML: `integer, 1 to 60, or null`, with links to named schemas. */
export function renderType(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    return `<a href="#${schemaId(name)}">${escapeHtml(name)}</a>`;
  }
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) return joined(variants.map(renderType), 'or');
  if (schema.const !== undefined) return code(schema.const);
  const types = typesOf(schema);
  const isNullable = types.includes('null') && types.length > 1;
  const limits = limitsOf(schema);
  if (schema.enum !== undefined) return joined(schema.enum.map(code), 'or');
  const text = [typeName(schema), ...limits].join(', ');
  return isNullable ? `${text}, or null` : text;
}

function rowsOf(schema: Schema, prefix: string): string[] {
  const objects = [schema, ...(schema.anyOf ?? [])].filter(({ properties }) => properties);
  return objects.flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).flatMap(([name, field]) => {
      const path = prefix + name;
      const marker = required.includes(name) ? ' <span class="required">required</span>' : '';
      const row = `<tr><th scope="row"><code>${escapeHtml(path)}</code>${marker}</th><td>${renderType(field)}</td><td>${inline(field.description ?? '')}</td></tr>`;
      return [row, ...rowsOf(elementOf(field), `${path}${isList(field) ? '[]' : ''}.`)];
    }),
  );
}

/** Schema of a list's elements; the schema itself for anything else. */
function elementOf(schema: Schema): Schema {
  return schema.items ?? schema;
}

function isList(schema: Schema): boolean {
  return schema.items !== undefined;
}

function typesOf({ type }: Schema): string[] {
  return type === undefined ? [] : [type].flat();
}

function typeName(schema: Schema): string {
  const types = typesOf(schema);
  const [type = types[0] ?? 'any value', ...others] = types.filter((name) => name !== 'null');
  if (type === 'array')
    return schema.items === undefined ? 'list' : `list of ${renderType(schema.items)}`;
  if (type === 'object' && typeof schema.additionalProperties === 'object')
    return `object of ${renderType(schema.additionalProperties)}`;
  if (schema.format === 'date-time') return 'time';
  return joined(
    [schema.format === undefined ? type : `${type} (${schema.format})`, ...others],
    'or',
  );
}

function limitsOf(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema;
  return [
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' items'),
    schema.uniqueItems === true ? 'each once' : '',
    pattern === undefined ? '' : `pattern ${code(pattern)}`,
    schema.default === undefined ? '' : `default ${code(schema.default)}`,
  ].filter((text) => text !== '');
}

/** @param unit with a leading space. */
function range(from: number | undefined, to: number | undefined, unit: string): string {
  // The largest safe integer is the type's own limit, and says nothing.
  const end = to === Number.MAX_SAFE_INTEGER ? undefined : to;
  const start = from === Number.MIN_SAFE_INTEGER ? undefined : from;
  if (start === undefined && end === undefined) return '';
  if (start === end) return `${start}${unit}`;
  if (start === undefined) return `at most ${end}${unit}`;
  return end === undefined ? `at least ${start}${unit}` : `${start} to ${end}${unit}`;
}

function code(value: unknown): string {
  return `<code>${escapeHtml(typeof value === 'string' ? value : JSON.stringify(value))}</code>`;
}

function joined(parts: string[], word: 'or'): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1)}`;
}
