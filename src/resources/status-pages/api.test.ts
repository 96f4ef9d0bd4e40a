import { describe, expect, test } from 'vitest';
import {
  openApi,
  sentences,
  sharedApi,
  type Json,
  type TestApi,
} from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { DEFAULT_BRAND } from '../../status-page/facts/model.ts';
import { updateRow } from '../../store/database/rows.ts';

const PAGES = '/api/v1/status-pages';

async function createPage(api: TestApi, body: object = {}, who = api.alice): Promise<Json> {
  const answer = await api.call(who, 'POST', PAGES, { name: 'Acme', ...body });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body;
}

const read = async (api: TestApi, id: number) =>
  (await api.call(api.vera, 'GET', `${PAGES}/${id}`)).body;

async function change(api: TestApi, id: number, body: object): Promise<Json> {
  const answer = await api.call(api.ed, 'PUT', `${PAGES}/${id}`, body);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.body;
}

/** Ids of the services in the order of the public page. */
async function placesOn(api: TestApi, pageId: number): Promise<number[]> {
  const rows = await api.database.read
    .selectFrom('status_page_service')
    .select('monitor_id')
    .where('page_id', '=', pageId)
    .orderBy('position')
    .execute();
  return rows.map((row) => row.monitor_id);
}

const idsOf = (page: Json) =>
  (page['services'] as { monitor_id: number }[]).map((service) => service.monitor_id);

const rowOf = (api: TestApi, id: number) =>
  api.database.read
    .selectFrom('status_page')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

