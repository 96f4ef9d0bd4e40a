import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { giveTeam, secretBox } from '../../../test/support/deliveries.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { insertPage } from '../../../test/support/status-pages.ts';
import { hashes, mailQueue, subscriberLinks } from '../../../test/support/subscribers.ts';
import { openMail } from '../../store/alerting/mails.ts';
import type { Database } from '../../store/database/contract.ts';
import { createSubscriptionForms } from './forms.ts';
import { createSubscriptions } from './subscriptions.ts';

const clientKey = (address: string) => address;

async function openForms(database: Database) {
  const teamId = await giveTeam(database);
  const pageId = await insertPage(database, { team_id: teamId, slug: 'harbour' });
  const clock = createFakeClock({ now: Date.UTC(2030, 0, 1) });
  const deps = { database, clock, secretBox, mailQueue, links: subscriberLinks, hashes };
  const subscriptions = createSubscriptions({ ...deps, baseUrl: () => 'https://up.example.com' });
  const forms = createSubscriptionForms({ database, subscriptions, mailQueue, clientKey });
  const tokens = async () => {
    const rows = await database.read.selectFrom('delivery').select('body as sealed').execute();
    return rows.map((row) => /token=([\w-]+)/.exec(openMail(secretBox, row).text)![1]!);
  };
  const ask = (email: string) =>
    forms.subscribe(pageId, new URLSearchParams({ email }), '192.0.2.1');
  const rows = () => database.read.selectFrom('subscriber').selectAll().execute();
  return { pageId, forms, ask, tokens, rows };
}

eachDatabase((_engine, open) => {
  test('an address is confirmed by the button behind its link, and the answers tell nothing of it [44.18]', async () => {
    const { pageId, forms, ask, tokens, rows } = await openForms(await open());
    const first = await ask('sam@example.com');
    const [token = ''] = await tokens();
    expect((await forms.confirmForm(pageId, token))!.status).toBe(200);
    expect((await rows())[0]!.confirmed_at).toBeNull();
    expect((await forms.confirm(pageId, token))!.status).toBe(200);
    expect((await rows())[0]!.confirmed_at).not.toBeNull();
    expect(await ask('sam@example.com')).toEqual(first);
    expect(await tokens()).toHaveLength(2);
    expect((await forms.end(pageId, token))!.status).toBe(410);
  });

  test('a subscription ends by its link at once, and again without harm [44.19]', async () => {
    const { pageId, forms, ask, tokens, rows } = await openForms(await open());
    await ask('sam@example.com');
    await forms.confirm(pageId, (await tokens())[0]!);
    const token = subscriberLinks.manageToken((await rows())[0]!.id);
    expect((await forms.endForm(pageId, token))!.status).toBe(200);
    expect(await rows()).toHaveLength(1);
    for (let count = 0; count < 2; count += 1)
      expect((await forms.end(pageId, token))!.status).toBe(200);
    expect(await rows()).toEqual([]);
    expect((await forms.changeForm(pageId, token))!.status).toBe(410);
  });

  test('too many requests of a client or for an address are refused', async () => {
    const { ask } = await openForms(await open());
    for (let index = 0; index < 10; index += 1)
      expect((await ask(`a${index}@example.com`))!.status).toBe(200);
    expect((await ask('b@example.com'))!.status).toBe(429);
    expect((await ask('nobody'))!.status).toBe(422);
  });
});
