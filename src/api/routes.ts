import type { Caller, Permission, Principal, Role } from '../identity/caller.ts';
import type { AccountBudget } from '../identity/rate-limits.ts';
import type { ListAddress } from '../resources/common/page.ts';
import type { Services } from '../resources/services.ts';

/** Call that has passed authentication and authorization. */
export interface Call {
  /** Caller with their team. Reading it refuses callers without a team, also on routes that need none. */
  readonly caller: Caller;
  /** Caller, with or without a team. */
  readonly principal: Principal;
  /** Caller, or null for an anonymous call of an open route. */
  readonly visitor: Principal | null;
  /** Client address for the audit log. */
  clientAddress: string;
  /** Id in the path; 0, which matches nothing, when it is not a whole number. */
  id: number;
  /** Another id in the path, such as `:delivery`; 0 when it is not a whole number. */
  idOf(name: string): number;
  /** Text in the path, such as `:channel`. */
  parameter(name: string): string;
  query: object;
  /** Undefined without a body. */
  body: unknown;
  address: ListAddress;
}

export interface Route {
  /** Name of the operation in the reference (resources/operations.ts). */
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below `/api/v1` and `/api`. */
  path: string;
  /** `token` is any valid token or session, for reading what is one's own; `nobody` is open to all. */
  needs: Permission | 'token' | 'nobody';
  /**
   * Minimum role. By default viewers read and editors change (identity/caller.ts); null when the role does not matter,
   * as for what is one's own. Ignored for `token` and `nobody`.
   */
  role?: Role | null;
  /** Rate limit budget; `standard` by default. */
  budget?: AccountBudget;
  /** 200 by default; 204 has no body. */
  status?: 201 | 202 | 204;
  /** Handles a call: an object is sent as JSON, a Download as a file. */
  answer(call: Call): object | Promise<object | void>;
}

