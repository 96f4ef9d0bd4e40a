import { expect, it } from 'vitest';
import { z } from 'zod';
import { jsonSchemaOf } from '../lib/json-schema.ts';

it('writes what is named elsewhere in its place, since some clients follow no references', () => {
  const named = z.object({ id: z.int() }).meta({ id: 'Named' });
  const schema = jsonSchemaOf(z.object({ one: named, all: z.array(named) }), 'output');
  expect(JSON.stringify(schema)).not.toMatch(/\$ref|\$defs|\$schema|Named/);
  const of = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
  expect(schema['properties']).toMatchObject({ one: of, all: { items: of } });
});

it('leaves out limits that any whole number has, and examples', () => {
  expect(jsonSchemaOf(z.int().meta({ examples: [1] }), 'input')).toEqual({ type: 'integer' });
  expect(jsonSchemaOf(z.int().min(1), 'input')).toEqual({ type: 'integer', minimum: 1 });
});

it('takes what the reference says instead of a schema', () => {
  const instead = z.unknown().meta({ override: { type: 'string', format: 'date' } });
  expect(jsonSchemaOf(instead, 'input')).toEqual({ type: 'string', format: 'date' });
  const change = z.string().meta({
    override: ({ jsonSchema }: { jsonSchema: object }) =>
      Object.assign(jsonSchema, { pattern: 'x' }),
  });
  expect(jsonSchemaOf(change, 'input')).toEqual({ type: 'string', pattern: 'x' });
});

it('keeps a property that is called id', () => {
  const schema = jsonSchemaOf(z.object({ id: z.string(), examples: z.string() }), 'input');
  expect(Object.keys(schema['properties'] as object)).toEqual(['id', 'examples']);
});
