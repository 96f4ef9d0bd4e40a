import { expect, test } from 'vitest';
import { openApi } from '../../test/support/api.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { callTool, contentOf, refusalOf } from '../../test/support/tools.ts';
import { MAX_ANSWER_BYTES } from './answer.ts';

const SECRET = 'planted-secret';
const document = {
  name: 'shop',
  groups: [{ key: 'shop', name: 'Shop' }],
  monitors: [
    {
      key: 'web',
      url: `https://shop.example.com/?key=${SECRET}`,
      check_interval: 5,
    },
  ],
};

const newApi = async () => openApi(await openInMemory());

test('shows a plan without values, and applies this plan alone [50.26]', async () => {
  const api = await newApi();
  const plan = await callTool(api, api.ed, 'plan_configuration', { document });
  expect(plan.structuredContent).toMatchObject({
    name: 'shop',
    is_empty: false,
    changes: [
      { action: 'create', section: 'groups', key: 'shop', name: 'Shop', fields: ['name'] },
      { action: 'create', section: 'monitors', key: 'web' },
    ],
    drift: [],
  });
  expect(JSON.stringify(plan)).not.toContain(SECRET);
  const dry = await contentOf(api, api.ed, 'apply_configuration', { document });
  expect(dry).toMatchObject({ is_done: false, target: plan.structuredContent });
  // Somebody makes the group, so that another plan is due.
  const { body } = await api.call(api.alice, 'POST', '/api/v1/groups', { name: 'Shop' });
  const confirmed = { document, dry_run: false, confirmation: dry['confirmation'] };
  expect((await refusalOf(api, api.ed, 'apply_configuration', confirmed)).code).toBe('conflict');
  const again = await contentOf(api, api.ed, 'apply_configuration', { document });
  expect(again['target'].changes[0]).toMatchObject({ action: 'adopt', key: 'shop' });
  const done = await contentOf(api, api.ed, 'apply_configuration', {
    ...confirmed,
    confirmation: again['confirmation'],
  });
  expect(done).toMatchObject({ is_done: true, target: { name: 'shop' } });
  expect((await contentOf(api, api.ed, 'plan_configuration', { document }))['is_empty']).toBe(true);
  const group = (await api.call(api.alice, 'GET', `/api/v1/groups/${body['id']}`)).body;
  expect(group['name']).toBe('Shop');
});

test('counts all that changes, in answers that fit [50.14, 50.26]', async () => {
  const api = await newApi();
  const long = 'x'.repeat(60);
  const monitors = Array.from({ length: 40 }, (_, at) => ({
    key: `a-service-with-a-long-key-${at}`,
    url: `https://service-${at}.example.com/${long}`,
    friendly_name: `Service ${at} ${long}`,
    check_interval: 5,
    http_method: 'POST',
    request_body: '{}',
    tags: ['a'],
    check_types: ['ssl', 'dns'],
    follow_redirects: false,
    verify_ssl: false,
  }));
  const args = { document: { name: 'large', monitors } };
  const plan = await callTool(api, api.ed, 'plan_configuration', args);
  expect(plan.content[0]!.text).toContain('The set large has 40 changes to make');
  expect(plan.structuredContent['changes_total']).toBe(40);
  const { confirmation } = await contentOf(api, api.ed, 'apply_configuration', args);
  const confirmed = { ...args, dry_run: false, confirmation };
  const done = await callTool(api, api.ed, 'apply_configuration', confirmed);
  expect(done.structuredContent).toMatchObject({ is_done: true, target: { changes_total: 40 } });
  expect(Buffer.byteLength(JSON.stringify(done))).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
});

test('refuses what a document may not hold, at its place [50.26]', async () => {
  const api = await newApi();
  const wrong = { name: 'shop', groups: [{ key: 'shop', colour: 'red' }] };
  const { fields } = await refusalOf(api, api.ed, 'apply_configuration', { document: wrong });
  expect(Object.keys(fields!)).toEqual(['groups.0.colour']);
});
