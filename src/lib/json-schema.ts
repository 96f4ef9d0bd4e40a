import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/**
 * JSON Schema of a zod schema as the reference documents it, without references: some clients don't follow them.
 *
 * @param io whether it describes what is accepted or what is answered.
 */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const made = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { override, description } = (z.globalRegistry.get(zodSchema as unknown as z.ZodType) ??
        {}) as Documented;
      if (typeof override === 'function') override({ jsonSchema });
      else if (override !== undefined) Object.assign(jsonSchema, override);
      delete jsonSchema['override' as never];
      // An override may replace all there is.
      if (description !== undefined) jsonSchema.description ??= description;
      // What any whole number has says nothing.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      delete jsonSchema.id;
      delete jsonSchema['examples' as never];
    },
  });
  const { $schema: _version, $defs: named = {}, ...schemaOnly } = made as JsonSchema;
  return inline(schemaOnly, named as Record<string, JsonSchema>) as JsonSchema;
}

interface Documented {
  description?: string;
  override?: JsonSchema | ((context: { jsonSchema: JsonSchema }) => void);
}

function inline(value: unknown, named: Record<string, JsonSchema>): unknown {
  if (Array.isArray(value)) return value.map((one) => inline(one, named));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref: reference, ...own } = value as JsonSchema;
  if (typeof reference === 'string') {
    const target = named[reference.replace('#/$defs/', '')] ?? {};
    return inline({ ...target, ...own }, named);
  }
  return Object.fromEntries(Object.entries(own).map(([name, one]) => [name, inline(one, named)]));
}
