import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../src/store/database/database.ts';
import { callTool } from '../support/tools.ts';
import { openApi, type TestApi } from '../support/api.ts';
import { eachDatabase } from '../support/databases.ts';
import { connectClient, type ClientOptions } from '../support/tool-client.ts';

/** A request with a state that nobody issued. */
function withOtherState(body: string): string {
  return body.replace(/"requestState":"[^"]{4}/, '"requestState":"AAAA');
}

eachDatabase((engine, open) => {
  describe.each(['legacy', '2026-07-28'] as const)(
    `the official client on ${engine}, revision %s`,
    (revision) => {
      let database: OpenDatabase;
      let api: TestApi;
      const clients: Client[] = [];

      beforeEach(async () => {
        database = await open();
        api = await openApi(database);
      });
      afterEach(async () => {
        for (const client of clients.splice(0)) await client.close();
        await api.app.close();
        await database.close();
      });

      async function connected(
        options: ClientOptions = {},
        token = api.alice.token,
      ): Promise<Client> {
        const client = await connectClient(api, token, { revision, ...options });
        clients.push(client);
        return client;
      }

      it('finds out who answers and what there is', async () => {
        const client = await connected();
        expect(client.getServerVersion()).toMatchObject({ name: 'tocsin', title: 'Tocsin' });
        expect(client.getServerCapabilities()).toEqual({ tools: {}, prompts: {}, resources: {} });
        expect(client.getInstructions()).toContain('Alice is owner of the team "Team ours"');
        const { tools } = await client.listTools();
        expect(tools.map(({ name }) => name)).toEqual(
          expect.arrayContaining(['list_monitors', 'get_monitor', 'delete_monitor']),
        );
        for (const { title, description, annotations } of tools) {
          expect([title, description, annotations?.readOnlyHint]).not.toContain(undefined);
        }
      });

      it('calls tools and accepts their content, which it checks against the published schema', async () => {
        const client = await connected();
        await api.create({ friendly_name: 'Shop' });
        await client.listTools();
        const { structuredContent, content, isError } = await client.callTool({
          name: 'list_monitors',
          arguments: {},
        });
        expect(isError).not.toBe(true);
        expect(structuredContent).toMatchObject({
          total: 1,
          monitors: [{ name: 'Shop' }],
          next_cursor: null,
        });
        expect(content).toEqual([{ type: 'text', text: expect.stringContaining('name: Shop') }]);
        const refused = await client.callTool({
          name: 'get_monitor',
          arguments: { monitor_id: 999 },
        });
        expect(refused).toMatchObject({
          isError: true,
          structuredContent: { error: { code: 'not_found' } },
        });
      });

      it('gets prompts [50.21]', async () => {
        const client = await connected();
        const { prompts } = await client.listPrompts();
        expect(prompts.map(({ name }) => name)).toEqual(['triage_outage', 'weekly_review']);
        const { messages } = await client.getPrompt({
          name: 'triage_outage',
          arguments: { monitor: 'Shop' },
        });
        expect(messages).toEqual([
          {
            role: 'user',
            content: { type: 'text', text: expect.stringContaining('the monitor "Shop"') },
          },
        ]);
        await expect(client.getPrompt({ name: 'nothing' })).rejects.toThrow(
          'There is no prompt nothing',
        );
        await expect(
          client.getPrompt({ name: 'weekly_review', arguments: { week: '3' } }),
        ).rejects.toThrow('week is not an argument of weekly_review: use period.');
      });

      it('reads resources [50.22]', async () => {
        const client = await connected();
        const { id } = await api.create({ friendly_name: 'Shop' });
        const incident = await api.call(api.alice, 'POST', '/api/v1/incidents', {
          monitor_id: id,
          started_at: new Date(api.clock.now()).toISOString(),
          status: 'open',
          root_cause: 'Fire',
        });
        const { resources } = await client.listResources();
        const uri = `tocsin://incidents/${incident.body.id}`;
        expect(resources).toEqual([
          {
            uri,
            name: `incident-${incident.body.id}`,
            title: expect.stringContaining('Shop'),
            mimeType: 'text/plain',
          },
        ]);
        const { resourceTemplates } = await client.listResourceTemplates();
        expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
          'tocsin://monitors/{id}',
          'tocsin://incidents/{id}',
        ]);
        const read = await client.readResource({ uri });
        expect(read.contents).toEqual([
          { uri, mimeType: 'text/plain', text: expect.stringContaining('Fire') },
        ]);
        const monitor = await client.readResource({ uri: `tocsin://monitors/${id}` });
        expect(monitor.contents).toMatchObject([{ text: expect.stringContaining('check_types') }]);
        for (const address of [
          'tocsin://monitors/999',
          'tocsin://monitors/1/x',
          'file:///etc/passwd',
          'tocsin://monitors/01',
        ]) {
          await expect(client.readResource({ uri: address })).rejects.toMatchObject({
            code: -32602,
          });
        }
      });

      it('does what can’t be undone after a dry run', async () => {
        const client = await connected();
        const { id } = await api.create();
        const dry = await client.callTool({
          name: 'delete_monitor',
          arguments: { monitor_id: id },
        });
        expect(dry.structuredContent).toMatchObject({ is_done: false, target: { id } });
        const { confirmation } = dry.structuredContent as { confirmation: string };
        const done = await client.callTool({
          name: 'delete_monitor',
          arguments: { monitor_id: id, dry_run: false, confirmation },
        });
        expect(done.structuredContent).toMatchObject({ is_done: true });
      });
    },
  );

  describe(`questions to a person on ${engine}`, () => {
    let database: OpenDatabase;
    let api: TestApi;
    let id: number;
    const clients: Client[] = [];
    const asked: string[] = [];

    beforeEach(async () => {
      database = await open();
      api = await openApi(database);
      ({ id } = await api.create({ friendly_name: 'Shop' }));
      asked.splice(0);
    });
    afterEach(async () => {
      for (const client of clients.splice(0)) await client.close();
      await api.app.close();
      await database.close();
    });

    async function remove(options: ClientOptions) {
      const client = await connectClient(api, api.alice.token, {
        revision: '2026-07-28',
        ...options,
      });
      clients.push(client);
      return client.callTool({
        name: 'delete_monitor',
        arguments: { monitor_id: id, dry_run: false },
      });
    }
    const isThere = async () =>
      (await api.call(api.alice, 'GET', `/api/v1/monitors/${id}`)).status === 200;

    it('are asked of clients that can show them, and what is agreed to is done [50.18]', async () => {
      const result = await remove({
        answered: (message) => {
          asked.push(message);
          return { action: 'accept', content: { confirm: true } };
        },
      });
      expect(result.structuredContent).toMatchObject({ is_done: true });
      expect(asked).toEqual([
        expect.stringContaining('Shall this delete the monitor with its whole history?'),
      ]);
      expect(asked[0]).toContain('Shop');
      expect(await isThere()).toBe(false);
    });

    it('show the whole text that would be published [50.18]', async () => {
      const body = { monitor_id: id, started_at: '2029-12-31T23:00:00Z', status: 'open' };
      await api.call(api.alice, 'POST', '/api/v1/incidents', body);
      const client = await connectClient(api, api.alice.token, {
        revision: '2026-07-28',
        answered: (message) => {
          asked.push(message);
          return { action: 'decline' };
        },
      });
      clients.push(client);
      const text = `${'We look into it. '.repeat(100)}The end.`;
      await client.callTool({
        name: 'add_incident_update',
        arguments: { incident_id: 'Shop', state: 'identified', text, dry_run: false },
      });
      expect(asked).toEqual([expect.stringContaining(text)]);
    });

    it.each<[string, ReturnType<NonNullable<ClientOptions['answered']>>]>([
      ['declined', { action: 'decline' }],
      ['cancelled', { action: 'cancel' }],
      ['answered with no', { action: 'accept', content: { confirm: false } }],
    ])('change nothing when they are %s [50.18]', async (_what, answer) => {
      const result = await remove({ answered: () => answer });
      expect(result).toMatchObject({
        isError: true,
        structuredContent: { error: { code: 'conflict' } },
      });
      expect(result.content).toEqual([{ type: 'text', text: expect.stringContaining('declined') }]);
      expect(await isThere()).toBe(true);
    });

    it('are asked again when the state of the answer is not the one that was issued [50.18]', async () => {
      const result = remove({
        change: withOtherState,
        answered: (message) => {
          asked.push(message);
          return { action: 'accept', content: { confirm: true } };
        },
      });
      await expect(result).rejects.toThrow();
      expect(asked.length).toBeGreaterThan(1);
      expect(await isThere()).toBe(true);
    });

    it('can not be got around with the confirmation of a dry run [50.18]', async () => {
      const client = await connectClient(api, api.alice.token, {
        revision: '2026-07-28',
        answered: () => ({ action: 'decline' }),
      });
      clients.push(client);
      const call = (args: object) =>
        client.callTool({ name: 'delete_monitor', arguments: { monitor_id: id, ...args } });
      const dry = await call({});
      expect(dry.structuredContent).not.toHaveProperty('confirmation');
      expect(dry.content).toMatchObject([
        { text: expect.stringContaining('a person is asked then') },
      ]);
      // As a client without forms gets it.
      const { confirmation } = (
        await callTool(api, api.alice, 'delete_monitor', { monitor_id: id })
      ).structuredContent;
      expect(await call({ dry_run: false, confirmation })).toMatchObject({ isError: true });
      expect(await isThere()).toBe(true);
    });
  });
});
