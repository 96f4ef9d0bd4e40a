import { describe, expect, test } from 'vitest';
import { openApi, type Json, type TestApi } from '../../test/support/api.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import { giveToken } from '../../test/support/people.ts';
import { rowOf, updateRows } from '../../test/support/rows.ts';
import { KEY_MS, LEASE_MS, MAX_KEYS, recordCarriedOut } from '../resources/common/idempotency.ts';
import { expire } from '../store/engine/expiry.ts';

const MONITORS = '/api/v1/monitors';
const GROUPS = '/api/v1/groups';
const MONITOR = { url: 'https://example.com/once', check_interval: 1 };

const key = (value = 'a-key') => ({ 'idempotency-key': value });

const countOf = async (api: TestApi, path: string) =>
  (await api.call(api.alice, 'GET', path)).body['total'];

/** A key as a process left it that died: `isDone` after the commit of its change, before its answer was stored. */
async function die(api: TestApi, isDone: boolean): Promise<void> {
  const undone = isDone ? {} : { carried_out_at: null, target_type: null, target_id: null };
  await updateRows(api.database, 'idempotency_key', { status: null, answer: null, ...undone });
}

eachDatabase((_name, open) => {
  describe('Idempotency-Key', () => {
    test('of many at once one is carried out, and the others get its answer [1.26, 1.27]', async () => {
      const api = await openApi(await open());
      const post = () => api.call(api.alice, 'POST', MONITORS, MONITOR, key());
      const answers = await Promise.all(Array.from({ length: 20 }, post));
      expect(await countOf(api, MONITORS)).toBe(1);
      const [first, ...created] = answers.filter(({ status }) => status === 201);
      for (const one of created) expect(one.body).toEqual(first!.body);
      for (const { status } of answers) expect([201, 409]).toContain(status);
      expect(first!.headers['idempotency-replayed']).toBeUndefined();

      const again = await post();
      expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, 'true']);
      expect(again.body).toEqual(first!.body);
      expect(await countOf(api, MONITORS)).toBe(1);
      expect(api.faults).toEqual([]);
    });

    test('repeats what the first answer had: status, ignored fields, and no change since [1.26]', async () => {
      const api = await openApi(await open());
      const sent = { ...MONITOR, nonsense: 1 };
      const first = await api.call(api.alice, 'POST', MONITORS, sent, key());
      await api.call(api.alice, 'PUT', `${MONITORS}/${first.body.id}`, { friendly_name: 'New' });
      await api.clock.advance(60_000);
      const again = await api.call(api.alice, 'POST', MONITORS, sent, key());
      expect(again.body).toEqual(first.body);
      expect(again.headers['x-ignored-fields']).toBe('nonsense');
      await api.call(api.alice, 'DELETE', `${MONITORS}/${first.body.id}`);
      expect((await api.call(api.alice, 'POST', MONITORS, sent, key())).body).toEqual(first.body);
    });

    test('of another body is 422 [1.27]', async () => {
      const api = await openApi(await open());
      await api.call(api.alice, 'POST', MONITORS, MONITOR, key());
      const other = await api.call(api.alice, 'POST', MONITORS, { ...MONITOR, tags: ['a'] }, key());
      expect([other.status, Object.keys(other.body['errors'] as object)]).toEqual([
        422,
        ['Idempotency-Key'],
      ]);
      expect(await countOf(api, MONITORS)).toBe(1);
    });

    test('is of one token, one team and one path [1.28]', async () => {
      const api = await openApi(await open());
      const group = { name: 'Web' };
      const first = await api.call(api.alice, 'POST', GROUPS, group, key());
      const second = await giveToken(api.database, api.alice, { now: api.clock.now() });
      expect((await api.call(second, 'POST', GROUPS, group, key())).status).toBe(422);
      expect((await api.call(api.mallory, 'POST', GROUPS, group, key())).status).toBe(201);
      expect((await api.call(api.alice, 'POST', MONITORS, MONITOR, key())).status).toBe(201);
      const short = await api.call(api.alice, 'POST', '/api/groups/', group, key());
      expect([short.status, short.body.id]).toEqual([201, first.body.id]);
    });

    test('of a request that is refused can be used again [1.29]', async () => {
      const api = await openApi(await open());
      const bad = await api.call(api.alice, 'POST', GROUPS, { name: '' }, key());
      expect(bad.status).toBe(422);
      const good = await api.call(api.alice, 'POST', GROUPS, { name: 'Web' }, key());
      expect([good.status, good.headers['idempotency-replayed']]).toEqual([201, undefined]);
    });

    test.each(['', 'a b', 'ä', 'x'.repeat(256), 'a\tb'])('%j is 400 [1.25]', async (value) => {
      const api = await openApi(await open());
      const sent = { 'idempotency-key': Buffer.from(value).toString('latin1') };
      const { status, body } = await api.call(api.alice, 'POST', GROUPS, { name: 'Web' }, sent);
      expect([status, body['message']]).toEqual([400, expect.stringMatching(/Idempotency-Key/)]);
      expect(await countOf(api, GROUPS)).toBe(0);
    });

    test.each(['"8e03978e-40d5-43dd-bc93-6894a57f9324"', 'x'.repeat(255), '!~'])(
      '%s is one [1.25]',
      async (value) => {
        const api = await openApi(await open());
        const post = () => api.call(api.alice, 'POST', GROUPS, { name: 'Web' }, key(value));
        const [first, again] = [await post(), await post()];
        expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
      },
    );

    test('is ignored with other methods [1.25]', async () => {
      const api = await openApi(await open());
      const { id } = await api.create();
      for (const name of ['One', 'Two']) {
        const put = await api.call(
          api.alice,
          'PUT',
          `${MONITORS}/${id}`,
          { friendly_name: name },
          key(),
        );
        expect(put.body['friendly_name']).toBe(name);
      }
    });

    test('is kept for 24 hours [1.26]', async () => {
      const api = await openApi(await open());
      const { id } = await api.create();
      const pause = () => api.call(api.alice, 'POST', `${MONITORS}/${id}/pause`, undefined, key());
      const first = await pause();
      await api.call(api.alice, 'POST', `${MONITORS}/${id}/resume`);
      await api.clock.advance(KEY_MS - 1);
      expect((await pause()).body).toEqual(first.body);
      expect((await api.call(api.alice, 'GET', `${MONITORS}/${id}`)).body['is_paused']).toBe(false);
      await api.clock.advance(1);
      expect((await pause()).headers['idempotency-replayed']).toBeUndefined();
      expect((await api.call(api.alice, 'GET', `${MONITORS}/${id}`)).body['is_paused']).toBe(true);
      expect(await expire.idempotencyKeys(api.database, api.clock.now() + 1)).toBe(false);
      const left = await api.database.read.selectFrom('idempotency_key').selectAll().execute();
      expect(left).toEqual([]);
    });

    test('of a request that died before its change is free after its lease [1.29]', async () => {
      const api = await openApi(await open());
      await api.call(api.alice, 'POST', GROUPS, { name: 'Web' }, key());
      await die(api, false);
      const repeat = () => api.call(api.alice, 'POST', GROUPS, { name: 'Web' }, key());
      expect((await repeat()).status).toBe(409);
      await api.clock.advance(LEASE_MS);
      // Carried out again; here its first group is still there.
      expect((await repeat()).body).toMatchObject({ existing_group_id: expect.any(Number) });
    });

    test('of a request that died after its change gets what it created [1.30]', async () => {
      const api = await openApi(await open());
      const cases: [string, object][] = [
        [MONITORS, MONITOR],
        [GROUPS, { name: 'Web' }],
        ['/api/v1/maintenance-windows/start', { name: 'Deploy' }],
        ['/api/v1/webhook-endpoints', { name: 'Hook', url: 'https://example.com/hook' }],
        ['/api/v1/alert-routes', { name: 'All', users: [api.alice.personId] }],
      ];
      for (const [path, body] of cases) {
        const first = await api.call(api.alice, 'POST', path, body, key());
        expect([path, first.status, first.text]).toEqual([path, 201, expect.any(String)]);
        await die(api, true);
        expect((await api.call(api.alice, 'POST', path, body, key())).status).toBe(409);
        await api.clock.advance(LEASE_MS);
        const again = await api.call(api.alice, 'POST', path, body, key());
        expect([path, again.status, again.body.id]).toEqual([path, 201, first.body.id]);
        expect(again.headers['idempotency-replayed']).toBe('true');
      }
      expect(await countOf(api, MONITORS)).toBe(1);
    });

    test('of a secret that was shown once says what was created [1.30]', async () => {
      const api = await openApi(await open());
      const post = () =>
        api.call(api.alice, 'POST', '/api/v1/tokens', { name: 'CI', permissions: ['read'] }, key());
      const first = await post();
      expect((await post()).body).toEqual(first.body);
      await die(api, true);
      await api.clock.advance(LEASE_MS);
      const lost = await post();
      expect([lost.status, lost.body['message']]).toEqual([
        409,
        expect.stringContaining(`token ${first.body.id}`),
      ]);
    });

    test('a request that was taken for dead changes nothing any more [1.30]', async () => {
      const api = await openApi(await open());
      await api.call(api.alice, 'POST', GROUPS, { name: 'Web' }, key());
      const { id } = await rowOf(api.database, 'idempotency_key', {});
      const late = api.database.transaction(async (tx) => {
        await tx.updateTable('monitor_group').set({ name: 'Late' }).execute();
        await recordCarriedOut(tx, { id, claim: 0 }, { type: 'group', id: 1 }, api.clock.now());
      });
      await expect(late).rejects.toMatchObject({ code: 'conflict' });
      const { data } = (await api.call(api.alice, 'GET', GROUPS)).body as { data?: Json[] };
      expect(data).toMatchObject([{ name: 'Web' }]);
    });

    test('keeps answers encrypted, and only hashes of bodies and keys [1.31]', async () => {
      const api = await openApi(await open());
      const settings = { name: 'CI of the shop', permissions: ['read'] };
      const made = await api.call(api.alice, 'POST', '/api/v1/tokens', settings, key('my-own-key'));
      const rows = await api.database.read.selectFrom('idempotency_key').selectAll().execute();
      expect(rows).toHaveLength(1);
      for (const text of [made.body['token'] as string, 'CI of the shop', 'my-own-key'])
        expect(JSON.stringify(rows)).not.toContain(text);
    });

    test('an account has a number of keys, and no more [1.31]', async () => {
      const api = await openApi(await open());
      await api.call(api.alice, 'POST', GROUPS, { name: 'Web' }, key());
      const owner = `person ${api.alice.personId}`;
      const now = api.clock.now();
      await api.database.transaction(async (tx) => {
        for (let from = 1; from < MAX_KEYS; from += 500) {
          const rows = Array.from({ length: Math.min(500, MAX_KEYS - from) }, (_, index) => ({
            scope: `filler ${from + index}`,
            owner,
            fingerprint: '',
            claim: 1,
            leased_until: 0,
            created_at: now + 1,
          }));
          await tx.insertInto('idempotency_key').values(rows).execute();
        }
      });
      const refused = await api.call(api.alice, 'POST', GROUPS, { name: 'One' }, key('more'));
      expect([refused.status, refused.body['retry_after']]).toEqual([429, KEY_MS / 1_000]);
      const again = await api.call(api.alice, 'POST', GROUPS, { name: 'Web' }, key());
      expect(again.headers['idempotency-replayed']).toBe('true');
      expect((await api.call(api.alice, 'POST', GROUPS, { name: 'One' })).status).toBe(201);
      await api.clock.advance(KEY_MS);
      const later = await api.call(api.alice, 'POST', GROUPS, { name: 'Two' }, key('more'));
      expect(later.status).toBe(201);
    });
  });
});
