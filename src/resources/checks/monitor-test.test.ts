import { beforeAll, describe, expect, test } from 'vitest';
import {
  openApi,
  sentences,
  sharedApi,
  type Json,
  type TestApi,
} from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { checkResult, REFUSED } from '../../../test/support/rounds.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { sslFacts } from '../../../test/support/target-facts.ts';
import type { HttpCheckRequest } from '../../monitor-types/http.ts';

const TEST = '/api/v1/monitors/test';
const DAY = 86_400_000;
const BODY = { url: 'https://example.com/', check_interval: 1 };

async function send(api: TestApi, body: object, who = api.alice): Promise<Json> {
  const answer = await api.call(who, 'POST', TEST, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const UNSET = { auth_type: null, auth_username: null, auth_password: null, request_headers: null };

const refused = () => ({ ...checkResult('down'), failure: REFUSED });

eachDatabase((_name, open) => {
  test('checks settings from each of their regions and stores nothing [54.1, 54.2]', async () => {
    const api = await openApi(await open());
    api.setTarget((region) => (region === 'sin' ? refused() : checkResult('up')));
    const { regions, verdict, expected_pings: pings } = await send(api, BODY);
    expect(regions).toMatchObject([
      { region: 'ash', vantage: 'office', vote: 'up', status: 'online', response_time: 20 },
      { region: 'pdx', vote: 'up' },
      { region: 'nbg', vote: 'up', error: null, failure_code: null },
      { region: 'sin', vote: 'down', status: 'offline', failure_code: 'connection_refused' },
    ]);
    expect(pings).toBe(null);
    expect(verdict).toEqual({
      status: 'degraded',
      failure_threshold: expect.any(Number),
      problems: [
        { type: 'regional', severity: 'warning', text: expect.stringContaining('refused') },
      ],
    });
    expect(api.checks.map(({ region }) => region)).toEqual(['ash', 'pdx', 'nbg', 'sin']);
    const list = await api.call(api.alice, 'GET', '/api/v1/monitors');
    expect(list.body['total']).toBe(0);
    const log = await api.call(api.alice, 'GET', '/api/v1/audit-log');
    expect(log.body['total']).toBe(0);
  });
});

describe('a test', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await openApi(await openInMemory());
  });

  test('says that most regions are down, and what each of them saw [54.2]', async () => {
    api.setTarget(refused);
    expect((await send(api, BODY))['verdict']).toMatchObject({
      status: 'offline',
      problems: [{ type: 'uptime', severity: 'critical', text: REFUSED.text }],
    });
  });

  test('tells content from reachability [54.2]', async () => {
    const text = 'Keyword "Welcome" is missing';
    api.setTarget(() => ({
      ...checkResult('down'),
      failure: { code: 'keyword_missing', text },
      content: { kind: 'keyword', passed: false, outcomes: [{ passed: false, text }] },
    }));
    const keywords = [{ phrase: 'Welcome', mode: 'must_contain' }];
    const found = await send(api, {
      ...BODY,
      check_types: ['keyword'],
      keyword_settings: { keywords },
    });
    expect(found['verdict']).toMatchObject({
      status: 'offline',
      problems: [{ type: 'keyword', text }],
    });
    expect(found['regions']).toMatchObject([
      { vote: 'down', status: 'online', content: { passed: false, failures: [text] } },
      {},
      {},
      {},
    ]);
  });

  test('inspects what the check types ask for [54.3]', async () => {
    api.setTarget(() => checkResult('up'));
    api.setInspections(async ({ kind }) =>
      kind === 'ssl'
        ? { state: 'known', facts: sslFacts(api.clock.now() + 3 * DAY) }
        : { state: 'unknown', reason: 'No probe is running' },
    );
    const found = await send(api, { ...BODY, check_types: ['ssl', 'dns'] });
    expect(found).toMatchObject({
      ssl: { valid: true, days_until_expiry: 3 },
      dns: null,
      domain: null,
      not_run: { dns: 'Nothing was found out: No probe is running.' },
      verdict: { status: 'degraded', problems: [{ type: 'ssl', severity: 'warning' }] },
    });
  });

  test('says which regions have no probe, and knows nothing without any [54.4]', async () => {
    api.setTarget(() => checkResult('up'));
    api.deadRegions.add('ash');
    const before = api.checks.length;
    const found = await send(api, { ...BODY, monitored_regions: ['ash', 'nbg'] });
    expect(found['regions']).toMatchObject([
      { region: 'ash', vote: 'unknown', status: 'unknown', failure_code: 'no_probe' },
      { region: 'nbg', vote: 'up' },
    ]);
    expect(found['verdict']).toMatchObject({ status: 'online' });
    expect(api.checks.slice(before).map(({ region }) => region)).toEqual(['nbg']);
    const alone = await send(api, { ...BODY, monitored_regions: ['ash'] });
    expect(alone['verdict']).toMatchObject({ status: 'unknown', problems: [] });
    api.deadRegions.clear();
  });

  test('of a push monitor shows the next ten expected pings [54.5]', async () => {
    const cron = {
      monitor_type: 'cron',
      friendly_name: 'Backup',
      heartbeat_cron_expression: '30 2 * * *',
      heartbeat_timezone: 'Europe/Berlin',
    };
    const { expected_pings: pings, regions, verdict } = await send(api, cron);
    expect(pings).toHaveLength(10);
    expect((pings as string[]).slice(0, 2)).toEqual([
      '2030-01-01T01:30:00.000Z',
      '2030-01-02T01:30:00.000Z',
    ]);
    expect([regions, verdict]).toMatchObject([[], { status: 'unknown' }]);
  });

  test('with an id begins with the stored settings, secrets included [54.6]', async () => {
    api.setTarget(() => checkResult('up'));
    const { id } = await api.create({
      url: 'https://example.com/a',
      auth_type: 'basic',
      auth_username: 'ann',
      auth_password: 'stored secret',
      monitored_regions: ['nbg'],
    });
    const found = await send(api, { id, url: 'https://example.com/b' });
    expect(found['regions']).toHaveLength(1);
    const { request } = api.checks.at(-1)!;
    expect((request as HttpCheckRequest).url).toBe('https://example.com/b');
    expect(JSON.stringify(request)).toContain(Buffer.from('ann:stored secret').toString('base64'));
    expect(JSON.stringify(found)).not.toContain('stored secret');
    const stored = await api.call(api.alice, 'GET', `/api/v1/monitors/${id}`);
    expect(stored.body['url']).toBe('https://example.com/a');
  });

  test('never sends stored secrets to another host [54.7]', async () => {
    const { id } = await api.create({
      auth_type: 'basic',
      auth_username: 'ann',
      auth_password: 'stored secret',
      request_headers: { 'X-Key': 'another' },
    });
    const before = api.checks.length;
    const url = 'https://elsewhere.example/';
    const answer = await api.call(api.alice, 'POST', TEST, { id, url });
    expect(answer.status).toBe(422);
    expect(answer.body['errors']).toEqual({
      url: [
        expect.stringMatching(
          /can't lead to another scheme, host or port.*auth_password.*send these again/,
        ),
      ],
    });
    expect(api.checks.length).toBe(before);
    await send(api, { ...BODY, id, url, ...UNSET });
  });

  test('is a fresh monitor without an id, whatever the body [54.1]', async () => {
    await send(api, { ...BODY, id: null });
    const { headers } = await api.call(api.alice, 'POST', TEST, { ...BODY, id: '', other: 1 });
    expect(headers['x-ignored-fields']).toBe('other');
  });
});

