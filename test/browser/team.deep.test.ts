import type { Locator, Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { en } from '../../web/words/en.ts';
import { browser } from '../support/chromium.ts';
import { useServices } from '../support/service.ts';
import { ADA, linkIn, startOwnService, type OwnService } from './support/own-service.ts';
import { visit, type Visit } from './support/visit.ts';

vi.setConfig({ testTimeout: 300_000 });

const open = browser();
const services = useServices();
const { members, settings, auditLog, installation, plan, common, roles, nav } = en;
const BO = { email: 'bo@northwind.example', password: 'correct-horse-battery-9' };

const button = (place: Page | Locator, name: string): Locator =>
  place.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const rowOf = (page: Page, name: string): Locator =>
  page.getByRole('row').filter({ hasText: name });
const said = (page: Page, text: string) =>
  page.locator('.toast').getByText(text, { exact: true }).first().waitFor();

/** Chooses an entry of the menu of a person. */
async function choose(page: Page, name: string, entry: string): Promise<void> {
  await button(page, common.actionsFor(name)).click();
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
}

/** Answers the question that is open; `typed` is the name that it asks for. */
async function confirm(page: Page, title: string, action: string, typed?: string): Promise<void> {
  const dialog = page.getByRole('alertdialog', { name: title, exact: true });
  await dialog.waitFor();
  if (typed !== undefined) {
    expect(await button(dialog, action).getAttribute('aria-disabled')).toBe('true');
    await dialog.getByRole('textbox').fill(typed);
  }
  await button(dialog, action).click();
  await dialog.waitFor({ state: 'detached' });
}

const as = async (own: OwnService, who = ADA, expected?: RegExp) =>
  visit(await open(), { url: own.url, as: who, ...(expected && { expected }) });

async function leave(...visits: Visit[]): Promise<void> {
  for (const { complaints, context } of visits) {
    expect(complaints).toEqual([]);
    await context.close();
  }
}

/** Accepts an invitation as a person without an account. */
async function accept(own: OwnService, link: string, name: string): Promise<void> {
  const token = new URL(link).searchParams.get('token');
  const answer = await fetch(`${own.url}/api/v1/invitations/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: own.url },
    body: JSON.stringify({ token, name, password: BO.password }),
  });
  expect(answer.status, await answer.clone().text()).toBeLessThan(300);
}

/** Name of the team that the operator's account begins with. */
async function teamOf(own: OwnService): Promise<string> {
  const { body } = await own.service.get<{ data: { name: string }[] }>('/api/v1/teams');
  return body.data[0]!.name;
}

/** Ada's team with Bo in it. */
async function withBo(own: OwnService, role: 'admin' | 'editor' | 'viewer'): Promise<void> {
  const { status } = await own.service.post('/api/v1/users/invitations', {
    email: BO.email,
    role,
  });
  expect(status).toBe(201);
  await accept(own, linkIn(await own.mailTo(BO.email), '/invitation'), 'Bo');
}

test('a person is invited by mail, gets another role, is disabled, and is removed', async () => {
  const own = await startOwnService(services);
  const team = await teamOf(own);
  const visited = await as(own, ADA, /422/);
  const page = await visited.open('/members');
  await heading(page, members.sentence(1, team));
  await button(page, members.invite).click();
  const dialog = page.getByRole('dialog', { name: members.inviteTitle });
  await dialog.getByLabel(en.labels.email).fill('bo@');
  await button(dialog, members.invite).click();
  await dialog.getByRole('alert').waitFor();
  expect(await dialog.getByLabel(en.labels.email).getAttribute('aria-invalid')).toBe('true');
  await dialog.getByLabel(en.labels.email).fill(BO.email);
  await dialog.getByLabel(en.labels.role).selectOption('viewer');
  await dialog.getByText(members.roleHints.viewer).waitFor();
  await button(dialog, members.invite).click();
  const sent = page.getByRole('dialog', { name: members.linkTitle(BO.email) });
  await sent.getByText(members.mailed(BO.email)).waitFor();
  // Nothing is lost any more.
  await page.keyboard.press('Escape');
  await sent.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: members.invitations(1) }).waitFor();

  await accept(own, linkIn(await own.mailTo(BO.email), '/invitation'), 'Bo Lindqvist');
  // The live stream says it: the page is not loaded again.
  await heading(page, members.sentence(2, team));
  expect(await rowOf(page, 'Bo Lindqvist').textContent()).toContain(roles.viewer);

  await choose(page, 'Bo Lindqvist', members.makeRole(roles.editor));
  await said(page, members.roleIs('Bo Lindqvist', roles.editor));
  await rowOf(page, 'Bo Lindqvist').getByText(roles.editor, { exact: true }).waitFor();

  const bo = await as(own, BO);
  await bo.open('/monitors');
  await choose(page, 'Bo Lindqvist', members.disable);
  await said(page, members.isDisabled('Bo Lindqvist'));
  expect((await bo.context.request.get(`${own.url}/api/v1/monitors`)).status()).toBe(403);
  await choose(page, 'Bo Lindqvist', members.enable);
  await said(page, members.isEnabled('Bo Lindqvist'));

  await choose(page, 'Bo Lindqvist', en.labels.remove);
  await confirm(page, members.removeTitle('Bo Lindqvist'), en.labels.remove);
  await said(page, members.removed('Bo Lindqvist'));
  await heading(page, members.sentence(1, team));
  await bo.context.close();
  await leave(visited);
});

test('without mail the link of an invitation is handed on; it is renewed and withdrawn', async () => {
  const own = await startOwnService(services, { mail: false });
  const visited = await as(own);
  const page = await visited.open('/members');
  await button(page, members.invite).click();
  const dialog = page.getByRole('dialog', { name: members.inviteTitle });
  await dialog.getByLabel(en.labels.email).fill(BO.email);
  await button(dialog, members.invite).click();
  const sent = page.getByRole('dialog', { name: members.linkTitle(BO.email) });
  const link = await sent.getByLabel(members.link).inputValue();
  expect(link).toMatch(new RegExp(`^${own.url}/invitation\\?token=.{20}`));
  await button(sent, common.close).click();

  await choose(page, BO.email, members.resend);
  await confirm(page, members.resendTitle(BO.email), members.resend);
  const again = await sent.getByLabel(members.link).inputValue();
  expect(again).not.toBe(link);
  await page.keyboard.press('Escape');
  await sent.waitFor({ state: 'detached' });

  await choose(page, BO.email, members.withdraw);
  await confirm(page, members.withdrawTitle(BO.email), members.withdraw);
  await said(page, members.withdrawn(BO.email));
  await page.getByRole('heading', { name: members.invitations(1) }).waitFor({ state: 'detached' });
  const token = new URL(again).searchParams.get('token');
  const answer = await fetch(`${own.url}/api/v1/invitations/preview?token=${token}`);
  expect(answer.ok).toBe(false);
  await leave(visited);
});

test('the owner hands the team over, becomes an admin, and leaves', async () => {
  const own = await startOwnService(services);
  const team = await teamOf(own);
  await withBo(own, 'admin');
  const visited = await as(own);
  const page = await visited.open('/members');
  await choose(page, 'Bo', members.transfer);
  await confirm(page, members.transferTitle('Bo'), members.transfer, team);
  await said(page, members.transferred('Bo'));
  await rowOf(page, BO.email).getByText(roles.owner, { exact: true }).waitFor();
  await rowOf(page, ADA.email).getByText(roles.admin, { exact: true }).waitFor();

  await visited.open('/settings');
  await page.getByText(settings.sentence(team, roles.admin)).waitFor();
  await button(page, settings.leave).click();
  await confirm(page, settings.leaveTitle(team), settings.leave);
  // Without a team, each page says what to do, and nothing is asked for that the server would refuse.
  await heading(page, en.account.noTeamTitle);
  await page.getByRole('main').getByRole('link', { name: nav.account }).click();
  await page.getByText(en.account.noTeam).waitFor();
  await leave(visited);
});

test('a team is created, switched to and back, and deleted by its name', async () => {
  const own = await startOwnService(services);
  const first = await teamOf(own);
  const visited = await as(own);
  const page = await visited.open('/settings');
  const form = page.getByRole('region', { name: en.nav.newTeam });
  await form.getByLabel(settings.name).fill('Südwind & Söhne');
  await button(form, en.nav.newTeam).click();
  await page.waitForURL(/\/monitors$/);
  const team = page.locator('.rail').getByRole('button', { name: 'Südwind & Söhne' });
  await team.click();
  await page.getByRole('menuitem', { name: first }).click();
  await page.locator('.rail').getByRole('button', { name: first }).waitFor();
  await page.locator('.rail').getByRole('button', { name: first }).click();
  await page.getByRole('menuitem', { name: 'Südwind & Söhne' }).click();
  await team.waitFor();

  await visited.open('/settings');
  const title = en.dialog.deleteTitle('Südwind & Söhne');
  await button(page, settings.delete).click();
  const dialog = page.getByRole('alertdialog', { name: title });
  // Another name deletes nothing.
  await dialog.getByRole('textbox').fill(first);
  await dialog.getByText(settings.deleteText).waitFor();
  expect(await button(dialog, settings.delete).getAttribute('aria-disabled')).toBe('true');
  await confirm(page, title, settings.delete, 'Südwind & Söhne');
  await page.waitForURL(/\/(monitors|account)/);
  const { body } = await own.service.get<{ data: { name: string }[] }>('/api/v1/teams');
  expect(body.data.map(({ name }) => name)).toEqual([first]);
  await leave(visited);
});

test('a team is renamed; requiring a second factor without one says why not at its box', async () => {
  const own = await startOwnService(services);
  const visited = await as(own, ADA, /422/);
  const page = await visited.open('/settings');
  const form = page.getByRole('region', { name: en.nav.team, exact: true });
  await form.getByLabel(settings.name).fill('Northwind');
  await form.getByRole('checkbox', { name: settings.factor }).check();
  await button(form, common.save).click();
  await form.getByRole('alert').waitFor();
  await form
    .locator('.error')
    .getByText(/lock yourself out/)
    .waitFor();
  expect(await form.getByLabel(settings.name).inputValue()).toBe('Northwind');
  await form.getByRole('checkbox', { name: settings.factor }).uncheck();
  await button(form, common.save).click();
  await said(page, settings.saved);
  await page.locator('.rail').getByText('Northwind', { exact: true }).waitFor();
  await leave(visited);
});

test('the audit log is filtered, and a viewer reads who may see it', async () => {
  const own = await startOwnService(services);
  await withBo(own, 'viewer');
  await own.service.post('/api/v1/groups', { name: 'Shop' });
  const visited = await as(own);
  const page = await visited.open('/audit-log');
  const made = page.getByRole('listitem').filter({ hasText: 'created the group Shop' });
  await made.getByRole('button', { name: en.terms.details }).click();
  await made.getByText(/^with the API token /).waitFor();
  await made.getByText('Sort order', { exact: true }).waitFor();
  await page.getByLabel(auditLog.searchHint).fill('nobody');
  await page.getByRole('heading', { name: auditLog.none }).waitFor();
  await button(page, auditLog.showAll).first().click();
  await made.waitFor();
  await page.getByLabel(auditLog.target).selectOption('member');
  await page.getByText('Shop').first().waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('target_type')).toBe('member');
  await page.getByText('Bo joined the team').waitFor();
  await page.getByLabel(auditLog.person, { exact: true }).selectOption('Bo');
  await page.getByLabel(auditLog.action, { exact: true }).selectOption('member.deleted');
  await page.getByRole('heading', { name: auditLog.none }).waitFor();
  await button(page, auditLog.showAll).first().click();
  await page.getByText('Shop').first().waitFor();
  await page.getByLabel(auditLog.end_date, { exact: true }).fill('2020-01-01');
  await page.getByRole('heading', { name: auditLog.none }).waitFor();
  await leave(visited);

  const bo = await as(own, BO);
  const other = await bo.open('/audit-log');
  await other.getByText(auditLog.onlyAdmins).waitFor();
  expect(await other.locator('.rail').getByRole('link', { name: nav.auditLog }).count()).toBe(0);
  await leave(bo);
});

test('plan and installation: their owner sees all, others learn who may', async () => {
  const own = await startOwnService(services);
  await withBo(own, 'editor');
  const visited = await as(own);
  const page = await visited.open('/plan');
  await heading(page, plan.uses('0'));
  await visited.open('/installation');
  await page.getByRole('heading', { name: en.nav.settings }).waitFor();
  const row = page.getByRole('row').filter({ hasText: 'BASE_URL' }).first();
  expect(await row.textContent()).toContain(own.url);
  expect(await page.content()).not.toContain(ADA.password);
  await page.getByRole('button', { name: en.terms.showAll(0).replace('0', '') }).click();
  const heads = await page.getByRole('columnheader').allTextContents();
  expect(heads).toEqual(expect.arrayContaining(Object.values(installation.groups)));
  await leave(visited);

  const bo = await as(own, BO, /403/);
  const other = await bo.open('/installation');
  await other.getByText(installation.onlyOwner).waitFor();
  expect(await other.getByText('BASE_URL').count()).toBe(0);
  await leave(bo);
});
