/** Levels at which lines are written. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

interface Entry<Level extends LogLevel, Fields extends string> {
  level: Level;
  /** Names of the fields, separated by spaces; those that end with `?` may be missing. */
  fields: Fields;
  /** What the line means, and what to do about it. */
  meaning: string;
}

function entry<const Level extends LogLevel, const Fields extends string>(
  level: Level,
  fields: Fields,
  meaning: string,
): Entry<Level, Fields> {
  return { level, fields, meaning };
}

const SERVICE = {
  'Tocsin started.': entry(
    'info',
    'version node_version pid roles database data_dir? migrations regions probe_regions vantage probe_processes nats monitors open_incidents mail_enabled rate_limits open_signup plans_file log log_level slow_query_ms metrics_url monitor_metrics docs_url?',
    'Summary of the start, of which a terminal shows some. Secrets are not among its settings. The counts are null if the database was busy.',
  ),
  'A newer release has migrated the database; this one works with it.': entry(
    'warn',
    'migrations',
    'The process is of an older release than others, or than one before it. `migrations` are those that it does not know. Upgrade it, or finish the way back.',
  ),
  'This probe takes checks.': entry(
    'info',
    'version regions vantage node_version pid',
    'A process that is a probe only is connected to NATS.',
  ),
  'Tocsin is listening.': entry('info', 'url host port', 'The server accepts requests.'),
  'Tocsin is stopping.': entry('info', 'signal', 'The process got a signal to end.'),
  'Tocsin has stopped.': entry(
    'info',
    'duration_ms uptime_seconds requests? checks rounds? pings? incidents_opened? incidents_ended? messages_sent?',
    'The process ended in order. The counts are those of this process since its start; a process that is a probe only has checks.',
  ),
  'Tocsin could not start: …': entry(
    'error',
    'error?',
    'The message goes on with the reason. The process exits.',
  ),
  'Stopping failed.': entry('error', 'error', 'The process exits; unstored data may be lost.'),
  'Stopping took too long; unstored data is lost.': entry(
    'error',
    '',
    'The process exits after 9 s. Look for a database or a disk that hangs.',
  ),
  'Log lines were left out.': entry(
    'warn',
    'message count window_seconds',
    'One message was logged more than 1,000 times in a minute; `count` further lines were not written.',
  ),
  'The limit of open files is low.': entry(
    'warn',
    'open_files checks_at_once',
    'Checks of targets that hang may make others wait. Raise the hard limit, with `ulimit -Hn` or `LimitNOFILE=` of systemd.',
  ),
  'Stored secrets need a key that SECRET_KEY does not hold.': entry(
    'warn',
    'key values',
    'They stay unreadable until they are entered again, or the key is added to SECRET_KEY after a comma.',
  ),
  'A stored secret was changed, or put in the place of another one.': entry(
    'error',
    'place owner',
    'Logged once for each place since the start. The secret is not used: enter it again, and find out who writes to the database.',
  ),
  'Tocsin is paused: it checks nothing and sends nothing.': entry(
    'warn',
    '',
    'The server was started with `PAUSED=true` or `--paused`. Restart it without to go on.',
  ),
  'Set-up is not complete: the set-up link and the API token are in a file.': entry(
    'info',
    'file ends_at',
    'The file has the secrets of the first start, and is removed once set-up is complete or the link has ended.',
  ),
  'Set-up is not complete: npm run tocsin -- setup link creates a new link.': entry(
    'warn',
    '',
    'The set-up link has ended after 24 hours, or is not stored on this machine.',
  ),
  'The file of the first start could not be written.': entry(
    'warn',
    'error file',
    'It may name a former port. The secrets in it are valid.',
  ),
  'The file of the first start could not be removed.': entry(
    'warn',
    'error file',
    'Remove it yourself: it holds an API token.',
  ),
  'The state of set-up could not be read.': entry(
    'warn',
    'error',
    'The secrets of the first start stay in their file; the next start announces them.',
  ),
  'The dashboard could not be built.': entry(
    'error',
    'error',
    'The service works without its dashboard; pages say so. The error names what is missing or wrong. Restart the service afterwards.',
  ),
  'The operator ran a command.': entry('info', 'command end', 'Its arguments are not logged.'),
  'A command of the operator failed.': entry(
    'error',
    'command error',
    'The command changed nothing.',
  ),
  'The socket of the command line could not be opened.': entry(
    'warn',
    'file reason',
    "The command line can't reach this server. Stop the server to use it.",
  ),
  'The socket of the command line failed.': entry(
    'warn',
    'error',
    'Restart the server to use the command line.',
  ),
  'The clock jumped; all rounds were rescheduled.': entry(
    'warn',
    'step_ms',
    'The clock of the machine was set. Let NTP keep it.',
  ),
  "The machine's clock is wrong; the database's is used.": entry(
    'warn',
    'offset_ms',
    "The clock differs from the database's by more than half a second. The times that this process stores follow the database's. Let NTP keep both.",
  ),
  "The database's clock could not be read; the machine's is used.": entry(
    'warn',
    'error',
    'The clocks are compared again every 5 seconds.',
  ),
  "The machine's clock is right again and is used.": entry(
    'info',
    'offset_ms',
    "It differs from the database's by less than half a second.",
  ),
  'The process was frozen; missed rounds are made up for.': entry(
    'warn',
    'late_ms',
    'The machine was suspended or out of processor time.',
  ),
};