describe('a refused test', () => {
  const shared = sharedApi();
  const ID = 'must be the id of a monitor of your team';
  test.each([
    {},
    { url: 'https://169.254.169.254/' },
    { ...BODY, check_interval: 0 },
    { ...BODY, monitor_type: 'smoke' },
    { ...BODY, group_id: 4_711 },
  ])('of %j has the errors of a new monitor [54.8]', async (body) => {
    const api = await shared();
    const tested = await api.call(api.alice, 'POST', TEST, body);
    const created = await api.call(api.alice, 'POST', '/api/v1/monitors', body);
    expect([tested.status, tested.body]).toEqual([422, created.body]);
  });

  test.each([0, 1.5, 'one', 4_711, true])('of the id %j names the id [54.8]', async (id) => {
    const api = await shared();
    const { status, body } = await api.call(api.alice, 'POST', TEST, { id });
    expect([status, body['errors']]).toEqual([422, sentences({ id: ID })]);
  });

  test('of a monitor of another team names the id [54.8]', async () => {
    const api = await shared();
    const { id } = await api.create({}, api.mallory);
    const { status, body } = await api.call(api.alice, 'POST', TEST, { id });
    expect([status, body['errors']]).toEqual([422, sentences({ id: ID })]);
  });

  test('of a stored monitor needs the permission to update, too [54.9]', async () => {
    const api = await shared();
    const { id } = await api.create();
    const path = '/api/v1/tokens';
    const made = await api.call(api.alice, 'POST', path, { name: 'x', permissions: ['create'] });
    const token = made.body['token'] as string;
    expect((await api.call(token, 'POST', TEST, BODY)).status).toBe(200);
    expect((await api.call(token, 'POST', TEST, { ...BODY, id })).status).toBe(403);
    expect((await api.call(api.vera, 'POST', TEST, BODY)).status).toBe(403);
  });
});