eachDatabase((_name, open) => {
  describe('status pages', () => {
    test('a new page has every field, and the defaults of what was left out [41.1, 41.2]', async () => {
      const api = await openApi(await open());
      const page = await createPage(api, { name: 'Acmé & Söhne' }, api.ed);
      expect(page).toEqual({
        id: expect.any(Number),
        name: 'Acmé & Söhne',
        slug: 'acme-sohne',
        url: 'https://up.example.com/status/acme-sohne',
        description: null,
        logo_url: null,
        logo_dark_url: null,
        favicon_url: null,
        social_image_url: null,
        custom_domain: null,
        domain_verified: false,
        domain: null,
        settings: {
          show_uptime_percentage: true,
          show_response_time: true,
          show_incident_history: true,
          custom_css: null,
        },
        brand: DEFAULT_BRAND,
        draft: false,
        language: 'en',
        timezone: 'UTC',
        show_automatic: { after_minutes: 5 },
        subscribe_by: ['email', 'slack', 'microsoft_teams'],
        sms_channel_id: null,
        access: { type: 'public', addresses: [], password_set: false },
        services: [],
        groups: [],
        warnings: ['This page shows no service: add monitors.'],
        created_at: '2030-01-01T00:00:00.000Z',
        updated_at: '2030-01-01T00:00:00.000Z',
      });
      expect(await read(api, page.id)).toEqual(page);
    });

    test('services have a label, a display and the state of their monitor, groups an order of their own [41.3, 41.4]', async () => {
      const api = await openApi(await open());
      const [a, b, c] = [await api.create(), await api.create(), await api.create()] as [
        Json,
        Json,
        Json,
      ];
      const page = await createPage(api, {
        monitors: [
          { id: a.id, label: 'Shop', display: 'figure', show_automatic: { never: true } },
          { id: b.id },
          { id: c.id, label: '' },
        ],
        groups: [
          { name: 'Second', monitors: [c.id, a.id] },
          { name: 'Empty', monitors: [] },
        ],
      });
      const state = { monitor_url: 'https://example.com', monitor_status: 'pending' };
      expect(page['services']).toEqual([
        {
          monitor_id: a.id,
          label: 'Shop',
          display: 'figure',
          show_automatic: { never: true },
          ...state,
        },
        { monitor_id: b.id, label: null, display: 'bar', show_automatic: null, ...state },
        { monitor_id: c.id, label: null, display: 'bar', show_automatic: null, ...state },
      ]);
      expect(await placesOn(api, page.id)).toEqual([b.id, c.id, a.id]);
      expect(page['groups']).toEqual([
        { name: 'Second', monitors: [c.id, a.id] },
        { name: 'Empty', monitors: [] },
      ]);
      expect(page['warnings']).toEqual([]);
      // Sent apart, each replaces its own list only.
      const regrouped = await change(api, page.id, { groups: [{ name: 'All', monitors: [b.id] }] });
      expect([idsOf(regrouped), regrouped['groups']]).toEqual([
        [a.id, b.id, c.id],
        [{ name: 'All', monitors: [b.id] }],
      ]);
      expect(await placesOn(api, page.id)).toEqual([a.id, c.id, b.id]);
      const replaced = await change(api, page.id, { monitors: [{ id: b.id }, { id: a.id }] });
      expect([idsOf(replaced), replaced['groups']]).toEqual([
        [b.id, a.id],
        [{ name: 'All', monitors: [b.id] }],
      ]);
      const without = await change(api, page.id, { monitors: [{ id: a.id }] });
      expect([idsOf(without), without['groups']]).toEqual([
        [a.id],
        [{ name: 'All', monitors: [] }],
      ]);
      await api.call(api.alice, 'DELETE', `/api/v1/monitors/${a.id}`);
      expect((await read(api, page.id))['services']).toEqual([]);
    });

    test('a list has pages, is searched by name and slug in any case, and sorted [41.5]', async () => {
      const api = await openApi(await open());
      for (const [name, slug] of [
        ['Zürich', 'a-1'],
        ['Berlin', 'zur-2'],
        ['Amsterdam', 'x-3'],
      ] as const) {
        await createPage(api, { name, slug });
        await api.clock.advance(1_000);
      }
      await createPage(api, { name: 'Theirs' }, api.mallory);
      const names = async (query: string) => {
        const { body } = await api.call(api.vera, 'GET', `${PAGES}?${query}`);
        return (body['data'] as { name: string }[]).map(({ name }) => name);
      };
      expect(await names('')).toEqual(['Amsterdam', 'Berlin', 'Zürich']);
      expect(await names('sort=title')).toEqual(['Amsterdam', 'Berlin', 'Zürich']);
      expect(await names('sort=slug')).toEqual(['Zürich', 'Amsterdam', 'Berlin']);
      expect(await names('sort=created_at&direction=desc&per_page=1&page=2')).toEqual(['Berlin']);
      expect(await names('search=ZÜR')).toEqual(['Zürich']);
      expect(await names('search=zur')).toEqual(['Berlin']);
      expect(await names('search=%25')).toEqual([]);
    });

    test('a PUT changes what is present; one that changes nothing leaves updated_at [41.6, 41.7]', async () => {
      const api = await openApi(await open());
      const page = await createPage(api, { description: 'x', language: 'de' });
      await api.clock.advance(1_000);
      expect(await change(api, page.id, { language: 'de', slug: null })).toEqual(page);
      const css = '.service { color: red }';
      const styled = await change(api, page.id, {
        settings: { custom_css: css, show_response_time: false },
      });
      const settings = { ...(page['settings'] as object), show_response_time: false };
      expect(styled).toEqual({
        ...page,
        settings: { ...settings, custom_css: css },
        updated_at: '2030-01-01T00:00:01.000Z',
      });
      const plain = await change(api, page.id, { settings: { custom_css: '' } });
      expect(plain['settings']).toEqual({ ...settings, custom_css: null });
      expect((await change(api, page.id, { settings: null }))['settings']).toEqual(
        page['settings'],
      );
      expect((await change(api, page.id, { description: '' }))['description']).toBe(null);
    });

    test('slugs are unique in the installation, and one that is made of a name finds a free one [41.8]', async () => {
      const api = await openApi(await open());
      await createPage(api, { name: 'Acme' }, api.mallory);
      expect((await createPage(api, { name: 'Acme!' }))['slug']).toBe('acme-2');
      expect((await createPage(api, { name: '状態' }))['slug']).toBe('status');
      // With room for a number, and never with a hyphen at its end.
      const long = `${'x'.repeat(55)} ${'y'.repeat(40)}`;
      expect((await createPage(api, { name: long }))['slug']).toBe('x'.repeat(55));
      expect((await createPage(api, { name: long }))['slug']).toBe(`${'x'.repeat(55)}-2`);
      const errors = sentences({
        slug: 'must be unique in the installation: another status page has it, maybe one of another team',
      });
      const refused = await api.call(api.alice, 'POST', PAGES, { name: 'A', slug: 'acme' });
      expect([refused.status, refused.body['errors']]).toEqual([422, errors]);
      const { id } = await createPage(api, { name: 'B', slug: 'b' });
      const moved = await api.call(api.alice, 'PUT', `${PAGES}/${id}`, { slug: 'acme' });
      expect([moved.status, moved.body['errors']]).toEqual([422, errors]);
      expect((await change(api, id, { slug: 'b' }))['slug']).toBe('b');
      const many = await Promise.all(
        [api.alice, api.mallory].map((who) =>
          api.call(who, 'POST', PAGES, { name: 'At once', slug: 'at-once' }),
        ),
      );
      expect(many.map(({ status }) => status).toSorted()).toEqual([201, 422]);
      const unnamed = await Promise.all(
        [api.alice, api.mallory].map((who) => createPage(api, { name: 'Unnamed' }, who)),
      );
      expect(unnamed.map((page) => page['slug']).toSorted()).toEqual(['unnamed', 'unnamed-2']);
      expect(api.faults).toEqual([]);
    });

    test('access is by password, membership or address; the password is stored as a hash and kept [41.9, 41.10]', async () => {
      const api = await openApi(await open());
      const { id } = await createPage(api);
      const versions = [(await rowOf(api, id)).access_version];
      const access = async (body: object | null) => {
        const page = await change(api, id, { access: body });
        const row = await rowOf(api, id);
        versions.push(row.access_version);
        return [page['access'], row.access_password];
      };
      const byPassword = { type: 'password', addresses: [], password_set: true };
      const [shown, hash] = await access({ type: 'password', password: 'open sesame' });
      expect([shown, hash]).toEqual([byPassword, expect.not.stringContaining('sesame')]);
      // Neither eight bullets nor silence change it.
      expect(await access({ password: '••••••••' })).toEqual([byPassword, hash]);
      expect(await access({ type: 'password' })).toEqual([byPassword, hash]);
      expect(versions).toEqual([1, 2, 2, 2]);
      expect(await access({ type: 'addresses', addresses: ['203.0.113.0/24', '::1'] })).toEqual([
        { type: 'addresses', addresses: ['203.0.113.0/24', '::1'], password_set: true },
        hash,
      ]);
      expect(await access({ type: 'members' })).toEqual([
        { type: 'members', addresses: ['203.0.113.0/24', '::1'], password_set: true },
        hash,
      ]);
      expect(await access(null)).toEqual([
        { type: 'public', addresses: [], password_set: false },
        null,
      ]);
      expect(versions).toEqual([1, 2, 2, 2, 3, 4, 5]);
      const { entries } = await auditOf(api, id);
      expect(JSON.stringify(entries)).not.toContain(String(hash));
      expect(JSON.stringify(entries)).not.toContain('sesame');
    });

    test('changes are audited with what differs, and a page of another team is not found [41.11, 41.12]', async () => {
      const api = await openApi(await open());
      const monitor = await api.create();
      const { id } = await createPage(api, { monitors: [{ id: monitor.id }] });
      await change(api, id, { name: 'Acme Inc.', language: 'fr' });
      for (const method of ['GET', 'PUT', 'DELETE'])
        expect((await api.call(api.mallory, method, `${PAGES}/${id}`)).status).toBe(404);
      const theirs = await api.create({}, api.mallory);
      const stolen = await api.call(api.alice, 'PUT', `${PAGES}/${id}`, {
        monitors: [{ id: theirs.id }],
      });
      expect(stolen.body['errors']).toEqual(
        sentences({ 'monitors.0.id': 'must be the id of a monitor of your team' }),
      );
      expect((await api.call(api.ed, 'DELETE', `${PAGES}/${id}`)).status).toBe(204);
      expect((await api.call(api.vera, 'GET', `${PAGES}/${id}`)).status).toBe(404);
      const { entries } = await auditOf(api, id);
      expect(entries).toMatchObject([
        { action: 'status_page.deleted' },
        {
          action: 'status_page.updated',
          before: { name: 'Acme', language: 'en' },
          after: { name: 'Acme Inc.', language: 'fr' },
        },
        { action: 'status_page.created' },
      ]);
      const left = await api.database.read.selectFrom('status_page_service').selectAll().execute();
      expect(left).toEqual([]);
    });

    test('the pages of a deleted team are gone at once, and no others [41.23]', async () => {
      const api = await openApi(await open());
      const monitor = await api.create();
      await createPage(api, { monitors: [{ id: monitor.id }], groups: [] });
      const { id } = await createPage(api, { name: 'Theirs' }, api.mallory);
      const path = `/api/v1/teams/${api.alice.teamId}?name=Team%20ours`;
      expect((await api.call(api.alice, 'DELETE', path)).status).toBe(204);
      const left = await api.database.read.selectFrom('status_page').select('id').execute();
      expect(left).toEqual([{ id }]);
      expect((await createPage(api, { slug: 'acme' }, api.mallory))['slug']).toBe('acme');
    });

    test('a tag tells a change of the page from one of its monitors [41.13]', async () => {
      const api = await openApi(await open());
      const monitor = await api.create();
      const { id } = await createPage(api, { monitors: [{ id: monitor.id }] });
      const path = `${PAGES}/${id}`;
      const { headers } = await api.call(api.alice, 'GET', path);
      const tag = String(headers['etag']);
      await api.call(api.alice, 'PUT', `/api/v1/monitors/${monitor.id}`, {
        url: 'https://example.org',
      });
      const moved = await api.call(api.alice, 'GET', path);
      expect(moved.headers['etag']).not.toBe(tag);
      const put = (name: string) => api.call(api.alice, 'PUT', path, { name }, { 'if-match': tag });
      expect((await put('First')).status).toBe(200);
      expect((await put('Second')).status).toBe(412);
    });
  });
});

