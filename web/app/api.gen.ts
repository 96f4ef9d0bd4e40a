// Generated from openapi.json by "npm run generate".
export const OPERATIONS = {
  whoAmI: 'GET /',
  testToken: 'GET /test',
  updateAccount: 'PUT /account',
  getInstallation: 'GET /installation',
  listTokens: 'GET /tokens',
  createToken: 'POST /tokens',
  revokeToken: 'DELETE /tokens/{id}',
  listSessions: 'GET /sessions',
  revokeOtherSessions: 'DELETE /sessions',
  revokeSession: 'DELETE /sessions/{id}',
  listConnectedApplications: 'GET /connected-applications',
  disconnectApplication: 'DELETE /connected-applications/{id}',
  getSignInOptions: 'GET /sign-in',
  getSetupState: 'GET /setup/state',
  completeSetup: 'POST /setup',
  listMonitors: 'GET /monitors',
  createMonitor: 'POST /monitors',
  getMonitor: 'GET /monitors/{id}',
  updateMonitor: 'PUT /monitors/{id}',
  deleteMonitor: 'DELETE /monitors/{id}',
  pauseMonitor: 'POST /monitors/{id}/pause',
  resumeMonitor: 'POST /monitors/{id}/resume',
  unpauseMonitor: 'POST /monitors/{id}/unpause',
  rotatePingUrl: 'POST /monitors/{id}/rotate-ping-url',
  createMonitors: 'POST /monitors/bulk',
  changeMonitors: 'POST /monitors/actions',
  testMonitor: 'POST /monitors/test',
  validateMonitor: 'POST /monitors/validate',
  getMonitorOverview: 'GET /monitors/overview',
  getAttention: 'GET /attention',
  listExpirations: 'GET /expirations',
  getUptimeSummary: 'GET /uptime-summary',
  checkMonitor: 'POST /monitors/{id}/check',
  listIncidents: 'GET /incidents',
  createIncident: 'POST /incidents',
  getIncident: 'GET /incidents/{id}',
  updateIncident: 'PUT /incidents/{id}',
  deleteIncident: 'DELETE /incidents/{id}',
  resolveIncident: 'POST /incidents/{id}/resolve',
  acknowledgeIncident: 'POST /incidents/{id}/acknowledge',
  createIncidentNote: 'POST /incidents/{id}/notes',
  listMonitorIncidents: 'GET /monitors/{id}/incidents',
  listMonitorResults: 'GET /monitors/{id}/results',
  getMonitorUptime: 'GET /monitors/{id}/uptime',
  listMonitorPings: 'GET /monitors/{id}/pings',
  listPingAliases: 'GET /monitors/{id}/ping-aliases',
  createPingAlias: 'POST /monitors/{id}/ping-aliases',
  deletePingAlias: 'DELETE /monitors/{id}/ping-aliases/{alias}',
  listMonitorDns: 'GET /monitors/{id}/dns',
  listMonitorCertificates: 'GET /monitors/{id}/certificates',
  listMonitorActivities: 'GET /monitors/{id}/activities',
  getMonitorResponseTimes: 'GET /monitors/{id}/response-times',
  getMonitorDays: 'GET /monitors/{id}/days',
  listMonitorCorrections: 'GET /monitors/{id}/corrections',
  createMonitorCorrection: 'POST /monitors/{id}/corrections',
  getMonitorCorrection: 'GET /monitors/{id}/corrections/{correction}',
  deleteMonitorCorrection: 'DELETE /monitors/{id}/corrections/{correction}',
  importDays: 'POST /monitors/{id}/imported-days',
  importConfigurationDays: 'POST /configuration/imported-days',
  listSlos: 'GET /slos',
  getMonitorSlo: 'GET /monitors/{id}/slo',
  setMonitorSlo: 'PUT /monitors/{id}/slo',
  deleteMonitorSlo: 'DELETE /monitors/{id}/slo',
  checkUrl: 'GET /check-url',
  listRegions: 'GET /regions',
  previewCron: 'GET /cron-preview',
  listIncidentRounds: 'GET /incidents/{id}/rounds',
  listIncidentNotifications: 'GET /incidents/{id}/notifications',
  previewAnnouncement: 'POST /announcements/preview',
  previewAnnouncementUpdate: 'POST /announcements/{id}/updates/preview',
  previewIncidentUpdate: 'POST /incidents/{id}/updates/preview',
  listIncidentUpdates: 'GET /incidents/{id}/updates',
  createIncidentUpdate: 'POST /incidents/{id}/updates',
  getIncidentUpdate: 'GET /incidents/{id}/updates/{update}',
  updateIncidentUpdate: 'PUT /incidents/{id}/updates/{update}',
  deleteIncidentUpdate: 'DELETE /incidents/{id}/updates/{update}',
  listIncidentUpdateVersions: 'GET /incidents/{id}/updates/{update}/versions',
  listAnnouncementUpdates: 'GET /announcements/{id}/updates',
  createAnnouncementUpdate: 'POST /announcements/{id}/updates',
  getAnnouncementUpdate: 'GET /announcements/{id}/updates/{update}',
  updateAnnouncementUpdate: 'PUT /announcements/{id}/updates/{update}',
  deleteAnnouncementUpdate: 'DELETE /announcements/{id}/updates/{update}',
  listAnnouncementUpdateVersions: 'GET /announcements/{id}/updates/{update}/versions',
  listAnnouncements: 'GET /announcements',
  createAnnouncement: 'POST /announcements',
  getAnnouncement: 'GET /announcements/{id}',
  updateAnnouncement: 'PUT /announcements/{id}',
  deleteAnnouncement: 'DELETE /announcements/{id}',
  setPostMortem: 'PUT /announcements/{id}/post-mortem',
  deletePostMortem: 'DELETE /announcements/{id}/post-mortem',
  listUpdateTemplates: 'GET /update-templates',
  createUpdateTemplate: 'POST /update-templates',
  getUpdateTemplate: 'GET /update-templates/{id}',
  updateUpdateTemplate: 'PUT /update-templates/{id}',
  deleteUpdateTemplate: 'DELETE /update-templates/{id}',
  listWalls: 'GET /walls',
  createWall: 'POST /walls',
  getWall: 'GET /walls/{id}',
  updateWall: 'PUT /walls/{id}',
  deleteWall: 'DELETE /walls/{id}',
  getWallView: 'GET /wall',
  listGroups: 'GET /groups',
  createGroup: 'POST /groups',
  getGroup: 'GET /groups/{id}',
  updateGroup: 'PUT /groups/{id}',
  deleteGroup: 'DELETE /groups/{id}',
  listAlertChannels: 'GET /alert-channels',
  createAlertChannel: 'POST /alert-channels',
  getAlertChannel: 'GET /alert-channels/{id}',
  updateAlertChannel: 'PUT /alert-channels/{id}',
  deleteAlertChannel: 'DELETE /alert-channels/{id}',
  testAlertChannel: 'POST /alert-channels/{id}/test',
  tryAlertChannel: 'POST /alert-channels/test',
  listAlertChannelDeliveries: 'GET /alert-channels/{id}/deliveries',
  listNotificationChannels: 'GET /notification-channels',
  createNotificationChannel: 'POST /notification-channels',
  getNotificationChannel: 'GET /notification-channels/{channel}',
  updateNotificationChannel: 'PUT /notification-channels/{channel}',
  deleteNotificationChannel: 'DELETE /notification-channels/{channel}',
  testNotificationChannel: 'POST /notification-channels/{channel}/test',
  listAlertRoutes: 'GET /alert-routes',
  createAlertRoute: 'POST /alert-routes',
  getAlertRoute: 'GET /alert-routes/{id}',
  updateAlertRoute: 'PUT /alert-routes/{id}',
  deleteAlertRoute: 'DELETE /alert-routes/{id}',
  previewAlertRoutes: 'GET /alert-routes/preview',
  listWebhookEndpoints: 'GET /webhook-endpoints',
  createWebhookEndpoint: 'POST /webhook-endpoints',
  getWebhookEndpoint: 'GET /webhook-endpoints/{id}',
  updateWebhookEndpoint: 'PUT /webhook-endpoints/{id}',
  deleteWebhookEndpoint: 'DELETE /webhook-endpoints/{id}',
  testWebhookEndpoint: 'POST /webhook-endpoints/{id}/test',
  rotateWebhookSecret: 'POST /webhook-endpoints/{id}/rotate-secret',
  listWebhookDeliveries: 'GET /webhook-endpoints/{id}/deliveries',
  getWebhookDelivery: 'GET /webhook-endpoints/{id}/deliveries/{delivery}',
  redeliverWebhook: 'POST /webhook-endpoints/{id}/deliveries/{delivery}/redeliver',
  listMaintenanceWindows: 'GET /maintenance-windows',
  createMaintenanceWindow: 'POST /maintenance-windows',
  getMaintenanceWindow: 'GET /maintenance-windows/{id}',
  updateMaintenanceWindow: 'PUT /maintenance-windows/{id}',
  deleteMaintenanceWindow: 'DELETE /maintenance-windows/{id}',
  startMaintenance: 'POST /maintenance-windows/start',
  endMaintenance: 'POST /maintenance-windows/{id}/end',
  listReports: 'GET /reports',
  createReport: 'POST /reports',
  getReport: 'GET /reports/{id}',
  updateReport: 'PUT /reports/{id}',
  deleteReport: 'DELETE /reports/{id}',
  getReportData: 'GET /reports/{id}/data',
  getUptimeReport: 'GET /reports/uptime',
  listReportRuns: 'GET /reports/{id}/runs',
  startReportRun: 'POST /reports/{id}/runs',
  getReportRun: 'GET /report-runs/{id}',
  getReportRunFile: 'GET /report-runs/{id}/file',
  listStatusPages: 'GET /status-pages',
  createStatusPage: 'POST /status-pages',
  getStatusPage: 'GET /status-pages/{id}',
  updateStatusPage: 'PUT /status-pages/{id}',
  deleteStatusPage: 'DELETE /status-pages/{id}',
  setStatusPageLogo: 'PUT /status-pages/{id}/logo',
  deleteStatusPageLogo: 'DELETE /status-pages/{id}/logo',
  setStatusPageImage: 'PUT /status-pages/{id}/images/{image}',
  deleteStatusPageImage: 'DELETE /status-pages/{id}/images/{image}',
  verifyStatusPageDomain: 'POST /status-pages/{id}/verify-domain',
  previewStatusPage: 'POST /status-pages/preview',
  listSubscribers: 'GET /status-pages/{id}/subscribers',
  createSubscriber: 'POST /status-pages/{id}/subscribers',
  getSubscriber: 'GET /status-pages/{id}/subscribers/{subscriber}',
  deleteSubscriber: 'DELETE /status-pages/{id}/subscribers/{subscriber}',
  exportSubscribers: 'GET /status-pages/{id}/subscribers/export',
  importSubscribers: 'POST /status-pages/{id}/subscribers/import',
  getPlan: 'GET /plan',
  listTeams: 'GET /teams',
  createTeam: 'POST /teams',
  switchTeam: 'POST /teams/{id}/switch',
  getTeam: 'GET /teams/{id}',
  updateTeam: 'PUT /teams/{id}',
  deleteTeam: 'DELETE /teams/{id}',
  transferTeam: 'POST /teams/{id}/transfer',
  leaveTeam: 'POST /teams/{id}/leave',
  listUsers: 'GET /users',
  updateUser: 'PUT /users/{id}',
  deleteUser: 'DELETE /users/{id}',
  listInvitations: 'GET /users/invitations',
  createInvitation: 'POST /users/invitations',
  updateInvitation: 'PUT /users/invitations/{id}',
  deleteInvitation: 'DELETE /users/invitations/{id}',
  resendInvitation: 'POST /users/invitations/{id}/resend',
  acceptInvitation: 'POST /invitations/accept',
  previewInvitation: 'GET /invitations/preview',
  getAlertLink: 'GET /alert-links',
  acknowledgeAlertLink: 'POST /alert-links/acknowledge',
  createResetLink: 'POST /users/{id}/reset-link',
  planConfiguration: 'POST /configuration/plan',
  applyConfiguration: 'POST /configuration/apply',
  exportConfiguration: 'GET /configuration/export',
  listConfigurationSets: 'GET /configuration/sets',
  listConfigurationItems: 'GET /configuration/items',
  deleteConfigurationSet: 'DELETE /configuration/sets/{id}',
  importConfiguration: 'POST /configuration/import',
  listAuditLog: 'GET /audit-log',
} as const;

