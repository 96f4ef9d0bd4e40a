/** A metric in the tables below. */
export interface MetricEntry {
  type: 'counter' | 'gauge' | 'histogram';
  labels: readonly string[];
  /** Help text, a sentence. */
  help: string;
}

const counter = <const Labels extends readonly string[]>(help: string, ...labels: Labels) =>
  ({ type: 'counter', labels, help }) as const;
const gauge = <const Labels extends readonly string[]>(help: string, ...labels: Labels) =>
  ({ type: 'gauge', labels, help }) as const;
const histogram = <const Labels extends readonly string[]>(help: string, ...labels: Labels) =>
  ({ type: 'histogram', labels, help }) as const;

/** Metrics at `/metrics`. Counters start at 0 with the process. docs/metrics.md is generated from this table. */
export const METRICS = {
  tocsin_build_info: gauge(
    'Always 1; the labels hold the versions of Tocsin and Node.',
    'version',
    'node_version',
  ),
  tocsin_installation_problem: gauge(
    'Problems of the whole installation that its operators are notified of, by kind (docs/operations.md).',
    'kind',
  ),
  tocsin_installation_evaluated_timestamp_seconds: gauge(
    'Time at which a process last evaluated the installation, at most 10 s ago while one does; 0 before the first time.',
  ),
  tocsin_oldest_due_delivery_seconds: gauge(
    'Time for which the event, alert or message that is due first has waited, at the last evaluation.',
  ),
  tocsin_clock_offset_seconds: gauge(
    "Time by which the clock of this process is ahead of the database's, at least; 0 on SQLite.",
  ),
  tocsin_watchdog_pings_total: counter(
    'Calls of WATCHDOG_PING_URL by this process: healthy or failing as they said, or unanswered.',
    'outcome',
  ),
  tocsin_monitors: gauge(
    'Monitors of all teams by type and status; paused ones have the status paused.',
    'monitor_type',
    'status',
  ),
  tocsin_incidents_open: gauge('Open incidents of all teams.', 'incident_type', 'severity'),
  tocsin_incidents_opened_total: counter(
    'Incidents that this process opened.',
    'incident_type',
    'severity',
  ),
  tocsin_incidents_ended_total: counter(
    'Incidents that this process ended.',
    'incident_type',
    'severity',
  ),
  tocsin_status_page_views_total: counter(
    'Requests for public documents of status pages by result: sent, not_modified, refused, not_found, limited, unavailable or failed.',
    'result',
  ),
  tocsin_status_page_renders_total: counter('Documents of status pages that were rendered.'),
  tocsin_status_page_render_duration_seconds: histogram('Duration of rendering a document.'),
  tocsin_status_pages_cached: gauge('Status pages that are kept in memory.'),
  tocsin_status_pages_cached_bytes: gauge('Size of their facts and documents.'),
  tocsin_status_pages_waiting: gauge('Status pages that wait to be read and rendered.'),
  tocsin_monitors_scheduled: gauge('Monitors that this process checks.'),
  tocsin_monitors_unreadable_total: counter(
    'Loads of monitors that failed: they are not checked. The log names them.',
  ),
  tocsin_checks_total: counter('Checks by their vote: up, down or unknown.', 'vote'),
  tocsin_checks_due_total: counter('Checks that came due, including those of skipped rounds.'),
  tocsin_checks_late_total: counter(
    'Checks whose first packet left more than 0.5 s after they were due, or that were skipped.',
  ),
  tocsin_check_start_lag_seconds: histogram(
    'Lateness of the first packet of a check: a DNS query, a SYN or an ICMP echo.',
  ),
  tocsin_round_start_lag_seconds: histogram('Lateness of rounds at their start.'),
  tocsin_schedule_lag_seconds: gauge('Lateness of the round that is due first.'),
  tocsin_rounds_started_total: counter('Rounds that started.'),
  tocsin_rounds_caught_up_total: counter('Rounds that made up for a missed one.'),
  tocsin_rounds_total: counter(
    'Recorded rounds by outcome: counted, stale (older settings), duplicate, gone (deleted monitor) or dropped.',
    'outcome',
  ),
  tocsin_rounds_in_flight: gauge('Rounds whose checks are running.'),
  tocsin_rounds_waiting: gauge('Finished rounds that wait to be stored.'),
  tocsin_slots_without_round_total: counter(
    'Scheduled times without a round of their own: skipped, absorbed by another round, or missed in a gap.',
    'reason',
  ),
  tocsin_clock_steps_total: counter('Times that the wall clock was set.'),
  tocsin_process_freezes_total: counter('Times that the process stood still.'),
  tocsin_probe_processes: gauge('Live probe processes.'),
  tocsin_probe_checks_running: gauge('Checks running in probe processes.'),
  tocsin_probe_checks_waiting: gauge('Checks that wait for a slot.'),
  tocsin_probe_slots: gauge('Maximum number of concurrent checks.'),
  tocsin_nats_connected: gauge('1 while NATS is connected, else 0; absent without NATS_URL.'),
  tocsin_nats_batches_sent_total: counter('Batches of checks that were sent to probes over NATS.'),
  tocsin_nats_requests_resent_total: counter(
    'Checks that were sent once more, since a probe or a message was lost.',
  ),
  tocsin_nats_requests_lost_total: counter(
    'Checks that became unknown, since no probe answered them over NATS.',
  ),
  tocsin_nats_messages_unreadable_total: counter(
    'Messages on NATS that were sealed with another key, or that nobody of this release writes.',
  ),
  tocsin_region_probes: gauge('Probes reached over NATS that take checks.', 'region'),
  tocsin_region_checks_running: gauge('Checks running at these probes.', 'region'),
  tocsin_region_checks_waiting: gauge('Checks that wait for a slot of these probes.', 'region'),
  tocsin_region_slots: gauge('Maximum number of concurrent checks of these probes.', 'region'),
  tocsin_probe_overloaded: gauge('1 while the probes of this process are overloaded, else 0.'),
  tocsin_region_quarantined: gauge(
    "1 while a region's own network is suspect and its votes do not count, else 0.",
    'region',
  ),
  tocsin_inspections_total: counter(
    'Inspections by what they inspect: ssl, dns or domain.',
    'inspection',
  ),
  tocsin_inspections_inconclusive_total: counter('Inspections without a result.'),
  tocsin_inspections_failed_total: counter('Inspections that could not be recorded.'),
  tocsin_inspections_in_progress: gauge('Inspections in progress.'),
  tocsin_pings_total: counter(
    'Pings by outcome: recorded, ignored (paused), unknown (no such URL), limited, crowded or unavailable.',
    'outcome',
  ),
  tocsin_ping_gaps_total: counter('Times in which this process took no pings.'),
  tocsin_ping_stalls_total: counter(
    'Times at which the process was late or its clock was set: no missing ping was evaluated for a moment.',
  ),
  tocsin_ping_marks_failed_total: counter('Marks that pings are taken which could not be stored.'),
  tocsin_silences_evaluated_total: counter('Evaluations of jobs that may have missed a ping.'),
  tocsin_silences_failed_total: counter('Evaluations of jobs that failed.'),
  tocsin_events_fanned_out_total: counter('Events that became alerts and deliveries.'),
  tocsin_alerts_evaluated_total: counter('Evaluations of alerts: who is notified of what.'),
  tocsin_notifier_failures_total: counter('Failures of the notifier; it tries again.'),
  tocsin_deliveries_total: counter(
    'Attempts to send to webhook endpoints and channels by outcome: delivered, postponed, failed; and deliveries that expired.',
    'outcome',
  ),
  tocsin_destinations_disabled_total: counter(
    'Webhook endpoints and channels that were disabled because they failed for too long, or are gone.',
  ),
  tocsin_destinations_in_progress: gauge(
    'Webhook endpoints, channels and mails that are being sent to.',
  ),
  tocsin_mails_total: counter(
    'Attempts to send mails by outcome: sent, postponed, refused, expired or unreadable.',
    'outcome',
  ),
  tocsin_subscriber_messages_total: counter(
    'Attempts to send updates of status pages to webhooks, channels and phones by outcome: delivered, postponed or failed.',
    'outcome',
  ),
  tocsin_subscriptions_ended_total: counter(
    'Webhooks, channels and phones whose subscription ended because they refused or failed.',
  ),
  tocsin_http_requests_total: counter(
    'Answered requests by pattern of the path and status code, without pings.',
    'method',
    'route',
    'code',
  ),
  tocsin_http_request_duration_seconds: histogram(
    'Time from a request to the end of its answer, without pings.',
    'method',
    'route',
  ),
  tocsin_event_streams_open: gauge('Event streams that clients of this process have open.'),
  tocsin_events_sent_total: counter('Events that were sent to event streams.'),
  tocsin_database_up: gauge('1 if the database answered within 2 s, else 0.'),
  tocsin_database_slow_queries_total: counter(
    'Statements that took SLOW_QUERY_MS or longer, by use: read, scan or write.',
    'use',
  ),
} as const satisfies Record<string, MetricEntry>;