const DATABASE = {
  'Waiting for the database.': entry(
    'warn',
    'attempt reason',
    'Tocsin tries again each second, for a minute.',
  ),
  'A query was slow.': entry(
    'warn',
    'duration_ms statement use database',
    'A statement took the database SLOW_QUERY_MS or longer; time in which this process was busy does not count. The statement holds placeholders and no values. Look for a slow disk, or a busy Postgres.',
  ),
  'The write-ahead log could not be copied into the database file.': entry(
    'warn',
    'error',
    'SQLite only. The log, tocsin.db-wal, grows until a later copy succeeds. Look for a full or failing disk, or a program that holds the file.',
  ),
  'Connections to Postgres no longer prepare statements: a pooler loses them.': entry(
    'warn',
    '',
    'The pooler hands transactions to connections that do not have them. Set DATABASE_PREPARED_STATEMENTS to false, or use a pooler that supports prepared statements. Restart to try again.',
  ),
  'Shard leases could not be renewed; checks stop when the leases expire.': entry(
    'error',
    'error',
    'The database is away. Another process that reaches it takes over.',
  ),
  'Shard leases are renewed again.': entry('info', '', 'The database is back.'),
  'Shards could not be released; other processes take them over when the leases end.': entry(
    'warn',
    'error',
    'Nothing is lost. Checks may pause for some seconds.',
  ),
  'Rate limits are counted by this process alone: the database is unavailable.': entry(
    'warn',
    'error',
    'Each process allows the whole budget until the database is back.',
  ),
  'Rate limits are shared with other processes again.': entry('info', '', 'The database is back.'),
  'The database was too busy to redate queues. This is retried.': entry(
    'warn',
    'error',
    'After the clock was set back, waiting deliveries get new times a little later.',
  ),
  'A history job could not do its work; it is tried again.': entry(
    'warn',
    'error job',
    'Summaries or the deletion of old data are late.',
  ),
};

const INCIDENTS = {
  'An incident was opened.': entry(
    'info',
    'incident_id monitor_id team_id type severity root_cause_class? started_at is_regional reported_by',
    'One line for each incident, after its transaction is committed.',
  ),
  'An incident ended.': entry(
    'info',
    'incident_id monitor_id team_id type severity root_cause_class? started_at ended_at duration_seconds reason',
    'One line for each incident. `reason`: `recovered`, `switched_off`, `changed_over` to another type, `target_changed`, or `by_hand`.',
  ),
  'An incident was reopened.': entry(
    'info',
    'incident_id monitor_id team_id type severity root_cause_class? started_at',
    'A person set a resolved incident to open.',
  ),
  'An incident was deleted.': entry(
    'info',
    'incident_id monitor_id team_id type severity root_cause_class? started_at',
    'A person deleted it. The audit log says who.',
  ),
};

