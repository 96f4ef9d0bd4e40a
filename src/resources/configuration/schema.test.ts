import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomSets } from '../../../test/support/random-sets.ts';
import { isSecretValue, SECTIONS } from '../../configuration/document.ts';
import { COLLECTIONS } from '../nouns.ts';
import { configurationSchema } from './schema.ts';
import { isTree } from './secrets.ts';

const schema = configurationSchema(COLLECTIONS);
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
const validate = ajv.compile(schema);

/** Secrets as files have them. */
function asFile(value: unknown): unknown {
  if (isSecretValue(value)) return { env: value.from.replace('env ', '') };
  if (Array.isArray(value)) return value.map(asFile);
  if (!isTree(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asFile(one)]));
}

it('describes each section that sets can have, and every collection is one', () => {
  expect(SECTIONS.toSorted()).toEqual(
    ['monitors', ...COLLECTIONS.map(({ kinds }) => kinds)].toSorted(),
  );
});

it('accepts what the API accepts [61.14]', () => {
  fc.assert(
    fc.property(randomSets, (set) => {
      expect([validate(asFile(set)), validate.errors]).toEqual([true, null]);
    }),
    { numRuns: 50 },
  );
});

it('accepts what only files have [61.14]', () => {
  const file = { 'x-shared': [1], presets: { web: { check_types: ['ssl'] } }, prune: true };
  expect(validate({ ...file, monitors: [{ key: 'a', extends: 'web' }] })).toBe(true);
});

it.each([
  ['an unknown section', { monitor: [] }],
  ['an unknown field', { monitors: [{ key: 'a', verify_tls: true }] }],
  ['another type', { monitors: [{ key: 'a', check_interval: 'often' }] }],
  ['a number out of bounds', { monitors: [{ key: 'a', check_interval: 0 }] }],
  ['a wrong word', { monitors: [{ key: 'a', http_method: 'FETCH' }] }],
  ['a key that is a number', { groups: [{ key: 5, name: 'A' }] }],
  ['a malformed key', { groups: [{ key: 'A B', name: 'A' }] }],
])('refuses %s [61.14]', (_what, set) => {
  expect(validate({ name: 'shop', ...set })).toBe(false);
});

it('says units, bounds and defaults', () => {
  const { properties } = (schema['$defs'] as Record<string, { properties: object }>)['monitors']!;
  expect(properties).toMatchObject({
    request_timeout: { description: expect.stringMatching(/Seconds.*`30` unless set/) as string },
    failure_threshold: { anyOf: [{ minimum: 1, maximum: 10 }, { type: 'null' }] },
  });
});
