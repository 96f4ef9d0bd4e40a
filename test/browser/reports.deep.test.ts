import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Download, Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { en } from '../../web/words/en.ts';
import { PASSWORD } from './support/demo.ts';
import { useDemo } from './support/demo-visits.ts';
import { isSettled } from './support/visit.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const w = en.reports;
const { visitDemo } = useDemo();

/** Clicks on something that leads to a file, and reads the file. */
async function fileOf(page: Page, click: () => Promise<void>): Promise<[Download, Buffer]> {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  return [download, await readFile(await download.path())];
}

/** Figure of a report by its name, with the note below. */
const figure = (page: Page, name: string) =>
  page.locator('.kpis > div').filter({ has: page.getByText(name, { exact: true }) });

test('a report is made and downloaded, and its figures change when an outage is reclassified', async () => {
  const { page, open: go, complaints, context } = await visitDemo();
  await go('/reports');
  await page.getByRole('link', { name: 'For the board', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'For the board' }).waitFor();
  await page.getByRole('button', { name: w.shortPeriods.last_30_days, exact: true }).click();
  await isSettled(page);

  const [table, csv] = await fileOf(page, () =>
    page.getByRole('link', { name: 'CSV', exact: true }).click(),
  );
  expect(table.suggestedFilename()).toMatch(/^for-the-board-.*\.csv$/);
  const rows: Record<string, string>[] = parse(csv, { columns: true, bom: true });
  // Those with most downtime come first.
  const worst = await page.locator('.rp-monitors tbody .rp-name a').first().innerText();
  expect(rows.map((row) => row['monitor'] ?? row['name'])).toContain(worst);

  const button = page.getByRole('button', { name: 'PDF', exact: true });
  const [, pdf] = await fileOf(page, () => button.click());
  const focused = 'document.activeElement.textContent';
  await expect.poll(() => page.evaluate(focused)).toBe(w.download('PDF'));
  // The file that was made is listed with those of mails.
  const listed = page.getByRole('row').filter({ hasText: w.notSent });
  await listed
    .getByRole('link', { name: w.download('PDF'), exact: true })
    .first()
    .waitFor();
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  expect(pdf.subarray(-8).toString()).toContain('%%EOF');

  const former = await figure(page, w.downtime).locator('dd').first().innerText();
  await page
    .getByRole('button', { name: en.corrections.reclassifyNamed(worst), exact: true })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: en.corrections.reclassify, exact: true }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel(en.labels.reason, { exact: true }).fill('Our own probe was cut off.');
  await dialog.getByRole('button', { name: en.corrections.reclassify, exact: true }).click();
  await page.getByText(en.corrections.reclassified(worst), { exact: true }).waitFor();
  const now = () => figure(page, w.downtime).locator('dd').first().innerText();
  await expect.poll(now).not.toBe(former);
  await page.getByText('Our own probe was cut off.').first().waitFor();

  const changed = await now();
  await page.getByRole('button', { name: w.recorded, exact: true }).click();
  await expect.poll(now).not.toBe(changed);
  expect(complaints.filter((text) => !text.includes('422'))).toEqual([]);
  await context.close();
});

test('a new report shows its cover with the figures of what is chosen', async () => {
  const { page, open: go, complaints, context } = await visitDemo();
  await go('/reports/new');
  const cover = page.getByRole('region', { name: w.cover, exact: true });
  await cover.getByText(en.terms.monitorCount(60)).waitFor();
  await page.getByLabel(en.labels.name, { exact: true }).fill('For customers');
  const tags = page.getByRole('combobox', { name: en.maintenance.pickSearch(en.labels.tags) });
  await tags.fill('web');
  await page.getByRole('option', { name: 'web', exact: true }).click();
  await cover.getByText(en.terms.monitorCount(13)).waitFor();
  await cover.getByText('For customers').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('days of a report are those of its zone, wherever its reader is', async () => {
  const reader = { email: 'chidi@northwind.example', password: PASSWORD };
  const { page, open: go, complaints, context } = await visitDemo({ as: reader });
  await go('/reports');
  const link = page.getByRole('link', { name: 'For the board', exact: true });
  await go(`${await link.getAttribute('href')}?from=2020-01-01&to=2020-01-31`);
  const period = page.locator('p', { hasText: '(Europe/Berlin)' });
  expect(await period.innerText()).toBe(
    'From 1 Jan 2020, 00:00 to 1 Feb 2020, 00:00 (Europe/Berlin)',
  );
  expect(complaints).toEqual([]);
  await context.close();
});

test('a period before the monitors has no figures that read as a period without a fault', async () => {
  const { page, open: go, complaints, context } = await visitDemo();
  await go('/reports');
  const link = page.getByRole('link', { name: 'For the board', exact: true });
  await go(`${await link.getAttribute('href')}?from=2020-01-01&to=2020-01-31`);
  await page.getByRole('heading', { name: w.nothingObserved, exact: true }).waitFor();
  expect(await figure(page, w.downtime).count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});
