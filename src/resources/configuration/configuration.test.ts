import { expect, it } from 'vitest';
import { givePlan, TEST_PLANS } from '../../../test/support/plans.ts';
import { openApi, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { giveToken } from '../../../test/support/people.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import type { PasswordQueue } from '../../identity/password.ts';
import { MASK } from '../../lib/secret-box.ts';
import type { Plan } from './plan.ts';

const PLAN = '/api/v1/configuration/plan';
const APPLY = '/api/v1/configuration/apply';

const SHOP = {
  name: 'shop',
  groups: [
    { key: 'eu', name: 'Europe', parent_id: 'shop' },
    { key: 'shop', name: 'Shop' },
  ],
  monitors: [
    {
      key: 'website',
      friendly_name: 'Website',
      url: 'https://example.com',
      check_interval: 1,
      group_id: 'eu',
      tags: ['shop'],
      depends_on: ['router'],
      slo: { target_percent: 99.5 },
    },
    {
      key: 'router',
      monitor_type: 'ping',
      url: '198.51.100.7',
      check_interval: 5,
      is_paused: true,
    },
    {
      key: 'backup',
      monitor_type: 'cron',
      friendly_name: 'Backup',
      heartbeat_cron_expression: '0 2 * * *',
      check_interval: null,
      http_method: null,
    },
  ],
  alert_channels: [
    {
      key: 'on-call',
      type: 'ntfy',
      name: 'On call',
      settings: { topic: { from: 'env TOPIC', value: 'tocsin-x7' } },
    },
  ],
  alert_routes: [
    {
      key: 'shop',
      name: 'Shop',
      groups: ['shop'],
      channels: ['on-call'],
      users: ['alice@example.com'],
    },
  ],
  webhook_endpoints: [
    { key: 'chat', name: 'Chat', url: { from: 'env HOOK', value: 'https://hooks.example.com/a' } },
  ],
  maintenance_windows: [
    {
      key: 'nightly',
      name: 'Nightly',
      monitors: ['website'],
      starts_at: '2030-01-06T02:00',
      ends_at: '2030-01-06T03:00',
      rrule: 'FREQ=WEEKLY',
      timezone: 'Europe/Berlin',
    },
  ],
  status_pages: [
    {
      key: 'public',
      name: 'Status',
      monitors: [{ id: 'website', label: 'Shop' }],
      groups: [{ name: 'All', monitors: ['website'] }],
      access: { type: 'password', password: { from: 'env PAGE', value: 'correct horse battery' } },
    },
  ],
  reports: [
    {
      key: 'monthly',
      name: 'Monthly',
      monitors: ['website'],
      group_id: 'shop',
      status_page_id: 'public',
    },
  ],
  update_templates: [
    { key: 'outage', name: 'Outage', state: 'investigating', text: 'We look into it.' },
  ],
};

async function planOf(api: TestApi, document: object, more: object = {}) {
  const { status, body, text } = await api.call(api.alice, 'POST', PLAN, { document, ...more });
  expect(status, text).toBe(200);
  return body as unknown as Plan;
}

async function apply(api: TestApi, document: object, more: object = {}) {
  const { status, body, text } = await api.call(api.alice, 'POST', APPLY, { document, ...more });
  expect(status, text).toBe(200);
  return body as unknown as Plan;
}

/** Where and why a document is refused. */
async function refusal(api: TestApi, document: object, more: object = {}) {
  const { status, body } = await api.call(api.alice, 'POST', PLAN, { document, ...more });
  expect(status).toBe(422);
  return body['errors'] as Record<string, string[]>;
}

const changesOf = (plan: Plan) =>
  plan.changes.map(({ action, section, key, fields }) => [
    `${action} ${section} ${key}`,
    ...fields.map(({ field }) => field),
  ]);

const website = {
  key: 'website',
  friendly_name: 'Website',
  url: 'https://example.com',
  check_interval: 1,
};
const setOf = (...monitors: object[]) => ({ name: 'shop', monitors });

const twoGroups = (one: object, other: object) => ({
  name: 'shop',
  groups: [
    { key: 'a', ...one },
    { key: 'b', ...other },
  ],
});

const changedBy = (verb: string) => [
  { actor: expect.stringContaining('ed@') as string, at: '2030-01-01T00:01:00.000Z', verb },
];

const token = (value?: string) => ({ from: 'env TOKEN', ...(value && { value }) });

const job = (...paths: string[]) =>
  setOf({
    key: 'job',
    monitor_type: 'heartbeat',
    friendly_name: 'Job',
    heartbeat_interval: 300,
    ping_aliases: paths,
  });

eachDatabase((_name, open) => {
  it('plans a set, applies it, and has nothing left to do [61.1, 61.2]', async () => {
    const api = await openApi(await open());
    const plan = await planOf(api, SHOP);
    expect(plan.is_empty).toBe(false);
    expect(plan.changes.map(({ action, section, key }) => `${action} ${section} ${key}`)).toEqual([
      'create groups eu',
      'create groups shop',
      'create monitors website',
      'create monitors router',
      'create monitors backup',
      'create alert_channels on-call',
      'create alert_routes shop',
      'create webhook_endpoints chat',
      'create maintenance_windows nightly',
      'create status_pages public',
      'create reports monthly',
      'create update_templates outage',
    ]);
    expect((await api.call(api.alice, 'GET', '/api/v1/monitors')).body['total']).toBe(0);
    const done = await apply(api, SHOP);
    expect(done.fingerprint).toBe(plan.fingerprint);
    expect(api.nudges.length).toBeGreaterThan(0);
    const again = await planOf(api, SHOP);
    expect(again.changes).toEqual([]);
    expect(again.drift).toEqual([]);
    expect(again.is_empty).toBe(true);
    expect((await apply(api, SHOP)).is_empty).toBe(true);
  });

  it('shows each field that changes, with keys in place of ids and secrets as bullets [61.3, 61.4]', async () => {
    const api = await openApi(await open());
    await apply(api, SHOP);
    const [monitor, ...others] = SHOP.monitors;
    const { slo: _slo, ...without } = monitor!;
    const changed = {
      ...SHOP,
      monitors: [{ ...without, group_id: 'shop', check_interval: 5 }, ...others],
      webhook_endpoints: [
        {
          key: 'chat',
          name: 'Chat',
          url: { from: 'env HOOK', value: 'https://hooks.example.com/b' },
        },
      ],
    };
    const { changes } = await planOf(api, changed);
    expect(changes.map(({ key, fields }) => [key, fields])).toEqual([
      [
        'website',
        [
          { field: 'check_interval', before: 1, after: 5, is_secret: false },
          { field: 'group_id', before: 'eu', after: 'shop', is_secret: false },
          {
            field: 'slo',
            before: { target_percent: 99.5, window_days: 30, burn_rate_alerts: false },
            after: null,
            is_secret: false,
          },
        ],
      ],
      ['chat', [{ field: 'url', before: MASK, after: MASK, is_secret: true }]],
    ]);
  });

  it('names every place that is wrong, and changes nothing [61.5, 61.6]', async () => {
    const api = await openApi(await open());
    const errors = await refusal(api, {
      name: 'shop',
      groups: [
        { key: 'a', name: 'A', parent_id: 'b' },
        { key: 'b', name: 'B', parent_id: 'a' },
      ],
      monitors: [
        { ...website, url: 'ftp://example.com' },
        { ...website, key: 'two', group_id: 'nowhere', verify_tls: false },
        { ...website, key: 'three', slo: { target_percent: 200 } },
        {
          ...website,
          key: 'four',
          auth_type: 'basic',
          auth_username: 'me',
          auth_password: 'secret',
        },
        { ...website, key: 'five', depends_on: ['website'] },
      ],
      alert_channels: [{ key: 'chat', type: 'ntfy', settings: { topic: { from: 'env TOPIC' } } }],
    });
    expect(Object.keys(errors)).toEqual([
      'groups.0',
      'groups.1',
      'monitors.1.group_id',
      'monitors.1.verify_tls',
      'monitors.3.auth_password',
      'monitors.0.url',
      'monitors.2.slo.target_percent',
      'alert_channels.0.settings.topic',
    ]);
    expect(errors['groups.0']).toEqual(['groups.0 refers to itself: a → b → a.']);
    expect(errors['monitors.2.slo.target_percent']![0]).toMatch(
      /^monitors\.2\.slo\.target_percent must be /,
    );
    expect(errors['alert_channels.0.settings.topic']![0]).toContain('environment variable TOPIC');
    const { status } = await api.call(api.alice, 'POST', APPLY, {
      document: setOf(website, { key: 'x' }),
    });
    expect(status).toBe(422);
    expect((await api.call(api.alice, 'GET', '/api/v1/monitors')).body['total']).toBe(0);
  });

  it('names the items of a circle, however long it is [61.5]', async () => {
    const api = await openApi(await open());
    const inCircle = (prefix: string, length: number) =>
      Array.from({ length }, (_, index) => ({
        ...website,
        key: `${prefix}${index}`,
        depends_on: [`${prefix}${(index + 1) % length}`],
      }));
    const one = { ...website, key: 'one', depends_on: ['short0'] };
    const short = await refusal(api, setOf(one, ...inCircle('short', 2), ...inCircle('other', 3)));
    expect(short).toEqual({
      'monitors.1': ['monitors.1 refers to itself: short0 → short1 → short0.'],
      'monitors.2': ['monitors.2 refers to itself: short0 → short1 → short0.'],
      ...Object.fromEntries(
        [3, 4, 5].map((index) => [
          `monitors.${index}`,
          [`monitors.${index} refers to itself: other0 → other1 → other2 → other0.`],
        ]),
      ),
    });
    const long = await refusal(api, setOf(...inCircle('long', 3_000)));
    expect(Object.keys(long)).toHaveLength(100);
    expect(long['monitors.0']).toEqual([
      'monitors.0 refers to itself: long0 → long1 → long2 → long3 → long4 → long5 → long6 → long7 → … → long0.',
    ]);
  });

  it('shows no secret of a document, wherever it is [61.4]', async () => {
    const api = await openApi(await open());
    const { friendly_name: _former, ...unnamed } = website;
    const withUrl = (path: string) =>
      setOf({ ...unnamed, url: token(`https://example.com/${path}`), tags: [token(path)] });
    const texts = [await apply(api, withUrl('hidden-1'))];
    await api.call(api.alice, 'PUT', '/api/v1/monitors/1', {
      url: 'https://example.com/hidden-2',
      check_interval: 10,
    });
    texts.push(await planOf(api, withUrl('hidden-3')));
    expect(texts[1]).toMatchObject({
      changes: [
        {
          name: 'website',
          fields: [
            { field: 'url', before: MASK, after: MASK, is_secret: true },
            { field: 'check_interval', before: 10, after: 1, is_secret: false },
            { field: 'tags', before: MASK, after: MASK, is_secret: true },
          ],
        },
      ],
      drift: [{ name: 'website', fields: [{ field: 'url', applied: MASK, current: MASK }, {}] }],
    });
    expect(JSON.stringify(texts)).not.toContain('hidden');
    const errors = await refusal(api, setOf({ ...website, group_id: token('hidden-4') }));
    expect(errors['monitors.0.group_id']![0]).toMatch(/: there is no such thing\.$/);
  });

  it('shows no secret of an item that has another key [61.4]', async () => {
    const api = await openApi(await open());
    const tagged = { ...website, tags: [token('hidden-1')] };
    await apply(api, setOf(tagged));
    await api.call(api.alice, 'PUT', '/api/v1/monitors/1', { tags: ['hidden-2'] });
    const plan = await planOf(api, setOf({ ...tagged, key: 'site' }));
    expect(plan).toMatchObject({
      changes: [{ action: 'adopt', id: 1, fields: [{ before: MASK, after: MASK }] }],
      drift: [{ key: 'website', fields: [{ field: 'tags', applied: MASK, current: MASK }] }],
    });
  });

  it('refuses what has operations of its own in its place, also where an SLO goes [61.5]', async () => {
    const api = await openApi(await open());
    await apply(api, setOf({ ...website, slo: { target_percent: 99 } }));
    const aliases = { ping_aliases: ['/ping/5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278'] };
    expect(await refusal(api, setOf({ ...website, ...aliases }, { ...website, key: 'b' }))).toEqual(
      { 'monitors.0': [expect.stringContaining('is refused: Only heartbeat and cron monitors')] },
    );
  });

  it('exchanges what is unique, and what nests', async () => {
    const api = await openApi(await open());
    await apply(api, twoGroups({ name: 'A' }, { name: 'B', parent_id: 'a' }));
    const turned = twoGroups({ name: 'A', parent_id: 'b' }, { name: 'B' });
    expect(changesOf(await apply(api, turned))).toEqual([
      ['update groups a', 'parent_id'],
      ['update groups b', 'parent_id'],
    ]);
    expect((await planOf(api, turned)).is_empty).toBe(true);
  });

  it('moves many unique names on by one', async () => {
    const api = await openApi(await open());
    const [first, second] = [0, 1].map((shift) => ({
      name: 'shop',
      groups: Array.from({ length: 30 }, (_, index) => ({
        key: `g${index}`,
        name: `Group ${index + shift}`,
      })),
    })) as [object, object];
    await apply(api, first);
    expect((await apply(api, second)).changes).toHaveLength(30);
    expect((await apply(api, first)).changes).toHaveLength(30);
    expect((await planOf(api, first)).is_empty).toBe(true);
  });

  it('lists drift, who caused it, and what was deleted [61.9]', async () => {
    const api = await openApi(await open());
    await apply(api, setOf(website, { ...website, key: 'api', friendly_name: 'API' }));
    const { data } = (await api.call(api.alice, 'GET', '/api/v1/monitors?sort=url'))
      .body as unknown as {
      data: { id: number; friendly_name: string }[];
    };
    const idOf = (name: string) => data.find((one) => one.friendly_name === name)!.id;
    await api.clock.advance(60_000);
    await api.call(api.ed, 'PUT', `/api/v1/monitors/${idOf('Website')}`, { check_interval: 10 });
    await api.call(api.ed, 'DELETE', `/api/v1/monitors/${idOf('API')}`);
    const plan = await planOf(
      api,
      setOf(website, { ...website, key: 'api', friendly_name: 'API' }),
    );
    expect(plan.drift).toMatchObject([
      { action: 'deleted', key: 'api', name: 'API', changed_by: changedBy('deleted') },
      {
        action: 'updated',
        key: 'website',
        fields: [{ field: 'check_interval', applied: 1, current: 10 }],
        changed_by: changedBy('updated'),
      },
    ]);
    expect(changesOf(plan).map(([what]) => what)).toEqual([
      'update monitors website',
      'create monitors api',
    ]);
  });

  it('deletes what it no longer names only when it is asked to, and not too much [61.7, 61.8]', async () => {
    const api = await openApi(await open());
    const many = Array.from({ length: 7 }, (_, index) => ({ ...website, key: `m${index}` }));
    await api.create({ friendly_name: 'By hand' });
    await apply(api, setOf(...many));
    const kept = await planOf(api, setOf(many[0]!));
    expect([kept.is_empty, kept.kept.length, kept.left_alone]).toEqual([true, 6, { monitors: 1 }]);
    const errors = await refusal(api, setOf(many[0]!), { prune: true });
    expect(errors['max_deletions']![0]).toContain('monitors m1, monitors m2');
    const retiring = await planOf(api, setOf(many[0]!), { prune: true, max_deletions: 6 });
    expect(retiring.changes.map(({ action }) => action)).toEqual(Array<string>(6).fill('retire'));
    const pruning = { prune: true, max_deletions: 6, delete_history: true };
    const pruned = await apply(api, setOf(many[0]!), pruning);
    expect(pruned.changes.map(({ action }) => action)).toEqual(Array<string>(6).fill('delete'));
    expect((await api.call(api.alice, 'GET', '/api/v1/monitors')).body['total']).toBe(2);
    expect((await planOf(api, setOf(many[0]!), { prune: true })).is_empty).toBe(true);
  });

  it('prunes a whole set in the order of what refers to what', async () => {
    const api = await openApi(await open());
    await apply(api, SHOP);
    const pruning = { prune: true, max_deletions: 100, delete_history: true };
    const done = await apply(api, { name: 'shop' }, pruning);
    expect(done.changes).toHaveLength(12);
    expect((await planOf(api, { name: 'shop' })).is_empty).toBe(true);
  });

  it('keeps what has a history without delete_history [61.8]', async () => {
    const api = await openApi(await open());
    await apply(api, SHOP);
    const done = await apply(api, { name: 'shop' }, { prune: true, max_deletions: 100 });
    const retired = done.changes.filter(({ action }) => action === 'retire');
    expect(retired.map(({ key }) => key)).toEqual(['backup', 'router', 'website']);
    expect(done.kept.map(({ section, key }) => [section, key])).toEqual([
      ['status_pages', 'public'],
    ]);
    expect(done.warnings[0]).toContain('delete_history');
    const { data } = (await api.call(api.alice, 'GET', '/api/v1/monitors')).body as unknown as {
      data: { is_paused: boolean }[];
    };
    expect(data.map((one) => one.is_paused)).toEqual([true, true, true]);
    const again = await planOf(api, { name: 'shop' }, { prune: true });
    expect([again.is_empty, again.left_alone]).toEqual([true, { monitors: 3 }]);
    expect((await planOf(api, SHOP)).warnings).toEqual([
      'Monitors that are taken over are paused, and stay so unless their items say "is_paused: false": website, backup.',
    ]);
  });

  it('adopts what it was exported from, and an export of all changes nothing [61.7, 61.12, 61.13]', async () => {
    const api = await openApi(await open());
    await apply(api, SHOP);
    await api.create({ friendly_name: 'Website' });
    const released = (await api.call(api.alice, 'GET', '/api/v1/configuration/sets'))
      .body as unknown as {
      data: { id: number; items_count: number; name: string }[];
    };
    expect(released.data).toMatchObject([{ name: 'shop', items_count: 12 }]);
    await api.call(api.alice, 'DELETE', `/api/v1/configuration/sets/${released.data[0]!.id}`);
    const exported = await api.call(api.alice, 'GET', '/api/v1/configuration/export?name=all');
    expect(exported.status, exported.text).toBe(200);
    const { document, secrets, warnings } = exported.body as unknown as {
      document: Record<string, { key: string }[]>;
      secrets: { env: string }[];
      warnings: string[];
    };
    expect(warnings).toEqual([]);
    expect(secrets.map(({ env }) => env)).toEqual([
      'ON_CALL_SETTINGS_TOPIC',
      'CHAT_URL',
      'STATUS_ACCESS_PASSWORD',
    ]);
    expect(document['monitors']!.map(({ key }) => key)).toEqual([
      '198.51.100.7',
      'backup',
      'website',
      'website-2',
    ]);
    expect(document['monitors']![2]).toMatchObject({
      group_id: 'europe',
      depends_on: ['198.51.100.7'],
      slo: { target_percent: 99.5 },
    });
    const plan = await planOf(api, document);
    expect(new Set(plan.changes.map(({ action, fields }) => `${action} ${fields.length}`))).toEqual(
      new Set(['adopt 0']),
    );
    expect(plan.is_empty).toBe(true);
    await apply(api, document);
    expect((await planOf(api, document)).changes).toEqual([]);
  });

  it('goes on with what it had when a key is another one [61.7]', async () => {
    const api = await openApi(await open());
    const keyed = (group: string, keys: readonly string[]) => ({
      name: 'shop',
      groups: [{ key: group, name: 'Europe' }],
      monitors: keys.map((key) => ({ ...website, key, group_id: group })),
    });
    await apply(api, keyed('europe', ['a', 'b']));
    const moved = keyed('eu', ['c', 'd']);
    const pruning = { prune: true, max_deletions: 0 };
    const { is_empty: isEmpty, changes } = await planOf(api, moved, pruning);
    expect(isEmpty).toBe(true);
    expect(changes.map(({ action, key, id }) => [action, key, id])).toEqual([
      ['adopt', 'eu', 1],
      ['adopt', 'c', 1],
      ['adopt', 'd', 2],
    ]);
    await apply(api, moved, pruning);
    expect((await planOf(api, moved, pruning)).changes).toEqual([]);
    const other = setOf({ ...website, key: 'e', url: 'https://other.example.com' });
    expect((await planOf(api, other)).changes.map(({ action }) => action)).toEqual(['create']);
  });

  it('keeps the password of a page that has another key [61.7]', async () => {
    const api = await openApi(await open());
    const { groups: _groups, ...settings } = SHOP.status_pages[0]!;
    const page = { ...settings, monitors: [] };
    await apply(api, { name: 'shop', status_pages: [page] });
    const { changes } = await planOf(api, { name: 'shop', status_pages: [{ ...page, key: 'x' }] });
    expect(changes).toMatchObject([{ action: 'adopt', key: 'x', id: 1, fields: [] }]);
  });

  it('refuses to apply another plan than the one that was seen [61.10]', async () => {
    const api = await openApi(await open());
    const { fingerprint } = await planOf(api, setOf(website));
    const match = { 'if-match': `"${fingerprint}"` };
    const both = await Promise.all(
      [1, 2].map(() => api.call(api.alice, 'POST', APPLY, { document: setOf(website) }, match)),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    expect((await api.call(api.alice, 'GET', '/api/v1/monitors')).body['total']).toBe(1);
  });

  it('keeps secrets whose variable is not set, and pauses that it does not name [61.3, 61.6]', async () => {
    const api = await openApi(await open());
    const monitor = (key: object) => ({
      ...website,
      auth_type: 'bearer',
      auth_password: key,
      request_headers: { 'X-Team': 'shop', 'X-Key': key },
    });
    await apply(api, setOf(monitor(token('one'))));
    const { data } = (await api.call(api.alice, 'GET', '/api/v1/monitors')).body as unknown as {
      data: { id: number }[];
    };
    const path = `/api/v1/monitors/${data[0]!.id}`;
    await api.call(api.alice, 'POST', `${path}/pause`);
    expect((await planOf(api, setOf(monitor(token())))).is_empty).toBe(true);
    expect((await planOf(api, setOf(monitor(token('one'))))).is_empty).toBe(true);
    expect(changesOf(await planOf(api, setOf(monitor(token('two')))))).toEqual([
      ['update monitors website', 'request_headers', 'auth_password'],
    ]);
    expect(changesOf(await planOf(api, setOf({ ...website, is_paused: false })))).toEqual([
      ['update monitors website', 'request_headers', 'auth_type', 'auth_password', 'is_paused'],
    ]);
  });

  it('adds addresses of other services, at which jobs go on reporting [61.3]', async () => {
    const api = await openApi(await open());
    const path = '/ping/5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278';
    const created = await apply(api, job(path));
    expect(created.changes[0]!.fields).toContainEqual({
      field: 'ping_aliases',
      before: null,
      after: ['healthchecks'],
      is_secret: false,
    });
    expect((await planOf(api, job(path))).is_empty).toBe(true);
    expect((await planOf(api, job())).is_empty).toBe(true);
    expect(changesOf(await planOf(api, job(path, '/api/push/0q2bAbDJZJ')))).toEqual([
      ['update monitors job', 'ping_aliases'],
    ]);
    const errors = await refusal(api, job('/nowhere'));
    expect(errors['monitors.0.ping_aliases.0']![0]).toContain('Healthchecks, Uptime Kuma');
    const exported = await api.call(api.alice, 'GET', '/api/v1/configuration/export');
    expect(exported.body['warnings']).toEqual([
      'ping_aliases are left out, as Tocsin has only hashes of them: add those of monitors job to the file.',
    ]);
  });

  it('lets sets refer to each other, and owns a thing once [61.2, 61.7]', async () => {
    const api = await openApi(await open());
    await apply(api, { name: 'base', groups: [{ key: 'shop', name: 'Shop' }] });
    const other = { name: 'shop', monitors: [{ ...website, group_id: 'base/shop' }] };
    await apply(api, other);
    expect((await planOf(api, other)).changes).toEqual([]);
    const errors = await refusal(api, { name: 'more', groups: [{ key: 'shop', name: 'Shop' }] });
    expect(errors['groups.0.name']![0]).toContain('must be unique');
    const items = await api.call(api.alice, 'GET', '/api/v1/configuration/items?section=groups');
    expect(items.body['data']).toMatchObject([{ set: 'base', section: 'groups', key: 'shop' }]);
  });

  it('needs the role that the changes need [61.11]', async () => {
    const api = await openApi(await open());
    const call = (who: TestApi['alice'], document: object) =>
      api.call(who, 'POST', PLAN, { document });
    expect((await call(api.vera, setOf(website))).status).toBe(403);
    expect((await call(api.ed, setOf(website))).status).toBe(200);
    const channel = await call(api.ed, { name: 'shop', alert_channels: SHOP.alert_channels });
    expect([channel.status, channel.body['message']]).toEqual([
      403,
      expect.stringContaining('alert channel "on-call"'),
    ]);
  });

  it('deletes nothing that the caller may not delete, and does not name it [61.11]', async () => {
    const api = await openApi(await open());
    await apply(api, { ...setOf(website), alert_channels: SHOP.alert_channels });
    const limited = await giveToken(api.database, api.alice, {
      permissions: ['read', 'create', 'update'],
      now: api.clock.now(),
    });
    const pruning = { prune: true, max_deletions: 0 };
    const all = { name: 'shop', monitors: [], alert_channels: SHOP.alert_channels };
    const asToken = await api.call(limited, 'POST', PLAN, {
      document: all,
      prune: true,
      delete_history: true,
    });
    expect([asToken.status, asToken.text]).toEqual([403, expect.stringContaining('lacks')]);
    // Pausing needs no more than an update.
    const pausing = await api.call(limited, 'POST', PLAN, { document: all, prune: true });
    expect(pausing.body['changes']).toMatchObject([{ action: 'retire', key: 'website' }]);
    const asEditor = await api.call(api.ed, 'POST', PLAN, { document: setOf(website), ...pruning });
    expect(asEditor.status).toBe(403);
    expect(asEditor.text).not.toContain('on-call');
  });

  it('shows nothing that the caller may not read, nor whether they guessed it [61.11]', async () => {
    const api = await openApi(await open());
    const all = { name: 'shop', monitors: [website], alert_channels: SHOP.alert_channels };
    await apply(api, all);
    const { data } = (await api.call(api.alice, 'GET', '/api/v1/alert-channels'))
      .body as unknown as { data: { id: number }[] };
    const path = `/api/v1/alert-channels/${data[0]!.id}`;
    await api.clock.advance(60_000);
    await api.call(api.alice, 'PUT', path, { name: 'Night shift' });
    expect((await planOf(api, setOf(website))).drift).toHaveLength(1);
    const asEditor = await api.call(api.ed, 'POST', PLAN, { document: setOf(website) });
    expect(asEditor.body).toMatchObject({ drift: [], kept: [], left_alone: {} });
    expect(asEditor.text).not.toContain('on-call');
    // Just what is there: nothing would change.
    const same = { ...all, alert_channels: [{ ...SHOP.alert_channels[0], name: 'Night shift' }] };
    expect((await planOf(api, same)).is_empty).toBe(true);
    expect((await api.call(api.ed, 'POST', PLAN, { document: same })).status).toBe(403);
    const items = await api.call(api.ed, 'GET', '/api/v1/configuration/items');
    expect(items.body['data']).toMatchObject([{ section: 'monitors', key: 'website' }]);
    const kept = await api.call(api.ed, 'POST', APPLY, { document: setOf(website) });
    expect(kept.status).toBe(200);
    expect((await planOf(api, setOf(website))).kept).toMatchObject([{ key: 'on-call' }]);
  });
});

it('leaves out of an export what would mean everything without what was deleted [61.12]', async () => {
  const api = await openApi(await openInMemory());
  await apply(api, SHOP);
  const { data } = (await api.call(api.alice, 'GET', '/api/v1/monitors')).body as unknown as {
    data: { id: number; friendly_name: string }[];
  };
  const { id } = data.find((one) => one.friendly_name === 'Website')!;
  await api.call(api.alice, 'DELETE', `/api/v1/monitors/${id}`);
  const { document, warnings } = (await api.call(api.alice, 'GET', '/api/v1/configuration/export'))
    .body as unknown as { document: object; warnings: string[] };
  expect(warnings).toHaveLength(2);
  expect(document).not.toHaveProperty('maintenance_windows');
  expect((await planOf(api, document)).changes).toEqual([]);
});

it('names every item that is beyond the plan of the team [61.5]', async () => {
  const api = await openApi(await openInMemory(), { plans: TEST_PLANS });
  await apply(api, setOf(website));
  await givePlan(api, 'Free');
  const more = ['a', 'b', 'c', 'd'].map((key) => ({ ...website, key, check_interval: 5 }));
  const errors = await refusal(api, setOf({ ...website, check_interval: 2 }, ...more));
  const noRoom =
    'is refused: The plan "Free" allows at most 3 monitors: delete one, or change the plan.';
  expect(errors).toEqual({
    'monitors.0': [expect.stringContaining('allows a check_interval of at least 5 minutes')],
    'monitors.3': [`monitors.3 ${noRoom}`],
    'monitors.4': [`monitors.4 ${noRoom}`],
  });
});

it('says of which sets an export has nothing [61.12]', async () => {
  const api = await openApi(await openInMemory());
  await apply(api, SHOP);
  await apply(api, { name: 'more', groups: [{ key: 'more', name: 'More' }] });
  const { body } = await api.call(api.alice, 'GET', '/api/v1/configuration/export?name=more');
  expect(body).toMatchObject({
    document: { name: 'more', groups: [{ key: 'more' }] },
    warnings: ['What other sets own is left out, and exported under their names: shop.'],
  });
});

const pagesWithPasswords = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    key: `p${index}`,
    name: 'Status',
    access: { type: 'password', password: token(`password ${index}`) },
  }));

