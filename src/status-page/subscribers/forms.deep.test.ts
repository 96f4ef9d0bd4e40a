import { expect, test } from 'vitest';
import { browser, findViolations } from '../../../test/support/chromium.ts';
import { giveTeam } from '../../../test/support/deliveries.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { createMonitor } from '../../../test/support/monitor-rows.ts';
import { updateRows } from '../../../test/support/rows.ts';
import { insertPage, insertServices } from '../../../test/support/status-pages.ts';
import { formsOn, giveSubscriber, subscriberLinks } from '../../../test/support/subscribers.ts';
import { PAGE_LANGUAGES } from '../facts/model.ts';
import { ASSETS } from '../render/assets.ts';

const started = browser();
const HOST = 'http://up.example.com/status/';
const LONG = 'Payments-gateway-for-continental-europe.internal.example.com';

test.each(PAGE_LANGUAGES)(
  'forms of subscriptions in %s are accessible, light and dark, and fit 375 px [42.37, 42.38]',
  async (language) => {
    const database = await openInMemory();
    const teamId = await giveTeam(database);
    const pageId = await insertPage(database, { team_id: teamId, slug: 'harbour', language });
    for (const name of ['API', LONG]) {
      const id = await createMonitor(database, 0, { team_id: teamId, friendly_name: name });
      await updateRows(database, 'monitor_state', { team_id: teamId }, { monitor_id: id });
      await insertServices(database, pageId, [{ id }]);
    }
    const clock = { now: () => Date.UTC(2030, 0, 1) };
    const forms = formsOn(database, clock);
    const id = await giveSubscriber(database, { teamId, pageId }, 'sam@example.com');
    const token = subscriberLinks.manageToken(id);
    const confirm = subscriberLinks.confirmToken(id, clock.now() + 60_000);
    const none = new URLSearchParams();
    const answers = {
      subscribe: await forms.subscribeForm(pageId, null),
      refused: await forms.subscribe(pageId, new URLSearchParams({ email: LONG }), '192.0.2.1'),
      confirm: await forms.confirmForm(pageId, confirm, none),
      subscription: await forms.changeForm(pageId, token),
      unsubscribe: await forms.endForm(pageId, token),
      invalid: await forms.changeForm(pageId, 'x'),
    };
    await database.close();
    for (const [name, answer] of Object.entries(answers)) {
      const page = await (await started()).newPage({ reducedMotion: 'reduce' });
      await page.route('**/*', (route) => {
        const asset = ASSETS.find(({ path }) => route.request().url().endsWith(`/${path}`));
        return asset === undefined
          ? route.fulfill({ contentType: 'text/html; charset=utf-8', body: answer!.html })
          : route.fulfill({ contentType: asset.type, body: Buffer.from(asset.bytes) });
      });
      await page.goto(`${HOST}harbour/${name}`);
      expect([name, await findViolations(page)]).toEqual([name, []]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect([name, await findViolations(page, 'colors')]).toEqual([name, []]);
      await page.setViewportSize({ width: 375, height: 800 });
      const overflow =
        'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect([name, await page.evaluate(overflow)]).toEqual([name, 0]);
      await page.close();
    }
  },
);
