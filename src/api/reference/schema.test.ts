import { expect, test } from 'vitest';
import type { Schema } from './openapi.ts';
import { renderFields, renderType } from './render.ts';

/** Without the elements of HTML. */
const text = (html: string) => html.replaceAll(/<[^>]+>/g, '');

test.each<[schema: Schema, shown: string]>([
  [{ type: 'string' }, 'string'],
  [{}, 'any value'],
  [{ type: ['string', 'null'] }, 'string, or null'],
  [{ type: 'integer', minimum: 1, maximum: 60 }, 'integer, 1 to 60'],
  [{ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, 'integer, at least 1'],
  [{ type: 'number', maximum: 0.5 }, 'number, at most 0.5'],
  [
    { type: ['string', 'null'], minLength: 1, maxLength: 255 },
    'string, 1 to 255 characters, or null',
  ],
  [{ type: 'string', minLength: 3, maxLength: 3 }, 'string, 3 characters'],
  [{ type: 'string', format: 'date-time' }, 'time'],
  [{ type: 'string', format: 'uri' }, 'string (uri)'],
  [{ type: 'string', pattern: '^[1-5]<' }, 'string, pattern ^[1-5]&lt;'],
  [{ type: ['string', 'null'], enum: ['a', 'b', null] }, 'a, b or null'],
  [{ const: 'monitor.down' }, 'monitor.down'],
  [{ type: ['string', 'number'] }, 'string or number'],
  [{ type: 'array', items: { type: 'string' }, maxItems: 20 }, 'list of string, at most 20 items'],
  [{ type: 'array', items: { $ref: '#/components/schemas/Monitor' } }, 'list of Monitor'],
  [{ type: 'object', additionalProperties: { type: 'string' } }, 'object of string'],
  [{ anyOf: [{ $ref: '#/components/schemas/Team' }, { type: 'null' }] }, 'Team or null'],
  [{ type: 'boolean', default: true }, 'boolean, default true'],
])('the type of %j', (schema, shown) => {
  expect(text(renderType(schema))).toBe(shown);
});

test('a named schema is a link to its section', () => {
  const html = renderType({ $ref: '#/components/schemas/Monitor' });
  expect(html).toBe('<a href="#schema-Monitor">Monitor</a>');
});

test('fields of nested objects and lists follow with dotted names; descriptions are Markdown, never HTML', () => {
  const html = renderFields({
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'integer', description: 'Of the `monitor` <b>here</b>.' },
      status: { type: 'object', properties: { current: { type: 'string' } } },
      services: {
        type: 'array',
        items: { type: 'object', properties: { label: { type: 'string' } } },
      },
    },
  });
  expect(Array.from(html.matchAll(/scope="row"><code>([^<]+)/g), ([, name]) => name)).toEqual([
    'id',
    'status',
    'status.current',
    'services',
    'services[].label',
  ]);
  expect(html).toContain('<code>id</code> <span class="required">required</span>');
  expect(html).toContain('Of the <code>monitor</code> &lt;b>here&lt;/b>.');
});

test('a schema without fields has no table', () => {
  expect(renderFields({ type: 'string' })).toBe('');
});
