import fc, { type Arbitrary } from 'fast-check';
import { NASTY_TEXTS } from './oddities.ts';
import { ALERT_TOKEN } from './alert-links.ts';
import { linkToken } from './people.ts';
import { SETUP_TOKEN } from './setup-link.ts';

export type JsonSchema = Record<string, unknown>;

/** Resolves a `$ref` of the document. */
export type Resolve = (reference: string) => JsonSchema;

/** Placeholder for an existing id, filled in when the request is sent. */
export interface Existing {
  existing: string;
  pick: number;
}

export function isExisting(value: unknown): value is Existing {
  return typeof value === 'object' && value !== null && 'existing' in value && 'pick' in value;
}

/** Placeholder for an existing id of any team. */
export function anExisting(noun: string): Arbitrary<Existing> {
  return fc.record({ existing: fc.constant(noun), pick: fc.nat(1000) });
}

export function nastyText(): Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(...NASTY_TEXTS),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
  );
}

/** Any JSON, with values that often break programs. */
export function nastyValue(): Arbitrary<unknown> {
  return fc.oneof(
    nastyText(),
    fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -0,
      -1,
      0.1,
      1e308,
      -1e308,
      5e-324,
      2 ** 31,
      2 ** 53,
      -(2 ** 63),
      [],
      {},
      [null],
      [[]],
      { length: -1 },
      { toString: 1 },
      { toJSON: 'x' },
    ),
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom(10, 1_000, 25_000).map(nested),
    fc
      .record({ key: fc.constantFrom('__proto__', 'constructor', 'then'), value: fc.jsonValue() })
      // Makes it an own key of the object, not an inherited one.
      .map(({ key, value }) => Object.fromEntries([[key, value]])),
  );
}

/** Nested arrays. As text, since JSON.stringify has a depth limit. */
export class Raw {
  readonly json: string;
  constructor(json: string) {
    this.json = json;
  }
}

function nested(depth: number): Raw {
  return new Raw('['.repeat(depth) + ']'.repeat(depth));
}

/** A value that a schema allows, and sometimes one just beyond its bounds. */
export function valueFor(schema: JsonSchema, resolve: Resolve, depth = 0): Arbitrary<unknown> {
  if (typeof schema['$ref'] === 'string') return valueFor(resolve(schema['$ref']), resolve, depth);
  const options = (schema['anyOf'] ?? schema['oneOf']) as JsonSchema[] | undefined;
  if (options !== undefined)
    return fc.oneof(...options.map((option) => valueFor(option, resolve, depth)));
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  if (Array.isArray(schema['type'])) {
    const types = schema['type'] as string[];
    return fc.oneof(...types.map((type) => valueFor({ ...schema, type }, resolve, depth)));
  }
  switch (schema['type']) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return numberFor(schema);
    case 'string':
      return textFor(schema);
    case 'array':
      return arrayFor(schema, resolve, depth);
    case 'object':
      return objectFor(schema, resolve, depth);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function numberFor(schema: JsonSchema): Arbitrary<number> {
  const isWhole = schema['type'] === 'integer';
  const minimum = (schema['minimum'] as number | undefined) ?? -1_000_000;
  const maximum = (schema['maximum'] as number | undefined) ?? Number.MAX_SAFE_INTEGER;
  const inside = isWhole
    ? fc.integer({ min: Math.ceil(minimum), max: Math.floor(maximum) })
    : fc.double({ min: minimum, max: maximum, noNaN: true });
  const edges = fc.constantFrom(minimum, maximum, minimum - 1, maximum + 1, minimum + 0.5);
  return fc.oneof({ arbitrary: inside, weight: 8 }, { arbitrary: edges, weight: 1 });
}

function textFor(schema: JsonSchema): Arbitrary<string> {
  if (schema['format'] === 'date-time' || schema['format'] === 'date') {
    const day = schema['format'] === 'date';
    const min = new Date('2029-12-01T00:00:00Z');
    return fc
      .date({ min, max: new Date('2030-01-01T00:04:00Z'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, day ? 10 : undefined));
  }
  if (typeof schema['pattern'] === 'string') return fc.stringMatching(RegExp(schema['pattern']));
  const minLength = (schema['minLength'] as number | undefined) ?? 0;
  const maxLength = (schema['maxLength'] as number | undefined) ?? 100;
  const inside = fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 30) });
  const edges = fc.constantFrom('x'.repeat(maxLength), 'ü'.repeat(maxLength + 1));
  return fc.oneof({ arbitrary: inside, weight: 12 }, { arbitrary: edges, weight: 1 });
}

function arrayFor(schema: JsonSchema, resolve: Resolve, depth: number): Arbitrary<unknown[]> {
  const minLength = (schema['minItems'] as number | undefined) ?? 0;
  const maxLength = Math.min((schema['maxItems'] as number | undefined) ?? 5, minLength + 4);
  const items = (schema['items'] ?? {}) as JsonSchema;
  return fc.uniqueArray(valueFor(items, resolve, depth + 1), {
    minLength: Math.min(minLength, maxLength),
    maxLength,
    selector: (value) => JSON.stringify(value),
  });
}

