/**
 * What is true of every list that a team keeps. A noun that becomes a collection is judged without a new line. Who may
 * do what, ids of other teams and audit entries are judged for all routes in `src/api`, pages in `test/conformance`,
 * examples and unknown fields in `test/flows/openapi.test.ts`.
 */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { BASE_URL, openApi, type Answer, type Json } from '../../../test/support/api.ts';
import { valuesOf } from '../../../test/support/bounds.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { pathOf } from '../../../test/support/owned.ts';
import { insertRows, rowOf } from '../../../test/support/rows.ts';
import { createSecretBox, MASK } from '../../lib/secret-box.ts';
import type { Database } from '../../store/database/contract.ts';
import { COLLECTIONS as DECLARED, OPERATIONS } from '../nouns.ts';
import type { Collection } from './collection.ts';
import { defaultSettings, secretNames, viewSettings, type Fields } from './fields.ts';

type Settings = Record<string, unknown>;
type Declared = Collection<Fields<Settings>, 'report', any, any, `/${string}`, any, any, any>;

interface Noun {
  kind: string;
  declared: Declared;
  exported(
    at: { db: Database['read']; teamId: number; now: number },
    deps: object,
  ): AsyncGenerator<Json>;
  operations: Record<string, { at: string; body?: z.ZodType }>;
}

const COLLECTIONS = (DECLARED as unknown as Noun[]).map((one) => ({
  ...one,
  noun: one.declared.noun,
  fields: one.declared.fields,
}));
type OfTest = (typeof COLLECTIONS)[number];

/** What the examples name, each with the id 1. */
const NAMED = ['createMonitor', 'createGroup', 'createAlertChannel', 'createStatusPage'];
const START = '2030-01-01T00:00:00.000Z';
const LATER = '2030-01-01T00:00:01.000Z';

async function openOne({ declared }: OfTest, open: typeof openInMemory = openInMemory) {
  const api = await openApi(await open());
  for (const name of NAMED) {
    const { at, example } = OPERATIONS[name]!;
    const path = at.slice('POST '.length);
    if (path !== declared.path) await api.call(api.alice, 'POST', `/api/v1${path}`, example!.body);
  }
  const list = await pathOf(api, declared);
  const call = (method: string, path = '', body?: unknown, headers: Record<string, string> = {}) =>
    api.call(api.alice, method, list + path, body, headers);
  const { example } = declared;
  return {
    ...api,
    list,
    ask: call,
    async make(fields: object = {}): Promise<Json & { tag: string }> {
      const { status, body, text, headers } = await call('POST', '', { ...example, ...fields });
      expect(status, text).toBe(201);
      return Object.defineProperty(body, 'tag', { value: headers['etag'] }) as never;
    },
    /** Changes these fields, also where a change replaces all. */
    change: (id: number, fields: object, headers?: Record<string, string>): Promise<Answer> =>
      call('PUT', `/${id}`, { ...(declared.replaces && example), ...fields }, headers),
    all: async () => (await call('GET')).body['data'] as Json[],
  };
}

/** How answers show these fields, and the defaults of all others, or what their example says. */
function shown(
  { fields, declared: { more } }: Pick<OfTest, 'fields' | 'declared'>,
  body: object,
): object {
  const read = Object.entries(body).map(([name, value]) => [
    name,
    value === null ? null : fields[name]!.input.parse(value),
  ]);
  const given = Object.fromEntries(read.filter(([, value]) => value !== null));
  const settings = viewSettings(fields, { ...defaultSettings(fields), ...given });
  const said = Object.entries((more?.example ?? {}) as object);
  return { ...settings, ...Object.fromEntries(said.filter(([name]) => name in settings)) };
}

