import { createPlans } from '../../identity/plans.ts';
import { CompiledQuery, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openApi, type Answer, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { API } from '../../../test/support/owned.ts';
import { builtInPlans, type Plan } from '../../identity/plans.ts';
import type { Database } from '../../store/database/contract.ts';

const MONITORS = `${API}/monitors`;
const TWO = createPlans('{"default": "Small", "plans": {"Small": {"max_monitors_per_host": 2}}}');
const FULL =
  'The plan "Small" allows at most 2 monitors of one host, and example.com has 2: delete one, or change the plan.';

const smallApi = (database: Database): Promise<TestApi> => openApi(database, { plans: TWO });
const body = (url: string, fields: object = {}) => ({ url, check_interval: 5, ...fields });
const create = (api: TestApi, sent: object, who = api.ed) => api.call(who, 'POST', MONITORS, sent);
const refusal = ({ status, body: { message, error } }: Answer) => [status, message, error];
const REFUSED = [403, FULL, FULL];

const PORT = { monitor_type: 'port', port: 443 };
const PING = { monitor_type: 'ping' };

/** What belongs to one host, and what does not. */
const SPELLINGS: [url: string, other: object, isSame: boolean][] = [
  ['https://example.com', body('http://example.com:8080/a?b#c'), true],
  ['https://example.com', body('HTTPS://EXAMPLE.com/'), true],
  ['https://example.com', body('https://example.com./'), true],
  ['https://example.com', body('https://ex%61mple.com'), true],
  ['https://example.com', body('https://example。com'), true],
  ['https://example.com', body('example.com', PING), true],
  ['https://example.com', body('Example.com.', PORT), true],
  ['https://example.com', body('ssh://example.com:22', PORT), true],
  ['https://münchen.de', body('XN--MNCHEN-3YA.de', PING), true],
  ['https://127.0.0.1', body('0x7f.1', PING), true],
  ['https://127.0.0.1', body('http://2130706433/'), true],
  ['https://127.0.0.1', body('http://[::ffff:127.0.0.1]/'), true],
  ['https://[2001:db8::1]/', body('2001:DB8:0:0::1', PING), true],
  ['https://example.com', body('https://www.example.com'), false],
  ['https://example.com', body('https://example.com.evil.org'), false],
  ['https://example.com', body('https://example.org/example.com'), false],
  ['https://127.0.0.1', body('https://127.0.0.2'), false],
];

test.for(SPELLINGS)('%s and %j: the same host: %s [38.18]', async ([url, other, isSame]) => {
  const api = await openApi(await openInMemory(), {
    plans: createPlans('{"default": "One", "plans": {"One": {"max_monitors_per_host": 1}}}'),
    targetRule: () => null,
  });
  expect((await create(api, body(url))).status).toBe(201);
  expect((await create(api, other)).status).toBe(isSame ? 403 : 201);
});

eachDatabase((engine, open) => {
  test('monitors of one host created at once never pass the limit [38.18]', async () => {
    const api = await smallApi(await open());
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => create(api, body(`https://example.com/${index}`))),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([201, 201, ...Array(6).fill(403)]);
    for (const answer of answers.filter(({ status }) => status === 403))
      expect(refusal(answer)).toEqual(REFUSED);
  });

  test('monitors moved to one host at once never pass the limit [38.18]', async () => {
    const api = await smallApi(await open());
    const ids: number[] = [];
    for (let count = 0; count < 6; count++)
      ids.push((await api.create(body(`https://${count}.example.org`))).id);
    const move = (id: number) =>
      api.call(api.ed, 'PUT', `${MONITORS}/${id}`, { url: `https://example.com/${id}` });
    const answers = await Promise.all(ids.map(move));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, 200, 403, 403, 403, 403]);
  });

  test('monitors of a host are counted by an index, however many there are', async () => {
    const database = await open();
    const steps = await database.transaction(async (tx) => {
      // A table of a few rows would be read whole.
      if (engine === 'postgres') await sql`set local enable_seqscan = off`.execute(tx);
      const query = tx
        .selectFrom('monitor')
        .select('id')
        .where('team_id', '=', 1)
        .where('host', '=', 'example.com')
        .where('deleted_at', 'is', null);
      const { sql: text, parameters } = query.compile();
      const explain = engine === 'sqlite' ? 'explain query plan' : 'explain';
      return (await tx.executeQuery(CompiledQuery.raw(`${explain} ${text}`, [...parameters]))).rows;
    });
    expect(JSON.stringify(steps)).toContain('monitor_by_host');
  });
});

