import { afterAll, describe, expect, test } from 'vitest';
import { BASE_URL, NO_MAIL, openApi, type TestApi } from '../../test/support/api.ts';
import { storeAlerting } from '../../test/support/alerts.ts';
import { pathOf, ROUTES } from '../../test/support/owned.ts';
import { giveSession, type TestPerson } from '../../test/support/people.ts';
import { LEAST } from '../../test/support/monitor-bodies.ts';
import { updateRows } from '../../test/support/rows.ts';
import { storeAlert, storeChannel, storeNotified } from '../../test/support/sent-alerts.ts';
import { storeDelivery } from '../../test/support/webhooks.ts';
import { OWNER_SETTING } from '../identity/setup-token.ts';
import { issueSetupToken } from '../identity/setup-token.ts';
import { createAlertLinks } from '../alerting/message/index.ts';
import type { OpenDatabase } from '../store/database/database.ts';
import { claimSetting } from '../store/database/settings.ts';
import { actionsOf } from '../resources/audit-log/service.ts';
import { AUDITED, OPERATIONS } from '../resources/nouns.ts';
import type { RouteFacts } from '../resources/common/operation.ts';
import { openInMemory } from '../../test/support/memory-database.ts';

/** Routes that leave no trace though they are no GET, and why. */
const LEAVES_NONE: Record<string, string> = {
  checkMonitor: 'it looks once more, and changes nothing that people set',
  validateMonitor: 'it reads settings that are not saved, and changes nothing',
  testMonitor: 'it checks settings that are not saved, and changes nothing',
  testAlertChannel: 'it sends a message, and changes nothing that people set',
  tryAlertChannel: 'it sends a message with settings that are not saved, and changes nothing',
  testNotificationChannel: 'it sends a message, and changes nothing that people set',
  previewStatusPage: 'it renders settings that are not saved, and changes nothing',
  planConfiguration: 'it undoes what it does',
  previewAnnouncement: 'it undoes what it does',
  previewAnnouncementUpdate: 'it undoes what it does',
  previewIncidentUpdate: 'it undoes what it does',
  importConfiguration: 'it reads a file, and changes nothing',
  importConfigurationDays: 'its example has no monitor; each one has an entry of its own',
  switchTeam: 'it is where the caller looks, and changes nothing of either team',
};

/** A call of a route that changes something, and the entry that it should leave. */
interface Trial {
  /** Alice by default; null for an anonymous call. */
  who?: TestPerson | null;
  /** Contains one of Alice's ids by default (test/support/owned.ts). */
  path?: string;
  /** The example in the reference by default. */
  body?: object;
  /** Type of the target; derived from the path by default. */
  type?: string;
  via?: string;
  /** Id of the target; by default the id in the path, or of the resource that the answer shows. */
  targetId?: number;
}

