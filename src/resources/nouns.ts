import { AUDIT_VERBS } from '../model/audit.ts';
import { routeFacts, type Noun, type Operation } from './common/operation.ts';
import type { AnyCollection } from './common/collection.ts';
import { account } from './account/account.ts';
import { resetLinks } from './reset-links.ts';
import { getInstallation } from './installation.ts';
import { tokens } from './tokens.ts';
import { sessions } from './sessions.ts';
import { connectedApplications } from './connected-applications.ts';
import { getSignInOptions } from './sign-in.ts';
import { setup } from './setup.ts';
import { changeMonitors, createMonitors } from './monitors/bulk-reference.ts';
import { monitors } from './monitors/reference.ts';
import { checkMonitor } from './checks/monitor-check.ts';
import { testMonitor, validateMonitor } from './checks/monitor-test.ts';
import { getAttention } from './overview/attention.ts';
import { listExpirations } from './overview/expirations.ts';
import { getMonitorOverview } from './overview/monitor-overview.ts';
import { getUptimeSummary } from './overview/uptime-summary.ts';
import { incidents } from './incidents/incidents.ts';
import { results } from './history/results.ts';
import { uptime } from './history/uptime.ts';
import { pings } from './pings.ts';
import { pingAliases } from './ping-aliases.ts';
import { targetHistory } from './history/target-history.ts';
import { charts } from './history/charts.ts';
import { corrections } from './corrections.ts';
import { importedDays } from './imported-days.ts';
import { slo } from './slo.ts';
import { eventStream } from './events.ts';
import { checkUrl } from './checks/check-url.ts';
import { listRegions } from './regions/service.ts';
import { previewCron } from './cron.ts';
import { listIncidentRounds } from './incidents/rounds.ts';
import { listIncidentNotifications } from './incidents/notifications.ts';
import { announcementPreviews } from './announcements/previews.ts';
import { announcementUpdates } from './announcements/updates-reference.ts';
import { announcements } from './announcements/announcements.ts';
import { postMortems } from './announcements/post-mortems.ts';
import { updateTemplates } from './update-templates.ts';
import { getWallView, walls } from './walls.ts';
import { groups } from './groups.ts';
import { alertChannelMessages, alertChannels } from './channels/alert-channels.ts';
import { notificationChannels } from './channels/notification-channels.ts';
import { alertRoutes } from './alert-routes/alert-routes.ts';
import { previewAlertRoutes } from './alert-routes/preview.ts';
import { webhookActions, webhookEndpoints } from './webhooks/endpoints.ts';
import { webhookDeliveries } from './webhooks/deliveries.ts';
import { maintenanceNow } from './maintenance/now.ts';
import { maintenanceWindows } from './maintenance/windows.ts';
import { reportData } from './reports/data.ts';
import { reports } from './reports/reports.ts';
import { reportRuns } from './reports/runs.ts';
import { partsOfStatusPages } from './status-pages/images.ts';
import { previewStatusPage } from './status-pages/preview.ts';
import { statusPages } from './status-pages/status-pages.ts';
import { importSubscribers } from './subscribers/import.ts';
import { subscribers } from './subscribers/subscribers.ts';
import { plan } from './plan/service.ts';
import { teams } from './teams/teams.ts';
import { users } from './users/users.ts';
import { invitationAcceptance } from './invitations/accept.ts';
import { invitations } from './invitations/invitations.ts';
import { alertLinks } from './alert-links/alert-links.ts';
import { auditLogOf } from './audit-log/service.ts';
import { configurationOf } from './configuration/configuration.ts';
import { configurationDays } from './configuration/days.ts';
import { configurationImport } from './configuration/import.ts';

/** All nouns but those that follow from the others. A new noun is a line here. */
const DECLARED = {
  account,
  getInstallation,
  tokens,
  sessions,
  connectedApplications,
  getSignInOptions,
  setup,
  monitors,
  createMonitors,
  changeMonitors,
  testMonitor,
  validateMonitor,
  getMonitorOverview,
  getAttention,
  listExpirations,
  getUptimeSummary,
  checkMonitor,
  incidents,
  results,
  uptime,
  pings,
  pingAliases,
  targetHistory,
  charts,
  corrections,
  importedDays,
  configurationDays,
  slo,
  checkUrl,
  listRegions,
  previewCron,
  listIncidentRounds,
  listIncidentNotifications,
  announcementPreviews,
  announcementUpdates,
  announcements,
  postMortems,
  updateTemplates,
  walls,
  getWallView,
  groups,
  alertChannels,
  alertChannelMessages,
  notificationChannels,
  alertRoutes,
  previewAlertRoutes,
  webhookEndpoints,
  webhookActions,
  webhookDeliveries,
  maintenanceWindows,
  maintenanceNow,
  reports,
  reportData,
  reportRuns,
  statusPages,
  partsOfStatusPages,
  previewStatusPage,
  subscribers,
  importSubscribers,
  plan,
  teams,
  users,
  invitations,
  invitationAcceptance,
  alertLinks,
  resetLinks,
};

/** The lists that a team keeps. */
export const COLLECTIONS = Object.values(DECLARED).filter(
  (one): one is typeof one & AnyCollection => 'declared' in one,
) as unknown as readonly AnyCollection[];

/** What the audit log records: kinds of things, and what is done with them. */
export const AUDITED: Readonly<Record<string, readonly string[]>> = {
  ...AUDIT_VERBS,
  ...Object.fromEntries(COLLECTIONS.map(({ kind, verbs }) => [kind, verbs])),
};

/** Everything that the API serves, in the order of its reference. */
export const NOUNS = {
  ...DECLARED,
  configuration: configurationOf(COLLECTIONS),
  configurationImport,
  events: eventStream(COLLECTIONS),
  auditLog: auditLogOf(AUDITED),
};

/** All operations, by their names. */
export const OPERATIONS: Record<string, Operation> = Object.fromEntries(
  (Object.values(NOUNS) as unknown as Noun<never, unknown>[]).flatMap(({ tag, operations }) =>
    Object.entries(operations).map(([name, operation]) => [name, { tag, ...operation }]),
  ),
);

/** The routes of all operations, which can't be called; docs/access.md is generated from them. */
export const ROUTES = Object.entries(OPERATIONS).map(([name, operation]) =>
  routeFacts(name, operation),
);
