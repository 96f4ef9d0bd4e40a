import { expect, test, vi } from 'vitest';
import { en } from '../../web/words/en.ts';
import { useDemo } from './support/demo-visits.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const { visitDemo } = useDemo();

test('maintenance of the weekend is planned, and stands in the list', async () => {
  const w = en.maintenance;
  const { page, open: go, complaints, context } = await visitDemo();
  await go('/maintenance');
  await page.getByRole('link', { name: w.plan, exact: true }).click();
  const name = page.getByLabel(en.labels.name, { exact: true });
  await page.getByRole('button', { name: w.create, exact: true }).click();
  // Nothing is chosen yet, and there is no name: each error stays until its field is changed.
  const atScope = page.locator('p.error', { hasText: w.scopeNeeded });
  await atScope.waitFor();
  expect(await name.getAttribute('aria-invalid')).toBe('true');
  await name.fill('Move to the new racks');
  expect(await name.getAttribute('aria-invalid')).toBeNull();
  expect(await atScope.count()).toBe(1);
  // The end follows a start that is written as Germans do.
  const ends = page.getByLabel(w.ends, { exact: true });
  await page.getByLabel(w.starts, { exact: true }).fill('5.12.2030 22:00');
  expect(await ends.inputValue()).toBe('2030-12-05 23:00');
  await page.getByRole('button', { name: w.preset.weekend, exact: true }).click();
  await page.getByRole('combobox').last().fill('checkout');
  await page.getByRole('listbox').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('listbox').waitFor({ state: 'detached' });
  await page.getByRole('radio', { name: w.scopeAll, exact: true }).check();
  expect(await atScope.count()).toBe(0);
  const announce = page.getByRole('checkbox', { name: w.announce });
  const receivers = /Visitors read of it on .*Northwind status.* \d+ subscribers: E-mail \d+/;
  await page.getByText(receivers).waitFor();
  await announce.uncheck();
  await page.getByRole('button', { name: w.create, exact: true }).click();
  // On a weekend it begins at once.
  const planned = page.getByText(w.created('Move to the new racks'), { exact: true });
  await planned
    .or(page.getByText(en.maintenance.started('Move to the new racks'), { exact: true }))
    .waitFor();

  const row = page.getByRole('listitem').filter({ hasText: 'Move to the new racks' });
  await row.getByText(new RegExp(`^${w.allMonitors} .* ${en.terms.notAnnounced}$`)).waitFor();
  await row.getByRole('link', { name: 'Move to the new racks', exact: true }).click();
  const end = await ends.inputValue();
  expect([new Date(`${end}Z`).getUTCDay(), end.slice(11, 16)]).toEqual([1, '06:00']);
  expect(complaints).toEqual([]);
  await context.close();
});

test('people see who would be notified of an incident, when, and why', async () => {
  const w = en.alertRoutes;
  const { page, open: go, complaints, context } = await visitDemo();
  await go('/alert-routes');
  await page.getByLabel(w.searchMonitor, { exact: true }).fill('checkout a');
  const chosen = page.getByLabel(en.labels.monitor, { exact: true }).locator('option:checked');
  expect(await chosen.textContent()).toBe('Checkout API');
  const answer = page.locator('[aria-live] .entry');
  await answer.first().waitFor();
  const said = (await answer.allInnerTexts()).join('\n');
  expect(said).toContain('#ops');
  expect(said).toContain(w.by('What customers notice'));
  expect(said).toContain(w.afterMinutes(15));
  expect(complaints).toEqual([]);
  await context.close();
});
