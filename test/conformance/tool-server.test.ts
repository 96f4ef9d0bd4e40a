import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRateLimits, createUncountedRateLimits } from '../../src/identity/rate-limits.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { OpenDatabase } from '../../src/store/database/database.ts';
import { LIMITS, openApi, type Answer, type TestApi } from '../support/api.ts';
import { eachDatabase } from '../support/databases.ts';
import { openInMemory } from '../support/memory-database.ts';
import { giveSession, giveToken } from '../support/people.ts';
import { givePlan, TEST_PLANS } from '../support/plans.ts';
import { callTool, messageIn, resultOf, sendMessage, toolNames } from '../support/tools.ts';

const clock = { now: () => Date.now() };
const LIST = { method: 'tools/list' };
const INITIALIZE = {
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
};
const BOTH = 'application/json, text/event-stream';

const opened: { api: TestApi; database: OpenDatabase }[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const { api, database } of opened.splice(0)) {
    await api.app.close();
    await database.close();
  }
});

async function started(
  ...[overrides, edge]: [Parameters<typeof openApi>[1]?, Parameters<typeof openApi>[2]?]
): Promise<TestApi> {
  const database = await openInMemory();
  const api = await openApi(database, overrides, edge);
  opened.push({ api, database });
  return api;
}

/** An API that counts requests. */
function limited(): Promise<TestApi> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1) });
  return started({}, { rateLimits: createRateLimits({ limits: LIMITS, clock }) });
}

function budgetOf({ headers }: Pick<Answer, 'headers'>) {
  const number = (name: string) => Number(headers[`x-ratelimit-${name}`]);
  return { limit: number('limit'), remaining: number('remaining') };
}

/** The error that an answered tool call carries. */
const errorOf = async (call: ReturnType<typeof callTool>) => {
  const { isError, structuredContent, content } = await call;
  expect(isError).toBe(true);
  expect(content[0]!.text).toContain('Nothing was changed.');
  return structuredContent['error'] as { code: string; message: string; fields?: object };
};