const DELIVERIES = {
  'A message was sent.': entry(
    'info',
    'delivery_id alert_id? team_id? destination_kind destination_id channel_id? webhook_endpoint_id? channel_type? message_kind attempt status_code? duration_ms',
    'A channel or a webhook endpoint took it.',
  ),
  'A message could not be sent.': entry(
    'warn',
    'delivery_id alert_id? team_id? destination_kind destination_id channel_id? webhook_endpoint_id? channel_type? message_kind attempt status_code? duration_ms result reason?',
    '`result`: `postponed` is tried again for 24 h, `failed` is not.',
  ),
  'A destination started to fail.': entry(
    'warn',
    'team_id? destination_kind destination_id channel_id? webhook_endpoint_id? channel_type? reason?',
    'The first attempt that failed. What waits is tried again.',
  ),
  'A destination recovered.': entry(
    'info',
    'team_id? destination_kind destination_id channel_id? webhook_endpoint_id? channel_type? failing_since? duration_seconds?',
    'A message arrived after failed ones.',
  ),
  'A destination was disabled.': entry(
    'warn',
    'team_id? destination_kind destination_id channel_id? webhook_endpoint_id? channel_type? reason?',
    'It failed for 3 days, or is gone. Those responsible are notified. Switch it on once it works again.',
  ),
  'Messages expired unsent.': entry(
    'warn',
    'destination_kind destination_id count',
    'They waited for 24 h.',
  ),
  'A mail was sent.': entry('info', 'mail attempt', 'The mail server took it.'),
  'An update was sent to a subscriber.': entry(
    'info',
    'subscriber_id attempt',
    'A webhook or Slack channel that is subscribed to a status page took it.',
  ),
  'An update could not be sent to a subscriber.': entry(
    'warn',
    'subscriber_id attempt reason',
    'A webhook or Slack channel that is subscribed to a status page did not take it. Temporary failures are retried for 24 hours.',
  ),
  'A subscription ended.': entry(
    'warn',
    'subscriber_id reason',
    'A subscriber of a status page refused three messages in a row, answered HTTP 410, or failed for a week.',
  ),
  'Updates could not be handed to subscribers; it is tried again.': entry(
    'error',
    'error',
    'Mails and messages about updates of status pages wait.',
  ),
  'A mail could not be sent now; it is tried again.': entry(
    'warn',
    'mail attempt reason',
    'Check SMTP_URL and the mail server.',
  ),
  'A mail was refused by the mail server, and is dropped.': entry(
    'warn',
    'mail attempt reason',
    'Check MAIL_FROM and the mail server.',
  ),
  'A mail was not sent: its budget is used up.': entry(
    'info',
    'mail budget',
    'Somebody asks for too many mails. See docs/mail.md for the limits.',
  ),
  'A mail could not be sent in time, and is dropped.': entry(
    'warn',
    'mail attempt reason',
    'Check SMTP_URL and the mail server.',
  ),
  'A mail can no longer be read, and is dropped.': entry(
    'warn',
    'mail attempt reason',
    'No key of SECRET_KEY opens it. Give the former key back.',
  ),
  'A message could not be made.': entry(
    'error',
    'error destination_id',
    'A fault of Tocsin. The delivery is tried again.',
  ),
  'The outcome of a delivery could not be recorded.': entry(
    'error',
    'error destination_id',
    'The message may be sent a second time, with the same id.',
  ),
  'Deliveries could not be claimed.': entry('error', 'error', 'Messages wait until they can be.'),
  'Events could not be handed on; it is tried again.': entry(
    'error',
    'error',
    'Alerts and webhooks are late.',
  ),
  'What happened could not be handed on; one after another is tried.': entry(
    'error',
    'error',
    'One of many events has a fault. The others go on.',
  ),
  'One of them could not be handed on, and is tried again later.': entry(
    'error',
    'error',
    'The event that has the fault.',
  ),
};

