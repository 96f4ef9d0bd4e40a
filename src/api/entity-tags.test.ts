import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { openApi, type Json, type TestApi } from '../../test/support/api.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import { giveToken } from '../../test/support/people.ts';
import { updateRows } from '../../test/support/rows.ts';
import { teamStore } from '../store/people/teams.ts';
import { changingIn } from '../resources/common/changing.ts';
import { OPERATIONS } from '../resources/nouns.ts';
import { tagOf } from './entity-tags.ts';

const V1 = '/api/v1';
const none = changingIn(undefined);

/** A kind of resource that is no collection (`collection.test.ts`): how one is created, and a change of it for each number. */
interface Kind {
  path: string;
  create: (api: TestApi) => object | Promise<object>;
  change: (index: number) => object;
  /** Number of changes at once. */
  atOnce?: number;
}

const KINDS: readonly Kind[] = [
  {
    path: '/monitors',
    create: () => ({ url: 'https://example.com', check_interval: 1 }),
    change: (index) => ({ friendly_name: `Name ${index}` }),
  },
  {
    path: '/incidents',
    create: async (api) => ({
      monitor_id: (await api.create()).id,
      started_at: '2030-01-01T00:00:00Z',
      status: 'open',
    }),
    change: (index) => ({ root_cause: `Cause ${index}` }),
  },
  {
    path: '/users/invitations',
    create: () => ({ email: 'zoe@example.com', role: 'viewer' }),
    change: (index) => ({ role: index === 0 ? 'editor' : 'admin' }),
    // More of them would repeat one that was made, which changes nothing.
    atOnce: 2,
  },
];

/** Creates a resource. @returns its path, and its tag as creating it answers. */
async function created(api: TestApi, { path, create }: Kind) {
  const made = await api.call(api.alice, 'POST', V1 + path, await create(api));
  expect([made.status, made.text]).toEqual([201, expect.any(String)]);
  return { at: `${V1}${path}/${made.body.id}`, tag: made.headers['etag'] as string };
}

const put = (api: TestApi, at: string, body: object, tag: string) =>
  api.call(api.alice, 'PUT', at, body, { 'if-match': tag });