describe('the transport', () => {
  it.each(['GET', 'DELETE'])('refuses %s and says what is possible [50.1]', async (method) => {
    const api = await started();
    const { status, headers, body } = await api.call(api.alice, method, '/mcp');
    expect([status, headers['allow']]).toEqual([405, 'POST']);
    expect(body['message']).toBe(`${method} is not possible here: use POST.`);
  });

  it.each(['PUT', 'PATCH', 'HEAD'])('does not take %s [50.1]', async (method) => {
    const api = await started();
    const { status, headers } = await api.call(api.alice, method, '/mcp');
    expect([status, headers['allow']]).toEqual([405, 'POST']);
  });

  it.each<[string, unknown, Record<string, string>, number]>([
    ['a batch', [{ jsonrpc: '2.0', id: 1, ...LIST }], {}, 400],
    ['an empty batch', [], {}, 400],
    ['a text', '"tools/list"', {}, 400],
    ['null', 'null', {}, 400],
    ['half a message', '{"jsonrpc":', {}, 400],
    ['a form', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['a message that is too long', `"${'x'.repeat(1024 * 1024)}"`, {}, 413],
    [
      'a client that reads no streams',
      { jsonrpc: '2.0', id: 1, ...LIST },
      { accept: 'text/html' },
      406,
    ],
    ['no message', {}, {}, 400],
    ['a message of another protocol', { jsonrpc: '1.0', id: 1, ...LIST }, {}, 400],
  ])('takes one message a request and refuses %s [50.2]', async (_what, body, headers, status) => {
    const api = await started();
    const answered = await api.call(api.alice, 'POST', '/mcp', body, { accept: BOTH, ...headers });
    expect(answered.status).toBe(status);
    expect(answered.body).toHaveProperty(
      Object.hasOwn(answered.body, 'error') ? 'error' : 'message',
    );
  });

  it('accepts notifications without an answer [50.2]', async () => {
    const api = await started();
    const message = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const { status, text } = await api.call(api.alice, 'POST', '/mcp', message, { accept: BOTH });
    expect([status, text]).toEqual([202, '']);
  });

  it('answers unknown methods with an error of the protocol [50.2]', async () => {
    const api = await started();
    const { text } = await sendMessage(api, api.alice, { method: 'tools/destroy' });
    expect(messageIn(text)).toMatchObject({ error: { code: -32601 } });
  });

  it('begins no session and asks for none [50.3]', async () => {
    const api = await started();
    const first = await sendMessage(api, api.alice, INITIALIZE);
    expect(first.headers).not.toHaveProperty('mcp-session-id');
    const session = { 'mcp-session-id': 'of another server' };
    for (const headers of [{}, session]) {
      expect((await sendMessage(api, api.alice, LIST, headers)).status).toBe(200);
    }
  });

  it.each(['2025-03-26', '2025-06-18', '2025-11-25'])(
    'speaks revision %s [50.4]',
    async (version) => {
      const api = await started();
      const params = { ...INITIALIZE.params, protocolVersion: version };
      const result = await resultOf(api, api.alice, { ...INITIALIZE, params });
      expect(result).toMatchObject({ protocolVersion: version, serverInfo: { name: 'tocsin' } });
      const listed = await sendMessage(api, api.alice, LIST, { 'mcp-protocol-version': version });
      expect(listed.status).toBe(200);
    },
  );

  it.each(['2099-01-01', '2024-11-05', '2024-10-07'])(
    'offers a revision that it speaks to clients of %s, and refuses requests of it [50.4]',
    async (other) => {
      const api = await started();
      const params = { ...INITIALIZE.params, protocolVersion: other };
      const result = await resultOf<{ protocolVersion: string }>(api, api.alice, {
        ...INITIALIZE,
        params,
      });
      expect(result.protocolVersion).toBe('2025-11-25');
      const refused = await sendMessage(api, api.alice, LIST, { 'mcp-protocol-version': other });
      expect(refused.status).toBe(400);
    },
  );

  it('refuses pages of other sites [50.5]', async () => {
    const api = await started();
    for (const origin of [
      'https://evil.example',
      'null',
      'http://up.example.com',
      'https://up.example.com.evil.example',
    ]) {
      const { status, body } = await sendMessage(api, api.alice, LIST, { origin });
      expect([status, body['message']]).toEqual([
        403,
        expect.stringContaining('web pages of other sites'),
      ]);
    }
    expect(
      (await sendMessage(api, api.alice, LIST, { origin: 'https://up.example.com' })).status,
    ).toBe(200);
  });
});

eachDatabase((engine, open) => {
  describe(`who may call, on ${engine}`, () => {
    let api: TestApi;
    beforeEach(async () => {
      const database = await open();
      api = await openApi(database, { plans: TEST_PLANS });
      opened.push({ api, database });
    });

    const METADATA =
      'Bearer resource_metadata="https://up.example.com/.well-known/oauth-protected-resource/mcp"';

    it('leads clients without a token to the sign-in [50.6]', async () => {
      const { status, headers, body } = await sendMessage(api, null, INITIALIZE);
      expect([status, headers['www-authenticate']]).toEqual([401, METADATA]);
      expect(body).toEqual({ message: 'Unauthenticated.' });
    });

    it('says that a token is unknown, has expired or was revoked [50.6]', async () => {
      const now = api.clock.now();
      const expired = await giveToken(api.database, api.alice, { now, expiresAt: now - 1 });
      const revoked = await giveToken(api.database, api.ed, { now });
      expect((await sendMessage(api, revoked, LIST)).status).toBe(200);
      const { body } = await api.call(revoked, 'GET', '/api/v1/tokens');
      const id = Math.max(...(body['data'] as { id: number }[]).map((token) => token.id));
      expect((await api.call(revoked, 'DELETE', `/api/v1/tokens/${id}`)).status).toBe(204);
      for (const token of ['unknown', expired, revoked]) {
        const { status, headers } = await sendMessage(api, token, LIST);
        expect([status, headers['www-authenticate']]).toEqual([
          401,
          METADATA.replace('Bearer ', 'Bearer error="invalid_token", '),
        ]);
      }
    });

    it('takes no session cookie, so that no page can use it [50.7]', async () => {
      const session = await giveSession(api.database, api.alice, { now: api.clock.now() });
      expect((await api.call(session, 'GET', '/api/v1')).status).toBe(200);
      const message = { jsonrpc: '2.0', id: 1, ...LIST };
      expect((await api.call(session, 'POST', '/mcp', message, { accept: BOTH })).status).toBe(401);
    });

    it('shows each caller the tools that their role and token allow [50.11]', async () => {
      const now = api.clock.now();
      const isThere = async (who: Parameters<typeof toolNames>[1], ...tools: string[]) => {
        const names = await toolNames(api, who);
        return tools.map((tool) => names.includes(tool));
      };
      const tools = ['list_monitors', 'create_incident', 'update_incident', 'delete_monitor'];
      expect(await isThere(api.alice, ...tools)).toEqual([true, true, true, true]);
      expect(await isThere(api.ed, ...tools)).toEqual([true, true, true, true]);
      expect(await isThere(api.vera, ...tools)).toEqual([true, false, false, false]);
      for (const [permissions, expected] of [
        [['read'], [true, false, false, false]],
        [['create'], [false, true, false, false]],
        [['update'], [false, false, true, false]],
        [['delete'], [false, false, false, true]],
      ] as const) {
        const token = await giveToken(api.database, api.alice, { now, permissions });
        expect(await isThere(token, ...tools)).toEqual(expected);
      }
    });

    it('refuses calls of hidden tools, as the API does [50.11]', async () => {
      const { id } = await api.create();
      const args = { monitor_id: id, dry_run: false };
      expect(await errorOf(callTool(api, api.vera, 'delete_monitor', args))).toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('Your role in this team, viewer'),
      });
      const reader = await giveToken(api.database, api.alice, {
        now: api.clock.now(),
        permissions: ['read'],
      });
      expect(await errorOf(callTool(api, reader, 'delete_monitor', args))).toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('lacks the "delete" permission'),
      });
      const { text } = await sendMessage(api, api.alice, {
        method: 'tools/call',
        params: { name: 'drop_tables', arguments: {} },
      });
      expect(messageIn(text)).toMatchObject({
        error: { code: -32602, message: expect.stringContaining('There is no tool drop_tables') },
      });
    });

    it('says why tools are missing under a plan without API access [50.12]', async () => {
      await givePlan(api, 'By hand');
      const { instructions } = await resultOf<{ instructions: string }>(api, api.alice, INITIALIZE);
      expect(instructions).toContain('The plan "By hand" of this team does not include API access');
      expect(await toolNames(api, api.alice)).not.toContain('list_monitors');
      expect(await errorOf(callTool(api, api.alice, 'list_monitors'))).toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('API access'),
      });
    });

    it('says why tools are missing where a second factor is required [50.12]', async () => {
      await api.database.transaction((tx) =>
        tx.updateTable('team').set({ mfa_required: 1 }).where('id', '=', api.ed.teamId).execute(),
      );
      const { instructions } = await resultOf<{ instructions: string }>(api, api.ed, INITIALIZE);
      expect(instructions).toContain('Ed acts on no team.');
      expect(instructions).toContain('Most tools are missing');
      expect(instructions).toContain('two-factor');
      expect(await toolNames(api, api.ed)).not.toContain('list_monitors');
      expect(await errorOf(callTool(api, api.ed, 'list_monitors'))).toMatchObject({
        code: 'forbidden',
      });
    });

    it('finds nothing of other teams [50.13]', async () => {
      const { id } = await api.create();
      expect(
        await errorOf(callTool(api, api.mallory, 'get_monitor', { monitor_id: id })),
      ).toMatchObject({ code: 'not_found' });
      const { structuredContent } = await callTool(api, api.mallory, 'list_monitors');
      expect(structuredContent).toEqual({ total: 0, monitors: [], next_cursor: null });
    });

    it('records changes with the tool server, the token and the address [50.19]', async () => {
      const { id } = await api.create();
      const dry = await callTool(api, api.ed, 'delete_monitor', { monitor_id: id });
      const { confirmation } = dry.structuredContent;
      await callTool(api, api.ed, 'delete_monitor', {
        monitor_id: id,
        dry_run: false,
        confirmation,
      });
      const { body } = await api.call(api.alice, 'GET', '/api/v1/audit-log?per_page=1');
      expect((body['data'] as object[])[0]).toMatchObject({
        action: 'monitor.deleted',
        target: { type: 'monitor', id },
        actor: { name: 'Ed <ed@example.com>' },
        via: 'tool_server',
        token_name: 'test',
        ip_address: '127.0.0.1',
      });
    });
  });
});