/** By the name of the route, where the reference's example and what OWNED makes are not enough. */
const TRIALS: Record<string, (api: TestApi) => Promise<Trial>> = {
  createMonitors: async (api) => ({
    type: 'monitor',
    targetId: (await api.create()).id + 1,
  }),
  async changeMonitors(api) {
    const { id } = await api.create();
    return { body: { action: 'pause', ids: [id] }, type: 'monitor', targetId: id };
  },
  resumeMonitor: async (api) => ({ path: `/monitors/${await pausedMonitor(api)}/resume` }),
  unpauseMonitor: async (api) => ({ path: `/monitors/${await pausedMonitor(api)}/unpause` }),
  rotatePingUrl: async (api) => ({
    path: `/monitors/${(await api.create(LEAST.heartbeat)).id}/rotate-ping-url`,
  }),
  async createPingAlias(api) {
    const { id } = await api.create(LEAST.heartbeat);
    return { path: `/monitors/${id}/ping-aliases`, targetId: id };
  },
  async deletePingAlias(api) {
    const { id } = await api.create(LEAST.heartbeat);
    const path = `/monitors/${id}/ping-aliases`;
    const { body } = OPERATIONS['createPingAlias']!.example!;
    const { body: made } = await api.call(api.alice, 'POST', `/api/v1${path}`, body);
    return { path: `${path}/${made.id}`, targetId: id };
  },
  applyConfiguration: async () => ({ type: 'configuration_set', targetId: 1 }),
  deleteConfigurationSet: async () => ({ type: 'configuration_set' }),
  async createIncident(api) {
    const { id } = await api.create();
    const { body } = OPERATIONS['createIncident']!.example!;
    return { body: { ...body, monitor_id: id } };
  },
  async revokeOtherSessions(api) {
    await giveSession(api.database, api.alice, { now: api.clock.now() });
    return {};
  },
  deleteTeam: async ({ alice }) => ({ path: `/teams/${alice.teamId}?name=Team%20ours` }),
  leaveTeam: async ({ ed }) => ({
    who: ed,
    path: `/teams/${ed.teamId}/leave`,
    type: 'member',
    targetId: ed.personId,
  }),
  updateUser: async () => ({ body: { role: 'admin' } }),
  updateInvitation: async () => ({ body: { role: 'admin' } }),
  createResetLink: async () => ({ type: 'person' }),
  async acceptInvitation(api) {
    const invited = { email: 'nina@example.com', role: 'editor' };
    await api.call(api.alice, 'POST', '/api/v1/users/invitations', invited);
    const [mail] = await api.mails();
    const token = /\/invitation\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1];
    const { body } = OPERATIONS['acceptInvitation']!.example!;
    return { who: null, via: 'link', body: { ...body, token }, type: 'member' };
  },
  async createMaintenanceWindow(api) {
    const { id } = await api.create();
    const { body } = OPERATIONS['createMaintenanceWindow']!.example!;
    return { body: { ...body, monitors: [id] } };
  },
  async createReport(api) {
    const { id } = await api.create();
    const { body } = OPERATIONS['createReport']!.example!;
    return { body: { ...body, monitors: [id] } };
  },
  async createStatusPage(api) {
    const { id } = await api.create();
    return { body: { name: 'Acme', monitors: [{ id }] } };
  },
  async createSubscriber(api) {
    const { body: page } = await api.call(api.alice, 'POST', '/api/v1/status-pages', { name: 'A' });
    return { path: `/status-pages/${page.id}/subscribers`, type: 'subscriber', targetId: 1 };
  },
  async deleteSubscriber(api) {
    const { body: page } = await api.call(api.alice, 'POST', '/api/v1/status-pages', { name: 'A' });
    const path = `/status-pages/${page.id}/subscribers`;
    const { body } = OPERATIONS['createSubscriber']!.example!;
    const { body: made } = await api.call(api.alice, 'POST', `/api/v1${path}`, body);
    return { path: `${path}/${made.id}`, type: 'subscriber', targetId: made.id };
  },
  async importSubscribers(api) {
    const { body: page } = await api.call(api.alice, 'POST', '/api/v1/status-pages', { name: 'A' });
    return { path: `/status-pages/${page.id}/subscribers/import`, targetId: page.id };
  },
  async deleteStatusPageLogo(api) {
    const { body: page } = await api.call(api.alice, 'POST', '/api/v1/status-pages', { name: 'A' });
    const path = `/status-pages/${page.id}/logo`;
    const { body } = OPERATIONS['setStatusPageLogo']!.example!;
    await api.call(api.alice, 'PUT', `/api/v1${path}`, body);
    return { path, targetId: page.id };
  },
  async setStatusPageImage(api) {
    const { body: page } = await api.call(api.alice, 'POST', '/api/v1/status-pages', { name: 'A' });
    return { path: `/status-pages/${page.id}/images/favicon`, targetId: page.id };
  },
  async deleteStatusPageImage(api) {
    const { body: page } = await api.call(api.alice, 'POST', '/api/v1/status-pages', { name: 'A' });
    const path = `/status-pages/${page.id}/images/favicon`;
    const { body } = OPERATIONS['setStatusPageImage']!.example!;
    await api.call(api.alice, 'PUT', `/api/v1${path}`, body);
    return { path, targetId: page.id };
  },
  async createAnnouncement(api) {
    const { page } = await shownMonitor(api);
    return { body: { title: 'Slow mails', state: 'identified', text: 'A', status_pages: [page] } };
  },
  async deleteAnnouncementUpdate(api) {
    const { announcement, update } = await announced(api);
    const path = `/announcements/${announcement}/updates/${update}`;
    return { path, type: 'announcement', targetId: announcement };
  },
  async deletePostMortem(api) {
    const { announcement } = await announced(api);
    const path = `/announcements/${announcement}/post-mortem`;
    await api.call(api.alice, 'PUT', `/api/v1${path}`, { text: 'A disk was full.' });
    return { path, type: 'announcement', targetId: announcement };
  },
  async createIncidentNote(api) {
    const { incident } = await shownMonitor(api);
    return { path: `/incidents/${incident}/notes`, type: 'incident', targetId: incident };
  },
  async createIncidentUpdate(api) {
    const { incident } = await shownMonitor(api);
    return { path: `/incidents/${incident}/updates`, type: 'announcement', targetId: 1 };
  },
  async updateIncidentUpdate(api) {
    const { incident, announcement, update } = await announced(api);
    const path = `/incidents/${incident}/updates/${update}`;
    return { path, type: 'announcement', targetId: announcement };
  },
  async deleteIncidentUpdate(api) {
    const { incident, announcement, update } = await announced(api);
    const path = `/incidents/${incident}/updates/${update}`;
    return { path, type: 'announcement', targetId: announcement };
  },
  startMaintenance: async () => ({ type: 'maintenance_window' }),
  async createMonitorCorrection(api) {
    const id = await monitorWithPast(api);
    return { path: `/monitors/${id}/corrections`, type: 'correction', targetId: 1 };
  },
  async deleteMonitorCorrection(api) {
    const path = `/monitors/${await monitorWithPast(api)}/corrections`;
    const { body } = OPERATIONS['createMonitorCorrection']!.example!;
    const { body: made } = await api.call(api.alice, 'POST', `/api/v1${path}`, body);
    return { path: `${path}/${made.id}`, type: 'correction', targetId: made.id };
  },
  setMonitorSlo: async () => ({ type: 'slo' }),
  async deleteMonitorSlo(api) {
    const path = `/monitors/${await monitorWithPast(api)}/slo`;
    await api.call(api.alice, 'PUT', `/api/v1${path}`, { target_percent: 99 });
    return { path, type: 'slo' };
  },
  async createAlertRoute(api) {
    await api.create();
    await storeAlerting(api);
    return {};
  },
  async acknowledgeAlertLink(api) {
    const { id: monitorId } = await api.create();
    const { body: reported } = OPERATIONS['createIncident']!.example!;
    const opened = { ...reported, monitor_id: monitorId };
    const { body: incident } = await api.call(api.alice, 'POST', '/api/v1/incidents', opened);
    const [now, { teamId }] = [api.clock.now(), api.alice];
    const alertId = await storeAlert(api.database, { teamId, incidents: [incident.id], now });
    const destinationId = await storeChannel(api.database, { teamId }, { now });
    const sent = { alertId, destinationId, incidents: [incident.id] };
    await storeNotified(api.database, sent, now);
    const links = createAlertLinks({ keys: ['a key for tests'], baseUrl: () => BASE_URL });
    const url = new URL(links.detailsUrl(alertId, destinationId, now));
    const token = url.searchParams.get('token');
    return { who: null, via: 'link', body: { token }, type: 'incident', targetId: incident.id };
  },
  // Their path has a word for an id, and the answer too.
  createNotificationChannel: async () => ({ targetId: 1 }),
  updateNotificationChannel: async () => ({ targetId: 1 }),
  deleteNotificationChannel: async () => ({ targetId: 1 }),
  async redeliverWebhook(api) {
    const { body: made } = OPERATIONS['createWebhookEndpoint']!.example!;
    const { body } = await api.call(api.alice, 'POST', '/api/v1/webhook-endpoints', made);
    const sent = { endpointId: body.id, at: api.clock.now(), status: 'delivered' as const };
    const delivery = await storeDelivery(api.database, sent);
    return { path: `/webhook-endpoints/${body.id}/deliveries/${delivery}/redeliver` };
  },
  async completeSetup({ database, clock, alice }) {
    const token = await database.transaction(async (tx) => {
      await claimSetting(tx, OWNER_SETTING, String(alice.personId));
      return (await issueSetupToken(tx, clock.now())).token;
    });
    const { body } = OPERATIONS['completeSetup']!.example!;
    return {
      who: null,
      via: 'link',
      body: { ...body, token },
      type: 'person',
      targetId: alice.personId,
    };
  },
};

