import { UnauthorizedError, type Client } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { openApi, type TestApi } from '../support/api.ts';
import { connectAssistant, type ConsentGiven } from '../support/assistant.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { eachDatabase } from '../support/databases.ts';
import { freezeDates, givePassword, pass, signIn } from '../support/sign-in.ts';
import type { TestPerson } from '../support/people.ts';

freezeDates();

const HOUR = 3_600_000;

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

async function signedIn(api: TestApi, who: TestPerson, email: string): Promise<TestBrowser> {
  await givePassword(api, who);
  const browser = openBrowser(api);
  expect((await signIn(browser, email)).status).toBe(200);
  return browser;
}

const edIn = (api: TestApi) => signedIn(api, api.ed, 'ed@example.com');

const everything = (who: TestPerson): ConsentGiven => ({
  teamId: who.teamId,
  permissions: ['read', 'create', 'update', 'delete'],
});
const reading = (who: TestPerson): ConsentGiven => ({ teamId: who.teamId, permissions: ['read'] });

eachDatabase((_name, open) => {
  test('an assistant registers, a person consents, it calls tools, and its tokens are renewed', async () => {
    const api = await openApi(await open());
    const assistant = await connectAssistant(api, await edIn(api), everything(api.ed), 'Helper');
    const created = await assistant.client.callTool({
      name: 'create_monitor',
      arguments: { url: 'https://shop.example/', check_interval: 1 },
    });
    expect(created.structuredContent).toMatchObject({ name: 'https://shop.example/' });
    const { body: log } = await api.call(
      api.alice,
      'GET',
      '/api/v1/audit-log?action=monitor.created',
    );
    expect(log['data']).toMatchObject([{ via: 'tool_server', token_name: 'Helper' }]);

    const { access_token: first } = assistant.kept.tokens!;
    await pass(api, 2 * HOUR);
    expect(await namesOf(await assistant.reconnect())).toContain('list_monitors');
    expect(assistant.kept.tokens!.access_token).not.toBe(first);
  });

  test('an assistant is shown only the tools that the person allowed', async () => {
    const api = await openApi(await open());
    const { client } = await connectAssistant(api, await edIn(api), reading(api.ed));
    const names = await namesOf(client);
    expect(names).toContain('list_monitors');
    expect(names.filter((name) => /^(create|update|delete|pause|resolve)_/.test(name))).toEqual([]);
    const refused = await client.callTool({ name: 'delete_monitor', arguments: { monitor_id: 1 } });
    expect(refused).toMatchObject({ isError: true });
  });

  test('a member who was removed is refused at the next call, and the assistant can not renew its token', async () => {
    const api = await openApi(await open());
    const assistant = await connectAssistant(api, await edIn(api), everything(api.ed));
    expect(await namesOf(assistant.client)).toContain('delete_monitor');
    const { status } = await api.call(api.alice, 'DELETE', `/api/v1/users/${api.ed.personId}`);
    expect(status).toBe(204);
    await expect(assistant.client.listTools()).rejects.toThrow(UnauthorizedError);
    await expect(assistant.reconnect()).rejects.toThrow(UnauthorizedError);
  });

  test('a member whose role was lowered loses the tools for changes at the next call', async () => {
    const api = await openApi(await open());
    const { client } = await connectAssistant(api, await edIn(api), everything(api.ed));
    expect(await namesOf(client)).toContain('delete_monitor');
    const path = `/api/v1/users/${api.ed.personId}`;
    expect((await api.call(api.alice, 'PUT', path, { role: 'viewer' })).status).toBe(200);
    expect(await namesOf(client)).not.toContain('delete_monitor');
  });

  test('an application that was disconnected is refused at the next call', async () => {
    const api = await openApi(await open());
    const browser = await edIn(api);
    const assistant = await connectAssistant(api, browser, everything(api.ed));
    const { body } = await api.call(api.ed, 'GET', '/api/v1/connected-applications');
    const [connected] = body['data'] as { id: number }[];
    const path = `/api/v1/connected-applications/${connected!.id}`;
    expect((await api.call(api.ed, 'DELETE', path)).status).toBe(204);
    await expect(assistant.client.listTools()).rejects.toThrow(UnauthorizedError);
    await expect(assistant.reconnect()).rejects.toThrow(UnauthorizedError);
  });

  test('the session may end: the assistant stays connected', async () => {
    const api = await openApi(await open());
    const browser = await edIn(api);
    const assistant = await connectAssistant(api, browser, reading(api.ed));
    expect((await browser.post('/api/auth/sign-out')).status).toBe(200);
    await pass(api, 2 * HOUR);
    expect(await namesOf(await assistant.reconnect())).toContain('list_monitors');
  });

  test('the token of an assistant is of no use at the API', async () => {
    const api = await openApi(await open());
    const { kept } = await connectAssistant(api, await edIn(api), everything(api.ed));
    const { status } = await api.call(kept.tokens!.access_token, 'GET', '/api/v1/monitors');
    expect(status).toBe(401);
  });
});