async function auditOf(api: TestApi, id: number): Promise<{ entries: Json[] }> {
  const path = `/api/v1/audit-log?target_type=status_page&target_id=${id}`;
  const { body } = await api.call(api.alice, 'GET', path);
  return { entries: body['data'] as Json[] };
}

test('the address is the custom domain as soon as that is verified [41.15]', async () => {
  const api = await openApi(await openInMemory());
  const { id } = await createPage(api, { custom_domain: ' Status.Äcme.Example. ' });
  const before = await read(api, id);
  expect(before['custom_domain']).toBe('status.xn--cme-pla.example');
  expect(before['url']).toBe('https://up.example.com/status/acme');
  const columns = { domain_verified_at: 1, images: '{"logo":{"hash":"abcdefghij"}}' };
  await api.database.transaction((tx) => updateRow(tx, 'status_page', id, columns));
  expect(await read(api, id)).toMatchObject({
    url: 'https://status.xn--cme-pla.example/',
    logo_url: 'https://status.xn--cme-pla.example/acme/logo?v=abcdefgh',
    domain_verified: true,
  });
  // Another domain starts anew, with a token of its own.
  const tokens = [(await rowOf(api, id)).domain_token];
  const moved = await change(api, id, { custom_domain: 'other.example' });
  tokens.push((await rowOf(api, id)).domain_token);
  expect([moved['domain_verified'], tokens[0] === tokens[1]]).toEqual([false, false]);
  expect((await change(api, id, { custom_domain: null }))['domain']).toBe(null);
});

