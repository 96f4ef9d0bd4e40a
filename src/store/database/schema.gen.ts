// Generated from the migrations by "npm run generate".
import type { Generated } from 'kysely';

export interface Tables {
  setting: {
    name: string;
    value: string;
  };
  progress: {
    name: string;
    position: number;
  };
  node: {
    id: string;
    seen_at: number;
  };
  shard: {
    shard: number;
    /** Number of edits of its monitors; edits of one shard commit one after another. */
    version: number;
    owner: string | null;
    /** By the database's clock. */
    lease_until: number;
  };
  service_gap: {
    id: Generated<number>;
    from_at: number;
    to_at: number;
  };
  process_report: {
    id: string;
    name: string;
    /** Comma-separated. */
    roles: string;
    version: string;
    started_at: number;
    seen_at: number;
    /** Null without the role scheduler, as are the next two. */
    lag_ms: number | null;
    checks_due: number | null;
    checks_late: number | null;
    /** JSON: live probes by region; null without the roles scheduler and api. */
    probes: string | null;
    free_bytes: number | null;
    clock_offset_ms: number | null;
    failing_discoveries: Generated<string>;
    refuses_files: Generated<number>;
  };
  installation_problem: {
    kind: string;
    /** Region or role; empty for the whole installation. */
    subject: string;
    /** When it was first observed; null after its end. */
    seen_at: number | null;
    /** When it had lasted long enough to notify people; null before. */
    opened_at: number | null;
    /** Since when it is no longer observed; null while it is. */
    clear_since: number | null;
    value: number | null;
    /** JSON array of names. */
    processes: string;
    /** 'opened_at' of the problem that the operator webhook was notified of; null for none, or after its end. */
    notified_opened_at: number | null;
  };
  installation_watch: {
    id: number;
    holder: string;
    leased_until: number;
    evaluated_at: number | null;
    /** JSON of 'InstallationSummary'. */
    summary: string | null;
  };
  region_health: {
    region: string;
    /** Time since which its votes are unknown; null when they count. */
    quarantined_at: number | null;
    /** A sentence for people. */
    reason: string | null;
    changed_at: number;
    notified_at: number | null;
  };
  probe_overload: {
    /** Host name and port of the process. */
    probe: string;
    /** Time since which they can't keep up; null while they can. */
    overloaded_at: number | null;
    /** A sentence for people. */
    reason: string | null;
    changed_at: number;
    notified_at: number | null;
  };
  rate_limit: {
    /** Name of the limit, and its key. */
    key: string;
    points: number;
    /** End of the window. */
    expire: number | null;
  };
  budget: {
    /** Name of the budget and whose it is; a recipient is hashed with a secret. */
    key: string;
    used: number;
    ends_at: number;
  };
  idempotency_key: {
    id: Generated<number>;
    /** Hash of the sender, the path and the key. */
    scope: string;
    /** Whose keys are counted together. */
    owner: string;
    /** Hash of the request's body. */
    fingerprint: string;
    /** Incremented by each request that claims the key. */
    claim: number;
    /** Time after which a request without an answer is taken for dead. */
    leased_until: number;
    /** What the request changed, from its transaction on. */
    target_type: string | null;
    target_id: number | null;
    carried_out_at: number | null;
    /** Status of the answer; null until there is one. */
    status: number | null;
    /** Headers and body of the answer: JSON, compressed and sealed. Null when it was too large. */
    answer: string | null;
    created_at: number;
  };
  team: {
    id: Generated<number>;
    name: string;
    slug: string;
    personal_team: number;
    /** Subscription plan from PLANS_FILE; null for the default. */
    plan: string | null;
    /** 1 when sessions need two-factor authentication. */
    mfa_required: Generated<number>;
    /** When it was deleted; retention deletes its rows later. */
    deleted_at: number | null;
    created_at: number;
    updated_at: number;
  };
  person: {
    id: Generated<number>;
    name: string;
    /** Lower case. */
    email: string;
    timezone: string;
    image: string | null;
    email_verified: Generated<number>;
    /** 1 when two-factor authentication is confirmed. */
    mfa_enabled: Generated<number>;
    last_login_at: number | null;
    /** Team of their next session; null for the first of their teams. */
    team_id: number | null;
    created_at: number;
    updated_at: number;
  };
  member: {
    team_id: number;
    person_id: number;
    /** owner, admin, editor or viewer. */
    role: string;
    /** active or disabled. */
    status: string;
    added_at: number;
  };
  invitation: {
    id: Generated<number>;
    team_id: number;
    /** Lower case. */
    email: string;
    role: string;
    /** SHA-256 of the token of its link, in hex. */
    hash: string;
    invited_by: number | null;
    expires_at: number;
    accepted_at: number | null;
    created_at: number;
    updated_at: number;
  };
  token: {
    id: Generated<number>;
    person_id: number;
    /** Team that calls with this token act on. */
    team_id: number;
    /** Token that created it, and with which it is revoked. */
    parent_id: number | null;
    name: string;
    /** SHA-256 in hex; the token itself is never stored. */
    hash: string;
    /** JSON array of read, create, update, delete. */
    permissions: string;
    expires_at: number | null;
    last_used_at: number | null;
    created_at: number;
  };
  credential: {
    id: Generated<number>;
    person_id: number;
    /** credential, oidc, github or google. */
    provider_id: string;
    /** Id of the person at the provider; for a password the person's own id. */
    account_id: string;
    /** scrypt hash in better-auth's format; null for a provider. */
    password: string | null;
    scope: string | null;
    created_at: number;
    updated_at: number;
  };
  session: {
    id: Generated<number>;
    person_id: number;
    /** Team that its calls act on; null for none. */
    team_id: number | null;
    /** SHA-256 of the token in hex; the token itself is never stored. */
    hash: string;
    /** Sign-in method: password, passkey, oidc, github or google. */
    method: string;
    ip_address: string | null;
    user_agent: string | null;
    last_used_at: number | null;
    expires_at: number;
    created_at: number;
    updated_at: number;
  };
  verification: {
    id: Generated<number>;
    /** Hashed. */
    identifier: string;
    value: string;
    expires_at: number;
    created_at: number;
    updated_at: number;
  };
  two_factor: {
    id: Generated<number>;
    person_id: number;
    /** Encrypted by better-auth, like the codes. */
    secret: string;
    backup_codes: string;
    verified: number;
    failed_verification_count: number;
    locked_until: number | null;
  };
  used_code: {
    person_id: number;
    /** SHA-256 in hex. */
    code: string;
    expires_at: number;
  };
  passkey: {
    id: Generated<number>;
    person_id: number;
    name: string | null;
    public_key: string;
    credential_id: string;
    counter: number;
    device_type: string;
    backed_up: number;
    transports: string | null;
    aaguid: string | null;
    created_at: number;
  };
  oauth_client: {
    id: Generated<number>;
    /** Random text by which the application names itself. */
    client_id: string;
    name: string | null;
    /** Address of its home page, as it says. */
    uri: string | null;
    /** JSON array of addresses. */
    redirect_uris: string;
    /** JSON array of authorization_code, refresh_token. */
    grant_types: string | null;
    /** JSON array of code. */
    response_types: string | null;
    /** none. */
    token_endpoint_auth_method: string | null;
    /** web or native. */
    application_type: string | null;
    /** JSON array of scopes that it may request. */
    scopes: string | null;
    /** When somebody last connected it; null for never. */
    connected_at: number | null;
    created_at: number;
    updated_at: number;
  };
  oauth_resource: {
    id: Generated<number>;
    identifier: string;
    name: string;
    created_at: number;
    updated_at: number;
  };
  oauth_grant: {
    id: Generated<number>;
    person_id: number;
    /** 'client_id' of the client. */
    client_id: string;
    team_id: number;
    /** JSON array of read, create, update, delete. */
    permissions: string;
    /** Where the code of the newest consent went: a host, or the scheme of an application on a device. */
    redirect_host: string;
    last_used_at: number | null;
    created_at: number;
    updated_at: number;
  };
  oauth_consent: {
    id: Generated<number>;
    client_id: string;
    person_id: number;
    grant_id: number;
    /** JSON array of identifiers of resources. */
    resources: string | null;
    /** JSON array. */
    scopes: string;
    created_at: number;
    updated_at: number;
  };
  oauth_refresh_token: {
    id: Generated<number>;
    /** SHA-256 of the token without its prefix, in hex; the token itself is never stored. */
    hash: string;
    client_id: string;
    person_id: number;
    grant_id: number;
    /** JSON array of identifiers of resources. */
    resources: string | null;
    /** JSON array. */
    scopes: string;
    /** SHA-256 of the authorization code that the first token was issued for. */
    authorization_code_id: string | null;
    expires_at: number;
    created_at: number;
    /** When it was used or revoked. */
    revoked_at: number | null;
  };
  oauth_access_token: {
    id: Generated<number>;
    /** SHA-256 of the token without its prefix, in hex; the token itself is never stored. */
    hash: string;
    client_id: string;
    person_id: number;
    grant_id: number;
    /** JSON array of identifiers of resources. */
    resources: string | null;
    /** JSON array. */
    scopes: string;
    /** SHA-256 of the authorization code that the first token was issued for. */
    authorization_code_id: string | null;
    expires_at: number;
    created_at: number;
    /** Refresh token that was issued with it, and with which it is deleted. */
    refresh_id: number | null;
  };
  audit_entry: {
    id: Generated<number>;
    /** Null for changes that concern a person alone. */
    team_id: number | null;
    person_id: number | null;
    /** Name and e-mail of the person. */
    actor: string;
    /** token, session, tool_server, operator or link. */
    via: string;
    credential_name: string | null;
    ip_address: string | null;
    /** The action, such as monitor.update. */
    action: string;
    target_type: string;
    target_id: number | null;
    target_name: string | null;
    /** JSON objects of the changed fields with masked secrets; null where nothing existed. */
    before: string | null;
    after: string | null;
    created_at: number;
  };
  monitor_group: {
    id: Generated<number>;
    team_id: number;
    /** Unique in the team. */
    name: string;
    description: string | null;
    parent_id: number | null;
    sort_order: number;
    created_at: number;
    updated_at: number;
  };
  monitor: {
    id: Generated<number>;
    team_id: number;
    shard: number;
    type: string;
    url: string;
    /** The host of the url in canonical spelling, empty for none. */
    host: string;
    friendly_name: string | null;
    group_id: number | null;
    tags: string;
    check_interval: number | null;
    check_types: string;
    monitored_regions: string;
    port: number | null;
    is_paused: number;
    http_method: string;
    accepted_status_codes: string | null;
    follow_redirects: number;
    request_timeout: number;
    request_headers: string | null;
    request_body: string | null;
    auth_type: string | null;
    auth_username: string | null;
    auth_password: string | null;
    check_both_families: Generated<number>;
    verify_ssl: number;
    ssl_expiry_threshold: number;
    domain_expiry_threshold: number;
    slow_response_threshold: number | null;
    error_text_detection: number;
    keyword_settings: string | null;
    json_assertion_settings: string | null;
    failure_threshold: number;
    recovery_threshold: number;
    heartbeat_interval: number | null;
    heartbeat_cron_expression: string | null;
    heartbeat_timezone: string | null;
    heartbeat_grace: number | null;
    heartbeat_wait_for_first_ping: number | null;
    heartbeat_max_runtime: number | null;
    /** The secret part of the ping URL, sealed, and its SHA-256 in hex, by which it is found. */
    ping_token: string | null;
    ping_token_hash: string | null;
    notification_settings: string | null;
    /** Version of the shard at the last change that owners must load. */
    version: number;
    /** Version at the last change of the check itself, or of a pause: older rounds never vote. */
    revision: number;
    /** When it was deleted; retention purges its rows later. */
    deleted_at: number | null;
    created_at: number;
    updated_at: number;
  };
  former_ping_token: {
    token_hash: string;
    monitor_id: number;
    expires_at: number;
  };
  monitor_dependency: {
    monitor_id: number;
    /** While this one is down, alerts of the other are held. */
    depends_on_id: number;
    team_id: number;
    position: Generated<number>;
  };
  monitor_activity: {
    id: Generated<number>;
    team_id: number;
    monitor_id: number;
    /** dns_changed or certificate_changed. */
    type: string;
    description: string;
    created_at: number;
  };
  monitor_tag: {
    monitor_id: number;
    tag: string;
    team_id: number;
  };
  monitor_state: {
    monitor_id: number;
    team_id: number;
    revision: number;
    status: string;
    last_slot: number | null;
    last_checked_at: number | null;
    run_at: number | null;
    observed_until: number | null;
    is_paused: number;
    /** The revision under which 'tracks' was counted; a newer one clears a running confirmation. */
    evaluated_revision: number | null;
    /** JSON of 'Tracks'. */
    tracks: string;
    /** The newest result by region (store/engine/monitor-state.ts). */
    newest: string;
    /** Push monitors only: the newest ping that reported a success, and when the next is expected. */
    last_heartbeat_at: number | null;
    heartbeat_expected_at: number | null;
    /** Push monitors only, as are the next eight: when silence is evaluated. Never later than the next deadline, but often earlier, as a ping moves the deadline and leaves this unchanged. */
    due_at: number | null;
    /** Null before the first ping of any kind. */
    first_ping_at: number | null;
    /** Time since which the next ping is expected. */
    armed_at: number | null;
    /** 1 when the expected time and its grace passed, and the missed ping was recorded. */
    is_missed: Generated<number>;
    /** 1 when the expected time was postponed since the last ping, because this service was down. */
    is_postponed: Generated<number>;
    /** Number of all pings so far, which is the number of the newest one. */
    ping_count: Generated<number>;
    /** Start of the current window of the ping limit, and the pings in it. */
    ping_window_at: number | null;
    ping_window_count: Generated<number>;
    /** JSON of the runs in progress (model/heartbeat.ts). */
    runs: Generated<string>;
  };
  status_span: {
    id: Generated<number>;
    team_id: number;
    monitor_id: number;
    /** online, offline, degraded or unobserved. */
    status: string;
    from_at: number;
    to_at: number | null;
  };
  ping: {
    monitor_id: number;
    /** 1 for the monitor's first ping, and so on without gaps; the oldest ones are deleted. */
    number: number;
    /** When it was received. */
    at: number;
    /** success, failure, start or log. */
    kind: string;
    /** The 'rid' that pairs a start with its finish. */
    run_id: string | null;
    exit_code: number | null;
    /** Duration of a run whose start is known. */
    duration_ms: number | null;
    source_address: string;
    user_agent: string | null;
    /** The first 10 KiB, as text. */
    body: string | null;
    /** 1 when the body was longer. */
    is_body_cut: number;
  };
  inspection: {
    /** ssl, dns or domain. */
    kind: string;
    /** 'host:port', host, or registrable domain (see engine/inspect/target.ts). */
    target: string;
    /** Next run; null while all its monitors are paused. */
    next_at: number | null;
    /** Number of times it was claimed: only the last claim may record a result. */
    claim: number;
    /** End of the current lease. */
    leased_until: number | null;
    /** JSON of the newest facts (model/inspection.ts), and when they were found. */
    known_at: number | null;
    facts: string | null;
    /** JSON of the newest result, and its time. */
    inspected_at: number | null;
    result: string | null;
    /** Number of unknown results in a row. */
    unknown_run: number;
    /** 1 when the next run confirms what the last one found. */
    is_recheck: number;
    /** 1 while a monitor of the target has a condition of this kind. */
    is_open: number;
  };
  monitor_inspection: {
    monitor_id: number;
    kind: string;
    target: string;
  };
  dns_record_set: {
    id: Generated<number>;
    host: string;
    /** When they were first seen. */
    seen_at: number;
    /** JSON of 'DnsRecords'. */
    records: string;
    /** authoritative or resolver. */
    source: string;
  };
  certificate: {
    id: Generated<number>;
    /** 'host:port'. */
    target: string;
    seen_at: number;
    fingerprint: string;
    /** JSON of 'SslFacts'. */
    facts: string;
  };
  incident: {
    id: Generated<number>;
    team_id: number;
    monitor_id: number;
    type: string;
    severity: string;
    root_cause: string | null;
    failure_code: string | null;
    is_regional: number;
    /** Region codes joined by ", ", for a regional incident. */
    region: string | null;
    started_at: number;
    ended_at: number | null;
    acknowledged_at: number | null;
    acknowledged_by: number | null;
    created_at: number;
    updated_at: number;
  };
  incident_evidence: {
    incident_id: number;
    region: string;
    /** JSON: failure, timings, remote address, status line, headers, body, times. */
    evidence: string;
  };
  incident_round: {
    incident_id: number;
    /** When it started. */
    at: number;
    /** As in the table of the day. */
    data: Uint8Array;
    /** Details of its failures, as in the table of the day; null without one. */
    details: string | null;
  };
  activity: {
    id: Generated<number>;
    team_id: number;
    incident_id: number;
    type: string;
    description: string;
    person_id: number | null;
    created_at: number;
  };
  event: {
    id: Generated<number>;
    team_id: number;
    monitor_id: number;
    incident_id: number | null;
    /** Type of the event, such as monitor.down. */
    type: string;
    /** open or resolve of an incident; notice without one; dropped for an open or resolve event that was sent to nobody. */
    kind: Generated<string>;
    /** critical, warning or info; info for a recovery. */
    severity: Generated<string>;
    /** Reason of a resolve event: recovered, target_changed, switched_off or changed_over; also of its successor's opening. */
    reason: string | null;
    /** JSON: the body that webhooks send. */
    payload: string;
    /** When it is fanned out to its destinations; null afterwards. */
    fan_out_at: number | null;
    created_at: number;
  };
  rollup_hour: {
    monitor_id: number;
    at: number;
    data: Uint8Array;
  };
  rollup_day: {
    monitor_id: number;
    at: number;
    data: Uint8Array;
  };
  rollup_recent_day: {
    monitor_id: number;
    at: number;
    data: Uint8Array;
  };
  correction: {
    id: Generated<number>;
    team_id: number;
    monitor_id: number;
    /** '[from_at, to_at)'. */
    from_at: number;
    to_at: number;
    /** One of CORRECTION_KINDS of model/correction.ts. */
    counts_as: string;
    reason: string;
    /** Text or link that supports 'up' and 'down'. */
    evidence: string | null;
    person_id: number | null;
    /** When it was taken back, and by whom. */
    removed_at: number | null;
    removed_by: number | null;
    created_at: number;
    updated_at: number;
  };
  monitor_slo: {
    monitor_id: number;
    team_id: number;
    target_percent: number;
    window_days: number;
    burn_rate_alerts: number;
    /** fast or slow while its error budget burns too fast; else null. */
    burning: string | null;
    /** Incident of that. A person may have resolved or deleted it. */
    incident_id: number | null;
    burning_since: number | null;
    /** When its burn rate is evaluated next; null without alerts. */
    next_at: number | null;
    created_at: number;
    updated_at: number;
  };
  incident_monitor_day: {
    monitor_id: number;
    /** Whole UTC days since 1970. */
    day: number;
    type: string;
    severity: string;
    total: number;
    open: number;
  };
  incident_team_day: {
    team_id: number;
    /** 0 for incidents of deleted monitors, which lists leave out. */
    is_shown: number;
    /** Whole UTC days since 1970. */
    day: number;
    type: string;
    severity: string;
    total: number;
    open: number;
    /** 0 for a change that is not summed yet. */
    is_sum: Generated<number>;
  };
  destination: {
    id: Generated<number>;
    /** Null for a person's own channel and for mails. */
    team_id: number | null;
    /** webhook, channel, mail, subscriber or subscriber_mail. A mail is the queue of one message, and is deleted with it. */
    kind: string;
    /** When its next delivery is due; null while the queue is empty. */
    next_at: number | null;
    /** End of the lease of the process that sends. */
    leased_until: number | null;
    /** Set for a webhook endpoint that failed: no event is sent before, and then one at a time until it answers. */
    held_until: number | null;
    /** Number of times it was claimed: only the last claim may record an outcome. */
    claim: number;
    /** Failed attempts in a row, and the time of the first. */
    failures: number;
    failing_since: number | null;
    /** Error of the newest failed attempt, a sentence for people. */
    last_error: string | null;
    last_delivered_at: number | null;
    created_at: number;
  };
  webhook_endpoint: {
    id: Generated<number>;
    team_id: number;
    destination_id: number;
    name: string;
    /** Sealed, as are the token and both secrets. */
    url: string;
    url_host: string;
    /** none, bearer, basic or header. */
    auth_type: string;
    auth_header_name: string | null;
    auth_token: string | null;
    signing_secret: string | null;
    /** Former secret, which also signs until 'previous_secret_until'. */
    previous_signing_secret: string | null;
    previous_secret_until: number | null;
    /** JSON array. */
    severities: string;
    is_active: number;
    /** Why the system switched it off, a sentence; null when it is active or a person did. */
    deactivated_reason: string | null;
    created_at: number;
    updated_at: number;
  };
  alert_channel: {
    id: Generated<number>;
    /** Exactly one of these two is set. */
    team_id: number | null;
    person_id: number | null;
    destination_id: number;
    /** Type from alerting/channels/index.ts. */
    type: string;
    name: string;
    enabled: number;
    /** 1 for a channel of a team that receives alerts without a matching route. */
    is_default: number;
    /** Sealed JSON object; null for a personal channel that was removed. */
    settings: string | null;
    /** JSON array. */
    severities: string;
    /** JSON of 'QuietHours' (alerting/policy/routing.ts). */
    quiet_hours: string | null;
    /** IANA time zone of messages; null for that of the person, or UTC. */
    timezone: string | null;
    created_at: number;
    updated_at: number;
  };
  delivery: {
    id: Generated<number>;
    destination_id: number;
    /** Team that it is about. */
    team_id: number | null;
    /** Stable over retries and repeated deliveries. */
    message_id: string;
    /** event, test; alarm, update, reminder, escalation, recovery, notice (alerting/message/content.ts); for a mail its kind, such as invitation. */
    kind: string;
    /** Type of the event, such as monitor.down. */
    event_type: string | null;
    /** Monitor whose events arrive in order; null for deliveries without an order, such as a test. */
    monitor_id: number | null;
    incident_id: number | null;
    alert_id: number | null;
    /** Body of a webhook request, JSON of a 'Notice', or a sealed mail with recipient, subject and text. */
    body: string;
    /** pending, delivered, failed (for good), expired (not delivered in time), superseded (contained in another message). */
    status: string;
    attempts: number;
    /** Earliest time of the next attempt. */
    next_at: number;
    expires_at: number;
    finished_at: number | null;
    created_at: number;
  };
  delivery_attempt: {
    delivery_id: number;
    /** From 1. */
    number: number;
    at: number;
    duration_ms: number;
    status_code: number | null;
    /** A sentence; null when it was delivered. */
    error: string | null;
    /** First part of the response. */
    response: string | null;
  };
  alert: {
    id: Generated<number>;
    team_id: number;
    /** single, storm or flapping. */
    kind: string;
    /** The worst of its incidents. */
    severity: string;
    /** Null for a storm. */
    monitor_id: number | null;
    incident_type: string | null;
    /** Common cause of the incidents of a storm, for people. */
    shared_cause: string | null;
    opened_at: number;
    /** Set while it can be merged into another alert: until people are notified of it. */
    groupable_until: number | null;
    /** Time of the first notification. */
    notified_at: number | null;
    /** Number of incidents that people were notified of. */
    notified_count: number;
    over_at: number | null;
    /** When it can change without an event; null for never. */
    next_at: number | null;
  };
  alert_incident: {
    alert_id: number;
    incident_id: number;
    monitor_id: number;
    joined_at: number;
    /** 1 when it changed into another incident: its end is no recovery. */
    has_successor: number;
    /** When the incident or its monitor was deleted: those who were notified of it are notified of that, too. */
    removed_at: number | null;
    /** Severity of a deleted incident; null for existing ones. */
    removed_severity: string | null;
  };
  alert_recipient: {
    alert_id: number;
    destination_id: number;
    notified_at: number;
    last_notified_at: number;
    /** Highest severity of the last notification. */
    severity: string;
  };
  alert_recipient_incidents: {
    alert_id: number;
    destination_id: number;
    /** JSON object: the time of the last message that named an incident, by its id. */
    incidents: string;
    /** JSON array: the incidents that this message named as over. */
    ends: string;
  };
  grouping_window: {
    team_id: number;
    destination_id: number;
    opened_at: number;
    /** Highest severity of that notification. */
    severity: string;
  };
  alert_route: {
    id: Generated<number>;
    team_id: number;
    name: string;
    /** JSON arrays of ids, ids and texts; all empty for everything. */
    monitors: string;
    groups: string;
    tags: string;
    /** JSON array. */
    severities: string;
    /** JSON arrays of ids: team channels, and people whose personal channels are notified. */
    channels: string;
    users: string;
    /** Null for no reminders. */
    reminder_minutes: number | null;
    /** JSON array of 'EscalationStep' (alerting/policy/routing.ts). */
    escalation: string;
    sort_order: number;
    created_at: number;
    updated_at: number;
  };
  maintenance_window: {
    id: Generated<number>;
    team_id: number;
    name: string;
    /** Markdown subset for visitors of status pages; null for words of the page. */
    description: string | null;
    /** First occurrence. */
    starts_at: number;
    ends_at: number;
    /** RFC 5545, section 3.3.10, without DTSTART; null for a window that does not recur. */
    rrule: string | null;
    /** IANA name, in whose wall time it recurs. */
    timezone: string;
    /** JSON arrays of ids, ids and texts; all empty for everything. */
    monitors: string;
    groups: string;
    tags: string;
    /** Number of good rounds in a row of all its monitors that end it early; null for never. */
    good_rounds: number | null;
    /** 1 when status pages announce it. */
    announce: Generated<number>;
    /** When it next begins, ends or may end early; null when it is over for good. */
    next_at: number | null;
    deleted_at: number | null;
    created_at: number;
    updated_at: number;
  };
  maintenance_occurrence: {
    id: Generated<number>;
    window_id: number;
    team_id: number;
    /** JSON arrays of ids, ids and texts; all empty for everything. */
    monitors: string;
    groups: string;
    tags: string;
    from_at: number;
    /** Set to the present when it ends early. */
    to_at: number;
  };
  status_page: {
    id: Generated<number>;
    team_id: number;
    name: string;
    /** Unique in the installation: the last part of '/status/{slug}'. */
    slug: string;
    description: string | null;
    /** JSON of the 'settings' object of the API. */
    settings: string;
    /** Code of a file of words, such as 'en'. */
    language: string;
    /** IANA name. */
    timezone: string;
    /** JSON of 'show_automatic' of the API, the default of its services. */
    show_automatic: string;
    /** JSON array of kinds of subscribers that visitors may be. */
    subscribe_by: Generated<string>;
    /** Channel whose account sends text messages to subscribers. */
    sms_channel_id: number | null;
    /** public, password, members or addresses. */
    access_type: string;
    /** scrypt hash; null without a password. */
    access_password: string | null;
    /** JSON array of CIDR blocks. */
    access_addresses: string;
    /** Incremented by each change of access: cookies of former versions are void. */
    access_version: Generated<number>;
    /** Host name in lower case and ASCII. */
    custom_domain: string | null;
    /** Public value that the domain's DNS has to show. */
    domain_token: string | null;
    domain_verified_at: number | null;
    domain_checked_at: number | null;
    /** Why the last verification failed, a sentence. */
    domain_error: string | null;
    /** Since when the domain is not proven: since it was set or verification was last asked for, or since its record is missing. */
    domain_failing_since: number | null;
    /** When the domain is verified next; null without one. */
    domain_next_at: number | null;
    /** JSON of the 'brand' object of the API. */
    brand: string;
    /** 1 while only the team sees it. */
    draft: number;
    /** JSON object: media type and SHA-256 (base64url) of each image, by its name, such as 'logo'. */
    images: Generated<string>;
    created_at: number;
    updated_at: number;
  };
  status_page_image: {
    page_id: number;
    /** logo, logo_dark, favicon or social_image. */
    name: string;
    bytes: Uint8Array;
  };
  status_page_group: {
    id: Generated<number>;
    page_id: number;
    position: number;
    name: string;
  };
  status_page_service: {
    page_id: number;
    monitor_id: number;
    /** Place on the page. */
    position: number;
    /** Place in the list as it was sent. */
    list_position: Generated<number>;
    group_id: number | null;
    /** Name on this page; null for that of the monitor. */
    label: string | null;
    /** bar, figure or response_time. */
    display: string;
    /** JSON of 'show_automatic' of the API; null for that of the page. */
    show_automatic: string | null;
  };
  announcement: {
    id: Generated<number>;
    team_id: number;
    /** incident or maintenance. */
    kind: string;
    /** automatic (from incidents), window (from a maintenance window) or person. */
    origin: string;
    /** Null for a title made of the affected services. */
    title: string | null;
    /** none, minor, major or critical. */
    impact: string;
    /** investigating, identified, monitoring or resolved; of maintenance scheduled, in_progress or completed. */
    state: string;
    /** Beginning of the incident, or planned beginning of the maintenance. */
    started_at: number;
    ended_at: number | null;
    /** Planned end of maintenance. */
    planned_until: number | null;
    /** Maintenance window and the beginning of its occurrence. */
    window_id: number | null;
    window_from: number | null;
    /** Markdown subset; shown once 'post_mortem_at' is set. */
    post_mortem: string | null;
    post_mortem_at: number | null;
    /** Person that wrote it or changed its title, impact, services or pages: the publisher leaves these alone. */
    person_id: number | null;
    /** A deleted one is on no page. Its row keeps the publisher from announcing the same again. */
    deleted_at: number | null;
    created_at: number;
    updated_at: number;
  };
  announcement_page: {
    announcement_id: number;
    page_id: number;
    shown_at: number;
  };
  announcement_service: {
    announcement_id: number;
    monitor_id: number;
  };
  announcement_incident: {
    incident_id: number;
    announcement_id: number;
  };
  announcement_update: {
    id: Generated<number>;
    announcement_id: number;
    state: string;
    /** Markdown subset; null for an automatic update in words of the page's language. */
    body: string | null;
    /** JSON array of ids of the pages that show it. */
    status_pages: string;
    person_id: number | null;
    /** The time that visitors see. */
    shown_at: number;
    edited_at: number | null;
    deleted_at: number | null;
    created_at: number;
  };
  announcement_update_version: {
    update_id: number;
    /** From 1. */
    number: number;
    state: string;
    body: string | null;
    status_pages: string;
    /** Who replaced it. */
    person_id: number | null;
    /** When it was replaced. */
    at: number;
  };
  update_template: {
    id: Generated<number>;
    team_id: number;
    name: string;
    title: string | null;
    state: string;
    text: string;
    created_at: number;
    updated_at: number;
  };
  wall: {
    id: Generated<number>;
    team_id: number;
    name: string;
    created_at: number;
    updated_at: number;
  };
  subscriber: {
    id: Generated<number>;
    page_id: number;
    /** email, slack, microsoft_teams, webhook or sms. */
    kind: string;
    /** Sealed: a mail address, a URL or a phone number. */
    address: string;
    /** Keyed hash of the address, by which it is found. */
    address_hash: string;
    /** JSON array of ids; empty for the whole page. */
    monitors: string;
    /** Queue of a subscriber by other ways than e-mail. */
    destination_id: number | null;
    confirmed_at: number | null;
    /** End of the confirmation link; null for one that needs none. */
    confirm_until: number | null;
    /** Why the system ended it, a sentence; null while it is active. */
    ended_reason: string | null;
    /** Person of the team that added it; null for visitors. */
    created_by: number | null;
    /** Sealed; signs what a webhook subscriber gets. */
    signing_secret: string | null;
    /** Mails in a row that its mail server refused for good. */
    refusals: Generated<number>;
    /** Mails or text messages about updates since the hour began that ends at 'mails_until'. */
    mails: Generated<number>;
    mails_until: number | null;
    /** When one mail lists the updates that were held back as too many; null for none. */
    digest_at: number | null;
    created_at: number;
    updated_at: number;
  };
  mailing: {
    id: Generated<number>;
    page_id: number;
    update_id: number;
    /** Id of the last subscriber that was served. */
    position: number;
    /** When its next batch is due; null when all were served. */
    next_at: number | null;
    created_at: number;
  };
  report: {
    id: Generated<number>;
    team_id: number;
    name: string;
    /** JSON array of ids. */
    monitors: string;
    /** Without a foreign key: a report about a deleted group covers nothing, rather than the whole team. */
    group_id: number | null;
    /** JSON array of texts. */
    tags: string;
    /** last_7_days, last_30_days, last_90_days or last_month. */
    period: string;
    /** none, weekly or monthly. */
    frequency: string;
    /** JSON array of e-mail addresses. */
    recipients: string;
    /** JSON array of e-mail addresses in lower case that unsubscribed. */
    unsubscribed: Generated<string>;
    /** IANA name. */
    timezone: string;
    /** Code of a language of reports, such as 'en'. */
    language: string;
    /** Page whose logo the PDF shows. */
    status_page_id: number | null;
    /** When the next mail is due; null without a frequency. */
    next_at: number | null;
    created_at: number;
    updated_at: number;
  };
  report_run: {
    id: Generated<number>;
    report_id: number;
    team_id: number;
    /** 1 when its recipients get it by mail. */
    is_mailed: number;
    /** Period, format and language, JSON. */
    options: string;
    /** queued, running, done or failed. */
    status: string;
    /** 0 to 100. */
    progress: number;
    /** Why it failed, a sentence. */
    error: string | null;
    /** Times that the process which made it, or the child that drew its file, ended during it. */
    crashes: Generated<number>;
    /** Incremented by each process that claims the run. */
    claim: Generated<number>;
    /** When it is claimed next, also by the lease of a process that died; null once it has ended. */
    next_at: number | null;
    file_type: string | null;
    file_name: string | null;
    file: Uint8Array | null;
    created_at: number;
    ended_at: number | null;
    expires_at: number;
  };
  status_page_change: {
    id: Generated<number>;
    /** May be the id of a deleted page. */
    page_id: number;
    /** By the database's clock. */
    at: Generated<number>;
  };
  live_change: {
    id: Generated<number>;
    team_id: number;
    /** status, incident, monitor, maintenance or settings. */
    kind: string;
    /** What happened to an incident or monitor, or which settings changed. */
    change: string;
    monitor_id: number | null;
    /** Incident, maintenance window or other object that changed. */
    subject_id: number | null;
    /** By the database's clock. */
    at: Generated<number>;
    /** Id of the transaction on Postgres; 0 on SQLite. */
    txid: Generated<number>;
  };
  ping_alias: {
    id: Generated<number>;
    /** SHA-256 of the address in its one spelling, in hex. It is a secret, and nobody needs to read it again. */
    token_hash: string;
    monitor_id: number;
    /** One of ALIAS_SERVICES of engine/heartbeat/aliases.ts. */
    service: string;
    created_at: number;
    /** Newest call, within the hour; null before the first. */
    last_used_at: number | null;
  };
  configuration_set: {
    id: Generated<number>;
    team_id: number;
    name: string;
    created_at: number;
    /** When it was last applied, and by whom: a name and an e-mail address. */
    applied_at: number;
    applied_by: string;
  };
  configuration_item: {
    set_id: number;
    /** Kind of the thing as in the audit log, and its key in the set. */
    kind: string;
    key: string;
    /** Its id; nothing is there any more where it was deleted. */
    resource_id: number;
    /** JSON of its fields as the set left them, without secrets. */
    applied: string;
  };
  imported_days: {
    monitor_id: number;
    /** Name of the service that observed them. */
    source: string;
    /** JSON array of '[day, up, down]': the date as days since 1970, and seconds. */
    days: string;
    /** The newest of them, as days since 1970. */
    last_day: number;
  };
}
