// Generated from openapi.json by "npm run generate".
import { client } from "../app/client.ts";
import type { Client, ClientMeta, Options as Options2, RequestResult, TDataShape } from "../app/client.ts";
import type { AcceptInvitationData, AcceptInvitationErrors, AcceptInvitationResponses, AcknowledgeAlertLinkData, AcknowledgeAlertLinkErrors, AcknowledgeAlertLinkResponses, AcknowledgeIncidentData, AcknowledgeIncidentErrors, AcknowledgeIncidentResponses, ChangeMonitorsData, ChangeMonitorsErrors, ChangeMonitorsResponses, CheckMonitorData, CheckMonitorErrors, CheckMonitorResponses, CheckUrlData, CheckUrlErrors, CheckUrlResponses, CompleteSetupData, CompleteSetupErrors, CompleteSetupResponses, CreateAlertChannelData, CreateAlertChannelErrors, CreateAlertChannelResponses, CreateAlertRouteData, CreateAlertRouteErrors, CreateAlertRouteResponses, CreateAnnouncementData, CreateAnnouncementErrors, CreateAnnouncementResponses, CreateAnnouncementUpdateData, CreateAnnouncementUpdateErrors, CreateAnnouncementUpdateResponses, CreateGroupData, CreateGroupErrors, CreateGroupResponses, CreateIncidentData, CreateIncidentErrors, CreateIncidentNoteData, CreateIncidentNoteErrors, CreateIncidentNoteResponses, CreateIncidentResponses, CreateIncidentUpdateData, CreateIncidentUpdateErrors, CreateIncidentUpdateResponses, CreateInvitationData, CreateInvitationErrors, CreateInvitationResponses, CreateMaintenanceWindowData, CreateMaintenanceWindowErrors, CreateMaintenanceWindowResponses, CreateMonitorCorrectionData, CreateMonitorCorrectionErrors, CreateMonitorCorrectionResponses, CreateMonitorData, CreateMonitorErrors, CreateMonitorResponses, CreateMonitorsData, CreateMonitorsErrors, CreateMonitorsResponses, CreateNotificationChannelData, CreateNotificationChannelErrors, CreateNotificationChannelResponses, CreateReportData, CreateReportErrors, CreateReportResponses, CreateResetLinkData, CreateResetLinkErrors, CreateResetLinkResponses, CreateStatusPageData, CreateStatusPageErrors, CreateStatusPageResponses, CreateSubscriberData, CreateSubscriberErrors, CreateSubscriberResponses, CreateTeamData, CreateTeamErrors, CreateTeamResponses, CreateTokenData, CreateTokenErrors, CreateTokenResponses, CreateUpdateTemplateData, CreateUpdateTemplateErrors, CreateUpdateTemplateResponses, CreateWebhookEndpointData, CreateWebhookEndpointErrors, CreateWebhookEndpointResponses, DeleteAlertChannelData, DeleteAlertChannelErrors, DeleteAlertChannelResponses, DeleteAlertRouteData, DeleteAlertRouteErrors, DeleteAlertRouteResponses, DeleteAnnouncementData, DeleteAnnouncementErrors, DeleteAnnouncementResponses, DeleteAnnouncementUpdateData, DeleteAnnouncementUpdateErrors, DeleteAnnouncementUpdateResponses, DeleteGroupData, DeleteGroupErrors, DeleteGroupResponses, DeleteIncidentData, DeleteIncidentErrors, DeleteIncidentResponses, DeleteIncidentUpdateData, DeleteIncidentUpdateErrors, DeleteIncidentUpdateResponses, DeleteInvitationData, DeleteInvitationErrors, DeleteInvitationResponses, DeleteMaintenanceWindowData, DeleteMaintenanceWindowErrors, DeleteMaintenanceWindowResponses, DeleteMonitorCorrectionData, DeleteMonitorCorrectionErrors, DeleteMonitorCorrectionResponses, DeleteMonitorData, DeleteMonitorErrors, DeleteMonitorResponses, DeleteMonitorSloData, DeleteMonitorSloErrors, DeleteMonitorSloResponses, DeleteNotificationChannelData, DeleteNotificationChannelErrors, DeleteNotificationChannelResponses, DeletePostMortemData, DeletePostMortemErrors, DeletePostMortemResponses, DeleteReportData, DeleteReportErrors, DeleteReportResponses, DeleteStatusPageData, DeleteStatusPageErrors, DeleteStatusPageLogoData, DeleteStatusPageLogoErrors, DeleteStatusPageLogoResponses, DeleteStatusPageResponses, DeleteSubscriberData, DeleteSubscriberErrors, DeleteSubscriberResponses, DeleteTeamData, DeleteTeamErrors, DeleteTeamResponses, DeleteUpdateTemplateData, DeleteUpdateTemplateErrors, DeleteUpdateTemplateResponses, DeleteUserData, DeleteUserErrors, DeleteUserResponses, DeleteWebhookEndpointData, DeleteWebhookEndpointErrors, DeleteWebhookEndpointResponses, DisconnectApplicationData, DisconnectApplicationErrors, DisconnectApplicationResponses, EndMaintenanceData, EndMaintenanceErrors, EndMaintenanceResponses, ExportSubscribersData, ExportSubscribersErrors, ExportSubscribersResponses, GetAlertChannelData, GetAlertChannelErrors, GetAlertChannelResponses, GetAlertLinkData, GetAlertLinkErrors, GetAlertLinkResponses, GetAlertRouteData, GetAlertRouteErrors, GetAlertRouteResponses, GetAnnouncementData, GetAnnouncementErrors, GetAnnouncementResponses, GetAnnouncementUpdateData, GetAnnouncementUpdateErrors, GetAnnouncementUpdateResponses, GetAttentionData, GetAttentionErrors, GetAttentionResponses, GetGroupData, GetGroupErrors, GetGroupResponses, GetIncidentData, GetIncidentErrors, GetIncidentResponses, GetIncidentUpdateData, GetIncidentUpdateErrors, GetIncidentUpdateResponses, GetInstallationData, GetInstallationErrors, GetInstallationResponses, GetMaintenanceWindowData, GetMaintenanceWindowErrors, GetMaintenanceWindowResponses, GetMonitorCorrectionData, GetMonitorCorrectionErrors, GetMonitorCorrectionResponses, GetMonitorData, GetMonitorDaysData, GetMonitorDaysErrors, GetMonitorDaysResponses, GetMonitorErrors, GetMonitorOverviewData, GetMonitorOverviewErrors, GetMonitorOverviewResponses, GetMonitorResponses, GetMonitorResponseTimesData, GetMonitorResponseTimesErrors, GetMonitorResponseTimesResponses, GetMonitorSloData, GetMonitorSloErrors, GetMonitorSloResponses, GetMonitorUptimeData, GetMonitorUptimeErrors, GetMonitorUptimeResponses, GetNotificationChannelData, GetNotificationChannelErrors, GetNotificationChannelResponses, GetPlanData, GetPlanErrors, GetPlanResponses, GetReportData, GetReportDataData, GetReportDataErrors, GetReportDataResponses, GetReportErrors, GetReportResponses, GetReportRunData, GetReportRunErrors, GetReportRunFileData, GetReportRunFileErrors, GetReportRunFileResponses, GetReportRunResponses, GetSetupStateData, GetSetupStateErrors, GetSetupStateResponses, GetSignInOptionsData, GetSignInOptionsErrors, GetSignInOptionsResponses, GetStatusPageData, GetStatusPageErrors, GetStatusPageResponses, GetSubscriberData, GetSubscriberErrors, GetSubscriberResponses, GetTeamData, GetTeamErrors, GetTeamResponses, GetUpdateTemplateData, GetUpdateTemplateErrors, GetUpdateTemplateResponses, GetUptimeReportData, GetUptimeReportErrors, GetUptimeReportResponses, GetUptimeSummaryData, GetUptimeSummaryErrors, GetUptimeSummaryResponses, GetWebhookDeliveryData, GetWebhookDeliveryErrors, GetWebhookDeliveryResponses, GetWebhookEndpointData, GetWebhookEndpointErrors, GetWebhookEndpointResponses, ImportSubscribersData, ImportSubscribersErrors, ImportSubscribersResponses, LeaveTeamData, LeaveTeamErrors, LeaveTeamResponses, ListAlertChannelDeliveriesData, ListAlertChannelDeliveriesErrors, ListAlertChannelDeliveriesResponses, ListAlertChannelsData, ListAlertChannelsErrors, ListAlertChannelsResponses, ListAlertRoutesData, ListAlertRoutesErrors, ListAlertRoutesResponses, ListAnnouncementsData, ListAnnouncementsErrors, ListAnnouncementsResponses, ListAnnouncementUpdatesData, ListAnnouncementUpdatesErrors, ListAnnouncementUpdatesResponses, ListAnnouncementUpdateVersionsData, ListAnnouncementUpdateVersionsErrors, ListAnnouncementUpdateVersionsResponses, ListAuditLogData, ListAuditLogErrors, ListAuditLogResponses, ListConnectedApplicationsData, ListConnectedApplicationsErrors, ListConnectedApplicationsResponses, ListExpirationsData, ListExpirationsErrors, ListExpirationsResponses, ListGroupsData, ListGroupsErrors, ListGroupsResponses, ListIncidentNotificationsData, ListIncidentNotificationsErrors, ListIncidentNotificationsResponses, ListIncidentRoundsData, ListIncidentRoundsErrors, ListIncidentRoundsResponses, ListIncidentsData, ListIncidentsErrors, ListIncidentsResponses, ListIncidentUpdatesData, ListIncidentUpdatesErrors, ListIncidentUpdatesResponses, ListIncidentUpdateVersionsData, ListIncidentUpdateVersionsErrors, ListIncidentUpdateVersionsResponses, ListInvitationsData, ListInvitationsErrors, ListInvitationsResponses, ListMaintenanceWindowsData, ListMaintenanceWindowsErrors, ListMaintenanceWindowsResponses, ListMonitorActivitiesData, ListMonitorActivitiesErrors, ListMonitorActivitiesResponses, ListMonitorCertificatesData, ListMonitorCertificatesErrors, ListMonitorCertificatesResponses, ListMonitorCorrectionsData, ListMonitorCorrectionsErrors, ListMonitorCorrectionsResponses, ListMonitorDnsData, ListMonitorDnsErrors, ListMonitorDnsResponses, ListMonitorIncidentsData, ListMonitorIncidentsErrors, ListMonitorIncidentsResponses, ListMonitorPingsData, ListMonitorPingsErrors, ListMonitorPingsResponses, ListMonitorResultsData, ListMonitorResultsErrors, ListMonitorResultsResponses, ListMonitorsData, ListMonitorsErrors, ListMonitorsResponses, ListNotificationChannelsData, ListNotificationChannelsErrors, ListNotificationChannelsResponses, ListRegionsData, ListRegionsErrors, ListRegionsResponses, ListReportsData, ListReportsErrors, ListReportsResponses, ListSessionsData, ListSessionsErrors, ListSessionsResponses, ListSlosData, ListSlosErrors, ListSlosResponses, ListStatusPagesData, ListStatusPagesErrors, ListStatusPagesResponses, ListSubscribersData, ListSubscribersErrors, ListSubscribersResponses, ListTeamsData, ListTeamsErrors, ListTeamsResponses, ListTokensData, ListTokensErrors, ListTokensResponses, ListUpdateTemplatesData, ListUpdateTemplatesErrors, ListUpdateTemplatesResponses, ListUsersData, ListUsersErrors, ListUsersResponses, ListWebhookDeliveriesData, ListWebhookDeliveriesErrors, ListWebhookDeliveriesResponses, ListWebhookEndpointsData, ListWebhookEndpointsErrors, ListWebhookEndpointsResponses, PauseMonitorData, PauseMonitorErrors, PauseMonitorResponses, PreviewAlertRoutesData, PreviewAlertRoutesErrors, PreviewAlertRoutesResponses, PreviewCronData, PreviewCronErrors, PreviewCronResponses, PreviewInvitationData, PreviewInvitationErrors, PreviewInvitationResponses, RedeliverWebhookData, RedeliverWebhookErrors, RedeliverWebhookResponses, ResendInvitationData, ResendInvitationErrors, ResendInvitationResponses, ResolveIncidentData, ResolveIncidentErrors, ResolveIncidentResponses, ResumeMonitorData, ResumeMonitorErrors, ResumeMonitorResponses, RevokeOtherSessionsData, RevokeOtherSessionsErrors, RevokeOtherSessionsResponses, RevokeSessionData, RevokeSessionErrors, RevokeSessionResponses, RevokeTokenData, RevokeTokenErrors, RevokeTokenResponses, RotatePingUrlData, RotatePingUrlErrors, RotatePingUrlResponses, RotateWebhookSecretData, RotateWebhookSecretErrors, RotateWebhookSecretResponses, SetMonitorSloData, SetMonitorSloErrors, SetMonitorSloResponses, SetPostMortemData, SetPostMortemErrors, SetPostMortemResponses, SetStatusPageLogoData, SetStatusPageLogoErrors, SetStatusPageLogoResponses, StartMaintenanceData, StartMaintenanceErrors, StartMaintenanceResponses, StartReportRunData, StartReportRunErrors, StartReportRunResponses, SwitchTeamData, SwitchTeamErrors, SwitchTeamResponses, TestAlertChannelData, TestAlertChannelErrors, TestAlertChannelResponses, TestMonitorData, TestMonitorErrors, TestMonitorResponses, TestNotificationChannelData, TestNotificationChannelErrors, TestNotificationChannelResponses, TestTokenData, TestTokenErrors, TestTokenResponses, TestWebhookEndpointData, TestWebhookEndpointErrors, TestWebhookEndpointResponses, TransferTeamData, TransferTeamErrors, TransferTeamResponses, UnpauseMonitorData, UnpauseMonitorErrors, UnpauseMonitorResponses, UpdateAccountData, UpdateAccountErrors, UpdateAccountResponses, UpdateAlertChannelData, UpdateAlertChannelErrors, UpdateAlertChannelResponses, UpdateAlertRouteData, UpdateAlertRouteErrors, UpdateAlertRouteResponses, UpdateAnnouncementData, UpdateAnnouncementErrors, UpdateAnnouncementResponses, UpdateAnnouncementUpdateData, UpdateAnnouncementUpdateErrors, UpdateAnnouncementUpdateResponses, UpdateGroupData, UpdateGroupErrors, UpdateGroupResponses, UpdateIncidentData, UpdateIncidentErrors, UpdateIncidentResponses, UpdateIncidentUpdateData, UpdateIncidentUpdateErrors, UpdateIncidentUpdateResponses, UpdateInvitationData, UpdateInvitationErrors, UpdateInvitationResponses, UpdateMaintenanceWindowData, UpdateMaintenanceWindowErrors, UpdateMaintenanceWindowResponses, UpdateMonitorData, UpdateMonitorErrors, UpdateMonitorResponses, UpdateNotificationChannelData, UpdateNotificationChannelErrors, UpdateNotificationChannelResponses, UpdateReportData, UpdateReportErrors, UpdateReportResponses, UpdateStatusPageData, UpdateStatusPageErrors, UpdateStatusPageResponses, UpdateTeamData, UpdateTeamErrors, UpdateTeamResponses, UpdateUpdateTemplateData, UpdateUpdateTemplateErrors, UpdateUpdateTemplateResponses, UpdateUserData, UpdateUserErrors, UpdateUserResponses, UpdateWebhookEndpointData, UpdateWebhookEndpointErrors, UpdateWebhookEndpointResponses, ValidateMonitorData, ValidateMonitorErrors, ValidateMonitorResponses, VerifyStatusPageDomainData, VerifyStatusPageDomainErrors, VerifyStatusPageDomainResponses, WhoAmIData, WhoAmIErrors, WhoAmIResponses } from "./types.gen.ts";
export type Options<TData extends TDataShape = TDataShape, ThrowOnError extends boolean = boolean, TResponse = unknown> = Options2<TData, ThrowOnError, TResponse> & {
    client?: Client;
    meta?: keyof ClientMeta extends never ? Record<string, unknown> : ClientMeta;
};
export const whoAmI = <ThrowOnError extends boolean = false>(options?: Options<WhoAmIData, ThrowOnError>): RequestResult<WhoAmIResponses, WhoAmIErrors, ThrowOnError> => (options?.client ?? client).get<WhoAmIResponses, WhoAmIErrors, ThrowOnError>({ url: "/", ...options });
export const testToken = <ThrowOnError extends boolean = false>(options?: Options<TestTokenData, ThrowOnError>): RequestResult<TestTokenResponses, TestTokenErrors, ThrowOnError> => (options?.client ?? client).get<TestTokenResponses, TestTokenErrors, ThrowOnError>({ url: "/test", ...options });
export const updateAccount = <ThrowOnError extends boolean = false>(options: Options<UpdateAccountData, ThrowOnError>): RequestResult<UpdateAccountResponses, UpdateAccountErrors, ThrowOnError> => (options.client ?? client).put<UpdateAccountResponses, UpdateAccountErrors, ThrowOnError>({
    url: "/account",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const getInstallation = <ThrowOnError extends boolean = false>(options?: Options<GetInstallationData, ThrowOnError>): RequestResult<GetInstallationResponses, GetInstallationErrors, ThrowOnError> => (options?.client ?? client).get<GetInstallationResponses, GetInstallationErrors, ThrowOnError>({ url: "/installation", ...options });
export const listTokens = <ThrowOnError extends boolean = false>(options?: Options<ListTokensData, ThrowOnError>): RequestResult<ListTokensResponses, ListTokensErrors, ThrowOnError> => (options?.client ?? client).get<ListTokensResponses, ListTokensErrors, ThrowOnError>({ url: "/tokens", ...options });
export const createToken = <ThrowOnError extends boolean = false>(options: Options<CreateTokenData, ThrowOnError>): RequestResult<CreateTokenResponses, CreateTokenErrors, ThrowOnError> => (options.client ?? client).post<CreateTokenResponses, CreateTokenErrors, ThrowOnError>({
    url: "/tokens",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const revokeToken = <ThrowOnError extends boolean = false>(options: Options<RevokeTokenData, ThrowOnError>): RequestResult<RevokeTokenResponses, RevokeTokenErrors, ThrowOnError> => (options.client ?? client).delete<RevokeTokenResponses, RevokeTokenErrors, ThrowOnError>({ url: "/tokens/{id}", ...options });
export const revokeOtherSessions = <ThrowOnError extends boolean = false>(options?: Options<RevokeOtherSessionsData, ThrowOnError>): RequestResult<RevokeOtherSessionsResponses, RevokeOtherSessionsErrors, ThrowOnError> => (options?.client ?? client).delete<RevokeOtherSessionsResponses, RevokeOtherSessionsErrors, ThrowOnError>({ url: "/sessions", ...options });
export const listSessions = <ThrowOnError extends boolean = false>(options?: Options<ListSessionsData, ThrowOnError>): RequestResult<ListSessionsResponses, ListSessionsErrors, ThrowOnError> => (options?.client ?? client).get<ListSessionsResponses, ListSessionsErrors, ThrowOnError>({ url: "/sessions", ...options });
export const revokeSession = <ThrowOnError extends boolean = false>(options: Options<RevokeSessionData, ThrowOnError>): RequestResult<RevokeSessionResponses, RevokeSessionErrors, ThrowOnError> => (options.client ?? client).delete<RevokeSessionResponses, RevokeSessionErrors, ThrowOnError>({ url: "/sessions/{id}", ...options });
export const listConnectedApplications = <ThrowOnError extends boolean = false>(options?: Options<ListConnectedApplicationsData, ThrowOnError>): RequestResult<ListConnectedApplicationsResponses, ListConnectedApplicationsErrors, ThrowOnError> => (options?.client ?? client).get<ListConnectedApplicationsResponses, ListConnectedApplicationsErrors, ThrowOnError>({ url: "/connected-applications", ...options });
export const disconnectApplication = <ThrowOnError extends boolean = false>(options: Options<DisconnectApplicationData, ThrowOnError>): RequestResult<DisconnectApplicationResponses, DisconnectApplicationErrors, ThrowOnError> => (options.client ?? client).delete<DisconnectApplicationResponses, DisconnectApplicationErrors, ThrowOnError>({ url: "/connected-applications/{id}", ...options });
export const getSignInOptions = <ThrowOnError extends boolean = false>(options?: Options<GetSignInOptionsData, ThrowOnError>): RequestResult<GetSignInOptionsResponses, GetSignInOptionsErrors, ThrowOnError> => (options?.client ?? client).get<GetSignInOptionsResponses, GetSignInOptionsErrors, ThrowOnError>({ url: "/sign-in", ...options });
export const getSetupState = <ThrowOnError extends boolean = false>(options?: Options<GetSetupStateData, ThrowOnError>): RequestResult<GetSetupStateResponses, GetSetupStateErrors, ThrowOnError> => (options?.client ?? client).get<GetSetupStateResponses, GetSetupStateErrors, ThrowOnError>({ url: "/setup/state", ...options });
export const completeSetup = <ThrowOnError extends boolean = false>(options: Options<CompleteSetupData, ThrowOnError>): RequestResult<CompleteSetupResponses, CompleteSetupErrors, ThrowOnError> => (options.client ?? client).post<CompleteSetupResponses, CompleteSetupErrors, ThrowOnError>({
    url: "/setup",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const listMonitors = <ThrowOnError extends boolean = false>(options?: Options<ListMonitorsData, ThrowOnError>): RequestResult<ListMonitorsResponses, ListMonitorsErrors, ThrowOnError> => (options?.client ?? client).get<ListMonitorsResponses, ListMonitorsErrors, ThrowOnError>({ url: "/monitors", ...options });
export const createMonitor = <ThrowOnError extends boolean = false>(options: Options<CreateMonitorData, ThrowOnError>): RequestResult<CreateMonitorResponses, CreateMonitorErrors, ThrowOnError> => (options.client ?? client).post<CreateMonitorResponses, CreateMonitorErrors, ThrowOnError>({
    url: "/monitors",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const deleteMonitor = <ThrowOnError extends boolean = false>(options: Options<DeleteMonitorData, ThrowOnError>): RequestResult<DeleteMonitorResponses, DeleteMonitorErrors, ThrowOnError> => (options.client ?? client).delete<DeleteMonitorResponses, DeleteMonitorErrors, ThrowOnError>({ url: "/monitors/{id}", ...options });
export const getMonitor = <ThrowOnError extends boolean = false>(options: Options<GetMonitorData, ThrowOnError>): RequestResult<GetMonitorResponses, GetMonitorErrors, ThrowOnError> => (options.client ?? client).get<GetMonitorResponses, GetMonitorErrors, ThrowOnError>({ url: "/monitors/{id}", ...options });
export const updateMonitor = <ThrowOnError extends boolean = false>(options: Options<UpdateMonitorData, ThrowOnError>): RequestResult<UpdateMonitorResponses, UpdateMonitorErrors, ThrowOnError> => (options.client ?? client).put<UpdateMonitorResponses, UpdateMonitorErrors, ThrowOnError>({
    url: "/monitors/{id}",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const pauseMonitor = <ThrowOnError extends boolean = false>(options: Options<PauseMonitorData, ThrowOnError>): RequestResult<PauseMonitorResponses, PauseMonitorErrors, ThrowOnError> => (options.client ?? client).post<PauseMonitorResponses, PauseMonitorErrors, ThrowOnError>({ url: "/monitors/{id}/pause", ...options });
export const resumeMonitor = <ThrowOnError extends boolean = false>(options: Options<ResumeMonitorData, ThrowOnError>): RequestResult<ResumeMonitorResponses, ResumeMonitorErrors, ThrowOnError> => (options.client ?? client).post<ResumeMonitorResponses, ResumeMonitorErrors, ThrowOnError>({ url: "/monitors/{id}/resume", ...options });
export const unpauseMonitor = <ThrowOnError extends boolean = false>(options: Options<UnpauseMonitorData, ThrowOnError>): RequestResult<UnpauseMonitorResponses, UnpauseMonitorErrors, ThrowOnError> => (options.client ?? client).post<UnpauseMonitorResponses, UnpauseMonitorErrors, ThrowOnError>({ url: "/monitors/{id}/unpause", ...options });
export const rotatePingUrl = <ThrowOnError extends boolean = false>(options: Options<RotatePingUrlData, ThrowOnError>): RequestResult<RotatePingUrlResponses, RotatePingUrlErrors, ThrowOnError> => (options.client ?? client).post<RotatePingUrlResponses, RotatePingUrlErrors, ThrowOnError>({
    url: "/monitors/{id}/rotate-ping-url",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const createMonitors = <ThrowOnError extends boolean = false>(options: Options<CreateMonitorsData, ThrowOnError>): RequestResult<CreateMonitorsResponses, CreateMonitorsErrors, ThrowOnError> => (options.client ?? client).post<CreateMonitorsResponses, CreateMonitorsErrors, ThrowOnError>({
    url: "/monitors/bulk",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const changeMonitors = <ThrowOnError extends boolean = false>(options: Options<ChangeMonitorsData, ThrowOnError>): RequestResult<ChangeMonitorsResponses, ChangeMonitorsErrors, ThrowOnError> => (options.client ?? client).post<ChangeMonitorsResponses, ChangeMonitorsErrors, ThrowOnError>({
    url: "/monitors/actions",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const testMonitor = <ThrowOnError extends boolean = false>(options: Options<TestMonitorData, ThrowOnError>): RequestResult<TestMonitorResponses, TestMonitorErrors, ThrowOnError> => (options.client ?? client).post<TestMonitorResponses, TestMonitorErrors, ThrowOnError>({
    url: "/monitors/test",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const validateMonitor = <ThrowOnError extends boolean = false>(options: Options<ValidateMonitorData, ThrowOnError>): RequestResult<ValidateMonitorResponses, ValidateMonitorErrors, ThrowOnError> => (options.client ?? client).post<ValidateMonitorResponses, ValidateMonitorErrors, ThrowOnError>({
    url: "/monitors/validate",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const getMonitorOverview = <ThrowOnError extends boolean = false>(options?: Options<GetMonitorOverviewData, ThrowOnError>): RequestResult<GetMonitorOverviewResponses, GetMonitorOverviewErrors, ThrowOnError> => (options?.client ?? client).get<GetMonitorOverviewResponses, GetMonitorOverviewErrors, ThrowOnError>({ url: "/monitors/overview", ...options });
export const getAttention = <ThrowOnError extends boolean = false>(options?: Options<GetAttentionData, ThrowOnError>): RequestResult<GetAttentionResponses, GetAttentionErrors, ThrowOnError> => (options?.client ?? client).get<GetAttentionResponses, GetAttentionErrors, ThrowOnError>({ url: "/attention", ...options });
export const listExpirations = <ThrowOnError extends boolean = false>(options?: Options<ListExpirationsData, ThrowOnError>): RequestResult<ListExpirationsResponses, ListExpirationsErrors, ThrowOnError> => (options?.client ?? client).get<ListExpirationsResponses, ListExpirationsErrors, ThrowOnError>({ url: "/expirations", ...options });
export const getUptimeSummary = <ThrowOnError extends boolean = false>(options?: Options<GetUptimeSummaryData, ThrowOnError>): RequestResult<GetUptimeSummaryResponses, GetUptimeSummaryErrors, ThrowOnError> => (options?.client ?? client).get<GetUptimeSummaryResponses, GetUptimeSummaryErrors, ThrowOnError>({ url: "/uptime-summary", ...options });
export const checkMonitor = <ThrowOnError extends boolean = false>(options: Options<CheckMonitorData, ThrowOnError>): RequestResult<CheckMonitorResponses, CheckMonitorErrors, ThrowOnError> => (options.client ?? client).post<CheckMonitorResponses, CheckMonitorErrors, ThrowOnError>({ url: "/monitors/{id}/check", ...options });
export const listIncidents = <ThrowOnError extends boolean = false>(options?: Options<ListIncidentsData, ThrowOnError>): RequestResult<ListIncidentsResponses, ListIncidentsErrors, ThrowOnError> => (options?.client ?? client).get<ListIncidentsResponses, ListIncidentsErrors, ThrowOnError>({ url: "/incidents", ...options });
export const createIncident = <ThrowOnError extends boolean = false>(options: Options<CreateIncidentData, ThrowOnError>): RequestResult<CreateIncidentResponses, CreateIncidentErrors, ThrowOnError> => (options.client ?? client).post<CreateIncidentResponses, CreateIncidentErrors, ThrowOnError>({
    url: "/incidents",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const deleteIncident = <ThrowOnError extends boolean = false>(options: Options<DeleteIncidentData, ThrowOnError>): RequestResult<DeleteIncidentResponses, DeleteIncidentErrors, ThrowOnError> => (options.client ?? client).delete<DeleteIncidentResponses, DeleteIncidentErrors, ThrowOnError>({ url: "/incidents/{id}", ...options });
export const getIncident = <ThrowOnError extends boolean = false>(options: Options<GetIncidentData, ThrowOnError>): RequestResult<GetIncidentResponses, GetIncidentErrors, ThrowOnError> => (options.client ?? client).get<GetIncidentResponses, GetIncidentErrors, ThrowOnError>({ url: "/incidents/{id}", ...options });
export const updateIncident = <ThrowOnError extends boolean = false>(options: Options<UpdateIncidentData, ThrowOnError>): RequestResult<UpdateIncidentResponses, UpdateIncidentErrors, ThrowOnError> => (options.client ?? client).put<UpdateIncidentResponses, UpdateIncidentErrors, ThrowOnError>({
    url: "/incidents/{id}",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const resolveIncident = <ThrowOnError extends boolean = false>(options: Options<ResolveIncidentData, ThrowOnError>): RequestResult<ResolveIncidentResponses, ResolveIncidentErrors, ThrowOnError> => (options.client ?? client).post<ResolveIncidentResponses, ResolveIncidentErrors, ThrowOnError>({ url: "/incidents/{id}/resolve", ...options });
export const acknowledgeIncident = <ThrowOnError extends boolean = false>(options: Options<AcknowledgeIncidentData, ThrowOnError>): RequestResult<AcknowledgeIncidentResponses, AcknowledgeIncidentErrors, ThrowOnError> => (options.client ?? client).post<AcknowledgeIncidentResponses, AcknowledgeIncidentErrors, ThrowOnError>({ url: "/incidents/{id}/acknowledge", ...options });
export const createIncidentNote = <ThrowOnError extends boolean = false>(options: Options<CreateIncidentNoteData, ThrowOnError>): RequestResult<CreateIncidentNoteResponses, CreateIncidentNoteErrors, ThrowOnError> => (options.client ?? client).post<CreateIncidentNoteResponses, CreateIncidentNoteErrors, ThrowOnError>({
    url: "/incidents/{id}/notes",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const listMonitorIncidents = <ThrowOnError extends boolean = false>(options: Options<ListMonitorIncidentsData, ThrowOnError>): RequestResult<ListMonitorIncidentsResponses, ListMonitorIncidentsErrors, ThrowOnError> => (options.client ?? client).get<ListMonitorIncidentsResponses, ListMonitorIncidentsErrors, ThrowOnError>({ url: "/monitors/{id}/incidents", ...options });
export const listMonitorResults = <ThrowOnError extends boolean = false>(options: Options<ListMonitorResultsData, ThrowOnError>): RequestResult<ListMonitorResultsResponses, ListMonitorResultsErrors, ThrowOnError> => (options.client ?? client).get<ListMonitorResultsResponses, ListMonitorResultsErrors, ThrowOnError>({ url: "/monitors/{id}/results", ...options });
export const getMonitorUptime = <ThrowOnError extends boolean = false>(options: Options<GetMonitorUptimeData, ThrowOnError>): RequestResult<GetMonitorUptimeResponses, GetMonitorUptimeErrors, ThrowOnError> => (options.client ?? client).get<GetMonitorUptimeResponses, GetMonitorUptimeErrors, ThrowOnError>({ url: "/monitors/{id}/uptime", ...options });
export const listMonitorPings = <ThrowOnError extends boolean = false>(options: Options<ListMonitorPingsData, ThrowOnError>): RequestResult<ListMonitorPingsResponses, ListMonitorPingsErrors, ThrowOnError> => (options.client ?? client).get<ListMonitorPingsResponses, ListMonitorPingsErrors, ThrowOnError>({ url: "/monitors/{id}/pings", ...options });
export const listMonitorDns = <ThrowOnError extends boolean = false>(options: Options<ListMonitorDnsData, ThrowOnError>): RequestResult<ListMonitorDnsResponses, ListMonitorDnsErrors, ThrowOnError> => (options.client ?? client).get<ListMonitorDnsResponses, ListMonitorDnsErrors, ThrowOnError>({ url: "/monitors/{id}/dns", ...options });
export const listMonitorCertificates = <ThrowOnError extends boolean = false>(options: Options<ListMonitorCertificatesData, ThrowOnError>): RequestResult<ListMonitorCertificatesResponses, ListMonitorCertificatesErrors, ThrowOnError> => (options.client ?? client).get<ListMonitorCertificatesResponses, ListMonitorCertificatesErrors, ThrowOnError>({ url: "/monitors/{id}/certificates", ...options });
export const listMonitorActivities = <ThrowOnError extends boolean = false>(options: Options<ListMonitorActivitiesData, ThrowOnError>): RequestResult<ListMonitorActivitiesResponses, ListMonitorActivitiesErrors, ThrowOnError> => (options.client ?? client).get<ListMonitorActivitiesResponses, ListMonitorActivitiesErrors, ThrowOnError>({ url: "/monitors/{id}/activities", ...options });
export const getMonitorResponseTimes = <ThrowOnError extends boolean = false>(options: Options<GetMonitorResponseTimesData, ThrowOnError>): RequestResult<GetMonitorResponseTimesResponses, GetMonitorResponseTimesErrors, ThrowOnError> => (options.client ?? client).get<GetMonitorResponseTimesResponses, GetMonitorResponseTimesErrors, ThrowOnError>({ url: "/monitors/{id}/response-times", ...options });
export const getMonitorDays = <ThrowOnError extends boolean = false>(options: Options<GetMonitorDaysData, ThrowOnError>): RequestResult<GetMonitorDaysResponses, GetMonitorDaysErrors, ThrowOnError> => (options.client ?? client).get<GetMonitorDaysResponses, GetMonitorDaysErrors, ThrowOnError>({ url: "/monitors/{id}/days", ...options });
export const listMonitorCorrections = <ThrowOnError extends boolean = false>(options: Options<ListMonitorCorrectionsData, ThrowOnError>): RequestResult<ListMonitorCorrectionsResponses, ListMonitorCorrectionsErrors, ThrowOnError> => (options.client ?? client).get<ListMonitorCorrectionsResponses, ListMonitorCorrectionsErrors, ThrowOnError>({ url: "/monitors/{id}/corrections", ...options });
export const createMonitorCorrection = <ThrowOnError extends boolean = false>(options: Options<CreateMonitorCorrectionData, ThrowOnError>): RequestResult<CreateMonitorCorrectionResponses, CreateMonitorCorrectionErrors, ThrowOnError> => (options.client ?? client).post<CreateMonitorCorrectionResponses, CreateMonitorCorrectionErrors, ThrowOnError>({
    url: "/monitors/{id}/corrections",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const deleteMonitorCorrection = <ThrowOnError extends boolean = false>(options: Options<DeleteMonitorCorrectionData, ThrowOnError>): RequestResult<DeleteMonitorCorrectionResponses, DeleteMonitorCorrectionErrors, ThrowOnError> => (options.client ?? client).delete<DeleteMonitorCorrectionResponses, DeleteMonitorCorrectionErrors, ThrowOnError>({ url: "/monitors/{id}/corrections/{correction}", ...options });
export const getMonitorCorrection = <ThrowOnError extends boolean = false>(options: Options<GetMonitorCorrectionData, ThrowOnError>): RequestResult<GetMonitorCorrectionResponses, GetMonitorCorrectionErrors, ThrowOnError> => (options.client ?? client).get<GetMonitorCorrectionResponses, GetMonitorCorrectionErrors, ThrowOnError>({ url: "/monitors/{id}/corrections/{correction}", ...options });
export const listSlos = <ThrowOnError extends boolean = false>(options?: Options<ListSlosData, ThrowOnError>): RequestResult<ListSlosResponses, ListSlosErrors, ThrowOnError> => (options?.client ?? client).get<ListSlosResponses, ListSlosErrors, ThrowOnError>({ url: "/slos", ...options });
export const deleteMonitorSlo = <ThrowOnError extends boolean = false>(options: Options<DeleteMonitorSloData, ThrowOnError>): RequestResult<DeleteMonitorSloResponses, DeleteMonitorSloErrors, ThrowOnError> => (options.client ?? client).delete<DeleteMonitorSloResponses, DeleteMonitorSloErrors, ThrowOnError>({ url: "/monitors/{id}/slo", ...options });
export const getMonitorSlo = <ThrowOnError extends boolean = false>(options: Options<GetMonitorSloData, ThrowOnError>): RequestResult<GetMonitorSloResponses, GetMonitorSloErrors, ThrowOnError> => (options.client ?? client).get<GetMonitorSloResponses, GetMonitorSloErrors, ThrowOnError>({ url: "/monitors/{id}/slo", ...options });
export const setMonitorSlo = <ThrowOnError extends boolean = false>(options: Options<SetMonitorSloData, ThrowOnError>): RequestResult<SetMonitorSloResponses, SetMonitorSloErrors, ThrowOnError> => (options.client ?? client).put<SetMonitorSloResponses, SetMonitorSloErrors, ThrowOnError>({
    url: "/monitors/{id}/slo",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const checkUrl = <ThrowOnError extends boolean = false>(options: Options<CheckUrlData, ThrowOnError>): RequestResult<CheckUrlResponses, CheckUrlErrors, ThrowOnError> => (options.client ?? client).get<CheckUrlResponses, CheckUrlErrors, ThrowOnError>({ url: "/check-url", ...options });
export const listRegions = <ThrowOnError extends boolean = false>(options?: Options<ListRegionsData, ThrowOnError>): RequestResult<ListRegionsResponses, ListRegionsErrors, ThrowOnError> => (options?.client ?? client).get<ListRegionsResponses, ListRegionsErrors, ThrowOnError>({ url: "/regions", ...options });
export const previewCron = <ThrowOnError extends boolean = false>(options: Options<PreviewCronData, ThrowOnError>): RequestResult<PreviewCronResponses, PreviewCronErrors, ThrowOnError> => (options.client ?? client).get<PreviewCronResponses, PreviewCronErrors, ThrowOnError>({ url: "/cron-preview", ...options });
export const listIncidentRounds = <ThrowOnError extends boolean = false>(options: Options<ListIncidentRoundsData, ThrowOnError>): RequestResult<ListIncidentRoundsResponses, ListIncidentRoundsErrors, ThrowOnError> => (options.client ?? client).get<ListIncidentRoundsResponses, ListIncidentRoundsErrors, ThrowOnError>({ url: "/incidents/{id}/rounds", ...options });
export const listIncidentNotifications = <ThrowOnError extends boolean = false>(options: Options<ListIncidentNotificationsData, ThrowOnError>): RequestResult<ListIncidentNotificationsResponses, ListIncidentNotificationsErrors, ThrowOnError> => (options.client ?? client).get<ListIncidentNotificationsResponses, ListIncidentNotificationsErrors, ThrowOnError>({ url: "/incidents/{id}/notifications", ...options });
export const listIncidentUpdates = <ThrowOnError extends boolean = false>(options: Options<ListIncidentUpdatesData, ThrowOnError>): RequestResult<ListIncidentUpdatesResponses, ListIncidentUpdatesErrors, ThrowOnError> => (options.client ?? client).get<ListIncidentUpdatesResponses, ListIncidentUpdatesErrors, ThrowOnError>({ url: "/incidents/{id}/updates", ...options });
export const createIncidentUpdate = <ThrowOnError extends boolean = false>(options: Options<CreateIncidentUpdateData, ThrowOnError>): RequestResult<CreateIncidentUpdateResponses, CreateIncidentUpdateErrors, ThrowOnError> => (options.client ?? client).post<CreateIncidentUpdateResponses, CreateIncidentUpdateErrors, ThrowOnError>({
    url: "/incidents/{id}/updates",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const deleteIncidentUpdate = <ThrowOnError extends boolean = false>(options: Options<DeleteIncidentUpdateData, ThrowOnError>): RequestResult<DeleteIncidentUpdateResponses, DeleteIncidentUpdateErrors, ThrowOnError> => (options.client ?? client).delete<DeleteIncidentUpdateResponses, DeleteIncidentUpdateErrors, ThrowOnError>({ url: "/incidents/{id}/updates/{update}", ...options });
export const getIncidentUpdate = <ThrowOnError extends boolean = false>(options: Options<GetIncidentUpdateData, ThrowOnError>): RequestResult<GetIncidentUpdateResponses, GetIncidentUpdateErrors, ThrowOnError> => (options.client ?? client).get<GetIncidentUpdateResponses, GetIncidentUpdateErrors, ThrowOnError>({ url: "/incidents/{id}/updates/{update}", ...options });
export const updateIncidentUpdate = <ThrowOnError extends boolean = false>(options: Options<UpdateIncidentUpdateData, ThrowOnError>): RequestResult<UpdateIncidentUpdateResponses, UpdateIncidentUpdateErrors, ThrowOnError> => (options.client ?? client).put<UpdateIncidentUpdateResponses, UpdateIncidentUpdateErrors, ThrowOnError>({
    url: "/incidents/{id}/updates/{update}",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const listIncidentUpdateVersions = <ThrowOnError extends boolean = false>(options: Options<ListIncidentUpdateVersionsData, ThrowOnError>): RequestResult<ListIncidentUpdateVersionsResponses, ListIncidentUpdateVersionsErrors, ThrowOnError> => (options.client ?? client).get<ListIncidentUpdateVersionsResponses, ListIncidentUpdateVersionsErrors, ThrowOnError>({ url: "/incidents/{id}/updates/{update}/versions", ...options });
export const listAnnouncementUpdates = <ThrowOnError extends boolean = false>(options: Options<ListAnnouncementUpdatesData, ThrowOnError>): RequestResult<ListAnnouncementUpdatesResponses, ListAnnouncementUpdatesErrors, ThrowOnError> => (options.client ?? client).get<ListAnnouncementUpdatesResponses, ListAnnouncementUpdatesErrors, ThrowOnError>({ url: "/announcements/{id}/updates", ...options });
export const createAnnouncementUpdate = <ThrowOnError extends boolean = false>(options: Options<CreateAnnouncementUpdateData, ThrowOnError>): RequestResult<CreateAnnouncementUpdateResponses, CreateAnnouncementUpdateErrors, ThrowOnError> => (options.client ?? client).post<CreateAnnouncementUpdateResponses, CreateAnnouncementUpdateErrors, ThrowOnError>({
    url: "/announcements/{id}/updates",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const deleteAnnouncementUpdate = <ThrowOnError extends boolean = false>(options: Options<DeleteAnnouncementUpdateData, ThrowOnError>): RequestResult<DeleteAnnouncementUpdateResponses, DeleteAnnouncementUpdateErrors, ThrowOnError> => (options.client ?? client).delete<DeleteAnnouncementUpdateResponses, DeleteAnnouncementUpdateErrors, ThrowOnError>({ url: "/announcements/{id}/updates/{update}", ...options });
export const getAnnouncementUpdate = <ThrowOnError extends boolean = false>(options: Options<GetAnnouncementUpdateData, ThrowOnError>): RequestResult<GetAnnouncementUpdateResponses, GetAnnouncementUpdateErrors, ThrowOnError> => (options.client ?? client).get<GetAnnouncementUpdateResponses, GetAnnouncementUpdateErrors, ThrowOnError>({ url: "/announcements/{id}/updates/{update}", ...options });
export const updateAnnouncementUpdate = <ThrowOnError extends boolean = false>(options: Options<UpdateAnnouncementUpdateData, ThrowOnError>): RequestResult<UpdateAnnouncementUpdateResponses, UpdateAnnouncementUpdateErrors, ThrowOnError> => (options.client ?? client).put<UpdateAnnouncementUpdateResponses, UpdateAnnouncementUpdateErrors, ThrowOnError>({
    url: "/announcements/{id}/updates/{update}",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const listAnnouncementUpdateVersions = <ThrowOnError extends boolean = false>(options: Options<ListAnnouncementUpdateVersionsData, ThrowOnError>): RequestResult<ListAnnouncementUpdateVersionsResponses, ListAnnouncementUpdateVersionsErrors, ThrowOnError> => (options.client ?? client).get<ListAnnouncementUpdateVersionsResponses, ListAnnouncementUpdateVersionsErrors, ThrowOnError>({ url: "/announcements/{id}/updates/{update}/versions", ...options });
export const listAnnouncements = <ThrowOnError extends boolean = false>(options?: Options<ListAnnouncementsData, ThrowOnError>): RequestResult<ListAnnouncementsResponses, ListAnnouncementsErrors, ThrowOnError> => (options?.client ?? client).get<ListAnnouncementsResponses, ListAnnouncementsErrors, ThrowOnError>({ url: "/announcements", ...options });
export const createAnnouncement = <ThrowOnError extends boolean = false>(options: Options<CreateAnnouncementData, ThrowOnError>): RequestResult<CreateAnnouncementResponses, CreateAnnouncementErrors, ThrowOnError> => (options.client ?? client).post<CreateAnnouncementResponses, CreateAnnouncementErrors, ThrowOnError>({
    url: "/announcements",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const deleteAnnouncement = <ThrowOnError extends boolean = false>(options: Options<DeleteAnnouncementData, ThrowOnError>): RequestResult<DeleteAnnouncementResponses, DeleteAnnouncementErrors, ThrowOnError> => (options.client ?? client).delete<DeleteAnnouncementResponses, DeleteAnnouncementErrors, ThrowOnError>({ url: "/announcements/{id}", ...options });
export const getAnnouncement = <ThrowOnError extends boolean = false>(options: Options<GetAnnouncementData, ThrowOnError>): RequestResult<GetAnnouncementResponses, GetAnnouncementErrors, ThrowOnError> => (options.client ?? client).get<GetAnnouncementResponses, GetAnnouncementErrors, ThrowOnError>({ url: "/announcements/{id}", ...options });
export const updateAnnouncement = <ThrowOnError extends boolean = false>(options: Options<UpdateAnnouncementData, ThrowOnError>): RequestResult<UpdateAnnouncementResponses, UpdateAnnouncementErrors, ThrowOnError> => (options.client ?? client).put<UpdateAnnouncementResponses, UpdateAnnouncementErrors, ThrowOnError>({
    url: "/announcements/{id}",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const deletePostMortem = <ThrowOnError extends boolean = false>(options: Options<DeletePostMortemData, ThrowOnError>): RequestResult<DeletePostMortemResponses, DeletePostMortemErrors, ThrowOnError> => (options.client ?? client).delete<DeletePostMortemResponses, DeletePostMortemErrors, ThrowOnError>({ url: "/announcements/{id}/post-mortem", ...options });
export const setPostMortem = <ThrowOnError extends boolean = false>(options: Options<SetPostMortemData, ThrowOnError>): RequestResult<SetPostMortemResponses, SetPostMortemErrors, ThrowOnError> => (options.client ?? client).put<SetPostMortemResponses, SetPostMortemErrors, ThrowOnError>({
    url: "/announcements/{id}/post-mortem",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const listUpdateTemplates = <ThrowOnError extends boolean = false>(options?: Options<ListUpdateTemplatesData, ThrowOnError>): RequestResult<ListUpdateTemplatesResponses, ListUpdateTemplatesErrors, ThrowOnError> => (options?.client ?? client).get<ListUpdateTemplatesResponses, ListUpdateTemplatesErrors, ThrowOnError>({ url: "/update-templates", ...options });
export const createUpdateTemplate = <ThrowOnError extends boolean = false>(options: Options<CreateUpdateTemplateData, ThrowOnError>): RequestResult<CreateUpdateTemplateResponses, CreateUpdateTemplateErrors, ThrowOnError> => (options.client ?? client).post<CreateUpdateTemplateResponses, CreateUpdateTemplateErrors, ThrowOnError>({
    url: "/update-templates",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const deleteUpdateTemplate = <ThrowOnError extends boolean = false>(options: Options<DeleteUpdateTemplateData, ThrowOnError>): RequestResult<DeleteUpdateTemplateResponses, DeleteUpdateTemplateErrors, ThrowOnError> => (options.client ?? client).delete<DeleteUpdateTemplateResponses, DeleteUpdateTemplateErrors, ThrowOnError>({ url: "/update-templates/{id}", ...options });
export const getUpdateTemplate = <ThrowOnError extends boolean = false>(options: Options<GetUpdateTemplateData, ThrowOnError>): RequestResult<GetUpdateTemplateResponses, GetUpdateTemplateErrors, ThrowOnError> => (options.client ?? client).get<GetUpdateTemplateResponses, GetUpdateTemplateErrors, ThrowOnError>({ url: "/update-templates/{id}", ...options });
export const updateUpdateTemplate = <ThrowOnError extends boolean = false>(options: Options<UpdateUpdateTemplateData, ThrowOnError>): RequestResult<UpdateUpdateTemplateResponses, UpdateUpdateTemplateErrors, ThrowOnError> => (options.client ?? client).put<UpdateUpdateTemplateResponses, UpdateUpdateTemplateErrors, ThrowOnError>({
    url: "/update-templates/{id}",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const listGroups = <ThrowOnError extends boolean = false>(options?: Options<ListGroupsData, ThrowOnError>): RequestResult<ListGroupsResponses, ListGroupsErrors, ThrowOnError> => (options?.client ?? client).get<ListGroupsResponses, ListGroupsErrors, ThrowOnError>({ url: "/groups", ...options });
export const createGroup = <ThrowOnError extends boolean = false>(options: Options<CreateGroupData, ThrowOnError>): RequestResult<CreateGroupResponses, CreateGroupErrors, ThrowOnError> => (options.client ?? client).post<CreateGroupResponses, CreateGroupErrors, ThrowOnError>({
    url: "/groups",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const deleteGroup = <ThrowOnError extends boolean = false>(options: Options<DeleteGroupData, ThrowOnError>): RequestResult<DeleteGroupResponses, DeleteGroupErrors, ThrowOnError> => (options.client ?? client).delete<DeleteGroupResponses, DeleteGroupErrors, ThrowOnError>({ url: "/groups/{id}", ...options });
export const getGroup = <ThrowOnError extends boolean = false>(options: Options<GetGroupData, ThrowOnError>): RequestResult<GetGroupResponses, GetGroupErrors, ThrowOnError> => (options.client ?? client).get<GetGroupResponses, GetGroupErrors, ThrowOnError>({ url: "/groups/{id}", ...options });
export const updateGroup = <ThrowOnError extends boolean = false>(options: Options<UpdateGroupData, ThrowOnError>): RequestResult<UpdateGroupResponses, UpdateGroupErrors, ThrowOnError> => (options.client ?? client).put<UpdateGroupResponses, UpdateGroupErrors, ThrowOnError>({
    url: "/groups/{id}",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const listAlertChannels = <ThrowOnError extends boolean = false>(options?: Options<ListAlertChannelsData, ThrowOnError>): RequestResult<ListAlertChannelsResponses, ListAlertChannelsErrors, ThrowOnError> => (options?.client ?? client).get<ListAlertChannelsResponses, ListAlertChannelsErrors, ThrowOnError>({ url: "/alert-channels", ...options });
export const createAlertChannel = <ThrowOnError extends boolean = false>(options: Options<CreateAlertChannelData, ThrowOnError>): RequestResult<CreateAlertChannelResponses, CreateAlertChannelErrors, ThrowOnError> => (options.client ?? client).post<CreateAlertChannelResponses, CreateAlertChannelErrors, ThrowOnError>({
    url: "/alert-channels",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const deleteAlertChannel = <ThrowOnError extends boolean = false>(options: Options<DeleteAlertChannelData, ThrowOnError>): RequestResult<DeleteAlertChannelResponses, DeleteAlertChannelErrors, ThrowOnError> => (options.client ?? client).delete<DeleteAlertChannelResponses, DeleteAlertChannelErrors, ThrowOnError>({ url: "/alert-channels/{id}", ...options });
export const getAlertChannel = <ThrowOnError extends boolean = false>(options: Options<GetAlertChannelData, ThrowOnError>): RequestResult<GetAlertChannelResponses, GetAlertChannelErrors, ThrowOnError> => (options.client ?? client).get<GetAlertChannelResponses, GetAlertChannelErrors, ThrowOnError>({ url: "/alert-channels/{id}", ...options });
export const updateAlertChannel = <ThrowOnError extends boolean = false>(options: Options<UpdateAlertChannelData, ThrowOnError>): RequestResult<UpdateAlertChannelResponses, UpdateAlertChannelErrors, ThrowOnError> => (options.client ?? client).put<UpdateAlertChannelResponses, UpdateAlertChannelErrors, ThrowOnError>({
    url: "/alert-channels/{id}",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const testAlertChannel = <ThrowOnError extends boolean = false>(options: Options<TestAlertChannelData, ThrowOnError>): RequestResult<TestAlertChannelResponses, TestAlertChannelErrors, ThrowOnError> => (options.client ?? client).post<TestAlertChannelResponses, TestAlertChannelErrors, ThrowOnError>({ url: "/alert-channels/{id}/test", ...options });
export const listAlertChannelDeliveries = <ThrowOnError extends boolean = false>(options: Options<ListAlertChannelDeliveriesData, ThrowOnError>): RequestResult<ListAlertChannelDeliveriesResponses, ListAlertChannelDeliveriesErrors, ThrowOnError> => (options.client ?? client).get<ListAlertChannelDeliveriesResponses, ListAlertChannelDeliveriesErrors, ThrowOnError>({ url: "/alert-channels/{id}/deliveries", ...options });
export const listNotificationChannels = <ThrowOnError extends boolean = false>(options?: Options<ListNotificationChannelsData, ThrowOnError>): RequestResult<ListNotificationChannelsResponses, ListNotificationChannelsErrors, ThrowOnError> => (options?.client ?? client).get<ListNotificationChannelsResponses, ListNotificationChannelsErrors, ThrowOnError>({ url: "/notification-channels", ...options });
export const createNotificationChannel = <ThrowOnError extends boolean = false>(options: Options<CreateNotificationChannelData, ThrowOnError>): RequestResult<CreateNotificationChannelResponses, CreateNotificationChannelErrors, ThrowOnError> => (options.client ?? client).post<CreateNotificationChannelResponses, CreateNotificationChannelErrors, ThrowOnError>({
    url: "/notification-channels",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const deleteNotificationChannel = <ThrowOnError extends boolean = false>(options: Options<DeleteNotificationChannelData, ThrowOnError>): RequestResult<DeleteNotificationChannelResponses, DeleteNotificationChannelErrors, ThrowOnError> => (options.client ?? client).delete<DeleteNotificationChannelResponses, DeleteNotificationChannelErrors, ThrowOnError>({ url: "/notification-channels/{channel}", ...options });
export const getNotificationChannel = <ThrowOnError extends boolean = false>(options: Options<GetNotificationChannelData, ThrowOnError>): RequestResult<GetNotificationChannelResponses, GetNotificationChannelErrors, ThrowOnError> => (options.client ?? client).get<GetNotificationChannelResponses, GetNotificationChannelErrors, ThrowOnError>({ url: "/notification-channels/{channel}", ...options });
export const updateNotificationChannel = <ThrowOnError extends boolean = false>(options: Options<UpdateNotificationChannelData, ThrowOnError>): RequestResult<UpdateNotificationChannelResponses, UpdateNotificationChannelErrors, ThrowOnError> => (options.client ?? client).put<UpdateNotificationChannelResponses, UpdateNotificationChannelErrors, ThrowOnError>({
    url: "/notification-channels/{channel}",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const testNotificationChannel = <ThrowOnError extends boolean = false>(options: Options<TestNotificationChannelData, ThrowOnError>): RequestResult<TestNotificationChannelResponses, TestNotificationChannelErrors, ThrowOnError> => (options.client ?? client).post<TestNotificationChannelResponses, TestNotificationChannelErrors, ThrowOnError>({ url: "/notification-channels/{channel}/test", ...options });
export const listAlertRoutes = <ThrowOnError extends boolean = false>(options?: Options<ListAlertRoutesData, ThrowOnError>): RequestResult<ListAlertRoutesResponses, ListAlertRoutesErrors, ThrowOnError> => (options?.client ?? client).get<ListAlertRoutesResponses, ListAlertRoutesErrors, ThrowOnError>({ url: "/alert-routes", ...options });
export const createAlertRoute = <ThrowOnError extends boolean = false>(options: Options<CreateAlertRouteData, ThrowOnError>): RequestResult<CreateAlertRouteResponses, CreateAlertRouteErrors, ThrowOnError> => (options.client ?? client).post<CreateAlertRouteResponses, CreateAlertRouteErrors, ThrowOnError>({
    url: "/alert-routes",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const deleteAlertRoute = <ThrowOnError extends boolean = false>(options: Options<DeleteAlertRouteData, ThrowOnError>): RequestResult<DeleteAlertRouteResponses, DeleteAlertRouteErrors, ThrowOnError> => (options.client ?? client).delete<DeleteAlertRouteResponses, DeleteAlertRouteErrors, ThrowOnError>({ url: "/alert-routes/{id}", ...options });
export const getAlertRoute = <ThrowOnError extends boolean = false>(options: Options<GetAlertRouteData, ThrowOnError>): RequestResult<GetAlertRouteResponses, GetAlertRouteErrors, ThrowOnError> => (options.client ?? client).get<GetAlertRouteResponses, GetAlertRouteErrors, ThrowOnError>({ url: "/alert-routes/{id}", ...options });
export const updateAlertRoute = <ThrowOnError extends boolean = false>(options: Options<UpdateAlertRouteData, ThrowOnError>): RequestResult<UpdateAlertRouteResponses, UpdateAlertRouteErrors, ThrowOnError> => (options.client ?? client).put<UpdateAlertRouteResponses, UpdateAlertRouteErrors, ThrowOnError>({
    url: "/alert-routes/{id}",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const previewAlertRoutes = <ThrowOnError extends boolean = false>(options: Options<PreviewAlertRoutesData, ThrowOnError>): RequestResult<PreviewAlertRoutesResponses, PreviewAlertRoutesErrors, ThrowOnError> => (options.client ?? client).get<PreviewAlertRoutesResponses, PreviewAlertRoutesErrors, ThrowOnError>({ url: "/alert-routes/preview", ...options });
export const listWebhookEndpoints = <ThrowOnError extends boolean = false>(options?: Options<ListWebhookEndpointsData, ThrowOnError>): RequestResult<ListWebhookEndpointsResponses, ListWebhookEndpointsErrors, ThrowOnError> => (options?.client ?? client).get<ListWebhookEndpointsResponses, ListWebhookEndpointsErrors, ThrowOnError>({ url: "/webhook-endpoints", ...options });
export const createWebhookEndpoint = <ThrowOnError extends boolean = false>(options: Options<CreateWebhookEndpointData, ThrowOnError>): RequestResult<CreateWebhookEndpointResponses, CreateWebhookEndpointErrors, ThrowOnError> => (options.client ?? client).post<CreateWebhookEndpointResponses, CreateWebhookEndpointErrors, ThrowOnError>({
    url: "/webhook-endpoints",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const deleteWebhookEndpoint = <ThrowOnError extends boolean = false>(options: Options<DeleteWebhookEndpointData, ThrowOnError>): RequestResult<DeleteWebhookEndpointResponses, DeleteWebhookEndpointErrors, ThrowOnError> => (options.client ?? client).delete<DeleteWebhookEndpointResponses, DeleteWebhookEndpointErrors, ThrowOnError>({ url: "/webhook-endpoints/{id}", ...options });
export const getWebhookEndpoint = <ThrowOnError extends boolean = false>(options: Options<GetWebhookEndpointData, ThrowOnError>): RequestResult<GetWebhookEndpointResponses, GetWebhookEndpointErrors, ThrowOnError> => (options.client ?? client).get<GetWebhookEndpointResponses, GetWebhookEndpointErrors, ThrowOnError>({ url: "/webhook-endpoints/{id}", ...options });
export const updateWebhookEndpoint = <ThrowOnError extends boolean = false>(options: Options<UpdateWebhookEndpointData, ThrowOnError>): RequestResult<UpdateWebhookEndpointResponses, UpdateWebhookEndpointErrors, ThrowOnError> => (options.client ?? client).put<UpdateWebhookEndpointResponses, UpdateWebhookEndpointErrors, ThrowOnError>({
    url: "/webhook-endpoints/{id}",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const testWebhookEndpoint = <ThrowOnError extends boolean = false>(options: Options<TestWebhookEndpointData, ThrowOnError>): RequestResult<TestWebhookEndpointResponses, TestWebhookEndpointErrors, ThrowOnError> => (options.client ?? client).post<TestWebhookEndpointResponses, TestWebhookEndpointErrors, ThrowOnError>({ url: "/webhook-endpoints/{id}/test", ...options });
export const rotateWebhookSecret = <ThrowOnError extends boolean = false>(options: Options<RotateWebhookSecretData, ThrowOnError>): RequestResult<RotateWebhookSecretResponses, RotateWebhookSecretErrors, ThrowOnError> => (options.client ?? client).post<RotateWebhookSecretResponses, RotateWebhookSecretErrors, ThrowOnError>({
    url: "/webhook-endpoints/{id}/rotate-secret",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const listWebhookDeliveries = <ThrowOnError extends boolean = false>(options: Options<ListWebhookDeliveriesData, ThrowOnError>): RequestResult<ListWebhookDeliveriesResponses, ListWebhookDeliveriesErrors, ThrowOnError> => (options.client ?? client).get<ListWebhookDeliveriesResponses, ListWebhookDeliveriesErrors, ThrowOnError>({ url: "/webhook-endpoints/{id}/deliveries", ...options });
export const getWebhookDelivery = <ThrowOnError extends boolean = false>(options: Options<GetWebhookDeliveryData, ThrowOnError>): RequestResult<GetWebhookDeliveryResponses, GetWebhookDeliveryErrors, ThrowOnError> => (options.client ?? client).get<GetWebhookDeliveryResponses, GetWebhookDeliveryErrors, ThrowOnError>({ url: "/webhook-endpoints/{id}/deliveries/{delivery}", ...options });
export const redeliverWebhook = <ThrowOnError extends boolean = false>(options: Options<RedeliverWebhookData, ThrowOnError>): RequestResult<RedeliverWebhookResponses, RedeliverWebhookErrors, ThrowOnError> => (options.client ?? client).post<RedeliverWebhookResponses, RedeliverWebhookErrors, ThrowOnError>({ url: "/webhook-endpoints/{id}/deliveries/{delivery}/redeliver", ...options });
export const listMaintenanceWindows = <ThrowOnError extends boolean = false>(options?: Options<ListMaintenanceWindowsData, ThrowOnError>): RequestResult<ListMaintenanceWindowsResponses, ListMaintenanceWindowsErrors, ThrowOnError> => (options?.client ?? client).get<ListMaintenanceWindowsResponses, ListMaintenanceWindowsErrors, ThrowOnError>({ url: "/maintenance-windows", ...options });
export const createMaintenanceWindow = <ThrowOnError extends boolean = false>(options: Options<CreateMaintenanceWindowData, ThrowOnError>): RequestResult<CreateMaintenanceWindowResponses, CreateMaintenanceWindowErrors, ThrowOnError> => (options.client ?? client).post<CreateMaintenanceWindowResponses, CreateMaintenanceWindowErrors, ThrowOnError>({
    url: "/maintenance-windows",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const startMaintenance = <ThrowOnError extends boolean = false>(options: Options<StartMaintenanceData, ThrowOnError>): RequestResult<StartMaintenanceResponses, StartMaintenanceErrors, ThrowOnError> => (options.client ?? client).post<StartMaintenanceResponses, StartMaintenanceErrors, ThrowOnError>({
    url: "/maintenance-windows/start",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const deleteMaintenanceWindow = <ThrowOnError extends boolean = false>(options: Options<DeleteMaintenanceWindowData, ThrowOnError>): RequestResult<DeleteMaintenanceWindowResponses, DeleteMaintenanceWindowErrors, ThrowOnError> => (options.client ?? client).delete<DeleteMaintenanceWindowResponses, DeleteMaintenanceWindowErrors, ThrowOnError>({ url: "/maintenance-windows/{id}", ...options });
export const getMaintenanceWindow = <ThrowOnError extends boolean = false>(options: Options<GetMaintenanceWindowData, ThrowOnError>): RequestResult<GetMaintenanceWindowResponses, GetMaintenanceWindowErrors, ThrowOnError> => (options.client ?? client).get<GetMaintenanceWindowResponses, GetMaintenanceWindowErrors, ThrowOnError>({ url: "/maintenance-windows/{id}", ...options });
export const updateMaintenanceWindow = <ThrowOnError extends boolean = false>(options: Options<UpdateMaintenanceWindowData, ThrowOnError>): RequestResult<UpdateMaintenanceWindowResponses, UpdateMaintenanceWindowErrors, ThrowOnError> => (options.client ?? client).put<UpdateMaintenanceWindowResponses, UpdateMaintenanceWindowErrors, ThrowOnError>({
    url: "/maintenance-windows/{id}",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const endMaintenance = <ThrowOnError extends boolean = false>(options: Options<EndMaintenanceData, ThrowOnError>): RequestResult<EndMaintenanceResponses, EndMaintenanceErrors, ThrowOnError> => (options.client ?? client).post<EndMaintenanceResponses, EndMaintenanceErrors, ThrowOnError>({ url: "/maintenance-windows/{id}/end", ...options });
export const listReports = <ThrowOnError extends boolean = false>(options?: Options<ListReportsData, ThrowOnError>): RequestResult<ListReportsResponses, ListReportsErrors, ThrowOnError> => (options?.client ?? client).get<ListReportsResponses, ListReportsErrors, ThrowOnError>({ url: "/reports", ...options });
export const createReport = <ThrowOnError extends boolean = false>(options: Options<CreateReportData, ThrowOnError>): RequestResult<CreateReportResponses, CreateReportErrors, ThrowOnError> => (options.client ?? client).post<CreateReportResponses, CreateReportErrors, ThrowOnError>({
    url: "/reports",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const deleteReport = <ThrowOnError extends boolean = false>(options: Options<DeleteReportData, ThrowOnError>): RequestResult<DeleteReportResponses, DeleteReportErrors, ThrowOnError> => (options.client ?? client).delete<DeleteReportResponses, DeleteReportErrors, ThrowOnError>({ url: "/reports/{id}", ...options });
export const getReport = <ThrowOnError extends boolean = false>(options: Options<GetReportData, ThrowOnError>): RequestResult<GetReportResponses, GetReportErrors, ThrowOnError> => (options.client ?? client).get<GetReportResponses, GetReportErrors, ThrowOnError>({ url: "/reports/{id}", ...options });
export const updateReport = <ThrowOnError extends boolean = false>(options: Options<UpdateReportData, ThrowOnError>): RequestResult<UpdateReportResponses, UpdateReportErrors, ThrowOnError> => (options.client ?? client).put<UpdateReportResponses, UpdateReportErrors, ThrowOnError>({
    url: "/reports/{id}",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const getReportData = <ThrowOnError extends boolean = false>(options: Options<GetReportDataData, ThrowOnError>): RequestResult<GetReportDataResponses, GetReportDataErrors, ThrowOnError> => (options.client ?? client).get<GetReportDataResponses, GetReportDataErrors, ThrowOnError>({ url: "/reports/{id}/data", ...options });
export const getUptimeReport = <ThrowOnError extends boolean = false>(options?: Options<GetUptimeReportData, ThrowOnError>): RequestResult<GetUptimeReportResponses, GetUptimeReportErrors, ThrowOnError> => (options?.client ?? client).get<GetUptimeReportResponses, GetUptimeReportErrors, ThrowOnError>({ url: "/reports/uptime", ...options });
export const startReportRun = <ThrowOnError extends boolean = false>(options: Options<StartReportRunData, ThrowOnError>): RequestResult<StartReportRunResponses, StartReportRunErrors, ThrowOnError> => (options.client ?? client).post<StartReportRunResponses, StartReportRunErrors, ThrowOnError>({
    url: "/reports/{id}/runs",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const getReportRun = <ThrowOnError extends boolean = false>(options: Options<GetReportRunData, ThrowOnError>): RequestResult<GetReportRunResponses, GetReportRunErrors, ThrowOnError> => (options.client ?? client).get<GetReportRunResponses, GetReportRunErrors, ThrowOnError>({ url: "/report-runs/{id}", ...options });
export const getReportRunFile = <ThrowOnError extends boolean = false>(options: Options<GetReportRunFileData, ThrowOnError>): RequestResult<GetReportRunFileResponses, GetReportRunFileErrors, ThrowOnError> => (options.client ?? client).get<GetReportRunFileResponses, GetReportRunFileErrors, ThrowOnError>({ url: "/report-runs/{id}/file", ...options });
export const listStatusPages = <ThrowOnError extends boolean = false>(options?: Options<ListStatusPagesData, ThrowOnError>): RequestResult<ListStatusPagesResponses, ListStatusPagesErrors, ThrowOnError> => (options?.client ?? client).get<ListStatusPagesResponses, ListStatusPagesErrors, ThrowOnError>({ url: "/status-pages", ...options });
export const createStatusPage = <ThrowOnError extends boolean = false>(options: Options<CreateStatusPageData, ThrowOnError>): RequestResult<CreateStatusPageResponses, CreateStatusPageErrors, ThrowOnError> => (options.client ?? client).post<CreateStatusPageResponses, CreateStatusPageErrors, ThrowOnError>({
    url: "/status-pages",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const deleteStatusPage = <ThrowOnError extends boolean = false>(options: Options<DeleteStatusPageData, ThrowOnError>): RequestResult<DeleteStatusPageResponses, DeleteStatusPageErrors, ThrowOnError> => (options.client ?? client).delete<DeleteStatusPageResponses, DeleteStatusPageErrors, ThrowOnError>({ url: "/status-pages/{id}", ...options });
export const getStatusPage = <ThrowOnError extends boolean = false>(options: Options<GetStatusPageData, ThrowOnError>): RequestResult<GetStatusPageResponses, GetStatusPageErrors, ThrowOnError> => (options.client ?? client).get<GetStatusPageResponses, GetStatusPageErrors, ThrowOnError>({ url: "/status-pages/{id}", ...options });
export const updateStatusPage = <ThrowOnError extends boolean = false>(options: Options<UpdateStatusPageData, ThrowOnError>): RequestResult<UpdateStatusPageResponses, UpdateStatusPageErrors, ThrowOnError> => (options.client ?? client).put<UpdateStatusPageResponses, UpdateStatusPageErrors, ThrowOnError>({
    url: "/status-pages/{id}",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const deleteStatusPageLogo = <ThrowOnError extends boolean = false>(options: Options<DeleteStatusPageLogoData, ThrowOnError>): RequestResult<DeleteStatusPageLogoResponses, DeleteStatusPageLogoErrors, ThrowOnError> => (options.client ?? client).delete<DeleteStatusPageLogoResponses, DeleteStatusPageLogoErrors, ThrowOnError>({ url: "/status-pages/{id}/logo", ...options });
export const setStatusPageLogo = <ThrowOnError extends boolean = false>(options: Options<SetStatusPageLogoData, ThrowOnError>): RequestResult<SetStatusPageLogoResponses, SetStatusPageLogoErrors, ThrowOnError> => (options.client ?? client).put<SetStatusPageLogoResponses, SetStatusPageLogoErrors, ThrowOnError>({
    url: "/status-pages/{id}/logo",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const verifyStatusPageDomain = <ThrowOnError extends boolean = false>(options: Options<VerifyStatusPageDomainData, ThrowOnError>): RequestResult<VerifyStatusPageDomainResponses, VerifyStatusPageDomainErrors, ThrowOnError> => (options.client ?? client).post<VerifyStatusPageDomainResponses, VerifyStatusPageDomainErrors, ThrowOnError>({ url: "/status-pages/{id}/verify-domain", ...options });
export const listSubscribers = <ThrowOnError extends boolean = false>(options: Options<ListSubscribersData, ThrowOnError>): RequestResult<ListSubscribersResponses, ListSubscribersErrors, ThrowOnError> => (options.client ?? client).get<ListSubscribersResponses, ListSubscribersErrors, ThrowOnError>({ url: "/status-pages/{id}/subscribers", ...options });
export const createSubscriber = <ThrowOnError extends boolean = false>(options: Options<CreateSubscriberData, ThrowOnError>): RequestResult<CreateSubscriberResponses, CreateSubscriberErrors, ThrowOnError> => (options.client ?? client).post<CreateSubscriberResponses, CreateSubscriberErrors, ThrowOnError>({
    url: "/status-pages/{id}/subscribers",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const deleteSubscriber = <ThrowOnError extends boolean = false>(options: Options<DeleteSubscriberData, ThrowOnError>): RequestResult<DeleteSubscriberResponses, DeleteSubscriberErrors, ThrowOnError> => (options.client ?? client).delete<DeleteSubscriberResponses, DeleteSubscriberErrors, ThrowOnError>({ url: "/status-pages/{id}/subscribers/{subscriber}", ...options });
export const getSubscriber = <ThrowOnError extends boolean = false>(options: Options<GetSubscriberData, ThrowOnError>): RequestResult<GetSubscriberResponses, GetSubscriberErrors, ThrowOnError> => (options.client ?? client).get<GetSubscriberResponses, GetSubscriberErrors, ThrowOnError>({ url: "/status-pages/{id}/subscribers/{subscriber}", ...options });
export const exportSubscribers = <ThrowOnError extends boolean = false>(options: Options<ExportSubscribersData, ThrowOnError>): RequestResult<ExportSubscribersResponses, ExportSubscribersErrors, ThrowOnError> => (options.client ?? client).get<ExportSubscribersResponses, ExportSubscribersErrors, ThrowOnError>({ url: "/status-pages/{id}/subscribers/export", ...options });
export const importSubscribers = <ThrowOnError extends boolean = false>(options: Options<ImportSubscribersData, ThrowOnError>): RequestResult<ImportSubscribersResponses, ImportSubscribersErrors, ThrowOnError> => (options.client ?? client).post<ImportSubscribersResponses, ImportSubscribersErrors, ThrowOnError>({
    url: "/status-pages/{id}/subscribers/import",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const getPlan = <ThrowOnError extends boolean = false>(options?: Options<GetPlanData, ThrowOnError>): RequestResult<GetPlanResponses, GetPlanErrors, ThrowOnError> => (options?.client ?? client).get<GetPlanResponses, GetPlanErrors, ThrowOnError>({ url: "/plan", ...options });
export const listTeams = <ThrowOnError extends boolean = false>(options?: Options<ListTeamsData, ThrowOnError>): RequestResult<ListTeamsResponses, ListTeamsErrors, ThrowOnError> => (options?.client ?? client).get<ListTeamsResponses, ListTeamsErrors, ThrowOnError>({ url: "/teams", ...options });
export const createTeam = <ThrowOnError extends boolean = false>(options: Options<CreateTeamData, ThrowOnError>): RequestResult<CreateTeamResponses, CreateTeamErrors, ThrowOnError> => (options.client ?? client).post<CreateTeamResponses, CreateTeamErrors, ThrowOnError>({
    url: "/teams",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const switchTeam = <ThrowOnError extends boolean = false>(options: Options<SwitchTeamData, ThrowOnError>): RequestResult<SwitchTeamResponses, SwitchTeamErrors, ThrowOnError> => (options.client ?? client).post<SwitchTeamResponses, SwitchTeamErrors, ThrowOnError>({ url: "/teams/{id}/switch", ...options });
export const deleteTeam = <ThrowOnError extends boolean = false>(options: Options<DeleteTeamData, ThrowOnError>): RequestResult<DeleteTeamResponses, DeleteTeamErrors, ThrowOnError> => (options.client ?? client).delete<DeleteTeamResponses, DeleteTeamErrors, ThrowOnError>({ url: "/teams/{id}", ...options });
export const getTeam = <ThrowOnError extends boolean = false>(options: Options<GetTeamData, ThrowOnError>): RequestResult<GetTeamResponses, GetTeamErrors, ThrowOnError> => (options.client ?? client).get<GetTeamResponses, GetTeamErrors, ThrowOnError>({ url: "/teams/{id}", ...options });
export const updateTeam = <ThrowOnError extends boolean = false>(options: Options<UpdateTeamData, ThrowOnError>): RequestResult<UpdateTeamResponses, UpdateTeamErrors, ThrowOnError> => (options.client ?? client).put<UpdateTeamResponses, UpdateTeamErrors, ThrowOnError>({
    url: "/teams/{id}",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const transferTeam = <ThrowOnError extends boolean = false>(options: Options<TransferTeamData, ThrowOnError>): RequestResult<TransferTeamResponses, TransferTeamErrors, ThrowOnError> => (options.client ?? client).post<TransferTeamResponses, TransferTeamErrors, ThrowOnError>({
    url: "/teams/{id}/transfer",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const leaveTeam = <ThrowOnError extends boolean = false>(options: Options<LeaveTeamData, ThrowOnError>): RequestResult<LeaveTeamResponses, LeaveTeamErrors, ThrowOnError> => (options.client ?? client).post<LeaveTeamResponses, LeaveTeamErrors, ThrowOnError>({ url: "/teams/{id}/leave", ...options });
export const listUsers = <ThrowOnError extends boolean = false>(options?: Options<ListUsersData, ThrowOnError>): RequestResult<ListUsersResponses, ListUsersErrors, ThrowOnError> => (options?.client ?? client).get<ListUsersResponses, ListUsersErrors, ThrowOnError>({ url: "/users", ...options });
export const deleteUser = <ThrowOnError extends boolean = false>(options: Options<DeleteUserData, ThrowOnError>): RequestResult<DeleteUserResponses, DeleteUserErrors, ThrowOnError> => (options.client ?? client).delete<DeleteUserResponses, DeleteUserErrors, ThrowOnError>({ url: "/users/{id}", ...options });
export const updateUser = <ThrowOnError extends boolean = false>(options: Options<UpdateUserData, ThrowOnError>): RequestResult<UpdateUserResponses, UpdateUserErrors, ThrowOnError> => (options.client ?? client).put<UpdateUserResponses, UpdateUserErrors, ThrowOnError>({
    url: "/users/{id}",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const listInvitations = <ThrowOnError extends boolean = false>(options?: Options<ListInvitationsData, ThrowOnError>): RequestResult<ListInvitationsResponses, ListInvitationsErrors, ThrowOnError> => (options?.client ?? client).get<ListInvitationsResponses, ListInvitationsErrors, ThrowOnError>({ url: "/users/invitations", ...options });
export const createInvitation = <ThrowOnError extends boolean = false>(options: Options<CreateInvitationData, ThrowOnError>): RequestResult<CreateInvitationResponses, CreateInvitationErrors, ThrowOnError> => (options.client ?? client).post<CreateInvitationResponses, CreateInvitationErrors, ThrowOnError>({
    url: "/users/invitations",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const deleteInvitation = <ThrowOnError extends boolean = false>(options: Options<DeleteInvitationData, ThrowOnError>): RequestResult<DeleteInvitationResponses, DeleteInvitationErrors, ThrowOnError> => (options.client ?? client).delete<DeleteInvitationResponses, DeleteInvitationErrors, ThrowOnError>({ url: "/users/invitations/{id}", ...options });
export const updateInvitation = <ThrowOnError extends boolean = false>(options: Options<UpdateInvitationData, ThrowOnError>): RequestResult<UpdateInvitationResponses, UpdateInvitationErrors, ThrowOnError> => (options.client ?? client).put<UpdateInvitationResponses, UpdateInvitationErrors, ThrowOnError>({
    url: "/users/invitations/{id}",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const resendInvitation = <ThrowOnError extends boolean = false>(options: Options<ResendInvitationData, ThrowOnError>): RequestResult<ResendInvitationResponses, ResendInvitationErrors, ThrowOnError> => (options.client ?? client).post<ResendInvitationResponses, ResendInvitationErrors, ThrowOnError>({ url: "/users/invitations/{id}/resend", ...options });
export const acceptInvitation = <ThrowOnError extends boolean = false>(options: Options<AcceptInvitationData, ThrowOnError>): RequestResult<AcceptInvitationResponses, AcceptInvitationErrors, ThrowOnError> => (options.client ?? client).post<AcceptInvitationResponses, AcceptInvitationErrors, ThrowOnError>({
    url: "/invitations/accept",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const previewInvitation = <ThrowOnError extends boolean = false>(options?: Options<PreviewInvitationData, ThrowOnError>): RequestResult<PreviewInvitationResponses, PreviewInvitationErrors, ThrowOnError> => (options?.client ?? client).get<PreviewInvitationResponses, PreviewInvitationErrors, ThrowOnError>({ url: "/invitations/preview", ...options });
export const getAlertLink = <ThrowOnError extends boolean = false>(options?: Options<GetAlertLinkData, ThrowOnError>): RequestResult<GetAlertLinkResponses, GetAlertLinkErrors, ThrowOnError> => (options?.client ?? client).get<GetAlertLinkResponses, GetAlertLinkErrors, ThrowOnError>({ url: "/alert-links", ...options });
export const acknowledgeAlertLink = <ThrowOnError extends boolean = false>(options: Options<AcknowledgeAlertLinkData, ThrowOnError>): RequestResult<AcknowledgeAlertLinkResponses, AcknowledgeAlertLinkErrors, ThrowOnError> => (options.client ?? client).post<AcknowledgeAlertLinkResponses, AcknowledgeAlertLinkErrors, ThrowOnError>({
    url: "/alert-links/acknowledge",
    ...options,
    headers: {
        "Content-Type": "application/json",
        ...options.headers
    }
});
export const listAuditLog = <ThrowOnError extends boolean = false>(options?: Options<ListAuditLogData, ThrowOnError>): RequestResult<ListAuditLogResponses, ListAuditLogErrors, ThrowOnError> => (options?.client ?? client).get<ListAuditLogResponses, ListAuditLogErrors, ThrowOnError>({ url: "/audit-log", ...options });
export const createResetLink = <ThrowOnError extends boolean = false>(options: Options<CreateResetLinkData, ThrowOnError>): RequestResult<CreateResetLinkResponses, CreateResetLinkErrors, ThrowOnError> => (options.client ?? client).post<CreateResetLinkResponses, CreateResetLinkErrors, ThrowOnError>({ url: "/users/{id}/reset-link", ...options });
