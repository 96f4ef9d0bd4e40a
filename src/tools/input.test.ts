import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { InvalidInput } from '../resources/common/errors.ts';
import type { Operation } from '../resources/common/operation.ts';
import type { RouteFacts } from '../resources/common/operation.ts';
import { toolInput } from './input.ts';
import { listTool, finalTool, viewTool, type Tool } from './tool.ts';

const base = { operation: 'x', description: '' };
const content = { view: () => ({}) };
const shown = { ...base, content, summary: () => '' };
const QUERY = z.object({
  status: z.enum(['up', 'down']).optional(),
  tags: z.array(z.string()).optional(),
  format: z.string().optional(),
  page: z.string().optional(),
  per_page: z.string().optional(),
});
const BODY = z.object({
  name: z.string(),
  note: z.string().nullable().optional(),
  kind: z.union([z.enum(['a', 'b']), z.null()]).optional(),
  secret: z.string().optional(),
});

function inputOf(tool: Tool, operation: Partial<Operation>, method: RouteFacts['method'] = 'GET') {
  const full: Operation = { at: 'GET /x', tag: 'Monitors', summary: 'Something', ...operation };
  return toolInput(tool, full, {
    name: 'x',
    method,
    path: '/x',
    needs: 'read',
    status: 200,
  });
}

const list = inputOf(
  listTool({
    ...base,
    name: 'list_x',
    items: 'xs',
    item: content,
    hiddenQuery: ['format'],
  }),
  { query: QUERY },
);
const one = inputOf(
  viewTool({
    ...shown,
    name: 'get_x',
    path: { id: { argument: 'x_id', description: 'Id.' } },
    hasDetail: true,
  }),
  {},
);
const create = inputOf(
  viewTool({ ...shown, name: 'create_x', hiddenFields: ['secret'] }),
  { body: BODY },
  'POST',
);
const remove = inputOf(
  finalTool({
    ...base,
    name: 'delete_x',
    shows: 'get_x',
    effect: 'delete it',
    path: { id: { argument: 'x_id', description: 'Id.' } },
  }),
  {},
  'DELETE',
);
const word = inputOf(
  viewTool({
    ...shown,
    name: 'get_word',
    path: { channel: { argument: 'channel', description: 'Word.', type: 'string' } },
  }),
  {},
);

/** The errors of a refusal. */
function errorsOf(act: () => unknown): Record<string, string[]> {
  try {
    act();
  } catch (error) {
    if (error instanceof InvalidInput) return error.errors;
    throw error;
  }
  throw new Error('It was not refused.');
}

describe('the schema', () => {
  it('has what the operation takes, without what is hidden and its paging', () => {
    expect(Object.keys(list.schema.properties)).toEqual(['status', 'tags', 'limit', 'cursor']);
    expect(list.schema).toMatchObject({ type: 'object' });
    expect(list.schema).not.toHaveProperty('required');
  });

  it('names what must be given', () => {
    expect(one.schema.required).toEqual(['x_id']);
    expect(create.schema.required).toEqual(['name']);
    expect(Object.keys(remove.schema.properties)).toEqual(['x_id', 'dry_run', 'confirmation']);
  });

  it('leaves null out of what is new, since absent is the same', () => {
    expect(create.schema.properties).toMatchObject({
      note: { type: 'string' },
      kind: { type: 'string', enum: ['a', 'b'] },
    });
  });
});