const REQUESTS = {
  'A request was answered.': entry(
    'debug',
    'request_id method route status duration_ms person_id? token_id? session_id? grant_id? team_id?',
    'Each request but pings. The route is its pattern: neither ids nor query strings are logged.',
  ),
  'A request failed.': entry(
    'error',
    'error request_id method route?',
    'A fault of Tocsin, answered with 500. The answer holds the same `request_id`.',
  ),
  'A tool failed.': entry(
    'error',
    'error request_id tool',
    'A fault of Tocsin while an AI assistant called a tool. The assistant gets the same `request_id`.',
  ),
  'A ping failed.': entry(
    'error',
    'error request_id? method route kind?',
    'A fault of Tocsin, answered with 500 or 503. Ping URLs are not logged.',
  ),
  'An idempotency key could not be updated.': entry(
    'warn',
    'error request_id',
    'The request was answered. A repetition with its key finds out what it changed, after 30 seconds.',
  ),
  'A file could not be sent completely.': entry(
    'error',
    'error request_id',
    'The client got a truncated file.',
  ),
  'The last use of a token could not be recorded.': entry(
    'warn',
    'error token_id',
    '`last_used_at` is a little old.',
  ),
  'The last use of a session could not be recorded.': entry(
    'warn',
    'error session_id',
    '`last_used_at` is a little old.',
  ),
  'The last use of a grant could not be recorded.': entry(
    'warn',
    'error grant_id',
    'A connected application shows a `last_used_at` that is a little old.',
  ),
  'A password reset link could not be mailed.': entry(
    'error',
    'error',
    'The person has to ask for another one.',
  ),
  'Sign-in reported an error.': entry('warn', 'reason', 'The library for sign-in reported it.'),
  'Teams have a plan that PLANS_FILE does not hold.': entry(
    'warn',
    'plan teams default_plan',
    'They have the default plan until PLANS_FILE holds theirs, or they get another.',
  ),
};

