import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { giveChannel, giveTeam, secretBox } from '../../../test/support/deliveries.ts';
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

async function openForms(
  database: Database,
  columns: Parameters<typeof insertPage>[1] | object = {},
) {
  const teamId = await giveTeam(database);
  const pageId = await insertPage(database, { team_id: teamId, slug: 'harbour', ...columns });
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
  /** Subscribes in a way other than e-mail. */
  const askBy = (kind: string, address: string, client = '192.0.2.1') =>
    forms.subscribe(pageId, new URLSearchParams({ kind, address }), client);
  /** Bodies of messages that wait for hooks and phones. */
  const challenges = async () => {
    const waiting = await database.read
      .selectFrom('delivery')
      .select('body')
      .where('kind', '=', 'subscription.confirm')
      .orderBy('id')
      .execute();
    return waiting.map(({ body }) => body);
  };
  return {
    teamId,
    clock,
    askBy,
    challenges,
    database,
    pageId,
    api,
    shop,
    forms,
    ask,
    confirm,
    tokens,
    texts,
    rows,
  };
}

type Asked = [kind: string, address: string, client?: string];

/** As many of what `ask` makes of an index. */
const times = <One>(count: number, ask: (index: number) => One): One[] =>
  Array.from({ length: count }, (_, index) => ask(index));

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
    // Nothing has ended before the button is pressed: the form asks.
    const asked = (await forms.endForm(pageId, token))!;
    expect([asked.status, asked.html]).toEqual([
      200,
      expect.stringContaining('<h1>Unsubscribe?</h1>'),
    ]);
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

  const ALL_WAYS = { subscribe_by: '["email","slack","microsoft_teams","webhook","sms"]' };
  const SLACK = 'https://hooks.slack.com/services/T0/B0/x';

  test('a page offers the ways that it names and its feeds, and SMS with a channel that sends [44.32]', async () => {
    const { database, teamId, pageId, forms, askBy, rows } = await openForms(await open());
    const ways = async () => {
      const { html } = (await forms.subscribeForm(pageId, null))!;
      return [...html.matchAll(/by=(\w+)"/g)].map(([, way]) => way);
    };
    expect(await ways()).toEqual(['email', 'slack', 'microsoft_teams', 'feeds']);
    expect((await askBy('webhook', 'https://example.com/hook'))!.status).toBe(422);
    expect((await askBy('pigeon', 'coo'))!.status).toBe(422);
    expect(await rows()).toEqual([]);
    await updateRows(database, 'status_page', { subscribe_by: '["sms","webhook"]' });
    expect(await ways()).toEqual(['webhook', 'feeds']);
    const { id } = await giveChannel(database, teamId, { type: 'sms' });
    await updateRows(database, 'status_page', { sms_channel_id: id });
    expect(await ways()).toEqual(['webhook', 'sms', 'feeds']);
    await updateRows(database, 'alert_channel', { enabled: 0 }, { id });
    expect(await ways()).toEqual(['webhook', 'feeds']);
    expect((await askBy('sms', '+442079460958'))!.status).toBe(422);
    const { html } = (await forms.subscribeForm(pageId, 'feeds'))!;
    expect(html).toContain('href="../harbour.atom"');
  });

  test.each([
    ['slack', SLACK, true],
    ['slack', 'https://hooks.slack.com.evil.example/services/T0/B0/x', false],
    ['slack', 'https://hooks.slack.com:8443/services/T0/B0/x', false],
    ['slack', 'http://hooks.slack.com/services/T0/B0/x', false],
    ['microsoft_teams', 'https://prod-1.westeurope.logic.azure.com:443/workflows/1?sig=x', true],
    ['microsoft_teams', 'https://a.b.environment.api.powerplatform.com/p?sig=x', true],
    ['microsoft_teams', 'https://logic.azure.com.evil.example/workflows/1', false],
    ['webhook', 'https://example.com/hook', true],
    ['webhook', 'https://10.0.0.1/hook', false],
    ['webhook', `https://example.com/${'a'.repeat(2_048)}`, false],
    ['sms', '+44 (0)20 7946-0958', true],
    ['sms', '0044 20 7946-0958', true],
    ['sms', '020 7946 0958', false],
  ])('a visitor who subscribes by %s with %s: %s [44.33]', async (kind, address, isTaken) => {
    const { database, teamId, askBy, challenges, rows } = await openForms(await open(), ALL_WAYS);
    const { id } = await giveChannel(database, teamId, { type: 'sms' });
    await updateRows(database, 'status_page', { sms_channel_id: id });
    const { status, html } = (await askBy(kind, address))!;
    expect(status).toBe(isTaken ? 200 : 422);
    expect(await rows()).toHaveLength(isTaken ? 1 : 0);
    const sent = await challenges();
    expect(sent).toHaveLength(isTaken ? 1 : 0);
    for (const body of sent) expect(body).toMatch(/\/status\/harbour\/confirm\?token=[\w-]{37,}/);
    if (isTaken) expect(html).not.toContain(address);
  });

  test('hooks and phones are asked as often as budgets allow, and answers tell nothing of what is known [44.34]', async () => {
    const { database, teamId, askBy, challenges, rows } = await openForms(await open(), ALL_WAYS);
    const { id } = await giveChannel(database, teamId, { type: 'sms' });
    await updateRows(database, 'status_page', { sms_channel_id: id });
    const statuses = async (asked: Asked[]) => {
      const answers = [];
      for (const one of asked) answers.push((await askBy(...one))!.status);
      return answers;
    };
    expect(await statuses(times(4, () => ['slack', SLACK]))).toEqual([200, 200, 200, 429]);
    // Another spelling is the same channel.
    const spelled: Asked[] = [`${SLACK}?1`, `${SLACK}#a`, `${SLACK}/`].map((url) => ['slack', url]);
    expect(await statuses(spelled)).toEqual([429, 429, 429]);
    expect(await statuses(times(3, () => ['sms', '+442079460958']))).toEqual([200, 200, 429]);
    await updateRows(database, 'budget', { used: 0 });
    expect(
      await statuses(times(21, (n) => ['webhook', `https://h.example/${n}`, `192.0.2.${n}`])),
    ).toEqual([...times(20, () => 200), 429]);
    await updateRows(database, 'budget', { used: 0 });
    const perClient = await statuses(times(11, (n) => ['webhook', `https://h${n}.example/`]));
    expect(perClient).toEqual([...times(10, () => 200), 429]);
    await updateRows(database, 'budget', { used: 0 });
    const phones = await statuses(times(6, (n) => ['sms', `+44207946096${n}`]));
    expect(phones).toEqual([200, 200, 200, 200, 200, 429]);
    // Also after all budgets are full again: a host has at most 20 webhooks of visitors.
    await updateRows(database, 'budget', { used: 0 });
    expect(await statuses([['webhook', 'https://h.example/more']])).toEqual([429]);
    expect(await rows()).toHaveLength(1 + 1 + 20 + 10 + 5);
    expect(await challenges()).toHaveLength(3 + 2 + 20 + 10 + 5);
  });

  test('the owner of a webhook confirms by the link, sees the signing secret, and the queue holds no token of theirs [44.36, 44.37]', async () => {
    const { pageId, forms, askBy, challenges, rows } = await openForms(await open(), ALL_WAYS);
    await askBy('webhook', 'https://example.com/hook');
    const [body = ''] = await challenges();
    const { challenge, subscription } = JSON.parse(body);
    expect(subscription.unsubscribe_url).toMatch(/unsubscribe\?token=\{subscription-token\}$/);
    const { html } = (await forms.confirm(pageId, challenge, only()))!;
    const token = /subscription\?token=([\w-]+)"/.exec(html)![1]!;
    expect(token).toBe(subscriberLinks.manageToken((await rows())[0]!.id));
    const shown = (await forms.changeForm(pageId, token))!.html;
    expect(shown).toMatch(/<code>whsec_[\w+/=]{40,}<\/code>/);
    expect((await forms.end(pageId, token))!.status).toBe(200);
    expect(await rows()).toEqual([]);
  });

  test('a visitor asks again for a hook whose subscription has ended, and its owner confirms it', async () => {
    const { database, pageId, forms, askBy, challenges, rows } = await openForms(
      await open(),
      ALL_WAYS,
    );
    await askBy('slack', SLACK);
    await updateRows(database, 'subscriber', { confirmed_at: 1, ended_reason: 'It was gone.' });
    await askBy('slack', SLACK);
    expect(await rows()).toMatchObject([{ ended_reason: 'It was gone.' }]);
    const token = /confirm\?token=([\w-]+)/.exec((await challenges()).at(-1)!)![1]!;
    await forms.confirm(pageId, token, only());
    expect(await rows()).toMatchObject([{ ended_reason: null, kind: 'slack' }]);
  });
});