eachDatabase((_name, open) => {
  describe.each(KINDS.map((kind) => [kind.path, kind] as const))('%s', (_path, kind) => {
    test('changes only with the tag that it has [1.32, 1.33]', async () => {
      const api = await openApi(await open());
      const { at, tag } = await created(api, kind);
      expect(tag).toMatch(/^"[\w-]{16}\.[\w-]{16}"$/);
      const changed = await put(api, at, kind.change(0), tag);
      expect([changed.status, changed.text]).toEqual([200, expect.any(String)]);
      const after = changed.headers['etag'] as string;
      expect(after).not.toBe(tag);
      for (const other of [tag, '"nonsense"', '', 'nonsense', `"a", ${tag}`]) {
        const refused = await put(api, at, kind.change(1), other);
        expect([refused.status, refused.body['message']]).toEqual([
          412,
          expect.stringMatching(/changed/),
        ]);
        expect(
          (await api.call(api.alice, 'DELETE', at, undefined, { 'if-match': other })).status,
        ).toBe(412);
      }
      for (const fitting of [`"a", ${after}`, '*']) {
        const again = await put(api, at, kind.change(0), fitting);
        expect([again.status, again.headers['etag']]).toEqual([200, after]);
      }
      const gone = await api.call(api.alice, 'DELETE', at, undefined, { 'if-match': after });
      expect(gone.status).toBe(204);
      expect((await put(api, at, kind.change(1), after)).status).toBe(404);
    });

    test('of changes at once with one tag, one is made [1.33]', async () => {
      const api = await openApi(await open());
      const { at, tag } = await created(api, kind);
      const answers = await Promise.all(
        Array.from({ length: kind.atOnce ?? 6 }, (_, index) =>
          put(api, at, kind.change(index), tag),
        ),
      );
      const statuses = answers.map(({ status }) => status).toSorted();
      expect(statuses).toEqual([200, ...statuses.slice(1).map(() => 412)]);
      expect(api.faults).toEqual([]);
    });
  });

  describe('tags', () => {
    test('of one that is read: 304 while it is the same [1.34]', async () => {
      const api = await openApi(await open());
      const { id } = await api.create();
      const at = `${V1}/monitors/${id}`;
      const first = await api.call(api.alice, 'GET', at);
      const tag = first.headers['etag'] as string;
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const same = await api.call(api.alice, 'GET', at, undefined, { 'if-none-match': known });
        expect([same.status, same.text, same.headers['etag']]).toEqual([304, '', tag]);
      }
      // A change of its state hides nothing, and prevents no change of its settings.
      await updateRows(api.database, 'monitor_state', { status: 'offline' }, { monitor_id: id });
      const other = await api.call(api.alice, 'GET', at, undefined, { 'if-none-match': tag });
      expect([other.status, other.body['status']]).toEqual([200, 'offline']);
      expect(other.headers['etag']).not.toBe(tag);
      expect((await put(api, at, { friendly_name: 'New' }, tag)).status).toBe(200);
      const later = await api.call(api.alice, 'GET', at, undefined, { 'if-none-match': tag });
      expect(later.body['friendly_name']).toBe('New');
    });

    test('leave out of what If-Match compares only what answers have', () => {
      for (const [name, { answer }] of Object.entries(OPERATIONS)) {
        const { own, ofItems } = changingIn(answer);
        const items = (answer as z.ZodObject | undefined)?.shape?.['data'] as
          | z.ZodArray
          | undefined;
        const shape = ((items?.element ?? answer) as z.ZodObject | undefined)?.shape ?? {};
        const unknown = [...own, ...Object.keys(ofItems)].filter((one) => !(one in shape));
        expect([name, unknown]).toEqual([name, []]);
      }
    });

    test('differ where a value or its type does', () => {
      const values = [null, 'null', 0, '0', '', true, 'true', [], {}, [1], ['1'], '[]', 'a;b=1:c'];
      const tags = values.map((value) => tagOf({ id: 1, a: value, b: null }, none));
      expect(new Set(tags).size).toBe(values.length);
      expect(tagOf({ id: 1, a: null }, none)).not.toBe(tagOf({ id: 1, b: null }, none));
    });

    test('of a monitor: a pause is a change, and pausing can require one [1.33]', async () => {
      const api = await openApi(await open());
      const { id } = await api.create();
      const at = `${V1}/monitors/${id}`;
      const tag = (await api.call(api.alice, 'GET', at)).headers['etag'] as string;
      const pause = (etag: string) =>
        api.call(api.alice, 'POST', `${at}/pause`, undefined, { 'if-match': etag });
      expect((await pause('"other"')).status).toBe(412);
      expect((await api.call(api.alice, 'GET', at)).body['is_paused']).toBe(false);
      expect((await pause(tag)).status).toBe(200);
      expect((await put(api, at, { tags: ['a'] }, tag)).status).toBe(412);
    });

    test('of an incident: resolving it requires the one that was read [1.33]', async () => {
      const api = await openApi(await open());
      const { at, tag } = await created(api, KINDS[1]!);
      const resolve = (etag: string) =>
        api.call(api.alice, 'POST', `${at}/resolve`, undefined, { 'if-match': etag });
      expect((await resolve('"other"')).status).toBe(412);
      const resolved = await resolve(tag);
      expect([resolved.status, resolved.body['status']]).toEqual([200, 'resolved']);
      expect((await put(api, at, { root_cause: 'Late' }, tag)).status).toBe(412);
    });

    test('of the account, tokens, members and teams [1.33]', async () => {
      const api = await openApi(await open());
      const account = `${V1}/account`;
      const named = await put(api, account, { name: 'Alice' }, '*');
      const own = named.headers['etag'] as string;
      expect((await put(api, account, { name: 'Other' }, '"other"')).status).toBe(412);
      expect((await put(api, account, { name: 'Alice B' }, own)).status).toBe(200);
      expect((await put(api, account, { name: 'Alice C' }, own)).status).toBe(412);
      const token = { name: 'CI', permissions: ['read'] };
      const made = await api.call(api.alice, 'POST', `${V1}/tokens`, token);
      const revoke = (etag: string) =>
        api.call(api.alice, 'DELETE', `${V1}/tokens/${made.body.id}`, undefined, {
          'if-match': etag,
        });
      expect((await revoke('"other"')).status).toBe(412);
      expect((await revoke(made.headers['etag'] as string)).status).toBe(204);
      const team = await api.call(api.alice, 'GET', `${V1}/teams/${api.alice.teamId}`);
      const at = `${V1}/teams/${api.alice.teamId}`;
      expect((await put(api, at, { name: 'Two' }, '"other"')).status).toBe(412);
      expect((await put(api, at, { name: 'Two' }, team.headers['etag'] as string)).status).toBe(
        200,
      );
      await api.database.transaction((tx) =>
        teamStore(tx).insertMember(
          api.alice.teamId,
          api.mallory.personId,
          'viewer',
          api.clock.now(),
        ),
      );
      const users = (await api.call(api.alice, 'GET', `${V1}/users`)).body['data'] as Json[];
      const member = users.find(({ role }) => role !== 'owner')!;
      const of = `${V1}/users/${member.id}`;
      expect((await put(api, of, { role: 'admin' }, '"other"')).status).toBe(412);
      expect(
        (
          await put(
            api,
            of,
            { role: 'admin' },
            tagOf(member, changingIn(OPERATIONS['listUsers']!.answer)),
          )
        ).status,
      ).toBe(200);
    });

    test('can be required by a token that may not read [1.33]', async () => {
      const api = await openApi(await open());
      const { id } = await api.create();
      const now = api.clock.now();
      const token = await giveToken(api.database, api.alice, { permissions: ['update'], now });
      const rename = (name: string, tag: string) =>
        api.call(
          token,
          'PUT',
          `${V1}/monitors/${id}`,
          { friendly_name: name },
          { 'if-match': tag },
        );
      const first = await rename('One', '*');
      expect(first.status).toBe(200);
      const tag = String(first.headers['etag']);
      expect((await rename('Two', tag)).status).toBe(200);
      expect((await rename('Three', tag)).status).toBe(412);
      expect((await api.call(token, 'GET', `${V1}/monitors/${id}`)).status).toBe(403);
    });

    test('lists and refusals have none, and a collection compares none', async () => {
      const api = await openApi(await open());
      for (const path of ['/monitors', '/groups', '/monitors/999', '/plan'])
        expect((await api.call(api.alice, 'GET', V1 + path)).headers['etag']).toBeUndefined();
      const tag = { 'if-match': '"other"' };
      expect((await api.call(api.alice, 'POST', `${V1}/groups`, { name: 'Web' }, tag)).status).toBe(
        201,
      );
    });

    test('a repetition by its key compares none: the first request did [1.33]', async () => {
      const api = await openApi(await open());
      const { id } = await api.create();
      const at = `${V1}/monitors/${id}`;
      const tag = (await api.call(api.alice, 'GET', at)).headers['etag'] as string;
      const headers = { 'if-match': tag, 'idempotency-key': 'once' };
      const pause = () => api.call(api.alice, 'POST', `${at}/pause`, undefined, headers);
      const [first, again] = [await pause(), await pause()];
      expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
    });
  });
});
