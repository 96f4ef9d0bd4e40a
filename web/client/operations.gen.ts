// Generated from openapi.json by "npm run generate".
import type * as types from './types.gen.ts';

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
  listMonitorDns: 'GET /monitors/{id}/dns',
  listMonitorCertificates: 'GET /monitors/{id}/certificates',
  listMonitorActivities: 'GET /monitors/{id}/activities',
  getMonitorResponseTimes: 'GET /monitors/{id}/response-times',
  getMonitorDays: 'GET /monitors/{id}/days',
  listMonitorCorrections: 'GET /monitors/{id}/corrections',
  createMonitorCorrection: 'POST /monitors/{id}/corrections',
  getMonitorCorrection: 'GET /monitors/{id}/corrections/{correction}',
  deleteMonitorCorrection: 'DELETE /monitors/{id}/corrections/{correction}',
  listSlos: 'GET /slos',
  getMonitorSlo: 'GET /monitors/{id}/slo',
  setMonitorSlo: 'PUT /monitors/{id}/slo',
  deleteMonitorSlo: 'DELETE /monitors/{id}/slo',
  checkUrl: 'GET /check-url',
  listRegions: 'GET /regions',
  previewCron: 'GET /cron-preview',
  listIncidentRounds: 'GET /incidents/{id}/rounds',
  listIncidentNotifications: 'GET /incidents/{id}/notifications',
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
  verifyStatusPageDomain: 'POST /status-pages/{id}/verify-domain',
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
  listAuditLog: 'GET /audit-log',
  createResetLink: 'POST /users/{id}/reset-link',
} as const;