it('hashes no more passwords than a team can have pages', async () => {
  let hashed = 0;
  const passwords = {
    hash: async () => String(hashed++),
    verify: async () => false,
  } as unknown as PasswordQueue;
  const api = await openApi(await openInMemory(), { passwords });
  expect(await refusal(api, { name: 'shop', status_pages: pagesWithPasswords(101) })).toEqual({
    status_pages: ['status_pages must not be more than 100 in a team.'],
  });
  expect(hashed).toBe(0);
  await planOf(api, { name: 'shop', status_pages: pagesWithPasswords(2) });
  expect(hashed).toBe(2);
});

it('takes no monitor over that watches another target [61.7]', async () => {
  const api = await openApi(await openInMemory());
  const { id } = await api.create({ friendly_name: 'Website', url: 'https://other.example.com' });
  const { changes } = await apply(api, setOf(website));
  expect(changes).toMatchObject([{ action: 'create', key: 'website' }]);
  const same = { ...website, key: 'third', url: 'https://third.example.com' };
  await api.create({ friendly_name: 'Third', url: same.url });
  expect((await planOf(api, setOf(website, same))).changes).toMatchObject([
    {
      action: 'adopt',
      key: 'third',
      fields: [{ field: 'friendly_name' }],
    },
  ]);
  const { body } = await api.call(api.alice, 'GET', `/api/v1/monitors/${id}`);
  expect(body['url']).toBe('https://other.example.com');
});

