import { ITEM_KEY, MAX_KEY_LENGTH, SECTIONS, SET_NAME } from '../../configuration/document.ts';
import { jsonSchemaOf, type JsonSchema } from '../../lib/json-schema.ts';
import type { Refers } from '../../monitor-types/field.ts';
import { FIELD_LIST } from '../../monitor-types/settings.ts';
import type { AnyCollection } from '../common/collection.ts';
import { requestSchema } from '../common/fields.ts';
import { monitorBody } from '../monitors/reference-schema.ts';
import { sloFields } from '../slo.ts';

/**
 * JSON Schema (draft 2020-12) of the files of a configuration set, for editors: made of the fields of requests.
 *
 * @param collections what sets can have besides monitors.
 */
export function configurationSchema(collections: readonly AnyCollection[]): JsonSchema {
  const items: Record<string, JsonSchema> = {
    monitors: itemOf(
      {
        ...propertiesOf(jsonSchemaOf(monitorBody, 'input')),
        is_paused: {
          type: ['boolean', 'null'],
          description: 'Whether it is paused. Left out, it stays as it is.',
        },
        slo: {
          ...jsonSchemaOf(requestSchema(sloFields), 'input'),
          type: ['object', 'null'],
          description: 'Its service level objective.',
        },
        ping_aliases: {
          type: ['array', 'null'],
          items: { type: 'string' },
          description:
            'Paths of other services at which its job reports, such as `/ping/5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278`.',
        },
      },
      Object.fromEntries(FIELD_LIST.map(({ name, field }) => [name, field.refers])),
    ),
  };
  for (const { kinds, fields, declared } of collections) {
    const refers = Object.entries(fields).map(([name, field]) => [name, field.refers]);
    const properties = propertiesOf(jsonSchemaOf(requestSchema(fields), 'input'));
    items[kinds] = {
      ...itemOf(properties, Object.fromEntries(refers) as Record<string, Refers | undefined>),
      description: declared.meaning,
    };
  }
  const sections = SECTIONS.map((section) => [
    section,
    { type: 'array', items: { $ref: `#/$defs/${section}` } },
  ]);
  const anyItem = { anyOf: SECTIONS.map((section) => ({ $ref: `#/$defs/${section}` })) };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration set of Tocsin',
    type: 'object',
    properties: {
      $schema: { type: 'string' },
      name: {
        type: 'string',
        pattern: SET_NAME.source,
        maxLength: 60,
        description: 'Name of the set, unique in the team. One of several files has it.',
      },
      prune: {
        type: 'boolean',
        description: 'Whether what the set owns and no longer names is deleted.',
      },
      max_deletions: {
        type: 'integer',
        minimum: 0,
        description: 'Refuses to delete more than that at once; 5 unless set.',
      },
      defaults: {
        type: 'object',
        properties: Object.fromEntries(
          SECTIONS.map((section) => [section, { $ref: `#/$defs/${section}` }]),
        ),
        additionalProperties: false,
        description: 'Fields that all items of a section have unless they say otherwise.',
      },
      presets: {
        type: 'object',
        additionalProperties: anyItem,
        description: 'Named fields that items take over with `extends`.',
      },
      ...Object.fromEntries(sections),
    },
    patternProperties: { '^x-': { description: 'Anything: a place for anchors of YAML.' } },
    additionalProperties: false,
    $defs: {
      ...items,
      secret: {
        description: 'A value that is read where the files are, and kept when it is not there.',
        anyOf: ['env', 'file'].map((name) => ({
          type: 'object',
          properties: { [name]: { type: 'string', minLength: 1 } },
          required: [name],
          additionalProperties: false,
        })),
      },
    },
  };
}

const propertiesOf = ({ properties = {} }: JsonSchema) => properties as Record<string, JsonSchema>;

function itemOf(
  fields: Readonly<Record<string, JsonSchema>>,
  refers: Readonly<Record<string, Refers | undefined>>,
): JsonSchema {
  const properties = Object.entries(fields).map(([name, schema]) => [
    name,
    withSecrets(referring(schema, refers[name])),
  ]);
  return {
    type: 'object',
    properties: {
      key: {
        type: 'string',
        pattern: ITEM_KEY.source,
        maxLength: MAX_KEY_LENGTH,
        description: 'Stable, and unique in its section of the set.',
      },
      extends: {
        anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
        description: 'Presets whose fields it takes over.',
      },
      ...(Object.fromEntries(properties) as Record<string, JsonSchema>),
    },
    additionalProperties: false,
  };
}

/** A schema with keys or addresses in place of ids. */
function referring(schema: JsonSchema, refers: Refers | undefined): JsonSchema {
  if (refers === undefined) return schema;
  const { anyOf, items, properties } = schema as {
    anyOf?: JsonSchema[];
    items?: JsonSchema;
    properties?: Record<string, JsonSchema>;
  };
  if (anyOf !== undefined)
    return {
      ...schema,
      anyOf: anyOf.map((one) => (one['type'] === 'null' ? one : referring(one, refers))),
    };
  if (items !== undefined) return { ...schema, items: referring(items, refers) };
  if (typeof refers === 'string') {
    const { type, description } = schema;
    const isNullable = Array.isArray(type) && type.includes('null');
    const what =
      refers === 'users' ? 'E-mail address of a member.' : `Key of one of ${refers}, or an id.`;
    return {
      type: ['string', 'integer', ...(isNullable ? ['null'] : [])],
      description: description ?? what,
    };
  }
  const named = Object.entries(properties ?? {}).map(([name, one]) => [
    name,
    referring(one, refers[name]),
  ]);
  return { ...schema, properties: Object.fromEntries(named) as Record<string, JsonSchema> };
}

/** A schema whose texts may each be a secret instead. */
function withSecrets(schema: JsonSchema): JsonSchema {
  const { type, anyOf, items, properties, additionalProperties: others, description } = schema;
  if (type === 'string' && schema['const'] === undefined && schema['enum'] === undefined) {
    const { description: _description, ...text } = schema;
    // A time may have no offset, and then is in the time zone of the item.
    if (text['format'] === 'date-time') delete text['format'];
    return {
      ...(description !== undefined && { description }),
      anyOf: [text, { $ref: '#/$defs/secret' }],
    };
  }
  const changed = { ...schema };
  if (Array.isArray(anyOf)) changed['anyOf'] = anyOf.map((one) => withSecrets(one as JsonSchema));
  if (isSchema(items)) changed['items'] = withSecrets(items);
  if (isSchema(others)) changed['additionalProperties'] = withSecrets(others);
  if (isSchema(properties))
    changed['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, one]) => [name, withSecrets(one as JsonSchema)]),
    );
  return changed;
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