export interface Operations {
  whoAmI: { input: {  }; answer: WhoAmI };
  testToken: { input: {  }; answer: TokenTest };
  updateAccount: { input: { body: { name?: string; timezone?: string; } }; answer: Account };
  getInstallation: { input: {  }; answer: Installation };
  listTokens: { input: {  }; answer: TokenList };
  createToken: { input: { body: { name: string; permissions: ("read" | "create" | "update" | "delete")[]; expires_at?: string | null; } }; answer: NewToken };
  revokeToken: { input: { path: { id: number; } }; answer: void };
  listSessions: { input: {  }; answer: SessionList };
  revokeOtherSessions: { input: {  }; answer: void };
  revokeSession: { input: { path: { id: number; } }; answer: void };
  listConnectedApplications: { input: {  }; answer: ConnectedApplicationList };
  disconnectApplication: { input: { path: { id: number; } }; answer: void };
  getSignInOptions: { input: {  }; answer: SignInOptions };
  getSetupState: { input: { query?: { token?: string; } }; answer: SetupState };
  completeSetup: { input: { body: { token: string; name?: string | null; email?: string | null; password: string; team_name?: string | null; timezone?: string | null; } }; answer: SetupDone };
  listMonitors: { input: { query?: { direction?: "asc" | "desc"; page?: number; per_page?: number; search?: string; q?: string; status?: "online" | "offline" | "degraded" | "pending"; type?: "http" | "ping" | "port" | "heartbeat" | "cron"; interval?: number; tag?: (string)[]; group_id?: number; region?: string; sort?: "url" | "status" | "check_interval" | "last_checked_at" | "created_at"; } }; answer: MonitorPage };
  createMonitor: { input: { body: MonitorSettings }; answer: Monitor };
  getMonitor: { input: { path: { id: number; } }; answer: MonitorDetail };
  updateMonitor: { input: { path: { id: number; }; body: MonitorSettings }; answer: Monitor };
  deleteMonitor: { input: { path: { id: number; } }; answer: void };
  pauseMonitor: { input: { path: { id: number; } }; answer: PauseResult };
  resumeMonitor: { input: { path: { id: number; } }; answer: PauseResult };
  unpauseMonitor: { input: { path: { id: number; } }; answer: PauseResult };
  rotatePingUrl: { input: { path: { id: number; }; body: { keep_old_for?: number | null; } }; answer: Monitor };
  createMonitors: { input: { body: { monitors: (MonitorSettings)[]; all_or_nothing?: boolean | null; } }; answer: BulkCreateResult };
  changeMonitors: { input: { body: { action: "pause" | "resume" | "delete" | "add_tags" | "remove_tags" | "move"; ids?: (number)[]; filter?: { search?: string; q?: string; status?: "online" | "offline" | "degraded" | "pending"; type?: "http" | "ping" | "port" | "heartbeat" | "cron"; interval?: number; tag?: string | (string)[]; group_id?: number; region?: string; all?: true; }; tags?: (string)[]; group_id?: number | null; dry_run?: boolean; } }; answer: BulkActionResult };
  testMonitor: { input: { body: MonitorTestSettings }; answer: MonitorTest };
  validateMonitor: { input: { body: MonitorTestSettings }; answer: MonitorValidation };
  getMonitorOverview: { input: {  }; answer: MonitorOverview };
  getAttention: { input: { query?: { limit?: number; } }; answer: Attention };
  listExpirations: { input: { query?: { within_days?: number; type?: "ssl" | "domain"; page?: number; per_page?: number; } }; answer: ExpirationPage };
  getUptimeSummary: { input: { query?: { period?: "last_24_hours" | "last_7_days" | "last_30_days"; group_id?: number; tag?: (string)[]; limit?: number; } }; answer: UptimeSummary };
  checkMonitor: { input: { path: { id: number; } }; answer: CheckResult };
  listIncidents: { input: { query?: { direction?: "asc" | "desc"; page?: number; per_page?: number; monitor_id?: number; status?: "open" | "resolved"; type?: "uptime" | "keyword" | "json_assertion" | "ssl" | "domain" | "dns" | "regional" | "dual_stack" | "slow_response" | "heartbeat" | "error_budget" | "manual"; severity?: "critical" | "warning" | "info"; start_date?: string; end_date?: string; sort?: "started_at" | "ended_at" | "duration" | "status"; } }; answer: IncidentPage };
  createIncident: { input: { body: { monitor_id: number; started_at: string; status: "open" | "resolved"; severity?: "critical" | "warning" | "info" | null; root_cause?: string | null; ended_at?: string | null; } }; answer: Incident };
  getIncident: { input: { path: { id: number; } }; answer: IncidentDetail };
  updateIncident: { input: { path: { id: number; }; body: { status?: "open" | "resolved"; root_cause?: string | null; } }; answer: Incident };
  deleteIncident: { input: { path: { id: number; } }; answer: void };
  resolveIncident: { input: { path: { id: number; } }; answer: Incident };
  acknowledgeIncident: { input: { path: { id: number; } }; answer: Acknowledgement };
  createIncidentNote: { input: { path: { id: number; }; body: { text: string; } }; answer: IncidentActivity };
  listMonitorIncidents: { input: { path: { id: number; }; query?: { direction?: "asc" | "desc"; page?: number; per_page?: number; status?: "open" | "resolved"; type?: "uptime" | "keyword" | "json_assertion" | "ssl" | "domain" | "dns" | "regional" | "dual_stack" | "slow_response" | "heartbeat" | "error_budget" | "manual"; severity?: "critical" | "warning" | "info"; start_date?: string; end_date?: string; sort?: "started_at" | "ended_at" | "duration" | "status"; } }; answer: IncidentPage };
  listMonitorResults: { input: { path: { id: number; }; query?: { from?: unknown | unknown; to?: unknown | unknown; region?: string; page?: number; per_page?: number; } }; answer: ResultPage };
  getMonitorUptime: { input: { path: { id: number; }; query?: { from?: unknown | unknown; to?: unknown | unknown; interval?: "hour" | "day"; corrected?: "true" | "false"; } }; answer: Uptime };
  listMonitorPings: { input: { path: { id: number; }; query?: { kind?: "success" | "failure" | "start" | "log"; from?: unknown | unknown; to?: unknown | unknown; page?: number; per_page?: number; } }; answer: PingPage };
  listPingAliases: { input: { path: { id: number; }; query?: { page?: number; per_page?: number; } }; answer: PingAliasPage };
  createPingAlias: { input: { path: { id: number; }; body: { path: string; } }; answer: PingAlias };
  deletePingAlias: { input: { path: { id: number; alias: number; } }; answer: void };
  listMonitorDns: { input: { path: { id: number; }; query?: { page?: number; per_page?: number; } }; answer: DnsRecordSetPage };
  listMonitorCertificates: { input: { path: { id: number; }; query?: { page?: number; per_page?: number; } }; answer: CertificatePage };
  listMonitorActivities: { input: { path: { id: number; }; query?: { page?: number; per_page?: number; } }; answer: MonitorActivityPage };
  getMonitorResponseTimes: { input: { path: { id: number; }; query?: { period?: "1h" | "24h" | "7d" | "30d" | "90d"; from?: unknown | unknown; to?: unknown | unknown; } }; answer: ResponseTimes };
  getMonitorDays: { input: { path: { id: number; }; query?: { days?: number; timezone?: string; } }; answer: MonitorDays };
  listMonitorCorrections: { input: { path: { id: number; }; query?: { include_removed?: "true" | "false"; page?: number; per_page?: number; } }; answer: CorrectionPage };
  createMonitorCorrection: { input: { path: { id: number; }; body: { from: string; to: string; as: "maintenance" | "false_alarm" | "excluded" | "up" | "down"; reason: string; evidence?: string | null; } }; answer: Correction };
  getMonitorCorrection: { input: { path: { id: number; correction: number; } }; answer: Correction };
  deleteMonitorCorrection: { input: { path: { id: number; correction: number; } }; answer: void };
  importDays: { input: { path: { id: number; }; body: { source: string; days: (ImportedDay)[]; } }; answer: ImportedDays };
  importConfigurationDays: { input: { body: { set: string; source: string; monitors: ({ key: string; days: ({ date: string; [key: string]: unknown; })[]; })[]; } }; answer: ImportedSetDays };
  listSlos: { input: { query?: { monitor_id?: number; page?: number; per_page?: number; } }; answer: SloPage };
  getMonitorSlo: { input: { path: { id: number; } }; answer: Slo };
  setMonitorSlo: { input: { path: { id: number; }; body: { target_percent?: number; window_days?: number | null; burn_rate_alerts?: boolean | null; } }; answer: Slo };
  deleteMonitorSlo: { input: { path: { id: number; } }; answer: void };
  checkUrl: { input: { query: { url: string; timeout_seconds?: number; details?: "true" | "false"; 'regions[]'?: (string)[]; } }; answer: UrlCheck };
  listRegions: { input: {  }; answer: RegionList };
  previewCron: { input: { query: { expression: string; timezone?: string; count?: number; } }; answer: CronPreview };
  listIncidentRounds: { input: { path: { id: number; } }; answer: IncidentRounds };
  listIncidentNotifications: { input: { path: { id: number; }; query?: { page?: number; per_page?: number; } }; answer: IncidentNotificationPage };
  previewAnnouncement: { input: { body: { kind?: "incident" | "maintenance" | null; title?: string | null; impact?: "none" | "minor" | "major" | "critical" | null; state?: "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed" | null; text?: string | null; status_pages?: (number)[] | null; monitors?: (number)[] | null; starts_at?: string | null; ends_at?: string | null; notify?: boolean | null; } }; answer: { data: ({ status_page: number; sender: string; subject: string; text: string; html: string; subscribers: { email: number; slack: number; microsoft_teams: number; webhook: number; sms: number; }; })[]; } };
  previewAnnouncementUpdate: { input: { path: { id: number; }; body: { state?: "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed" | null; text?: string | null; status_pages?: (number)[] | null; title?: string | null; impact?: "none" | "minor" | "major" | "critical" | null; template_id?: number | null; notify?: boolean | null; } }; answer: { data: ({ status_page: number; sender: string; subject: string; text: string; html: string; subscribers: { email: number; slack: number; microsoft_teams: number; webhook: number; sms: number; }; })[]; } };
  previewIncidentUpdate: { input: { path: { id: number; }; body: { state?: "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed" | null; text?: string | null; status_pages?: (number)[] | null; title?: string | null; impact?: "none" | "minor" | "major" | "critical" | null; template_id?: number | null; notify?: boolean | null; } }; answer: { data: ({ status_page: number; sender: string; subject: string; text: string; html: string; subscribers: { email: number; slack: number; microsoft_teams: number; webhook: number; sms: number; }; })[]; } };
  listIncidentUpdates: { input: { path: { id: number; } }; answer: AnnouncementUpdateList };
  createIncidentUpdate: { input: { path: { id: number; }; body: { state?: "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed" | null; text?: string | null; status_pages?: (number)[] | null; title?: string | null; impact?: "none" | "minor" | "major" | "critical" | null; template_id?: number | null; notify?: boolean | null; } }; answer: AnnouncementUpdate };
  getIncidentUpdate: { input: { path: { id: number; update: number; } }; answer: AnnouncementUpdate };
  updateIncidentUpdate: { input: { path: { id: number; update: number; }; body: { state?: "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed" | null; text?: string | null; status_pages?: (number)[] | null; } }; answer: AnnouncementUpdate };
  deleteIncidentUpdate: { input: { path: { id: number; update: number; } }; answer: void };
  listIncidentUpdateVersions: { input: { path: { id: number; update: number; } }; answer: AnnouncementUpdateVersions };
  listAnnouncementUpdates: { input: { path: { id: number; } }; answer: AnnouncementUpdateList };
  createAnnouncementUpdate: { input: { path: { id: number; }; body: { state?: "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed" | null; text?: string | null; status_pages?: (number)[] | null; title?: string | null; impact?: "none" | "minor" | "major" | "critical" | null; template_id?: number | null; notify?: boolean | null; } }; answer: AnnouncementUpdate };
  getAnnouncementUpdate: { input: { path: { id: number; update: number; } }; answer: AnnouncementUpdate };
  updateAnnouncementUpdate: { input: { path: { id: number; update: number; }; body: { state?: "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed" | null; text?: string | null; status_pages?: (number)[] | null; } }; answer: AnnouncementUpdate };
  deleteAnnouncementUpdate: { input: { path: { id: number; update: number; } }; answer: void };
  listAnnouncementUpdateVersions: { input: { path: { id: number; update: number; } }; answer: AnnouncementUpdateVersions };
  listAnnouncements: { input: { query?: { page?: number; per_page?: number; kind?: "incident" | "maintenance"; state?: "open" | "ended"; status_page?: number; } }; answer: AnnouncementPage };
  createAnnouncement: { input: { body: { kind?: "incident" | "maintenance" | null; title?: string | null; impact?: "none" | "minor" | "major" | "critical" | null; state?: "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed" | null; text?: string | null; status_pages?: (number)[] | null; monitors?: (number)[] | null; starts_at?: string | null; ends_at?: string | null; notify?: boolean | null; } }; answer: AnnouncementDetail };
  getAnnouncement: { input: { path: { id: number; } }; answer: AnnouncementDetail };
  updateAnnouncement: { input: { path: { id: number; }; body: { title?: string | null; impact?: "none" | "minor" | "major" | "critical" | null; monitors?: (number)[] | null; status_pages?: (number)[] | null; starts_at?: string | null; ends_at?: string | null; } }; answer: AnnouncementDetail };
  deleteAnnouncement: { input: { path: { id: number; } }; answer: void };
  setPostMortem: { input: { path: { id: number; }; body: { text?: string | null; publish?: boolean | null; } }; answer: AnnouncementDetail };
  deletePostMortem: { input: { path: { id: number; } }; answer: void };
  listUpdateTemplates: { input: {  }; answer: UpdateTemplateList };
  createUpdateTemplate: { input: { body: { name: string; title?: string | null; state: "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed"; text: string; } }; answer: UpdateTemplate };
  getUpdateTemplate: { input: { path: { id: number; } }; answer: UpdateTemplate };
  updateUpdateTemplate: { input: { path: { id: number; }; body: { name?: string; title?: string | null; state?: "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed"; text?: string; } }; answer: UpdateTemplate };
  deleteUpdateTemplate: { input: { path: { id: number; } }; answer: void };
  listWalls: { input: {  }; answer: WallList };
  createWall: { input: { body: { name: string; } }; answer: Wall };
  getWall: { input: { path: { id: number; } }; answer: Wall };
  updateWall: { input: { path: { id: number; }; body: { name?: string; } }; answer: Wall };
  deleteWall: { input: { path: { id: number; } }; answer: void };
  getWallView: { input: { query?: { token?: string; } }; answer: WallView };
  listGroups: { input: {  }; answer: GroupList };
  createGroup: { input: { body: { name: string; description?: string | null; parent_id?: number | null; sort_order?: number | null; } }; answer: Group };
  getGroup: { input: { path: { id: number; } }; answer: Group };
  updateGroup: { input: { path: { id: number; }; body: { name: string; description?: string | null; parent_id?: number | null; sort_order?: number | null; } }; answer: Group };
  deleteGroup: { input: { path: { id: number; } }; answer: void };
  listAlertChannels: { input: { query?: { type?: "email" | "slack" | "discord" | "microsoft_teams" | "telegram" | "pagerduty" | "opsgenie" | "ntfy" | "pushover" | "gotify" | "mattermost" | "google_chat" | "sms"; enabled?: "true" | "false"; direction?: "asc" | "desc"; page?: number; per_page?: number; sort?: "created_at"; } }; answer: AlertChannelPage };
  createAlertChannel: { input: { body: { type: "email" | "slack" | "discord" | "microsoft_teams" | "telegram" | "pagerduty" | "opsgenie" | "ntfy" | "pushover" | "gotify" | "mattermost" | "google_chat" | "sms"; name?: string | null; enabled?: boolean | null; is_default?: boolean | null; severities?: ("critical" | "warning" | "info")[] | null; quiet_hours?: { from: string; to: string; days?: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[] | null; timezone: string; allow_critical?: boolean | null; } | null; timezone?: string | null; settings?: { [key: string]: unknown; } | null; } }; answer: AlertChannel };
  getAlertChannel: { input: { path: { id: number; } }; answer: AlertChannel };
  updateAlertChannel: { input: { path: { id: number; }; body: { name?: string | null; enabled?: boolean | null; is_default?: boolean | null; severities?: ("critical" | "warning" | "info")[] | null; quiet_hours?: { from: string; to: string; days?: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[] | null; timezone: string; allow_critical?: boolean | null; } | null; timezone?: string | null; settings?: { [key: string]: unknown; } | null; } }; answer: AlertChannel };
  deleteAlertChannel: { input: { path: { id: number; } }; answer: void };
  testAlertChannel: { input: { path: { id: number; } }; answer: ChannelTest };
  tryAlertChannel: { input: { body: { type: "email" | "slack" | "discord" | "microsoft_teams" | "telegram" | "pagerduty" | "opsgenie" | "ntfy" | "pushover" | "gotify" | "mattermost" | "google_chat" | "sms"; name?: string | null; enabled?: boolean | null; is_default?: boolean | null; severities?: ("critical" | "warning" | "info")[] | null; quiet_hours?: { from: string; to: string; days?: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[] | null; timezone: string; allow_critical?: boolean | null; } | null; timezone?: string | null; settings?: { [key: string]: unknown; } | null; } }; answer: ChannelTest };
  listAlertChannelDeliveries: { input: { path: { id: number; }; query?: { status?: "pending" | "delivered" | "failed" | "expired" | "superseded"; page?: number; per_page?: number; } }; answer: ChannelDeliveryPage };
  listNotificationChannels: { input: {  }; answer: NotificationChannelList };
  createNotificationChannel: { input: { body: { name?: string | null; enabled?: boolean | null; severities?: ("critical" | "warning" | "info")[] | null; quiet_hours?: { from: string; to: string; days?: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[] | null; timezone: string; allow_critical?: boolean | null; } | null; timezone?: string | null; settings?: { [key: string]: unknown; } | null; webhook_url?: unknown; phone_number?: unknown; email?: unknown; type: "email" | "slack" | "discord" | "microsoft_teams" | "telegram" | "pagerduty" | "opsgenie" | "ntfy" | "pushover" | "gotify" | "mattermost" | "google_chat" | "sms" | "web_push"; } }; answer: NotificationChannel };
  getNotificationChannel: { input: { path: { channel: "email" | "slack" | "discord" | "microsoft_teams" | "telegram" | "pagerduty" | "opsgenie" | "ntfy" | "pushover" | "gotify" | "mattermost" | "google_chat" | "sms" | "web_push"; } }; answer: NotificationChannel };
  updateNotificationChannel: { input: { path: { channel: "email" | "slack" | "discord" | "microsoft_teams" | "telegram" | "pagerduty" | "opsgenie" | "ntfy" | "pushover" | "gotify" | "mattermost" | "google_chat" | "sms" | "web_push"; }; body: { name?: string | null; enabled?: boolean | null; severities?: ("critical" | "warning" | "info")[] | null; quiet_hours?: { from: string; to: string; days?: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[] | null; timezone: string; allow_critical?: boolean | null; } | null; timezone?: string | null; settings?: { [key: string]: unknown; } | null; webhook_url?: unknown; phone_number?: unknown; email?: unknown; type?: "email" | "slack" | "discord" | "microsoft_teams" | "telegram" | "pagerduty" | "opsgenie" | "ntfy" | "pushover" | "gotify" | "mattermost" | "google_chat" | "sms" | "web_push" | null; } }; answer: NotificationChannel };
  deleteNotificationChannel: { input: { path: { channel: "email" | "slack" | "discord" | "microsoft_teams" | "telegram" | "pagerduty" | "opsgenie" | "ntfy" | "pushover" | "gotify" | "mattermost" | "google_chat" | "sms" | "web_push"; } }; answer: void };
  testNotificationChannel: { input: { path: { channel: "email" | "slack" | "discord" | "microsoft_teams" | "telegram" | "pagerduty" | "opsgenie" | "ntfy" | "pushover" | "gotify" | "mattermost" | "google_chat" | "sms" | "web_push"; } }; answer: ChannelTest };
  listAlertRoutes: { input: {  }; answer: AlertRouteList };
  createAlertRoute: { input: { body: { name: string; monitors?: (number)[] | null; groups?: (number)[] | null; tags?: (string)[] | null; severities?: ("critical" | "warning" | "info")[] | null; channels?: (number)[] | null; users?: (number)[] | null; reminder_minutes?: number | null; escalation?: ({ after_minutes: number; channels?: (number)[] | null; users?: (number)[] | null; })[] | null; sort_order?: number | null; } }; answer: AlertRoute };
  getAlertRoute: { input: { path: { id: number; } }; answer: AlertRoute };
  updateAlertRoute: { input: { path: { id: number; }; body: { name?: string; monitors?: (number)[] | null; groups?: (number)[] | null; tags?: (string)[] | null; severities?: ("critical" | "warning" | "info")[] | null; channels?: (number)[] | null; users?: (number)[] | null; reminder_minutes?: number | null; escalation?: ({ after_minutes: number; channels?: (number)[] | null; users?: (number)[] | null; })[] | null; sort_order?: number | null; } }; answer: AlertRoute };
  deleteAlertRoute: { input: { path: { id: number; } }; answer: void };
  previewAlertRoutes: { input: { query: { monitor_id: number; type?: "uptime" | "keyword" | "json_assertion" | "ssl" | "domain" | "dns" | "regional" | "dual_stack" | "slow_response" | "heartbeat" | "error_budget"; severity?: "critical" | "warning" | "info"; } }; answer: AlertPreview };
  listWebhookEndpoints: { input: {  }; answer: WebhookEndpointList };
  createWebhookEndpoint: { input: { body: { name: string; url: string; auth_type?: "none" | "bearer" | "basic" | "header" | null; auth_header_name?: string | null; auth_token?: string | null; signing_secret?: string | null; severities?: ("critical" | "warning" | "info")[] | null; is_active?: boolean | null; } }; answer: WebhookEndpoint };
  getWebhookEndpoint: { input: { path: { id: number; } }; answer: WebhookEndpoint };
  updateWebhookEndpoint: { input: { path: { id: number; }; body: { name?: string; url?: string; auth_type?: "none" | "bearer" | "basic" | "header" | null; auth_header_name?: string | null; auth_token?: string | null; signing_secret?: string | null; severities?: ("critical" | "warning" | "info")[] | null; is_active?: boolean | null; } }; answer: WebhookEndpoint };
  deleteWebhookEndpoint: { input: { path: { id: number; } }; answer: void };
  testWebhookEndpoint: { input: { path: { id: number; } }; answer: { message: string; } };
  rotateWebhookSecret: { input: { path: { id: number; }; body: { overlap_hours?: number | null; } }; answer: WebhookSecret };
  listWebhookDeliveries: { input: { path: { id: number; }; query?: { status?: "pending" | "delivered" | "failed" | "expired"; event?: string; from?: unknown | unknown; to?: unknown | unknown; page?: number; per_page?: number; } }; answer: WebhookDeliveryPage };
  getWebhookDelivery: { input: { path: { id: number; delivery: number; } }; answer: WebhookDeliveryDetails };
  redeliverWebhook: { input: { path: { id: number; delivery: number; } }; answer: { message: string; } };
  listMaintenanceWindows: { input: { query?: { direction?: "asc" | "desc"; page?: number; per_page?: number; sort?: "name" | "starts_at" | "created_at"; } }; answer: MaintenanceWindowPage };
  createMaintenanceWindow: { input: { body: { name: string; description?: string | null; starts_at: string; ends_at: string; rrule?: string | null; timezone?: string | null; monitors?: (number)[] | null; groups?: (number)[] | null; tags?: (string)[] | null; good_rounds?: number | null; announce?: boolean | null; } }; answer: MaintenanceWindow };
  getMaintenanceWindow: { input: { path: { id: number; } }; answer: MaintenanceWindow };
  updateMaintenanceWindow: { input: { path: { id: number; }; body: { name?: string; description?: string | null; starts_at?: string; ends_at?: string; rrule?: string | null; timezone?: string | null; monitors?: (number)[] | null; groups?: (number)[] | null; tags?: (string)[] | null; good_rounds?: number | null; announce?: boolean | null; } }; answer: MaintenanceWindow };
  deleteMaintenanceWindow: { input: { path: { id: number; } }; answer: void };
  startMaintenance: { input: { body: { name?: string | null; minutes?: number | null; description?: string | null; monitors?: (number)[] | null; groups?: (number)[] | null; tags?: (string)[] | null; announce?: boolean | null; good_rounds?: number | null; } }; answer: MaintenanceWindow };
  endMaintenance: { input: { path: { id: number; } }; answer: MaintenanceWindow };
  listReports: { input: { query?: { search?: string; direction?: "asc" | "desc"; page?: number; per_page?: number; sort?: "created_at" | "name" | "updated_at"; } }; answer: ReportPage };
  createReport: { input: { body: { name: string; monitors?: (number)[] | null; group_id?: number | null; tags?: (string)[] | null; period?: "last_7_days" | "last_30_days" | "last_90_days" | "last_month" | null; frequency?: "none" | "weekly" | "monthly" | null; recipients?: (string)[] | null; timezone?: string | null; language?: "en" | "de" | "fr" | "es" | "pt" | "it" | "nl" | "ja" | "zh-CN" | null; status_page_id?: number | null; } }; answer: Report };
  getReport: { input: { path: { id: number; } }; answer: Report };
  updateReport: { input: { path: { id: number; }; body: { name?: string; monitors?: (number)[] | null; group_id?: number | null; tags?: (string)[] | null; period?: "last_7_days" | "last_30_days" | "last_90_days" | "last_month" | null; frequency?: "none" | "weekly" | "monthly" | null; recipients?: (string)[] | null; timezone?: string | null; language?: "en" | "de" | "fr" | "es" | "pt" | "it" | "nl" | "ja" | "zh-CN" | null; status_page_id?: number | null; } }; answer: Report };
  deleteReport: { input: { path: { id: number; } }; answer: void };
  getReportData: { input: { path: { id: number; }; query?: { period?: "last_7_days" | "last_30_days" | "last_90_days" | "last_month"; from?: unknown | unknown; to?: unknown | unknown; format?: "json" | "csv" | "pdf"; corrected?: "true" | "false"; delimiter?: "," | ";" | "tab"; } }; answer: ReportData };
  getUptimeReport: { input: { query?: { 'monitors[]'?: (number)[]; group_id?: number; tag?: (string)[]; period?: "last_7_days" | "last_30_days" | "last_90_days" | "last_month"; from?: unknown | unknown; to?: unknown | unknown; format?: "json" | "csv" | "pdf"; corrected?: "true" | "false"; delimiter?: "," | ";" | "tab"; timezone?: string; language?: "en" | "de" | "fr" | "es" | "pt" | "it" | "nl" | "ja" | "zh-CN"; } }; answer: ReportData };
  listReportRuns: { input: { path: { id: number; }; query?: { page?: number; per_page?: number; } }; answer: ReportRunPage };
  startReportRun: { input: { path: { id: number; }; body: { period?: "last_7_days" | "last_30_days" | "last_90_days" | "last_month" | null; from?: unknown | unknown; to?: unknown | unknown; format?: "json" | "csv" | "pdf" | null; corrected?: boolean | null; delimiter?: "," | ";" | "tab" | null; mail?: boolean | null; } }; answer: ReportRun };
  getReportRun: { input: { path: { id: number; } }; answer: ReportRun };
  getReportRunFile: { input: { path: { id: number; } }; answer: ReportData };
  listStatusPages: { input: { query?: { search?: string; direction?: "asc" | "desc"; page?: number; per_page?: number; sort?: "created_at" | "title" | "slug" | "updated_at"; } }; answer: StatusPagePage };
  createStatusPage: { input: { body: { name: string; slug?: string | null; description?: string | null; custom_domain?: string | null; settings?: { show_uptime_percentage?: boolean | null; show_response_time?: boolean | null; show_incident_history?: boolean | null; custom_css?: string | null; } | null; brand?: { accent?: string | null; font?: "system" | "inter" | "humanist" | "serif" | "monospace" | null; layout?: "narrow" | "wide" | null; links?: { site?: string | null; contact?: string | null; terms?: string | null; } | null; } | null; draft?: boolean | null; language?: "en" | "de" | "fr" | "es" | "pt" | "it" | "nl" | "ja" | "zh-CN" | null; timezone?: string | null; show_automatic?: { after_minutes: number; } | { never: true; } | null; subscribe_by?: ("email" | "slack" | "microsoft_teams" | "webhook" | "sms")[] | null; sms_channel_id?: number | null; access?: { type?: "public" | "password" | "members" | "addresses" | null; password?: string | null; addresses?: (string)[] | null; password_set?: boolean | null; } | null; monitors?: ({ id: number; label?: string | "" | null; display?: "bar" | "figure" | "response_time" | null; show_automatic?: { after_minutes: number; } | { never: true; } | null; })[] | null; groups?: ({ name: string; monitors: (number)[]; })[] | null; } }; answer: StatusPage };
  getStatusPage: { input: { path: { id: number; } }; answer: StatusPage };
  updateStatusPage: { input: { path: { id: number; }; body: { name?: string; slug?: string | null; description?: string | null; custom_domain?: string | null; settings?: { show_uptime_percentage?: boolean | null; show_response_time?: boolean | null; show_incident_history?: boolean | null; custom_css?: string | null; } | null; brand?: { accent?: string | null; font?: "system" | "inter" | "humanist" | "serif" | "monospace" | null; layout?: "narrow" | "wide" | null; links?: { site?: string | null; contact?: string | null; terms?: string | null; } | null; } | null; draft?: boolean | null; language?: "en" | "de" | "fr" | "es" | "pt" | "it" | "nl" | "ja" | "zh-CN" | null; timezone?: string | null; show_automatic?: { after_minutes: number; } | { never: true; } | null; subscribe_by?: ("email" | "slack" | "microsoft_teams" | "webhook" | "sms")[] | null; sms_channel_id?: number | null; access?: { type?: "public" | "password" | "members" | "addresses" | null; password?: string | null; addresses?: (string)[] | null; password_set?: boolean | null; } | null; monitors?: ({ id: number; label?: string | "" | null; display?: "bar" | "figure" | "response_time" | null; show_automatic?: { after_minutes: number; } | { never: true; } | null; })[] | null; groups?: ({ name: string; monitors: (number)[]; })[] | null; } }; answer: StatusPage };
  deleteStatusPage: { input: { path: { id: number; } }; answer: void };
  setStatusPageLogo: { input: { path: { id: number; }; body: { content: string; } }; answer: StatusPage };
  deleteStatusPageLogo: { input: { path: { id: number; } }; answer: void };
  setStatusPageImage: { input: { path: { id: number; image: "logo" | "logo_dark" | "favicon" | "social_image"; }; body: { content: string; } }; answer: StatusPage };
  deleteStatusPageImage: { input: { path: { id: number; image: "logo" | "logo_dark" | "favicon" | "social_image"; } }; answer: void };
  verifyStatusPageDomain: { input: { path: { id: number; } }; answer: StatusPage };
  previewStatusPage: { input: { body: { name?: string; slug?: string | null; description?: string | null; custom_domain?: string | null; settings?: { show_uptime_percentage?: boolean | null; show_response_time?: boolean | null; show_incident_history?: boolean | null; custom_css?: string | null; } | null; brand?: { accent?: string | null; font?: "system" | "inter" | "humanist" | "serif" | "monospace" | null; layout?: "narrow" | "wide" | null; links?: { site?: string | null; contact?: string | null; terms?: string | null; } | null; } | null; draft?: boolean | null; language?: "en" | "de" | "fr" | "es" | "pt" | "it" | "nl" | "ja" | "zh-CN" | null; timezone?: string | null; show_automatic?: { after_minutes: number; } | { never: true; } | null; subscribe_by?: ("email" | "slack" | "microsoft_teams" | "webhook" | "sms")[] | null; sms_channel_id?: number | null; access?: { type?: "public" | "password" | "members" | "addresses" | null; password?: string | null; addresses?: (string)[] | null; password_set?: boolean | null; } | null; monitors?: ({ id: number; label?: string | "" | null; display?: "bar" | "figure" | "response_time" | null; show_automatic?: { after_minutes: number; } | { never: true; } | null; })[] | null; groups?: ({ name: string; monitors: (number)[]; })[] | null; id?: number | null; } }; answer: { html: string; css: string; } };
  listSubscribers: { input: { path: { id: number; }; query?: { kind?: "email" | "slack" | "microsoft_teams" | "webhook" | "sms"; state?: "pending" | "active" | "ended"; direction?: "asc" | "desc"; page?: number; per_page?: number; } }; answer: SubscriberPage };
  createSubscriber: { input: { path: { id: number; }; body: { kind?: "email" | "slack" | "microsoft_teams" | "webhook" | "sms" | null; address: string; monitors?: (number)[] | null; } }; answer: CreatedSubscriber };
  getSubscriber: { input: { path: { id: number; subscriber: number; } }; answer: Subscriber };
  deleteSubscriber: { input: { path: { id: number; subscriber: number; } }; answer: void };
  exportSubscribers: { input: { path: { id: number; }; query?: { format?: "csv" | "json"; } }; answer: { data: (Subscriber)[]; } };
  importSubscribers: { input: { path: { id: number; }; body: { csv: string; consent?: string | null; dry_run?: boolean | null; } }; answer: SubscriberImport };
  getPlan: { input: {  }; answer: Plan };
  listTeams: { input: {  }; answer: TeamList };
  createTeam: { input: { body: { name: string; } }; answer: Team };
  switchTeam: { input: { path: { id: number; } }; answer: Team };
  getTeam: { input: { path: { id: number; } }; answer: WholeTeam };
  updateTeam: { input: { path: { id: number; }; body: { name?: string; mfa_required?: boolean; } }; answer: WholeTeam };
  deleteTeam: { input: { path: { id: number; }; query?: { name?: string; } }; answer: void };
  transferTeam: { input: { path: { id: number; }; body: { user_id: number; } }; answer: Team };
  leaveTeam: { input: { path: { id: number; } }; answer: LeftTeam };
  listUsers: { input: {  }; answer: UserList };
  updateUser: { input: { path: { id: number; }; body: { role?: "admin" | "editor" | "viewer"; status?: "active" | "disabled"; } }; answer: User };
  deleteUser: { input: { path: { id: number; } }; answer: void };
  listInvitations: { input: {  }; answer: InvitationList };
  createInvitation: { input: { body: { email: string; role: "admin" | "editor" | "viewer"; } }; answer: SentInvitation };
  updateInvitation: { input: { path: { id: number; }; body: { role: "admin" | "editor" | "viewer"; } }; answer: Invitation };
  deleteInvitation: { input: { path: { id: number; } }; answer: void };
  resendInvitation: { input: { path: { id: number; } }; answer: SentInvitation };
  acceptInvitation: { input: { body: { token: string; name?: string | null; password?: string | null; timezone?: string | null; } }; answer: AcceptedInvitation };
  previewInvitation: { input: { query?: { token?: string; } }; answer: InvitationPreview };
  getAlertLink: { input: { query?: { token?: string; } }; answer: SentAlert };
  acknowledgeAlertLink: { input: { body: { token: string; } }; answer: AcknowledgedAlert };
  createResetLink: { input: { path: { id: number; } }; answer: ResetLink };
  planConfiguration: { input: { body: { document: { [key: string]: unknown; }; prune?: boolean | null; delete_history?: boolean | null; max_deletions?: number | null; } }; answer: ConfigurationPlan };
  applyConfiguration: { input: { body: { document: { [key: string]: unknown; }; prune?: boolean | null; delete_history?: boolean | null; max_deletions?: number | null; } }; answer: ConfigurationPlan };
  exportConfiguration: { input: { query?: { name?: string; } }; answer: ExportedConfiguration };
  listConfigurationSets: { input: {  }; answer: ConfigurationSetList };
  listConfigurationItems: { input: { query?: { section?: "groups" | "monitors" | "alert_channels" | "alert_routes" | "webhook_endpoints" | "maintenance_windows" | "status_pages" | "reports" | "update_templates" | "walls"; id?: number; } }; answer: ConfigurationItemList };
  deleteConfigurationSet: { input: { path: { id: number; } }; answer: void };
  importConfiguration: { input: { body: { service: "uptime-kuma" | "uptimerobot" | "healthchecks" | "gatus" | "better-stack" | "checkly" | "statuscake" | "blackbox" | "tocsin"; file: string; text: string; team?: string | null; } }; answer: ImportedConfiguration };
  listAuditLog: { input: { query?: { direction?: "asc" | "desc"; page?: number; per_page?: number; action?: string; target_type?: "monitor" | "incident" | "team" | "member" | "invitation" | "token" | "session" | "person" | "notification_channel" | "announcement" | "subscriber" | "correction" | "slo" | "application" | "configuration_set" | "update_template" | "wall" | "group" | "alert_channel" | "alert_route" | "webhook_endpoint" | "maintenance_window" | "report" | "status_page"; target_id?: number; user_id?: number; search?: string; start_date?: string; end_date?: string; format?: "json" | "csv"; } }; answer: AuditLogPage };
}