describe.each(COLLECTIONS)('$noun', (of) => {
  const { declared, fields, kind } = of;

  test('has the same name in the audit log, in its path and in live events', () => {
    expect(declared.path).toBe(`/${kind.replaceAll('_', '-')}s`);
  });

  const { example, change = { name: 'Changed' } } = declared;

  eachDatabase((_name, open) => {
    test('is created, read, changed and deleted [1.6, 26.1, 26.2, 26.3, 26.9, 27.14, 29.1, 29.2, 29.11, 30.1, 30.3, 45.1, 45.2]', async () => {
      const { ask, all, make, ...api } = await openOne(of, open);
      const made = await make();
      expect(made).toMatchObject({ ...shown(of, example), created_at: START });
      expect(made['updated_at']).toBe(START);
      expect((await ask('GET', `/${made.id}`)).body).toEqual(made);
      expect(await all()).toEqual([made]);
      expect((await ask('GET')).body['total']).toBe(1);
      expect((await api.call(api.mallory, 'GET', api.list)).body['data'] ?? []).toEqual([]);

      await api.clock.advance(1_000);
      // What was read is sent back.
      expect((await ask('PUT', `/${made.id}`, made)).body).toEqual(made);
      const changed = await ask('PUT', `/${made.id}`, change);
      const wanted = shown(of, { ...(!declared.replaces && example), ...change });
      expect(changed.body).toMatchObject({ id: made.id, ...wanted, created_at: START });
      expect([changed.status, changed.body['updated_at']]).toEqual([200, LATER]);
      expect(await all()).toEqual([changed.body]);

      const gone = await ask('DELETE', `/${made.id}`);
      expect([gone.status, gone.text]).toEqual([204, '']);
      for (const method of ['GET', 'PUT', 'DELETE'])
        expect((await ask(method, `/${made.id}`)).status).toBe(404);
      expect(await all()).toEqual([]);
      const log = await api.call(api.alice, 'GET', `/api/v1/audit-log?target_type=${kind}`);
      expect((log.body['data'] as Json[]).map(({ action }) => action)).toEqual(
        ['deleted', 'updated', 'created'].map((verb) => `${kind}.${verb}`),
      );
    });

    test('is listed in its order, texts byte by byte [30.2]', async () => {
      const { make, ask, clock } = await openOne(of, open);
      const made: Json[] = [];
      for (const [name, sort_order] of [
        ['bb', 0],
        ['ää', 0],
        ['CC', 0],
        ['aa', 2],
        ['zz', 1],
      ] as const) {
        await clock.advance(1_000);
        made.push(await make({ name, ...('sort_order' in fields && { sort_order }) }));
      }
      const { order, pages } = declared;
      const ids = async (query: string) =>
        ((await ask('GET', query)).body['data'] as Json[]).map(({ id }) => id);
      if (pages === undefined) expect(await ids('')).toEqual(sorted(made, order as string[]));
      for (const sort of pages?.sorts ?? []) {
        const wanted = sorted(made, [pages?.columns?.[sort] ?? sort]);
        expect(await ids(`?sort=${sort}&direction=asc`)).toEqual(wanted);
        const last = await ids(`?sort=${sort}&direction=desc&per_page=2&page=2`);
        expect(last).toEqual(wanted.toReversed().slice(2, 4));
      }
    });

    test('is changed and deleted only with the tag that it has, and by one of many at once [1.32, 1.33]', async () => {
      const { make, ask, ...api } = await openOne(of, open);
      const { id, tag } = await make();
      const put = (name: string, etag: string) => api.change(id, { name }, { 'if-match': etag });
      const { headers, status } = await put('Once', tag);
      const after = String(headers['etag']);
      expect(status).toBe(200);
      expect((await put('Twice', tag)).status).toBe(412);
      expect((await ask('DELETE', `/${id}`, undefined, { 'if-match': tag })).status).toBe(412);
      const names = ['One', 'Two', 'Three', 'Four'];
      const answers = await Promise.all(names.map((name) => put(name, after)));
      const statuses = answers.map((answer) => answer.status).toSorted();
      expect(statuses).toEqual([200, 412, 412, 412]);
      expect(api.faults).toEqual([]);
    });
  });

  test('is exported with its secrets masked', async () => {
    const { make, database, alice, clock } = await openOne(of);
    const made = await make();
    const masks = secretNames(fields).filter((name) => name in example);
    const exported: Json[] = [];
    const at = { db: database.read, teamId: alice.teamId, now: clock.now() };
    const deps = { secretBox: createSecretBox(['a key for tests']), baseUrl: () => BASE_URL };
    for await (const one of of.exported(at, deps)) exported.push(one);
    expect(exported).toEqual([
      expect.objectContaining({
        id: made.id,
        ...shown(of, example),
        ...Object.fromEntries(masks.map((name) => [name, MASK])),
        created_at: START,
      }),
    ]);
  });

  const { most = 0 } = declared;
  if (most > 0)
    test('is there only so often, and can be changed then [26.20, 30.10, 41.14]', async () => {
      const { make, ask, database, ...api } = await openOne(of);
      const { id } = await make();
      const { id: _, ...row } = await rowOf(database, declared.table, { id });
      const copy = (at: number) => ({
        ...row,
        ...('name' in row && { name: `Copy ${at}` }),
        ...('slug' in row && { slug: `copy-${at}` }),
      });
      const copies = Array.from({ length: most - 1 }, (_one, at) => copy(at));
      await insertRows(database, declared.table, copies);
      const refused = await ask('POST', '', { ...example, name: 'One more' });
      const field = (declared.plural ?? `${declared.noun}s`).replaceAll(' ', '_');
      const says = declared.counted?.says ?? ': delete one that is no longer used';
      const text = `${field} must not be more than ${most} in a team${says}.`;
      expect([refused.status, refused.body['errors']]).toEqual([422, { [field]: [text] }]);
      expect((await api.change(id, { name: 'Renamed' })).status).toBe(200);
    });

  test('with what is wrong is refused on its field, and nothing changes [26.4, 26.6, 30.6, 45.1, 29.5]', async () => {
    const { make, ask, all, ...api } = await openOne(of);
    const { id } = await make();
    const before = await all();
    for (const { name, schema } of bounds(of)) {
      for (const value of valuesOf(schema, [schema['type'] ?? ''].flat() as string[]).wrong)
        expectRefusedOn(
          name,
          await ask('POST', '', { ...example, [name]: value }),
          await api.change(id, { [name]: value }),
        );
      if (fields[name]!.required === undefined) continue;
      const { [name]: _, ...without } = example;
      for (const body of [without, { ...example, [name]: null }, { ...example, [name]: '' }])
        expectRefusedOn(name, await ask('POST', '', body));
      expectRefusedOn(name, await api.change(id, { [name]: null }));
    }
    const wrong = Object.keys(fields).map((name) => [name, [{ wrong: true }]]);
    expectRefusedOn(Object.keys(fields), await ask('POST', '', Object.fromEntries(wrong)));
    for (const body of ['[]', '"text"', '7', 'null'])
      expect(Object.keys((await ask('POST', '', body)).body['errors'] as object)).toEqual(['body']);
    expect(await all()).toEqual(before);
  });

  test('takes what is at the bounds of each field, and null restores its default [26.4, 26.6, 30.8]', async () => {
    const { make, change: put } = await openOne(of);
    const { id } = await make();
    for (const { name, schema } of bounds(of)) {
      if (fields[name]!.fixed !== undefined) continue;
      const { type = '', format, pattern, maximum } = schema;
      // A schema can't say what must exist.
      const isId = maximum === Number.MAX_SAFE_INTEGER;
      const isWhole = format === undefined && pattern === undefined && type !== 'array' && !isId;
      const { sound } = valuesOf(schema, [type].flat() as string[]);
      for (const value of isWhole ? sound : []) {
        const { status, body, text } = await put(id, { [name]: value });
        // Some need another field, which the refusal names.
        if (status === 422 && !(name in (body['errors'] as object))) continue;
        const wanted = fields[name]!.secret ? undefined : value;
        expect([status, body?.[name]], text).toEqual([200, wanted]);
      }
      if (fields[name]!.required !== undefined || fields[name]!.apart) continue;
      const without = { ...example, [name]: null };
      const { status, body, text } = await put(id, without);
      const standard = shown({ declared, fields: { [name]: fields[name]! } }, {});
      // A name that is empty may follow from other fields.
      if (status === 200 && fields[name]!.unset !== '') expect(body).toMatchObject(standard);
      else if (status === 200) expect(body[name]).not.toBe(example[name as 'name']);
      else expect(Object.keys(body['errors'] as object), text).toEqual([name]);
    }
  });
});

