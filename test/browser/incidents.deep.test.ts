import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { en } from '../../web/words/en.ts';
import { OWNER, PASSWORD, VIEWER } from './support/demo.ts';
import { useDemo } from './support/demo-visits.ts';
import type { Visit } from './support/visit.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const EDITOR = 'chidi@northwind.example';
const PHONE = { width: 375 };

const { served, visitDemo } = useDemo();

async function as(email: string, options: { width?: number } = {}): Promise<Visit> {
  return visitDemo({ as: { email, password: PASSWORD }, ...options });
}

/** Calls the API as the person of a visit. */
async function call(
  { context }: Visit,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  data?: object,
): Promise<Record<string, unknown>> {
  const answer = await context.request.fetch(`${served().url}/api/v1${path}`, {
    method,
    headers: { origin: served().url },
    ...(data && { data }),
  });
  expect(answer.ok(), `${method} ${path}: ${answer.status()}`).toBe(true);
  return answer.status() === 204 ? {} : ((await answer.json()) as Record<string, unknown>);
}

/** Records an incident that is open, and returns its id. */
async function recorded(visited: Visit, cause: string): Promise<number> {
  const { id } = await call(visited, 'POST', '/incidents', {
    monitor_id: 11,
    started_at: new Date().toISOString(),
    status: 'open',
    root_cause: cause,
  });
  return id as number;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, text: string) =>
  page.getByRole('heading', { level: 1 }).filter({ hasText: text });
const toast = (page: Page, text: string) => page.locator('.toast').filter({ hasText: text });

async function choose(page: Page, item: string): Promise<void> {
  await button(page, en.incident.moreActions).click();
  await page.getByRole('menuitem', { name: item }).click();
}

async function expectClean(visited: Visit): Promise<void> {
  expect(visited.complaints).toEqual([]);
  await visited.context.close();
}

test('an editor takes an incident in the list, opens it, resolves it and takes that back', async () => {
  const visited = await as(EDITOR, PHONE);
  const id = await recorded(visited, 'The queue is stuck');
  const page = await visited.open('/incidents');
  const title = 'Storefront: The queue is stuck';
  await button(page, en.incidents.acknowledgeNamed(title)).click();
  await toast(page, en.incident.acknowledged).waitFor();
  // The focus is on the incident, not lost with the button.
  expect(await page.evaluate('document.activeElement.textContent')).toBe(title);

  await page.getByRole('link', { name: title }).first().click();
  await page.getByText(en.incident.onIt('Chidi Okafor')).waitFor();
  expect(await button(page, en.labels.acknowledge).count()).toBe(0);

  await button(page, en.incident.resolve).click();
  await page.getByText(en.incident.resolvedAfter('')).waitFor();
  await button(page, en.common.undo).click();
  await page.getByText(en.incident.nobodyOnIt).waitFor();
  expect(await call(visited, 'GET', `/incidents/${id}`)).toMatchObject({ status: 'open' });
  await call(visited, 'DELETE', `/incidents/${id}`);
  await expectClean(visited);
});

test('an incident of a monitor that still fails is not resolved by one click', async () => {
  const visited = await as(EDITOR);
  const open = await call(visited, 'GET', '/incidents?status=open&type=uptime');
  const [outage] = (open['data'] as { id: number; acknowledged_at: string | null }[]).filter(
    ({ acknowledged_at }) => acknowledged_at !== null,
  );
  const page = await visited.open(`/incidents/${outage!.id}`);
  await button(page, en.incident.resolve).click();
  const asked = page.getByRole('alertdialog');
  await asked.getByRole('button', { name: en.incident.resolveNow }).waitFor();
  await asked.getByRole('button', { name: en.incident.resolveOnRecovery }).click();
  await toast(page, en.incident.resolvesOnRecovery).waitFor();
  expect(await call(visited, 'GET', `/incidents/${outage!.id}`)).toMatchObject({ status: 'open' });
  await expectClean(visited);
});

