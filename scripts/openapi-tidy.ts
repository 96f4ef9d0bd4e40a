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
