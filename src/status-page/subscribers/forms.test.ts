import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { giveTeam, secretBox } from '../../../test/support/deliveries.ts';
import { createMonitor } from '../../../test/support/monitor-rows.ts';
import { updateRows } from '../../../test/support/rows.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { insertPage, insertServices } from '../../../test/support/status-pages.ts';
import { formsOn, subscriberLinks } from '../../../test/support/subscribers.ts';
import { openMail } from '../../store/alerting/mails.ts';
import type { Database } from '../../store/database/contract.ts';

/** The choice of services, as forms and links have it. */
const only = (...ids: number[]) =>
  new URLSearchParams(ids.map((id) => ['monitors', String(id)] as [string, string]));

async function openForms(database: Database) {
  const teamId = await giveTeam(database);
  const pageId = await insertPage(database, { team_id: teamId, slug: 'harbour' });
  const clock = createFakeClock({ now: Date.UTC(2030, 0, 1) });
  const forms = formsOn(database, clock);
  const texts = async () => {
    const rows = await database.read
      .selectFrom('delivery')
      .select(['body as sealed', 'message_id as messageId'])
      .orderBy('id')
      .execute();
    return rows.map((row) => openMail(secretBox, row).text);
  };
  const tokens = async () => (await texts()).map((text) => /token=([\w-]+)/.exec(text)![1]!);
  const monitor = async (name: string) => {
    const id = await createMonitor(database, 0, { team_id: teamId, friendly_name: name });
    await updateRows(database, 'monitor_state', { team_id: teamId }, { monitor_id: id });
    return id;
  };
  const [api, shop] = [await monitor('API'), await monitor('Shop')];
  await insertServices(database, pageId, [{ id: api }, { id: shop }]);
  const ask = (email: string, ...ids: number[]) =>
    forms.subscribe(pageId, new URLSearchParams([['email', email], ...only(...ids)]), '192.0.2.1');
  const rows = () => database.read.selectFrom('subscriber').selectAll().execute();
  const confirm = (token: string, ...ids: number[]) => forms.confirm(pageId, token, only(...ids));
  return { database, pageId, api, shop, forms, ask, confirm, tokens, texts, rows };
}

/** Values of the checked boxes. */
const checkedIn = (html: string) =>
  [...html.matchAll(/value="(\d+)"\s+checked/g)].map(([, value]) => value);

eachDatabase((_engine, open) => {
  test('an address is confirmed by the button behind its link, and the answers tell nothing of it [44.18]', async () => {
    const { pageId, forms, ask, confirm, tokens, rows } = await openForms(await open());
    const first = await ask('sam@example.com');
    const [token = ''] = await tokens();
    expect((await forms.confirmForm(pageId, token, only()))!.status).toBe(200);
    expect((await rows())[0]!.confirmed_at).toBeNull();
    expect((await confirm(token))!.status).toBe(200);
    expect((await rows())[0]!.confirmed_at).not.toBeNull();
    expect(await ask('sam@example.com')).toEqual(first);
    expect(await tokens()).toHaveLength(2);
    expect((await forms.end(pageId, token))!.status).toBe(410);
  });

  test('a subscription ends by its link at once, and again without harm [44.19]', async () => {
    const { pageId, forms, ask, confirm, tokens, rows } = await openForms(await open());
    await ask('sam@example.com');
    await confirm((await tokens())[0]!);
    const token = subscriberLinks.manageToken((await rows())[0]!.id);
    expect((await forms.changeForm(pageId, token))!.html).toContain(`unsubscribe?token=${token}"`);
    expect((await forms.endForm(pageId, token))!.status).toBe(200);
    expect(await rows()).toHaveLength(1);
    for (let count = 0; count < 2; count += 1)
      expect((await forms.end(pageId, token))!.status).toBe(200);
    expect(await rows()).toEqual([]);
    expect((await forms.changeForm(pageId, token))!.status).toBe(410);
  });

  test("a stranger's request changes no subscription: its link does, and shows the services that were asked for [44.25]", async () => {
    const { database, pageId, api, shop, forms, ask, confirm, tokens, texts, rows } =
      await openForms(await open());
    const choiceOf = async () => JSON.parse((await rows())[0]!.monitors) as number[];
    await ask('sam@example.com', api);
    await ask('sam@example.com', shop);
    expect(await choiceOf()).toEqual([api]);
    const [, second = ''] = await texts();
    expect(second).toContain(`&monitors=${shop}\n`);
    const [first = '', other = ''] = await tokens();
    const { html } = (await forms.confirmForm(pageId, other, only(shop)))!;
    expect(checkedIn(html)).toEqual([String(shop)]);
    await confirm(first, api);
    await ask('sam@example.com');
    expect(await choiceOf()).toEqual([api]);
    await confirm(other, shop, 999);
    expect(await choiceOf()).toEqual([shop]);
    const ended = { ended_reason: '550 No such user', refusals: 3 };
    await updateRows(database, 'subscriber', ended);
    await updateRows(database, 'budget', { used: 0 });
    await ask('sam@example.com', api);
    expect((await rows())[0]).toMatchObject({ ...ended, monitors: `[${shop}]` });
    const last = (await tokens()).at(-1)!;
    await confirm(last, api);
    expect((await rows())[0]).toMatchObject({
      ended_reason: null,
      refusals: 0,
      monitors: `[${api}]`,
    });
  });

  test.each(['nobody', 'a@b,c@example.com', `${'a'.repeat(250)}@b.example`, 'a@b\0.example'])(
    'the form refuses %j, as the API does [44.3]',
    async (address) => {
      const { ask, shop, rows } = await openForms(await open());
      const { status, html } = (await ask(address, shop))!;
      expect(status).toBe(422);
      expect(checkedIn(html)).toEqual([String(shop)]);
      expect(await rows()).toEqual([]);
    },
  );

  test('too many requests of a client or for an address are refused', async () => {
    const { ask } = await openForms(await open());
    for (let index = 0; index < 10; index += 1)
      expect((await ask(`a${index}@example.com`))!.status).toBe(200);
    expect((await ask('b@example.com'))!.status).toBe(429);
    expect((await ask('nobody'))!.status).toBe(422);
  });
});