/** All routes of the API with the access they need; docs/access.md is generated from this table. */
export function apiRoutes({
  account,
  monitors,
  createMonitors,
  changeMonitors,
  checkMonitor,
  checkUrl,
  listRegions,
  incidents,
  history,
  corrections,
  slo,
  pings,
  targetHistory,
  previewCron,
  groups,
  maintenance,
  announcements,
  announcementUpdates,
  postMortems,
  updateTemplates,
  statusPages,
  subscribers,
  importSubscribers,
  reports,
  reportData,
  reportRuns,
  plan,
  invitationAcceptance,
  invitations,
  teams,
  users,
  auditLog,
  tokens,
  sessions,
  setup,
  resetLinks,
  alertChannels,
  notificationChannels,
  alertRoutes,
  webhookEndpoints,
  webhookDeliveries,
  alertLinks,
}: Services): Route[] {
  // oxfmt-ignore
  return [
    { name: 'whoAmI', method: 'GET', path: '', needs: 'token', answer: ({ principal }) => account.whoAmI(principal) },
    { name: 'testToken', method: 'GET', path: '/test', needs: 'token', answer: ({ principal }) => account.test(principal) },
    { name: 'updateAccount', method: 'PUT', path: '/account', needs: 'update', role: null, answer: ({ principal, body }) => account.update(principal, body) },

    { name: 'listTokens', method: 'GET', path: '/tokens', needs: 'token', answer: ({ principal }) => tokens.list(principal) },
    { name: 'createToken', method: 'POST', path: '/tokens', needs: 'create', role: null, status: 201, answer: ({ caller, body }) => tokens.create(caller, body) },
    { name: 'revokeToken', method: 'DELETE', path: '/tokens/:id', needs: 'token', status: 204, answer: ({ principal, id }) => tokens.revoke(principal, id) },
    { name: 'listSessions', method: 'GET', path: '/sessions', needs: 'token', answer: ({ principal }) => sessions.list(principal) },
    { name: 'revokeSession', method: 'DELETE', path: '/sessions/:id', needs: 'delete', role: null, status: 204, answer: ({ principal, id }) => sessions.revoke(principal, id) },
    { name: 'revokeOtherSessions', method: 'DELETE', path: '/sessions', needs: 'delete', role: null, status: 204, answer: ({ principal }) => sessions.revokeOthers(principal) },
    { name: 'getSetupState', method: 'GET', path: '/setup/state', needs: 'nobody', answer: ({ query }) => setup.state(query) },
    { name: 'completeSetup', method: 'POST', path: '/setup', needs: 'nobody', status: 201, answer: ({ body, clientAddress }) => setup.complete(body, clientAddress) },

    { name: 'listMonitors', method: 'GET', path: '/monitors', needs: 'read', answer: ({ caller, query, address }) => monitors.list(caller, query, address) },
    { name: 'createMonitor', method: 'POST', path: '/monitors', needs: 'create', status: 201, answer: ({ caller, body }) => monitors.create(caller, body) },
    { name: 'createMonitors', method: 'POST', path: '/monitors/bulk', needs: 'create', answer: ({ caller, body }) => createMonitors(caller, body) },
    { name: 'changeMonitors', method: 'POST', path: '/monitors/actions', needs: 'update', answer: ({ caller, body }) => changeMonitors(caller, body) },
    { name: 'getMonitor', method: 'GET', path: '/monitors/:id', needs: 'read', answer: ({ caller, id }) => monitors.get(caller, id) },
    { name: 'updateMonitor', method: 'PUT', path: '/monitors/:id', needs: 'update', answer: ({ caller, id, body }) => monitors.update(caller, id, body) },
    { name: 'deleteMonitor', method: 'DELETE', path: '/monitors/:id', needs: 'delete', status: 204, answer: ({ caller, id }) => monitors.delete(caller, id) },
    { name: 'checkMonitor', method: 'POST', path: '/monitors/:id/check', needs: 'update', budget: 'monitor_check', answer: ({ caller, id }) => checkMonitor(caller, id) },
    { name: 'pauseMonitor', method: 'POST', path: '/monitors/:id/pause', needs: 'update', answer: ({ caller, id }) => monitors.pause(caller, id) },
    { name: 'resumeMonitor', method: 'POST', path: '/monitors/:id/resume', needs: 'update', answer: ({ caller, id }) => monitors.resume(caller, id) },
    { name: 'unpauseMonitor', method: 'POST', path: '/monitors/:id/unpause', needs: 'update', answer: ({ caller, id }) => monitors.resume(caller, id) },
    { name: 'listMonitorIncidents', method: 'GET', path: '/monitors/:id/incidents', needs: 'read', answer: ({ caller, id, query, address }) => incidents.list(caller, query, address, id) },
    { name: 'listMonitorResults', method: 'GET', path: '/monitors/:id/results', needs: 'read', answer: ({ caller, id, query, address }) => history.listResults(caller, id, query, address) },
    { name: 'listMonitorPings', method: 'GET', path: '/monitors/:id/pings', needs: 'read', answer: ({ caller, id, query, address }) => pings.list(caller, id, query, address) },
    { name: 'listMonitorDns', method: 'GET', path: '/monitors/:id/dns', needs: 'read', answer: ({ caller, id, query, address }) => targetHistory.listDns(caller, id, query, address) },
    { name: 'listMonitorCertificates', method: 'GET', path: '/monitors/:id/certificates', needs: 'read', answer: ({ caller, id, query, address }) => targetHistory.listCertificates(caller, id, query, address) },
    { name: 'listMonitorActivities', method: 'GET', path: '/monitors/:id/activities', needs: 'read', answer: ({ caller, id, query, address }) => targetHistory.listActivities(caller, id, query, address) },
    { name: 'getMonitorUptime', method: 'GET', path: '/monitors/:id/uptime', needs: 'read', answer: ({ caller, id, query }) => history.uptime(caller, id, query) },
    { name: 'listMonitorCorrections', method: 'GET', path: '/monitors/:id/corrections', needs: 'read', answer: ({ caller, id, query, address }) => corrections.list(caller, id, query, address) },
    { name: 'createMonitorCorrection', method: 'POST', path: '/monitors/:id/corrections', needs: 'create', status: 201, answer: ({ caller, id, body }) => corrections.create(caller, id, body) },
    { name: 'getMonitorCorrection', method: 'GET', path: '/monitors/:id/corrections/:correction', needs: 'read', answer: ({ caller, id, idOf }) => corrections.get(caller, id, idOf('correction')) },
    { name: 'deleteMonitorCorrection', method: 'DELETE', path: '/monitors/:id/corrections/:correction', needs: 'delete', status: 204, answer: ({ caller, id, idOf }) => corrections.delete(caller, id, idOf('correction')) },
    { name: 'getMonitorSlo', method: 'GET', path: '/monitors/:id/slo', needs: 'read', answer: ({ caller, id }) => slo.get(caller, id) },
    { name: 'setMonitorSlo', method: 'PUT', path: '/monitors/:id/slo', needs: 'update', answer: ({ caller, id, body }) => slo.set(caller, id, body) },
    { name: 'deleteMonitorSlo', method: 'DELETE', path: '/monitors/:id/slo', needs: 'delete', status: 204, answer: ({ caller, id }) => slo.delete(caller, id) },

    { name: 'checkUrl', method: 'GET', path: '/check-url', needs: 'read', budget: 'check_url', answer: ({ caller, query }) => checkUrl(caller, query) },
    { name: 'listRegions', method: 'GET', path: '/regions', needs: 'read', answer: ({ caller }) => listRegions(caller) },
    { name: 'previewCron', method: 'GET', path: '/cron-preview', needs: 'read', answer: ({ caller, query }) => previewCron(caller, query) },

    { name: 'listIncidents', method: 'GET', path: '/incidents', needs: 'read', answer: ({ caller, query, address }) => incidents.list(caller, query, address) },
    { name: 'getIncident', method: 'GET', path: '/incidents/:id', needs: 'read', answer: ({ caller, id }) => incidents.get(caller, id) },
    { name: 'createIncident', method: 'POST', path: '/incidents', needs: 'create', status: 201, answer: ({ caller, body }) => incidents.create(caller, body) },
    { name: 'updateIncident', method: 'PUT', path: '/incidents/:id', needs: 'update', answer: ({ caller, id, body }) => incidents.update(caller, id, body) },
    { name: 'deleteIncident', method: 'DELETE', path: '/incidents/:id', needs: 'delete', status: 204, answer: ({ caller, id }) => incidents.delete(caller, id) },
    { name: 'resolveIncident', method: 'POST', path: '/incidents/:id/resolve', needs: 'update', answer: ({ caller, id }) => incidents.resolve(caller, id) },
    { name: 'acknowledgeIncident', method: 'POST', path: '/incidents/:id/acknowledge', needs: 'update', answer: ({ caller, id }) => incidents.acknowledge(caller, id) },
    { name: 'listIncidentUpdates', method: 'GET', path: '/incidents/:id/updates', needs: 'read', answer: ({ caller, id }) => announcementUpdates.list(caller, { incidentId: id }) },
    { name: 'createIncidentUpdate', method: 'POST', path: '/incidents/:id/updates', needs: 'create', status: 201, answer: ({ caller, id, body }) => announcementUpdates.create(caller, { incidentId: id }, body) },
    { name: 'getIncidentUpdate', method: 'GET', path: '/incidents/:id/updates/:update', needs: 'read', answer: ({ caller, id, idOf }) => announcementUpdates.get(caller, { incidentId: id }, idOf('update')) },
    { name: 'updateIncidentUpdate', method: 'PUT', path: '/incidents/:id/updates/:update', needs: 'update', answer: ({ caller, id, idOf, body }) => announcementUpdates.update(caller, { incidentId: id }, idOf('update'), body) },
    { name: 'deleteIncidentUpdate', method: 'DELETE', path: '/incidents/:id/updates/:update', needs: 'delete', status: 204, answer: ({ caller, id, idOf }) => announcementUpdates.delete(caller, { incidentId: id }, idOf('update')) },
    { name: 'listIncidentUpdateVersions', method: 'GET', path: '/incidents/:id/updates/:update/versions', needs: 'read', answer: ({ caller, id, idOf }) => announcementUpdates.listVersions(caller, { incidentId: id }, idOf('update')) },

    { name: 'listAnnouncements', method: 'GET', path: '/announcements', needs: 'read', answer: ({ caller, query, address }) => announcements.list(caller, query, address) },
    { name: 'createAnnouncement', method: 'POST', path: '/announcements', needs: 'create', status: 201, answer: ({ caller, body }) => announcements.create(caller, body) },
    { name: 'getAnnouncement', method: 'GET', path: '/announcements/:id', needs: 'read', answer: ({ caller, id }) => announcements.get(caller, id) },
    { name: 'updateAnnouncement', method: 'PUT', path: '/announcements/:id', needs: 'update', answer: ({ caller, id, body }) => announcements.update(caller, id, body) },
    { name: 'deleteAnnouncement', method: 'DELETE', path: '/announcements/:id', needs: 'delete', status: 204, answer: ({ caller, id }) => announcements.delete(caller, id) },
    { name: 'setPostMortem', method: 'PUT', path: '/announcements/:id/post-mortem', needs: 'update', answer: ({ caller, id, body }) => postMortems.set(caller, id, body) },
    { name: 'deletePostMortem', method: 'DELETE', path: '/announcements/:id/post-mortem', needs: 'delete', status: 204, answer: ({ caller, id }) => postMortems.delete(caller, id) },
    { name: 'listAnnouncementUpdates', method: 'GET', path: '/announcements/:id/updates', needs: 'read', answer: ({ caller, id }) => announcementUpdates.list(caller, { announcementId: id }) },
    { name: 'createAnnouncementUpdate', method: 'POST', path: '/announcements/:id/updates', needs: 'create', status: 201, answer: ({ caller, id, body }) => announcementUpdates.create(caller, { announcementId: id }, body) },
    { name: 'getAnnouncementUpdate', method: 'GET', path: '/announcements/:id/updates/:update', needs: 'read', answer: ({ caller, id, idOf }) => announcementUpdates.get(caller, { announcementId: id }, idOf('update')) },
    { name: 'updateAnnouncementUpdate', method: 'PUT', path: '/announcements/:id/updates/:update', needs: 'update', answer: ({ caller, id, idOf, body }) => announcementUpdates.update(caller, { announcementId: id }, idOf('update'), body) },
    { name: 'deleteAnnouncementUpdate', method: 'DELETE', path: '/announcements/:id/updates/:update', needs: 'delete', status: 204, answer: ({ caller, id, idOf }) => announcementUpdates.delete(caller, { announcementId: id }, idOf('update')) },
    { name: 'listAnnouncementUpdateVersions', method: 'GET', path: '/announcements/:id/updates/:update/versions', needs: 'read', answer: ({ caller, id, idOf }) => announcementUpdates.listVersions(caller, { announcementId: id }, idOf('update')) },
    { name: 'listUpdateTemplates', method: 'GET', path: '/update-templates', needs: 'read', answer: ({ caller }) => updateTemplates.list(caller) },
    { name: 'createUpdateTemplate', method: 'POST', path: '/update-templates', needs: 'create', status: 201, answer: ({ caller, body }) => updateTemplates.create(caller, body) },
    { name: 'getUpdateTemplate', method: 'GET', path: '/update-templates/:id', needs: 'read', answer: ({ caller, id }) => updateTemplates.get(caller, id) },
    { name: 'updateUpdateTemplate', method: 'PUT', path: '/update-templates/:id', needs: 'update', answer: ({ caller, id, body }) => updateTemplates.update(caller, id, body) },
    { name: 'deleteUpdateTemplate', method: 'DELETE', path: '/update-templates/:id', needs: 'delete', status: 204, answer: ({ caller, id }) => updateTemplates.delete(caller, id) },

    { name: 'listGroups', method: 'GET', path: '/groups', needs: 'read', answer: ({ caller }) => groups.list(caller) },
    { name: 'createGroup', method: 'POST', path: '/groups', needs: 'create', status: 201, answer: ({ caller, body }) => groups.create(caller, body) },
    { name: 'getGroup', method: 'GET', path: '/groups/:id', needs: 'read', answer: ({ caller, id }) => groups.get(caller, id) },
    { name: 'updateGroup', method: 'PUT', path: '/groups/:id', needs: 'update', answer: ({ caller, id, body }) => groups.update(caller, id, body) },
    { name: 'deleteGroup', method: 'DELETE', path: '/groups/:id', needs: 'delete', status: 204, answer: ({ caller, id }) => groups.delete(caller, id) },

    { name: 'listAlertChannels', method: 'GET', path: '/alert-channels', needs: 'read', role: 'admin', answer: ({ caller, query, address }) => alertChannels.list(caller, query, address) },
    { name: 'createAlertChannel', method: 'POST', path: '/alert-channels', needs: 'create', role: 'admin', status: 201, answer: ({ caller, body }) => alertChannels.create(caller, body) },
    { name: 'getAlertChannel', method: 'GET', path: '/alert-channels/:id', needs: 'read', role: 'admin', answer: ({ caller, id }) => alertChannels.get(caller, id) },
    { name: 'updateAlertChannel', method: 'PUT', path: '/alert-channels/:id', needs: 'update', role: 'admin', answer: ({ caller, id, body }) => alertChannels.update(caller, id, body) },
    { name: 'deleteAlertChannel', method: 'DELETE', path: '/alert-channels/:id', needs: 'delete', role: 'admin', status: 204, answer: ({ caller, id }) => alertChannels.delete(caller, id) },
    { name: 'testAlertChannel', method: 'POST', path: '/alert-channels/:id/test', needs: 'update', role: 'admin', answer: ({ caller, id }) => alertChannels.test(caller, id) },
    { name: 'listAlertChannelDeliveries', method: 'GET', path: '/alert-channels/:id/deliveries', needs: 'read', role: 'admin', answer: ({ caller, id, query, address }) => alertChannels.listDeliveries(caller, id, query, address) },
    { name: 'listNotificationChannels', method: 'GET', path: '/notification-channels', needs: 'token', answer: ({ principal }) => notificationChannels.list(principal) },
    { name: 'createNotificationChannel', method: 'POST', path: '/notification-channels', needs: 'create', role: null, status: 201, answer: ({ principal, body }) => notificationChannels.create(principal, body) },
    { name: 'getNotificationChannel', method: 'GET', path: '/notification-channels/:channel', needs: 'token', answer: ({ principal, parameter }) => notificationChannels.get(principal, parameter('channel')) },
    { name: 'updateNotificationChannel', method: 'PUT', path: '/notification-channels/:channel', needs: 'update', role: null, answer: ({ principal, parameter, body }) => notificationChannels.update(principal, parameter('channel'), body) },
    { name: 'deleteNotificationChannel', method: 'DELETE', path: '/notification-channels/:channel', needs: 'delete', role: null, status: 204, answer: ({ principal, parameter }) => notificationChannels.delete(principal, parameter('channel')) },
    { name: 'testNotificationChannel', method: 'POST', path: '/notification-channels/:channel/test', needs: 'update', role: null, answer: ({ principal, parameter }) => notificationChannels.test(principal, parameter('channel')) },
    { name: 'listAlertRoutes', method: 'GET', path: '/alert-routes', needs: 'read', role: 'admin', answer: ({ caller }) => alertRoutes.list(caller) },
    { name: 'createAlertRoute', method: 'POST', path: '/alert-routes', needs: 'create', role: 'admin', status: 201, answer: ({ caller, body }) => alertRoutes.create(caller, body) },
    { name: 'getAlertRoute', method: 'GET', path: '/alert-routes/:id', needs: 'read', role: 'admin', answer: ({ caller, id }) => alertRoutes.get(caller, id) },
    { name: 'updateAlertRoute', method: 'PUT', path: '/alert-routes/:id', needs: 'update', role: 'admin', answer: ({ caller, id, body }) => alertRoutes.update(caller, id, body) },
    { name: 'deleteAlertRoute', method: 'DELETE', path: '/alert-routes/:id', needs: 'delete', role: 'admin', status: 204, answer: ({ caller, id }) => alertRoutes.delete(caller, id) },

    { name: 'listWebhookEndpoints', method: 'GET', path: '/webhook-endpoints', needs: 'read', answer: ({ caller }) => webhookEndpoints.list(caller) },
    { name: 'createWebhookEndpoint', method: 'POST', path: '/webhook-endpoints', needs: 'create', role: 'admin', status: 201, answer: ({ caller, body }) => webhookEndpoints.create(caller, body) },
    { name: 'getWebhookEndpoint', method: 'GET', path: '/webhook-endpoints/:id', needs: 'read', answer: ({ caller, id }) => webhookEndpoints.get(caller, id) },
    { name: 'updateWebhookEndpoint', method: 'PUT', path: '/webhook-endpoints/:id', needs: 'update', role: 'admin', answer: ({ caller, id, body }) => webhookEndpoints.update(caller, id, body) },
    { name: 'deleteWebhookEndpoint', method: 'DELETE', path: '/webhook-endpoints/:id', needs: 'delete', role: 'admin', status: 204, answer: ({ caller, id }) => webhookEndpoints.delete(caller, id) },
    { name: 'testWebhookEndpoint', method: 'POST', path: '/webhook-endpoints/:id/test', needs: 'update', role: 'admin', budget: 'webhook_test', status: 202, answer: ({ caller, id }) => webhookEndpoints.test(caller, id) },
    { name: 'rotateWebhookSecret', method: 'POST', path: '/webhook-endpoints/:id/rotate-secret', needs: 'update', role: 'admin', answer: ({ caller, id, body }) => webhookEndpoints.rotateSecret(caller, id, body) },
    { name: 'listWebhookDeliveries', method: 'GET', path: '/webhook-endpoints/:id/deliveries', needs: 'read', answer: ({ caller, id, query, address }) => webhookDeliveries.list(caller, id, query, address) },
    { name: 'getWebhookDelivery', method: 'GET', path: '/webhook-endpoints/:id/deliveries/:delivery', needs: 'read', answer: ({ caller, id, idOf }) => webhookDeliveries.get(caller, id, idOf('delivery')) },
    { name: 'redeliverWebhook', method: 'POST', path: '/webhook-endpoints/:id/deliveries/:delivery/redeliver', needs: 'update', role: 'admin', status: 202, answer: ({ caller, id, idOf }) => webhookDeliveries.redeliver(caller, id, idOf('delivery')) },

    { name: 'listMaintenanceWindows', method: 'GET', path: '/maintenance-windows', needs: 'read', answer: ({ caller, query, address }) => maintenance.list(caller, query, address) },
    { name: 'createMaintenanceWindow', method: 'POST', path: '/maintenance-windows', needs: 'create', status: 201, answer: ({ caller, body }) => maintenance.create(caller, body) },
    { name: 'startMaintenance', method: 'POST', path: '/maintenance-windows/start', needs: 'create', status: 201, answer: ({ caller, body }) => maintenance.start(caller, body) },
    { name: 'getMaintenanceWindow', method: 'GET', path: '/maintenance-windows/:id', needs: 'read', answer: ({ caller, id }) => maintenance.get(caller, id) },
    { name: 'updateMaintenanceWindow', method: 'PUT', path: '/maintenance-windows/:id', needs: 'update', answer: ({ caller, id, body }) => maintenance.update(caller, id, body) },
    { name: 'endMaintenance', method: 'POST', path: '/maintenance-windows/:id/end', needs: 'update', answer: ({ caller, id }) => maintenance.end(caller, id) },
    { name: 'deleteMaintenanceWindow', method: 'DELETE', path: '/maintenance-windows/:id', needs: 'delete', status: 204, answer: ({ caller, id }) => maintenance.delete(caller, id) },

    { name: 'listReports', method: 'GET', path: '/reports', needs: 'read', answer: ({ caller, query, address }) => reports.list(caller, query, address) },
    { name: 'createReport', method: 'POST', path: '/reports', needs: 'create', status: 201, answer: ({ caller, body }) => reports.create(caller, body) },
    { name: 'getUptimeReport', method: 'GET', path: '/reports/uptime', needs: 'read', answer: ({ caller, query }) => reportData.adHoc(caller, query) },
    { name: 'getReport', method: 'GET', path: '/reports/:id', needs: 'read', answer: ({ caller, id }) => reports.get(caller, id) },
    { name: 'updateReport', method: 'PUT', path: '/reports/:id', needs: 'update', answer: ({ caller, id, body }) => reports.update(caller, id, body) },
    { name: 'deleteReport', method: 'DELETE', path: '/reports/:id', needs: 'delete', status: 204, answer: ({ caller, id }) => reports.delete(caller, id) },
    { name: 'getReportData', method: 'GET', path: '/reports/:id/data', needs: 'read', answer: ({ caller, id, query }) => reportData.data(caller, id, query) },
    { name: 'startReportRun', method: 'POST', path: '/reports/:id/runs', needs: 'create', status: 202, answer: ({ caller, id, body }) => reportRuns.start(caller, id, body) },
    { name: 'getReportRun', method: 'GET', path: '/report-runs/:id', needs: 'read', answer: ({ caller, id }) => reportRuns.get(caller, id) },
    { name: 'getReportRunFile', method: 'GET', path: '/report-runs/:id/file', needs: 'read', answer: ({ caller, id }) => reportRuns.file(caller, id) },

    { name: 'listStatusPages', method: 'GET', path: '/status-pages', needs: 'read', answer: ({ caller, query, address }) => statusPages.list(caller, query, address) },
    { name: 'createStatusPage', method: 'POST', path: '/status-pages', needs: 'create', status: 201, answer: ({ caller, body }) => statusPages.create(caller, body) },
    { name: 'getStatusPage', method: 'GET', path: '/status-pages/:id', needs: 'read', answer: ({ caller, id }) => statusPages.get(caller, id) },
    { name: 'updateStatusPage', method: 'PUT', path: '/status-pages/:id', needs: 'update', answer: ({ caller, id, body }) => statusPages.update(caller, id, body) },
    { name: 'deleteStatusPage', method: 'DELETE', path: '/status-pages/:id', needs: 'delete', status: 204, answer: ({ caller, id }) => statusPages.delete(caller, id) },
    { name: 'setStatusPageLogo', method: 'PUT', path: '/status-pages/:id/logo', needs: 'update', answer: ({ caller, id, body }) => statusPages.setLogo(caller, id, body) },
    { name: 'deleteStatusPageLogo', method: 'DELETE', path: '/status-pages/:id/logo', needs: 'delete', status: 204, answer: ({ caller, id }) => statusPages.deleteLogo(caller, id) },
    { name: 'listSubscribers', method: 'GET', path: '/status-pages/:id/subscribers', needs: 'read', role: 'editor', answer: ({ caller, id, query, address }) => subscribers.list(caller, id, query, address) },
    { name: 'createSubscriber', method: 'POST', path: '/status-pages/:id/subscribers', needs: 'create', status: 201, answer: ({ caller, id, body }) => subscribers.create(caller, id, body) },
    { name: 'exportSubscribers', method: 'GET', path: '/status-pages/:id/subscribers/export', needs: 'read', role: 'admin', answer: ({ caller, id, query }) => subscribers.export(caller, id, query) },
    { name: 'importSubscribers', method: 'POST', path: '/status-pages/:id/subscribers/import', needs: 'create', answer: ({ caller, id, body }) => importSubscribers(caller, id, body) },
    { name: 'getSubscriber', method: 'GET', path: '/status-pages/:id/subscribers/:subscriber', needs: 'read', role: 'editor', answer: ({ caller, id, idOf }) => subscribers.get(caller, id, idOf('subscriber')) },
    { name: 'deleteSubscriber', method: 'DELETE', path: '/status-pages/:id/subscribers/:subscriber', needs: 'delete', status: 204, answer: ({ caller, id, idOf }) => subscribers.delete(caller, id, idOf('subscriber')) },
    { name: 'verifyStatusPageDomain', method: 'POST', path: '/status-pages/:id/verify-domain', needs: 'update', answer: ({ caller, id }) => statusPages.verifyDomain(caller, id) },

    { name: 'getPlan', method: 'GET', path: '/plan', needs: 'read', answer: ({ caller }) => plan.get(caller) },
    { name: 'listTeams', method: 'GET', path: '/teams', needs: 'token', answer: ({ principal }) => teams.list(principal) },
    { name: 'createTeam', method: 'POST', path: '/teams', needs: 'create', role: null, status: 201, answer: ({ principal, body }) => teams.create(principal, body) },
    { name: 'getTeam', method: 'GET', path: '/teams/:id', needs: 'read', answer: ({ caller, id }) => teams.get(caller, id) },
    { name: 'updateTeam', method: 'PUT', path: '/teams/:id', needs: 'update', role: 'admin', answer: ({ caller, id, body }) => teams.update(caller, id, body) },
    { name: 'deleteTeam', method: 'DELETE', path: '/teams/:id', needs: 'delete', role: 'owner', status: 204, answer: ({ caller, id, query }) => teams.delete(caller, id, query) },
    { name: 'transferTeam', method: 'POST', path: '/teams/:id/transfer', needs: 'update', role: 'owner', answer: ({ caller, id, body }) => teams.transfer(caller, id, body) },
    { name: 'leaveTeam', method: 'POST', path: '/teams/:id/leave', needs: 'update', role: null, answer: ({ principal, id }) => teams.leave(principal, id) },
    { name: 'switchTeam', method: 'POST', path: '/teams/:id/switch', needs: 'update', role: null, answer: ({ principal, id }) => teams.switch(principal, id) },
    { name: 'listUsers', method: 'GET', path: '/users', needs: 'read', answer: ({ caller }) => users.list(caller) },
    { name: 'updateUser', method: 'PUT', path: '/users/:id', needs: 'update', role: 'admin', answer: ({ caller, id, body }) => users.update(caller, id, body) },
    { name: 'deleteUser', method: 'DELETE', path: '/users/:id', needs: 'delete', role: 'admin', status: 204, answer: ({ caller, id }) => users.delete(caller, id) },

    { name: 'listInvitations', method: 'GET', path: '/users/invitations', needs: 'read', answer: ({ caller }) => invitations.list(caller) },
    { name: 'createInvitation', method: 'POST', path: '/users/invitations', needs: 'create', role: 'admin', status: 201, answer: ({ caller, body }) => invitations.create(caller, body) },
    { name: 'updateInvitation', method: 'PUT', path: '/users/invitations/:id', needs: 'update', role: 'admin', answer: ({ caller, id, body }) => invitations.update(caller, id, body) },
    { name: 'deleteInvitation', method: 'DELETE', path: '/users/invitations/:id', needs: 'delete', role: 'admin', status: 204, answer: ({ caller, id }) => invitations.delete(caller, id) },
    { name: 'resendInvitation', method: 'POST', path: '/users/invitations/:id/resend', needs: 'update', role: 'admin', answer: ({ caller, id }) => invitations.resend(caller, id) },
    { name: 'previewInvitation', method: 'GET', path: '/invitations/preview', needs: 'nobody', answer: ({ query }) => invitationAcceptance.preview(query) },
    { name: 'acceptInvitation', method: 'POST', path: '/invitations/accept', needs: 'nobody', status: 201, answer: ({ visitor, body, clientAddress }) => invitationAcceptance.accept(visitor, body, clientAddress) },
    { name: 'getAlertLink', method: 'GET', path: '/alert-links', needs: 'nobody', answer: ({ query }) => alertLinks.view(query) },
    { name: 'acknowledgeAlertLink', method: 'POST', path: '/alert-links/acknowledge', needs: 'nobody', answer: ({ clientAddress, body }) => alertLinks.acknowledge(clientAddress, body) },
    { name: 'listAuditLog', method: 'GET', path: '/audit-log', needs: 'read', role: 'admin', answer: ({ caller, query, address }) => auditLog.list(caller, query, address) },
    { name: 'createResetLink', method: 'POST', path: '/users/:id/reset-link', needs: 'update', role: 'admin', answer: ({ caller, id }) => resetLinks.create(caller, id) },
  ];
}