/** They are of use only where no mail can be sent. */
const WITHOUT_MAIL = new Set(['createResetLink']);

async function pausedMonitor(api: TestApi): Promise<number> {
  const { id } = await api.create();
  await api.call(api.alice, 'POST', `/api/v1/monitors/${id}/pause`);
  return id;
}

/** An open incident of a monitor that a status page shows. */
async function shownMonitor(api: TestApi): Promise<{ page: number; incident: number }> {
  const { id } = await api.create();
  const body = { name: 'Shown', monitors: [{ id }] };
  const { body: page } = await api.call(api.alice, 'POST', '/api/v1/status-pages', body);
  const started_at = new Date(api.clock.now()).toISOString();
  const opened = { monitor_id: id, started_at, status: 'open' };
  const { body: incident } = await api.call(api.alice, 'POST', '/api/v1/incidents', opened);
  return { page: page.id, incident: incident.id };
}

/** An incident with an announcement of two updates, and the newer of them. */
async function announced(api: TestApi) {
  const { incident } = await shownMonitor(api);
  const path = `/api/v1/incidents/${incident}/updates`;
  await api.call(api.alice, 'POST', path, { state: 'investigating', text: 'A' });
  const { body } = await api.call(api.alice, 'POST', path, { state: 'identified', text: 'B' });
  return { incident, announcement: body['announcement_id'] as number, update: body.id };
}

