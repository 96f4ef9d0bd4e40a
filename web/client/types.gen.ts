// Generated from openapi.json by "npm run generate".
export type ClientOptions = {
    baseUrl: `${string}://${string}/api/v1` | (string & {});
};
export type Webhooks = OnMonitorDownWebhookRequest | OnMonitorUpWebhookRequest | OnMonitorPingFailedWebhookRequest | OnMonitorPingRecoveredWebhookRequest | OnMonitorPortFailedWebhookRequest | OnMonitorPortRecoveredWebhookRequest | OnMonitorHeartbeatMissedWebhookRequest | OnMonitorHeartbeatRecoveredWebhookRequest | OnMonitorKeywordMissingWebhookRequest | OnMonitorKeywordFoundWebhookRequest | OnMonitorKeywordResolvedWebhookRequest | OnMonitorJsonAssertionFailedWebhookRequest | OnMonitorJsonAssertionResolvedWebhookRequest | OnMonitorDegradedWebhookRequest | OnMonitorDegradedResolvedWebhookRequest | OnMonitorSlowResponseWebhookRequest | OnMonitorSlowResponseResolvedWebhookRequest | OnMonitorSslInvalidWebhookRequest | OnMonitorSslExpiringWebhookRequest | OnMonitorSslResolvedWebhookRequest | OnMonitorDomainExpiredWebhookRequest | OnMonitorDomainExpiringWebhookRequest | OnMonitorDomainResolvedWebhookRequest | OnMonitorDnsFailedWebhookRequest | OnMonitorDnsResolvedWebhookRequest | OnMonitorErrorBudgetBurningWebhookRequest | OnMonitorErrorBudgetResolvedWebhookRequest | OnMonitorErrorBudgetBurningSlowlyWebhookRequest | OnMonitorDnsChangedWebhookRequest | OnWebhookTestWebhookRequest;
export type WebhookEvent = ({
    event: "monitor.down";
} & MonitorDownEvent) | ({
    event: "monitor.up";
} & MonitorUpEvent) | ({
    event: "monitor.ping_failed";
} & MonitorPingFailedEvent) | ({
    event: "monitor.ping_recovered";
} & MonitorPingRecoveredEvent) | ({
    event: "monitor.port_failed";
} & MonitorPortFailedEvent) | ({
    event: "monitor.port_recovered";
} & MonitorPortRecoveredEvent) | ({
    event: "monitor.heartbeat_missed";
} & MonitorHeartbeatMissedEvent) | ({
    event: "monitor.heartbeat_recovered";
} & MonitorHeartbeatRecoveredEvent) | ({
    event: "monitor.keyword_missing";
} & MonitorKeywordMissingEvent) | ({
    event: "monitor.keyword_found";
} & MonitorKeywordFoundEvent) | ({
    event: "monitor.keyword_resolved";
} & MonitorKeywordResolvedEvent) | ({
    event: "monitor.json_assertion_failed";
} & MonitorJsonAssertionFailedEvent) | ({
    event: "monitor.json_assertion_resolved";
} & MonitorJsonAssertionResolvedEvent) | ({
    event: "monitor.degraded";
} & MonitorDegradedEvent) | ({
    event: "monitor.degraded_resolved";
} & MonitorDegradedResolvedEvent) | ({
    event: "monitor.slow_response";
} & MonitorSlowResponseEvent) | ({
    event: "monitor.slow_response_resolved";
} & MonitorSlowResponseResolvedEvent) | ({
    event: "monitor.ssl_invalid";
} & MonitorSslInvalidEvent) | ({
    event: "monitor.ssl_expiring";
} & MonitorSslExpiringEvent) | ({
    event: "monitor.ssl_resolved";
} & MonitorSslResolvedEvent) | ({
    event: "monitor.domain_expired";
} & MonitorDomainExpiredEvent) | ({
    event: "monitor.domain_expiring";
} & MonitorDomainExpiringEvent) | ({
    event: "monitor.domain_resolved";
} & MonitorDomainResolvedEvent) | ({
    event: "monitor.dns_failed";
} & MonitorDnsFailedEvent) | ({
    event: "monitor.dns_resolved";
} & MonitorDnsResolvedEvent) | ({
    event: "monitor.error_budget_burning";
} & MonitorErrorBudgetBurningEvent) | ({
    event: "monitor.error_budget_resolved";
} & MonitorErrorBudgetResolvedEvent) | ({
    event: "monitor.error_budget_burning_slowly";
} & MonitorErrorBudgetBurningSlowlyEvent) | ({
    event: "monitor.dns_changed";
} & MonitorDnsChangedEvent) | ({
    event: "webhook.test";
} & WebhookTestEvent);
export type MonitorSettings = {
    monitor_type?: "http" | "ping" | "port" | "heartbeat" | "cron" | null;
    url?: string | null;
    check_interval?: number | null;
    port?: number | null;
    friendly_name?: string | null;
    group_id?: number | null;
    tags?: Array<string> | null;
    monitored_regions?: Array<string> | null;
    accepted_status_codes?: Array<number | string> | null;
    follow_redirects?: boolean | null;
    request_timeout?: number | null;
    verify_ssl?: boolean | null;
    ssl_expiry_threshold?: number | null;
    domain_expiry_threshold?: number | null;
    slow_response_threshold?: number | null;
    error_text_detection?: boolean | null;
    failure_threshold?: number | null;
    recovery_threshold?: number | null;
    check_both_families?: boolean | null;
    depends_on?: Array<number> | null;
    notification_settings?: NotificationSettings | null;
    heartbeat_interval?: number | null;
    heartbeat_cron_expression?: string | null;
    heartbeat_timezone?: string | null;
    heartbeat_grace?: number | null;
    heartbeat_wait_for_first_ping?: boolean | null;
    heartbeat_max_runtime?: number | null;
    check_types?: Array<"ssl" | "dns" | "domain" | "keyword" | "json"> | null;
    http_method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS" | null;
    request_headers?: {
        [key: string]: string;
    } | null;
    request_body?: string | null;
    keyword_settings?: KeywordSettings | null;
    json_assertion_settings?: JsonAssertionSettings | null;
    auth_type?: "basic" | "bearer" | "digest" | null;
    auth_username?: string | null;
    auth_password?: string | null;
};
export type NotificationSettings = {
    enabled?: boolean | null;
    channels?: {
        email?: Array<"critical" | "warning" | "info"> | null;
        sms?: Array<"critical" | "warning" | "info"> | null;
        slack?: Array<"critical" | "warning" | "info"> | null;
        discord?: Array<"critical" | "warning" | "info"> | null;
        teams?: Array<"critical" | "warning" | "info"> | null;
        webhook?: Array<"critical" | "warning" | "info"> | null;
    } | null;
    quiet_hours?: {
        enabled?: boolean | null;
        start?: string | null;
        end?: string | null;
        timezone?: string | null;
        bypass_critical?: boolean | null;
    } | null;
};
export type KeywordSettings = {
    keywords?: Array<{
        phrase: string;
        mode: "must_contain" | "must_not_contain";
        case_sensitive?: boolean;
    }>;
    search_target?: "html" | "text";
};
export type JsonAssertionSettings = {
    assertions?: Array<{
        path: string;
        operator: "equals" | "not_equals" | "contains" | "not_contains" | "exists" | "not_exists" | "gt" | "gte" | "lt" | "lte" | "regex" | "not_regex";
        value?: string | number | boolean | null;
    }>;
};
export type MonitorTestSettings = {
    monitor_type?: "http" | "ping" | "port" | "heartbeat" | "cron" | null;
    url?: string | null;
    check_interval?: number | null;
    port?: number | null;
    friendly_name?: string | null;
    group_id?: number | null;
    tags?: Array<string> | null;
    monitored_regions?: Array<string> | null;
    accepted_status_codes?: Array<number | string> | null;
    follow_redirects?: boolean | null;
    request_timeout?: number | null;
    verify_ssl?: boolean | null;
    ssl_expiry_threshold?: number | null;
    domain_expiry_threshold?: number | null;
    slow_response_threshold?: number | null;
    error_text_detection?: boolean | null;
    failure_threshold?: number | null;
    recovery_threshold?: number | null;
    check_both_families?: boolean | null;
    depends_on?: Array<number> | null;
    notification_settings?: NotificationSettings | null;
    heartbeat_interval?: number | null;
    heartbeat_cron_expression?: string | null;
    heartbeat_timezone?: string | null;
    heartbeat_grace?: number | null;
    heartbeat_wait_for_first_ping?: boolean | null;
    heartbeat_max_runtime?: number | null;
    check_types?: Array<"ssl" | "dns" | "domain" | "keyword" | "json"> | null;
    http_method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS" | null;
    request_headers?: {
        [key: string]: string;
    } | null;
    request_body?: string | null;
    keyword_settings?: KeywordSettings | null;
    json_assertion_settings?: JsonAssertionSettings | null;
    auth_type?: "basic" | "bearer" | "digest" | null;
    auth_username?: string | null;
    auth_password?: string | null;
    id?: number | null;
};
export type MonitorDownEvent = {
    event: "monitor.down";
    timestamp: string;
    monitor: WebhookMonitor;
    status: WebhookStatus;
    incident: WebhookIncident;
};
export type WebhookMonitor = {
    id: number;
    name: string | null;
    url: string | null;
};
export type WebhookStatus = {
    current: "online" | "offline" | "degraded" | "pending";
    previous: "online" | "offline" | "degraded" | "pending";
    root_cause: string | null;
    region: string | null;
    is_regional_issue: boolean;
};
export type WebhookIncident = {
    id: number;
    started_at: string;
};
export type MonitorUpEvent = {
    event: "monitor.up";
    timestamp: string;
    monitor: WebhookMonitor;
    status: WebhookStatus;
    incident: WebhookIncident;
};
export type MonitorPingFailedEvent = {
    event: "monitor.ping_failed";
    timestamp: string;
    monitor: WebhookMonitor;
    status: WebhookStatus;
    incident: WebhookIncident;
};
export type MonitorPingRecoveredEvent = {
    event: "monitor.ping_recovered";
    timestamp: string;
    monitor: WebhookMonitor;
    status: WebhookStatus;
    incident: WebhookIncident;
};
export type MonitorPortFailedEvent = {
    event: "monitor.port_failed";
    timestamp: string;
    monitor: WebhookMonitor;
    status: WebhookStatus;
    incident: WebhookIncident;
};
export type MonitorPortRecoveredEvent = {
    event: "monitor.port_recovered";
    timestamp: string;
    monitor: WebhookMonitor;
    status: WebhookStatus;
    incident: WebhookIncident;
};
export type MonitorHeartbeatMissedEvent = {
    event: "monitor.heartbeat_missed";
    timestamp: string;
    monitor: WebhookMonitor;
    status: WebhookStatus;
    incident: WebhookIncident;
};
export type MonitorHeartbeatRecoveredEvent = {
    event: "monitor.heartbeat_recovered";
    timestamp: string;
    monitor: WebhookMonitor;
    status: WebhookStatus;
    incident: WebhookIncident;
};
export type MonitorKeywordMissingEvent = {
    event: "monitor.keyword_missing";
    timestamp: string;
    monitor: WebhookMonitor;
    status: WebhookStatus;
    incident: WebhookIncident;
};
export type MonitorKeywordFoundEvent = {
    event: "monitor.keyword_found";
    timestamp: string;
    monitor: WebhookMonitor;
    status: WebhookStatus;
    incident: WebhookIncident;
};
export type MonitorKeywordResolvedEvent = {
    event: "monitor.keyword_resolved";
    timestamp: string;
    monitor: WebhookMonitor;
    status: WebhookStatus;
    incident: WebhookIncident;
};
export type MonitorJsonAssertionFailedEvent = {
    event: "monitor.json_assertion_failed";
    timestamp: string;
    monitor: WebhookMonitor;
    status: WebhookStatus;
    incident: WebhookIncident;
};
export type MonitorJsonAssertionResolvedEvent = {
    event: "monitor.json_assertion_resolved";
    timestamp: string;
    monitor: WebhookMonitor;
    status: WebhookStatus;
    incident: WebhookIncident;
};
export type MonitorDegradedEvent = {
    event: "monitor.degraded";
    timestamp: string;
    monitor: WebhookMonitor;
    status: WebhookStatus;
    incident: WebhookIncident;
};
export type MonitorDegradedResolvedEvent = {
    event: "monitor.degraded_resolved";
    timestamp: string;
    monitor: WebhookMonitor;
    status: WebhookStatus;
    incident: WebhookIncident;
};
export type MonitorSlowResponseEvent = {
    event: "monitor.slow_response";
    timestamp: string;
    monitor: WebhookMonitor;
    status: WebhookStatus;
    incident: WebhookIncident;
};
export type MonitorSlowResponseResolvedEvent = {
    event: "monitor.slow_response_resolved";
    timestamp: string;
    monitor: WebhookMonitor;
    status: WebhookStatus;
    incident: WebhookIncident;
};
export type MonitorSslInvalidEvent = {
    event: "monitor.ssl_invalid";
    timestamp: string;
    monitor: WebhookMonitor;
    status: WebhookStatus;
    incident: WebhookIncident;
};
export type MonitorSslExpiringEvent = {
    event: "monitor.ssl_expiring";
    timestamp: string;
    monitor: WebhookMonitor;
    status: WebhookStatus;
    incident: WebhookIncident;
};
export type MonitorSslResolvedEvent = {
    event: "monitor.ssl_resolved";
    timestamp: string;
    monitor: WebhookMonitor;
    status: WebhookStatus;
    incident: WebhookIncident;
};
export type MonitorDomainExpiredEvent = {
    event: "monitor.domain_expired";
    timestamp: string;
    monitor: WebhookMonitor;
    status: WebhookStatus;
    incident: WebhookIncident;
};
export type MonitorDomainExpiringEvent = {
    event: "monitor.domain_expiring";
    timestamp: string;
    monitor: WebhookMonitor;
    status: WebhookStatus;
    incident: WebhookIncident;
};
export type MonitorDomainResolvedEvent = {
    event: "monitor.domain_resolved";
    timestamp: string;
    monitor: WebhookMonitor;
    status: WebhookStatus;
    incident: WebhookIncident;
};
export type MonitorDnsFailedEvent = {
    event: "monitor.dns_failed";
    timestamp: string;
    monitor: WebhookMonitor;
    status: WebhookStatus;
    incident: WebhookIncident;
};
export type MonitorDnsResolvedEvent = {
    event: "monitor.dns_resolved";
    timestamp: string;
    monitor: WebhookMonitor;
    status: WebhookStatus;
    incident: WebhookIncident;
};
export type MonitorErrorBudgetBurningEvent = {
    event: "monitor.error_budget_burning";
    timestamp: string;
    monitor: WebhookMonitor;
    status: WebhookStatus;
    incident: WebhookIncident;
};
export type MonitorErrorBudgetResolvedEvent = {
    event: "monitor.error_budget_resolved";
    timestamp: string;
    monitor: WebhookMonitor;
    status: WebhookStatus;
    incident: WebhookIncident;
};
export type MonitorErrorBudgetBurningSlowlyEvent = {
    event: "monitor.error_budget_burning_slowly";
    timestamp: string;
    monitor: WebhookMonitor;
    status: WebhookStatus;
    incident: WebhookIncident;
};
export type MonitorDnsChangedEvent = {
    event: "monitor.dns_changed";
    timestamp: string;
    monitor: WebhookMonitor;
    status: WebhookStatus;
    incident: null;
};
export type WebhookTestEvent = {
    event: "webhook.test";
    timestamp: string;
    monitor: WebhookMonitor;
    status: WebhookStatus;
    incident: null;
};
export type Error = {
    message: string;
};
export type WhoAmI = {
    user: Account;
    team: {
        id: number;
        name: string;
        slug: string;
        personal_team: boolean;
    } | null;
    role?: "owner" | "admin" | "editor" | "viewer" | null;
    withheld?: "mfa_required" | null;
    token: {
        name: string;
        permissions: Array<"read" | "create" | "update" | "delete">;
    };
    api: {
        name: string;
        version: string;
    };
};
export type Account = {
    id: number;
    name: string;
    email: string;
    timezone: string;
};
export type RateLimitError = {
    message: string;
    error: string;
    retry_after: number;
};
export type ServerError = {
    message: "Server error.";
    request_id: string;
};
export type TokenTest = {
    message: string;
    user: {
        id: number;
        name: string;
        email: string;
    };
};
export type ForbiddenError = {
    message: string;
    error: string;
};
export type ValidationError = {
    message: string;
    errors: {
        [key: string]: Array<string>;
    };
    existing_group_id?: number;
};
export type Installation = {
    version: string;
    base_url: string;
    database: "sqlite" | "postgres";
    free_bytes: number | null;
    mail_configured: boolean;
    open_signup: boolean;
    sign_in_providers: Array<string>;
    plans: Array<string>;
    regions: Array<{
        code: string;
        title: string;
        team_id?: number;
        vantage: string | null;
        last_seen_at: string | null;
        probes: Array<Probe>;
    }>;
    evaluated_at: string | null;
    problems: Array<{
        kind: "rounds_late" | "deliveries_waiting" | "region_without_probe" | "shards_unowned" | "process_silent" | "role_missing" | "clock_off" | "disk_low";
        subject: string;
        since: string;
        text: string;
        value: number | null;
        processes: Array<string>;
    }>;
    processes: Array<{
        name: string;
        roles: Array<string>;
        version: string;
        started_at: string;
        last_seen_at: string;
        schedule_lag_ms: number | null;
        checks_due: number | null;
        checks_late: number | null;
        probes: {
            [key: string]: number;
        } | null;
        clock_offset_ms: number | null;
    }>;
    settings: Array<{
        name: string;
        meaning: string;
        default: string;
        value: string | null;
        is_default: boolean;
        is_secret: boolean;
    }>;
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
export type TokenList = {
    data: Array<Token>;
};
export type Token = {
    id: number;
    name: string;
    permissions: Array<"read" | "create" | "update" | "delete">;
    expires_at: string | null;
    last_used_at: string | null;
    created_at: string;
};
export type NewToken = {
    id: number;
    name: string;
    permissions: Array<"read" | "create" | "update" | "delete">;
    expires_at: string | null;
    token: string;
    created_at: string;
};
export type SessionList = {
    data: Array<Session>;
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
export type ConnectedApplicationList = {
    total: number;
    data: Array<ConnectedApplication>;
};
export type ConnectedApplication = {
    id: number;
    name: string;
    host: string;
    team: {
        id: number;
        name: string;
    };
    permissions: Array<"read" | "create" | "update" | "delete" | "check_url">;
    role_now: "owner" | "admin" | "editor" | "viewer" | null;
    connected_at: string;
    last_used_at: string | null;
};
export type SignInOptions = {
    providers: Array<{
        id: "oidc" | "github" | "google";
        name: string;
    }>;
    open_signup: boolean;
    reset_by_mail: boolean;
    setup_pending: boolean;
};
export type SetupState = {
    email: string | null;
    team_name: string | null;
};
export type SetupDone = {
    user: {
        id: number;
        name: string;
        email: string;
        timezone: string;
    };
    team: {
        id: number;
        name: string;
        slug: string;
        personal_team: boolean;
    } | null;
};
export type MonitorPage = {
    data: Array<Monitor>;
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
export type Monitor = {
    id: number;
    monitor_type: "http" | "ping" | "port" | "heartbeat" | "cron";
    url: string;
    check_interval: number | null;
    port: number | null;
    friendly_name: string | null;
    group_id: number | null;
    tags: Array<string>;
    monitored_regions: Array<string>;
    accepted_status_codes: Array<number | string> | null;
    follow_redirects: boolean;
    request_timeout: number;
    verify_ssl: boolean;
    ssl_expiry_threshold: number;
    domain_expiry_threshold: number;
    slow_response_threshold: number | null;
    error_text_detection: boolean;
    failure_threshold: number;
    recovery_threshold: number;
    check_both_families: boolean;
    depends_on: Array<number>;
    notification_settings: NotificationSettings | null;
    heartbeat_interval: number | null;
    heartbeat_cron_expression: string | null;
    heartbeat_timezone: string | null;
    heartbeat_grace: number | null;
    heartbeat_wait_for_first_ping: boolean | null;
    heartbeat_max_runtime: number | null;
    check_types: Array<"ssl" | "dns" | "domain" | "keyword" | "json">;
    http_method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS" | null;
    request_headers: {
        [key: string]: string;
    } | null;
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
export type BulkCreateResult = {
    created: number;
    results: Array<BulkCreated | BulkRefused>;
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
    errors: {
        [key: string]: Array<string>;
    };
};
export type BulkActionResult = {
    matched: number;
    changed: number;
    ids: Array<number>;
};
export type MonitorTest = {
    monitor_type: "http" | "ping" | "port" | "heartbeat" | "cron";
    checked_at: string;
    verdict: {
        status: "online" | "degraded" | "offline" | "unknown";
        failure_threshold: number;
        problems: Array<FoundProblem>;
    };
    regions: Array<RegionTest>;
    ssl: SslOutcome | null;
    dns: DnsOutcome | null;
    domain: DomainOutcome | null;
    not_run: {
        [key: string]: string;
    };
    expected_pings: Array<string> | null;
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
    timings: {
        dns_ms: number | null;
        tcp_ms: number | null;
        tls_ms: number | null;
        ttfb_ms: number | null;
        total_ms: number | null;
    };
    families?: {
        ipv4: FamilyOutcome;
        ipv6: FamilyOutcome;
    };
    content: ContentOutcome | null;
};
export type FamilyOutcome = {
    ok: boolean;
    error: string | null;
};
export type ContentOutcome = {
    passed: boolean;
    failures: Array<string>;
    outcomes: Array<{
        passed: boolean;
        text: string;
    }>;
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
    records: {
        [key: string]: Array<string>;
    } | null;
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
export type MonitorValidation = {
    valid: boolean;
    errors: {
        [key: string]: Array<string>;
    };
};
export type MonitorOverview = {
    generated_at: string;
    slot_minutes: 30;
    bar_starts_at: string;
    regions: Array<string>;
    groups: Array<{
        id: number;
        name: string;
        parent_id?: number;
    }>;
    monitors: Array<OverviewMonitor>;
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
    tags?: Array<string>;
    last_ping_at?: number;
    next_expected_at?: number;
    last_duration?: number;
    schedule?: {
        interval?: number;
        cron?: string;
        timezone?: string;
    };
    type: "http" | "ping" | "port" | "heartbeat" | "cron";
    status: "online" | "offline" | "degraded" | "pending";
    observed_until?: number;
    is_paused?: true;
    maintenance_until?: number;
    check_types?: Array<"ssl" | "dns" | "domain" | "keyword" | "json">;
    regions?: string;
    bar: string;
    incident?: {
        id: number;
        severity: "critical" | "warning" | "info";
        cause: string | null;
        since: number;
        acknowledged_at?: number;
        acknowledged_by?: string;
        open: number;
    };
};
export type MonitorDetail = {
    id: number;
    monitor_type: "http" | "ping" | "port" | "heartbeat" | "cron";
    url: string;
    check_interval: number | null;
    port: number | null;
    friendly_name: string | null;
    group_id: number | null;
    tags: Array<string>;
    monitored_regions: Array<string>;
    accepted_status_codes: Array<number | string> | null;
    follow_redirects: boolean;
    request_timeout: number;
    verify_ssl: boolean;
    ssl_expiry_threshold: number;
    domain_expiry_threshold: number;
    slow_response_threshold: number | null;
    error_text_detection: boolean;
    failure_threshold: number;
    recovery_threshold: number;
    check_both_families: boolean;
    depends_on: Array<number>;
    notification_settings: NotificationSettings | null;
    heartbeat_interval: number | null;
    heartbeat_cron_expression: string | null;
    heartbeat_timezone: string | null;
    heartbeat_grace: number | null;
    heartbeat_wait_for_first_ping: boolean | null;
    heartbeat_max_runtime: number | null;
    check_types: Array<"ssl" | "dns" | "domain" | "keyword" | "json">;
    http_method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS" | null;
    request_headers: {
        [key: string]: string;
    } | null;
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
    incidents: Array<Incident>;
    response_times: Array<ResponseTime>;
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
    monitor: {
        id: number;
        url: string;
        friendly_name: string | null;
    };
    created_at: string;
    updated_at: string;
};
export type ResponseTime = {
    region: string;
    response_time: number | null;
    status_code: number | null;
    checked_at: string;
};
export type CheckResult = {
    uptime: {
        is_up: boolean;
        status: "online" | "offline";
        response_time: number | null;
        status_code: number | null;
        checked_from_region: string;
        error: string | null;
        timings: {
            dns_ms: number | null;
            tcp_ms: number | null;
            tls_ms: number | null;
            ttfb_ms: number | null;
            total_ms: number | null;
        };
        families?: {
            ipv4: FamilyOutcome;
            ipv6: FamilyOutcome;
        };
    };
    ssl: SslOutcome | null;
    dns?: DnsOutcome | null;
    domain?: DomainOutcome | null;
    keyword?: ContentOutcome | null;
    json?: ContentOutcome | null;
    not_run: {
        [key: string]: string;
    };
};
export type PauseResult = {
    success: true;
    message: string;
    monitor: {
        id: number;
        url: string;
        is_paused: boolean;
    };
};
export type IncidentPage = {
    data: Array<Incident>;
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
export type ResultPage = {
    data: Array<Result>;
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
    timings: {
        dns_ms: number | null;
        tcp_ms: number | null;
        tls_ms: number | null;
        ttfb_ms: number | null;
        total_ms: number | null;
    };
};
export type PingPage = {
    data: Array<Ping>;
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
export type DnsRecordSetPage = {
    data: Array<DnsRecordSet>;
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
export type DnsRecordSet = {
    id: number;
    host: string;
    seen_at: string;
    source: "authoritative" | "resolver";
    records: {
        A: Array<string>;
        AAAA: Array<string>;
        CNAME: Array<string>;
        MX: Array<string>;
        NS: Array<string>;
        TXT: Array<string>;
        SOA: Array<string>;
    };
};
export type CertificatePage = {
    data: Array<Certificate>;
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
    names: Array<string>;
    valid_from: string;
    valid_to: string;
    key_type: string | null;
    key_bits: number | null;
    chain: Array<{
        subject: string | null;
        issuer: string | null;
        valid_to: string;
    }>;
    ocsp_status: "good" | "revoked" | "unknown" | "unreadable" | null;
    error: string | null;
};
export type MonitorActivityPage = {
    data: Array<MonitorActivity>;
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
export type MonitorActivity = {
    id: number;
    type: "dns_changed" | "certificate_changed";
    description: string;
    created_at: string;
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
    response_time: {
        p50: number | null;
        p95: number | null;
        p99: number | null;
        count: number;
    };
    corrected: boolean;
    uncorrected: UncorrectedUptime;
    data?: Array<UptimePart>;
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
    response_time: {
        p50: number | null;
        p95: number | null;
        p99: number | null;
        count: number;
    };
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
    response_time: {
        p50: number | null;
        p95: number | null;
        p99: number | null;
        count: number;
    };
};
export type ResponseTimes = {
    monitor_id: number;
    from: string;
    to: string;
    step_seconds: number;
    aggregate: "median";
    phase_aggregate: "mean";
    at: Array<string>;
    regions: {
        [key: string]: {
            p50: Array<number | null>;
            p95: Array<number | null>;
        };
    };
    all: {
        p50: Array<number | null>;
        p95: Array<number | null>;
        p99: Array<number | null>;
    };
    phases: {
        dns_ms: Array<number | null>;
        tcp_ms: Array<number | null>;
        tls_ms: Array<number | null>;
        ttfb_ms: Array<number | null>;
    };
    outages: Array<{
        from: string;
        to: string;
        count?: number;
        status: "offline" | "degraded";
    }>;
    maintenance: Array<{
        from: string;
        to: string;
        count?: number;
    }>;
    unobserved: Array<{
        from: string;
        to: string;
        count?: number;
    }>;
    paused: Array<{
        from: string;
        to: string;
        count?: number;
    }>;
};
export type MonitorDays = {
    monitor_id: number;
    timezone: string;
    data: Array<MonitorDay>;
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
};
export type CorrectionPage = {
    data: Array<Correction>;
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
    created_by: {
        id: number;
        name: string | null;
    } | null;
    created_at: string;
    removed_by: {
        id: number;
        name: string | null;
    } | null;
    removed_at: string | null;
};
export type SloPage = {
    data: Array<ListedSlo>;
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
export type ListedSlo = {
    id: number;
    monitor_id: number;
    target_percent: number;
    window_days: number;
    burn_rate_alerts: boolean;
    burning: "fast" | "slow" | null;
    error_budget: {
        from: string;
        to: string;
        budget_seconds: number;
        spent_seconds: number;
        left_seconds: number;
        left_percent: number | null;
        burn_rate_1h: number;
        burn_rate_6h: number;
    };
    created_at: string;
    updated_at: string;
    name: string;
};
export type Slo = {
    id: number;
    monitor_id: number;
    target_percent: number;
    window_days: number;
    burn_rate_alerts: boolean;
    burning: "fast" | "slow" | null;
    error_budget: {
        from: string;
        to: string;
        budget_seconds: number;
        spent_seconds: number;
        left_seconds: number;
        left_percent: number | null;
        burn_rate_1h: number;
        burn_rate_6h: number;
    };
    created_at: string;
    updated_at: string;
};
export type HelloEvent = {
    event: "hello";
    id: string;
    data: {
        time: string;
        resumed: boolean;
    };
};
export type ResetEvent = {
    event: "reset";
    id: string;
    data: {
        [key: string]: unknown;
    };
};
export type StatusEvent = {
    event: "status";
    id: string;
    data: {
        monitor_id: number;
        status: "online" | "offline" | "degraded" | "pending";
        is_paused: boolean;
        in_maintenance: boolean;
        since: string | null;
        cause: string | null;
    };
};
export type IncidentEvent = {
    event: "incident";
    id: string;
    data: {
        id: number;
        monitor_id: number;
        state: "opened" | "updated" | "acknowledged" | "resolved" | "reopened" | "deleted";
    };
};
export type MonitorEvent = {
    event: "monitor";
    id: string;
    data: {
        id: number;
        change: "created" | "updated" | "deleted";
    };
};
export type SettingsEvent = {
    event: "settings";
    id: string;
    data: {
        what: "groups" | "maintenance-windows" | "status-pages" | "subscribers" | "announcements" | "update-templates" | "alert-channels" | "alert-routes" | "webhook-endpoints" | "members" | "team" | "reports" | "corrections";
    };
};
export type ResultEvent = {
    event: "result";
    id: string;
    data: {
        monitor_id: number;
        started_at: string;
        kind: "voted" | "stale" | "manual";
        verdict: "up" | "regional" | "down" | "unknown";
        regions: Array<{
            region: string;
            vote: "up" | "down" | "unknown";
            checked_at: string;
            response_time: number | null;
            status_code: number | null;
            failure_code: string | null;
        }>;
    };
};
export type PingEvent = {
    event: "ping";
    id: string;
    data: {
        monitor_id: number;
        number: number;
        received_at: string;
        kind: "success" | "failure" | "start" | "log";
        exit_code: number | null;
        duration_ms: number | null;
    };
};
export type AliveEvent = {
    event: "alive";
    id: string;
    data: {
        [key: string]: unknown;
    };
};
export type Attention = {
    checked_at: string;
    summary: {
        monitors: number;
        online: number;
        degraded: number;
        offline: number;
        pending: number;
        paused: number;
        not_observed: number;
        in_maintenance: number;
    };
    total: number;
    data: Array<AttentionItem>;
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
export type NamedMonitor = {
    id: number;
    name: string;
    url: string | null;
};
export type ExpirationPage = {
    data: Array<Expiration>;
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
export type UptimeSummary = {
    period: "last_24_hours" | "last_7_days" | "last_30_days";
    from: string;
    to: string;
    monitors: number;
    monitors_measured: number;
    by_status: {
        online: number;
        degraded: number;
        offline: number;
        pending: number;
        paused: number;
        not_observed: number;
    };
    incidents: number;
    open_incidents: number;
    uptime_percent: number | null;
    observed_percent: number | null;
    downtime_seconds: number;
    worst: Array<UptimeOfMonitor>;
};
export type UptimeOfMonitor = {
    monitor: NamedMonitor;
    status: "online" | "offline" | "degraded" | "pending" | "paused" | "not_observed";
    uptime_percent: number | null;
    observed_percent: number | null;
    downtime_seconds: number;
    incidents: number;
};
export type UrlCheck = {
    url: string;
    checked_at: string;
    verdict: "up" | "partial" | "down" | "unknown";
    reachable_regions: number;
    total_regions: number;
    vantage_points: number;
    results: Array<UrlReach>;
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
};
export type RegionList = {
    data: Array<Region>;
};
export type Region = {
    code: string;
    title: string;
    is_private?: true;
    vantage: string | null;
    is_live: boolean;
    probes: Array<Probe>;
};
export type CronPreview = {
    expression: string;
    timezone: string;
    description: string;
    data: Array<string>;
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
    monitor: {
        id: number;
        url: string;
        friendly_name: string | null;
    };
    created_at: string;
    updated_at: string;
    unobserved_seconds: number | null;
    activities: Array<IncidentActivity>;
    evidence: Array<IncidentEvidence>;
};
export type IncidentActivity = {
    id: number;
    type: "opened" | "resolved" | "reopened" | "acknowledged" | "root_cause_changed" | "failed_again" | "target_changed" | "note";
    description: string;
    user: {
        id: number;
        name: string | null;
    } | null;
    created_at: string;
};
export type IncidentEvidence = {
    region: string | null;
    vantage: string | null;
    checked_at: string;
    attempts: Array<string>;
    failure: {
        code: string;
        text: string;
    } | null;
    status_code: number | null;
    remote_address: string | null;
    timings: {
        dns_ms: number | null;
        tcp_ms: number | null;
        tls_ms: number | null;
        ttfb_ms: number | null;
        total_ms: number | null;
    };
    status_line: string | null;
    headers: {
        [key: string]: string;
    } | null;
    body: string | null;
    redirects: Array<string>;
    tls: {
        protocol: string | null;
        subject: string | null;
        issuer: string | null;
        valid_from: string | null;
        valid_to: string | null;
        cipher: string | null;
        chain: Array<{
            subject: string | null;
            issuer: string | null;
            valid_to: string | null;
        }>;
    } | null;
};
export type IncidentRounds = {
    incident_id: number;
    monitor_id: number;
    rule: {
        regions: number;
        votes_needed: number;
        failure_threshold: number;
        recovery_threshold: number;
        slow_response_threshold: number | null;
    } | null;
    rounds: Array<IncidentRound>;
    reason: {
        code: "not_kept" | "not_automatic" | "push" | "inspection" | "error_budget";
        text: string;
    } | null;
    expectation: {
        expected_at: string | null;
        grace_seconds: number;
        last_ping: {
            kind: "success" | "failure" | "start" | "log";
            received_at: string;
        } | null;
    } | null;
};
export type IncidentRound = {
    at: string;
    verdict: "up" | "regional" | "down" | "unknown";
    explanation: "no_region_down" | "most_regions_down" | "some_regions_down" | "too_few_votes" | "no_votes";
    votes: {
        voting: number;
        down: number;
        needed: number;
    };
    bad_round: number | null;
    regions: Array<{
        region: string;
        vote: "up" | "down" | "unknown";
        response_time: number | null;
        status_code: number | null;
        failure_code: string | null;
        text: string | null;
        remote_address: string | null;
        timings: {
            dns_ms: number | null;
            tcp_ms: number | null;
            tls_ms: number | null;
            ttfb_ms: number | null;
            total_ms: number | null;
        };
    }>;
};
export type IncidentNotificationPage = {
    data: Array<IncidentNotification>;
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
export type IncidentNotification = {
    id: number;
    kind: "alarm" | "update" | "reminder" | "escalation" | "recovery" | "blind_spot" | "notice" | "test";
    channel: {
        id: number | null;
        type: string;
        name: string | null;
    };
    user: {
        id: number;
        name: string | null;
    } | null;
    status: "pending" | "delivered" | "failed" | "expired" | "superseded";
    attempts_count: number;
    last_status_code: number | null;
    last_error: string | null;
    created_at: string;
    finished_at: string | null;
    next_attempt_at: string | null;
};
export type Acknowledgement = {
    success: true;
    message: string;
    incident: Incident;
};
export type AnnouncementUpdateList = {
    total: number;
    data: Array<AnnouncementUpdate>;
};
export type AnnouncementUpdate = {
    id: number;
    announcement_id: number;
    state: "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed";
    text: string | null;
    status_pages: Array<number>;
    user_id: number | null;
    edited_at: string | null;
    created_at: string;
};
export type AnnouncementUpdateVersions = {
    total: number;
    data: Array<{
        number: number;
        state: "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed";
        text: string | null;
        status_pages: Array<number>;
        replaced_by: number | null;
        replaced_at: string;
    }>;
};
export type AnnouncementPage = {
    data: Array<Announcement>;
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
export type Announcement = {
    id: number;
    kind: "incident" | "maintenance";
    title: string | null;
    impact: "none" | "minor" | "major" | "critical";
    started_at: string;
    planned_until: string | null;
    monitors: Array<number>;
    status_pages: Array<number>;
    post_mortem: {
        text: string;
        published_at: string | null;
    } | null;
    state: "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed";
    ended_at: string | null;
    origin: "automatic" | "window" | "person";
    incidents: Array<number>;
    created_at: string;
    updated_at: string;
};
export type AnnouncementDetail = {
    id: number;
    kind: "incident" | "maintenance";
    title: string | null;
    impact: "none" | "minor" | "major" | "critical";
    started_at: string;
    planned_until: string | null;
    monitors: Array<number>;
    status_pages: Array<number>;
    post_mortem: {
        text: string;
        published_at: string | null;
    } | null;
    state: "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed";
    ended_at: string | null;
    origin: "automatic" | "window" | "person";
    incidents: Array<number>;
    created_at: string;
    updated_at: string;
    updates: Array<AnnouncementUpdate>;
};
export type UpdateTemplateList = {
    total: number;
    data: Array<UpdateTemplate>;
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
export type GroupList = {
    total: number;
    data: Array<Group>;
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
    data: Array<AlertChannel>;
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
    severities: Array<"critical" | "warning" | "info">;
    quiet_hours: QuietHours | null;
    timezone: string | null;
    settings: {
        [key: string]: string | number | Array<string> | null;
    };
    warnings: Array<string>;
    last_delivered_at: string | null;
    failing_since: string | null;
    last_error: string | null;
    created_at: string;
    updated_at: string;
};
export type QuietHours = {
    from: string;
    to: string;
    days?: Array<"sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat">;
    timezone: string;
    allow_critical: boolean;
};
export type ChannelTest = {
    success: boolean;
    message: string;
};
export type ChannelDeliveryPage = {
    data: Array<ChannelDelivery>;
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
export type ChannelDelivery = {
    id: number;
    message_id: string;
    kind: "alarm" | "update" | "reminder" | "escalation" | "recovery" | "blind_spot" | "notice" | "test";
    alert_id: number | null;
    status: "pending" | "delivered" | "failed" | "expired" | "superseded";
    attempts_count: number;
    last_status_code: number | null;
    last_error: string | null;
    created_at: string;
    finished_at: string | null;
    next_attempt_at: string | null;
};
export type NotificationChannelList = {
    data: Array<NotificationChannel>;
};
export type NotificationChannel = {
    id: "email" | "slack" | "discord" | "microsoft_teams" | "telegram" | "pagerduty" | "opsgenie" | "ntfy" | "pushover" | "gotify" | "mattermost" | "google_chat" | "sms" | "web_push";
    type: "email" | "slack" | "discord" | "microsoft_teams" | "telegram" | "pagerduty" | "opsgenie" | "ntfy" | "pushover" | "gotify" | "mattermost" | "google_chat" | "sms" | "web_push";
    title: string;
    name: string;
    enabled: boolean;
    severities: Array<"critical" | "warning" | "info">;
    quiet_hours: QuietHours | null;
    timezone: string | null;
    warnings: Array<string>;
    last_delivered_at: string | null;
    failing_since: string | null;
    last_error: string | null;
    settings: {
        [key: string]: string | number | Array<string> | null;
    } | null;
    webhook_url?: string | null;
    phone_number?: string | null;
    email?: string;
    verified?: boolean;
    configured: boolean;
    available: boolean;
    fields: Array<ChannelSetting>;
    public_key: string | null;
};
export type ChannelSetting = {
    name: string;
    kind: "text" | "url" | "choice" | "number" | "emails";
    required: boolean;
    secret: boolean;
    description: string;
    example: string | number | Array<string>;
    choices: Array<string> | null;
};
export type AlertRouteList = {
    total: number;
    data: Array<AlertRoute>;
};
export type AlertRoute = {
    id: number;
    name: string;
    monitors: Array<number>;
    groups: Array<number>;
    tags: Array<string>;
    severities: Array<"critical" | "warning" | "info">;
    channels: Array<number>;
    users: Array<number>;
    reminder_minutes: number | null;
    escalation: Array<{
        after_minutes: number;
        channels: Array<number>;
        users: Array<number>;
    }>;
    sort_order: number;
    scope: "everything" | "some" | "nothing";
    created_at: string;
    updated_at: string;
};
export type AlertPreview = {
    monitor_id: number;
    type: "uptime" | "keyword" | "json_assertion" | "ssl" | "domain" | "dns" | "regional" | "dual_stack" | "slow_response" | "heartbeat" | "error_budget";
    severity: "critical" | "warning" | "info";
    holds: Array<AlertHold>;
    data: Array<PreviewedTarget>;
};
export type AlertHold = {
    code: string;
    text: string;
    until: string;
};
export type PreviewedTarget = {
    channel: {
        id: number | null;
        name: string;
        type: string;
    };
    user: {
        id: number;
        name: string | null;
    } | null;
    after_minutes: number;
    reminder_minutes: number | null;
    routes: Array<{
        id: number;
        name: string;
    }>;
    is_notified: boolean;
    left_out: {
        code: "disabled" | "severity" | "monitor_settings";
        text: string;
    } | null;
    holds: Array<AlertHold>;
};
export type WebhookEndpointList = {
    total: number;
    data: Array<WebhookEndpoint>;
};
export type WebhookEndpoint = {
    id: number;
    name: string;
    url_host: string;
    auth_type: "none" | "bearer" | "basic" | "header";
    auth_header_name: string | null;
    severities: Array<"critical" | "warning" | "info">;
    is_active: boolean;
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
    data: Array<WebhookDelivery>;
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
    attempts: Array<{
        number: number;
        at: string;
        duration_ms: number;
        status_code: number | null;
        error: string | null;
        response: string | null;
    }>;
};
export type MaintenanceWindowPage = {
    data: Array<MaintenanceWindow>;
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
    starts_at: string;
    ends_at: string;
    rrule: string | null;
    timezone: string;
    monitors: Array<number>;
    groups: Array<number>;
    tags: Array<string>;
    good_rounds: number | null;
    monitors_covered: number;
    warnings: Array<string>;
    status: "scheduled" | "active" | "over";
    active_until: string | null;
    next_starts_at: string | null;
    next_ends_at: string | null;
    created_at: string;
    updated_at: string;
};
export type ReportPage = {
    data: Array<Report>;
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
    monitors: Array<number>;
    group_id: number | null;
    tags: Array<string>;
    period: "last_7_days" | "last_30_days" | "last_90_days" | "last_month";
    frequency: "none" | "weekly" | "monthly";
    recipients: Array<string>;
    timezone: string;
    language: "en" | "de" | "fr" | "es";
    status_page_id: number | null;
    unsubscribed: Array<string>;
    next_mail_at: string | null;
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
    total: {
        monitors_count: number;
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
        response_time: ResponseTimePercentiles;
        compared: {
            corrected: ComparedFigures;
            uncorrected: ComparedFigures;
        } | null;
    };
    groups: Array<{
        id: number;
        name: string;
        monitors_count: number;
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
        response_time: ResponseTimePercentiles;
        compared: {
            corrected: ComparedFigures;
            uncorrected: ComparedFigures;
        } | null;
    }>;
    tags: Array<{
        name: string;
        monitors_count: number;
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
        response_time: ResponseTimePercentiles;
        compared: {
            corrected: ComparedFigures;
            uncorrected: ComparedFigures;
        } | null;
    }>;
    monitors: Array<{
        id: number;
        name: string;
        group_id: number | null;
        tags: Array<string>;
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
        response_time: ResponseTimePercentiles;
        compared: {
            corrected: ComparedFigures;
            uncorrected: ComparedFigures;
        } | null;
        slo: {
            target_percent: number;
            window_days: number;
            budget_seconds: number;
            budget_left_seconds: number;
            budget_left_percent: number | null;
        } | null;
        days: Array<{
            from: string;
            up_seconds: number;
            degraded_seconds: number;
            down_seconds: number;
            excluded_seconds: number;
            unobserved_seconds: number;
        }>;
    }>;
    incidents_total: number;
    incidents: Array<{
        id: number;
        monitor_id: number;
        monitor: string;
        type: string;
        severity: "critical" | "warning" | "info";
        root_cause: string | null;
        started_at: string;
        ended_at: string | null;
        seconds_in_period: number;
    }>;
    exclusions_total: number;
    exclusions: Array<{
        kind: "maintenance" | "false_alarm" | "excluded" | "up" | "down";
        reason: string;
        author: string | null;
        from: string;
        to: string;
        monitors: Array<string>;
    }>;
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
export type ReportRun = {
    id: number;
    report_id: number;
    status: "queued" | "running" | "done" | "failed";
    progress: number;
    error: string | null;
    format: "json" | "csv" | "pdf";
    from: string;
    to: string;
    url: string | null;
    created_at: string;
    ended_at: string | null;
    expires_at: string;
};
export type StatusPagePage = {
    data: Array<StatusPage>;
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
    url: string;
    description: string | null;
    logo_url: string | null;
    custom_domain: string | null;
    domain_verified: boolean;
    domain: StatusPageDomain | null;
    settings: {
        show_uptime_percentage: boolean;
        show_response_time: boolean;
        show_incident_history: boolean;
        custom_css: string | null;
    };
    language: "en" | "de" | "fr" | "es" | "ja";
    timezone: string;
    show_automatic: {
        after_minutes: number;
    } | {
        never: true;
    };
    access: {
        type: "public" | "password" | "members" | "addresses";
        addresses: Array<string>;
        password_set: boolean;
    };
    services: Array<StatusPageService>;
    groups: Array<{
        name: string;
        monitors: Array<number>;
    }>;
    warnings: Array<string>;
    created_at: string;
    updated_at: string;
};
export type StatusPageDomain = {
    verified_at: string | null;
    checked_at: string | null;
    next_check_at: string | null;
    last_error: string | null;
    records: Array<{
        type: "TXT" | "CNAME";
        name: string;
        value: string;
    }>;
    target: string;
};
export type StatusPageService = {
    monitor_id: number;
    label: string | null;
    display: "bar" | "figure" | "response_time";
    show_automatic: {
        after_minutes: number;
    } | {
        never: true;
    } | null;
    monitor_url: string;
    monitor_status: "online" | "offline" | "degraded" | "pending";
};
export type SubscriberPage = {
    data: Array<Subscriber>;
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
export type Subscriber = {
    id: number;
    kind: "email" | "webhook" | "slack";
    address: string | null;
    state: "pending" | "active" | "ended";
    ended_reason: string | null;
    monitors: Array<number>;
    created_by: number | null;
    confirmed_at: string | null;
    created_at: string;
    updated_at: string;
};
export type CreatedSubscriber = {
    id: number;
    kind: "email" | "webhook" | "slack";
    address: string | null;
    state: "pending" | "active" | "ended";
    ended_reason: string | null;
    monitors: Array<number>;
    created_by: number | null;
    confirmed_at: string | null;
    created_at: string;
    updated_at: string;
    signing_secret: string | null;
};
export type SubscriberImport = {
    dry_run: boolean;
    added: number;
    known: number;
    refused: number;
    rows: Array<{
        line: number;
        outcome: "added" | "known" | "refused";
        reason: string | null;
    }>;
};
export type Plan = {
    name: string;
    features: {
        api_access: boolean;
        check_url: boolean;
        monitor_types: Array<"http" | "ping" | "port" | "heartbeat" | "cron">;
        check_types: Array<"ssl" | "dns" | "domain" | "keyword" | "json">;
    };
    limits: {
        min_check_interval: number | null;
        max_monitors: number | null;
        max_monitors_per_host: number | null;
    };
    usage: {
        monitors: number;
    };
};
export type TeamList = {
    data: Array<Team>;
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
    data: Array<User>;
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
    data: Array<Invitation>;
};
export type Invitation = {
    id: number;
    email: string;
    role: "admin" | "editor" | "viewer";
    created_at: string;
    expires_at: string;
};
export type SentInvitation = {
    id: number;
    email: string;
    role: "admin" | "editor" | "viewer";
    created_at: string;
    expires_at: string;
    url?: string;
};
export type InvitationPreview = {
    team: string;
    inviter: string | null;
    email: string;
    role: "admin" | "editor" | "viewer";
    expires_at: string;
    has_account: boolean;
};
export type AcceptedInvitation = {
    user: User;
    team: Team;
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
    incidents: Array<AlertIncident>;
};
export type AlertIncident = {
    id: number;
    monitor: string;
    url: string | null;
    type: string;
    severity: "critical" | "warning" | "info";
    status: "open" | "resolved";
    root_cause: string | null;
    regions: Array<string>;
    vantage: string | null;
    evidence: string | null;
    started_at: string;
    ended_at: string | null;
    unobserved_seconds: number | null;
    acknowledged_at: string | null;
    acknowledged_by: string | null;
};
export type AcknowledgedAlert = {
    success: true;
    message: string;
    incidents: Array<AlertIncident>;
};
export type AuditLogPage = {
    data: Array<AuditEntry>;
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
export type AuditEntry = {
    id: number;
    action: "monitor.created" | "monitor.updated" | "monitor.deleted" | "monitor.paused" | "monitor.resumed" | "monitor.ping_url_rotated" | "group.created" | "group.updated" | "group.deleted" | "incident.created" | "incident.updated" | "incident.deleted" | "incident.acknowledged" | "incident.resolved" | "incident.reopened" | "incident.noted" | "team.created" | "team.updated" | "team.deleted" | "team.transferred" | "member.joined" | "member.updated" | "member.left" | "member.deleted" | "invitation.created" | "invitation.updated" | "invitation.deleted" | "invitation.resent" | "token.created" | "token.deleted" | "session.created" | "session.deleted" | "person.created" | "person.updated" | "person.set_up" | "person.setup_link_issued" | "person.address_verified" | "person.email_changed" | "person.password_changed" | "person.password_reset" | "person.password_reset_issued" | "person.reset_link_created" | "person.mfa_enabled" | "person.mfa_disabled" | "person.recovery_codes_renewed" | "person.passkey_added" | "person.passkey_removed" | "person.provider_linked" | "person.provider_unlinked" | "webhook_endpoint.created" | "webhook_endpoint.updated" | "webhook_endpoint.deleted" | "webhook_endpoint.secret_rotated" | "webhook_endpoint.tested" | "webhook_endpoint.redelivered" | "maintenance_window.created" | "maintenance_window.updated" | "maintenance_window.deleted" | "maintenance_window.started" | "maintenance_window.ended" | "alert_channel.created" | "alert_channel.updated" | "alert_channel.deleted" | "notification_channel.created" | "notification_channel.updated" | "notification_channel.deleted" | "alert_route.created" | "alert_route.updated" | "alert_route.deleted" | "status_page.created" | "status_page.updated" | "status_page.deleted" | "status_page.domain_checked" | "status_page.subscribers_imported" | "announcement.created" | "announcement.updated" | "announcement.deleted" | "announcement.update_added" | "announcement.update_edited" | "announcement.update_deleted" | "update_template.created" | "update_template.updated" | "update_template.deleted" | "subscriber.created" | "subscriber.deleted" | "report.created" | "report.updated" | "report.deleted" | "report.run_started" | "report.unsubscribed" | "correction.created" | "correction.deleted" | "slo.created" | "slo.updated" | "slo.deleted" | "application.connected" | "application.disconnected";
    actor: {
        id: number | null;
        name: string;
    };
    via: "token" | "session" | "tool_server" | "operator" | "link";
    token_name: string | null;
    ip_address: string | null;
    target: {
        type: "monitor" | "group" | "incident" | "team" | "member" | "invitation" | "token" | "session" | "person" | "webhook_endpoint" | "maintenance_window" | "alert_channel" | "notification_channel" | "alert_route" | "status_page" | "announcement" | "update_template" | "subscriber" | "report" | "correction" | "slo" | "application";
        id: number | null;
        name: string | null;
    };
    before: {
        [key: string]: unknown;
    } | null;
    after: {
        [key: string]: unknown;
    } | null;
    created_at: string;
};
export type ResetLink = {
    url: string;
    expires_at: string;
};
export type IfMatch = string;
export type IfNoneMatch = string;
export type IdempotencyKey = string;
export type WebhookId = string;
export type WebhookTimestamp = string;
export type WebhookSignature = string;
export type XWebhookSignature = string;
export type XWebhookSignaturePrevious = string;
export type WebhookUserAgent = string;
export type Direction = "asc" | "desc";
export type Page = number;
export type PerPage = number;
export type Tag = Array<string>;
export type GroupId = number;
export type MonitorId = number;
export type Type = "uptime" | "keyword" | "json_assertion" | "ssl" | "domain" | "dns" | "regional" | "dual_stack" | "slow_response" | "heartbeat" | "error_budget" | "manual";
export type Severity = "critical" | "warning" | "info";
export type StartDate = string;
export type EndDate = string;
export type Sort = "started_at" | "ended_at" | "duration" | "status";
export type To = unknown | unknown;
export type CorrectionId = number;
export type IncidentId = number;
export type UpdateId = number;
export type AnnouncementId = number;
export type UpdateTemplateId = number;
export type GroupsGroupId = number;
export type AlertChannelId = number;
export type Channel = "email" | "slack" | "discord" | "microsoft_teams" | "telegram" | "pagerduty" | "opsgenie" | "ntfy" | "pushover" | "gotify" | "mattermost" | "google_chat" | "sms" | "web_push";
export type AlertRouteId = number;
export type WebhookEndpointId = number;
export type DeliveryId = number;
export type MaintenanceWindowId = number;
export type From = unknown | unknown;
export type ReportsTo = unknown | unknown;
export type Format = "json" | "csv" | "pdf";
export type Corrected = "true" | "false";
export type Delimiter = "," | ";" | "tab";
export type ReportId = number;
export type ReportRunId = number;
export type StatusPageId = number;
export type SubscriberId = number;
export type TeamId = number;
export type UserId = number;
export type InvitationId = number;
export type WhoAmIData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/";
};
export type WhoAmIErrors = {
    401: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type WhoAmIError = WhoAmIErrors[keyof WhoAmIErrors];
export type WhoAmIResponses = {
    200: WhoAmI;
};
export type WhoAmIResponse = WhoAmIResponses[keyof WhoAmIResponses];
export type TestTokenData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/test";
};
export type TestTokenErrors = {
    401: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type TestTokenError = TestTokenErrors[keyof TestTokenErrors];
export type TestTokenResponses = {
    200: TokenTest;
};
export type TestTokenResponse = TestTokenResponses[keyof TestTokenResponses];
export type UpdateAccountData = {
    body: {
        name?: string;
        timezone?: string;
    };
    headers?: {
        "If-Match"?: string;
    };
    path?: never;
    query?: never;
    url: "/account";
};
export type UpdateAccountErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type UpdateAccountError = UpdateAccountErrors[keyof UpdateAccountErrors];
export type UpdateAccountResponses = {
    200: Account;
};
export type UpdateAccountResponse = UpdateAccountResponses[keyof UpdateAccountResponses];
export type GetInstallationData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/installation";
};
export type GetInstallationErrors = {
    401: Error;
    403: ForbiddenError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetInstallationError = GetInstallationErrors[keyof GetInstallationErrors];
export type GetInstallationResponses = {
    200: Installation;
};
export type GetInstallationResponse = GetInstallationResponses[keyof GetInstallationResponses];
export type ListTokensData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/tokens";
};
export type ListTokensErrors = {
    401: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListTokensError = ListTokensErrors[keyof ListTokensErrors];
export type ListTokensResponses = {
    200: TokenList;
};
export type ListTokensResponse = ListTokensResponses[keyof ListTokensResponses];
export type CreateTokenData = {
    body: {
        name: string;
        permissions: Array<"read" | "create" | "update" | "delete">;
        expires_at?: string | null;
    };
    headers?: {
        "Idempotency-Key"?: string;
    };
    path?: never;
    query?: never;
    url: "/tokens";
};
export type CreateTokenErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    408: Error;
    409: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type CreateTokenError = CreateTokenErrors[keyof CreateTokenErrors];
export type CreateTokenResponses = {
    201: NewToken;
};
export type CreateTokenResponse = CreateTokenResponses[keyof CreateTokenResponses];
export type RevokeTokenData = {
    body?: never;
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/tokens/{id}";
};
export type RevokeTokenErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type RevokeTokenError = RevokeTokenErrors[keyof RevokeTokenErrors];
export type RevokeTokenResponses = {
    204: void;
};
export type RevokeTokenResponse = RevokeTokenResponses[keyof RevokeTokenResponses];
export type RevokeOtherSessionsData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/sessions";
};
export type RevokeOtherSessionsErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    408: Error;
    413: Error;
    415: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type RevokeOtherSessionsError = RevokeOtherSessionsErrors[keyof RevokeOtherSessionsErrors];
export type RevokeOtherSessionsResponses = {
    204: void;
};
export type RevokeOtherSessionsResponse = RevokeOtherSessionsResponses[keyof RevokeOtherSessionsResponses];
export type ListSessionsData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/sessions";
};
export type ListSessionsErrors = {
    401: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListSessionsError = ListSessionsErrors[keyof ListSessionsErrors];
export type ListSessionsResponses = {
    200: SessionList;
};
export type ListSessionsResponse = ListSessionsResponses[keyof ListSessionsResponses];
export type RevokeSessionData = {
    body?: never;
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/sessions/{id}";
};
export type RevokeSessionErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type RevokeSessionError = RevokeSessionErrors[keyof RevokeSessionErrors];
export type RevokeSessionResponses = {
    204: void;
};
export type RevokeSessionResponse = RevokeSessionResponses[keyof RevokeSessionResponses];
export type ListConnectedApplicationsData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/connected-applications";
};
export type ListConnectedApplicationsErrors = {
    401: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListConnectedApplicationsError = ListConnectedApplicationsErrors[keyof ListConnectedApplicationsErrors];
export type ListConnectedApplicationsResponses = {
    200: ConnectedApplicationList;
};
export type ListConnectedApplicationsResponse = ListConnectedApplicationsResponses[keyof ListConnectedApplicationsResponses];
export type DisconnectApplicationData = {
    body?: never;
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/connected-applications/{id}";
};
export type DisconnectApplicationErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type DisconnectApplicationError = DisconnectApplicationErrors[keyof DisconnectApplicationErrors];
export type DisconnectApplicationResponses = {
    204: void;
};
export type DisconnectApplicationResponse = DisconnectApplicationResponses[keyof DisconnectApplicationResponses];
export type GetSignInOptionsData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/sign-in";
};
export type GetSignInOptionsErrors = {
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetSignInOptionsError = GetSignInOptionsErrors[keyof GetSignInOptionsErrors];
export type GetSignInOptionsResponses = {
    200: SignInOptions;
};
export type GetSignInOptionsResponse = GetSignInOptionsResponses[keyof GetSignInOptionsResponses];
export type GetSetupStateData = {
    body?: never;
    path?: never;
    query?: {
        token?: string;
    };
    url: "/setup/state";
};
export type GetSetupStateErrors = {
    404: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetSetupStateError = GetSetupStateErrors[keyof GetSetupStateErrors];
export type GetSetupStateResponses = {
    200: SetupState;
};
export type GetSetupStateResponse = GetSetupStateResponses[keyof GetSetupStateResponses];
export type CompleteSetupData = {
    body: {
        token: string;
        name?: string | null;
        email?: string | null;
        password: string;
        team_name?: string | null;
        timezone?: string | null;
    };
    headers?: {
        "Idempotency-Key"?: string;
    };
    path?: never;
    query?: never;
    url: "/setup";
};
export type CompleteSetupErrors = {
    400: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type CompleteSetupError = CompleteSetupErrors[keyof CompleteSetupErrors];
export type CompleteSetupResponses = {
    201: SetupDone;
};
export type CompleteSetupResponse = CompleteSetupResponses[keyof CompleteSetupResponses];
export type ListMonitorsData = {
    body?: never;
    path?: never;
    query?: {
        direction?: "asc" | "desc";
        page?: number;
        per_page?: number;
        search?: string;
        q?: string;
        status?: "online" | "offline" | "degraded" | "pending";
        type?: "http" | "ping" | "port" | "heartbeat" | "cron";
        interval?: number;
        tag?: Array<string>;
        group_id?: number;
        region?: string;
        sort?: "url" | "status" | "check_interval" | "last_checked_at" | "created_at";
    };
    url: "/monitors";
};
export type ListMonitorsErrors = {
    401: Error;
    403: ForbiddenError;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListMonitorsError = ListMonitorsErrors[keyof ListMonitorsErrors];
export type ListMonitorsResponses = {
    200: MonitorPage;
};
export type ListMonitorsResponse = ListMonitorsResponses[keyof ListMonitorsResponses];
export type CreateMonitorData = {
    body: MonitorSettings;
    headers?: {
        "Idempotency-Key"?: string;
    };
    path?: never;
    query?: never;
    url: "/monitors";
};
export type CreateMonitorErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    408: Error;
    409: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type CreateMonitorError = CreateMonitorErrors[keyof CreateMonitorErrors];
export type CreateMonitorResponses = {
    201: Monitor;
};
export type CreateMonitorResponse = CreateMonitorResponses[keyof CreateMonitorResponses];
export type CreateMonitorsData = {
    body: {
        monitors: Array<MonitorSettings>;
        all_or_nothing?: boolean | null;
    };
    headers?: {
        "Idempotency-Key"?: string;
    };
    path?: never;
    query?: never;
    url: "/monitors/bulk";
};
export type CreateMonitorsErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    408: Error;
    409: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type CreateMonitorsError = CreateMonitorsErrors[keyof CreateMonitorsErrors];
export type CreateMonitorsResponses = {
    200: BulkCreateResult;
};
export type CreateMonitorsResponse = CreateMonitorsResponses[keyof CreateMonitorsResponses];
export type ChangeMonitorsData = {
    body: {
        action: "pause" | "resume" | "delete" | "add_tags" | "remove_tags" | "move";
        ids?: Array<number>;
        filter?: {
            search?: string;
            q?: string;
            status?: "online" | "offline" | "degraded" | "pending";
            type?: "http" | "ping" | "port" | "heartbeat" | "cron";
            interval?: number;
            tag?: string | Array<string>;
            group_id?: number;
            region?: string;
            all?: true;
        };
        tags?: Array<string>;
        group_id?: number | null;
        dry_run?: boolean;
    };
    headers?: {
        "Idempotency-Key"?: string;
    };
    path?: never;
    query?: never;
    url: "/monitors/actions";
};
export type ChangeMonitorsErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    408: Error;
    409: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ChangeMonitorsError = ChangeMonitorsErrors[keyof ChangeMonitorsErrors];
export type ChangeMonitorsResponses = {
    200: BulkActionResult;
};
export type ChangeMonitorsResponse = ChangeMonitorsResponses[keyof ChangeMonitorsResponses];
export type TestMonitorData = {
    body: MonitorTestSettings;
    headers?: {
        "Idempotency-Key"?: string;
    };
    path?: never;
    query?: never;
    url: "/monitors/test";
};
export type TestMonitorErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    408: Error;
    409: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type TestMonitorError = TestMonitorErrors[keyof TestMonitorErrors];
export type TestMonitorResponses = {
    200: MonitorTest;
};
export type TestMonitorResponse = TestMonitorResponses[keyof TestMonitorResponses];
export type ValidateMonitorData = {
    body: MonitorTestSettings;
    headers?: {
        "Idempotency-Key"?: string;
    };
    path?: never;
    query?: never;
    url: "/monitors/validate";
};
export type ValidateMonitorErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    408: Error;
    409: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ValidateMonitorError = ValidateMonitorErrors[keyof ValidateMonitorErrors];
export type ValidateMonitorResponses = {
    200: MonitorValidation;
};
export type ValidateMonitorResponse = ValidateMonitorResponses[keyof ValidateMonitorResponses];
export type GetMonitorOverviewData = {
    body?: never;
    headers?: {
        "If-None-Match"?: string;
    };
    path?: never;
    query?: never;
    url: "/monitors/overview";
};
export type GetMonitorOverviewErrors = {
    401: Error;
    403: ForbiddenError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetMonitorOverviewError = GetMonitorOverviewErrors[keyof GetMonitorOverviewErrors];
export type GetMonitorOverviewResponses = {
    200: MonitorOverview;
};
export type GetMonitorOverviewResponse = GetMonitorOverviewResponses[keyof GetMonitorOverviewResponses];
export type DeleteMonitorData = {
    body?: never;
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/monitors/{id}";
};
export type DeleteMonitorErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type DeleteMonitorError = DeleteMonitorErrors[keyof DeleteMonitorErrors];
export type DeleteMonitorResponses = {
    204: void;
};
export type DeleteMonitorResponse = DeleteMonitorResponses[keyof DeleteMonitorResponses];
export type GetMonitorData = {
    body?: never;
    headers?: {
        "If-None-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/monitors/{id}";
};
export type GetMonitorErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetMonitorError = GetMonitorErrors[keyof GetMonitorErrors];
export type GetMonitorResponses = {
    200: MonitorDetail;
};
export type GetMonitorResponse = GetMonitorResponses[keyof GetMonitorResponses];
export type UpdateMonitorData = {
    body: MonitorSettings;
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/monitors/{id}";
};
export type UpdateMonitorErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type UpdateMonitorError = UpdateMonitorErrors[keyof UpdateMonitorErrors];
export type UpdateMonitorResponses = {
    200: Monitor;
};
export type UpdateMonitorResponse = UpdateMonitorResponses[keyof UpdateMonitorResponses];
export type CheckMonitorData = {
    body?: never;
    headers?: {
        "Idempotency-Key"?: string;
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/monitors/{id}/check";
};
export type CheckMonitorErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError | Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type CheckMonitorError = CheckMonitorErrors[keyof CheckMonitorErrors];
export type CheckMonitorResponses = {
    200: CheckResult;
};
export type CheckMonitorResponse = CheckMonitorResponses[keyof CheckMonitorResponses];
export type PauseMonitorData = {
    body?: never;
    headers?: {
        "Idempotency-Key"?: string;
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/monitors/{id}/pause";
};
export type PauseMonitorErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type PauseMonitorError = PauseMonitorErrors[keyof PauseMonitorErrors];
export type PauseMonitorResponses = {
    200: PauseResult;
};
export type PauseMonitorResponse = PauseMonitorResponses[keyof PauseMonitorResponses];
export type ResumeMonitorData = {
    body?: never;
    headers?: {
        "Idempotency-Key"?: string;
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/monitors/{id}/resume";
};
export type ResumeMonitorErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ResumeMonitorError = ResumeMonitorErrors[keyof ResumeMonitorErrors];
export type ResumeMonitorResponses = {
    200: PauseResult;
};
export type ResumeMonitorResponse = ResumeMonitorResponses[keyof ResumeMonitorResponses];
export type UnpauseMonitorData = {
    body?: never;
    headers?: {
        "Idempotency-Key"?: string;
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/monitors/{id}/unpause";
};
export type UnpauseMonitorErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type UnpauseMonitorError = UnpauseMonitorErrors[keyof UnpauseMonitorErrors];
export type UnpauseMonitorResponses = {
    200: PauseResult;
};
export type UnpauseMonitorResponse = UnpauseMonitorResponses[keyof UnpauseMonitorResponses];
export type RotatePingUrlData = {
    body: {
        keep_old_for?: number | null;
    };
    headers?: {
        "Idempotency-Key"?: string;
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/monitors/{id}/rotate-ping-url";
};
export type RotatePingUrlErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError | Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type RotatePingUrlError = RotatePingUrlErrors[keyof RotatePingUrlErrors];
export type RotatePingUrlResponses = {
    200: Monitor;
};
export type RotatePingUrlResponse = RotatePingUrlResponses[keyof RotatePingUrlResponses];
export type ListMonitorIncidentsData = {
    body?: never;
    path: {
        id: number;
    };
    query?: {
        direction?: "asc" | "desc";
        page?: number;
        per_page?: number;
        status?: "open" | "resolved";
        type?: "uptime" | "keyword" | "json_assertion" | "ssl" | "domain" | "dns" | "regional" | "dual_stack" | "slow_response" | "heartbeat" | "error_budget" | "manual";
        severity?: "critical" | "warning" | "info";
        start_date?: string;
        end_date?: string;
        sort?: "started_at" | "ended_at" | "duration" | "status";
    };
    url: "/monitors/{id}/incidents";
};
export type ListMonitorIncidentsErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListMonitorIncidentsError = ListMonitorIncidentsErrors[keyof ListMonitorIncidentsErrors];
export type ListMonitorIncidentsResponses = {
    200: IncidentPage;
};
export type ListMonitorIncidentsResponse = ListMonitorIncidentsResponses[keyof ListMonitorIncidentsResponses];
export type ListMonitorResultsData = {
    body?: never;
    path: {
        id: number;
    };
    query?: {
        from?: unknown;
        to?: unknown;
        region?: string;
        page?: number;
        per_page?: number;
    };
    url: "/monitors/{id}/results";
};
export type ListMonitorResultsErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListMonitorResultsError = ListMonitorResultsErrors[keyof ListMonitorResultsErrors];
export type ListMonitorResultsResponses = {
    200: ResultPage;
};
export type ListMonitorResultsResponse = ListMonitorResultsResponses[keyof ListMonitorResultsResponses];
export type ListMonitorPingsData = {
    body?: never;
    path: {
        id: number;
    };
    query?: {
        kind?: "success" | "failure" | "start" | "log";
        from?: unknown;
        to?: unknown;
        page?: number;
        per_page?: number;
    };
    url: "/monitors/{id}/pings";
};
export type ListMonitorPingsErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListMonitorPingsError = ListMonitorPingsErrors[keyof ListMonitorPingsErrors];
export type ListMonitorPingsResponses = {
    200: PingPage;
};
export type ListMonitorPingsResponse = ListMonitorPingsResponses[keyof ListMonitorPingsResponses];
export type ListMonitorDnsData = {
    body?: never;
    path: {
        id: number;
    };
    query?: {
        page?: number;
        per_page?: number;
    };
    url: "/monitors/{id}/dns";
};
export type ListMonitorDnsErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListMonitorDnsError = ListMonitorDnsErrors[keyof ListMonitorDnsErrors];
export type ListMonitorDnsResponses = {
    200: DnsRecordSetPage;
};
export type ListMonitorDnsResponse = ListMonitorDnsResponses[keyof ListMonitorDnsResponses];
export type ListMonitorCertificatesData = {
    body?: never;
    path: {
        id: number;
    };
    query?: {
        page?: number;
        per_page?: number;
    };
    url: "/monitors/{id}/certificates";
};
export type ListMonitorCertificatesErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListMonitorCertificatesError = ListMonitorCertificatesErrors[keyof ListMonitorCertificatesErrors];
export type ListMonitorCertificatesResponses = {
    200: CertificatePage;
};
export type ListMonitorCertificatesResponse = ListMonitorCertificatesResponses[keyof ListMonitorCertificatesResponses];
export type ListMonitorActivitiesData = {
    body?: never;
    path: {
        id: number;
    };
    query?: {
        page?: number;
        per_page?: number;
    };
    url: "/monitors/{id}/activities";
};
export type ListMonitorActivitiesErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListMonitorActivitiesError = ListMonitorActivitiesErrors[keyof ListMonitorActivitiesErrors];
export type ListMonitorActivitiesResponses = {
    200: MonitorActivityPage;
};
export type ListMonitorActivitiesResponse = ListMonitorActivitiesResponses[keyof ListMonitorActivitiesResponses];
export type GetMonitorUptimeData = {
    body?: never;
    path: {
        id: number;
    };
    query?: {
        from?: unknown;
        to?: unknown;
        interval?: "hour" | "day";
        corrected?: "true" | "false";
    };
    url: "/monitors/{id}/uptime";
};
export type GetMonitorUptimeErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetMonitorUptimeError = GetMonitorUptimeErrors[keyof GetMonitorUptimeErrors];
export type GetMonitorUptimeResponses = {
    200: Uptime;
};
export type GetMonitorUptimeResponse = GetMonitorUptimeResponses[keyof GetMonitorUptimeResponses];
export type GetMonitorResponseTimesData = {
    body?: never;
    path: {
        id: number;
    };
    query?: {
        period?: "1h" | "24h" | "7d" | "30d" | "90d";
        from?: unknown;
        to?: unknown;
    };
    url: "/monitors/{id}/response-times";
};
export type GetMonitorResponseTimesErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetMonitorResponseTimesError = GetMonitorResponseTimesErrors[keyof GetMonitorResponseTimesErrors];
export type GetMonitorResponseTimesResponses = {
    200: ResponseTimes;
};
export type GetMonitorResponseTimesResponse = GetMonitorResponseTimesResponses[keyof GetMonitorResponseTimesResponses];
export type GetMonitorDaysData = {
    body?: never;
    path: {
        id: number;
    };
    query?: {
        days?: number;
        timezone?: string;
    };
    url: "/monitors/{id}/days";
};
export type GetMonitorDaysErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetMonitorDaysError = GetMonitorDaysErrors[keyof GetMonitorDaysErrors];
export type GetMonitorDaysResponses = {
    200: MonitorDays;
};
export type GetMonitorDaysResponse = GetMonitorDaysResponses[keyof GetMonitorDaysResponses];
export type ListMonitorCorrectionsData = {
    body?: never;
    path: {
        id: number;
    };
    query?: {
        include_removed?: "true" | "false";
        page?: number;
        per_page?: number;
    };
    url: "/monitors/{id}/corrections";
};
export type ListMonitorCorrectionsErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListMonitorCorrectionsError = ListMonitorCorrectionsErrors[keyof ListMonitorCorrectionsErrors];
export type ListMonitorCorrectionsResponses = {
    200: CorrectionPage;
};
export type ListMonitorCorrectionsResponse = ListMonitorCorrectionsResponses[keyof ListMonitorCorrectionsResponses];
export type CreateMonitorCorrectionData = {
    body: {
        from: string;
        to: string;
        as: "maintenance" | "false_alarm" | "excluded" | "up" | "down";
        reason: string;
        evidence?: string | null;
    };
    headers?: {
        "Idempotency-Key"?: string;
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/monitors/{id}/corrections";
};
export type CreateMonitorCorrectionErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type CreateMonitorCorrectionError = CreateMonitorCorrectionErrors[keyof CreateMonitorCorrectionErrors];
export type CreateMonitorCorrectionResponses = {
    201: Correction;
};
export type CreateMonitorCorrectionResponse = CreateMonitorCorrectionResponses[keyof CreateMonitorCorrectionResponses];
export type DeleteMonitorCorrectionData = {
    body?: never;
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
        correction: number;
    };
    query?: never;
    url: "/monitors/{id}/corrections/{correction}";
};
export type DeleteMonitorCorrectionErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type DeleteMonitorCorrectionError = DeleteMonitorCorrectionErrors[keyof DeleteMonitorCorrectionErrors];
export type DeleteMonitorCorrectionResponses = {
    204: void;
};
export type DeleteMonitorCorrectionResponse = DeleteMonitorCorrectionResponses[keyof DeleteMonitorCorrectionResponses];
export type GetMonitorCorrectionData = {
    body?: never;
    headers?: {
        "If-None-Match"?: string;
    };
    path: {
        id: number;
        correction: number;
    };
    query?: never;
    url: "/monitors/{id}/corrections/{correction}";
};
export type GetMonitorCorrectionErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetMonitorCorrectionError = GetMonitorCorrectionErrors[keyof GetMonitorCorrectionErrors];
export type GetMonitorCorrectionResponses = {
    200: Correction;
};
export type GetMonitorCorrectionResponse = GetMonitorCorrectionResponses[keyof GetMonitorCorrectionResponses];
export type ListSlosData = {
    body?: never;
    path?: never;
    query?: {
        monitor_id?: number;
        page?: number;
        per_page?: number;
    };
    url: "/slos";
};
export type ListSlosErrors = {
    401: Error;
    403: ForbiddenError;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListSlosError = ListSlosErrors[keyof ListSlosErrors];
export type ListSlosResponses = {
    200: SloPage;
};
export type ListSlosResponse = ListSlosResponses[keyof ListSlosResponses];
export type DeleteMonitorSloData = {
    body?: never;
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/monitors/{id}/slo";
};
export type DeleteMonitorSloErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type DeleteMonitorSloError = DeleteMonitorSloErrors[keyof DeleteMonitorSloErrors];
export type DeleteMonitorSloResponses = {
    204: void;
};
export type DeleteMonitorSloResponse = DeleteMonitorSloResponses[keyof DeleteMonitorSloResponses];
export type GetMonitorSloData = {
    body?: never;
    headers?: {
        "If-None-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/monitors/{id}/slo";
};
export type GetMonitorSloErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetMonitorSloError = GetMonitorSloErrors[keyof GetMonitorSloErrors];
export type GetMonitorSloResponses = {
    200: Slo;
};
export type GetMonitorSloResponse = GetMonitorSloResponses[keyof GetMonitorSloResponses];
export type SetMonitorSloData = {
    body: {
        target_percent?: number;
        window_days?: number | null;
        burn_rate_alerts?: boolean | null;
    };
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/monitors/{id}/slo";
};
export type SetMonitorSloErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type SetMonitorSloError = SetMonitorSloErrors[keyof SetMonitorSloErrors];
export type SetMonitorSloResponses = {
    200: Slo;
};
export type SetMonitorSloResponse = SetMonitorSloResponses[keyof SetMonitorSloResponses];
export type GetAttentionData = {
    body?: never;
    path?: never;
    query?: {
        limit?: number;
    };
    url: "/attention";
};
export type GetAttentionErrors = {
    401: Error;
    403: ForbiddenError;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetAttentionError = GetAttentionErrors[keyof GetAttentionErrors];
export type GetAttentionResponses = {
    200: Attention;
};
export type GetAttentionResponse = GetAttentionResponses[keyof GetAttentionResponses];
export type ListExpirationsData = {
    body?: never;
    path?: never;
    query?: {
        within_days?: number;
        type?: "ssl" | "domain";
        page?: number;
        per_page?: number;
    };
    url: "/expirations";
};
export type ListExpirationsErrors = {
    401: Error;
    403: ForbiddenError;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListExpirationsError = ListExpirationsErrors[keyof ListExpirationsErrors];
export type ListExpirationsResponses = {
    200: ExpirationPage;
};
export type ListExpirationsResponse = ListExpirationsResponses[keyof ListExpirationsResponses];
export type GetUptimeSummaryData = {
    body?: never;
    path?: never;
    query?: {
        period?: "last_24_hours" | "last_7_days" | "last_30_days";
        group_id?: number;
        tag?: Array<string>;
        limit?: number;
    };
    url: "/uptime-summary";
};
export type GetUptimeSummaryErrors = {
    401: Error;
    403: ForbiddenError;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetUptimeSummaryError = GetUptimeSummaryErrors[keyof GetUptimeSummaryErrors];
export type GetUptimeSummaryResponses = {
    200: UptimeSummary;
};
export type GetUptimeSummaryResponse = GetUptimeSummaryResponses[keyof GetUptimeSummaryResponses];
export type CheckUrlData = {
    body?: never;
    path?: never;
    query: {
        url: string;
        timeout_seconds?: number;
        "regions[]"?: Array<string>;
    };
    url: "/check-url";
};
export type CheckUrlErrors = {
    401: Error;
    403: ForbiddenError;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type CheckUrlError = CheckUrlErrors[keyof CheckUrlErrors];
export type CheckUrlResponses = {
    200: UrlCheck;
};
export type CheckUrlResponse = CheckUrlResponses[keyof CheckUrlResponses];
export type ListRegionsData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/regions";
};
export type ListRegionsErrors = {
    401: Error;
    403: ForbiddenError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListRegionsError = ListRegionsErrors[keyof ListRegionsErrors];
export type ListRegionsResponses = {
    200: RegionList;
};
export type ListRegionsResponse = ListRegionsResponses[keyof ListRegionsResponses];
export type PreviewCronData = {
    body?: never;
    path?: never;
    query: {
        expression: string;
        timezone?: string;
        count?: number;
    };
    url: "/cron-preview";
};
export type PreviewCronErrors = {
    401: Error;
    403: ForbiddenError;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type PreviewCronError = PreviewCronErrors[keyof PreviewCronErrors];
export type PreviewCronResponses = {
    200: CronPreview;
};
export type PreviewCronResponse = PreviewCronResponses[keyof PreviewCronResponses];
export type ListIncidentsData = {
    body?: never;
    path?: never;
    query?: {
        direction?: "asc" | "desc";
        page?: number;
        per_page?: number;
        monitor_id?: number;
        status?: "open" | "resolved";
        type?: "uptime" | "keyword" | "json_assertion" | "ssl" | "domain" | "dns" | "regional" | "dual_stack" | "slow_response" | "heartbeat" | "error_budget" | "manual";
        severity?: "critical" | "warning" | "info";
        start_date?: string;
        end_date?: string;
        sort?: "started_at" | "ended_at" | "duration" | "status";
    };
    url: "/incidents";
};
export type ListIncidentsErrors = {
    401: Error;
    403: ForbiddenError;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListIncidentsError = ListIncidentsErrors[keyof ListIncidentsErrors];
export type ListIncidentsResponses = {
    200: IncidentPage;
};
export type ListIncidentsResponse = ListIncidentsResponses[keyof ListIncidentsResponses];
export type CreateIncidentData = {
    body: {
        monitor_id: number;
        started_at: string;
        status: "open" | "resolved";
        severity?: "critical" | "warning" | "info" | null;
        root_cause?: string | null;
        ended_at?: string | null;
    };
    headers?: {
        "Idempotency-Key"?: string;
    };
    path?: never;
    query?: never;
    url: "/incidents";
};
export type CreateIncidentErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    408: Error;
    409: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type CreateIncidentError = CreateIncidentErrors[keyof CreateIncidentErrors];
export type CreateIncidentResponses = {
    201: Incident;
};
export type CreateIncidentResponse = CreateIncidentResponses[keyof CreateIncidentResponses];
export type DeleteIncidentData = {
    body?: never;
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/incidents/{id}";
};
export type DeleteIncidentErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type DeleteIncidentError = DeleteIncidentErrors[keyof DeleteIncidentErrors];
export type DeleteIncidentResponses = {
    204: void;
};
export type DeleteIncidentResponse = DeleteIncidentResponses[keyof DeleteIncidentResponses];
export type GetIncidentData = {
    body?: never;
    headers?: {
        "If-None-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/incidents/{id}";
};
export type GetIncidentErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetIncidentError = GetIncidentErrors[keyof GetIncidentErrors];
export type GetIncidentResponses = {
    200: IncidentDetail;
};
export type GetIncidentResponse = GetIncidentResponses[keyof GetIncidentResponses];
export type UpdateIncidentData = {
    body: {
        status?: "open" | "resolved";
        root_cause?: string | null;
    };
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/incidents/{id}";
};
export type UpdateIncidentErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type UpdateIncidentError = UpdateIncidentErrors[keyof UpdateIncidentErrors];
export type UpdateIncidentResponses = {
    200: Incident;
};
export type UpdateIncidentResponse = UpdateIncidentResponses[keyof UpdateIncidentResponses];
export type ListIncidentRoundsData = {
    body?: never;
    path: {
        id: number;
    };
    query?: never;
    url: "/incidents/{id}/rounds";
};
export type ListIncidentRoundsErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListIncidentRoundsError = ListIncidentRoundsErrors[keyof ListIncidentRoundsErrors];
export type ListIncidentRoundsResponses = {
    200: IncidentRounds;
};
export type ListIncidentRoundsResponse = ListIncidentRoundsResponses[keyof ListIncidentRoundsResponses];
export type ListIncidentNotificationsData = {
    body?: never;
    path: {
        id: number;
    };
    query?: {
        page?: number;
        per_page?: number;
    };
    url: "/incidents/{id}/notifications";
};
export type ListIncidentNotificationsErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListIncidentNotificationsError = ListIncidentNotificationsErrors[keyof ListIncidentNotificationsErrors];
export type ListIncidentNotificationsResponses = {
    200: IncidentNotificationPage;
};
export type ListIncidentNotificationsResponse = ListIncidentNotificationsResponses[keyof ListIncidentNotificationsResponses];
export type ResolveIncidentData = {
    body?: never;
    headers?: {
        "Idempotency-Key"?: string;
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/incidents/{id}/resolve";
};
export type ResolveIncidentErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ResolveIncidentError = ResolveIncidentErrors[keyof ResolveIncidentErrors];
export type ResolveIncidentResponses = {
    200: Incident;
};
export type ResolveIncidentResponse = ResolveIncidentResponses[keyof ResolveIncidentResponses];
export type AcknowledgeIncidentData = {
    body?: never;
    headers?: {
        "Idempotency-Key"?: string;
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/incidents/{id}/acknowledge";
};
export type AcknowledgeIncidentErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type AcknowledgeIncidentError = AcknowledgeIncidentErrors[keyof AcknowledgeIncidentErrors];
export type AcknowledgeIncidentResponses = {
    200: Acknowledgement;
};
export type AcknowledgeIncidentResponse = AcknowledgeIncidentResponses[keyof AcknowledgeIncidentResponses];
export type CreateIncidentNoteData = {
    body: {
        text: string;
    };
    headers?: {
        "Idempotency-Key"?: string;
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/incidents/{id}/notes";
};
export type CreateIncidentNoteErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type CreateIncidentNoteError = CreateIncidentNoteErrors[keyof CreateIncidentNoteErrors];
export type CreateIncidentNoteResponses = {
    201: IncidentActivity;
};
export type CreateIncidentNoteResponse = CreateIncidentNoteResponses[keyof CreateIncidentNoteResponses];
export type ListIncidentUpdatesData = {
    body?: never;
    path: {
        id: number;
    };
    query?: never;
    url: "/incidents/{id}/updates";
};
export type ListIncidentUpdatesErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListIncidentUpdatesError = ListIncidentUpdatesErrors[keyof ListIncidentUpdatesErrors];
export type ListIncidentUpdatesResponses = {
    200: AnnouncementUpdateList;
};
export type ListIncidentUpdatesResponse = ListIncidentUpdatesResponses[keyof ListIncidentUpdatesResponses];
export type CreateIncidentUpdateData = {
    body: {
        state?: "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed" | null;
        text?: string | null;
        status_pages?: Array<number> | null;
        title?: string | null;
        impact?: "none" | "minor" | "major" | "critical" | null;
        template_id?: number | null;
        notify?: boolean | null;
    };
    headers?: {
        "Idempotency-Key"?: string;
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/incidents/{id}/updates";
};
export type CreateIncidentUpdateErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type CreateIncidentUpdateError = CreateIncidentUpdateErrors[keyof CreateIncidentUpdateErrors];
export type CreateIncidentUpdateResponses = {
    201: AnnouncementUpdate;
};
export type CreateIncidentUpdateResponse = CreateIncidentUpdateResponses[keyof CreateIncidentUpdateResponses];
export type DeleteIncidentUpdateData = {
    body?: never;
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
        update: number;
    };
    query?: never;
    url: "/incidents/{id}/updates/{update}";
};
export type DeleteIncidentUpdateErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    412: Error;
    413: Error;
    415: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type DeleteIncidentUpdateError = DeleteIncidentUpdateErrors[keyof DeleteIncidentUpdateErrors];
export type DeleteIncidentUpdateResponses = {
    204: void;
};
export type DeleteIncidentUpdateResponse = DeleteIncidentUpdateResponses[keyof DeleteIncidentUpdateResponses];
export type GetIncidentUpdateData = {
    body?: never;
    headers?: {
        "If-None-Match"?: string;
    };
    path: {
        id: number;
        update: number;
    };
    query?: never;
    url: "/incidents/{id}/updates/{update}";
};
export type GetIncidentUpdateErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetIncidentUpdateError = GetIncidentUpdateErrors[keyof GetIncidentUpdateErrors];
export type GetIncidentUpdateResponses = {
    200: AnnouncementUpdate;
};
export type GetIncidentUpdateResponse = GetIncidentUpdateResponses[keyof GetIncidentUpdateResponses];
export type UpdateIncidentUpdateData = {
    body: {
        state?: "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed" | null;
        text?: string | null;
        status_pages?: Array<number> | null;
    };
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
        update: number;
    };
    query?: never;
    url: "/incidents/{id}/updates/{update}";
};
export type UpdateIncidentUpdateErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type UpdateIncidentUpdateError = UpdateIncidentUpdateErrors[keyof UpdateIncidentUpdateErrors];
export type UpdateIncidentUpdateResponses = {
    200: AnnouncementUpdate;
};
export type UpdateIncidentUpdateResponse = UpdateIncidentUpdateResponses[keyof UpdateIncidentUpdateResponses];
export type ListIncidentUpdateVersionsData = {
    body?: never;
    path: {
        id: number;
        update: number;
    };
    query?: never;
    url: "/incidents/{id}/updates/{update}/versions";
};
export type ListIncidentUpdateVersionsErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListIncidentUpdateVersionsError = ListIncidentUpdateVersionsErrors[keyof ListIncidentUpdateVersionsErrors];
export type ListIncidentUpdateVersionsResponses = {
    200: AnnouncementUpdateVersions;
};
export type ListIncidentUpdateVersionsResponse = ListIncidentUpdateVersionsResponses[keyof ListIncidentUpdateVersionsResponses];
export type ListAnnouncementsData = {
    body?: never;
    path?: never;
    query?: {
        page?: number;
        per_page?: number;
        kind?: "incident" | "maintenance";
        state?: "open" | "ended";
        status_page?: number;
    };
    url: "/announcements";
};
export type ListAnnouncementsErrors = {
    401: Error;
    403: ForbiddenError;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListAnnouncementsError = ListAnnouncementsErrors[keyof ListAnnouncementsErrors];
export type ListAnnouncementsResponses = {
    200: AnnouncementPage;
};
export type ListAnnouncementsResponse = ListAnnouncementsResponses[keyof ListAnnouncementsResponses];
export type CreateAnnouncementData = {
    body: {
        kind?: "incident" | "maintenance" | null;
        title?: string | null;
        impact?: "none" | "minor" | "major" | "critical" | null;
        state?: "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed" | null;
        text?: string | null;
        status_pages?: Array<number> | null;
        monitors?: Array<number> | null;
        starts_at?: string | null;
        ends_at?: string | null;
        notify?: boolean | null;
    };
    headers?: {
        "Idempotency-Key"?: string;
    };
    path?: never;
    query?: never;
    url: "/announcements";
};
export type CreateAnnouncementErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    408: Error;
    409: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type CreateAnnouncementError = CreateAnnouncementErrors[keyof CreateAnnouncementErrors];
export type CreateAnnouncementResponses = {
    201: AnnouncementDetail;
};
export type CreateAnnouncementResponse = CreateAnnouncementResponses[keyof CreateAnnouncementResponses];
export type DeleteAnnouncementData = {
    body?: never;
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/announcements/{id}";
};
export type DeleteAnnouncementErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type DeleteAnnouncementError = DeleteAnnouncementErrors[keyof DeleteAnnouncementErrors];
export type DeleteAnnouncementResponses = {
    204: void;
};
export type DeleteAnnouncementResponse = DeleteAnnouncementResponses[keyof DeleteAnnouncementResponses];
export type GetAnnouncementData = {
    body?: never;
    headers?: {
        "If-None-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/announcements/{id}";
};
export type GetAnnouncementErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetAnnouncementError = GetAnnouncementErrors[keyof GetAnnouncementErrors];
export type GetAnnouncementResponses = {
    200: AnnouncementDetail;
};
export type GetAnnouncementResponse = GetAnnouncementResponses[keyof GetAnnouncementResponses];
export type UpdateAnnouncementData = {
    body: {
        title?: string | null;
        impact?: "none" | "minor" | "major" | "critical" | null;
        monitors?: Array<number> | null;
        status_pages?: Array<number> | null;
        starts_at?: string | null;
        ends_at?: string | null;
    };
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/announcements/{id}";
};
export type UpdateAnnouncementErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type UpdateAnnouncementError = UpdateAnnouncementErrors[keyof UpdateAnnouncementErrors];
export type UpdateAnnouncementResponses = {
    200: AnnouncementDetail;
};
export type UpdateAnnouncementResponse = UpdateAnnouncementResponses[keyof UpdateAnnouncementResponses];
export type DeletePostMortemData = {
    body?: never;
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/announcements/{id}/post-mortem";
};
export type DeletePostMortemErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type DeletePostMortemError = DeletePostMortemErrors[keyof DeletePostMortemErrors];
export type DeletePostMortemResponses = {
    204: void;
};
export type DeletePostMortemResponse = DeletePostMortemResponses[keyof DeletePostMortemResponses];
export type SetPostMortemData = {
    body: {
        text?: string | null;
        publish?: boolean | null;
    };
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/announcements/{id}/post-mortem";
};
export type SetPostMortemErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type SetPostMortemError = SetPostMortemErrors[keyof SetPostMortemErrors];
export type SetPostMortemResponses = {
    200: AnnouncementDetail;
};
export type SetPostMortemResponse = SetPostMortemResponses[keyof SetPostMortemResponses];
export type ListAnnouncementUpdatesData = {
    body?: never;
    path: {
        id: number;
    };
    query?: never;
    url: "/announcements/{id}/updates";
};
export type ListAnnouncementUpdatesErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListAnnouncementUpdatesError = ListAnnouncementUpdatesErrors[keyof ListAnnouncementUpdatesErrors];
export type ListAnnouncementUpdatesResponses = {
    200: AnnouncementUpdateList;
};
export type ListAnnouncementUpdatesResponse = ListAnnouncementUpdatesResponses[keyof ListAnnouncementUpdatesResponses];
export type CreateAnnouncementUpdateData = {
    body: {
        state?: "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed" | null;
        text?: string | null;
        status_pages?: Array<number> | null;
        title?: string | null;
        impact?: "none" | "minor" | "major" | "critical" | null;
        template_id?: number | null;
        notify?: boolean | null;
    };
    headers?: {
        "Idempotency-Key"?: string;
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/announcements/{id}/updates";
};
export type CreateAnnouncementUpdateErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type CreateAnnouncementUpdateError = CreateAnnouncementUpdateErrors[keyof CreateAnnouncementUpdateErrors];
export type CreateAnnouncementUpdateResponses = {
    201: AnnouncementUpdate;
};
export type CreateAnnouncementUpdateResponse = CreateAnnouncementUpdateResponses[keyof CreateAnnouncementUpdateResponses];
export type DeleteAnnouncementUpdateData = {
    body?: never;
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
        update: number;
    };
    query?: never;
    url: "/announcements/{id}/updates/{update}";
};
export type DeleteAnnouncementUpdateErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    412: Error;
    413: Error;
    415: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type DeleteAnnouncementUpdateError = DeleteAnnouncementUpdateErrors[keyof DeleteAnnouncementUpdateErrors];
export type DeleteAnnouncementUpdateResponses = {
    204: void;
};
export type DeleteAnnouncementUpdateResponse = DeleteAnnouncementUpdateResponses[keyof DeleteAnnouncementUpdateResponses];
export type GetAnnouncementUpdateData = {
    body?: never;
    headers?: {
        "If-None-Match"?: string;
    };
    path: {
        id: number;
        update: number;
    };
    query?: never;
    url: "/announcements/{id}/updates/{update}";
};
export type GetAnnouncementUpdateErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetAnnouncementUpdateError = GetAnnouncementUpdateErrors[keyof GetAnnouncementUpdateErrors];
export type GetAnnouncementUpdateResponses = {
    200: AnnouncementUpdate;
};
export type GetAnnouncementUpdateResponse = GetAnnouncementUpdateResponses[keyof GetAnnouncementUpdateResponses];
export type UpdateAnnouncementUpdateData = {
    body: {
        state?: "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed" | null;
        text?: string | null;
        status_pages?: Array<number> | null;
    };
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
        update: number;
    };
    query?: never;
    url: "/announcements/{id}/updates/{update}";
};
export type UpdateAnnouncementUpdateErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type UpdateAnnouncementUpdateError = UpdateAnnouncementUpdateErrors[keyof UpdateAnnouncementUpdateErrors];
export type UpdateAnnouncementUpdateResponses = {
    200: AnnouncementUpdate;
};
export type UpdateAnnouncementUpdateResponse = UpdateAnnouncementUpdateResponses[keyof UpdateAnnouncementUpdateResponses];
export type ListAnnouncementUpdateVersionsData = {
    body?: never;
    path: {
        id: number;
        update: number;
    };
    query?: never;
    url: "/announcements/{id}/updates/{update}/versions";
};
export type ListAnnouncementUpdateVersionsErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListAnnouncementUpdateVersionsError = ListAnnouncementUpdateVersionsErrors[keyof ListAnnouncementUpdateVersionsErrors];
export type ListAnnouncementUpdateVersionsResponses = {
    200: AnnouncementUpdateVersions;
};
export type ListAnnouncementUpdateVersionsResponse = ListAnnouncementUpdateVersionsResponses[keyof ListAnnouncementUpdateVersionsResponses];
export type ListUpdateTemplatesData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/update-templates";
};
export type ListUpdateTemplatesErrors = {
    401: Error;
    403: ForbiddenError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListUpdateTemplatesError = ListUpdateTemplatesErrors[keyof ListUpdateTemplatesErrors];
export type ListUpdateTemplatesResponses = {
    200: UpdateTemplateList;
};
export type ListUpdateTemplatesResponse = ListUpdateTemplatesResponses[keyof ListUpdateTemplatesResponses];
export type CreateUpdateTemplateData = {
    body: {
        name: string;
        title?: string | null;
        state: "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed";
        text: string;
    };
    headers?: {
        "Idempotency-Key"?: string;
    };
    path?: never;
    query?: never;
    url: "/update-templates";
};
export type CreateUpdateTemplateErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    408: Error;
    409: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type CreateUpdateTemplateError = CreateUpdateTemplateErrors[keyof CreateUpdateTemplateErrors];
export type CreateUpdateTemplateResponses = {
    201: UpdateTemplate;
};
export type CreateUpdateTemplateResponse = CreateUpdateTemplateResponses[keyof CreateUpdateTemplateResponses];
export type DeleteUpdateTemplateData = {
    body?: never;
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/update-templates/{id}";
};
export type DeleteUpdateTemplateErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type DeleteUpdateTemplateError = DeleteUpdateTemplateErrors[keyof DeleteUpdateTemplateErrors];
export type DeleteUpdateTemplateResponses = {
    204: void;
};
export type DeleteUpdateTemplateResponse = DeleteUpdateTemplateResponses[keyof DeleteUpdateTemplateResponses];
export type GetUpdateTemplateData = {
    body?: never;
    headers?: {
        "If-None-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/update-templates/{id}";
};
export type GetUpdateTemplateErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetUpdateTemplateError = GetUpdateTemplateErrors[keyof GetUpdateTemplateErrors];
export type GetUpdateTemplateResponses = {
    200: UpdateTemplate;
};
export type GetUpdateTemplateResponse = GetUpdateTemplateResponses[keyof GetUpdateTemplateResponses];
export type UpdateUpdateTemplateData = {
    body: {
        name?: string | null;
        title?: string | null;
        state?: "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed" | null;
        text?: string | null;
    };
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/update-templates/{id}";
};
export type UpdateUpdateTemplateErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type UpdateUpdateTemplateError = UpdateUpdateTemplateErrors[keyof UpdateUpdateTemplateErrors];
export type UpdateUpdateTemplateResponses = {
    200: UpdateTemplate;
};
export type UpdateUpdateTemplateResponse = UpdateUpdateTemplateResponses[keyof UpdateUpdateTemplateResponses];
export type ListGroupsData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/groups";
};
export type ListGroupsErrors = {
    401: Error;
    403: ForbiddenError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListGroupsError = ListGroupsErrors[keyof ListGroupsErrors];
export type ListGroupsResponses = {
    200: GroupList;
};
export type ListGroupsResponse = ListGroupsResponses[keyof ListGroupsResponses];
export type CreateGroupData = {
    body: {
        name: string;
        description?: string | null;
        parent_id?: number | null;
        sort_order?: number | null;
    };
    headers?: {
        "Idempotency-Key"?: string;
    };
    path?: never;
    query?: never;
    url: "/groups";
};
export type CreateGroupErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    408: Error;
    409: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type CreateGroupError = CreateGroupErrors[keyof CreateGroupErrors];
export type CreateGroupResponses = {
    201: Group;
};
export type CreateGroupResponse = CreateGroupResponses[keyof CreateGroupResponses];
export type DeleteGroupData = {
    body?: never;
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/groups/{id}";
};
export type DeleteGroupErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type DeleteGroupError = DeleteGroupErrors[keyof DeleteGroupErrors];
export type DeleteGroupResponses = {
    204: void;
};
export type DeleteGroupResponse = DeleteGroupResponses[keyof DeleteGroupResponses];
export type GetGroupData = {
    body?: never;
    headers?: {
        "If-None-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/groups/{id}";
};
export type GetGroupErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetGroupError = GetGroupErrors[keyof GetGroupErrors];
export type GetGroupResponses = {
    200: Group;
};
export type GetGroupResponse = GetGroupResponses[keyof GetGroupResponses];
export type UpdateGroupData = {
    body: {
        name: string;
        description?: string | null;
        parent_id?: number | null;
        sort_order?: number | null;
    };
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/groups/{id}";
};
export type UpdateGroupErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type UpdateGroupError = UpdateGroupErrors[keyof UpdateGroupErrors];
export type UpdateGroupResponses = {
    200: Group;
};
export type UpdateGroupResponse = UpdateGroupResponses[keyof UpdateGroupResponses];
export type ListAlertChannelsData = {
    body?: never;
    path?: never;
    query?: {
        direction?: "asc" | "desc";
        page?: number;
        per_page?: number;
        type?: "email" | "slack" | "discord" | "microsoft_teams" | "telegram" | "pagerduty" | "opsgenie" | "ntfy" | "pushover" | "gotify" | "mattermost" | "google_chat" | "sms";
        enabled?: "true" | "false";
        sort?: "created_at";
    };
    url: "/alert-channels";
};
export type ListAlertChannelsErrors = {
    401: Error;
    403: ForbiddenError;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListAlertChannelsError = ListAlertChannelsErrors[keyof ListAlertChannelsErrors];
export type ListAlertChannelsResponses = {
    200: AlertChannelPage;
};
export type ListAlertChannelsResponse = ListAlertChannelsResponses[keyof ListAlertChannelsResponses];
export type CreateAlertChannelData = {
    body: {
        name?: string | null;
        enabled?: boolean | null;
        is_default?: boolean | null;
        severities?: Array<"critical" | "warning" | "info"> | null;
        quiet_hours?: {
            from: string;
            to: string;
            days?: Array<"sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat"> | null;
            timezone: string;
            allow_critical?: boolean | null;
        } | null;
        timezone?: string | null;
        settings?: {
            [key: string]: unknown;
        } | null;
        type: "email" | "slack" | "discord" | "microsoft_teams" | "telegram" | "pagerduty" | "opsgenie" | "ntfy" | "pushover" | "gotify" | "mattermost" | "google_chat" | "sms";
    };
    headers?: {
        "Idempotency-Key"?: string;
    };
    path?: never;
    query?: never;
    url: "/alert-channels";
};
export type CreateAlertChannelErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    408: Error;
    409: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type CreateAlertChannelError = CreateAlertChannelErrors[keyof CreateAlertChannelErrors];
export type CreateAlertChannelResponses = {
    201: AlertChannel;
};
export type CreateAlertChannelResponse = CreateAlertChannelResponses[keyof CreateAlertChannelResponses];
export type DeleteAlertChannelData = {
    body?: never;
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/alert-channels/{id}";
};
export type DeleteAlertChannelErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type DeleteAlertChannelError = DeleteAlertChannelErrors[keyof DeleteAlertChannelErrors];
export type DeleteAlertChannelResponses = {
    204: void;
};
export type DeleteAlertChannelResponse = DeleteAlertChannelResponses[keyof DeleteAlertChannelResponses];
export type GetAlertChannelData = {
    body?: never;
    headers?: {
        "If-None-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/alert-channels/{id}";
};
export type GetAlertChannelErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetAlertChannelError = GetAlertChannelErrors[keyof GetAlertChannelErrors];
export type GetAlertChannelResponses = {
    200: AlertChannel;
};
export type GetAlertChannelResponse = GetAlertChannelResponses[keyof GetAlertChannelResponses];
export type UpdateAlertChannelData = {
    body: {
        name?: string | null;
        enabled?: boolean | null;
        is_default?: boolean | null;
        severities?: Array<"critical" | "warning" | "info"> | null;
        quiet_hours?: {
            from: string;
            to: string;
            days?: Array<"sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat"> | null;
            timezone: string;
            allow_critical?: boolean | null;
        } | null;
        timezone?: string | null;
        settings?: {
            [key: string]: unknown;
        } | null;
    };
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/alert-channels/{id}";
};
export type UpdateAlertChannelErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type UpdateAlertChannelError = UpdateAlertChannelErrors[keyof UpdateAlertChannelErrors];
export type UpdateAlertChannelResponses = {
    200: AlertChannel;
};
export type UpdateAlertChannelResponse = UpdateAlertChannelResponses[keyof UpdateAlertChannelResponses];
export type TestAlertChannelData = {
    body?: never;
    headers?: {
        "Idempotency-Key"?: string;
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/alert-channels/{id}/test";
};
export type TestAlertChannelErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type TestAlertChannelError = TestAlertChannelErrors[keyof TestAlertChannelErrors];
export type TestAlertChannelResponses = {
    200: ChannelTest;
};
export type TestAlertChannelResponse = TestAlertChannelResponses[keyof TestAlertChannelResponses];
export type ListAlertChannelDeliveriesData = {
    body?: never;
    path: {
        id: number;
    };
    query?: {
        status?: "pending" | "delivered" | "failed" | "expired" | "superseded";
        page?: number;
        per_page?: number;
    };
    url: "/alert-channels/{id}/deliveries";
};
export type ListAlertChannelDeliveriesErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListAlertChannelDeliveriesError = ListAlertChannelDeliveriesErrors[keyof ListAlertChannelDeliveriesErrors];
export type ListAlertChannelDeliveriesResponses = {
    200: ChannelDeliveryPage;
};
export type ListAlertChannelDeliveriesResponse = ListAlertChannelDeliveriesResponses[keyof ListAlertChannelDeliveriesResponses];
export type ListNotificationChannelsData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/notification-channels";
};
export type ListNotificationChannelsErrors = {
    401: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListNotificationChannelsError = ListNotificationChannelsErrors[keyof ListNotificationChannelsErrors];
export type ListNotificationChannelsResponses = {
    200: NotificationChannelList;
};
export type ListNotificationChannelsResponse = ListNotificationChannelsResponses[keyof ListNotificationChannelsResponses];
export type CreateNotificationChannelData = {
    body: {
        name?: string | null;
        enabled?: boolean | null;
        severities?: Array<"critical" | "warning" | "info"> | null;
        quiet_hours?: {
            from: string;
            to: string;
            days?: Array<"sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat"> | null;
            timezone: string;
            allow_critical?: boolean | null;
        } | null;
        timezone?: string | null;
        settings?: {
            [key: string]: unknown;
        } | null;
        webhook_url?: unknown;
        phone_number?: unknown;
        email?: unknown;
        type: "email" | "slack" | "discord" | "microsoft_teams" | "telegram" | "pagerduty" | "opsgenie" | "ntfy" | "pushover" | "gotify" | "mattermost" | "google_chat" | "sms" | "web_push";
    };
    headers?: {
        "Idempotency-Key"?: string;
    };
    path?: never;
    query?: never;
    url: "/notification-channels";
};
export type CreateNotificationChannelErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    408: Error;
    409: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type CreateNotificationChannelError = CreateNotificationChannelErrors[keyof CreateNotificationChannelErrors];
export type CreateNotificationChannelResponses = {
    201: NotificationChannel;
};
export type CreateNotificationChannelResponse = CreateNotificationChannelResponses[keyof CreateNotificationChannelResponses];
export type DeleteNotificationChannelData = {
    body?: never;
    headers?: {
        "If-Match"?: string;
    };
    path: {
        channel: "email" | "slack" | "discord" | "microsoft_teams" | "telegram" | "pagerduty" | "opsgenie" | "ntfy" | "pushover" | "gotify" | "mattermost" | "google_chat" | "sms" | "web_push";
    };
    query?: never;
    url: "/notification-channels/{channel}";
};
export type DeleteNotificationChannelErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type DeleteNotificationChannelError = DeleteNotificationChannelErrors[keyof DeleteNotificationChannelErrors];
export type DeleteNotificationChannelResponses = {
    204: void;
};
export type DeleteNotificationChannelResponse = DeleteNotificationChannelResponses[keyof DeleteNotificationChannelResponses];
export type GetNotificationChannelData = {
    body?: never;
    headers?: {
        "If-None-Match"?: string;
    };
    path: {
        channel: "email" | "slack" | "discord" | "microsoft_teams" | "telegram" | "pagerduty" | "opsgenie" | "ntfy" | "pushover" | "gotify" | "mattermost" | "google_chat" | "sms" | "web_push";
    };
    query?: never;
    url: "/notification-channels/{channel}";
};
export type GetNotificationChannelErrors = {
    401: Error;
    404: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetNotificationChannelError = GetNotificationChannelErrors[keyof GetNotificationChannelErrors];
export type GetNotificationChannelResponses = {
    200: NotificationChannel;
};
export type GetNotificationChannelResponse = GetNotificationChannelResponses[keyof GetNotificationChannelResponses];
export type UpdateNotificationChannelData = {
    body: {
        name?: string | null;
        enabled?: boolean | null;
        severities?: Array<"critical" | "warning" | "info"> | null;
        quiet_hours?: {
            from: string;
            to: string;
            days?: Array<"sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat"> | null;
            timezone: string;
            allow_critical?: boolean | null;
        } | null;
        timezone?: string | null;
        settings?: {
            [key: string]: unknown;
        } | null;
        webhook_url?: unknown;
        phone_number?: unknown;
        email?: unknown;
        type?: "email" | "slack" | "discord" | "microsoft_teams" | "telegram" | "pagerduty" | "opsgenie" | "ntfy" | "pushover" | "gotify" | "mattermost" | "google_chat" | "sms" | "web_push" | null;
    };
    headers?: {
        "If-Match"?: string;
    };
    path: {
        channel: "email" | "slack" | "discord" | "microsoft_teams" | "telegram" | "pagerduty" | "opsgenie" | "ntfy" | "pushover" | "gotify" | "mattermost" | "google_chat" | "sms" | "web_push";
    };
    query?: never;
    url: "/notification-channels/{channel}";
};
export type UpdateNotificationChannelErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type UpdateNotificationChannelError = UpdateNotificationChannelErrors[keyof UpdateNotificationChannelErrors];
export type UpdateNotificationChannelResponses = {
    200: NotificationChannel;
};
export type UpdateNotificationChannelResponse = UpdateNotificationChannelResponses[keyof UpdateNotificationChannelResponses];
export type TestNotificationChannelData = {
    body?: never;
    headers?: {
        "Idempotency-Key"?: string;
        "If-Match"?: string;
    };
    path: {
        channel: "email" | "slack" | "discord" | "microsoft_teams" | "telegram" | "pagerduty" | "opsgenie" | "ntfy" | "pushover" | "gotify" | "mattermost" | "google_chat" | "sms" | "web_push";
    };
    query?: never;
    url: "/notification-channels/{channel}/test";
};
export type TestNotificationChannelErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type TestNotificationChannelError = TestNotificationChannelErrors[keyof TestNotificationChannelErrors];
export type TestNotificationChannelResponses = {
    200: ChannelTest;
};
export type TestNotificationChannelResponse = TestNotificationChannelResponses[keyof TestNotificationChannelResponses];
export type ListAlertRoutesData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/alert-routes";
};
export type ListAlertRoutesErrors = {
    401: Error;
    403: ForbiddenError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListAlertRoutesError = ListAlertRoutesErrors[keyof ListAlertRoutesErrors];
export type ListAlertRoutesResponses = {
    200: AlertRouteList;
};
export type ListAlertRoutesResponse = ListAlertRoutesResponses[keyof ListAlertRoutesResponses];
export type CreateAlertRouteData = {
    body: {
        name: string;
        monitors?: Array<number> | null;
        groups?: Array<number> | null;
        tags?: Array<string> | null;
        severities?: Array<"critical" | "warning" | "info"> | null;
        channels?: Array<number> | null;
        users?: Array<number> | null;
        reminder_minutes?: number | null;
        escalation?: Array<{
            after_minutes: number;
            channels?: Array<number> | null;
            users?: Array<number> | null;
        }> | null;
        sort_order?: number | null;
    };
    headers?: {
        "Idempotency-Key"?: string;
    };
    path?: never;
    query?: never;
    url: "/alert-routes";
};
export type CreateAlertRouteErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    408: Error;
    409: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type CreateAlertRouteError = CreateAlertRouteErrors[keyof CreateAlertRouteErrors];
export type CreateAlertRouteResponses = {
    201: AlertRoute;
};
export type CreateAlertRouteResponse = CreateAlertRouteResponses[keyof CreateAlertRouteResponses];
export type PreviewAlertRoutesData = {
    body?: never;
    path?: never;
    query: {
        monitor_id: number;
        type?: "uptime" | "keyword" | "json_assertion" | "ssl" | "domain" | "dns" | "regional" | "dual_stack" | "slow_response" | "heartbeat" | "error_budget";
        severity?: "critical" | "warning" | "info";
    };
    url: "/alert-routes/preview";
};
export type PreviewAlertRoutesErrors = {
    401: Error;
    403: ForbiddenError;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type PreviewAlertRoutesError = PreviewAlertRoutesErrors[keyof PreviewAlertRoutesErrors];
export type PreviewAlertRoutesResponses = {
    200: AlertPreview;
};
export type PreviewAlertRoutesResponse = PreviewAlertRoutesResponses[keyof PreviewAlertRoutesResponses];
export type DeleteAlertRouteData = {
    body?: never;
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/alert-routes/{id}";
};
export type DeleteAlertRouteErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type DeleteAlertRouteError = DeleteAlertRouteErrors[keyof DeleteAlertRouteErrors];
export type DeleteAlertRouteResponses = {
    204: void;
};
export type DeleteAlertRouteResponse = DeleteAlertRouteResponses[keyof DeleteAlertRouteResponses];
export type GetAlertRouteData = {
    body?: never;
    headers?: {
        "If-None-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/alert-routes/{id}";
};
export type GetAlertRouteErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetAlertRouteError = GetAlertRouteErrors[keyof GetAlertRouteErrors];
export type GetAlertRouteResponses = {
    200: AlertRoute;
};
export type GetAlertRouteResponse = GetAlertRouteResponses[keyof GetAlertRouteResponses];
export type UpdateAlertRouteData = {
    body: {
        name?: string | null;
        monitors?: Array<number> | null;
        groups?: Array<number> | null;
        tags?: Array<string> | null;
        severities?: Array<"critical" | "warning" | "info"> | null;
        channels?: Array<number> | null;
        users?: Array<number> | null;
        reminder_minutes?: number | null;
        escalation?: Array<{
            after_minutes: number;
            channels?: Array<number> | null;
            users?: Array<number> | null;
        }> | null;
        sort_order?: number | null;
    };
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/alert-routes/{id}";
};
export type UpdateAlertRouteErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type UpdateAlertRouteError = UpdateAlertRouteErrors[keyof UpdateAlertRouteErrors];
export type UpdateAlertRouteResponses = {
    200: AlertRoute;
};
export type UpdateAlertRouteResponse = UpdateAlertRouteResponses[keyof UpdateAlertRouteResponses];
export type ListWebhookEndpointsData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/webhook-endpoints";
};
export type ListWebhookEndpointsErrors = {
    401: Error;
    403: ForbiddenError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListWebhookEndpointsError = ListWebhookEndpointsErrors[keyof ListWebhookEndpointsErrors];
export type ListWebhookEndpointsResponses = {
    200: WebhookEndpointList;
};
export type ListWebhookEndpointsResponse = ListWebhookEndpointsResponses[keyof ListWebhookEndpointsResponses];
export type CreateWebhookEndpointData = {
    body: {
        name: string;
        url: string;
        auth_type?: "none" | "bearer" | "basic" | "header" | null;
        auth_header_name?: string | null;
        auth_token?: string | null;
        signing_secret?: string | null;
        severities?: Array<"critical" | "warning" | "info"> | null;
        is_active?: boolean | null;
    };
    headers?: {
        "Idempotency-Key"?: string;
    };
    path?: never;
    query?: never;
    url: "/webhook-endpoints";
};
export type CreateWebhookEndpointErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    408: Error;
    409: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type CreateWebhookEndpointError = CreateWebhookEndpointErrors[keyof CreateWebhookEndpointErrors];
export type CreateWebhookEndpointResponses = {
    201: WebhookEndpoint;
};
export type CreateWebhookEndpointResponse = CreateWebhookEndpointResponses[keyof CreateWebhookEndpointResponses];
export type DeleteWebhookEndpointData = {
    body?: never;
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/webhook-endpoints/{id}";
};
export type DeleteWebhookEndpointErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type DeleteWebhookEndpointError = DeleteWebhookEndpointErrors[keyof DeleteWebhookEndpointErrors];
export type DeleteWebhookEndpointResponses = {
    204: void;
};
export type DeleteWebhookEndpointResponse = DeleteWebhookEndpointResponses[keyof DeleteWebhookEndpointResponses];
export type GetWebhookEndpointData = {
    body?: never;
    headers?: {
        "If-None-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/webhook-endpoints/{id}";
};
export type GetWebhookEndpointErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetWebhookEndpointError = GetWebhookEndpointErrors[keyof GetWebhookEndpointErrors];
export type GetWebhookEndpointResponses = {
    200: WebhookEndpoint;
};
export type GetWebhookEndpointResponse = GetWebhookEndpointResponses[keyof GetWebhookEndpointResponses];
export type UpdateWebhookEndpointData = {
    body: {
        name?: string | null;
        url?: string | null;
        auth_type?: "none" | "bearer" | "basic" | "header" | null;
        auth_header_name?: string | null;
        auth_token?: string | null;
        signing_secret?: string | null;
        severities?: Array<"critical" | "warning" | "info"> | null;
        is_active?: boolean | null;
    };
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/webhook-endpoints/{id}";
};
export type UpdateWebhookEndpointErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type UpdateWebhookEndpointError = UpdateWebhookEndpointErrors[keyof UpdateWebhookEndpointErrors];
export type UpdateWebhookEndpointResponses = {
    200: WebhookEndpoint;
};
export type UpdateWebhookEndpointResponse = UpdateWebhookEndpointResponses[keyof UpdateWebhookEndpointResponses];
export type TestWebhookEndpointData = {
    body?: never;
    headers?: {
        "Idempotency-Key"?: string;
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/webhook-endpoints/{id}/test";
};
export type TestWebhookEndpointErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type TestWebhookEndpointError = TestWebhookEndpointErrors[keyof TestWebhookEndpointErrors];
export type TestWebhookEndpointResponses = {
    202: {
        message: string;
    };
};
export type TestWebhookEndpointResponse = TestWebhookEndpointResponses[keyof TestWebhookEndpointResponses];
export type RotateWebhookSecretData = {
    body: {
        overlap_hours?: number | null;
    };
    headers?: {
        "Idempotency-Key"?: string;
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/webhook-endpoints/{id}/rotate-secret";
};
export type RotateWebhookSecretErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type RotateWebhookSecretError = RotateWebhookSecretErrors[keyof RotateWebhookSecretErrors];
export type RotateWebhookSecretResponses = {
    200: WebhookSecret;
};
export type RotateWebhookSecretResponse = RotateWebhookSecretResponses[keyof RotateWebhookSecretResponses];
export type ListWebhookDeliveriesData = {
    body?: never;
    path: {
        id: number;
    };
    query?: {
        status?: "pending" | "delivered" | "failed" | "expired";
        event?: string;
        from?: unknown;
        to?: unknown;
        page?: number;
        per_page?: number;
    };
    url: "/webhook-endpoints/{id}/deliveries";
};
export type ListWebhookDeliveriesErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListWebhookDeliveriesError = ListWebhookDeliveriesErrors[keyof ListWebhookDeliveriesErrors];
export type ListWebhookDeliveriesResponses = {
    200: WebhookDeliveryPage;
};
export type ListWebhookDeliveriesResponse = ListWebhookDeliveriesResponses[keyof ListWebhookDeliveriesResponses];
export type GetWebhookDeliveryData = {
    body?: never;
    headers?: {
        "If-None-Match"?: string;
    };
    path: {
        id: number;
        delivery: number;
    };
    query?: never;
    url: "/webhook-endpoints/{id}/deliveries/{delivery}";
};
export type GetWebhookDeliveryErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetWebhookDeliveryError = GetWebhookDeliveryErrors[keyof GetWebhookDeliveryErrors];
export type GetWebhookDeliveryResponses = {
    200: WebhookDeliveryDetails;
};
export type GetWebhookDeliveryResponse = GetWebhookDeliveryResponses[keyof GetWebhookDeliveryResponses];
export type RedeliverWebhookData = {
    body?: never;
    headers?: {
        "Idempotency-Key"?: string;
        "If-Match"?: string;
    };
    path: {
        id: number;
        delivery: number;
    };
    query?: never;
    url: "/webhook-endpoints/{id}/deliveries/{delivery}/redeliver";
};
export type RedeliverWebhookErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError | Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type RedeliverWebhookError = RedeliverWebhookErrors[keyof RedeliverWebhookErrors];
export type RedeliverWebhookResponses = {
    202: {
        message: string;
    };
};
export type RedeliverWebhookResponse = RedeliverWebhookResponses[keyof RedeliverWebhookResponses];
export type ListMaintenanceWindowsData = {
    body?: never;
    path?: never;
    query?: {
        direction?: "asc" | "desc";
        page?: number;
        per_page?: number;
        sort?: "name" | "starts_at" | "created_at";
    };
    url: "/maintenance-windows";
};
export type ListMaintenanceWindowsErrors = {
    401: Error;
    403: ForbiddenError;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListMaintenanceWindowsError = ListMaintenanceWindowsErrors[keyof ListMaintenanceWindowsErrors];
export type ListMaintenanceWindowsResponses = {
    200: MaintenanceWindowPage;
};
export type ListMaintenanceWindowsResponse = ListMaintenanceWindowsResponses[keyof ListMaintenanceWindowsResponses];
export type CreateMaintenanceWindowData = {
    body: {
        name: string;
        starts_at: string;
        ends_at: string;
        rrule?: string | null;
        timezone?: string | null;
        monitors?: Array<number> | null;
        groups?: Array<number> | null;
        tags?: Array<string> | null;
        good_rounds?: number | null;
    };
    headers?: {
        "Idempotency-Key"?: string;
    };
    path?: never;
    query?: never;
    url: "/maintenance-windows";
};
export type CreateMaintenanceWindowErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    408: Error;
    409: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type CreateMaintenanceWindowError = CreateMaintenanceWindowErrors[keyof CreateMaintenanceWindowErrors];
export type CreateMaintenanceWindowResponses = {
    201: MaintenanceWindow;
};
export type CreateMaintenanceWindowResponse = CreateMaintenanceWindowResponses[keyof CreateMaintenanceWindowResponses];
export type StartMaintenanceData = {
    body: {
        name?: string | null;
        minutes?: number | null;
        monitors?: Array<number> | null;
        groups?: Array<number> | null;
        tags?: Array<string> | null;
        good_rounds?: number | null;
    };
    headers?: {
        "Idempotency-Key"?: string;
    };
    path?: never;
    query?: never;
    url: "/maintenance-windows/start";
};
export type StartMaintenanceErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    408: Error;
    409: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type StartMaintenanceError = StartMaintenanceErrors[keyof StartMaintenanceErrors];
export type StartMaintenanceResponses = {
    201: MaintenanceWindow;
};
export type StartMaintenanceResponse = StartMaintenanceResponses[keyof StartMaintenanceResponses];
export type DeleteMaintenanceWindowData = {
    body?: never;
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/maintenance-windows/{id}";
};
export type DeleteMaintenanceWindowErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type DeleteMaintenanceWindowError = DeleteMaintenanceWindowErrors[keyof DeleteMaintenanceWindowErrors];
export type DeleteMaintenanceWindowResponses = {
    204: void;
};
export type DeleteMaintenanceWindowResponse = DeleteMaintenanceWindowResponses[keyof DeleteMaintenanceWindowResponses];
export type GetMaintenanceWindowData = {
    body?: never;
    headers?: {
        "If-None-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/maintenance-windows/{id}";
};
export type GetMaintenanceWindowErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetMaintenanceWindowError = GetMaintenanceWindowErrors[keyof GetMaintenanceWindowErrors];
export type GetMaintenanceWindowResponses = {
    200: MaintenanceWindow;
};
export type GetMaintenanceWindowResponse = GetMaintenanceWindowResponses[keyof GetMaintenanceWindowResponses];
export type UpdateMaintenanceWindowData = {
    body: {
        name?: string;
        starts_at?: string;
        ends_at?: string;
        rrule?: string | null;
        timezone?: string | null;
        monitors?: Array<number> | null;
        groups?: Array<number> | null;
        tags?: Array<string> | null;
        good_rounds?: number | null;
    };
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/maintenance-windows/{id}";
};
export type UpdateMaintenanceWindowErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type UpdateMaintenanceWindowError = UpdateMaintenanceWindowErrors[keyof UpdateMaintenanceWindowErrors];
export type UpdateMaintenanceWindowResponses = {
    200: MaintenanceWindow;
};
export type UpdateMaintenanceWindowResponse = UpdateMaintenanceWindowResponses[keyof UpdateMaintenanceWindowResponses];
export type EndMaintenanceData = {
    body?: never;
    headers?: {
        "Idempotency-Key"?: string;
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/maintenance-windows/{id}/end";
};
export type EndMaintenanceErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type EndMaintenanceError = EndMaintenanceErrors[keyof EndMaintenanceErrors];
export type EndMaintenanceResponses = {
    200: MaintenanceWindow;
};
export type EndMaintenanceResponse = EndMaintenanceResponses[keyof EndMaintenanceResponses];
export type ListReportsData = {
    body?: never;
    path?: never;
    query?: {
        search?: string;
        direction?: "asc" | "desc";
        page?: number;
        per_page?: number;
        sort?: "name" | "created_at" | "updated_at";
    };
    url: "/reports";
};
export type ListReportsErrors = {
    401: Error;
    403: ForbiddenError;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListReportsError = ListReportsErrors[keyof ListReportsErrors];
export type ListReportsResponses = {
    200: ReportPage;
};
export type ListReportsResponse = ListReportsResponses[keyof ListReportsResponses];
export type CreateReportData = {
    body: {
        name: string;
        monitors?: Array<number> | null;
        group_id?: number | null;
        tags?: Array<string> | null;
        period?: "last_7_days" | "last_30_days" | "last_90_days" | "last_month" | null;
        frequency?: "none" | "weekly" | "monthly" | null;
        recipients?: Array<string> | null;
        timezone?: string | null;
        language?: "en" | "de" | "fr" | "es" | null;
        status_page_id?: number | null;
    };
    headers?: {
        "Idempotency-Key"?: string;
    };
    path?: never;
    query?: never;
    url: "/reports";
};
export type CreateReportErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    408: Error;
    409: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type CreateReportError = CreateReportErrors[keyof CreateReportErrors];
export type CreateReportResponses = {
    201: Report;
};
export type CreateReportResponse = CreateReportResponses[keyof CreateReportResponses];
export type GetUptimeReportData = {
    body?: never;
    path?: never;
    query?: {
        "monitors[]"?: Array<number>;
        group_id?: number;
        tag?: Array<string>;
        period?: "last_7_days" | "last_30_days" | "last_90_days" | "last_month";
        from?: unknown;
        to?: unknown;
        format?: "json" | "csv" | "pdf";
        corrected?: "true" | "false";
        delimiter?: "," | ";" | "tab";
        timezone?: string;
        language?: "en" | "de" | "fr" | "es";
    };
    url: "/reports/uptime";
};
export type GetUptimeReportErrors = {
    401: Error;
    403: ForbiddenError;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetUptimeReportError = GetUptimeReportErrors[keyof GetUptimeReportErrors];
export type GetUptimeReportResponses = {
    200: ReportData;
};
export type GetUptimeReportResponse = GetUptimeReportResponses[keyof GetUptimeReportResponses];
export type DeleteReportData = {
    body?: never;
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/reports/{id}";
};
export type DeleteReportErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type DeleteReportError = DeleteReportErrors[keyof DeleteReportErrors];
export type DeleteReportResponses = {
    204: void;
};
export type DeleteReportResponse = DeleteReportResponses[keyof DeleteReportResponses];
export type GetReportData = {
    body?: never;
    headers?: {
        "If-None-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/reports/{id}";
};
export type GetReportErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetReportError = GetReportErrors[keyof GetReportErrors];
export type GetReportResponses = {
    200: Report;
};
export type GetReportResponse = GetReportResponses[keyof GetReportResponses];
export type UpdateReportData = {
    body: {
        name?: string;
        monitors?: Array<number> | null;
        group_id?: number | null;
        tags?: Array<string> | null;
        period?: "last_7_days" | "last_30_days" | "last_90_days" | "last_month" | null;
        frequency?: "none" | "weekly" | "monthly" | null;
        recipients?: Array<string> | null;
        timezone?: string | null;
        language?: "en" | "de" | "fr" | "es" | null;
        status_page_id?: number | null;
    };
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/reports/{id}";
};
export type UpdateReportErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type UpdateReportError = UpdateReportErrors[keyof UpdateReportErrors];
export type UpdateReportResponses = {
    200: Report;
};
export type UpdateReportResponse = UpdateReportResponses[keyof UpdateReportResponses];
export type GetReportDataData = {
    body?: never;
    path: {
        id: number;
    };
    query?: {
        period?: "last_7_days" | "last_30_days" | "last_90_days" | "last_month";
        from?: unknown;
        to?: unknown;
        format?: "json" | "csv" | "pdf";
        corrected?: "true" | "false";
        delimiter?: "," | ";" | "tab";
    };
    url: "/reports/{id}/data";
};
export type GetReportDataErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetReportDataError = GetReportDataErrors[keyof GetReportDataErrors];
export type GetReportDataResponses = {
    200: ReportData;
};
export type GetReportDataResponse = GetReportDataResponses[keyof GetReportDataResponses];
export type StartReportRunData = {
    body: {
        period?: "last_7_days" | "last_30_days" | "last_90_days" | "last_month" | null;
        from?: unknown | unknown | null;
        to?: unknown | unknown | null;
        format?: "json" | "csv" | "pdf" | null;
        corrected?: boolean | null;
        delimiter?: "," | ";" | "tab" | null;
        mail?: boolean | null;
    };
    headers?: {
        "Idempotency-Key"?: string;
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/reports/{id}/runs";
};
export type StartReportRunErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type StartReportRunError = StartReportRunErrors[keyof StartReportRunErrors];
export type StartReportRunResponses = {
    202: ReportRun;
};
export type StartReportRunResponse = StartReportRunResponses[keyof StartReportRunResponses];
export type GetReportRunData = {
    body?: never;
    headers?: {
        "If-None-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/report-runs/{id}";
};
export type GetReportRunErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetReportRunError = GetReportRunErrors[keyof GetReportRunErrors];
export type GetReportRunResponses = {
    200: ReportRun;
};
export type GetReportRunResponse = GetReportRunResponses[keyof GetReportRunResponses];
export type GetReportRunFileData = {
    body?: never;
    path: {
        id: number;
    };
    query?: never;
    url: "/report-runs/{id}/file";
};
export type GetReportRunFileErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    409: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetReportRunFileError = GetReportRunFileErrors[keyof GetReportRunFileErrors];
export type GetReportRunFileResponses = {
    200: ReportData;
};
export type GetReportRunFileResponse = GetReportRunFileResponses[keyof GetReportRunFileResponses];
export type ListStatusPagesData = {
    body?: never;
    path?: never;
    query?: {
        search?: string;
        sort?: "title" | "slug" | "created_at" | "updated_at";
        direction?: "asc" | "desc";
        page?: number;
        per_page?: number;
    };
    url: "/status-pages";
};
export type ListStatusPagesErrors = {
    401: Error;
    403: ForbiddenError;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListStatusPagesError = ListStatusPagesErrors[keyof ListStatusPagesErrors];
export type ListStatusPagesResponses = {
    200: StatusPagePage;
};
export type ListStatusPagesResponse = ListStatusPagesResponses[keyof ListStatusPagesResponses];
export type CreateStatusPageData = {
    body: {
        name: string;
        slug?: string | null;
        description?: string | null;
        custom_domain?: string | null;
        settings?: {
            show_uptime_percentage?: boolean | null;
            show_response_time?: boolean | null;
            show_incident_history?: boolean | null;
            custom_css?: string | null;
        } | null;
        language?: "en" | "de" | "fr" | "es" | "ja" | null;
        timezone?: string | null;
        show_automatic?: {
            after_minutes: number;
        } | {
            never: true;
        } | null;
        monitors?: Array<{
            id: number;
            label?: string | "" | null;
            display?: "bar" | "figure" | "response_time" | null;
            show_automatic?: {
                after_minutes: number;
            } | {
                never: true;
            } | null;
        }> | null;
        groups?: Array<{
            name: string;
            monitors: Array<number>;
        }> | null;
        access?: {
            type?: "public" | "password" | "members" | "addresses" | null;
            password?: string | null;
            addresses?: Array<string> | null;
            password_set?: boolean | null;
        } | null;
    };
    headers?: {
        "Idempotency-Key"?: string;
    };
    path?: never;
    query?: never;
    url: "/status-pages";
};
export type CreateStatusPageErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    408: Error;
    409: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type CreateStatusPageError = CreateStatusPageErrors[keyof CreateStatusPageErrors];
export type CreateStatusPageResponses = {
    201: StatusPage;
};
export type CreateStatusPageResponse = CreateStatusPageResponses[keyof CreateStatusPageResponses];
export type DeleteStatusPageData = {
    body?: never;
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/status-pages/{id}";
};
export type DeleteStatusPageErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type DeleteStatusPageError = DeleteStatusPageErrors[keyof DeleteStatusPageErrors];
export type DeleteStatusPageResponses = {
    204: void;
};
export type DeleteStatusPageResponse = DeleteStatusPageResponses[keyof DeleteStatusPageResponses];
export type GetStatusPageData = {
    body?: never;
    headers?: {
        "If-None-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/status-pages/{id}";
};
export type GetStatusPageErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetStatusPageError = GetStatusPageErrors[keyof GetStatusPageErrors];
export type GetStatusPageResponses = {
    200: StatusPage;
};
export type GetStatusPageResponse = GetStatusPageResponses[keyof GetStatusPageResponses];
export type UpdateStatusPageData = {
    body: {
        name?: string | null;
        slug?: string | null;
        description?: string | null;
        custom_domain?: string | null;
        settings?: {
            show_uptime_percentage?: boolean | null;
            show_response_time?: boolean | null;
            show_incident_history?: boolean | null;
            custom_css?: string | null;
        } | null;
        language?: "en" | "de" | "fr" | "es" | "ja" | null;
        timezone?: string | null;
        show_automatic?: {
            after_minutes: number;
        } | {
            never: true;
        } | null;
        monitors?: Array<{
            id: number;
            label?: string | "" | null;
            display?: "bar" | "figure" | "response_time" | null;
            show_automatic?: {
                after_minutes: number;
            } | {
                never: true;
            } | null;
        }> | null;
        groups?: Array<{
            name: string;
            monitors: Array<number>;
        }> | null;
        access?: {
            type?: "public" | "password" | "members" | "addresses" | null;
            password?: string | null;
            addresses?: Array<string> | null;
            password_set?: boolean | null;
        } | null;
    };
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/status-pages/{id}";
};
export type UpdateStatusPageErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type UpdateStatusPageError = UpdateStatusPageErrors[keyof UpdateStatusPageErrors];
export type UpdateStatusPageResponses = {
    200: StatusPage;
};
export type UpdateStatusPageResponse = UpdateStatusPageResponses[keyof UpdateStatusPageResponses];
export type DeleteStatusPageLogoData = {
    body?: never;
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/status-pages/{id}/logo";
};
export type DeleteStatusPageLogoErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type DeleteStatusPageLogoError = DeleteStatusPageLogoErrors[keyof DeleteStatusPageLogoErrors];
export type DeleteStatusPageLogoResponses = {
    204: void;
};
export type DeleteStatusPageLogoResponse = DeleteStatusPageLogoResponses[keyof DeleteStatusPageLogoResponses];
export type SetStatusPageLogoData = {
    body: {
        content: string;
    };
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/status-pages/{id}/logo";
};
export type SetStatusPageLogoErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type SetStatusPageLogoError = SetStatusPageLogoErrors[keyof SetStatusPageLogoErrors];
export type SetStatusPageLogoResponses = {
    200: StatusPage;
};
export type SetStatusPageLogoResponse = SetStatusPageLogoResponses[keyof SetStatusPageLogoResponses];
export type ListSubscribersData = {
    body?: never;
    path: {
        id: number;
    };
    query?: {
        kind?: "email" | "webhook" | "slack";
        state?: "pending" | "active" | "ended";
        direction?: "asc" | "desc";
        page?: number;
        per_page?: number;
    };
    url: "/status-pages/{id}/subscribers";
};
export type ListSubscribersErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListSubscribersError = ListSubscribersErrors[keyof ListSubscribersErrors];
export type ListSubscribersResponses = {
    200: SubscriberPage;
};
export type ListSubscribersResponse = ListSubscribersResponses[keyof ListSubscribersResponses];
export type CreateSubscriberData = {
    body: {
        kind?: "email" | "webhook" | "slack" | null;
        address: string;
        monitors?: Array<number> | null;
    };
    headers?: {
        "Idempotency-Key"?: string;
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/status-pages/{id}/subscribers";
};
export type CreateSubscriberErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError | Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type CreateSubscriberError = CreateSubscriberErrors[keyof CreateSubscriberErrors];
export type CreateSubscriberResponses = {
    201: CreatedSubscriber;
};
export type CreateSubscriberResponse = CreateSubscriberResponses[keyof CreateSubscriberResponses];
export type ExportSubscribersData = {
    body?: never;
    path: {
        id: number;
    };
    query?: {
        format?: "csv" | "json";
    };
    url: "/status-pages/{id}/subscribers/export";
};
export type ExportSubscribersErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ExportSubscribersError = ExportSubscribersErrors[keyof ExportSubscribersErrors];
export type ExportSubscribersResponses = {
    200: {
        data: Array<Subscriber>;
    };
};
export type ExportSubscribersResponse = ExportSubscribersResponses[keyof ExportSubscribersResponses];
export type ImportSubscribersData = {
    body: {
        csv: string;
        consent?: string | null;
        dry_run?: boolean | null;
    };
    headers?: {
        "Idempotency-Key"?: string;
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/status-pages/{id}/subscribers/import";
};
export type ImportSubscribersErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ImportSubscribersError = ImportSubscribersErrors[keyof ImportSubscribersErrors];
export type ImportSubscribersResponses = {
    200: SubscriberImport;
};
export type ImportSubscribersResponse = ImportSubscribersResponses[keyof ImportSubscribersResponses];
export type DeleteSubscriberData = {
    body?: never;
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
        subscriber: number;
    };
    query?: never;
    url: "/status-pages/{id}/subscribers/{subscriber}";
};
export type DeleteSubscriberErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type DeleteSubscriberError = DeleteSubscriberErrors[keyof DeleteSubscriberErrors];
export type DeleteSubscriberResponses = {
    204: void;
};
export type DeleteSubscriberResponse = DeleteSubscriberResponses[keyof DeleteSubscriberResponses];
export type GetSubscriberData = {
    body?: never;
    headers?: {
        "If-None-Match"?: string;
    };
    path: {
        id: number;
        subscriber: number;
    };
    query?: never;
    url: "/status-pages/{id}/subscribers/{subscriber}";
};
export type GetSubscriberErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetSubscriberError = GetSubscriberErrors[keyof GetSubscriberErrors];
export type GetSubscriberResponses = {
    200: Subscriber;
};
export type GetSubscriberResponse = GetSubscriberResponses[keyof GetSubscriberResponses];
export type VerifyStatusPageDomainData = {
    body?: never;
    headers?: {
        "Idempotency-Key"?: string;
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/status-pages/{id}/verify-domain";
};
export type VerifyStatusPageDomainErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type VerifyStatusPageDomainError = VerifyStatusPageDomainErrors[keyof VerifyStatusPageDomainErrors];
export type VerifyStatusPageDomainResponses = {
    200: StatusPage;
};
export type VerifyStatusPageDomainResponse = VerifyStatusPageDomainResponses[keyof VerifyStatusPageDomainResponses];
export type GetPlanData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/plan";
};
export type GetPlanErrors = {
    401: Error;
    403: ForbiddenError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetPlanError = GetPlanErrors[keyof GetPlanErrors];
export type GetPlanResponses = {
    200: Plan;
};
export type GetPlanResponse = GetPlanResponses[keyof GetPlanResponses];
export type ListTeamsData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/teams";
};
export type ListTeamsErrors = {
    401: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListTeamsError = ListTeamsErrors[keyof ListTeamsErrors];
export type ListTeamsResponses = {
    200: TeamList;
};
export type ListTeamsResponse = ListTeamsResponses[keyof ListTeamsResponses];
export type CreateTeamData = {
    body: {
        name: string;
    };
    headers?: {
        "Idempotency-Key"?: string;
    };
    path?: never;
    query?: never;
    url: "/teams";
};
export type CreateTeamErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    408: Error;
    409: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type CreateTeamError = CreateTeamErrors[keyof CreateTeamErrors];
export type CreateTeamResponses = {
    201: Team;
};
export type CreateTeamResponse = CreateTeamResponses[keyof CreateTeamResponses];
export type DeleteTeamData = {
    body?: never;
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: {
        name?: string;
    };
    url: "/teams/{id}";
};
export type DeleteTeamErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type DeleteTeamError = DeleteTeamErrors[keyof DeleteTeamErrors];
export type DeleteTeamResponses = {
    204: void;
};
export type DeleteTeamResponse = DeleteTeamResponses[keyof DeleteTeamResponses];
export type GetTeamData = {
    body?: never;
    headers?: {
        "If-None-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/teams/{id}";
};
export type GetTeamErrors = {
    401: Error;
    403: ForbiddenError;
    404: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetTeamError = GetTeamErrors[keyof GetTeamErrors];
export type GetTeamResponses = {
    200: WholeTeam;
};
export type GetTeamResponse = GetTeamResponses[keyof GetTeamResponses];
export type UpdateTeamData = {
    body: {
        name?: string;
        mfa_required?: boolean;
    };
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/teams/{id}";
};
export type UpdateTeamErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type UpdateTeamError = UpdateTeamErrors[keyof UpdateTeamErrors];
export type UpdateTeamResponses = {
    200: WholeTeam;
};
export type UpdateTeamResponse = UpdateTeamResponses[keyof UpdateTeamResponses];
export type TransferTeamData = {
    body: {
        user_id: number;
    };
    headers?: {
        "Idempotency-Key"?: string;
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/teams/{id}/transfer";
};
export type TransferTeamErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type TransferTeamError = TransferTeamErrors[keyof TransferTeamErrors];
export type TransferTeamResponses = {
    200: Team;
};
export type TransferTeamResponse = TransferTeamResponses[keyof TransferTeamResponses];
export type LeaveTeamData = {
    body?: never;
    headers?: {
        "Idempotency-Key"?: string;
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/teams/{id}/leave";
};
export type LeaveTeamErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type LeaveTeamError = LeaveTeamErrors[keyof LeaveTeamErrors];
export type LeaveTeamResponses = {
    200: LeftTeam;
};
export type LeaveTeamResponse = LeaveTeamResponses[keyof LeaveTeamResponses];
export type SwitchTeamData = {
    body?: never;
    headers?: {
        "Idempotency-Key"?: string;
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/teams/{id}/switch";
};
export type SwitchTeamErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type SwitchTeamError = SwitchTeamErrors[keyof SwitchTeamErrors];
export type SwitchTeamResponses = {
    200: Team;
};
export type SwitchTeamResponse = SwitchTeamResponses[keyof SwitchTeamResponses];
export type ListUsersData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/users";
};
export type ListUsersErrors = {
    401: Error;
    403: ForbiddenError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListUsersError = ListUsersErrors[keyof ListUsersErrors];
export type ListUsersResponses = {
    200: UserList;
};
export type ListUsersResponse = ListUsersResponses[keyof ListUsersResponses];
export type DeleteUserData = {
    body?: never;
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/users/{id}";
};
export type DeleteUserErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type DeleteUserError = DeleteUserErrors[keyof DeleteUserErrors];
export type DeleteUserResponses = {
    204: void;
};
export type DeleteUserResponse = DeleteUserResponses[keyof DeleteUserResponses];
export type UpdateUserData = {
    body: {
        role?: "admin" | "editor" | "viewer";
        status?: "active" | "disabled";
    };
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/users/{id}";
};
export type UpdateUserErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type UpdateUserError = UpdateUserErrors[keyof UpdateUserErrors];
export type UpdateUserResponses = {
    200: User;
};
export type UpdateUserResponse = UpdateUserResponses[keyof UpdateUserResponses];
export type ListInvitationsData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/users/invitations";
};
export type ListInvitationsErrors = {
    401: Error;
    403: ForbiddenError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListInvitationsError = ListInvitationsErrors[keyof ListInvitationsErrors];
export type ListInvitationsResponses = {
    200: InvitationList;
};
export type ListInvitationsResponse = ListInvitationsResponses[keyof ListInvitationsResponses];
export type CreateInvitationData = {
    body: {
        email: string;
        role: "admin" | "editor" | "viewer";
    };
    headers?: {
        "Idempotency-Key"?: string;
    };
    path?: never;
    query?: never;
    url: "/users/invitations";
};
export type CreateInvitationErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    408: Error;
    409: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type CreateInvitationError = CreateInvitationErrors[keyof CreateInvitationErrors];
export type CreateInvitationResponses = {
    201: SentInvitation;
};
export type CreateInvitationResponse = CreateInvitationResponses[keyof CreateInvitationResponses];
export type DeleteInvitationData = {
    body?: never;
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/users/invitations/{id}";
};
export type DeleteInvitationErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type DeleteInvitationError = DeleteInvitationErrors[keyof DeleteInvitationErrors];
export type DeleteInvitationResponses = {
    204: void;
};
export type DeleteInvitationResponse = DeleteInvitationResponses[keyof DeleteInvitationResponses];
export type UpdateInvitationData = {
    body: {
        role: "admin" | "editor" | "viewer";
    };
    headers?: {
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/users/invitations/{id}";
};
export type UpdateInvitationErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type UpdateInvitationError = UpdateInvitationErrors[keyof UpdateInvitationErrors];
export type UpdateInvitationResponses = {
    200: Invitation;
};
export type UpdateInvitationResponse = UpdateInvitationResponses[keyof UpdateInvitationResponses];
export type ResendInvitationData = {
    body?: never;
    headers?: {
        "Idempotency-Key"?: string;
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/users/invitations/{id}/resend";
};
export type ResendInvitationErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ResendInvitationError = ResendInvitationErrors[keyof ResendInvitationErrors];
export type ResendInvitationResponses = {
    200: SentInvitation;
};
export type ResendInvitationResponse = ResendInvitationResponses[keyof ResendInvitationResponses];
export type PreviewInvitationData = {
    body?: never;
    path?: never;
    query?: {
        token?: string;
    };
    url: "/invitations/preview";
};
export type PreviewInvitationErrors = {
    404: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type PreviewInvitationError = PreviewInvitationErrors[keyof PreviewInvitationErrors];
export type PreviewInvitationResponses = {
    200: InvitationPreview;
};
export type PreviewInvitationResponse = PreviewInvitationResponses[keyof PreviewInvitationResponses];
export type AcceptInvitationData = {
    body: {
        token: string;
        name?: string | null;
        password?: string | null;
        timezone?: string | null;
    };
    headers?: {
        "Idempotency-Key"?: string;
    };
    path?: never;
    query?: never;
    url: "/invitations/accept";
};
export type AcceptInvitationErrors = {
    400: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type AcceptInvitationError = AcceptInvitationErrors[keyof AcceptInvitationErrors];
export type AcceptInvitationResponses = {
    201: AcceptedInvitation;
};
export type AcceptInvitationResponse = AcceptInvitationResponses[keyof AcceptInvitationResponses];
export type GetAlertLinkData = {
    body?: never;
    path?: never;
    query?: {
        token?: string;
    };
    url: "/alert-links";
};
export type GetAlertLinkErrors = {
    403: ForbiddenError;
    404: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type GetAlertLinkError = GetAlertLinkErrors[keyof GetAlertLinkErrors];
export type GetAlertLinkResponses = {
    200: SentAlert;
};
export type GetAlertLinkResponse = GetAlertLinkResponses[keyof GetAlertLinkResponses];
export type AcknowledgeAlertLinkData = {
    body: {
        token: string;
    };
    headers?: {
        "Idempotency-Key"?: string;
    };
    path?: never;
    query?: never;
    url: "/alert-links/acknowledge";
};
export type AcknowledgeAlertLinkErrors = {
    400: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    413: Error;
    415: Error;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type AcknowledgeAlertLinkError = AcknowledgeAlertLinkErrors[keyof AcknowledgeAlertLinkErrors];
export type AcknowledgeAlertLinkResponses = {
    200: AcknowledgedAlert;
};
export type AcknowledgeAlertLinkResponse = AcknowledgeAlertLinkResponses[keyof AcknowledgeAlertLinkResponses];
export type ListAuditLogData = {
    body?: never;
    path?: never;
    query?: {
        direction?: "asc" | "desc";
        page?: number;
        per_page?: number;
        action?: string;
        target_type?: "monitor" | "group" | "incident" | "team" | "member" | "invitation" | "token" | "session" | "person" | "webhook_endpoint" | "maintenance_window" | "alert_channel" | "notification_channel" | "alert_route" | "status_page" | "announcement" | "update_template" | "subscriber" | "report" | "correction" | "slo" | "application";
        target_id?: number;
        user_id?: number;
        start_date?: string;
        end_date?: string;
        format?: "json" | "csv";
    };
    url: "/audit-log";
};
export type ListAuditLogErrors = {
    401: Error;
    403: ForbiddenError;
    422: ValidationError;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type ListAuditLogError = ListAuditLogErrors[keyof ListAuditLogErrors];
export type ListAuditLogResponses = {
    200: AuditLogPage;
};
export type ListAuditLogResponse = ListAuditLogResponses[keyof ListAuditLogResponses];
export type CreateResetLinkData = {
    body?: never;
    headers?: {
        "Idempotency-Key"?: string;
        "If-Match"?: string;
    };
    path: {
        id: number;
    };
    query?: never;
    url: "/users/{id}/reset-link";
};
export type CreateResetLinkErrors = {
    400: Error;
    401: Error;
    403: ForbiddenError;
    404: Error;
    408: Error;
    409: Error;
    412: Error;
    413: Error;
    415: Error;
    422: ValidationError | Error;
    429: RateLimitError;
    500: ServerError;
    503: Error;
};
export type CreateResetLinkError = CreateResetLinkErrors[keyof CreateResetLinkErrors];
export type CreateResetLinkResponses = {
    200: ResetLink;
};
export type CreateResetLinkResponse = CreateResetLinkResponses[keyof CreateResetLinkResponses];
export type OnMonitorDownWebhookPayload = MonitorDownEvent;
export type OnMonitorDownWebhookRequest = {
    body: OnMonitorDownWebhookPayload;
    key: "monitor.down";
    path?: never;
    query?: never;
};
export type OnMonitorUpWebhookPayload = MonitorUpEvent;
export type OnMonitorUpWebhookRequest = {
    body: OnMonitorUpWebhookPayload;
    key: "monitor.up";
    path?: never;
    query?: never;
};
export type OnMonitorPingFailedWebhookPayload = MonitorPingFailedEvent;
export type OnMonitorPingFailedWebhookRequest = {
    body: OnMonitorPingFailedWebhookPayload;
    key: "monitor.ping_failed";
    path?: never;
    query?: never;
};
export type OnMonitorPingRecoveredWebhookPayload = MonitorPingRecoveredEvent;
export type OnMonitorPingRecoveredWebhookRequest = {
    body: OnMonitorPingRecoveredWebhookPayload;
    key: "monitor.ping_recovered";
    path?: never;
    query?: never;
};
export type OnMonitorPortFailedWebhookPayload = MonitorPortFailedEvent;
export type OnMonitorPortFailedWebhookRequest = {
    body: OnMonitorPortFailedWebhookPayload;
    key: "monitor.port_failed";
    path?: never;
    query?: never;
};
export type OnMonitorPortRecoveredWebhookPayload = MonitorPortRecoveredEvent;
export type OnMonitorPortRecoveredWebhookRequest = {
    body: OnMonitorPortRecoveredWebhookPayload;
    key: "monitor.port_recovered";
    path?: never;
    query?: never;
};
export type OnMonitorHeartbeatMissedWebhookPayload = MonitorHeartbeatMissedEvent;
export type OnMonitorHeartbeatMissedWebhookRequest = {
    body: OnMonitorHeartbeatMissedWebhookPayload;
    key: "monitor.heartbeat_missed";
    path?: never;
    query?: never;
};
export type OnMonitorHeartbeatRecoveredWebhookPayload = MonitorHeartbeatRecoveredEvent;
export type OnMonitorHeartbeatRecoveredWebhookRequest = {
    body: OnMonitorHeartbeatRecoveredWebhookPayload;
    key: "monitor.heartbeat_recovered";
    path?: never;
    query?: never;
};
export type OnMonitorKeywordMissingWebhookPayload = MonitorKeywordMissingEvent;
export type OnMonitorKeywordMissingWebhookRequest = {
    body: OnMonitorKeywordMissingWebhookPayload;
    key: "monitor.keyword_missing";
    path?: never;
    query?: never;
};
export type OnMonitorKeywordFoundWebhookPayload = MonitorKeywordFoundEvent;
export type OnMonitorKeywordFoundWebhookRequest = {
    body: OnMonitorKeywordFoundWebhookPayload;
    key: "monitor.keyword_found";
    path?: never;
    query?: never;
};
export type OnMonitorKeywordResolvedWebhookPayload = MonitorKeywordResolvedEvent;
export type OnMonitorKeywordResolvedWebhookRequest = {
    body: OnMonitorKeywordResolvedWebhookPayload;
    key: "monitor.keyword_resolved";
    path?: never;
    query?: never;
};
export type OnMonitorJsonAssertionFailedWebhookPayload = MonitorJsonAssertionFailedEvent;
export type OnMonitorJsonAssertionFailedWebhookRequest = {
    body: OnMonitorJsonAssertionFailedWebhookPayload;
    key: "monitor.json_assertion_failed";
    path?: never;
    query?: never;
};
export type OnMonitorJsonAssertionResolvedWebhookPayload = MonitorJsonAssertionResolvedEvent;
export type OnMonitorJsonAssertionResolvedWebhookRequest = {
    body: OnMonitorJsonAssertionResolvedWebhookPayload;
    key: "monitor.json_assertion_resolved";
    path?: never;
    query?: never;
};
export type OnMonitorDegradedWebhookPayload = MonitorDegradedEvent;
export type OnMonitorDegradedWebhookRequest = {
    body: OnMonitorDegradedWebhookPayload;
    key: "monitor.degraded";
    path?: never;
    query?: never;
};
export type OnMonitorDegradedResolvedWebhookPayload = MonitorDegradedResolvedEvent;
export type OnMonitorDegradedResolvedWebhookRequest = {
    body: OnMonitorDegradedResolvedWebhookPayload;
    key: "monitor.degraded_resolved";
    path?: never;
    query?: never;
};
export type OnMonitorSlowResponseWebhookPayload = MonitorSlowResponseEvent;
export type OnMonitorSlowResponseWebhookRequest = {
    body: OnMonitorSlowResponseWebhookPayload;
    key: "monitor.slow_response";
    path?: never;
    query?: never;
};
export type OnMonitorSlowResponseResolvedWebhookPayload = MonitorSlowResponseResolvedEvent;
export type OnMonitorSlowResponseResolvedWebhookRequest = {
    body: OnMonitorSlowResponseResolvedWebhookPayload;
    key: "monitor.slow_response_resolved";
    path?: never;
    query?: never;
};
export type OnMonitorSslInvalidWebhookPayload = MonitorSslInvalidEvent;
export type OnMonitorSslInvalidWebhookRequest = {
    body: OnMonitorSslInvalidWebhookPayload;
    key: "monitor.ssl_invalid";
    path?: never;
    query?: never;
};
export type OnMonitorSslExpiringWebhookPayload = MonitorSslExpiringEvent;
export type OnMonitorSslExpiringWebhookRequest = {
    body: OnMonitorSslExpiringWebhookPayload;
    key: "monitor.ssl_expiring";
    path?: never;
    query?: never;
};
export type OnMonitorSslResolvedWebhookPayload = MonitorSslResolvedEvent;
export type OnMonitorSslResolvedWebhookRequest = {
    body: OnMonitorSslResolvedWebhookPayload;
    key: "monitor.ssl_resolved";
    path?: never;
    query?: never;
};
export type OnMonitorDomainExpiredWebhookPayload = MonitorDomainExpiredEvent;
export type OnMonitorDomainExpiredWebhookRequest = {
    body: OnMonitorDomainExpiredWebhookPayload;
    key: "monitor.domain_expired";
    path?: never;
    query?: never;
};
export type OnMonitorDomainExpiringWebhookPayload = MonitorDomainExpiringEvent;
export type OnMonitorDomainExpiringWebhookRequest = {
    body: OnMonitorDomainExpiringWebhookPayload;
    key: "monitor.domain_expiring";
    path?: never;
    query?: never;
};
export type OnMonitorDomainResolvedWebhookPayload = MonitorDomainResolvedEvent;
export type OnMonitorDomainResolvedWebhookRequest = {
    body: OnMonitorDomainResolvedWebhookPayload;
    key: "monitor.domain_resolved";
    path?: never;
    query?: never;
};
export type OnMonitorDnsFailedWebhookPayload = MonitorDnsFailedEvent;
export type OnMonitorDnsFailedWebhookRequest = {
    body: OnMonitorDnsFailedWebhookPayload;
    key: "monitor.dns_failed";
    path?: never;
    query?: never;
};
export type OnMonitorDnsResolvedWebhookPayload = MonitorDnsResolvedEvent;
export type OnMonitorDnsResolvedWebhookRequest = {
    body: OnMonitorDnsResolvedWebhookPayload;
    key: "monitor.dns_resolved";
    path?: never;
    query?: never;
};
export type OnMonitorErrorBudgetBurningWebhookPayload = MonitorErrorBudgetBurningEvent;
export type OnMonitorErrorBudgetBurningWebhookRequest = {
    body: OnMonitorErrorBudgetBurningWebhookPayload;
    key: "monitor.error_budget_burning";
    path?: never;
    query?: never;
};
export type OnMonitorErrorBudgetResolvedWebhookPayload = MonitorErrorBudgetResolvedEvent;
export type OnMonitorErrorBudgetResolvedWebhookRequest = {
    body: OnMonitorErrorBudgetResolvedWebhookPayload;
    key: "monitor.error_budget_resolved";
    path?: never;
    query?: never;
};
export type OnMonitorErrorBudgetBurningSlowlyWebhookPayload = MonitorErrorBudgetBurningSlowlyEvent;
export type OnMonitorErrorBudgetBurningSlowlyWebhookRequest = {
    body: OnMonitorErrorBudgetBurningSlowlyWebhookPayload;
    key: "monitor.error_budget_burning_slowly";
    path?: never;
    query?: never;
};
export type OnMonitorDnsChangedWebhookPayload = MonitorDnsChangedEvent;
export type OnMonitorDnsChangedWebhookRequest = {
    body: OnMonitorDnsChangedWebhookPayload;
    key: "monitor.dns_changed";
    path?: never;
    query?: never;
};
export type OnWebhookTestWebhookPayload = WebhookTestEvent;
export type OnWebhookTestWebhookRequest = {
    body: OnWebhookTestWebhookPayload;
    key: "webhook.test";
    path?: never;
    query?: never;
};