describe('budgets', () => {
  it('every answer shows the budget of the tool server and its request [50.8]', async () => {
    const api = await limited();
    const answers = [
      await sendMessage(api, api.alice, LIST),
      await sendMessage(api, api.alice, { method: 'nothing' }),
      await api.call(api.alice, 'GET', '/mcp'),
      await sendMessage(api, api.alice, LIST, { origin: 'https://evil.example' }),
      await api.call(api.alice, 'POST', '/mcp', '{', { accept: BOTH }),
    ];
    expect(answers.map(budgetOf)).toEqual(
      [59, 58, 57, 56, 55].map((remaining) => ({ limit: 60, remaining })),
    );
    const nobody = await sendMessage(api, null, LIST);
    expect(budgetOf(nobody)).toEqual({ limit: 120, remaining: 119 });
    for (const { headers } of [...answers, nobody]) {
      expect([headers['x-request-id'], headers['x-ratelimit-reset']]).not.toContain(undefined);
    }
  });

  it('60 requests a minute of an account, over all its tokens, apart from the API [50.9]', async () => {
    const api = await limited();
    const other = await giveToken(api.database, api.alice, { now: api.clock.now() });
    for (let made = 0; made < 60; made += 1) {
      const who = made % 2 === 0 ? api.alice : other;
      expect((await sendMessage(api, who, LIST)).status).toBe(200);
    }
    const refused = await sendMessage(api, other, LIST);
    const message = 'The limit of 60 requests a minute is reached: try again in 60 seconds.';
    expect([refused.status, refused.headers['retry-after'], refused.body['message']]).toEqual([
      429,
      '60',
      message,
    ]);
    // Neither the API nor other people are concerned.
    expect(budgetOf(await api.call(api.alice, 'GET', '/api/v1'))).toEqual({
      limit: 120,
      remaining: 119,
    });
    expect((await sendMessage(api, api.ed, LIST)).status).toBe(200);
    // Refused requests cost nothing: the next minute is whole.
    vi.setSystemTime(Date.now() + 60_000);
    expect(budgetOf(await sendMessage(api, api.alice, LIST))).toEqual({ limit: 60, remaining: 59 });
  });

  it('RATE_LIMITS=off shows a full budget and refuses nothing [50.9]', async () => {
    const api = await started(
      {},
      { rateLimits: createUncountedRateLimits({ limits: LIMITS, clock: systemClock }) },
    );
    for (let made = 0; made < 61; made += 1) {
      const answered = await sendMessage(api, api.alice, LIST);
      expect([answered.status, budgetOf(answered)]).toEqual([200, { limit: 60, remaining: 60 }]);
    }
  });
});