const CHECKS = {
  'A region was quarantined: its failures do not count.': entry(
    'warn',
    'region fault reason',
    "The probe's own network is suspect. See docs/probe-health.md.",
  ),
  'The quarantine of a region ended: its failures count.': entry(
    'warn',
    'region fault',
    'Its network works again.',
  ),
  'The quarantines of regions could not be stored; it is tried again.': entry(
    'warn',
    'error',
    'Other processes learn of them later.',
  ),
  'A suspected network could not be checked.': entry(
    'error',
    'error',
    'It is suspected until another check.',
  ),
  'A target of SELF_CHECK_TARGETS is not allowed and was ignored.': entry(
    'warn',
    'target reason',
    'Allow it by ALLOW_PRIVATE_TARGETS, or name another.',
  ),
  'A problem of the installation began.': entry(
    'warn',
    'kind subject value processes reason since',
    'See docs/operations.md for each kind.',
  ),
  'A problem of the installation ended.': entry(
    'info',
    'kind subject value processes reason since',
    'It was not observed for a minute.',
  ),
  'The health of the installation could not be evaluated.': entry(
    'error',
    'error',
    'It is tried again after 5 s.',
  ),
  'The report of this process could not be deleted.': entry(
    'warn',
    'error',
    'Others ignore it after 30 s.',
  ),
  'The watchdog ping reports a failure.': entry(
    'warn',
    'reasons',
    'WATCHDOG_PING_URL is called as failing until no problem is left.',
  ),
  'The watchdog ping was not accepted.': entry(
    'warn',
    'reason',
    'The heartbeat service did not answer with 2xx. It is called again after 10 s.',
  ),
  'The watchdog ping is accepted again.': entry('info', '', 'The heartbeat service answers.'),
  'The operator webhook did not accept a message.': entry(
    'warn',
    'reason',
    'OPERATOR_WEBHOOK_URL did not answer with 2xx. It is called again after 30 s.',
  ),
  'The operator webhook accepts messages again.': entry('info', '', 'It answers with 2xx.'),
  'A call of the operator webhook could not be recorded.': entry(
    'warn',
    'error',
    'The call is repeated, with the same `webhook-id`.',
  ),
  'The probe is overloaded.': entry(
    'warn',
    'reason loads due late',
    'Checks start late. See docs/probe-load.md.',
  ),
  'The probe keeps up again.': entry('info', 'overloaded_since', 'Checks start in time.'),
  'The overload state of the probe could not be stored; retrying.': entry(
    'warn',
    'error',
    'Admins may be notified late.',
  ),
  'No probe process has started; checks are unknown until one does.': entry(
    'error',
    '',
    'Read the lines before this one.',
  ),
  'A probe process is restarted.': entry(
    'error',
    'cause delay_ms',
    'Checks that were running are unknown.',
  ),
  'The connection to NATS was lost.': entry(
    'warn',
    'server',
    'Checks by probes on other machines wait for ten seconds for the connection to return; after that they are unknown.',
  ),
  'The connection to NATS is back.': entry('info', 'server', 'Checks continue.'),
  'The connection to NATS ended.': entry(
    'error',
    'error',
    'Restart the process, and look at the log of the NATS server.',
  ),
  'NATS reports an error.': entry(
    'error',
    'error',
    'Often a missing permission: docs/deployment.md lists the subjects that servers and probes need.',
  ),
  'Waiting for NATS.': entry(
    'warn',
    'attempt reason',
    'Tocsin tries again each second, for a minute.',
  ),
  'A probe has joined.': entry(
    'info',
    'region vantage version',
    'A probe that is reached over NATS sends signs of life.',
  ),
  'A probe is of a release that this one cannot talk to.': entry(
    'error',
    'region vantage version',
    'Upgrade the older of the two: releases that follow each other understand each other.',
  ),
  'A message on NATS could not be read.': entry(
    'warn',
    'subject',
    'It was sealed with another key, or changed on its way. Look for a PROBE_KEY that does not belong to SECRET_KEY or that REGION_KEY_VERSIONS has withdrawn, and for unknown clients of the message bus.',
  ),
  'A probe process hung and was killed.': entry('error', 'pid silent_ms', 'It is restarted.'),
  'A probe process wrote to its error output.': entry(
    'warn',
    'pid line',
    'A fault of Tocsin or Node.',
  ),
  'Something failed in the probe process.': entry('error', 'error', 'A fault of Tocsin.'),
  'A probe failed.': entry(
    'error',
    'type monitor_id error',
    'A fault of Tocsin. The result is unknown.',
  ),
  'A probe did not end at its deadline.': entry(
    'error',
    'type monitor_id',
    'A fault of Tocsin. The result is unknown.',
  ),
  'The content of an answer could not be evaluated.': entry(
    'warn',
    'error? reason',
    'The result is unknown.',
  ),
  'ICMP echoes can not be sent.': entry(
    'warn',
    'family reason',
    'Monitors of type `ping` are unknown for this family of addresses (4 or 6).',
  ),
  "RDAP_BOOTSTRAP_FILE can't be used.": entry('error', 'file problem', 'The bundled list is used.'),
  "RDAP_BOOTSTRAP_FILE can't be read.": entry('error', 'file problem', 'The bundled list is used.'),
  'An inspection failed.': entry('error', 'kind error', 'A fault of Tocsin. Nothing changes.'),
  'An inspection did not end at its deadline.': entry(
    'error',
    'kind',
    'A fault of Tocsin. Nothing changes.',
  ),
  'An inspection could not be recorded.': entry(
    'error',
    'error kind target',
    'It runs again later.',
  ),
  'Inspections could not be taken up.': entry('error', 'error', 'They run once they can be.'),
  'A round could not be recorded and is lost.': entry(
    'error',
    'error monitor_id',
    'The time that it covered is unobserved.',
  ),
  'A monitor could not be read and is not checked.': entry(
    'error',
    'error monitor_id team_id',
    'Its settings or secrets are unreadable. Save the monitor again, or give the former key back.',
  ),
  'Edited monitors could not be loaded; checks continue with the last known settings.': entry(
    'error',
    'error',
    'The database is away.',
  ),
  'Edited monitors are loaded again.': entry('info', '', 'The database is back.'),
  'Maintenance windows could not be processed.': entry('error', 'error', 'They are tried again.'),
  'A maintenance window could not be processed.': entry(
    'error',
    'error window_id',
    'It is tried again later.',
  ),
  'Status pages could not be updated.': entry(
    'error',
    'error',
    'Incidents and maintenance were not announced. It is tried again.',
  ),
  'Status pages of a team could not be updated.': entry(
    'error',
    'error team_id',
    'Its incidents and maintenance were not announced. It is tried again later.',
  ),
};