/** Created a day ago. */
async function monitorWithPast(api: TestApi): Promise<number> {
  const { id } = await api.create();
  await updateRows(api.database, 'monitor', { created_at: api.clock.now() - 86_400_000 }, { id });
  return id;
}

/** `/users/invitations/:id/resend` is about an invitation, `/users/:id` about a member. */
function typeOf({ path }: RouteFacts): string {
  const [before = ''] = path.slice(1).split('/:');
  const noun = before.split('/').at(-1) ?? '';
  const others = { users: 'member', account: 'person', 'connected-applications': 'application' };
  return others[noun as 'users'] ?? noun.replace(/s$/, '').replaceAll('-', '_');
}

const opened: OpenDatabase[] = [];
afterAll(async () => {
  for (const database of opened) await database.close();
});

async function openWorld({ name }: RouteFacts): Promise<TestApi> {
  const database = await openInMemory();
  opened.push(database);
  return openApi(database, WITHOUT_MAIL.has(name) ? { mailQueue: NO_MAIL } : {});
}

const writing = ROUTES.filter(({ method }) => method !== 'GET');

test('all exceptions are existing routes', () => {
  const names = writing.map(({ name }) => name);
  const known = [...Object.keys(LEAVES_NONE), ...Object.keys(TRIALS)];
  expect(known.filter((name) => !names.includes(name))).toEqual([]);
});

describe.each(writing.filter(({ name }) => LEAVES_NONE[name] === undefined))(
  '$name ($method $path)',
  (route) => {
    test('records who did what, how and to what [35.1]', async () => {
      const api = await openWorld(route);
      const trial = (await TRIALS[route.name]?.(api)) ?? {};
      const { who = api.alice, type = typeOf(route), via = 'token' } = trial;
      const path = trial.path === undefined ? await pathOf(api, route) : `/api/v1${trial.path}`;
      const { body = OPERATIONS[route.name]?.example?.body } = trial;
      const last = await newestEntry(api);
      const answer = await api.call(who, route.method, path, body);
      expect([answer.status, answer.text]).toEqual([route.status ?? 200, answer.text]);

      const added = await api.database.read
        .selectFrom('audit_entry')
        .selectAll()
        .where('id', '>', last)
        .execute();
      const targetId = trial.targetId ?? idIn(path, answer.body);
      const wanted = {
        via,
        target_type: type,
        ...(who !== null && { person_id: who.personId }),
        ...(via === 'token' && { credential_name: 'test' }),
        ...(targetId !== null && { target_id: targetId }),
      };
      expect(added).toContainEqual(expect.objectContaining(wanted));
      for (const { action } of added) expect(actionsOf(AUDITED)).toContain(action);
    });
  },
);

/** Id in the path, or of the resource that the answer shows. */
function idIn(path: string, body: { id?: unknown } | undefined): number | null {
  const id = /\/(\d+)(\/|\?|$)/.exec(path)?.[1] ?? body?.id;
  return id === undefined ? null : Number(id);
}

async function newestEntry(api: TestApi): Promise<number> {
  const { newest } = await api.database.read
    .selectFrom('audit_entry')
    .select((select) => select.fn.max('id').as('newest'))
    .executeTakeFirstOrThrow();
  return newest ?? 0;
}