test('the brand keeps the keys that are left out, and null restores them [41.6, 41.25]', async () => {
  const api = await openApi(await openInMemory());
  const { id } = await createPage(api, {
    brand: {
      accent: '#1F60D4',
      layout: 'wide',
      links: { site: 'https://acme.example', contact: 'help@acme.example' },
    },
  });
  const brandAfter = async (brand: object | null) => (await change(api, id, { brand }))['brand'];
  const links = { site: 'https://acme.example/', contact: 'mailto:help@acme.example', terms: null };
  expect(await brandAfter({ font: 'inter' })).toEqual({
    accent: '#1f60d4',
    font: 'inter',
    layout: 'wide',
    links,
  });
  expect(await brandAfter({ accent: null, links: { contact: null } })).toEqual({
    accent: null,
    font: 'inter',
    layout: 'wide',
    links: { ...links, contact: null },
  });
  expect(await brandAfter(null)).toEqual(DEFAULT_BRAND);
});

test('a preview shows what is not saved over what is, and saves nothing [41.28]', async () => {
  const api = await openApi(await openInMemory());
  const [one, other] = [await api.create(), await api.create()];
  const { id } = await createPage(api, {
    description: 'Our *services*.',
    monitors: [{ id: one.id }],
  });
  const preview = (body: object, who = api.ed) => api.call(who, 'POST', `${PAGES}/preview`, body);
  const before = await read(api, id);
  const { status, body } = await preview({
    id,
    name: 'New name',
    brand: { accent: '#0a7d4f', layout: 'wide' },
    monitors: [
      { id: other.id, label: 'Second' },
      { id: one.id, label: 'First' },
    ],
    groups: [{ name: 'Inner', monitors: [one.id] }],
  });
  expect(status).toBe(200);
  expect(body['html']).toMatch(
    /<body class="page branded wide">[^]*New name[^]*<em>services<\/em>[^]*Second[^]*Inner[^]*First/,
  );
  expect(body['css']).toContain('--brand:#0a7d4f');
  expect(body['html']).not.toContain('<script');
  expect(await read(api, id)).toEqual(before);
  expect((await preview({ name: 'A page to be' })).body['html']).toContain('A page to be');
  expect((await preview({ name: 'A', monitors: [{ id: 999 }] })).status).toBe(422);
  expect((await preview({ id: 999 })).status).toBe(404);
  expect((await preview({ id }, api.vera)).status).toBe(403);
});