describe('answers', () => {
  it('lists come in pages that lead through everything once, and fit 20,000 bytes [50.14]', async () => {
    const api = await started();
    const ids: number[] = [];
    for (let made = 0; made < 45; made += 1) {
      const { id } = await api.create({
        url: `https://example.com/${'x'.repeat(150)}/${made}`,
        friendly_name: `${'日本'.repeat(60)} ${made}`,
        tags: Array.from({ length: 10 }, (_, tag) => `${'ü'.repeat(40)}${tag}`),
      });
      ids.push(id);
    }
    for (const limit of [1, 20, 100]) {
      const seen: number[] = [];
      let cursor: unknown = null;
      do {
        const args = { limit, detail: true, ...(cursor !== null && { cursor }) };
        const answered = await sendMessage(api, api.alice, {
          method: 'tools/call',
          params: { name: 'list_monitors', arguments: args },
        });
        expect(Buffer.byteLength(JSON.stringify(messageIn(answered.text)))).toBeLessThanOrEqual(
          20_000,
        );
        const { structuredContent } = (
          messageIn(answered.text) as {
            result: { structuredContent: { monitors: { id: number }[]; next_cursor: unknown } };
          }
        ).result;
        seen.push(...structuredContent.monitors.map(({ id }) => id));
        cursor = structuredContent.next_cursor;
      } while (cursor !== null);
      expect(seen).toEqual(ids.toReversed());
    }
  });

  it('internal errors say nothing of what happened, only which request to report [50.20]', async () => {
    const api = await started();
    // The caller is known from here on.
    await toolNames(api, api.alice);
    const broken = vi.spyOn(api.database.read, 'selectFrom').mockImplementation(() => {
      throw new Error('SELECT secret FROM person');
    });
    const answered = await sendMessage(api, api.alice, {
      method: 'tools/call',
      params: { name: 'list_monitors', arguments: {} },
    });
    broken.mockRestore();
    const requestId = String(answered.headers['x-request-id']);
    const { result } = messageIn(answered.text) as {
      result: { isError: boolean; structuredContent: object };
    };
    expect(result).toMatchObject({
      isError: true,
      structuredContent: {
        error: { code: 'internal', message: expect.stringContaining(requestId) },
      },
    });
    expect(answered.text).not.toContain('SELECT');
    expect(api.faults).toEqual([
      { error: expect.any(Error), request_id: requestId, tool: 'list_monitors' },
    ]);
  });
});