test('there are collections', () => expect(COLLECTIONS.length).toBeGreaterThan(3));

function expectRefusedOn(fields: string | string[], ...answers: Answer[]): void {
  for (const { status, body, text } of answers) {
    expect(status, `${fields} ${text}`).toBe(422);
    const named = Object.keys(body['errors'] as object).map((one) => one.split('.')[0]);
    expect(named).toEqual(expect.arrayContaining([fields].flat()));
  }
}

/** The fields of a request with their JSON Schemas. */
function bounds({ operations }: OfTest) {
  const { body } = Object.values(operations).find(({ at }) => at.startsWith('POST '))!;
  const schema = z.toJSONSchema(body!, { io: 'input', unrepresentable: 'any' });
  return Object.entries(schema.properties as Record<string, Record<string, unknown>>).map(
    ([name, one]) => {
      const alternatives = (one['anyOf'] as Record<string, unknown>[] | undefined) ?? [one];
      return { name, schema: alternatives.find(({ type }) => type !== 'null') ?? one };
    },
  );
}

/** Ids by these columns, texts by their code points, equals by their id. */
function sorted(rows: readonly Json[], columns: readonly string[]): number[] {
  const compare = (a: Json, b: Json) =>
    [...columns, 'id']
      .map((name) => [a[name], b[name]] as [string, string])
      .map(([x, y]) => (x < y ? -1 : x > y ? 1 : 0))
      .find((order) => order !== 0) ?? 0;
  return rows.toSorted(compare).map(({ id }) => id);
}