const PUSH_MONITORS = {
  'Pings may have been lost in this time; no job is blamed for it.': entry(
    'info',
    'from to',
    'Tocsin was away. The time is unobserved.',
  ),
  'The clock was set back while no pings were taken; no job is blamed for it.': entry(
    'info',
    '',
    'Deadlines of that time are postponed.',
  ),
  'The database does not take the mark that pings are taken; missed pings are not evaluated until it does.':
    entry('warn', 'error', 'Missing pings are not reported until the database is back.'),
  'Error budgets could not be evaluated.': entry('error', 'error', 'It is tried again.'),
  'An error budget could not be evaluated.': entry(
    'error',
    'error monitor_id',
    'The monitor whose SLO has the fault. The others go on.',
  ),
  'Silence of jobs could not be evaluated.': entry('error', 'error', 'It is tried again.'),
  'Silence of jobs could not be evaluated together; trying one job after another.': entry(
    'error',
    'error',
    'One job has a fault. The others go on.',
  ),
  'The silence of a job could not be evaluated.': entry(
    'error',
    'error monitor_id',
    'The job that has the fault.',
  ),
};

const REPORTS = {
  'A report could not be made.': entry(
    'error',
    'error report_id',
    'It is tried again after a minute, three times in all; then its run has failed.',
  ),
  'Reports could not be made; it is tried again.': entry(
    'error',
    'error',
    'Due reports are looked for again every few seconds.',
  ),
};

const LIVE = {
  'Changes for event streams could not be read.': entry(
    'error',
    'error',
    'They are read again in a moment; no event is lost.',
  ),
} as const;

const STATUS_PAGES = {
  'Changes of status pages could not be read.': entry(
    'error',
    'error',
    'They are read again; until then pages may be a minute old.',
  ),
  'A status page could not be rendered.': entry(
    'error',
    'error status_page_id',
    'Visitors see the former version.',
  ),
  'A public document failed.': entry(
    'error',
    'error request_id',
    'A visitor of a status page got an error.',
  ),
  'A custom domain was verified.': entry(
    'info',
    'status_page_id team_id domain',
    'The status page is served there from now on.',
  ),
  'A custom domain is no longer verified.': entry(
    'warn',
    'status_page_id team_id domain',
    'Its record was missing for 3 days. The status page is no longer served there.',
  ),
  'Custom domains could not be verified.': entry(
    'error',
    'error',
    'Due verifications are tried again every few seconds.',
  ),
};