describe('what can’t be undone', () => {
  it('is a dry run first, and needs its confirmation [50.17]', async () => {
    const api = await started();
    const { id } = await api.create({ friendly_name: 'Shop' });
    const isThere = async () =>
      (await api.call(api.alice, 'GET', `/api/v1/monitors/${id}`)).status === 200;
    const dry = await callTool(api, api.alice, 'delete_monitor', { monitor_id: id });
    expect(dry.structuredContent).toMatchObject({ is_done: false, target: { id, name: 'Shop' } });
    const confirmation = String(dry.structuredContent['confirmation']);
    const remove = (args: object, who = api.alice) =>
      callTool(api, who, 'delete_monitor', { monitor_id: id, dry_run: false, ...args });
    for (const args of [{}, { confirmation: 'yes' }, { confirmation: `${confirmation}A` }]) {
      expect(await errorOf(remove(args))).toMatchObject({ code: 'conflict' });
    }
    // Neither for somebody else nor for something else nor later.
    expect(await errorOf(remove({ confirmation }, api.ed))).toMatchObject({ code: 'conflict' });
    const { id: other } = await api.create();
    expect(await errorOf(remove({ confirmation, monitor_id: other }))).toMatchObject({
      code: 'conflict',
    });
    expect(await isThere()).toBe(true);
    await api.clock.advance(10 * 60_000);
    expect(await errorOf(remove({ confirmation }))).toMatchObject({ code: 'conflict' });
    expect(await isThere()).toBe(true);
    const again = await callTool(api, api.alice, 'delete_monitor', {
      monitor_id: id,
      dry_run: true,
    });
    const done = await remove({ confirmation: again.structuredContent['confirmation'] });
    expect(done.structuredContent).toEqual({
      is_done: true,
      effect: 'delete the monitor with its whole history',
    });
    expect(await isThere()).toBe(false);
  });

  it('shows nothing of what a caller may not see [50.17]', async () => {
    const api = await started();
    const { id } = await api.create();
    expect(
      await errorOf(callTool(api, api.mallory, 'delete_monitor', { monitor_id: id })),
    ).toMatchObject({ code: 'not_found' });
    const deleter = await giveToken(api.database, api.alice, {
      now: api.clock.now(),
      permissions: ['delete'],
    });
    expect(
      await errorOf(callTool(api, deleter, 'delete_monitor', { monitor_id: id })),
    ).toMatchObject({ code: 'forbidden' });
  });
});