export type ResultEvent = {
  event: "result";
  id: string;
  data: { monitor_id: number; started_at: string; kind: "voted" | "stale" | "manual"; verdict: "up" | "regional" | "down" | "unknown"; regions: ({ region: string; vote: "up" | "down" | "unknown"; checked_at: string; response_time: number | null; status_code: number | null; failure_code: string | null; })[]; };
};

export type SettingsEvent = {
  event: "settings";
  id: string;
  data: { what: "update-templates" | "walls" | "groups" | "alert-channels" | "alert-routes" | "webhook-endpoints" | "maintenance-windows" | "reports" | "status-pages" | "subscribers" | "announcements" | "members" | "team" | "corrections" | "configuration-sets"; };
};

export type WhoAmI = {
  user: Account;
  team: { id: number; name: string; slug: string; personal_team: boolean; } | null;
  role?: "owner" | "admin" | "editor" | "viewer" | null;
  withheld?: "mfa_required" | null;
  token: { name: string; permissions: ("read" | "create" | "update" | "delete")[]; };
  api: { name: string; version: string; };
};

export type TokenTest = {
  message: string;
  user: { id: number; name: string; email: string; };
};

export type Account = {
  id: number;
  name: string;
  email: string;
  timezone: string;
};

export type Installation = {
  version: string;
  base_url: string;
  database: "sqlite" | "postgres";
  free_bytes: number | null;
  mail_configured: boolean;
  open_signup: boolean;
  sign_in_providers: (string)[];
  plans: (string)[];
  regions: ({ code: string; title: string; team_id?: number; vantage: string | null; last_seen_at: string | null; probes: (Probe)[]; })[];
  evaluated_at: string | null;
  problems: ({ kind: "rounds_late" | "deliveries_waiting" | "region_without_probe" | "shards_unowned" | "process_silent" | "role_missing" | "clock_off" | "files_refused" | "disk_low" | "discovery_failing"; subject: string; since: string; text: string; value: number | null; processes: (string)[]; })[];
  processes: ({ name: string; roles: (string)[]; version: string; started_at: string; last_seen_at: string; schedule_lag_ms: number | null; checks_due: number | null; checks_late: number | null; probes: { [key: string]: number; } | null; clock_offset_ms: number | null; })[];
  settings: ({ name: string; meaning: string; default: string; value: string | null; is_default: boolean; is_secret: boolean; })[];
};