/** All messages by area, in the order of docs/logs.md. A message that ends with `…` goes on with a reason. */
export const LOG_AREAS = {
  Service: SERVICE,
  Incidents: INCIDENTS,
  'Alerts, webhooks and mails': DELIVERIES,
  Requests: REQUESTS,
  Database: DATABASE,
  Checks: CHECKS,
  'Push monitors': PUSH_MONITORS,
  'Event streams': LIVE,
  'Status pages': STATUS_PAGES,
  Reports: REPORTS,
} as const satisfies Record<string, Record<string, Entry<LogLevel, string>>>;

type Messages = typeof SERVICE &
  typeof INCIDENTS &
  typeof DELIVERIES &
  typeof REQUESTS &
  typeof DATABASE &
  typeof CHECKS &
  typeof PUSH_MONITORS &
  typeof LIVE &
  typeof STATUS_PAGES &
  typeof REPORTS;

/** A message as the source writes it. */
type Written<Key> = Key extends `${infer Head}…` ? `${Head}${string}` : Key;

type KeysAt<Level extends LogLevel> = {
  [Key in keyof Messages]: Messages[Key]['level'] extends Level ? Key : never;
}[keyof Messages];

/** Messages of that level. */
export type LogMessage<Level extends LogLevel> = Written<KeysAt<Level>>;

type KeyOf<Message> = Message extends keyof Messages
  ? Message
  : { [Key in keyof Messages]: Message extends Written<Key> ? Key : never }[keyof Messages];

type Split<Text> = Text extends `${infer Head} ${infer Rest}`
  ? Head | Split<Rest>
  : Text extends ''
    ? never
    : Text;

type Names<Message> = Split<Messages[KeyOf<Message>]['fields']>;
type Optional<Name> = Name extends `${infer Base}?` ? Base : never;
type Required<Name> = Name extends `${string}?` ? never : Name & string;

/** An entry of the tables. */
export type LogEntry = Entry<LogLevel, string>;

/** Fields of a message. */
export type LogFields<Message> = Record<Required<Names<Message>>, unknown> &
  Partial<Record<Optional<Names<Message>>, unknown>>;

/** Names among these that the message does not have. */
export type Undocumented<Message, Fields> = Exclude<
  keyof Fields,
  Required<Names<Message>> | Optional<Names<Message>>
>;

