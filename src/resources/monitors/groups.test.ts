import { describe, expect, test } from 'vitest';
import { openApi, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { ALL_TYPES, LEAST } from '../../../test/support/monitor-bodies.ts';
import type { TestPerson } from '../../../test/support/people.ts';
import type { Database } from '../../store/database/contract.ts';

const MONITORS = '/api/v1/monitors';
const REFUSED = { group_id: ['group_id must be a group of your team.'] };

async function group({ call, alice }: TestApi, name: string, who: TestPerson = alice) {
  const { status, body } = await call(who, 'POST', '/api/v1/groups', { name });
  expect(status).toBe(201);
  return body.id;
}

eachDatabase((_name, open) => {
  describe('the group of a monitor', () => {
    test.each(ALL_TYPES)(
      'a %s monitor goes into a group, to another and out [6.12, 6.14]',
      async (type) => {
        const api = await openApi(await open());
        const [one, two] = [await group(api, 'one'), await group(api, 'two')];
        const { id, group_id } = await api.create({ ...LEAST[type], group_id: one });
        expect(group_id).toBe(one);
        for (const wanted of [two, null, one, '']) {
          const put = await api.call(api.alice, 'PUT', `${MONITORS}/${id}`, { group_id: wanted });
          expect([put.status, put.body['group_id']]).toEqual([200, wanted === '' ? null : wanted]);
        }
      },
    );

    test('is no part of what the check is, and other edits leave it', async () => {
      const api = await openApi(await open());
      const { id } = await api.create({ group_id: await group(api, 'one') });
      const other = await group(api, 'two');
      const put = (body: object) => api.call(api.alice, 'PUT', `${MONITORS}/${id}`, body);
      await put({ group_id: other });
      expect((await put({ check_interval: 5 })).body['group_id']).toBe(other);
      const row = api.database.read.selectFrom('monitor').select(['version', 'revision']);
      expect(await row.where('id', '=', id).executeTakeFirst()).toEqual({
        version: 3,
        revision: 3,
      });
      await put({ group_id: null });
      expect(await row.where('id', '=', id).executeTakeFirst()).toEqual({
        version: 4,
        revision: 3,
      });
    });

    test("another team's is refused [6.13]", async () => {
      const api = await openApi(await open());
      const theirs = await group(api, 'theirs', api.mallory);
      const { id } = await api.create();
      for (const [method, path, body] of [
        ['POST', MONITORS, { ...LEAST.http, group_id: theirs }],
        ['PUT', `${MONITORS}/${id}`, { group_id: theirs }],
      ] as const) {
        const answer = await api.call(api.alice, method, path, body);
        expect([answer.status, answer.body['errors']]).toEqual([422, REFUSED]);
      }
    });

    test('one that is deleted between judgement and writing is refused, and nothing is written', async () => {
      const { database, doBefore } = interrupted(await open());
      const api = await openApi(database);
      const { id } = await api.create();
      const nudges = api.nudges.length;
      for (const [method, path, body] of [
        ['POST', MONITORS, LEAST.http],
        ['PUT', `/api/monitors/${id}`, { tags: ['x'] }],
      ] as const) {
        const gone = await group(api, method);
        doBefore(() => api.call(api.alice, 'DELETE', `/api/v1/groups/${gone}`));
        const answer = await api.call(api.alice, method, path, { ...body, group_id: gone });
        expect([answer.status, answer.body['errors']]).toEqual([422, REFUSED]);
      }
      const { body } = await api.call(api.alice, 'GET', MONITORS);
      expect(body['data']).toMatchObject([{ id, group_id: null, tags: [] }]);
      expect(api.nudges).toHaveLength(nudges);
    });
  });
});

/** The same database; what is given happens just before the next transaction. */
function interrupted(database: Database) {
  let next: (() => Promise<unknown>) | null = null;
  const wrapped: Database = {
    engine: database.engine,
    isShared: database.isShared,
    read: database.read,
    scan: database.scan,
    async transaction(work) {
      const happen = next;
      next = null;
      await happen?.();
      return database.transaction(work);
    },
    now: (tx) => database.now(tx),
    close: () => database.close(),
  };
  return {
    database: wrapped,
    doBefore(happen: () => Promise<unknown>) {
      next = happen;
    },
  };
}