export type MetricName = keyof typeof METRICS;
export type LabelOf<Name extends MetricName> = (typeof METRICS)[Name]['labels'][number];
type NamesOf<Type extends MetricEntry['type']> = {
  [Name in MetricName]: (typeof METRICS)[Name]['type'] extends Type ? Name : never;
}[MetricName];
export type CounterName = NamesOf<'counter'>;
export type GaugeName = NamesOf<'gauge'>;
export type HistogramName = NamesOf<'histogram'>;

const MONITOR_LABELS = ['monitor_id', 'monitor_name', 'monitor_type', 'host', 'team_id'] as const;

/**
 * Metrics at `/metrics/monitors`. Those named `probe_` have the names and meanings of the blackbox exporter. Hosts only: URLs
 * may contain secrets.
 */
export const MONITOR_METRICS = {
  tocsin_monitor_up: gauge(
    '1 while the monitor is online or degraded, 0 while it is offline; missing while it is pending, paused or not observed.',
    ...MONITOR_LABELS,
  ),
  tocsin_monitor_observed: gauge(
    '1 while the status of the monitor is known, 0 when its checks do not come or pings are not taken; missing while it is pending or paused.',
    ...MONITOR_LABELS,
  ),
  tocsin_monitor_last_checked_timestamp_seconds: gauge(
    'Time of the last check or ping.',
    ...MONITOR_LABELS,
  ),
  probe_success: gauge(
    'Displays whether or not the probe was a success.',
    ...MONITOR_LABELS,
    'region',
  ),
  probe_duration_seconds: gauge(
    'Returns how long the probe took to complete in seconds.',
    ...MONITOR_LABELS,
    'region',
  ),
  probe_http_status_code: gauge('Response HTTP status code.', ...MONITOR_LABELS, 'region'),
  probe_ssl_earliest_cert_expiry: gauge(
    'Returns earliest SSL cert expiry in unixtime.',
    ...MONITOR_LABELS,
  ),
} as const satisfies Record<string, MetricEntry>;

export type MonitorMetricName = keyof typeof MONITOR_METRICS;