describe('arguments', () => {
  it('are divided into path, query and body', () => {
    expect(one.read({ x_id: 7, detail: true })).toMatchObject({
      path: { id: '7' },
      query: {},
      body: undefined,
      detail: true,
    });
    expect(list.read({ status: 'up', tags: ['a', 2], limit: 3 })).toMatchObject({
      query: { status: 'up', tags: ['a', '2'] },
      position: { page: 1, perPage: 3, skip: 0 },
    });
    expect(create.read({ name: 'x', note: null })).toMatchObject({
      body: { name: 'x', note: null },
    });
  });

  it.each([[undefined], [null], [{}]])('may be absent: %j', (given) => {
    expect(list.read(given)).toMatchObject({
      path: {},
      query: {},
      detail: false,
      isDryRun: false,
      confirmation: null,
    });
  });

  it('take ids that models write as texts', () => {
    expect(one.read({ x_id: '7' }).path).toEqual({ id: '7' });
  });

  it('of a query are the same as absent when they are null', () => {
    expect(list.read({ status: null, tags: null }).query).toEqual({});
  });

  it('begin what can not be undone with a dry run', () => {
    expect(remove.read({ x_id: 1 })).toMatchObject({ isDryRun: true, confirmation: null });
    expect(remove.read({ x_id: 1, dry_run: false, confirmation: 'abc' })).toMatchObject({
      isDryRun: false,
      confirmation: 'abc',
    });
    expect(remove.read({ x_id: 1, dry_run: false, confirmation: 5 }).confirmation).toBeNull();
  });

  it.each<[string, typeof list, unknown, Record<string, string[]>]>([
    ['a list', list, [], { arguments: ['arguments must be an object of names and values.'] }],
    ['a text', list, 'all', { arguments: ['arguments must be an object of names and values.'] }],
    [
      'an unknown name',
      one,
      { x_id: 1, id: 1 },
      { id: ['id is not an argument of get_x: use x_id, detail.'] },
    ],
    [
      'a hidden query',
      list,
      { format: 'csv' },
      { format: [expect.stringContaining('format is not an argument of list_x')] },
    ],
    [
      'a hidden field',
      create,
      { secret: 'x' },
      { secret: [expect.stringContaining('secret is not an argument')] },
    ],
    [
      'the paging of the API',
      list,
      { page: 2 },
      { page: [expect.stringContaining('page is not an argument')] },
    ],
    [
      'a name of every object',
      list,
      JSON.parse('{"__proto__": 1}'),
      { ['__proto__']: [expect.stringContaining('not an argument')] },
    ],
    ['toString', list, { toString: 1 }, { toString: [expect.stringContaining('not an argument')] }],
    ['no id', one, {}, { x_id: ['x_id is required: give an id, a whole number of at least 1.'] }],
    [
      'an id that is none',
      one,
      { x_id: '7a' },
      { x_id: [expect.stringContaining('whole number')] },
    ],
    ['an id of a path', one, { x_id: '../1' }, { x_id: [expect.stringContaining('whole number')] }],
    ['a fraction', one, { x_id: 1.5 }, { x_id: [expect.stringContaining('whole number')] }],
    ['a list of ids', one, { x_id: [1] }, { x_id: [expect.stringContaining('whole number')] }],
    ['no word', word, { channel: '' }, { channel: ['channel must be text.'] }],
    [
      'an object in a query',
      list,
      { status: { is: 'up' } },
      { status: ['status must be text, a number or a list of them.'] },
    ],
    [
      'a list of lists',
      list,
      { tags: [['a']] },
      { tags: ['tags must be text, a number or a list of them.'] },
    ],
    [
      'a null in a list',
      list,
      { tags: [null] },
      { tags: ['tags must be text, a number or a list of them.'] },
    ],
    [
      'a flag as text',
      one,
      { x_id: 1, detail: 'true' },
      { detail: ['detail must be true or false.'] },
    ],
    [
      'a dry run as text',
      remove,
      { x_id: 1, dry_run: 'false' },
      { dry_run: ['dry_run must be true or false.'] },
    ],
  ])('are refused on their own field: %s', (_what, input, given, errors) => {
    expect(errorsOf(() => input.read(given))).toEqual(errors);
  });

  it('are read or refused with an error on a field, whatever is sent', () => {
    const value = fc.oneof(fc.anything(), fc.constantFrom(1, '1', null, true, ['a'], 'up'));
    const names = fc.constantFrom(
      'x_id',
      'status',
      'tags',
      'limit',
      'cursor',
      'detail',
      'dry_run',
      'name',
      'note',
    );
    const given = fc.oneof(fc.anything(), fc.dictionary(fc.oneof(names, fc.string()), value));
    fc.assert(
      fc.property(given, fc.constantFrom(list, one, create, remove, word), (args, input) => {
        try {
          const { path, query } = input.read(args);
          for (const text of Object.values(path)) expect(text).toBeTypeOf('string');
          for (const text of Object.values(query).flat()) expect(text).toBeTypeOf('string');
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidInput);
          expect(Object.keys((error as InvalidInput).errors)).not.toEqual([]);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