test('an editor changes the cause, reopens and deletes an incident', async () => {
  const visited = await as(EDITOR);
  const id = await recorded(visited, 'The queue is slow');
  const page = await visited.open(`/incidents/${id}`);
  await choose(page, en.incident.editCause);
  await page.getByLabel(en.incidents.cause).fill('A full disk');
  await button(page, en.common.save).click();
  await heading(page, 'Storefront: A full disk').waitFor();

  await button(page, en.incident.resolve).click();
  await page.getByText(en.incident.resolvedAfter('')).waitFor();
  await choose(page, en.incident.reopen);
  await page.getByText(en.incident.nobodyOnIt).waitFor();

  await choose(page, en.common.delete);
  await page.getByRole('alertdialog').getByRole('button', { name: en.common.delete }).click();
  await toast(page, en.incident.deleted).waitFor();
  expect(new URL(page.url()).pathname).toBe('/incidents');
  await expectClean(visited);
});

test('an editor says on the page of an outage that it was a false alarm, and takes that back', async () => {
  const visited = await as(EDITOR);
  const resolved = await call(visited, 'GET', '/incidents?status=resolved&type=uptime');
  const [outage] = resolved['data'] as { id: number; monitor_id: number; started_at: string }[];
  const page = await visited.open(`/incidents/${outage!.id}`);
  await button(page, en.corrections.falseAlarm).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(en.labels.reason, { exact: true }).fill('Our own load test');
  await dialog.getByRole('button', { name: en.corrections.reclassify, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  const path = `/monitors/${outage!.monitor_id}/corrections`;
  const kept = async () => (await call(visited, 'GET', path))['data'] as object[];
  expect(await kept()).toContainEqual(
    expect.objectContaining({
      from: outage!.started_at,
      as: 'false_alarm',
      reason: 'Our own load test',
      removed_at: null,
    }),
  );
  const counted = en.corrections.counted(en.corrections.as.false_alarm);
  const toCorrections = page.getByRole('link', { name: counted, exact: true });
  expect(await toCorrections.getAttribute('href')).toContain('#corrections');
  await button(page, en.common.undo).click();
  const inForce = async () =>
    (await kept()).filter((one) => 'removed_at' in one && one.removed_at === null);
  await expect.poll(inForce).toEqual([]);
  await expectClean(visited);
});

test('an owner records an incident, after the API said what is missing', async () => {
  const visited = await as(OWNER);
  const page = await visited.open('/incidents');
  await button(page, en.incidents.create).first().click();
  const dialog = page.getByRole('dialog');
  const save = dialog.getByRole('button', { name: en.incidents.create, exact: true });
  await dialog.getByLabel(en.incidents.startedAt).fill('yesterday');
  visited.complaints.splice(0);
  await save.click();
  await dialog
    .getByText(`${en.incidents.startedAt} must be a date and time such as 2030-01-31 22:00`)
    .first()
    .waitFor();
  await dialog.getByText(`${en.labels.monitor} is required`).first().waitFor();
  // The browser writes refused requests into its console.
  expect(visited.complaints.splice(0).filter((text) => !/422/.test(text))).toEqual([]);

  await dialog.getByLabel(en.labels.monitor, { exact: true }).selectOption({ label: 'Storefront' });
  await dialog.getByLabel(en.incidents.cause).fill('Orders were lost');
  await dialog.getByLabel(en.labels.status, { exact: true }).selectOption('resolved');
  await dialog.getByLabel(en.incidents.startedAt).fill('2026-01-31 14:02');
  await dialog.getByLabel(en.incidents.endedAt).fill('2026-01-31 15:02');
  await save.click();
  await heading(page, 'Storefront: Orders were lost').waitFor();
  const id = Number(new URL(page.url()).pathname.split('/').at(-1));
  // The zone of the person is Europe/Berlin.
  expect(await call(visited, 'GET', `/incidents/${id}`)).toMatchObject({
    started_at: '2026-01-31T13:02:00.000Z',
    ended_at: '2026-01-31T14:02:00.000Z',
  });
  await expectClean(visited);
});

test('a page shows what others do to its incident: taken, resolved, deleted', async () => {
  const [visited, other] = [await as(OWNER), await as(EDITOR)];
  const id = await recorded(other, 'Mail is late');
  const page = await visited.open(`/incidents/${id}`);
  await page.getByText(en.live.live, { exact: true }).first().waitFor();
  await call(other, 'POST', `/incidents/${id}/acknowledge`);
  await page.getByText(en.incident.onIt('Chidi Okafor')).waitFor();
  await call(other, 'POST', `/incidents/${id}/resolve`);
  await page.getByText(en.incident.resolvedAfter('')).waitFor();
  expect(await button(page, en.incident.resolve).count()).toBe(0);
  await call(other, 'DELETE', `/incidents/${id}`);
  await heading(page, en.incident.gone(id)).waitFor();
  await other.context.close();
  await expectClean(visited);
});

test('a viewer reads who can act, and has no buttons for it', async () => {
  const [visited, editor] = [await as(VIEWER), await as(EDITOR)];
  const id = await recorded(editor, 'Search is empty');
  const page = await visited.open(`/incidents/${id}`);
  await page.getByText(en.incident.editorsCan).waitFor();
  for (const name of [en.labels.acknowledge, en.incident.resolve, en.incident.moreActions])
    expect(await button(page, name).count()).toBe(0);
  expect(await page.getByRole('textbox').count()).toBe(0);
  await page.goto(`${served().url}/incidents`);
  await heading(page, 'open').waitFor();
  expect(await page.getByRole('button', { name: /^Acknowledge/ }).count()).toBe(0);
  expect(await button(page, en.incidents.create).count()).toBe(0);
  await call(editor, 'DELETE', `/incidents/${id}`);
  await editor.context.close();
  await expectClean(visited);
});

test('an editor writes a note, which visitors do not see, and an update, which they do [60.2]', async () => {
  const visited = await as(EDITOR);
  // The API service is on a public page.
  const { data } = await call(visited, 'GET', '/incidents?status=open&monitor_id=1');
  const { id } = (data as { id: number }[])[0]!;
  const page = await visited.open(`/incidents/${id}`);
  await page.getByLabel(en.incident.noteForTeam).fill('The disk of the primary is full');
  await button(page, en.incident.addNote).click();
  await toast(page, en.incident.noted).waitFor();
  await page.locator('.inc-note', { hasText: 'The disk of the primary is full' }).waitFor();
  expect(await page.getByLabel(en.incident.noteForTeam).inputValue()).toBe('');

  await button(page, en.incident.publicUpdate).click();
  await page.getByLabel(en.incident.forVisitors).fill('Payments work again for most.');
  await button(page, en.incident.note).click();
  // What was typed stays when somebody looks at the other kind.
  expect(await page.getByLabel(en.incident.noteForTeam).inputValue()).toContain('Payments work');
  await button(page, en.incident.publicUpdate).click();
  await page.getByLabel(en.incident.state).selectOption('monitoring');
  await button(page, en.terms.publish).click();
  await toast(page, en.incident.published).waitFor();

  const publicPage = async () =>
    (await visited.context.request.get(`${served().url}/status/northwind`)).text();
  await expect.poll(publicPage).toContain('Payments work again for most.');
  expect(await publicPage()).not.toContain('The disk of the primary is full');

  // Only admins see routes: nothing leads others to a page that refuses them.
  await page.goto(`${served().url}/monitors/new`);
  await page.getByText(en.monitorForm.notifyHint).waitFor();
  expect(await page.getByRole('link', { name: en.nav.alertRoutes, exact: true }).count()).toBe(0);
  await expectClean(visited);
});