export type TokenList = {
  data: (Token)[];
};

export type NewToken = {
  id: number;
  name: string;
  permissions: ("read" | "create" | "update" | "delete")[];
  expires_at: string | null;
  token: string;
  created_at: string;
};

export type SessionList = {
  data: (Session)[];
};

export type ConnectedApplicationList = {
  total: number;
  data: (ConnectedApplication)[];
};

export type SignInOptions = {
  providers: ({ id: "oidc" | "github" | "google"; name: string; })[];
  open_signup: boolean;
  reset_by_mail: boolean;
  setup_pending: boolean;
};

export type SetupState = {
  email: string | null;
  team_name: string | null;
};

export type SetupDone = {
  user: { id: number; name: string; email: string; timezone: string; };
  team: { id: number; name: string; slug: string; personal_team: boolean; } | null;
};

export type MonitorPage = {
  data: (Monitor)[];
  current_page: number;
  per_page: number;
  total: number;
  last_page: number;
  from: number | null;
  to: number | null;
  first_page_url: string;
  last_page_url: string;
  next_page_url: string | null;
  prev_page_url: string | null;
  path: string;
};

export type MonitorSettings = {
  monitor_type?: "http" | "ping" | "port" | "heartbeat" | "cron" | null;
  url?: string | null;
  check_interval?: number | null;
  port?: number | null;
  friendly_name?: string | null;
  group_id?: number | null;
  tags?: (string)[] | null;
  monitored_regions?: (string)[] | null;
  accepted_status_codes?: (number | string)[] | null;
  follow_redirects?: boolean | null;
  request_timeout?: number | null;
  verify_ssl?: boolean | null;
  ssl_expiry_threshold?: number | null;
  domain_expiry_threshold?: number | null;
  error_text_detection?: boolean | null;
  slow_response_threshold?: number | null;
  failure_threshold?: number | null;
  recovery_threshold?: number | null;
  check_both_families?: boolean | null;
  depends_on?: (number)[] | null;
  notification_settings?: NotificationSettings | null;
  heartbeat_interval?: number | null;
  heartbeat_cron_expression?: string | null;
  heartbeat_timezone?: string | null;
  heartbeat_grace?: number | null;
  heartbeat_wait_for_first_ping?: boolean | null;
  heartbeat_max_runtime?: number | null;
  check_types?: ("ssl" | "dns" | "domain" | "keyword" | "json")[] | null;
  http_method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS" | null;
  request_headers?: { [key: string]: string; } | null;
  request_body?: string | null;
  keyword_settings?: KeywordSettings | null;
  json_assertion_settings?: JsonAssertionSettings | null;
  auth_type?: "basic" | "bearer" | "digest" | null;
  auth_username?: string | null;
  auth_password?: string | null;
};

