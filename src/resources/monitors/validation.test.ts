import { describe, expect, test } from 'vitest';
import { openApi, sentences, sharedApi, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { givePlan, TEST_PLANS } from '../../../test/support/plans.ts';

const VALIDATE = '/api/v1/monitors/validate';
const BODY = { url: 'https://example.com/', check_interval: 1 };
const VALID = { valid: true, errors: {} };

async function validate(api: TestApi, body: object, who = api.alice) {
  const { status, body: answer, text } = await api.call(who, 'POST', VALIDATE, body);
  expect(status, text).toBe(200);
  return answer as unknown as { valid: boolean; errors: Record<string, string[]> };
}

eachDatabase((_name, open) => {
  test('validates settings and changes nothing [58.1]', async () => {
    const api = await openApi(await open());
    expect(await validate(api, BODY)).toEqual(VALID);
    const { id } = await api.create({ friendly_name: 'Shop' });
    const stored = await api.call(api.alice, 'GET', `/api/v1/monitors/${id}`);
    const before = await api.call(api.alice, 'GET', '/api/v1/audit-log');
    expect(await validate(api, { id, friendly_name: 'Store' })).toEqual(VALID);
    expect((await api.call(api.alice, 'GET', '/api/v1/monitors')).body['total']).toBe(1);
    expect((await api.call(api.alice, 'GET', `/api/v1/monitors/${id}`)).body).toEqual(stored.body);
    const after = await api.call(api.alice, 'GET', '/api/v1/audit-log');
    expect(after.body['total']).toBe(before.body['total']);
    expect([api.checks, api.inspections]).toEqual([[], []]);
  });
});

describe('a validation', () => {
  const shared = sharedApi();

  test.each([
    {},
    { url: 'https://169.254.169.254/' },
    { ...BODY, check_interval: 0 },
    { ...BODY, monitor_type: 'smoke' },
    { ...BODY, group_id: 4_711, depends_on: [4_711] },
    { monitor_type: 'cron', heartbeat_cron_expression: 'often' },
  ])('of %j has the errors of a new monitor [58.2]', async (body) => {
    const api = await shared();
    const created = await api.call(api.alice, 'POST', '/api/v1/monitors', body);
    expect(created.status).toBe(422);
    const errors = created.body['errors'];
    expect(await validate(api, body)).toEqual({ valid: false, errors });
  });

  test.each([{ url: 'x' }, { monitor_type: 'ping' }, { check_interval: null, tags: [''] }])(
    'of %j with an id has the errors of that edit [58.3]',
    async (change) => {
      const api = await shared();
      const { id } = await api.create();
      const edited = await api.call(api.alice, 'PUT', `/api/v1/monitors/${id}`, change);
      expect(edited.status).toBe(422);
      const errors = edited.body['errors'];
      expect(await validate(api, { ...change, id })).toEqual({ valid: false, errors });
    },
  );

  test('with an id keeps stored secrets, also for another host [58.3]', async () => {
    const api = await shared();
    const credentials = { auth_type: 'basic', auth_username: 'ann', auth_password: 'secret' };
    const { id } = await api.create(credentials);
    const { body: shown } = await api.call(api.alice, 'GET', `/api/v1/monitors/${id}`);
    const { auth_password: masked } = shown as { auth_password?: string };
    const change = { id, url: 'https://elsewhere.example/', auth_password: masked };
    expect(await validate(api, change)).toEqual(VALID);
    expect((await validate(api, { ...BODY, ...credentials, auth_password: null })).valid).toBe(
      false,
    );
  });

  test.each([0, 1.5, 'one', 4_711, true])('of the id %j names the id [58.4]', async (id) => {
    const api = await shared();
    const errors = sentences({ id: 'must be the id of a monitor of your team' });
    expect(await validate(api, { id })).toEqual({ valid: false, errors });
  });

  test('has what the plan does not allow under plan [58.5]', async () => {
    const api = await openApi(await openInMemory(), { plans: TEST_PLANS });
    await givePlan(api, 'Free');
    const refusal = async (method: string, path: string, body: object) =>
      (await api.call(api.alice, method, `/api/v1${path}`, body)).body['message'];
    const quick = { ...BODY, check_interval: 1 };
    const errors = { plan: [await refusal('POST', '/monitors', quick)] };
    expect(await validate(api, quick)).toEqual({ valid: false, errors });
    for (let count = 0; count < 3; count += 1) await api.create({ check_interval: 5 });
    const full = await refusal('POST', '/monitors', { ...BODY, check_interval: 5 });
    expect(full).toMatch(/at most 3 monitors/);
    const found = await validate(api, { ...BODY, check_interval: 5, port: 'x' });
    expect(found.errors).toMatchObject({ plan: [full] });
    const { body } = await api.call(api.alice, 'GET', '/api/v1/monitors');
    const [{ id }] = body['data'] as [{ id: number }];
    expect(await validate(api, { id, friendly_name: 'Same room' })).toEqual(VALID);
  });

  test('needs the permissions of what it validates [58.6]', async () => {
    const api = await shared();
    const { id } = await api.create();
    const made = await api.call(api.alice, 'POST', '/api/v1/tokens', {
      name: 'x',
      permissions: ['create'],
    });
    const token = made.body['token'] as string;
    expect((await api.call(token, 'POST', VALIDATE, BODY)).status).toBe(200);
    expect((await api.call(token, 'POST', VALIDATE, { id })).status).toBe(403);
    expect((await api.call(api.vera, 'POST', VALIDATE, BODY)).status).toBe(403);
  });

  test('of what is no object is refused [58.2]', async () => {
    const api = await shared();
    expect((await api.call(api.alice, 'POST', VALIDATE, [])).status).toBe(422);
  });
});
