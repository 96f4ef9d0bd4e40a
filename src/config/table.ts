import * as types from './types.ts';

export interface Setting<T> {
  name: string;
  type: types.SettingType<T>;
  default: string;
  unset: () => T;
  meaning: string;
  /** True when errors must not show the value. */
  secret: boolean;
}

const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;

/** All settings. The tables in README.md and docs/configuration.md are generated from this one. */
export const TABLE = {
  host: setting('HOST', types.hostName(), '0.0.0.0', 'Address to listen on.'),
  port: setting(
    'PORT',
    types.wholeNumber(0, 65535),
    '3000',
    'TCP port to listen on; 0 picks a free port and logs it.',
  ),
  baseUrl: optional(
    'BASE_URL',
    types.baseUrl(),
    'http://localhost:PORT',
    'Public URL of the installation, used in ping URLs and links.',
  ),
  dataDir: setting(
    'DATA_DIR',
    types.singleLineText(4096),
    './data',
    'Folder of the embedded SQLite database, the generated secret key and the secrets of the first start.',
  ),
  databaseUrl: secret(
    optional(
      'DATABASE_URL',
      types.postgresUrl(),
      'unset: embedded SQLite',
      'URL of a Postgres database (15 or newer) to use instead of SQLite. Several processes can then share the monitors.',
    ),
  ),
  databasePreparedStatements: setting(
    'DATABASE_PREPARED_STATEMENTS',
    types.trueOrFalse(),
    'true',
    'Lets connections to Postgres keep frequent statements parsed and planned. Set it to false behind a pooler that does not support them, such as PgBouncer before 1.21 in transaction mode.',
  ),
  roles: setting(
    'ROLES',
    types.roleList(),
    'all',
    'Roles of this process: `api` answers requests and receives pings, `scheduler` decides when to check and records results, `worker` sends messages and makes reports, `probe` checks. See [Several processes](#several-processes).',
  ),
  natsUrls: secret(
    optional(
      'NATS_URL',
      types.natsUrls(),
      'unset: no message bus',
      'NATS servers over which probes on other machines are reached. The first URL may hold a user and a password.',
    ),
  ),
  natsCredentials: secret(
    optional(
      'NATS_CREDENTIALS',
      types.natsCredentials(),
      'unset',
      'Content of a .creds file (JWT and nkey) to authenticate with at NATS.',
    ),
  ),
  natsNkey: secret(
    optional(
      'NATS_NKEY',
      types.nkeySeed(),
      'unset',
      'Seed of an nkey to authenticate with at NATS.',
    ),
  ),
  natsTlsCa: optional(
    'NATS_TLS_CA',
    types.pem('CERTIFICATE'),
    "unset: the system's",
    'Certificates that those of the NATS servers are checked against.',
  ),
  natsTlsCert: optional(
    'NATS_TLS_CERT',
    types.pem('CERTIFICATE'),
    'unset',
    'Certificate of this process for NATS.',
  ),
  natsTlsKey: secret(
    optional('NATS_TLS_KEY', types.pem('PRIVATE KEY'), 'unset', 'Private key of NATS_TLS_CERT.'),
  ),
  probeKeys: secret(
    optional(
      'PROBE_KEY',
      types.probeKeys(),
      'unset: derived from SECRET_KEY',
      'Keys of the regions of a process that is a probe only, joined by commas: `npm run tocsin -- probe key REGION` prints them.',
    ),
  ),
  regions: setting(
    'REGIONS',
    types.regionList(),
    'ash,pdx,nbg,sin',
    'Regions of the installation: `name` or `name=Title`.',
  ),
  privateRegions: optional(
    'PRIVATE_REGIONS',
    types.privateRegionList(),
    'unset: none',
    'Regions that belong to one team each: `name:TEAM_ID` or `name:TEAM_ID=Title`. Needs NATS_URL. See [A private region](deployment.md#a-private-region).',
  ),
  probeRegions: optional(
    'PROBE_REGIONS',
    types.regionCodes(),
    'REGIONS',
    'Regions this process probes for; those of PROBE_KEY where it is set. On one machine they share one vantage point, VANTAGE_NAME.',
  ),
  regionKeyVersions: optional(
    'REGION_KEY_VERSIONS',
    types.regionKeyVersions(),
    'unset: the first of each',
    'Versions of the keys of regions, such as `sin=2`; the other versions are withdrawn. See [Withdrawing the key of a region](#withdrawing-the-key-of-a-region).',
  ),
  probeHostName: optional(
    'VANTAGE_NAME',
    types.singleLineText(60),
    "the host's name",
    'Name of the place this process probes from. Regions that share a vantage point are reported as one place, under this name.',
  ),
  probeWorkers: setting(
    'PROBE_WORKERS',
    types.wholeNumber(1, 64),
    '1',
    'Number of child processes that check. A process that is a probe only checks by itself: start more of them instead.',
  ),
  selfCheckTargets: optional(
    'SELF_CHECK_TARGETS',
    types.hostsAndPorts(10),
    'unset: nothing is checked',
    'TCP ports that always answer, such as `192.0.2.1:53,example.com:443`. When none of them answers, the region has a broken network and its failures do not count unless other targets answer. Unset, broken networks are detected from simultaneous failures.',
  ),
  adminEmail: optional(
    'ADMIN_EMAIL',
    types.emailAddress(),
    'unset',
    'E-mail address of the owner, created at first start.',
  ),
  adminPassword: secret(
    optional(
      'ADMIN_PASSWORD',
      types.password(),
      'unset: the first start creates a set-up link',
      "The owner's password, set at first start. Change it later in the dashboard or with `npm run tocsin -- user reset-password`.",
    ),
  ),
  teamName: optional(
    'TEAM_NAME',
    types.singleLineText(100),
    'unset',
    "Name of the owner's team, created at first start.",
  ),
  adminToken: secret(
    optional(
      'ADMIN_TOKEN',
      types.apiToken(),
      'unset: the first start creates a token',
      'API token of the owner with all permissions, for automation. A changed value replaces the former one.',
    ),
  ),
  secretKeys: secret(
    optional(
      'SECRET_KEY',
      types.secretKeys(),
      'generated once into DATA_DIR',
      'Encrypts stored credentials. Required with DATABASE_URL. To rotate, set a comma-separated list: the first key encrypts, all decrypt.',
    ),
  ),
  allowMissingKeys: setting(
    'ALLOW_MISSING_KEYS',
    types.trueOrFalse(),
    'false',
    'Starts although SECRET_KEY lacks a key that stored secrets need. These stay unreadable until they are entered again or the key is back.',
  ),
  paused: setting(
    'PAUSED',
    types.trueOrFalse(),
    'false',
    'Starts without checking anything and without sending anything, to look at a restored backup. `npm start -- --paused` does the same.',
  ),
  openSignup: setting(
    'OPEN_SIGNUP',
    types.trueOrFalse(),
    'false',
    'Lets anybody register and create a team. Otherwise people join by invitation. Read the checklist in docs/security.md first.',
  ),
  plansFile: optional(
    'PLANS_FILE',
    types.singleLineText(4096),
    'unset: everything without limit; with OPEN_SIGNUP 50 monitors, 10 of one host, every minute',
    'Path of a JSON file of plans, the features and limits of teams.',
  ),
  allowHttpWebhooks: setting(
    'ALLOW_HTTP_WEBHOOKS',
    types.trueOrFalse(),
    'false',
    'Allows `http://` URLs for webhooks and channels.',
  ),
  smtpUrl: secret(
    optional(
      'SMTP_URL',
      types.smtpUrl(),
      'unset: no mail is sent',
      'Mail server, such as `smtps://user:password@mail.example.com`. Unset, links are shown for copying instead of mailed.',
    ),
  ),
  mailFrom: optional(
    'MAIL_FROM',
    types.mailAddress(),
    'Tocsin <tocsin@ the host of BASE_URL>',
    'Sender of mails: an address, or `Name <address>`.',
  ),
  oidcIssuer: optional(
    'OIDC_ISSUER',
    types.baseUrl(),
    'unset',
    'Issuer for sign-in by OpenID Connect, without `/.well-known/openid-configuration`. Register the redirect URL BASE_URL/api/auth/callback/oidc there.',
  ),
  oidcClientId: optional(
    'OIDC_CLIENT_ID',
    types.singleLineText(500),
    'unset',
    'Client ID registered with the issuer.',
  ),
  oidcClientSecret: secret(
    optional(
      'OIDC_CLIENT_SECRET',
      types.singleLineText(500),
      'unset',
      'Client secret registered with the issuer.',
    ),
  ),
  oidcName: setting(
    'OIDC_NAME',
    types.singleLineText(60),
    'Single sign-on',
    'Label of the OpenID Connect sign-in button.',
  ),
  githubClientId: optional(
    'GITHUB_CLIENT_ID',
    types.singleLineText(500),
    'unset',
    'Client ID of a GitHub OAuth app, for sign-in by GitHub. Its redirect URL is BASE_URL/api/auth/callback/github.',
  ),
  githubClientSecret: secret(
    optional(
      'GITHUB_CLIENT_SECRET',
      types.singleLineText(500),
      'unset',
      'Client secret of the GitHub OAuth app.',
    ),
  ),
  googleClientId: optional(
    'GOOGLE_CLIENT_ID',
    types.singleLineText(500),
    'unset',
    'Client ID of a Google OAuth client, for sign-in by Google. Its redirect URL is BASE_URL/api/auth/callback/google.',
  ),
  googleClientSecret: secret(
    optional(
      'GOOGLE_CLIENT_SECRET',
      types.singleLineText(500),
      'unset',
      'Client secret of the Google OAuth client.',
    ),
  ),
  allowPrivateTargets: optional(
    'ALLOW_PRIVATE_TARGETS',
    types.targetRule(),
    'true; false when OPEN_SIGNUP is true',
    'Allows loopback and private addresses as targets: all, none, or a list. Link-local (cloud metadata), multicast, unspecified, broadcast and reserved ranges are refused unless a CIDR names them.',
  ),
  dnsServers: optional(
    'DNS_SERVERS',
    types.nameServers(),
    "the system's",
    'Name servers for checks, `dns` sub-checks, webhooks and channels, such as `192.0.2.53,[2001:db8::53]:5353`.',
  ),
  rdapBootstrapFile: optional(
    'RDAP_BOOTSTRAP_FILE',
    types.singleLineText(4096),
    'unset: the bundled list',
    "Path of a copy of IANA's list of RDAP servers (https://data.iana.org/rdap/dns.json), used by `domain` checks instead of the bundled one.",
  ),
  defaultCheckInterval: optional(
    'DEFAULT_CHECK_INTERVAL',
    types.minutes(0.5, 60),
    'unset: `check_interval` is required',
    'Minutes between checks of monitors created without `check_interval`.',
  ),
  rateLimits: setting(
    'RATE_LIMITS',
    types.oneOf(['on', 'off']),
    'on',
    'Enforces rate limits. `off` is for load tests: the headers then always show a full budget.',
  ),
  rateLimitStandard: setting(
    'RATE_LIMIT_STANDARD',
    types.requestsPerMinute(),
    '120',
    'API requests per minute of one account, across all its tokens.',
  ),
  rateLimitMonitorCheck: setting(
    'RATE_LIMIT_MONITOR_CHECK',
    types.requestsPerMinute(),
    '20',
    'Manual checks per minute of one account, as a separate budget.',
  ),
  rateLimitCheckUrl: setting(
    'RATE_LIMIT_CHECK_URL',
    types.requestsPerMinute(),
    '20',
    'Calls of `GET /check-url` and of the tool `check_url` together, per minute of one account.',
  ),
  rateLimitWebhookTest: setting(
    'RATE_LIMIT_WEBHOOK_TEST',
    types.requestsPerMinute(),
    '10',
    'Tests of webhook endpoints per minute of one account, as a separate budget.',
  ),
  rateLimitSubscriberImport: setting(
    'RATE_LIMIT_SUBSCRIBER_IMPORT',
    types.requestsPerMinute(),
    '10',
    'Imports of subscribers per minute of one account, as a separate budget.',
  ),
  rateLimitToolServer: setting(
    'RATE_LIMIT_TOOL_SERVER',
    types.requestsPerMinute(),
    '60',
    'Requests to the tool server for AI assistants per minute of one account, as a separate budget.',
  ),
  rateLimitSession: setting(
    'RATE_LIMIT_SESSION',
    types.requestsPerMinute(),
    '600',
    'API requests per minute of all dashboard sessions of one person together, instead of RATE_LIMIT_STANDARD.',
  ),
  rateLimitAuth: setting(
    'RATE_LIMIT_AUTH',
    types.requestsPerMinute(),
    '10',
    'Per minute and client address: failed sign-ins for one e-mail address, requests to `/api/auth` that send a mail or come from one, and other requests to `/api/auth`. Each is counted separately.',
  ),
  rateLimitAuthHour: setting(
    'RATE_LIMIT_AUTH_HOUR',
    types.requestsPerMinute(),
    '60',
    'Failed sign-ins per hour of one client address for one e-mail address.',
  ),
  rateLimitAuthClient: setting(
    'RATE_LIMIT_AUTH_CLIENT',
    types.requestsPerMinute(),
    '60',
    'Failed sign-ins per minute of one client address, for all e-mail addresses.',
  ),
  rateLimitRegisterClient: setting(
    'RATE_LIMIT_REGISTER_CLIENT',
    types.requestsPerMinute(),
    '20',
    'Applications per hour and client address that register themselves to be connected with the tool server.',
  ),
  rateLimitRefreshToken: setting(
    'RATE_LIMIT_REFRESH_TOKEN',
    types.requestsPerMinute(),
    '60',
    'Refreshes per hour of one connection of an application. Access tokens are valid for an hour.',
  ),
  rateLimitAnonymous: setting(
    'RATE_LIMIT_ANONYMOUS',
    types.requestsPerMinute(),
    '120',
    'API requests per minute without a valid token, per client address.',
  ),
  rateLimitWeb: setting(
    'RATE_LIMIT_WEB',
    types.requestsPerMinute(),
    '1200',
    'Requests per minute outside the API, per client address: pages, their files, documents, `/healthz`, `/readyz`, `/metrics`.',
  ),
  rateLimitPing: setting(
    'RATE_LIMIT_PING',
    types.requestsPerMinute(),
    '120',
    'Pings per minute of one ping URL. Calls of unknown ping URLs have the same limit per client address.',
  ),
  watchdogPingUrl: secret(
    optional(
      'WATCHDOG_PING_URL',
      types.callUrl(),
      'unset',
      'URL of a heartbeat service, such as a ping URL of another Tocsin or of Healthchecks.io, that is called while the installation works. docs/operations.md says when it is not, and how failures are reported.',
    ),
  ),
  watchdogPingInterval: setting(
    'WATCHDOG_PING_INTERVAL',
    types.wholeNumber(10, 3_600),
    '60',
    'Seconds between calls of WATCHDOG_PING_URL.',
  ),
  operatorWebhookUrl: secret(
    optional(
      'OPERATOR_WEBHOOK_URL',
      types.callUrl(),
      'unset',
      'URL that is called when a problem of the installation itself begins and ends, also while messages wait. The owner and admins of the oldest team are notified by their channels as well.',
    ),
  ),
  rawRetentionDays: setting(
    'RAW_RETENTION_DAYS',
    types.wholeNumber(1, 3650),
    '3',
    'Days to keep individual results.',
  ),
  rollupRetentionDays: setting(
    'ROLLUP_RETENTION_DAYS',
    types.wholeNumber(1, 3650),
    '400',
    'Days to keep hourly and daily summaries; at least RAW_RETENTION_DAYS.',
  ),
  auditRetentionDays: setting(
    'AUDIT_RETENTION_DAYS',
    types.wholeNumber(1, 3650),
    '400',
    'Days to keep the audit log.',
  ),
  configDir: optional(
    'CONFIG_DIR',
    types.singleLineText(4096),
    'unset: files are applied by commands only',
    'Folder of [configuration files](configuration-files.md) that the role worker applies at its start and when they change.',
  ),
  configTeam: optional(
    'CONFIG_TEAM',
    types.singleLineText(100),
    'unset: the only team',
    'Slug of the team that the files of CONFIG_DIR describe.',
  ),
  discover: optional(
    'DISCOVER',
    types.discoveredSets(),
    'unset: nothing is discovered',
    'Creates monitors from labels of containers (`docker`) and annotations in a cluster (`kubernetes`), by the role worker. Set it on one process. See [Discovery](discovery.md).',
  ),
  discoverTeam: optional(
    'DISCOVER_TEAM',
    types.singleLineText(100),
    'unset: the only team',
    'Slug of the team that discovered monitors belong to.',
  ),
  discoverKeepHours: setting(
    'DISCOVER_KEEP_HOURS',
    types.wholeNumber(0, 8_760),
    '24',
    'Hours for which a discovered monitor is kept, paused, after its container or object has disappeared.',
  ),
  discoverDeleteHistory: setting(
    'DISCOVER_DELETE_HISTORY',
    types.trueOrFalse(),
    'false',
    'Deletes discovered monitors with their history after DISCOVER_KEEP_HOURS. Otherwise they stay, paused, for people to delete.',
  ),
  discoverMaxDeletions: setting(
    'DISCOVER_MAX_DELETIONS',
    types.wholeNumber(0, 100_000),
    '20',
    'Number of monitors and groups that may leave a discovered set at once. With more, nothing changes, and it is [a problem](operations.md#discovery-fails).',
  ),
  dockerHost: setting(
    'DOCKER_HOST',
    types.singleLineText(4096),
    'unix:///var/run/docker.sock',
    'Where discovery reaches Docker or Podman. Prefer a socket proxy that only reads.',
  ),
  dockerCertPath: optional(
    'DOCKER_CERT_PATH',
    types.singleLineText(4096),
    'unset: no TLS for `tcp://`',
    'Folder with ca.pem, cert.pem and key.pem for DOCKER_HOST.',
  ),
  kubeconfig: optional(
    'KUBECONFIG',
    types.singleLineText(4096),
    'unset: the cluster that Tocsin runs in',
    'Path of a kubeconfig for discovery; its current context counts.',
  ),
  kubernetesServiceHost: optional(
    'KUBERNETES_SERVICE_HOST',
    types.hostName(),
    'unset',
    'Set by Kubernetes in each pod, as is the next one.',
  ),
  kubernetesServicePort: setting(
    'KUBERNETES_SERVICE_PORT',
    types.wholeNumber(1, 65_535),
    '443',
    'Port of the API of the cluster.',
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    types.proxyRule(),
    'false',
    'Proxies whose `X-Forwarded-*` headers are trusted. Set it only behind a reverse proxy.',
  ),
  logLevel: setting('LOG_LEVEL', types.oneOf(LOG_LEVELS), 'info', 'Minimum level of log lines.'),
  metricsToken: secret(
    optional(
      'METRICS_TOKEN',
      types.apiToken(),
      'unset: `/metrics` needs no token, and `/metrics/monitors` is off',
      'Bearer token that Prometheus sends. Set, `/metrics` needs it too, and `/metrics/monitors` shows each monitor with its name and host.',
    ),
  ),
  slowQueryMs: setting(
    'SLOW_QUERY_MS',
    types.wholeNumber(0, 600_000),
    '1000',
    'Milliseconds from which a statement of the database is logged as slow, without its values; 0 logs none.',
  ),
};

export type Settings = { [Key in keyof typeof TABLE]: ReturnType<(typeof TABLE)[Key]['unset']> };

function setting<T>(
  name: string,
  type: types.SettingType<T>,
  otherwise: string,
  meaning: string,
): Setting<T> {
  const unset = (): T => type.parse(otherwise);
  return { name, type, default: otherwise, unset, meaning, secret: false };
}

function optional<T>(
  name: string,
  type: types.SettingType<T>,
  otherwise: string,
  meaning: string,
): Setting<T | null> {
  return { name, type, default: otherwise, unset: () => null, meaning, secret: false };
}

function secret<T>(entry: Setting<T>): Setting<T> {
  return { ...entry, secret: true };
}