export type Monitor = {
  id: number;
  monitor_type: "http" | "ping" | "port" | "heartbeat" | "cron";
  url: string;
  check_interval: number | null;
  port: number | null;
  friendly_name: string | null;
  group_id: number | null;
  tags: (string)[];
  monitored_regions: (string)[];
  accepted_status_codes: (number | string)[] | null;
  follow_redirects: boolean;
  request_timeout: number;
  verify_ssl: boolean;
  ssl_expiry_threshold: number;
  domain_expiry_threshold: number;
  error_text_detection: boolean;
  slow_response_threshold: number | null;
  failure_threshold: number;
  recovery_threshold: number;
  check_both_families: boolean;
  depends_on: (number)[];
  notification_settings: NotificationSettings | null;
  heartbeat_interval: number | null;
  heartbeat_cron_expression: string | null;
  heartbeat_timezone: string | null;
  heartbeat_grace: number | null;
  heartbeat_wait_for_first_ping: boolean | null;
  heartbeat_max_runtime: number | null;
  check_types: ("ssl" | "dns" | "domain" | "keyword" | "json")[];
  http_method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS" | null;
  request_headers: { [key: string]: string; } | null;
  request_body: string | null;
  keyword_settings: KeywordSettings | null;
  json_assertion_settings: JsonAssertionSettings | null;
  auth_type: "basic" | "bearer" | "digest" | null;
  auth_username: string | null;
  ping_url: string | null;
  status: "online" | "offline" | "degraded" | "pending";
  observed_until: string | null;
  is_paused: boolean;
  last_checked_at: string | null;
  next_check_at: string | null;
  last_heartbeat_at: string | null;
  heartbeat_expected_at: string | null;
  created_at: string;
  updated_at: string;
};

export type MonitorDetail = {
  id: number;
  monitor_type: "http" | "ping" | "port" | "heartbeat" | "cron";
  url: string;
  check_interval: number | null;
  port: number | null;
  friendly_name: string | null;
  group_id: number | null;
  tags: (string)[];
  monitored_regions: (string)[];
  accepted_status_codes: (number | string)[] | null;
  follow_redirects: boolean;
  request_timeout: number;
  verify_ssl: boolean;
  ssl_expiry_threshold: number;
  domain_expiry_threshold: number;
  error_text_detection: boolean;
  slow_response_threshold: number | null;
  failure_threshold: number;
  recovery_threshold: number;
  check_both_families: boolean;
  depends_on: (number)[];
  notification_settings: NotificationSettings | null;
  heartbeat_interval: number | null;
  heartbeat_cron_expression: string | null;
  heartbeat_timezone: string | null;
  heartbeat_grace: number | null;
  heartbeat_wait_for_first_ping: boolean | null;
  heartbeat_max_runtime: number | null;
  check_types: ("ssl" | "dns" | "domain" | "keyword" | "json")[];
  http_method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS" | null;
  request_headers: { [key: string]: string; } | null;
  request_body: string | null;
  keyword_settings: KeywordSettings | null;
  json_assertion_settings: JsonAssertionSettings | null;
  auth_type: "basic" | "bearer" | "digest" | null;
  auth_username: string | null;
  ping_url: string | null;
  status: "online" | "offline" | "degraded" | "pending";
  observed_until: string | null;
  is_paused: boolean;
  last_checked_at: string | null;
  next_check_at: string | null;
  last_heartbeat_at: string | null;
  heartbeat_expected_at: string | null;
  created_at: string;
  updated_at: string;
  incidents: (Incident)[];
  response_times: (ResponseTime)[];
};

export type PauseResult = {
  success: true;
  message: string;
  monitor: { id: number; url: string; is_paused: boolean; };
};

export type BulkCreateResult = {
  created: number;
  results: (BulkCreated | BulkRefused)[];
};

export type BulkActionResult = {
  matched: number;
  changed: number;
  ids: (number)[];
};

export type MonitorTestSettings = {
  monitor_type?: "http" | "ping" | "port" | "heartbeat" | "cron" | null;
  url?: string | null;
  check_interval?: number | null;
  port?: number | null;
  friendly_name?: string | null;
  group_id?: number | null;
  tags?: (string)[] | null;
  monitored_regions?: (string)[] | null;
  accepted_status_codes?: (number | string)[] | null;
  follow_redirects?: boolean | null;
  request_timeout?: number | null;
  verify_ssl?: boolean | null;
  ssl_expiry_threshold?: number | null;
  domain_expiry_threshold?: number | null;
  error_text_detection?: boolean | null;
  slow_response_threshold?: number | null;
  failure_threshold?: number | null;
  recovery_threshold?: number | null;
  check_both_families?: boolean | null;
  depends_on?: (number)[] | null;
  notification_settings?: NotificationSettings | null;
  heartbeat_interval?: number | null;
  heartbeat_cron_expression?: string | null;
  heartbeat_timezone?: string | null;
  heartbeat_grace?: number | null;
  heartbeat_wait_for_first_ping?: boolean | null;
  heartbeat_max_runtime?: number | null;
  check_types?: ("ssl" | "dns" | "domain" | "keyword" | "json")[] | null;
  http_method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS" | null;
  request_headers?: { [key: string]: string; } | null;
  request_body?: string | null;
  keyword_settings?: KeywordSettings | null;
  json_assertion_settings?: JsonAssertionSettings | null;
  auth_type?: "basic" | "bearer" | "digest" | null;
  auth_username?: string | null;
  auth_password?: string | null;
  id?: number | null;
};

export type MonitorTest = {
  monitor_type: "http" | "ping" | "port" | "heartbeat" | "cron";
  checked_at: string;
  verdict: { status: "online" | "degraded" | "offline" | "unknown"; failure_threshold: number; problems: (FoundProblem)[]; };
  regions: (RegionTest)[];
  ssl: SslOutcome | null;
  dns: DnsOutcome | null;
  domain: DomainOutcome | null;
  not_run: { [key: string]: string; };
  expected_pings: (string)[] | null;
};

export type MonitorValidation = {
  valid: boolean;
  errors: { [key: string]: (string)[]; };
};

export type MonitorOverview = {
  generated_at: string;
  slot_minutes: 30;
  bar_starts_at: string;
  regions: (string)[];
  groups: ({ id: number; name: string; parent_id?: number; })[];
  monitors: (OverviewMonitor)[];
};

export type Attention = {
  checked_at: string;
  summary: { monitors: number; online: number; degraded: number; offline: number; pending: number; paused: number; not_observed: number; in_maintenance: number; };
  total: number;
  data: (AttentionItem)[];
};

export type ExpirationPage = {
  data: (Expiration)[];
  current_page: number;
  per_page: number;
  total: number;
  last_page: number;
  from: number | null;
  to: number | null;
  first_page_url: string;
  last_page_url: string;
  next_page_url: string | null;
  prev_page_url: string | null;
  path: string;
};

export type UptimeSummary = {
  period: "last_24_hours" | "last_7_days" | "last_30_days";
  from: string;
  to: string;
  monitors: number;
  monitors_measured: number;
  by_status: { online: number; degraded: number; offline: number; pending: number; paused: number; not_observed: number; };
  incidents: number;
  open_incidents: number;
  uptime_percent: number | null;
  observed_percent: number | null;
  downtime_seconds: number;
  worst: (UptimeOfMonitor)[];
};

export type CheckResult = {
  uptime: { is_up: boolean; status: "online" | "offline"; response_time: number | null; status_code: number | null; checked_from_region: string; error: string | null; timings: { dns_ms: number | null; tcp_ms: number | null; tls_ms: number | null; ttfb_ms: number | null; total_ms: number | null; }; families?: { ipv4: FamilyOutcome; ipv6: FamilyOutcome; }; };
  ssl: SslOutcome | null;
  dns?: DnsOutcome | null;
  domain?: DomainOutcome | null;
  keyword?: ContentOutcome | null;
  json?: ContentOutcome | null;
  not_run: { [key: string]: string; };
};

export type IncidentPage = {
  data: (Incident)[];
  current_page: number;
  per_page: number;
  total: number;
  last_page: number;
  from: number | null;
  to: number | null;
  first_page_url: string;
  last_page_url: string;
  next_page_url: string | null;
  prev_page_url: string | null;
  path: string;
};

export type Incident = {
  id: number;
  monitor_id: number;
  type: "uptime" | "keyword" | "json_assertion" | "ssl" | "domain" | "dns" | "regional" | "dual_stack" | "slow_response" | "heartbeat" | "error_budget" | "manual";
  severity: "critical" | "warning" | "info";
  status: "open" | "resolved";
  root_cause: string | null;
  started_at: string;
  ended_at: string | null;
  duration: number | null;
  duration_seconds: number | null;
  acknowledged_at: string | null;
  acknowledged_by: number | null;
  is_regional: boolean;
  region: string | null;
  counted_as: "maintenance" | "false_alarm" | "excluded" | "up" | "down" | null;
  created_at: string;
  updated_at: string;
  monitor: { id: number; url: string; friendly_name: string | null; };
};

export type IncidentDetail = {
  id: number;
  monitor_id: number;
  type: "uptime" | "keyword" | "json_assertion" | "ssl" | "domain" | "dns" | "regional" | "dual_stack" | "slow_response" | "heartbeat" | "error_budget" | "manual";
  severity: "critical" | "warning" | "info";
  status: "open" | "resolved";
  root_cause: string | null;
  started_at: string;
  ended_at: string | null;
  duration: number | null;
  duration_seconds: number | null;
  acknowledged_at: string | null;
  acknowledged_by: number | null;
  is_regional: boolean;
  region: string | null;
  counted_as: "maintenance" | "false_alarm" | "excluded" | "up" | "down" | null;
  created_at: string;
  updated_at: string;
  monitor: { id: number; url: string; friendly_name: string | null; };
  unobserved_seconds: number | null;
  activities: (IncidentActivity)[];
  evidence: (IncidentEvidence)[];
};

export type Acknowledgement = {
  success: true;
  message: string;
  incident: Incident;
};

export type IncidentActivity = {
  id: number;
  type: "opened" | "resolved" | "reopened" | "acknowledged" | "root_cause_changed" | "failed_again" | "target_changed" | "note";
  description: string;
  user: { id: number; name: string | null; } | null;
  created_at: string;
};

export type ResultPage = {
  data: (Result)[];
  current_page: number;
  per_page: number;
  total: number;
  last_page: number;
  from: number | null;
  to: number | null;
  first_page_url: string;
  last_page_url: string;
  next_page_url: string | null;
  prev_page_url: string | null;
  path: string;
};

export type Uptime = {
  monitor_id: number;
  from: string;
  to: string;
  uptime_percent: number | null;
  observed_percent: number | null;
  up_seconds: number;
  degraded_seconds: number;
  down_seconds: number;
  excluded_seconds: number;
  unobserved_seconds: number;
  incidents: number;
  mttr_seconds: number | null;
  mtbf_seconds: number | null;
  response_time: { p50: number | null; p95: number | null; p99: number | null; count: number; };
  corrected: boolean;
  uncorrected: UncorrectedUptime;
  data?: (UptimePart)[];
};

export type PingPage = {
  data: (Ping)[];
  current_page: number;
  per_page: number;
  total: number;
  last_page: number;
  from: number | null;
  to: number | null;
  first_page_url: string;
  last_page_url: string;
  next_page_url: string | null;
  prev_page_url: string | null;
  path: string;
};

export type PingAliasPage = {
  data: (PingAlias)[];
  current_page: number;
  per_page: number;
  total: number;
  last_page: number;
  from: number | null;
  to: number | null;
  first_page_url: string;
  last_page_url: string;
  next_page_url: string | null;
  prev_page_url: string | null;
  path: string;
};

export type PingAlias = {
  id: number;
  service: "healthchecks" | "uptime_kuma" | "uptimerobot" | "better_stack" | "cronitor";
  created_at: string;
  last_used_at: string | null;
};

export type DnsRecordSetPage = {
  data: (DnsRecordSet)[];
  current_page: number;
  per_page: number;
  total: number;
  last_page: number;
  from: number | null;
  to: number | null;
  first_page_url: string;
  last_page_url: string;
  next_page_url: string | null;
  prev_page_url: string | null;
  path: string;
};

export type CertificatePage = {
  data: (Certificate)[];
  current_page: number;
  per_page: number;
  total: number;
  last_page: number;
  from: number | null;
  to: number | null;
  first_page_url: string;
  last_page_url: string;
  next_page_url: string | null;
  prev_page_url: string | null;
  path: string;
};

export type MonitorActivityPage = {
  data: (MonitorActivity)[];
  current_page: number;
  per_page: number;
  total: number;
  last_page: number;
  from: number | null;
  to: number | null;
  first_page_url: string;
  last_page_url: string;
  next_page_url: string | null;
  prev_page_url: string | null;
  path: string;
};

export type ResponseTimes = {
  monitor_id: number;
  from: string;
  to: string;
  step_seconds: number;
  aggregate: "median";
  phase_aggregate: "mean";
  at: (string)[];
  regions: { [key: string]: { p50: (number | null)[]; p95: (number | null)[]; }; };
  all: { p50: (number | null)[]; p95: (number | null)[]; p99: (number | null)[]; };
  phases: { dns_ms: (number | null)[]; tcp_ms: (number | null)[]; tls_ms: (number | null)[]; ttfb_ms: (number | null)[]; };
  outages: ({ from: string; to: string; count?: number; status: "offline" | "degraded"; })[];
  maintenance: ({ from: string; to: string; count?: number; })[];
  unobserved: ({ from: string; to: string; count?: number; })[];
  paused: ({ from: string; to: string; count?: number; })[];
};

export type MonitorDays = {
  monitor_id: number;
  timezone: string;
  data: (MonitorDay)[];
};

export type CorrectionPage = {
  data: (Correction)[];
  current_page: number;
  per_page: number;
  total: number;
  last_page: number;
  from: number | null;
  to: number | null;
  first_page_url: string;
  last_page_url: string;
  next_page_url: string | null;
  prev_page_url: string | null;
  path: string;
};