test.each([
  [{ accent: 'red' }, 'brand.accent'],
  [{ font: 'comic' }, 'brand.font'],
  [{ links: { site: 'javascript:alert(1)' } }, 'brand.links.site'],
  [{ links: { site: 'mailto:a@b.example' } }, 'brand.links.site'],
  [{ links: { contact: 'https://a:b@c.example/' } }, 'brand.links.contact'],
  [{ links: { imprint: 'https://c.example/' } }, 'brand.links.imprint'],
])('a brand with %j is refused [41.25]', async (brand, field) => {
  const api = await openApi(await openInMemory());
  const answer = await api.call(api.ed, 'POST', PAGES, { name: 'Acme', brand });
  expect([answer.status, Object.keys(answer.body['errors'] as object)]).toEqual([422, [field]]);
});

describe('refuses', () => {
  const shared = sharedApi();
  const slug = 'must have 1 to 63 lower-case letters, digits and hyphens, no hyphen first or last';
  const domain = 'must be a host name of your own, such as status.example.com';
  const css = 'must have at most 32 KiB of CSS';
  const moment = 'must be {"after_minutes": 0 to 1440} or {"never": true}';
  const block = 'must be an address or a CIDR block, such as 203.0.113.0/24';
  const password = 'must have 8 to 128 characters';
  test.each<[object, Record<string, string>]>([
    [{ name: '' }, { name: 'is required: visitors know the page by it' }],
    [{ slug: 'Acme' }, { slug }],
    [{ slug: '-acme' }, { slug }],
    [{ slug: '_' }, { slug }],
    [{ slug: 'x'.repeat(64) }, { slug }],
    [{ language: 'sv' }, { language: 'must be one of en, de, fr, es, pt, it, nl, ja, zh-CN' }],
    [
      { timezone: 'Mars/Phobos' },
      { timezone: 'must be the IANA name of a time zone, such as Europe/Berlin' },
    ],
    [{ custom_domain: 'localhost' }, { custom_domain: domain }],
    [{ custom_domain: '127.1' }, { custom_domain: domain }],
    [{ custom_domain: '[::1]' }, { custom_domain: domain }],
    [{ custom_domain: '*.example.com' }, { custom_domain: domain }],
    [{ custom_domain: 'https://a.example' }, { custom_domain: domain }],
    [{ custom_domain: `${'a.'.repeat(123)}example` }, { custom_domain: domain }],
    [
      { custom_domain: 'UP.example.com' },
      { custom_domain: 'must not be the host of this installation' },
    ],
    [{ settings: { custom_css: 'x'.repeat(32_769) } }, { 'settings.custom_css': css }],
    [
      { settings: { custom_css: '.service { position: fixed }' } },
      {
        'settings.custom_css':
          'is not accepted: Line 1, column 12: the property position is not supported',
      },
    ],
    [
      { settings: { show_uptime: true } },
      {
        'settings.show_uptime':
          'is not a known setting: use show_uptime_percentage, show_response_time, show_incident_history, custom_css, or leave it out',
      },
    ],
    [
      { show_automatic: { after_minutes: 1_441 } },
      { 'show_automatic.after_minutes': 'must be a whole number from 0 to 1440' },
    ],
    [{ show_automatic: { after_minutes: 1, never: true } }, { show_automatic: moment }],
    [
      { access: { type: 'password' } },
      { 'access.password': 'is required with type password: send one' },
    ],
    [{ access: { type: 'password', password: 'short' } }, { 'access.password': password }],
    [
      { access: { password: '••••••••' } },
      {
        'access.password':
          'is a placeholder, and nothing is stored that it could stand for: send the value itself',
      },
    ],
    [
      { access: { type: 'addresses' } },
      { 'access.addresses': 'must name at least one address with type addresses' },
    ],
    [{ access: { addresses: ['10.0.0.0/33'] } }, { 'access.addresses.0': block }],
    [
      { monitors: [{ id: 999_999 }] },
      { 'monitors.0.id': 'must be the id of a monitor of your team' },
    ],
    [
      { monitors: [7] },
      { 'monitors.0': 'must be an object with the id of a monitor, such as {id: 7}' },
    ],
    [
      { groups: [{ name: 'A', monitors: [1] }] },
      {
        'groups.0.monitors.0':
          'must be the id of a monitor of this page: add it to its monitors, too',
      },
    ],
  ])('%j [41.16]', async (body, predicates) => {
    const api = await shared();
    const answer = await api.call(api.alice, 'POST', PAGES, { name: 'Acme', ...body });
    expect([answer.status, answer.body['errors']]).toEqual([422, sentences(predicates)]);
  });

  test('a monitor twice, or in two groups [41.16]', async () => {
    const api = await shared();
    const { id } = await api.create();
    const twice = await api.call(api.alice, 'POST', PAGES, {
      name: 'Acme',
      monitors: [{ id }, { id }],
    });
    expect(twice.body['errors']).toEqual(
      sentences({ monitors: 'must be a list of at most 200 monitors, each at most once' }),
    );
    const grouped = await api.call(api.alice, 'POST', PAGES, {
      name: 'Acme',
      monitors: [{ id }],
      groups: [
        { name: 'A', monitors: [id] },
        { name: 'B', monitors: [id] },
      ],
    });
    expect(grouped.body['errors']).toEqual(
      sentences({ 'groups.1.monitors.0': 'must be in one group only, and there once' }),
    );
  });
});