export interface Operations {
  whoAmI: { input: types.WhoAmIData; answers: types.WhoAmIResponses };
  testToken: { input: types.TestTokenData; answers: types.TestTokenResponses };
  updateAccount: { input: types.UpdateAccountData; answers: types.UpdateAccountResponses };
  getInstallation: { input: types.GetInstallationData; answers: types.GetInstallationResponses };
  listTokens: { input: types.ListTokensData; answers: types.ListTokensResponses };
  createToken: { input: types.CreateTokenData; answers: types.CreateTokenResponses };
  revokeToken: { input: types.RevokeTokenData; answers: types.RevokeTokenResponses };
  listSessions: { input: types.ListSessionsData; answers: types.ListSessionsResponses };
  revokeOtherSessions: { input: types.RevokeOtherSessionsData; answers: types.RevokeOtherSessionsResponses };
  revokeSession: { input: types.RevokeSessionData; answers: types.RevokeSessionResponses };
  listConnectedApplications: { input: types.ListConnectedApplicationsData; answers: types.ListConnectedApplicationsResponses };
  disconnectApplication: { input: types.DisconnectApplicationData; answers: types.DisconnectApplicationResponses };
  getSignInOptions: { input: types.GetSignInOptionsData; answers: types.GetSignInOptionsResponses };
  getSetupState: { input: types.GetSetupStateData; answers: types.GetSetupStateResponses };
  completeSetup: { input: types.CompleteSetupData; answers: types.CompleteSetupResponses };
  listMonitors: { input: types.ListMonitorsData; answers: types.ListMonitorsResponses };
  createMonitor: { input: types.CreateMonitorData; answers: types.CreateMonitorResponses };
  getMonitor: { input: types.GetMonitorData; answers: types.GetMonitorResponses };
  updateMonitor: { input: types.UpdateMonitorData; answers: types.UpdateMonitorResponses };
  deleteMonitor: { input: types.DeleteMonitorData; answers: types.DeleteMonitorResponses };
  pauseMonitor: { input: types.PauseMonitorData; answers: types.PauseMonitorResponses };
  resumeMonitor: { input: types.ResumeMonitorData; answers: types.ResumeMonitorResponses };
  unpauseMonitor: { input: types.UnpauseMonitorData; answers: types.UnpauseMonitorResponses };
  rotatePingUrl: { input: types.RotatePingUrlData; answers: types.RotatePingUrlResponses };
  createMonitors: { input: types.CreateMonitorsData; answers: types.CreateMonitorsResponses };
  changeMonitors: { input: types.ChangeMonitorsData; answers: types.ChangeMonitorsResponses };
  testMonitor: { input: types.TestMonitorData; answers: types.TestMonitorResponses };
  validateMonitor: { input: types.ValidateMonitorData; answers: types.ValidateMonitorResponses };
  getMonitorOverview: { input: types.GetMonitorOverviewData; answers: types.GetMonitorOverviewResponses };
  getAttention: { input: types.GetAttentionData; answers: types.GetAttentionResponses };
  listExpirations: { input: types.ListExpirationsData; answers: types.ListExpirationsResponses };
  getUptimeSummary: { input: types.GetUptimeSummaryData; answers: types.GetUptimeSummaryResponses };
  checkMonitor: { input: types.CheckMonitorData; answers: types.CheckMonitorResponses };
  listIncidents: { input: types.ListIncidentsData; answers: types.ListIncidentsResponses };
  createIncident: { input: types.CreateIncidentData; answers: types.CreateIncidentResponses };
  getIncident: { input: types.GetIncidentData; answers: types.GetIncidentResponses };
  updateIncident: { input: types.UpdateIncidentData; answers: types.UpdateIncidentResponses };
  deleteIncident: { input: types.DeleteIncidentData; answers: types.DeleteIncidentResponses };
  resolveIncident: { input: types.ResolveIncidentData; answers: types.ResolveIncidentResponses };
  acknowledgeIncident: { input: types.AcknowledgeIncidentData; answers: types.AcknowledgeIncidentResponses };
  createIncidentNote: { input: types.CreateIncidentNoteData; answers: types.CreateIncidentNoteResponses };
  listMonitorIncidents: { input: types.ListMonitorIncidentsData; answers: types.ListMonitorIncidentsResponses };
  listMonitorResults: { input: types.ListMonitorResultsData; answers: types.ListMonitorResultsResponses };
  getMonitorUptime: { input: types.GetMonitorUptimeData; answers: types.GetMonitorUptimeResponses };
  listMonitorPings: { input: types.ListMonitorPingsData; answers: types.ListMonitorPingsResponses };
  listMonitorDns: { input: types.ListMonitorDnsData; answers: types.ListMonitorDnsResponses };
  listMonitorCertificates: { input: types.ListMonitorCertificatesData; answers: types.ListMonitorCertificatesResponses };
  listMonitorActivities: { input: types.ListMonitorActivitiesData; answers: types.ListMonitorActivitiesResponses };
  getMonitorResponseTimes: { input: types.GetMonitorResponseTimesData; answers: types.GetMonitorResponseTimesResponses };
  getMonitorDays: { input: types.GetMonitorDaysData; answers: types.GetMonitorDaysResponses };
  listMonitorCorrections: { input: types.ListMonitorCorrectionsData; answers: types.ListMonitorCorrectionsResponses };
  createMonitorCorrection: { input: types.CreateMonitorCorrectionData; answers: types.CreateMonitorCorrectionResponses };
  getMonitorCorrection: { input: types.GetMonitorCorrectionData; answers: types.GetMonitorCorrectionResponses };
  deleteMonitorCorrection: { input: types.DeleteMonitorCorrectionData; answers: types.DeleteMonitorCorrectionResponses };
  listSlos: { input: types.ListSlosData; answers: types.ListSlosResponses };
  getMonitorSlo: { input: types.GetMonitorSloData; answers: types.GetMonitorSloResponses };
  setMonitorSlo: { input: types.SetMonitorSloData; answers: types.SetMonitorSloResponses };
  deleteMonitorSlo: { input: types.DeleteMonitorSloData; answers: types.DeleteMonitorSloResponses };
  checkUrl: { input: types.CheckUrlData; answers: types.CheckUrlResponses };
  listRegions: { input: types.ListRegionsData; answers: types.ListRegionsResponses };
  previewCron: { input: types.PreviewCronData; answers: types.PreviewCronResponses };
  listIncidentRounds: { input: types.ListIncidentRoundsData; answers: types.ListIncidentRoundsResponses };
  listIncidentNotifications: { input: types.ListIncidentNotificationsData; answers: types.ListIncidentNotificationsResponses };
  listIncidentUpdates: { input: types.ListIncidentUpdatesData; answers: types.ListIncidentUpdatesResponses };
  createIncidentUpdate: { input: types.CreateIncidentUpdateData; answers: types.CreateIncidentUpdateResponses };
  getIncidentUpdate: { input: types.GetIncidentUpdateData; answers: types.GetIncidentUpdateResponses };
  updateIncidentUpdate: { input: types.UpdateIncidentUpdateData; answers: types.UpdateIncidentUpdateResponses };
  deleteIncidentUpdate: { input: types.DeleteIncidentUpdateData; answers: types.DeleteIncidentUpdateResponses };
  listIncidentUpdateVersions: { input: types.ListIncidentUpdateVersionsData; answers: types.ListIncidentUpdateVersionsResponses };
  listAnnouncementUpdates: { input: types.ListAnnouncementUpdatesData; answers: types.ListAnnouncementUpdatesResponses };
  createAnnouncementUpdate: { input: types.CreateAnnouncementUpdateData; answers: types.CreateAnnouncementUpdateResponses };
  getAnnouncementUpdate: { input: types.GetAnnouncementUpdateData; answers: types.GetAnnouncementUpdateResponses };
  updateAnnouncementUpdate: { input: types.UpdateAnnouncementUpdateData; answers: types.UpdateAnnouncementUpdateResponses };
  deleteAnnouncementUpdate: { input: types.DeleteAnnouncementUpdateData; answers: types.DeleteAnnouncementUpdateResponses };
  listAnnouncementUpdateVersions: { input: types.ListAnnouncementUpdateVersionsData; answers: types.ListAnnouncementUpdateVersionsResponses };
  listAnnouncements: { input: types.ListAnnouncementsData; answers: types.ListAnnouncementsResponses };
  createAnnouncement: { input: types.CreateAnnouncementData; answers: types.CreateAnnouncementResponses };
  getAnnouncement: { input: types.GetAnnouncementData; answers: types.GetAnnouncementResponses };
  updateAnnouncement: { input: types.UpdateAnnouncementData; answers: types.UpdateAnnouncementResponses };
  deleteAnnouncement: { input: types.DeleteAnnouncementData; answers: types.DeleteAnnouncementResponses };
  setPostMortem: { input: types.SetPostMortemData; answers: types.SetPostMortemResponses };
  deletePostMortem: { input: types.DeletePostMortemData; answers: types.DeletePostMortemResponses };
  listUpdateTemplates: { input: types.ListUpdateTemplatesData; answers: types.ListUpdateTemplatesResponses };
  createUpdateTemplate: { input: types.CreateUpdateTemplateData; answers: types.CreateUpdateTemplateResponses };
  getUpdateTemplate: { input: types.GetUpdateTemplateData; answers: types.GetUpdateTemplateResponses };
  updateUpdateTemplate: { input: types.UpdateUpdateTemplateData; answers: types.UpdateUpdateTemplateResponses };
  deleteUpdateTemplate: { input: types.DeleteUpdateTemplateData; answers: types.DeleteUpdateTemplateResponses };
  listGroups: { input: types.ListGroupsData; answers: types.ListGroupsResponses };
  createGroup: { input: types.CreateGroupData; answers: types.CreateGroupResponses };
  getGroup: { input: types.GetGroupData; answers: types.GetGroupResponses };
  updateGroup: { input: types.UpdateGroupData; answers: types.UpdateGroupResponses };
  deleteGroup: { input: types.DeleteGroupData; answers: types.DeleteGroupResponses };
  listAlertChannels: { input: types.ListAlertChannelsData; answers: types.ListAlertChannelsResponses };
  createAlertChannel: { input: types.CreateAlertChannelData; answers: types.CreateAlertChannelResponses };
  getAlertChannel: { input: types.GetAlertChannelData; answers: types.GetAlertChannelResponses };
  updateAlertChannel: { input: types.UpdateAlertChannelData; answers: types.UpdateAlertChannelResponses };
  deleteAlertChannel: { input: types.DeleteAlertChannelData; answers: types.DeleteAlertChannelResponses };
  testAlertChannel: { input: types.TestAlertChannelData; answers: types.TestAlertChannelResponses };
  listAlertChannelDeliveries: { input: types.ListAlertChannelDeliveriesData; answers: types.ListAlertChannelDeliveriesResponses };
  listNotificationChannels: { input: types.ListNotificationChannelsData; answers: types.ListNotificationChannelsResponses };
  createNotificationChannel: { input: types.CreateNotificationChannelData; answers: types.CreateNotificationChannelResponses };
  getNotificationChannel: { input: types.GetNotificationChannelData; answers: types.GetNotificationChannelResponses };
  updateNotificationChannel: { input: types.UpdateNotificationChannelData; answers: types.UpdateNotificationChannelResponses };
  deleteNotificationChannel: { input: types.DeleteNotificationChannelData; answers: types.DeleteNotificationChannelResponses };
  testNotificationChannel: { input: types.TestNotificationChannelData; answers: types.TestNotificationChannelResponses };
  listAlertRoutes: { input: types.ListAlertRoutesData; answers: types.ListAlertRoutesResponses };
  createAlertRoute: { input: types.CreateAlertRouteData; answers: types.CreateAlertRouteResponses };
  getAlertRoute: { input: types.GetAlertRouteData; answers: types.GetAlertRouteResponses };
  updateAlertRoute: { input: types.UpdateAlertRouteData; answers: types.UpdateAlertRouteResponses };
  deleteAlertRoute: { input: types.DeleteAlertRouteData; answers: types.DeleteAlertRouteResponses };
  previewAlertRoutes: { input: types.PreviewAlertRoutesData; answers: types.PreviewAlertRoutesResponses };
  listWebhookEndpoints: { input: types.ListWebhookEndpointsData; answers: types.ListWebhookEndpointsResponses };
  createWebhookEndpoint: { input: types.CreateWebhookEndpointData; answers: types.CreateWebhookEndpointResponses };
  getWebhookEndpoint: { input: types.GetWebhookEndpointData; answers: types.GetWebhookEndpointResponses };
  updateWebhookEndpoint: { input: types.UpdateWebhookEndpointData; answers: types.UpdateWebhookEndpointResponses };
  deleteWebhookEndpoint: { input: types.DeleteWebhookEndpointData; answers: types.DeleteWebhookEndpointResponses };
  testWebhookEndpoint: { input: types.TestWebhookEndpointData; answers: types.TestWebhookEndpointResponses };
  rotateWebhookSecret: { input: types.RotateWebhookSecretData; answers: types.RotateWebhookSecretResponses };
  listWebhookDeliveries: { input: types.ListWebhookDeliveriesData; answers: types.ListWebhookDeliveriesResponses };
  getWebhookDelivery: { input: types.GetWebhookDeliveryData; answers: types.GetWebhookDeliveryResponses };
  redeliverWebhook: { input: types.RedeliverWebhookData; answers: types.RedeliverWebhookResponses };
  listMaintenanceWindows: { input: types.ListMaintenanceWindowsData; answers: types.ListMaintenanceWindowsResponses };
  createMaintenanceWindow: { input: types.CreateMaintenanceWindowData; answers: types.CreateMaintenanceWindowResponses };
  getMaintenanceWindow: { input: types.GetMaintenanceWindowData; answers: types.GetMaintenanceWindowResponses };
  updateMaintenanceWindow: { input: types.UpdateMaintenanceWindowData; answers: types.UpdateMaintenanceWindowResponses };
  deleteMaintenanceWindow: { input: types.DeleteMaintenanceWindowData; answers: types.DeleteMaintenanceWindowResponses };
  startMaintenance: { input: types.StartMaintenanceData; answers: types.StartMaintenanceResponses };
  endMaintenance: { input: types.EndMaintenanceData; answers: types.EndMaintenanceResponses };
  listReports: { input: types.ListReportsData; answers: types.ListReportsResponses };
  createReport: { input: types.CreateReportData; answers: types.CreateReportResponses };
  getReport: { input: types.GetReportData; answers: types.GetReportResponses };
  updateReport: { input: types.UpdateReportData; answers: types.UpdateReportResponses };
  deleteReport: { input: types.DeleteReportData; answers: types.DeleteReportResponses };
  getReportData: { input: types.GetReportDataData; answers: types.GetReportDataResponses };
  getUptimeReport: { input: types.GetUptimeReportData; answers: types.GetUptimeReportResponses };
  startReportRun: { input: types.StartReportRunData; answers: types.StartReportRunResponses };
  getReportRun: { input: types.GetReportRunData; answers: types.GetReportRunResponses };
  getReportRunFile: { input: types.GetReportRunFileData; answers: types.GetReportRunFileResponses };
  listStatusPages: { input: types.ListStatusPagesData; answers: types.ListStatusPagesResponses };
  createStatusPage: { input: types.CreateStatusPageData; answers: types.CreateStatusPageResponses };
  getStatusPage: { input: types.GetStatusPageData; answers: types.GetStatusPageResponses };
  updateStatusPage: { input: types.UpdateStatusPageData; answers: types.UpdateStatusPageResponses };
  deleteStatusPage: { input: types.DeleteStatusPageData; answers: types.DeleteStatusPageResponses };
  setStatusPageLogo: { input: types.SetStatusPageLogoData; answers: types.SetStatusPageLogoResponses };
  deleteStatusPageLogo: { input: types.DeleteStatusPageLogoData; answers: types.DeleteStatusPageLogoResponses };
  verifyStatusPageDomain: { input: types.VerifyStatusPageDomainData; answers: types.VerifyStatusPageDomainResponses };
  listSubscribers: { input: types.ListSubscribersData; answers: types.ListSubscribersResponses };
  createSubscriber: { input: types.CreateSubscriberData; answers: types.CreateSubscriberResponses };
  getSubscriber: { input: types.GetSubscriberData; answers: types.GetSubscriberResponses };
  deleteSubscriber: { input: types.DeleteSubscriberData; answers: types.DeleteSubscriberResponses };
  exportSubscribers: { input: types.ExportSubscribersData; answers: types.ExportSubscribersResponses };
  importSubscribers: { input: types.ImportSubscribersData; answers: types.ImportSubscribersResponses };
  getPlan: { input: types.GetPlanData; answers: types.GetPlanResponses };
  listTeams: { input: types.ListTeamsData; answers: types.ListTeamsResponses };
  createTeam: { input: types.CreateTeamData; answers: types.CreateTeamResponses };
  switchTeam: { input: types.SwitchTeamData; answers: types.SwitchTeamResponses };
  getTeam: { input: types.GetTeamData; answers: types.GetTeamResponses };
  updateTeam: { input: types.UpdateTeamData; answers: types.UpdateTeamResponses };
  deleteTeam: { input: types.DeleteTeamData; answers: types.DeleteTeamResponses };
  transferTeam: { input: types.TransferTeamData; answers: types.TransferTeamResponses };
  leaveTeam: { input: types.LeaveTeamData; answers: types.LeaveTeamResponses };
  listUsers: { input: types.ListUsersData; answers: types.ListUsersResponses };
  updateUser: { input: types.UpdateUserData; answers: types.UpdateUserResponses };
  deleteUser: { input: types.DeleteUserData; answers: types.DeleteUserResponses };
  listInvitations: { input: types.ListInvitationsData; answers: types.ListInvitationsResponses };
  createInvitation: { input: types.CreateInvitationData; answers: types.CreateInvitationResponses };
  updateInvitation: { input: types.UpdateInvitationData; answers: types.UpdateInvitationResponses };
  deleteInvitation: { input: types.DeleteInvitationData; answers: types.DeleteInvitationResponses };
  resendInvitation: { input: types.ResendInvitationData; answers: types.ResendInvitationResponses };
  acceptInvitation: { input: types.AcceptInvitationData; answers: types.AcceptInvitationResponses };
  previewInvitation: { input: types.PreviewInvitationData; answers: types.PreviewInvitationResponses };
  getAlertLink: { input: types.GetAlertLinkData; answers: types.GetAlertLinkResponses };
  acknowledgeAlertLink: { input: types.AcknowledgeAlertLinkData; answers: types.AcknowledgeAlertLinkResponses };
  listAuditLog: { input: types.ListAuditLogData; answers: types.ListAuditLogResponses };
  createResetLink: { input: types.CreateResetLinkData; answers: types.CreateResetLinkResponses };
}