export type Correction = {
  id: number;
  monitor_id: number;
  from: string;
  to: string;
  as: "maintenance" | "false_alarm" | "excluded" | "up" | "down";
  reason: string;
  evidence: string | null;
  created_by: { id: number; name: string | null; } | null;
  created_at: string;
  removed_by: { id: number; name: string | null; } | null;
  removed_at: string | null;
};

export type ImportedDay = {
  date: string;
  up_seconds: number;
  down_seconds: number;
};

export type ImportedDays = {
  monitor_id: number;
  source: string;
  days: number;
  first: string | null;
  last: string | null;
};

export type ImportedSetDays = {
  monitors: number;
  days: number;
};

export type SloPage = {
  data: (ListedSlo)[];
  current_page: number;
  per_page: number;
  total: number;
  last_page: number;
  from: number | null;
  to: number | null;
  first_page_url: string;
  last_page_url: string;
  next_page_url: string | null;
  prev_page_url: string | null;
  path: string;
};

export type Slo = {
  id: number;
  monitor_id: number;
  target_percent: number;
  window_days: number;
  burn_rate_alerts: boolean;
  burning: "fast" | "slow" | null;
  error_budget: { from: string; to: string; budget_seconds: number; spent_seconds: number; left_seconds: number; left_percent: number | null; burn_rate_1h: number; burn_rate_6h: number; };
  created_at: string;
  updated_at: string;
};

export type UrlCheck = {
  url: string;
  checked_at: string;
  verdict: "up" | "partial" | "down" | "unknown";
  reachable_regions: number;
  total_regions: number;
  vantage_points: number;
  results: (UrlReach)[];
};

export type RegionList = {
  data: (Region)[];
};

export type CronPreview = {
  expression: string;
  timezone: string;
  description: string;
  data: (string)[];
};

export type IncidentRounds = {
  incident_id: number;
  monitor_id: number;
  rule: { regions: number; votes_needed: number; failure_threshold: number; recovery_threshold: number; slow_response_threshold: number | null; } | null;
  rounds: (IncidentRound)[];
  reason: { code: "not_kept" | "not_automatic" | "push" | "inspection" | "error_budget"; text: string; } | null;
  expectation: { expected_at: string | null; grace_seconds: number; last_ping: { kind: "success" | "failure" | "start" | "log"; received_at: string; } | null; } | null;
};

export type IncidentNotificationPage = {
  data: (IncidentNotification)[];
  current_page: number;
  per_page: number;
  total: number;
  last_page: number;
  from: number | null;
  to: number | null;
  first_page_url: string;
  last_page_url: string;
  next_page_url: string | null;
  prev_page_url: string | null;
  path: string;
};

export type AnnouncementUpdateList = {
  total: number;
  data: (AnnouncementUpdate)[];
};

export type AnnouncementUpdate = {
  id: number;
  announcement_id: number;
  state: "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed";
  text: string | null;
  status_pages: (number)[];
  user_id: number | null;
  edited_at: string | null;
  created_at: string;
};

export type AnnouncementUpdateVersions = {
  total: number;
  data: ({ number: number; state: "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed"; text: string | null; status_pages: (number)[]; replaced_by: number | null; replaced_at: string; })[];
};

export type AnnouncementPage = {
  data: (Announcement)[];
  current_page: number;
  per_page: number;
  total: number;
  last_page: number;
  from: number | null;
  to: number | null;
  first_page_url: string;
  last_page_url: string;
  next_page_url: string | null;
  prev_page_url: string | null;
  path: string;
};

export type AnnouncementDetail = {
  id: number;
  kind: "incident" | "maintenance";
  title: string | null;
  impact: "none" | "minor" | "major" | "critical";
  started_at: string;
  planned_until: string | null;
  monitors: (number)[];
  status_pages: (number)[];
  post_mortem: { text: string; published_at: string | null; } | null;
  state: "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed";
  ended_at: string | null;
  origin: "automatic" | "window" | "person";
  incidents: (number)[];
  created_at: string;
  updated_at: string;
  updates: (AnnouncementUpdate)[];
};

export type UpdateTemplateList = {
  total: number;
  data: (UpdateTemplate)[];
};

export type UpdateTemplate = {
  id: number;
  name: string;
  title: string | null;
  state: "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed";
  text: string;
  created_at: string;
  updated_at: string;
};

export type WallList = {
  total: number;
  data: (Wall)[];
};

export type Wall = {
  id: number;
  name: string;
  url: string;
  created_at: string;
  updated_at: string;
};

export type WallView = {
  name: string;
  team: string;
  generated_at: string;
  groups: ({ id: number; name: string; })[];
  monitors: ({ id: number; name: string; group_id?: number; status: "online" | "offline" | "degraded" | "pending"; since: number; is_paused?: true; observed_until?: number; maintenance_until?: number; })[];
};

export type GroupList = {
  total: number;
  data: (Group)[];
};

export type Group = {
  id: number;
  name: string;
  description: string | null;
  parent_id: number | null;
  sort_order: number;
  monitors_count: number;
  created_at: string;
  updated_at: string;
};

export type AlertChannelPage = {
  data: (AlertChannel)[];
  current_page: number;
  per_page: number;
  total: number;
  last_page: number;
  from: number | null;
  to: number | null;
  first_page_url: string;
  last_page_url: string;
  next_page_url: string | null;
  prev_page_url: string | null;
  path: string;
};

export type AlertChannel = {
  id: number;
  type: "email" | "slack" | "discord" | "microsoft_teams" | "telegram" | "pagerduty" | "opsgenie" | "ntfy" | "pushover" | "gotify" | "mattermost" | "google_chat" | "sms";
  name: string;
  enabled: boolean;
  is_default: boolean;
  severities: ("critical" | "warning" | "info")[];
  quiet_hours: QuietHours | null;
  timezone: string | null;
  settings: { [key: string]: string | number | (string)[] | null; };
  warnings: (string)[];
  last_delivered_at: string | null;
  failing_since: string | null;
  last_error: string | null;
  created_at: string;
  updated_at: string;
};

export type ChannelTest = {
  success: boolean;
  message: string;
};

export type ChannelDeliveryPage = {
  data: (ChannelDelivery)[];
  current_page: number;
  per_page: number;
  total: number;
  last_page: number;
  from: number | null;
  to: number | null;
  first_page_url: string;
  last_page_url: string;
  next_page_url: string | null;
  prev_page_url: string | null;
  path: string;
};

export type NotificationChannelList = {
  data: (NotificationChannel)[];
};

export type NotificationChannel = {
  id: "email" | "slack" | "discord" | "microsoft_teams" | "telegram" | "pagerduty" | "opsgenie" | "ntfy" | "pushover" | "gotify" | "mattermost" | "google_chat" | "sms" | "web_push";
  type: "email" | "slack" | "discord" | "microsoft_teams" | "telegram" | "pagerduty" | "opsgenie" | "ntfy" | "pushover" | "gotify" | "mattermost" | "google_chat" | "sms" | "web_push";
  title: string;
  name: string;
  enabled: boolean;
  severities: ("critical" | "warning" | "info")[];
  quiet_hours: QuietHours | null;
  timezone: string | null;
  warnings: (string)[];
  last_delivered_at: string | null;
  failing_since: string | null;
  last_error: string | null;
  settings: { [key: string]: string | number | (string)[] | null; } | null;
  webhook_url?: string | null;
  phone_number?: string | null;
  email?: string;
  verified?: boolean;
  configured: boolean;
  available: boolean;
  fields: (ChannelSetting)[];
  public_key: string | null;
};

export type AlertRouteList = {
  total: number;
  data: (AlertRoute)[];
};

export type AlertRoute = {
  id: number;
  name: string;
  monitors: (number)[];
  groups: (number)[];
  tags: (string)[];
  severities: ("critical" | "warning" | "info")[];
  channels: (number)[];
  users: (number)[];
  reminder_minutes: number | null;
  escalation: ({ after_minutes: number; channels: (number)[]; users: (number)[]; })[];
  sort_order: number;
  scope: "everything" | "some" | "nothing";
  created_at: string;
  updated_at: string;
};

export type AlertPreview = {
  monitor_id: number;
  type: "uptime" | "keyword" | "json_assertion" | "ssl" | "domain" | "dns" | "regional" | "dual_stack" | "slow_response" | "heartbeat" | "error_budget";
  severity: "critical" | "warning" | "info";
  holds: (AlertHold)[];
  data: (PreviewedTarget)[];
};

export type WebhookEndpointList = {
  total: number;
  data: (WebhookEndpoint)[];
};

export type WebhookEndpoint = {
  id: number;
  name: string;
  auth_type: "none" | "bearer" | "basic" | "header";
  auth_header_name: string | null;
  severities: ("critical" | "warning" | "info")[];
  is_active: boolean;
  url_host: string;
  deactivated_reason: string | null;
  has_signing_secret: boolean;
  previous_secret_until: string | null;
  last_delivered_at: string | null;
  failing_since: string | null;
  last_error: string | null;
  created_at: string;
  updated_at: string;
};

export type WebhookSecret = {
  signing_secret: string;
  previous_valid_until: string | null;
};

export type WebhookDeliveryPage = {
  data: (WebhookDelivery)[];
  current_page: number;
  per_page: number;
  total: number;
  last_page: number;
  from: number | null;
  to: number | null;
  first_page_url: string;
  last_page_url: string;
  next_page_url: string | null;
  prev_page_url: string | null;
  path: string;
};

export type WebhookDeliveryDetails = {
  id: number;
  message_id: string;
  event: string | null;
  incident_id: number | null;
  status: "pending" | "delivered" | "failed" | "expired";
  attempts_count: number;
  last_status_code: number | null;
  last_error: string | null;
  created_at: string;
  finished_at: string | null;
  next_attempt_at: string | null;
  body: string;
  attempts: ({ number: number; at: string; duration_ms: number; status_code: number | null; error: string | null; response: string | null; })[];
};

export type MaintenanceWindowPage = {
  data: (MaintenanceWindow)[];
  current_page: number;
  per_page: number;
  total: number;
  last_page: number;
  from: number | null;
  to: number | null;
  first_page_url: string;
  last_page_url: string;
  next_page_url: string | null;
  prev_page_url: string | null;
  path: string;
};

export type MaintenanceWindow = {
  id: number;
  name: string;
  description: string | null;
  starts_at: string;
  ends_at: string;
  rrule: string | null;
  timezone: string;
  monitors: (number)[];
  groups: (number)[];
  tags: (string)[];
  good_rounds: number | null;
  announce: boolean;
  monitors_covered: number;
  warnings: (string)[];
  status: "scheduled" | "active" | "over";
  active_until: string | null;
  next_starts_at: string | null;
  next_ends_at: string | null;
  created_at: string;
  updated_at: string;
};

export type ReportPage = {
  data: (Report)[];
  current_page: number;
  per_page: number;
  total: number;
  last_page: number;
  from: number | null;
  to: number | null;
  first_page_url: string;
  last_page_url: string;
  next_page_url: string | null;
  prev_page_url: string | null;
  path: string;
};

export type Report = {
  id: number;
  name: string;
  monitors: (number)[];
  group_id: number | null;
  tags: (string)[];
  period: "last_7_days" | "last_30_days" | "last_90_days" | "last_month";
  frequency: "none" | "weekly" | "monthly";
  recipients: (string)[];
  timezone: string;
  language: "en" | "de" | "fr" | "es" | "pt" | "it" | "nl" | "ja" | "zh-CN";
  status_page_id: number | null;
  unsubscribed: (string)[];
  next_mail_at: string | null;
  last_run: { id: number; mailed: boolean; ended_at: string; } | null;
  created_at: string;
  updated_at: string;
};

export type ReportData = {
  report_id: number | null;
  name: string | null;
  team: string;
  from: string;
  to: string;
  timezone: string;
  corrected: boolean;
  generated_at: string;
  total: { monitors_count: number; uptime_percent: number | null; observed_percent: number | null; up_seconds: number; degraded_seconds: number; down_seconds: number; excluded_seconds: number; unobserved_seconds: number; incidents: number; mttr_seconds: number | null; mtbf_seconds: number | null; response_time: ResponseTimePercentiles; compared: { corrected: ComparedFigures; uncorrected: ComparedFigures; } | null; };
  groups: ({ id: number; name: string; monitors_count: number; uptime_percent: number | null; observed_percent: number | null; up_seconds: number; degraded_seconds: number; down_seconds: number; excluded_seconds: number; unobserved_seconds: number; incidents: number; mttr_seconds: number | null; mtbf_seconds: number | null; response_time: ResponseTimePercentiles; compared: { corrected: ComparedFigures; uncorrected: ComparedFigures; } | null; })[];
  tags: ({ name: string; monitors_count: number; uptime_percent: number | null; observed_percent: number | null; up_seconds: number; degraded_seconds: number; down_seconds: number; excluded_seconds: number; unobserved_seconds: number; incidents: number; mttr_seconds: number | null; mtbf_seconds: number | null; response_time: ResponseTimePercentiles; compared: { corrected: ComparedFigures; uncorrected: ComparedFigures; } | null; })[];
  monitors: ({ id: number; name: string; group_id: number | null; tags: (string)[]; uptime_percent: number | null; observed_percent: number | null; up_seconds: number; degraded_seconds: number; down_seconds: number; excluded_seconds: number; unobserved_seconds: number; incidents: number; mttr_seconds: number | null; mtbf_seconds: number | null; response_time: ResponseTimePercentiles; compared: { corrected: ComparedFigures; uncorrected: ComparedFigures; } | null; slo: { target_percent: number; window_days: number; budget_seconds: number; budget_left_seconds: number; budget_left_percent: number | null; } | null; days: ({ from: string; up_seconds: number; degraded_seconds: number; down_seconds: number; excluded_seconds: number; unobserved_seconds: number; })[]; })[];
  incidents_total: number;
  incidents: ({ id: number; monitor_id: number; monitor: string; type: string; severity: "critical" | "warning" | "info"; root_cause: string | null; started_at: string; ended_at: string | null; seconds_in_period: number; })[];
  exclusions_total: number;
  exclusions: ({ kind: "maintenance" | "false_alarm" | "excluded" | "up" | "down"; reason: string; author: string | null; from: string; to: string; monitors: (string)[]; })[];
};