it('lets the operator apply a set to a team, and names them in the audit log [61.11]', async () => {
  const api = await openApi(await openInMemory());
  const { slug } = (await api.call(api.alice, 'GET', '/api/v1/')).body['team'] as { slug: string };
  await expect(api.configuration.plan(null, { document: setOf(website) })).rejects.toThrow(
    'several teams',
  );
  await expect(api.configuration.plan('nowhere', {})).rejects.toThrow('no team "nowhere"');
  await api.configuration.apply(slug, { document: setOf(website) }, null);
  const log = await api.call(api.alice, 'GET', '/api/v1/audit-log');
  const entries = log.body['data'] as { action: string; via: string; actor: object }[];
  expect(entries.map(({ action, via, actor }) => [action, via, actor])).toEqual([
    ['configuration_set.applied', 'operator', { id: null, name: 'operator' }],
    ['monitor.created', 'operator', { id: null, name: 'operator' }],
  ]);
  expect(await api.configuration.export(slug, null)).toMatchObject({
    document: { name: 'shop', monitors: [{ key: 'website' }] },
  });
});

it('does not take its own changes for drift, however long they take [61.9]', async () => {
  const clock = createFakeClock();
  let ticks = 0;
  const ticking = { ...clock, now: () => clock.now() + ticks++ };
  const api = await openApi(await openInMemory(), {}, { clock: ticking });
  await apply(api, setOf(website));
  const { data } = (await api.call(api.alice, 'GET', '/api/v1/monitors')).body as unknown as {
    data: { id: number }[];
  };
  await api.call(api.ed, 'PUT', `/api/v1/monitors/${data[0]!.id}`, { check_interval: 10 });
  const { drift } = await planOf(api, setOf(website));
  expect(drift[0]!.changed_by.map(({ verb }) => verb)).toEqual(['updated']);
});

