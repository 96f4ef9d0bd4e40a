import { expect, test, vi } from 'vitest';
import { en } from '../../web/words/en.ts';
import { useDemo } from './support/demo-visits.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

const MONITORS = 1_100;
/** As the page writes it. */
const ALL = '1,100';

const { visitDemo } = useDemo({ more: MONITORS - 60 });

test('an action on many monitors is stopped between two requests; what follows is done as a whole', async () => {
  const { page, open, complaints, context } = await visitDemo();
  const { bulk } = en;
  const { pause } = en.labels;
  const bar = page.getByRole('toolbar', { name: bulk.label });
  const numbers: number[] = [];
  const held: (() => void)[] = [];
  const release = () => held.shift()!();
  // Each request waits until the test lets it go.
  await page.route('**/api/v1/monitors/actions', async (route) => {
    numbers.push((route.request().postDataJSON() as { ids: number[] }).ids.length);
    const { promise, resolve } = Promise.withResolvers<void>();
    held.push(resolve);
    await promise;
    await route.continue();
  });
  await open('/monitors');
  await page.getByRole('checkbox', { name: en.monitors.selectAll(ALL) }).click();

  await bar.getByRole('button', { name: pause }).click();
  await bar.getByText(bulk.progress('0', ALL)).waitFor();
  await bar.getByRole('button', { name: bulk.stop }).click();
  await expect.poll(() => numbers).toEqual([500]);
  release();
  await page.getByText(bulk.paused(500, '')).waitFor();
  await bar.getByText(bulk.selected(ALL)).waitFor();
  expect(numbers).toEqual([500]);

  await bar.getByRole('button', { name: bulk.more }).click();
  await page.getByRole('menuitem', { name: en.common.delete }).click();
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await dialog.getByRole('textbox').fill(String(MONITORS));
  await dialog.getByRole('button', { name: en.common.delete }).click();
  for (const [at, done] of ['0', '500', '1,000'].entries()) {
    await expect.poll(() => numbers.length).toBe(at + 2);
    await bar.getByText(bulk.progress(done, ALL)).waitFor();
    release();
  }
  await page.getByText(bulk.deleted(MONITORS, '')).waitFor();
  expect(numbers).toEqual([500, 500, 500, 100]);
  await page.getByText(en.monitors.emptyTitle).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});