export type ReportRunPage = {
  data: (ReportRun)[];
  current_page: number;
  per_page: number;
  total: number;
  last_page: number;
  from: number | null;
  to: number | null;
  first_page_url: string;
  last_page_url: string;
  next_page_url: string | null;
  prev_page_url: string | null;
  path: string;
};

export type ReportRun = {
  id: number;
  report_id: number;
  status: "queued" | "running" | "done" | "failed";
  progress: number;
  error: string | null;
  format: "json" | "csv" | "pdf";
  mailed: boolean;
  from: string;
  to: string;
  url: string | null;
  created_at: string;
  ended_at: string | null;
  expires_at: string;
};

export type StatusPagePage = {
  data: (StatusPage)[];
  current_page: number;
  per_page: number;
  total: number;
  last_page: number;
  from: number | null;
  to: number | null;
  first_page_url: string;
  last_page_url: string;
  next_page_url: string | null;
  prev_page_url: string | null;
  path: string;
};

export type StatusPage = {
  id: number;
  name: string;
  slug: string;
  description: string | null;
  custom_domain: string | null;
  settings: { show_uptime_percentage: boolean; show_response_time: boolean; show_incident_history: boolean; custom_css: string | null; };
  brand: { accent: string | null; font: "system" | "inter" | "humanist" | "serif" | "monospace"; layout: "narrow" | "wide"; links: { site: string | null; contact: string | null; terms: string | null; }; };
  draft: boolean;
  language: "en" | "de" | "fr" | "es" | "pt" | "it" | "nl" | "ja" | "zh-CN";
  timezone: string;
  show_automatic: { after_minutes: number; } | { never: true; };
  subscribe_by: ("email" | "slack" | "microsoft_teams" | "webhook" | "sms")[];
  sms_channel_id: number | null;
  url: string;
  logo_url: string | null;
  logo_dark_url: string | null;
  favicon_url: string | null;
  social_image_url: string | null;
  domain_verified: boolean;
  domain: StatusPageDomain | null;
  access: { type: "public" | "password" | "members" | "addresses"; addresses: (string)[]; password_set: boolean; };
  services: (StatusPageService)[];
  groups: ({ name: string; monitors: (number)[]; })[];
  warnings: (string)[];
  created_at: string;
  updated_at: string;
};

export type SubscriberPage = {
  data: (Subscriber)[];
  current_page: number;
  per_page: number;
  total: number;
  last_page: number;
  from: number | null;
  to: number | null;
  first_page_url: string;
  last_page_url: string;
  next_page_url: string | null;
  prev_page_url: string | null;
  path: string;
};

export type CreatedSubscriber = {
  id: number;
  kind: "email" | "slack" | "microsoft_teams" | "webhook" | "sms";
  address: string | null;
  state: "pending" | "active" | "ended";
  ended_reason: string | null;
  monitors: (number)[];
  created_by: number | null;
  confirmed_at: string | null;
  created_at: string;
  updated_at: string;
  signing_secret: string | null;
};

export type Subscriber = {
  id: number;
  kind: "email" | "slack" | "microsoft_teams" | "webhook" | "sms";
  address: string | null;
  state: "pending" | "active" | "ended";
  ended_reason: string | null;
  monitors: (number)[];
  created_by: number | null;
  confirmed_at: string | null;
  created_at: string;
  updated_at: string;
};

export type SubscriberImport = {
  dry_run: boolean;
  added: number;
  known: number;
  refused: number;
  rows: ({ line: number; outcome: "added" | "known" | "refused"; reason: string | null; })[];
};

export type Plan = {
  name: string;
  features: { api_access: boolean; check_url: boolean; monitor_types: ("http" | "ping" | "port" | "heartbeat" | "cron")[]; check_types: ("ssl" | "dns" | "domain" | "keyword" | "json")[]; };
  limits: { min_check_interval: number | null; max_monitors: number | null; max_monitors_per_host: number | null; };
  usage: { monitors: number; };
};

export type TeamList = {
  data: (Team)[];
};

export type Team = {
  id: number;
  name: string;
  slug: string;
  role: "owner" | "admin" | "editor" | "viewer";
  personal_team: boolean;
  is_current: boolean;
};

export type WholeTeam = {
  id: number;
  name: string;
  slug: string;
  role: "owner" | "admin" | "editor" | "viewer";
  personal_team: boolean;
  is_current: boolean;
  plan: string;
  mfa_required: boolean;
  created_at: string;
};

export type LeftTeam = {
  success: true;
  message: string;
};

export type UserList = {
  team: string;
  total: number;
  data: (User)[];
};

export type User = {
  id: number;
  name: string;
  email: string;
  role: "owner" | "admin" | "editor" | "viewer";
  status: "active" | "disabled";
  mfa_enabled: boolean;
  created_at: string;
  added_at: string;
  last_login_at: string | null;
};

export type InvitationList = {
  total: number;
  data: (Invitation)[];
};

export type SentInvitation = {
  id: number;
  email: string;
  role: "admin" | "editor" | "viewer";
  created_at: string;
  expires_at: string;
  url?: string;
};

export type Invitation = {
  id: number;
  email: string;
  role: "admin" | "editor" | "viewer";
  created_at: string;
  expires_at: string;
};

export type AcceptedInvitation = {
  user: User;
  team: Team;
};

export type InvitationPreview = {
  team: string;
  inviter: string | null;
  email: string;
  role: "admin" | "editor" | "viewer";
  expires_at: string;
  has_account: boolean;
};

export type SentAlert = {
  team: string;
  kind: "single" | "storm" | "flapping";
  severity: "critical" | "warning" | "info";
  shared_cause: string | null;
  opened_at: string;
  over_at: string | null;
  sent_to: string;
  timezone: string | null;
  incidents_count: number;
  open_count: number;
  unobserved_seconds: number | null;
  can_acknowledge: boolean;
  incidents: (AlertIncident)[];
};

export type AcknowledgedAlert = {
  success: true;
  message: string;
  incidents: (AlertIncident)[];
};

export type ResetLink = {
  url: string;
  expires_at: string;
};

export type ConfigurationPlan = {
  name: string;
  fingerprint: string;
  is_empty: boolean;
  changes: (ConfigurationChange)[];
  drift: (ConfigurationDrift)[];
  left_alone: { [key: string]: number; };
  kept: ({ section: "groups" | "monitors" | "alert_channels" | "alert_routes" | "webhook_endpoints" | "maintenance_windows" | "status_pages" | "reports" | "update_templates" | "walls"; kind: string; key: string; id: number | null; name: string; })[];
  warnings: (string)[];
};

export type ExportedConfiguration = {
  document: { [key: string]: unknown; };
  secrets: ({ section: string; key: string; field: string; env: string; })[];
  warnings: (string)[];
};

export type ConfigurationSetList = {
  total: number;
  data: (ConfigurationSet)[];
};

export type ConfigurationItemList = {
  total: number;
  data: ({ set_id: number; set: string; section: string; key: string; id: number; })[];
};

export type ImportedConfiguration = {
  document: { [key: string]: unknown; };
  report: ({ source: string; outcome: "imported" | "changed" | "left_out"; item: { section: "groups" | "monitors" | "alert_channels" | "alert_routes" | "webhook_endpoints" | "maintenance_windows" | "status_pages" | "reports" | "update_templates" | "walls"; key: string; } | null; notes: (string)[]; })[];
  secrets: number;
};

export type AuditLogPage = {
  data: (AuditEntry)[];
  current_page: number;
  per_page: number;
  total: number;
  last_page: number;
  from: number | null;
  to: number | null;
  first_page_url: string;
  last_page_url: string;
  next_page_url: string | null;
  prev_page_url: string | null;
  path: string;
};

export type Probe = {
  vantage: string;
  version: string;
  last_seen_at: string;
  takes_checks: boolean;
  checks_running: number;
  checks_waiting: number;
  slots: number;
};

export type Token = {
  id: number;
  name: string;
  permissions: ("read" | "create" | "update" | "delete")[];
  expires_at: string | null;
  last_used_at: string | null;
  created_at: string;
};

export type Session = {
  id: number;
  method: "password" | "passkey" | "oidc" | "github" | "google";
  ip_address: string | null;
  user_agent: string | null;
  is_current: boolean;
  last_used_at: string | null;
  expires_at: string;
  created_at: string;
};

export type ConnectedApplication = {
  id: number;
  name: string;
  host: string;
  team: { id: number; name: string; };
  permissions: ("read" | "create" | "update" | "delete" | "check_url")[];
  role_now: "owner" | "admin" | "editor" | "viewer" | null;
  connected_at: string;
  last_used_at: string | null;
};

export type NotificationSettings = {
  enabled?: boolean | null;
  channels?: { email?: ("critical" | "warning" | "info")[] | null; sms?: ("critical" | "warning" | "info")[] | null; slack?: ("critical" | "warning" | "info")[] | null; discord?: ("critical" | "warning" | "info")[] | null; teams?: ("critical" | "warning" | "info")[] | null; webhook?: ("critical" | "warning" | "info")[] | null; } | null;
  quiet_hours?: { enabled?: boolean | null; start?: string | null; end?: string | null; timezone?: string | null; bypass_critical?: boolean | null; } | null;
};

export type KeywordSettings = {
  keywords?: ({ phrase: string; mode: "must_contain" | "must_not_contain"; case_sensitive?: boolean; })[];
  search_target?: "html" | "text";
};

export type JsonAssertionSettings = {
  assertions?: ({ path: string; operator: "equals" | "not_equals" | "contains" | "not_contains" | "exists" | "not_exists" | "gt" | "gte" | "lt" | "lte" | "regex" | "not_regex"; value?: string | number | boolean | null; })[];
};

export type ResponseTime = {
  region: string;
  response_time: number | null;
  status_code: number | null;
  checked_at: string;
};

export type BulkCreated = {
  index: number;
  status: 201;
  monitor: Monitor;
};

export type BulkRefused = {
  index: number;
  status: 403 | 422 | 424;
  message: string;
  errors: { [key: string]: (string)[]; };
};

export type FoundProblem = {
  type: "uptime" | "keyword" | "json_assertion" | "ssl" | "domain" | "dns" | "regional" | "dual_stack" | "slow_response" | "heartbeat" | "error_budget";
  severity: "critical" | "warning";
  text: string;
};

export type RegionTest = {
  region: string;
  vantage: string | null;
  vote: "up" | "down" | "unknown";
  status: "online" | "offline" | "unknown";
  response_time: number | null;
  status_code: number | null;
  failure_code: string | null;
  error: string | null;
  remote_address: string | null;
  timings: { dns_ms: number | null; tcp_ms: number | null; tls_ms: number | null; ttfb_ms: number | null; total_ms: number | null; };
  families?: { ipv4: FamilyOutcome; ipv6: FamilyOutcome; };
  content: ContentOutcome | null;
};

export type SslOutcome = {
  valid: boolean;
  expires_at: string | null;
  days_until_expiry: number | null;
  issuer: string | null;
  subject: string | null;
  protocol: string | null;
  error: string | null;
};

export type DnsOutcome = {
  ok: boolean;
  error: string | null;
  records: { [key: string]: (string)[]; } | null;
  source: "authoritative" | "resolver" | null;
};

export type DomainOutcome = {
  ok: boolean;
  error: string | null;
  expires_at: string | null;
  days_until_expiry: number | null;
  registrar: string | null;
  checked_at: string;
};

export type OverviewMonitor = {
  id: number;
  name: string;
  target?: string;
  since: number;
  response_ms?: number;
  uptime_90d?: number;
  observed_90d?: number;
  group_id?: number;
  tags?: (string)[];
  last_ping_at?: number;
  next_expected_at?: number;
  last_duration?: number;
  schedule?: { interval?: number; cron?: string; timezone?: string; };
  type: "http" | "ping" | "port" | "heartbeat" | "cron";
  status: "online" | "offline" | "degraded" | "pending";
  observed_until?: number;
  is_paused?: true;
  maintenance_until?: number;
  check_types?: ("ssl" | "dns" | "domain" | "keyword" | "json")[];
  regions?: string;
  bar: string;
  incident?: { id: number; severity: "critical" | "warning" | "info"; cause: string | null; since: number; acknowledged_at?: number; acknowledged_by?: string; open: number; };
};

export type AttentionItem = {
  kind: "incident" | "region" | "certificate" | "domain" | "not_checked" | "status_page_domain" | "webhook_endpoint" | "channel" | "paused";
  severity: "critical" | "warning" | "info";
  text: string;
  since: string | null;
  monitor: NamedMonitor | null;
  incident_id: number | null;
  acknowledged_at: string | null;
};

export type Expiration = {
  type: "ssl" | "domain";
  monitor: NamedMonitor;
  target: string;
  expires_at: string;
  days_left: number;
  issuer: string | null;
  registrar: string | null;
  checked_at: string;
  threshold_days: number;
};

export type UptimeOfMonitor = {
  monitor: NamedMonitor;
  status: "online" | "offline" | "degraded" | "pending" | "paused" | "not_observed";
  uptime_percent: number | null;
  observed_percent: number | null;
  downtime_seconds: number;
  incidents: number;
};

export type FamilyOutcome = {
  ok: boolean;
  error: string | null;
};

