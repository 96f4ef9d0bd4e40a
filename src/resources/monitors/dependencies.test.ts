import { describe, expect, test } from 'vitest';
import { openApi, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { ALL_TYPES, LEAST } from '../../../test/support/monitor-bodies.ts';

const MONITORS = '/api/v1/monitors';

/** Monitors by these names, each depending on nothing. */
async function chain(api: TestApi, ...names: string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const friendly_name of names) ids.push((await api.create({ friendly_name })).id);
  return ids;
}

const putOf = (api: TestApi) => (id: number, depends_on: unknown) =>
  api.call(api.alice, 'PUT', `${MONITORS}/${id}`, { depends_on });

eachDatabase((_name, open) => {
  describe('what a monitor depends on', () => {
    test.each(ALL_TYPES)('is set, changed and cleared of a %s monitor [26.13]', async (type) => {
      const api = await openApi(await open());
      const [one, two] = (await chain(api, 'one', 'two')) as [number, number];
      const made = await api.create({ ...LEAST[type], depends_on: [two, one] });
      expect(made['depends_on']).toEqual([two, one]);
      expect((await api.create(LEAST[type]))['depends_on']).toEqual([]);
      for (const [sent, stored] of [
        [
          [one, two],
          [one, two],
        ],
        [null, []],
        [[two], [two]],
        [[], []],
        [[one], [one]],
        ['', []],
      ]) {
        const put = await putOf(api)(made.id, sent);
        expect([put.status, put.body['depends_on']]).toEqual([200, stored]);
        const read = await api.call(api.alice, 'GET', `${MONITORS}/${made.id}`);
        expect(read.body['depends_on']).toEqual(stored);
      }
    });

    test('is in a list at once, also after one of them was deleted, and other edits leave it [26.19]', async () => {
      const api = await openApi(await open());
      const [a, b, c] = (await chain(api, 'a', 'b', 'c')) as [number, number, number];
      const listed = async () => {
        const { body } = await api.call(api.alice, 'GET', `${MONITORS}?sort=created_at`);
        return (body['data'] as Record<string, unknown>[]).map((one) => one['depends_on']);
      };
      await listed();
      await putOf(api)(c, [b, a]);
      expect(await listed()).toEqual([[], [], [b, a]]);
      await api.call(api.alice, 'PUT', `${MONITORS}/${c}`, { check_interval: 5 });
      expect(await listed()).toEqual([[], [], [b, a]]);
      await api.call(api.alice, 'DELETE', `${MONITORS}/${b}`);
      expect(await listed()).toEqual([[], [a]]);
      await api.call(api.alice, 'DELETE', `${MONITORS}/${c}`);
      expect(
        await api.database.read.selectFrom('monitor_dependency').selectAll().execute(),
      ).toEqual([]);
    });

    test('is no part of what the check is', async () => {
      const api = await openApi(await open());
      const [a, b] = (await chain(api, 'a', 'b')) as [number, number];
      const revision = api.database.read
        .selectFrom('monitor')
        .select(['version', 'revision'])
        .where('id', '=', b);
      const before = await revision.executeTakeFirstOrThrow();
      await putOf(api)(b, [a]);
      const after = await revision.executeTakeFirstOrThrow();
      expect(after.revision).toBe(before.revision);
      expect(after.version).toBeGreaterThan(before.version);
    });

    test('is written down in the audit log', async () => {
      const api = await openApi(await open());
      const [a, b] = (await chain(api, 'a', 'b')) as [number, number];
      await putOf(api)(b, [a]);
      const row = await api.database.read
        .selectFrom('audit_entry')
        .select(['before', 'after'])
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow();
      expect([JSON.parse(row.before!), JSON.parse(row.after!)]).toEqual([
        { depends_on: [] },
        { depends_on: [a] },
      ]);
    });

    test('is refused with what is wrong of each [26.13]', async () => {
      const api = await openApi(await open());
      const [a, b, c] = (await chain(api, 'Router', 'Database', 'Shop')) as [
        number,
        number,
        number,
      ];
      const put = putOf(api);
      const foreign = (await api.create({}, api.mallory)).id;
      await put(b, [a]);
      await put(c, [b]);
      const unknown = 'must be a monitor of your team.';
      for (const [id, sent, errors] of [
        [a, [a], { 'depends_on.0': ['depends_on.0 must not be the monitor itself.'] }],
        [
          a,
          [foreign, 999, c],
          {
            'depends_on.0': [`depends_on.0 ${unknown}`],
            'depends_on.1': [`depends_on.1 ${unknown}`],
            'depends_on.2': [
              'depends_on.2 must not form a cycle: "Router" → "Shop" → "Database" → "Router".',
            ],
          },
        ],
        [a, [b, b], { depends_on: ['depends_on must not name a monitor twice.'] }],
        [
          a,
          [1.5],
          { 'depends_on.0': ['depends_on.0 must be the id of a monitor, a whole number.'] },
        ],
        [a, 7, { depends_on: ['depends_on must be an array of ids of monitors.'] }],
        [
          a,
          Array.from({ length: 11 }, (_, index) => index),
          { depends_on: ['depends_on must have at most 10 entries.'] },
        ],
      ] as [number, unknown, object][]) {
        const answer = await put(id, sent);
        expect([answer.status, answer.body['errors']]).toEqual([422, errors]);
      }
      const made = await api.call(api.alice, 'POST', MONITORS, {
        ...LEAST.http,
        depends_on: [foreign],
      });
      expect(made.status).toBe(422);
      expect((await put(a, [])).status).toBe(200);
    });

    test('is never a circle, however many edit at once [26.13]', async () => {
      const api = await openApi(await open());
      const [a, b, c] = (await chain(api, 'a', 'b', 'c')) as [number, number, number];
      const put = putOf(api);
      const answers = await Promise.all([put(a, [b]), put(b, [c]), put(c, [a])]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 422]);
    });

    test('is not what was deleted while it was being set', async () => {
      const api = await openApi(await open());
      const [a, b] = (await chain(api, 'a', 'b')) as [number, number];
      await Promise.all([putOf(api)(b, [a]), api.call(api.alice, 'DELETE', `${MONITORS}/${a}`)]);
      const { body } = await api.call(api.alice, 'GET', `${MONITORS}/${b}`);
      expect(body['depends_on']).toEqual([]);
    });
  });
});
