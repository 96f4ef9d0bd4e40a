import type { ChannelTools } from '../alerting/channels/index.ts';
import { render } from '../alerting/message/index.ts';
import { createAddressHashes } from '../status-page/subscribers/addresses.ts';
import { createSubscriberLinks } from '../status-page/subscribers/links.ts';
import { createSubscriptionForms } from '../status-page/subscribers/forms.ts';
import { clientOf } from '../identity/rate-limits.ts';
import { keyedHash } from '../lib/keyed-hash.ts';
import { createSubscriptions } from '../status-page/subscribers/subscriptions.ts';
import type { MailQueue } from '../store/alerting/mails.ts';
import type { Plans } from '../identity/plans.ts';
import type { ReportLinks } from '../report/links.ts';
import { createReportPrinter, type ReportPrinter } from '../report/pdf/printer.ts';
import { createAlertChannelService } from './channels/alert-channels.ts';
import { createAlertRoutePreview } from './alert-routes/preview.ts';
import { createAlertRouteService } from './alert-routes/service.ts';
import { createAccountService } from './account/service.ts';
import { createAlertLinkService, type AlertLinkDeps } from './alert-links/service.ts';
import { createPostMortemService } from './announcements/post-mortem.ts';
import { createAnnouncementService } from './announcements/service.ts';
import { createUpdateService } from './announcements/updates.ts';
import { createAuditLogService } from './audit-log/service.ts';
import { createCheckUrl, type CheckUrlDeps } from './checks/check-url.ts';
import { createChannelTest } from './channels/channel-test.ts';
import { createConnectedApplicationService } from './connected-applications/service.ts';
import { createCorrectionService } from './corrections/service.ts';
import { createCronPreview } from './cron/service.ts';
import { snapshotOfChanges } from './common/precondition.ts';
import { createIdempotentRequests } from './common/idempotency.ts';
import { createEventsService } from './events/service.ts';
import { createGroupService } from './groups/service.ts';
import { createChartService } from './history/charts.ts';
import { createHistoryService } from './history/service.ts';
import { createListIncidentNotifications } from './incidents/notifications.ts';
import { createListIncidentRounds } from './incidents/rounds.ts';
import { createIncidentService } from './incidents/service.ts';
import { createGetInstallation, type InstallationDeps } from './installation/service.ts';
import { createInvitationAcceptance } from './invitations/accept.ts';
import { createInvitationService } from './invitations/service.ts';
import { createMaintenanceService } from './maintenance/service.ts';
import { createMonitorCheck, type MonitorCheckDeps } from './checks/monitor-check.ts';
import { createMonitorTest } from './checks/monitor-test.ts';
import { createBulkAction } from './monitors/bulk-actions.ts';
import { createBulkCreate } from './monitors/bulk-create.ts';
import { createMonitorRules } from './monitors/rules.ts';
import type { MonitorDefaults } from '../monitor-types/definition.ts';
import { createMonitorService } from './monitors/service.ts';
import { createMonitorValidation } from './monitors/validation.ts';
import { createNotificationChannelService } from './channels/notification-channels.ts';
import type { TargetRule } from './monitors/target-url.ts';
import { createOverviewService } from './overview/service.ts';
import { createPlanService } from './plan/service.ts';
import { createPingService } from './pings/service.ts';
import { createListRegions, type RegionServiceDeps } from './regions/service.ts';
import { createReportDataService } from './reports/data.ts';
import { createReportMailLinks } from './reports/mail-links.ts';
import { createReportRunService } from './reports/runs.ts';
import { createReportService } from './reports/service.ts';
import { createResetLinkService } from './reset-links/service.ts';
import { createSessionService } from './sessions/service.ts';
import { createSetupService } from './setup/service.ts';
import { createGetSignInOptions, type SignInOptionsDeps } from './sign-in/service.ts';
import type { LiveFeed } from '../live/feed.ts';
import type { Domains } from '../status-page/domains.ts';
import { createImageJobs } from './status-pages/logo.ts';
import { createStatusPageService } from './status-pages/service.ts';
import { createSloService } from './slo/service.ts';
import { createImportSubscribers } from './subscribers/import.ts';
import { createSubscriberService } from './subscribers/service.ts';
import { createTargetHistoryService } from './history/target-history.ts';
import { createTeamService, type TeamServiceDeps } from './teams/service.ts';
import { createTokenService } from './tokens/service.ts';
import { createUpdateTemplateService } from './update-templates/service.ts';
import { createUserService } from './users/service.ts';
import { createWebhookDeliveryService } from './webhooks/deliveries.ts';
import { createWebhookEndpointService } from './webhooks/service.ts';

/** All operations of callers; HTTP and other interfaces call them. */
export type Services = ReturnType<typeof createServices>;