/** Fields with their meanings and units. Times are ISO 8601 in UTC. */
export const LOG_FIELDS: Readonly<Record<string, string>> = {
  alert_id: 'id of the alert; null where there is none',
  attempt: 'number of the attempt, from 1',
  budget: 'the limit of mails that is reached',
  cause: 'what ended the process',
  channel_id: 'id of the channel',
  channel_type: 'type of the channel, such as `slack`',
  checks: 'checks by this process',
  checks_at_once: 'concurrent checks of a probe process',
  command: 'name of the command',
  count: 'number of them',
  data_dir: 'DATA_DIR; missing with Postgres',
  database: '`sqlite` or `postgres`',
  default_plan: 'name of the default plan',
  delay_ms: 'milliseconds until then',
  delivery_id: 'id of the delivery',
  destination_id: 'id of the queue of a channel, an endpoint or a mail',
  destination_kind: '`channel`, `webhook` or `mail`',
  docs_url: 'URL of the API reference',
  domain: 'custom domain of a status page',
  due: 'checks that came due in the last minute',
  duration_ms: 'duration in milliseconds',
  duration_seconds: 'duration in seconds',
  end: 'how the command ended',
  ended_at: 'end of the incident',
  ends_at: 'when the link ends',
  error: 'object with `type`, `message` and `stack`',
  failing_since: 'time of the first failure',
  family: '4 or 6',
  fault: 'kind of failures that do not count',
  file: 'path of a file',
  from: 'begin of the time',
  grant_id: 'id of the grant of a connected application that called',
  host: 'address that is listened on',
  incident_id: 'id of the incident',
  incidents_ended: 'incidents that this process ended',
  incidents_opened: 'incidents that this process opened',
  is_regional: 'whether only some regions see it',
  job: 'name of the job',
  key: 'id of the key',
  kind: 'kind of the inspection, ping or problem',
  late: 'of these, how many started late or were skipped',
  late_ms: 'lateness in milliseconds',
  line: 'what it wrote',
  loads: 'load of each probe process',
  log: 'where the log goes',
  log_level: 'LOG_LEVEL',
  mail: 'kind of the mail',
  mail_enabled: 'whether SMTP_URL is set',
  message: 'the message that was left out',
  message_kind: 'kind of the message, such as `alarm` or `test`',
  messages_sent: 'messages that this process sent',
  method: 'method of the request',
  metrics_url: 'URL of the metrics',
  migrations: 'names of the migrations that ran at this start, or that this release does not know',
  monitor_id: 'id of the monitor',
  monitor_metrics: 'whether METRICS_TOKEN is set',
  monitors: 'number of monitors',
  nats: 'whether NATS_URL is set',
  node_version: 'version of Node',
  offset_ms: "milliseconds by which the machine's clock is ahead of the database's",
  open_files: 'limit of open files',
  open_incidents: 'number of open incidents',
  open_signup: 'OPEN_SIGNUP',
  overloaded_since: 'begin of the overload, epoch milliseconds',
  owner: 'what a secret belongs to: the id of a team or status page, or what identifies the row',
  person_id: 'id of the person who called',
  pid: 'id of the process',
  pings: 'pings that this process took',
  plan: 'name of the plan',
  plans_file: 'PLANS_FILE, or null',
  place: 'what a secret is, such as `monitor.auth_password`',
  port: 'TCP port',
  probe_processes: 'number of probe processes',
  probe_regions: 'regions that this process probes for',
  problem: 'what is wrong with the file',
  processes: 'names of the processes in which it was observed',
  rate_limits: 'RATE_LIMITS',
  reason: 'a code or a sentence; e-mail addresses, phone numbers and paths of URLs are removed',
  reasons: 'sentences for people',
  region: 'code of the region',
  regions: 'regions of the installation',
  report_id: 'id of the report',
  reported_by: '`checks`, or `person` for one reported by hand',
  request_id: 'id of the request, `X-Request-Id` of its answer',
  requests: 'requests that were answered, without pings',
  result: '`postponed` or `failed`',
  roles: 'ROLES',
  root_cause_class: 'code of the failure, such as `connection_refused`; null where there is none',
  rounds: 'rounds that were recorded',
  route: 'pattern of the path, such as `/api/v1/monitors/:id`',
  server: 'host and port of the NATS server',
  session_id: 'id of the session that called',
  severity: '`critical`, `warning` or `info`',
  signal: 'name of the signal',
  silent_ms: 'milliseconds without an answer',
  slow_query_ms: 'SLOW_QUERY_MS',
  since: 'when it was first observed',
  started_at: 'begin of the incident',
  statement: 'text of the statement, at most 1,000 characters',
  status: 'HTTP status of the answer',
  subject: 'region or role of a problem, empty for the whole installation; or subject on NATS',
  subscriber_id: 'id of the subscriber of a status page',
  status_code: 'HTTP status that the provider answered; null without an answer',
  status_page_id: 'id of the status page',
  step_ms: 'milliseconds that the clock was moved by',
  target: 'host and port, or domain',
  team_id: 'id of the team; null for a personal channel',
  teams: 'number of teams',
  to: 'end of the time',
  token_id: 'id of the API token that called',
  tool: 'name of the tool, such as `list_monitors`',
  type: 'type of the incident or check',
  uptime_seconds: 'time since the start of the process',
  url: 'BASE_URL',
  use: '`read`, `scan` or `write`',
  value: 'seconds, shards, milliseconds of a clock or free bytes; null without a number',
  values: 'number of values',
  vantage: 'VANTAGE_NAME',
  version: 'version of Tocsin',
  webhook_endpoint_id: 'id of the webhook endpoint',
  window_id: 'id of the maintenance window',
  window_seconds: 'time in which the lines came',
};