function objectFor(schema: JsonSchema, resolve: Resolve, depth: number): Arbitrary<object> {
  const properties = (schema['properties'] ?? {}) as Record<string, JsonSchema>;
  const more = schema['additionalProperties'];
  if (Object.keys(properties).length === 0 && typeof more === 'object' && more !== null) {
    const name = fc.stringMatching(/^[A-Za-z][A-Za-z-]{0,12}$/);
    return fc.dictionary(name, valueFor(more as JsonSchema, resolve, depth + 1), { maxKeys: 3 });
  }
  const required = new Set((schema['required'] ?? []) as string[]);
  const fields = Object.entries(properties).map(([name, property]) => {
    const value = fieldFor(name, property, resolve, depth);
    // Most fields of a body are omitted: together they would contradict each other.
    const absent = { arbitrary: fc.constant(undefined), weight: depth === 0 ? 15 : 1 };
    return fc.oneof(absent, { arbitrary: value, weight: 1 }).map((one) => [name, one] as const);
  });
  const wanted = Object.entries(properties).filter(([name]) => required.has(name));
  const needed = wanted.map(([name, property]) =>
    fieldFor(name, property, resolve, depth).map((one) => [name, one] as const),
  );
  return fc
    .tuple(...fields, ...needed)
    .map((pairs) => Object.fromEntries(pairs.filter(([, value]) => value !== undefined)));
}

/** Valid values that their schema does not describe completely, by field. */
const KNOWN_FIELDS: Record<string, () => Arbitrary<unknown>> = {
  url: () =>
    fc.constantFrom(
      'https://example.com',
      'http://example.com:8080/a?b=c#d',
      'https://[2001:db8::1]/',
      'https://bücher.example/ü',
      'example.com',
      '192.0.2.7',
      '[2001:db8::7]',
      'tcp://db.example.com:5432',
      'https://user:secret@example.com',
      'javascript:alert(1)',
      'https://169.254.169.254/latest',
    ),
  monitors: () => fc.array(anExisting('monitors'), { maxLength: 2 }),
  groups: () => fc.array(anExisting('groups'), { maxLength: 2 }),
  channels: () => fc.array(anExisting('alert-channels'), { maxLength: 2 }),
  users: () => fc.array(anExisting('users'), { maxLength: 2 }),
  group_id: () => fc.option(anExisting('groups')),
  depends_on: () => fc.option(fc.array(anExisting('monitors'), { maxLength: 3 })),
  parent_id: () => fc.option(anExisting('groups')),
  monitor_id: () => anExisting('monitors'),
  rrule: () =>
    fc.constantFrom(
      'FREQ=DAILY',
      'FREQ=WEEKLY;BYDAY=MO,FR;COUNT=5',
      'FREQ=MONTHLY;BYDAY=-1SU',
      'FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9',
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=SECONDLY',
    ),
  user_id: () => anExisting('users'),
  token: () => fc.oneof(fc.nat(100).map(linkToken), fc.constantFrom(SETUP_TOKEN, ALERT_TOKEN)),
  email: () => fc.nat(1000).map((number) => `somebody-${number}@example.com`),
  password: () => fc.constantFrom('correct horse battery', 'a long word of mine', 'short'),
  expires_at: () => fc.option(fc.constantFrom('2031-01-01T00:00:00Z', '2029-01-01')),
  timezone: () => fc.constantFrom('UTC', 'Europe/Berlin', 'Mars/Phobos'),
  monitored_regions: () => fc.subarray(['ash', 'pdx', 'nbg', 'sin', 'fra']),
  name: () => fc.string({ minLength: 1, maxLength: 60 }),
  friendly_name: () => fc.string({ minLength: 1, maxLength: 60 }),
  heartbeat_cron_expression: () =>
    fc.constantFrom(
      '* * * * *',
      '0 3 * * *',
      '*/5 8-18 * * mon-fri',
      '0 0 30 2 *',
      '0 0 29 2 *',
      '@daily',
      '61 * * * *',
    ),
  heartbeat_timezone: () =>
    fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Mars/Phobos', 'Asia/Kathmandu'),
  value: () =>
    fc.constantFrom('ok', 5, '5', null, '(a+)+$', '((a{30}){30}){30}', '(?=x)', '(?P<n>x)', '['),
  path: () => fc.constantFrom('a', '$.a.b', 'items.0.id', '["a.b"]', '$', 'a..b', '[', 'a['),
};

/** The value of a field; sometimes an entirely different one. */
function fieldFor(
  name: string,
  schema: JsonSchema,
  resolve: Resolve,
  depth: number,
): Arbitrary<unknown> {
  const known = KNOWN_FIELDS[name];
  const byName = known === undefined ? [] : [{ arbitrary: known(), weight: 40 }];
  return fc.oneof(
    ...byName,
    { arbitrary: valueFor(schema, resolve, depth + 1), weight: 30 },
    { arbitrary: nastyValue(), weight: 3 },
  );
}