describe('a host at its limit [38.18]', () => {
  const opened = openInMemory().then(async (database) => {
    const api = await smallApi(database);
    const ids: number[] = [];
    for (const url of ['https://example.com/1', 'https://example.com/2', 'https://example.org'])
      ids.push((await api.create(body(url))).id);
    return { api, ids };
  });

  test.for<[what: string, at: number, change: object, status: number]>([
    ['another path of the same host', 0, { url: 'https://example.com/3' }, 200],
    ['another name', 0, { friendly_name: 'Shop' }, 200],
    ['another host that has room', 1, { url: 'https://example.net' }, 200],
    ['and back, as nothing took its place', 1, { url: 'http://EXAMPLE.com:8080' }, 200],
    ['this host', 2, { url: 'https://example.com/4' }, 403],
    [
      'the same in a body that is wrong elsewhere',
      2,
      { url: 'https://example.com', port: [] },
      403,
    ],
    ['a url that is malformed', 2, { url: 'https://example.com ' }, 422],
  ])('an update to %s', async ([_what, at, change, status]) => {
    const { api, ids } = await opened;
    const answer = await api.call(api.ed, 'PUT', `${MONITORS}/${ids[at]}`, change);
    expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
    if (status === 403) expect(refusal(answer)).toEqual(REFUSED);
  });

  test('a paused monitor counts and is resumed, a deleted one does not; other teams have their own', async () => {
    const { api, ids } = await opened;
    for (const action of ['pause', 'resume', 'pause'])
      expect((await api.call(api.ed, 'POST', `${MONITORS}/${ids[0]}/${action}`)).status).toBe(200);
    expect(refusal(await create(api, body('example.com', PING)))).toEqual(REFUSED);
    expect((await create(api, body('example.com', PING), api.mallory)).status).toBe(201);
    expect((await api.call(api.ed, 'DELETE', `${MONITORS}/${ids[0]}`)).status).toBe(204);
    expect((await create(api, body('example.com', PING))).status).toBe(201);
  });

  test('a push monitor has no host, whatever url it sends', async () => {
    const { api } = await opened;
    const job = { monitor_type: 'heartbeat', friendly_name: 'Job', heartbeat_interval: 60 };
    expect((await create(api, { ...job, url: 'https://example.com' })).status).toBe(201);
  });
});

describe('without a plan file', () => {
  const { of, names } = builtInPlans({ openSignup: true });

  test('open sign-up has a limited plan, and an unlimited one to give to teams [38.19]', async () => {
    const limits = { minCheckInterval: 1, maxMonitors: 50, maxMonitorsPerHost: 10 };
    expect(of(null)).toMatchObject({ name: 'Open sign-up', ...limits });
    expect(of('Self-hosted')).toEqual(builtInPlans({ openSignup: false }).of(null));
    expect(names).toEqual(['Open sign-up', 'Self-hosted']);
    const api = await openApi(await openInMemory(), { plans: { of, names } });
    for (let count = 0; count < 10; count++)
      expect((await create(api, body(`https://example.com/${count}`))).status).toBe(201);
    expect(refusal(await create(api, body('https://example.com/10')))[1]).toBe(
      'The plan "Open sign-up" allows at most 10 monitors of one host, and example.com has 10: delete one, or change the plan.',
    );
    expect((await create(api, body('https://example.org', { check_interval: 0.5 }))).status).toBe(
      403,
    );
  });

  test('closed sign-up has none of these limits [38.1]', () => {
    const plan: Plan = builtInPlans({ openSignup: false }).of(null);
    expect([plan.minCheckInterval, plan.maxMonitors, plan.maxMonitorsPerHost]).toEqual([
      null,
      null,
      null,
    ]);
  });
});