export interface ServicesDeps extends MonitorCheckDeps, CheckUrlDeps, TeamServiceDeps {
  bus: MonitorCheckDeps['bus'] & RegionServiceDeps['bus'];
  clock: MonitorCheckDeps['clock'];
  /** REGIONS and DEFAULT_CHECK_INTERVAL. */
  defaults: MonitorDefaults;
  targetRule: TargetRule;
  /** ALLOW_HTTP_WEBHOOKS. */
  allowHttpWebhooks: boolean;
  /** For test messages. */
  channelTools: ChannelTools;
  plans: Plans;
  /** OPEN_SIGNUP. */
  openSignup: boolean;
  /** Verifies custom domains of status pages. */
  domains: Pick<Domains, 'verify' | 'isVerified'>;
  /** Finds the alert of a link in a message. */
  alertLinks: AlertLinkDeps['alertLinks'];
  mailQueue: MailQueue;
  /** Hands changes to open event streams. */
  live: LiveFeed;
  /** Links in mails of reports. */
  reportLinks: ReportLinks;
  /** The list of SECRET_KEY. */
  keys: readonly string[];
  /** Draws PDF files; one of its own unless given. */
  reportPrinter?: ReportPrinter;
  signInOffer: SignInOptionsDeps['signInOffer'];
  /** Called after set-up is complete. */
  onSetup?: () => void;
  /** Public address of this installation, without a slash at its end. */
  baseUrl: () => string;
  /** Reads what the configuration says. */
  installation: InstallationDeps['installation'];
  /** Version of Tocsin, such as `0.1.0`. */
  version: string;
}

export function createServices(deps: ServicesDeps) {
  const { regions, defaults, targetRule, version } = deps;
  const rules = createMonitorRules({ regions, defaults, targetRule });
  const { channelTools: tools, reportPrinter = createReportPrinter() } = deps;
  const testChannel = createChannelTest({ ...deps, tools, render });
  const channels = { ...deps, rules: deps, tools, testChannel };
  const links = createSubscriberLinks(deps.keys);
  const addressHashes = createAddressHashes(deps.keys);
  const subscriptions = createSubscriptions({ ...deps, links, hashes: addressHashes });
  const hashClient = keyedHash(deps.keys[0]!, 'tocsin subscription clients v1');
  const clientKey = (address: string) => hashClient(clientOf(address));
  const subscriptionForms = createSubscriptionForms({ ...deps, subscriptions, clientKey });
  const subscriberDeps = { ...deps, subscriptions, addressHashes };
  return {
    getInstallation: createGetInstallation(deps),
    account: createAccountService(deps, { name: 'Tocsin', version }),
    monitors: createMonitorService({ ...deps, rules }),
    createMonitors: createBulkCreate({ ...deps, rules }),
    changeMonitors: createBulkAction(deps),
    checkMonitor: createMonitorCheck(deps),
    testMonitor: createMonitorTest({ ...deps, rules }),
    validateMonitor: createMonitorValidation({ ...deps, rules }),
    checkUrl: createCheckUrl(deps),
    listRegions: createListRegions(deps),
    incidents: createIncidentService(deps),
    listIncidentRounds: createListIncidentRounds(deps),
    listIncidentNotifications: createListIncidentNotifications(deps),
    history: createHistoryService(deps),
    charts: createChartService(deps),
    pings: createPingService(deps),
    targetHistory: createTargetHistoryService(deps),
    corrections: createCorrectionService(deps),
    slo: createSloService(deps),
    overview: createOverviewService(deps),
    previewCron: createCronPreview(deps),
    events: createEventsService(deps),
    groups: createGroupService(deps),
    maintenance: createMaintenanceService(deps),
    announcements: createAnnouncementService(deps),
    announcementUpdates: createUpdateService(deps),
    postMortems: createPostMortemService(deps),
    updateTemplates: createUpdateTemplateService(deps),
    statusPages: createStatusPageService({ ...deps, imageJobs: createImageJobs() }),
    subscribers: createSubscriberService(subscriberDeps),
    importSubscribers: createImportSubscribers(subscriberDeps),
    subscriptionForms,
    invitationAcceptance: createInvitationAcceptance(deps),
    invitations: createInvitationService(deps),
    teams: createTeamService(deps),
    users: createUserService(deps),
    alertLinks: createAlertLinkService(deps),
    auditLog: createAuditLogService(deps),
    tokens: createTokenService(deps),
    reports: createReportService(deps),
    reportData: createReportDataService({ ...deps, reportPrinter }),
    reportRuns: createReportRunService(deps),
    reportMailLinks: createReportMailLinks(deps),
    sessions: createSessionService(deps),
    connectedApplications: createConnectedApplicationService(deps),
    getSignInOptions: createGetSignInOptions(deps),
    setup: createSetupService(deps),
    resetLinks: createResetLinkService(deps),
    alertChannels: createAlertChannelService(channels),
    notificationChannels: createNotificationChannelService(channels),
    alertRoutes: createAlertRouteService(deps),
    previewAlertRoutes: createAlertRoutePreview(deps),
    webhookEndpoints: createWebhookEndpointService(deps),
    webhookDeliveries: createWebhookDeliveryService(deps),
    isVerifiedDomain: (domain: string) => deps.domains.isVerified(domain),
    plan: createPlanService(deps),
    plans: deps.plans,
    snapshotOfChanges: () => snapshotOfChanges(deps.database),
    idempotentRequests: createIdempotentRequests(deps),
  };
}
