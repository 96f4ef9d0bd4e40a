// Generated from openapi.json by "npm run generate".
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
export type TokenTest = {
    message: string;
    user: {
        id: number;
        name: string;
        email: string;
    };
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
export type PauseResult = {
    success: true;
    message: string;
    monitor: {
        id: number;
        url: string;
        is_paused: boolean;
    };
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
export type Acknowledgement = {
    success: true;
    message: string;
    incident: Incident;
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
    description: string | null;
    custom_domain: string | null;
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
    url: string;
    logo_url: string | null;
    domain_verified: boolean;
    domain: StatusPageDomain | null;
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
export type WhoAmIData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/";
};
export type WhoAmIResponses = {
    200: WhoAmI;
};
export type TestTokenData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/test";
};
export type TestTokenResponses = {
    200: TokenTest;
};
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
export type UpdateAccountResponses = {
    200: Account;
};
export type GetInstallationData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/installation";
};
export type GetInstallationResponses = {
    200: Installation;
};
export type ListTokensData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/tokens";
};
export type ListTokensResponses = {
    200: TokenList;
};
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
export type CreateTokenResponses = {
    201: NewToken;
};
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
export type RevokeTokenResponses = {
    204: void;
};
export type RevokeOtherSessionsData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/sessions";
};
export type RevokeOtherSessionsResponses = {
    204: void;
};
export type ListSessionsData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/sessions";
};
export type ListSessionsResponses = {
    200: SessionList;
};
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
export type RevokeSessionResponses = {
    204: void;
};
export type ListConnectedApplicationsData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/connected-applications";
};
export type ListConnectedApplicationsResponses = {
    200: ConnectedApplicationList;
};
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
export type DisconnectApplicationResponses = {
    204: void;
};
export type GetSignInOptionsData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/sign-in";
};
export type GetSignInOptionsResponses = {
    200: SignInOptions;
};
export type GetSetupStateData = {
    body?: never;
    path?: never;
    query?: {
        token?: string;
    };
    url: "/setup/state";
};
export type GetSetupStateResponses = {
    200: SetupState;
};
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
export type CompleteSetupResponses = {
    201: SetupDone;
};
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
export type ListMonitorsResponses = {
    200: MonitorPage;
};
export type CreateMonitorData = {
    body: MonitorSettings;
    headers?: {
        "Idempotency-Key"?: string;
    };
    path?: never;
    query?: never;
    url: "/monitors";
};
export type CreateMonitorResponses = {
    201: Monitor;
};
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
export type DeleteMonitorResponses = {
    204: void;
};
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
export type GetMonitorResponses = {
    200: MonitorDetail;
};
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
export type UpdateMonitorResponses = {
    200: Monitor;
};
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
export type PauseMonitorResponses = {
    200: PauseResult;
};
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
export type ResumeMonitorResponses = {
    200: PauseResult;
};
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
export type UnpauseMonitorResponses = {
    200: PauseResult;
};
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
export type RotatePingUrlResponses = {
    200: Monitor;
};
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
export type CreateMonitorsResponses = {
    200: BulkCreateResult;
};
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
export type ChangeMonitorsResponses = {
    200: BulkActionResult;
};
export type TestMonitorData = {
    body: MonitorTestSettings;
    headers?: {
        "Idempotency-Key"?: string;
    };
    path?: never;
    query?: never;
    url: "/monitors/test";
};
export type TestMonitorResponses = {
    200: MonitorTest;
};
export type ValidateMonitorData = {
    body: MonitorTestSettings;
    headers?: {
        "Idempotency-Key"?: string;
    };
    path?: never;
    query?: never;
    url: "/monitors/validate";
};
export type ValidateMonitorResponses = {
    200: MonitorValidation;
};
export type GetMonitorOverviewData = {
    body?: never;
    headers?: {
        "If-None-Match"?: string;
    };
    path?: never;
    query?: never;
    url: "/monitors/overview";
};
export type GetMonitorOverviewResponses = {
    200: MonitorOverview;
};
export type GetAttentionData = {
    body?: never;
    path?: never;
    query?: {
        limit?: number;
    };
    url: "/attention";
};
export type GetAttentionResponses = {
    200: Attention;
};
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
export type ListExpirationsResponses = {
    200: ExpirationPage;
};
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
export type GetUptimeSummaryResponses = {
    200: UptimeSummary;
};
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
export type CheckMonitorResponses = {
    200: CheckResult;
};
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
export type ListIncidentsResponses = {
    200: IncidentPage;
};
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
export type CreateIncidentResponses = {
    201: Incident;
};
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
export type DeleteIncidentResponses = {
    204: void;
};
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
export type GetIncidentResponses = {
    200: IncidentDetail;
};
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
export type UpdateIncidentResponses = {
    200: Incident;
};
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
export type ResolveIncidentResponses = {
    200: Incident;
};
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
export type AcknowledgeIncidentResponses = {
    200: Acknowledgement;
};
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
export type CreateIncidentNoteResponses = {
    201: IncidentActivity;
};
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
export type ListMonitorIncidentsResponses = {
    200: IncidentPage;
};
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
export type ListMonitorResultsResponses = {
    200: ResultPage;
};
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
export type GetMonitorUptimeResponses = {
    200: Uptime;
};
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
export type ListMonitorPingsResponses = {
    200: PingPage;
};
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
export type ListMonitorDnsResponses = {
    200: DnsRecordSetPage;
};
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
export type ListMonitorCertificatesResponses = {
    200: CertificatePage;
};
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
export type ListMonitorActivitiesResponses = {
    200: MonitorActivityPage;
};
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
export type GetMonitorResponseTimesResponses = {
    200: ResponseTimes;
};
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
export type GetMonitorDaysResponses = {
    200: MonitorDays;
};
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
export type ListMonitorCorrectionsResponses = {
    200: CorrectionPage;
};
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
export type CreateMonitorCorrectionResponses = {
    201: Correction;
};
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
export type DeleteMonitorCorrectionResponses = {
    204: void;
};
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
export type GetMonitorCorrectionResponses = {
    200: Correction;
};
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
export type ListSlosResponses = {
    200: SloPage;
};
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
export type DeleteMonitorSloResponses = {
    204: void;
};
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
export type GetMonitorSloResponses = {
    200: Slo;
};
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
export type SetMonitorSloResponses = {
    200: Slo;
};
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
export type CheckUrlResponses = {
    200: UrlCheck;
};
export type ListRegionsData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/regions";
};
export type ListRegionsResponses = {
    200: RegionList;
};
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
export type PreviewCronResponses = {
    200: CronPreview;
};
export type ListIncidentRoundsData = {
    body?: never;
    path: {
        id: number;
    };
    query?: never;
    url: "/incidents/{id}/rounds";
};
export type ListIncidentRoundsResponses = {
    200: IncidentRounds;
};
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
export type ListIncidentNotificationsResponses = {
    200: IncidentNotificationPage;
};
export type ListIncidentUpdatesData = {
    body?: never;
    path: {
        id: number;
    };
    query?: never;
    url: "/incidents/{id}/updates";
};
export type ListIncidentUpdatesResponses = {
    200: AnnouncementUpdateList;
};
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
export type CreateIncidentUpdateResponses = {
    201: AnnouncementUpdate;
};
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
export type DeleteIncidentUpdateResponses = {
    204: void;
};
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
export type GetIncidentUpdateResponses = {
    200: AnnouncementUpdate;
};
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
export type UpdateIncidentUpdateResponses = {
    200: AnnouncementUpdate;
};
export type ListIncidentUpdateVersionsData = {
    body?: never;
    path: {
        id: number;
        update: number;
    };
    query?: never;
    url: "/incidents/{id}/updates/{update}/versions";
};
export type ListIncidentUpdateVersionsResponses = {
    200: AnnouncementUpdateVersions;
};
export type ListAnnouncementUpdatesData = {
    body?: never;
    path: {
        id: number;
    };
    query?: never;
    url: "/announcements/{id}/updates";
};
export type ListAnnouncementUpdatesResponses = {
    200: AnnouncementUpdateList;
};
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
export type CreateAnnouncementUpdateResponses = {
    201: AnnouncementUpdate;
};
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
export type DeleteAnnouncementUpdateResponses = {
    204: void;
};
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
export type GetAnnouncementUpdateResponses = {
    200: AnnouncementUpdate;
};
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
export type UpdateAnnouncementUpdateResponses = {
    200: AnnouncementUpdate;
};
export type ListAnnouncementUpdateVersionsData = {
    body?: never;
    path: {
        id: number;
        update: number;
    };
    query?: never;
    url: "/announcements/{id}/updates/{update}/versions";
};
export type ListAnnouncementUpdateVersionsResponses = {
    200: AnnouncementUpdateVersions;
};
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
export type ListAnnouncementsResponses = {
    200: AnnouncementPage;
};
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
export type CreateAnnouncementResponses = {
    201: AnnouncementDetail;
};
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
export type DeleteAnnouncementResponses = {
    204: void;
};
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
export type GetAnnouncementResponses = {
    200: AnnouncementDetail;
};
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
export type UpdateAnnouncementResponses = {
    200: AnnouncementDetail;
};
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
export type DeletePostMortemResponses = {
    204: void;
};
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
export type SetPostMortemResponses = {
    200: AnnouncementDetail;
};
export type ListUpdateTemplatesData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/update-templates";
};
export type ListUpdateTemplatesResponses = {
    200: UpdateTemplateList;
};
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
export type CreateUpdateTemplateResponses = {
    201: UpdateTemplate;
};
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
export type DeleteUpdateTemplateResponses = {
    204: void;
};
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
export type GetUpdateTemplateResponses = {
    200: UpdateTemplate;
};
export type UpdateUpdateTemplateData = {
    body: {
        name?: string;
        title?: string | null;
        state?: "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed";
        text?: string;
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
export type UpdateUpdateTemplateResponses = {
    200: UpdateTemplate;
};
export type ListGroupsData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/groups";
};
export type ListGroupsResponses = {
    200: GroupList;
};
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
export type CreateGroupResponses = {
    201: Group;
};
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
export type DeleteGroupResponses = {
    204: void;
};
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
export type GetGroupResponses = {
    200: Group;
};
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
export type UpdateGroupResponses = {
    200: Group;
};
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
export type ListAlertChannelsResponses = {
    200: AlertChannelPage;
};
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
export type CreateAlertChannelResponses = {
    201: AlertChannel;
};
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
export type DeleteAlertChannelResponses = {
    204: void;
};
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
export type GetAlertChannelResponses = {
    200: AlertChannel;
};
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
export type UpdateAlertChannelResponses = {
    200: AlertChannel;
};
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
export type TestAlertChannelResponses = {
    200: ChannelTest;
};
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
export type ListAlertChannelDeliveriesResponses = {
    200: ChannelDeliveryPage;
};
export type ListNotificationChannelsData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/notification-channels";
};
export type ListNotificationChannelsResponses = {
    200: NotificationChannelList;
};
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
export type CreateNotificationChannelResponses = {
    201: NotificationChannel;
};
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
export type DeleteNotificationChannelResponses = {
    204: void;
};
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
export type GetNotificationChannelResponses = {
    200: NotificationChannel;
};
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
export type UpdateNotificationChannelResponses = {
    200: NotificationChannel;
};
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
export type TestNotificationChannelResponses = {
    200: ChannelTest;
};
export type ListAlertRoutesData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/alert-routes";
};
export type ListAlertRoutesResponses = {
    200: AlertRouteList;
};
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
export type CreateAlertRouteResponses = {
    201: AlertRoute;
};
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
export type DeleteAlertRouteResponses = {
    204: void;
};
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
export type GetAlertRouteResponses = {
    200: AlertRoute;
};
export type UpdateAlertRouteData = {
    body: {
        name?: string;
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
export type UpdateAlertRouteResponses = {
    200: AlertRoute;
};
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
export type PreviewAlertRoutesResponses = {
    200: AlertPreview;
};
export type ListWebhookEndpointsData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/webhook-endpoints";
};
export type ListWebhookEndpointsResponses = {
    200: WebhookEndpointList;
};
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
export type CreateWebhookEndpointResponses = {
    201: WebhookEndpoint;
};
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
export type DeleteWebhookEndpointResponses = {
    204: void;
};
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
export type GetWebhookEndpointResponses = {
    200: WebhookEndpoint;
};
export type UpdateWebhookEndpointData = {
    body: {
        name?: string;
        url?: string;
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
export type UpdateWebhookEndpointResponses = {
    200: WebhookEndpoint;
};
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
export type TestWebhookEndpointResponses = {
    202: {
        message: string;
    };
};
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
export type RotateWebhookSecretResponses = {
    200: WebhookSecret;
};
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
export type ListWebhookDeliveriesResponses = {
    200: WebhookDeliveryPage;
};
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
export type GetWebhookDeliveryResponses = {
    200: WebhookDeliveryDetails;
};
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
export type RedeliverWebhookResponses = {
    202: {
        message: string;
    };
};
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
export type ListMaintenanceWindowsResponses = {
    200: MaintenanceWindowPage;
};
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
export type CreateMaintenanceWindowResponses = {
    201: MaintenanceWindow;
};
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
export type StartMaintenanceResponses = {
    201: MaintenanceWindow;
};
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
export type DeleteMaintenanceWindowResponses = {
    204: void;
};
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
export type GetMaintenanceWindowResponses = {
    200: MaintenanceWindow;
};
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
export type UpdateMaintenanceWindowResponses = {
    200: MaintenanceWindow;
};
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
export type EndMaintenanceResponses = {
    200: MaintenanceWindow;
};
export type ListReportsData = {
    body?: never;
    path?: never;
    query?: {
        search?: string;
        direction?: "asc" | "desc";
        page?: number;
        per_page?: number;
        sort?: "created_at" | "name" | "updated_at";
    };
    url: "/reports";
};
export type ListReportsResponses = {
    200: ReportPage;
};
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
export type CreateReportResponses = {
    201: Report;
};
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
export type DeleteReportResponses = {
    204: void;
};
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
export type GetReportResponses = {
    200: Report;
};
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
export type UpdateReportResponses = {
    200: Report;
};
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
export type GetReportDataResponses = {
    200: ReportData;
};
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
export type GetUptimeReportResponses = {
    200: ReportData;
};
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
export type StartReportRunResponses = {
    202: ReportRun;
};
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
export type GetReportRunResponses = {
    200: ReportRun;
};
export type GetReportRunFileData = {
    body?: never;
    path: {
        id: number;
    };
    query?: never;
    url: "/report-runs/{id}/file";
};
export type GetReportRunFileResponses = {
    200: ReportData;
};
export type ListStatusPagesData = {
    body?: never;
    path?: never;
    query?: {
        search?: string;
        direction?: "asc" | "desc";
        page?: number;
        per_page?: number;
        sort?: "title" | "slug" | "created_at" | "updated_at";
    };
    url: "/status-pages";
};
export type ListStatusPagesResponses = {
    200: StatusPagePage;
};
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
        access?: {
            type?: "public" | "password" | "members" | "addresses" | null;
            password?: string | null;
            addresses?: Array<string> | null;
            password_set?: boolean | null;
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
    };
    headers?: {
        "Idempotency-Key"?: string;
    };
    path?: never;
    query?: never;
    url: "/status-pages";
};
export type CreateStatusPageResponses = {
    201: StatusPage;
};
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
export type DeleteStatusPageResponses = {
    204: void;
};
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
export type GetStatusPageResponses = {
    200: StatusPage;
};
export type UpdateStatusPageData = {
    body: {
        name?: string;
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
        access?: {
            type?: "public" | "password" | "members" | "addresses" | null;
            password?: string | null;
            addresses?: Array<string> | null;
            password_set?: boolean | null;
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
export type UpdateStatusPageResponses = {
    200: StatusPage;
};
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
export type DeleteStatusPageLogoResponses = {
    204: void;
};
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
export type SetStatusPageLogoResponses = {
    200: StatusPage;
};
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
export type VerifyStatusPageDomainResponses = {
    200: StatusPage;
};
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
export type ListSubscribersResponses = {
    200: SubscriberPage;
};
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
export type CreateSubscriberResponses = {
    201: CreatedSubscriber;
};
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
export type DeleteSubscriberResponses = {
    204: void;
};
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
export type GetSubscriberResponses = {
    200: Subscriber;
};
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
export type ExportSubscribersResponses = {
    200: {
        data: Array<Subscriber>;
    };
};
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
export type ImportSubscribersResponses = {
    200: SubscriberImport;
};
export type GetPlanData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/plan";
};
export type GetPlanResponses = {
    200: Plan;
};
export type ListTeamsData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/teams";
};
export type ListTeamsResponses = {
    200: TeamList;
};
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
export type CreateTeamResponses = {
    201: Team;
};
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
export type SwitchTeamResponses = {
    200: Team;
};
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
export type DeleteTeamResponses = {
    204: void;
};
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
export type GetTeamResponses = {
    200: WholeTeam;
};
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
export type UpdateTeamResponses = {
    200: WholeTeam;
};
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
export type TransferTeamResponses = {
    200: Team;
};
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
export type LeaveTeamResponses = {
    200: LeftTeam;
};
export type ListUsersData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/users";
};
export type ListUsersResponses = {
    200: UserList;
};
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
export type DeleteUserResponses = {
    204: void;
};
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
export type UpdateUserResponses = {
    200: User;
};
export type ListInvitationsData = {
    body?: never;
    path?: never;
    query?: never;
    url: "/users/invitations";
};
export type ListInvitationsResponses = {
    200: InvitationList;
};
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
export type CreateInvitationResponses = {
    201: SentInvitation;
};
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
export type DeleteInvitationResponses = {
    204: void;
};
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
export type UpdateInvitationResponses = {
    200: Invitation;
};
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
export type ResendInvitationResponses = {
    200: SentInvitation;
};
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
export type AcceptInvitationResponses = {
    201: AcceptedInvitation;
};
export type PreviewInvitationData = {
    body?: never;
    path?: never;
    query?: {
        token?: string;
    };
    url: "/invitations/preview";
};
export type PreviewInvitationResponses = {
    200: InvitationPreview;
};
export type GetAlertLinkData = {
    body?: never;
    path?: never;
    query?: {
        token?: string;
    };
    url: "/alert-links";
};
export type GetAlertLinkResponses = {
    200: SentAlert;
};
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
export type AcknowledgeAlertLinkResponses = {
    200: AcknowledgedAlert;
};
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
export type ListAuditLogResponses = {
    200: AuditLogPage;
};
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
export type CreateResetLinkResponses = {
    200: ResetLink;
};