it('refuses a set that takes minutes, and changes nothing [61.17]', async () => {
  const clock = createFakeClock();
  let steps = 0;
  const slow = { ...clock, now: () => clock.now() + 10_000 * steps++ };
  const api = await openApi(await openInMemory(), { clock: slow });
  const many = Array.from({ length: 30 }, (_, index) => ({ ...website, key: `m${index}` }));
  const errors = await refusal(api, setOf(...many));
  expect(errors['document']![0]).toContain('change fewer things');
  expect((await api.call(api.alice, 'GET', '/api/v1/monitors')).body['total']).toBe(0);
});

it('takes days of another service for the monitors of a set [61.15]', async () => {
  const api = await openApi(await openInMemory());
  await apply(api, setOf(website));
  const put = (key: string, set = 'shop') =>
    api.call(api.alice, 'POST', '/api/v1/configuration/imported-days', {
      set,
      source: 'Uptime Kuma',
      monitors: [
        {
          key,
          days: ['2029-12-30', '2029-12-31', '2030-01-01'].map((date) => ({
            date,
            up_seconds: 86_000,
            down_seconds: 400,
          })),
        },
      ],
    });
  expect((await put('website')).body).toEqual({ monitors: 1, days: 2 });
  const { data } = (await api.call(api.alice, 'GET', '/api/v1/monitors')).body as unknown as {
    data: { id: number }[];
  };
  const days = await api.call(api.alice, 'GET', `/api/v1/monitors/${data[0]!.id}/days`);
  expect(days.text).toContain('"imported":true');
  for (const refused of [put('nothing'), put('website', 'other')])
    expect((await refused).body['errors']).toHaveProperty(['monitors.0.key']);
});