export type ContentOutcome = {
  passed: boolean;
  failures: (string)[];
  outcomes: ({ passed: boolean; text: string; })[];
};

export type IncidentEvidence = {
  region: string | null;
  vantage: string | null;
  checked_at: string;
  attempts: (string)[];
  failure: { code: string; text: string; } | null;
  status_code: number | null;
  remote_address: string | null;
  timings: { dns_ms: number | null; tcp_ms: number | null; tls_ms: number | null; ttfb_ms: number | null; total_ms: number | null; };
  status_line: string | null;
  headers: { [key: string]: string; } | null;
  body: string | null;
  redirects: (string)[];
  tls: { protocol: string | null; subject: string | null; issuer: string | null; valid_from: string | null; valid_to: string | null; cipher: string | null; chain: ({ subject: string | null; issuer: string | null; valid_to: string | null; })[]; } | null;
};

export type Result = {
  region: string;
  checked_at: string;
  kind: "voted" | "stale" | "manual";
  is_up: boolean | null;
  vote: "up" | "down" | "unknown";
  response_time: number | null;
  status_code: number | null;
  error: string | null;
  failure_code: string | null;
  remote_address: string | null;
  timings: { dns_ms: number | null; tcp_ms: number | null; tls_ms: number | null; ttfb_ms: number | null; total_ms: number | null; };
};

export type UncorrectedUptime = {
  from: string;
  to: string;
  uptime_percent: number | null;
  observed_percent: number | null;
  up_seconds: number;
  degraded_seconds: number;
  down_seconds: number;
  excluded_seconds: number;
  unobserved_seconds: number;
  incidents: number;
  mttr_seconds: number | null;
  mtbf_seconds: number | null;
  response_time: { p50: number | null; p95: number | null; p99: number | null; count: number; };
} | null;

export type UptimePart = {
  from: string;
  to: string;
  uptime_percent: number | null;
  observed_percent: number | null;
  up_seconds: number;
  degraded_seconds: number;
  down_seconds: number;
  excluded_seconds: number;
  unobserved_seconds: number;
  incidents: number;
  mttr_seconds: number | null;
  mtbf_seconds: number | null;
  response_time: { p50: number | null; p95: number | null; p99: number | null; count: number; };
};

export type Ping = {
  id: number;
  kind: "success" | "failure" | "start" | "log";
  received_at: string;
  duration_ms: number | null;
  exit_code: number | null;
  run_id: string | null;
  source_address: string;
  user_agent: string | null;
  body: string | null;
  body_truncated: boolean;
};

export type DnsRecordSet = {
  id: number;
  host: string;
  seen_at: string;
  source: "authoritative" | "resolver";
  records: { A: (string)[]; AAAA: (string)[]; CNAME: (string)[]; MX: (string)[]; NS: (string)[]; TXT: (string)[]; SOA: (string)[]; };
};

export type Certificate = {
  id: number;
  seen_at: string;
  address: string;
  protocol: string | null;
  cipher: string | null;
  fingerprint: string;
  serial_number: string;
  subject: string | null;
  issuer: string | null;
  names: (string)[];
  valid_from: string;
  valid_to: string;
  key_type: string | null;
  key_bits: number | null;
  chain: ({ subject: string | null; issuer: string | null; valid_to: string; })[];
  ocsp_status: "good" | "revoked" | "unknown" | "unreadable" | null;
  error: string | null;
};

export type MonitorActivity = {
  id: number;
  type: "dns_changed" | "certificate_changed";
  description: string;
  created_at: string;
};

export type MonitorDay = {
  date: string;
  status: "offline" | "degraded" | "maintenance" | "online" | "unobserved";
  from: string;
  to: string;
  uptime_percent: number | null;
  observed_percent: number | null;
  up_seconds: number;
  degraded_seconds: number;
  down_seconds: number;
  excluded_seconds: number;
  unobserved_seconds: number;
  incidents: number;
  mttr_seconds: number | null;
  mtbf_seconds: number | null;
  imported: boolean;
};

export type ListedSlo = {
  id: number;
  monitor_id: number;
  target_percent: number;
  window_days: number;
  burn_rate_alerts: boolean;
  burning: "fast" | "slow" | null;
  error_budget: { from: string; to: string; budget_seconds: number; spent_seconds: number; left_seconds: number; left_percent: number | null; burn_rate_1h: number; burn_rate_6h: number; };
  created_at: string;
  updated_at: string;
  name: string;
};

export type UrlReach = {
  region: string;
  name: string;
  vantage: string | null;
  status: "online" | "offline" | "error" | "blocked";
  status_code: number | null;
  response_time_ms: number | null;
  dns_ms: number | null;
  tcp_ms: number | null;
  tls_ms: number | null;
  ttfb_ms: number | null;
  error: string | null;
  details?: { remote_address: string | null; redirects: (string)[]; headers: { [key: string]: string; } | null; certificate: { subject: string | null; issuer: string | null; valid_to: string | null; } | null; };
};

export type Region = {
  code: string;
  title: string;
  is_private?: true;
  vantage: string | null;
  is_live: boolean;
  probes: (Probe)[];
};

export type IncidentRound = {
  at: string;
  verdict: "up" | "regional" | "down" | "unknown";
  explanation: "no_region_down" | "most_regions_down" | "some_regions_down" | "too_few_votes" | "no_votes";
  votes: { voting: number; down: number; needed: number; };
  bad_round: number | null;
  regions: ({ region: string; vote: "up" | "down" | "unknown"; response_time: number | null; status_code: number | null; failure_code: string | null; text: string | null; remote_address: string | null; timings: { dns_ms: number | null; tcp_ms: number | null; tls_ms: number | null; ttfb_ms: number | null; total_ms: number | null; }; })[];
};

export type IncidentNotification = {
  id: number;
  kind: "alarm" | "update" | "reminder" | "escalation" | "recovery" | "blind_spot" | "notice" | "test";
  channel: { id: number | null; type: string; name: string | null; };
  user: { id: number; name: string | null; } | null;
  status: "pending" | "delivered" | "failed" | "expired" | "superseded";
  attempts_count: number;
  last_status_code: number | null;
  last_error: string | null;
  created_at: string;
  finished_at: string | null;
  next_attempt_at: string | null;
};

export type Announcement = {
  id: number;
  kind: "incident" | "maintenance";
  title: string | null;
  impact: "none" | "minor" | "major" | "critical";
  started_at: string;
  planned_until: string | null;
  monitors: (number)[];
  status_pages: (number)[];
  post_mortem: { text: string; published_at: string | null; } | null;
  state: "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed";
  ended_at: string | null;
  origin: "automatic" | "window" | "person";
  incidents: (number)[];
  created_at: string;
  updated_at: string;
};

export type QuietHours = {
  from: string;
  to: string;
  days?: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
  timezone: string;
  allow_critical: boolean;
};

export type ChannelDelivery = {
  id: number;
  message_id: string;
  kind: "alarm" | "update" | "reminder" | "escalation" | "recovery" | "blind_spot" | "notice" | "test";
  alert_id: number | null;
  incident_id: number | null;
  status: "pending" | "delivered" | "failed" | "expired" | "superseded";
  attempts_count: number;
  last_status_code: number | null;
  last_error: string | null;
  created_at: string;
  finished_at: string | null;
  next_attempt_at: string | null;
};

export type ChannelSetting = {
  name: string;
  kind: "text" | "url" | "choice" | "number" | "emails";
  required: boolean;
  secret: boolean;
  description: string;
  example: string | number | (string)[];
  choices: (string)[] | null;
};

export type AlertHold = {
  code: string;
  text: string;
  until: string;
};

export type PreviewedTarget = {
  channel: { id: number | null; name: string; type: string; };
  user: { id: number; name: string | null; } | null;
  after_minutes: number;
  reminder_minutes: number | null;
  routes: ({ id: number; name: string; })[];
  is_notified: boolean;
  left_out: { code: "disabled" | "severity" | "monitor_settings"; text: string; } | null;
  holds: (AlertHold)[];
};

export type WebhookDelivery = {
  id: number;
  message_id: string;
  event: string | null;
  incident_id: number | null;
  status: "pending" | "delivered" | "failed" | "expired";
  attempts_count: number;
  last_status_code: number | null;
  last_error: string | null;
  created_at: string;
  finished_at: string | null;
  next_attempt_at: string | null;
};

export type ResponseTimePercentiles = {
  p50: number | null;
  p95: number | null;
  p99: number | null;
  count: number;
};

export type ComparedFigures = {
  uptime_percent: number | null;
  observed_percent: number | null;
  down_seconds: number;
  excluded_seconds: number;
};

export type StatusPageDomain = {
  verified_at: string | null;
  checked_at: string | null;
  next_check_at: string | null;
  last_error: string | null;
  records: ({ type: "TXT" | "CNAME"; name: string; value: string; })[];
  target: string;
};

export type StatusPageService = {
  monitor_id: number;
  label: string | null;
  display: "bar" | "figure" | "response_time";
  show_automatic: { after_minutes: number; } | { never: true; } | null;
  monitor_url: string;
  monitor_status: "online" | "offline" | "degraded" | "pending";
};

export type AlertIncident = {
  id: number;
  monitor: string;
  url: string | null;
  type: string;
  severity: "critical" | "warning" | "info";
  status: "open" | "resolved";
  root_cause: string | null;
  regions: (string)[];
  vantage: string | null;
  evidence: string | null;
  started_at: string;
  ended_at: string | null;
  unobserved_seconds: number | null;
  acknowledged_at: string | null;
  acknowledged_by: string | null;
};

export type ConfigurationChange = {
  action: "create" | "update" | "delete" | "retire" | "adopt";
  section: "groups" | "monitors" | "alert_channels" | "alert_routes" | "webhook_endpoints" | "maintenance_windows" | "status_pages" | "reports" | "update_templates" | "walls";
  kind: string;
  key: string;
  id: number | null;
  name: string;
  fields: ({ field: string; before: unknown; after: unknown; is_secret: boolean; })[];
};

export type ConfigurationDrift = {
  action: "updated" | "deleted";
  section: "groups" | "monitors" | "alert_channels" | "alert_routes" | "webhook_endpoints" | "maintenance_windows" | "status_pages" | "reports" | "update_templates" | "walls";
  kind: string;
  key: string;
  id: number | null;
  name: string;
  fields: ({ field: string; applied: unknown; current: unknown; })[];
  changed_by: ({ actor: string; at: string; verb: string; })[];
};

export type ConfigurationSet = {
  id: number;
  name: string;
  items_count: number;
  applied_at: string;
  applied_by: string;
  created_at: string;
};

export type AuditEntry = {
  id: number;
  action: "monitor.created" | "monitor.updated" | "monitor.deleted" | "monitor.paused" | "monitor.resumed" | "monitor.ping_url_rotated" | "monitor.ping_alias_added" | "monitor.ping_alias_removed" | "monitor.days_imported" | "incident.created" | "incident.updated" | "incident.deleted" | "incident.acknowledged" | "incident.resolved" | "incident.reopened" | "incident.noted" | "team.created" | "team.updated" | "team.deleted" | "team.transferred" | "member.joined" | "member.updated" | "member.left" | "member.deleted" | "invitation.created" | "invitation.updated" | "invitation.deleted" | "invitation.resent" | "token.created" | "token.deleted" | "session.created" | "session.deleted" | "person.created" | "person.updated" | "person.set_up" | "person.setup_link_issued" | "person.address_verified" | "person.email_changed" | "person.password_changed" | "person.password_reset" | "person.password_reset_issued" | "person.reset_link_created" | "person.mfa_enabled" | "person.mfa_disabled" | "person.recovery_codes_renewed" | "person.passkey_added" | "person.passkey_removed" | "person.provider_linked" | "person.provider_unlinked" | "notification_channel.created" | "notification_channel.updated" | "notification_channel.deleted" | "announcement.created" | "announcement.updated" | "announcement.deleted" | "announcement.update_added" | "announcement.update_edited" | "announcement.update_deleted" | "subscriber.created" | "subscriber.deleted" | "correction.created" | "correction.deleted" | "slo.created" | "slo.updated" | "slo.deleted" | "application.connected" | "application.disconnected" | "configuration_set.applied" | "configuration_set.deleted" | "update_template.created" | "update_template.updated" | "update_template.deleted" | "wall.created" | "wall.updated" | "wall.deleted" | "group.created" | "group.updated" | "group.deleted" | "alert_channel.created" | "alert_channel.updated" | "alert_channel.deleted" | "alert_route.created" | "alert_route.updated" | "alert_route.deleted" | "webhook_endpoint.created" | "webhook_endpoint.updated" | "webhook_endpoint.deleted" | "webhook_endpoint.secret_rotated" | "webhook_endpoint.tested" | "webhook_endpoint.redelivered" | "maintenance_window.created" | "maintenance_window.updated" | "maintenance_window.deleted" | "maintenance_window.started" | "maintenance_window.ended" | "report.created" | "report.updated" | "report.deleted" | "report.run_started" | "report.unsubscribed" | "status_page.created" | "status_page.updated" | "status_page.deleted" | "status_page.domain_checked" | "status_page.subscribers_imported";
  actor: { id: number | null; name: string; };
  via: "token" | "session" | "tool_server" | "operator" | "link";
  token_name: string | null;
  ip_address: string | null;
  target: { type: "monitor" | "incident" | "team" | "member" | "invitation" | "token" | "session" | "person" | "notification_channel" | "announcement" | "subscriber" | "correction" | "slo" | "application" | "configuration_set" | "update_template" | "wall" | "group" | "alert_channel" | "alert_route" | "webhook_endpoint" | "maintenance_window" | "report" | "status_page"; id: number | null; name: string | null; };
  before: { [key: string]: unknown; } | null;
  after: { [key: string]: unknown; } | null;
  created_at: string;
};

export type NamedMonitor = {
  id: number;
  name: string;
  url: string | null;
};
