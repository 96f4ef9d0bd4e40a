import type { ChannelTools } from '../alerting/channels/index.ts';
import { render } from '../alerting/message/index.ts';
import type { MailQueue } from '../store/alerting/mails.ts';
import type { Plans } from '../identity/plans.ts';
import { createAlertChannelService, type AlertChannelService } from './channels/alert-channels.ts';
import { createAlertRouteService, type AlertRouteService } from './alert-routes/service.ts';
import { createAccountService, type AccountService } from './account/service.ts';
import {
  createAlertLinkService,
  type AlertLinkDeps,
  type AlertLinkService,
} from './alert-links/service.ts';
import { createAuditLogService, type AuditLogService } from './audit-log/service.ts';
import { createCheckUrl, type CheckUrl, type CheckUrlDeps } from './checks/check-url.ts';
import { createChannelTest } from './channels/channel-test.ts';
import { createCronPreview, type PreviewCron } from './cron/service.ts';
import { createGroupService, type GroupService } from './groups/service.ts';
import { createHistoryService, type HistoryService } from './history/service.ts';
import { createIncidentService, type IncidentService } from './incidents/service.ts';
import { createInvitationAcceptance, type InvitationAcceptance } from './invitations/accept.ts';
import { createInvitationService, type InvitationService } from './invitations/service.ts';
import { createMaintenanceService, type MaintenanceService } from './maintenance/service.ts';
import {
  createMonitorCheck,
  type CheckMonitor,
  type MonitorCheckDeps,
} from './checks/monitor-check.ts';
import { createMonitorSchemas } from './monitors/input.ts';
import type { MonitorDefaults } from '../monitor-types/definition.ts';
import { createMonitorService, type MonitorService } from './monitors/service.ts';
import {
  createNotificationChannelService,
  type NotificationChannelService,
} from './channels/notification-channels.ts';
import type { TargetRule } from './monitors/target-url.ts';
import { createPlanService, type PlanService } from './plan/service.ts';
import { createPingService, type PingService } from './pings/service.ts';
import { createListRegions, type ListRegions } from './regions/service.ts';
import { createResetLinkService, type ResetLinkService } from './reset-links/service.ts';
import { createSessionService, type SessionService } from './sessions/service.ts';
import { createSetupService, type SetupService } from './setup/service.ts';
import { createTargetHistoryService, type TargetHistoryService } from './history/target-history.ts';
import { createTeamService, type TeamService, type TeamServiceDeps } from './teams/service.ts';
import { createTokenService, type TokenService } from './tokens/service.ts';
import { createUserService, type UserService } from './users/service.ts';
import {
  createWebhookDeliveryService,
  type WebhookDeliveryService,
} from './webhooks/deliveries.ts';
import { createWebhookEndpointService, type WebhookEndpointService } from './webhooks/service.ts';

/** Everything a caller can do; HTTP and other edges are thin over it. */
export interface Services {
  account: AccountService;
  monitors: MonitorService;
  checkMonitor: CheckMonitor;
  checkUrl: CheckUrl;
  listRegions: ListRegions;
  incidents: IncidentService;
  history: HistoryService;
  pings: PingService;
  targetHistory: TargetHistoryService;
  previewCron: PreviewCron;
  groups: GroupService;
  maintenance: MaintenanceService;
  invitationAcceptance: InvitationAcceptance;
  invitations: InvitationService;
  teams: TeamService;
  users: UserService;
  alertLinks: AlertLinkService;
  auditLog: AuditLogService;
  tokens: TokenService;
  sessions: SessionService;
  setup: SetupService;
  resetLinks: ResetLinkService;
  alertChannels: AlertChannelService;
  notificationChannels: NotificationChannelService;
  alertRoutes: AlertRouteService;
  webhookEndpoints: WebhookEndpointService;
  webhookDeliveries: WebhookDeliveryService;
  plan: PlanService;
  /** What teams may use; the edge judges API access by it. */
  plans: Plans;
}

export interface ServicesDeps extends MonitorCheckDeps, CheckUrlDeps, TeamServiceDeps {
  bus: MonitorCheckDeps['bus'];
  clock: MonitorCheckDeps['clock'];
  /** REGIONS and DEFAULT_CHECK_INTERVAL. */
  defaults: MonitorDefaults;
  targetRule: TargetRule;
  /** ALLOW_HTTP_WEBHOOKS. */
  allowHttpWebhooks: boolean;
  /** What channels need to send a test. */
  channelTools: ChannelTools;
  plans: Plans;
  /** Tells which alert the link of a message is of. */
  alertLinks: AlertLinkDeps['alertLinks'];
  /** Mails to people, of the transaction that asks for them. */
  mailQueue: MailQueue;
  /** The public address of this installation, without a slash at its end. */
  baseUrl: () => string;
  /** Of this program, such as `0.1.0`. */
  version: string;
}

export function createServices(deps: ServicesDeps): Services {
  const { defaults, targetRule, version } = deps;
  const rules = { schemas: createMonitorSchemas(defaults.regions), defaults, targetRule };
  const { database, clock, secretBox, channelTools: tools } = deps;
  const testChannel = createChannelTest({ clock, tools, render });
  const channels = { database, clock, secretBox, rules: deps, tools, testChannel };
  return {
    account: createAccountService(deps, { name: 'Tocsin', version }),
    monitors: createMonitorService({ ...deps, rules }),
    checkMonitor: createMonitorCheck(deps),
    checkUrl: createCheckUrl(deps),
    listRegions: createListRegions(deps),
    incidents: createIncidentService(deps),
    history: createHistoryService(deps),
    pings: createPingService(deps),
    targetHistory: createTargetHistoryService(deps),
    previewCron: createCronPreview(deps),
    groups: createGroupService(deps),
    maintenance: createMaintenanceService(deps),
    invitationAcceptance: createInvitationAcceptance(deps),
    invitations: createInvitationService(deps),
    teams: createTeamService(deps),
    users: createUserService(deps),
    alertLinks: createAlertLinkService(deps),
    auditLog: createAuditLogService(deps),
    tokens: createTokenService(deps),
    sessions: createSessionService(deps),
    setup: createSetupService(deps),
    resetLinks: createResetLinkService(deps),
    alertChannels: createAlertChannelService(channels),
    notificationChannels: createNotificationChannelService(channels),
    alertRoutes: createAlertRouteService(deps),
    webhookEndpoints: createWebhookEndpointService(deps),
    webhookDeliveries: createWebhookDeliveryService(deps),
    plan: createPlanService(deps),
    plans: deps.plans,
  };
}
