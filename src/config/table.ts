import {
  apiToken,
  baseUrl,
  emailAddress,
  hostName,
  hostsAndPorts,
  mailAddress,
  minutes,
  oneOf,
  password,
  singleLineText,
  postgresUrl,
  proxyRule,
  smtpUrl,
  trueOrFalse,
  wholeNumber,
} from '../lib/setting-types.ts';
import type { SettingType } from '../lib/setting-types.ts';
import {
  allRoles,
  nameServers,
  regionCodes,
  regionList,
  requestsPerMinute,
  secretKeys,
  targetRule,
} from './types.ts';

export interface Setting<T> {
  name: string;
  type: SettingType<T>;
  /** What the documentation says it is when unset. */
  default: string;
  /** Its value when unset. */
  unset: () => T;
  meaning: string;
  /** Its text never appears in an error. */
  secret: boolean;
}

const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Every setting there is. The tables of README.md and docs/configuration.md are generated from here. */
export const TABLE = {
  host: setting('HOST', hostName(), '0.0.0.0', 'The address to listen on.'),
  port: setting(
    'PORT',
    wholeNumber(0, 65535),
    '3000',
    'The TCP port to listen on; 0 picks a free one and logs it.',
  ),
  baseUrl: optional(
    'BASE_URL',
    baseUrl(),
    'http://localhost:PORT',
    'The public address, as it stands in ping URLs and links.',
  ),
  dataDir: setting(
    'DATA_DIR',
    singleLineText(4096),
    './data',
    'The folder of the embedded SQLite database and of the generated secret key.',
  ),
  databaseUrl: secret(
    optional(
      'DATABASE_URL',
      postgresUrl(),
      'unset: embedded SQLite',
      'A Postgres (15 or newer) to use instead. Several processes may then run beside each other and share the monitors.',
    ),
  ),
  roles: setting(
    'ROLES',
    allRoles(),
    'all',
    'What this process does. Only `all` can be honoured so far: roles apart come with the message bus.',
  ),
  regions: setting(
    'REGIONS',
    regionList(),
    'ash,pdx,nbg,sin',
    'The regions of the installation: `name` or `name=Title`.',
  ),
  probeRegions: optional(
    'PROBE_REGIONS',
    regionCodes(),
    'REGIONS',
    'The regions this process probes for. On one machine they all share one vantage point, VANTAGE_NAME.',
  ),
  vantageName: optional(
    'VANTAGE_NAME',
    singleLineText(60),
    "the host's name",
    'Where this process probes from. Regions that share a vantage point are reported under its name, as one place.',
  ),
  probeWorkers: setting('PROBE_WORKERS', wholeNumber(1, 64), '1', 'Probe child processes.'),
  selfCheckTargets: optional(
    'SELF_CHECK_TARGETS',
    hostsAndPorts(10),
    'unset: nothing is checked',
    'TCP ports that always answer, such as `192.0.2.1:53,example.com:443`. A region from which none of them answers has a broken network, and its failures do not count unless other targets answer. Without it that is judged from failures that come together.',
  ),
  adminEmail: optional(
    'ADMIN_EMAIL',
    emailAddress(),
    'unset',
    'The owner, created at first start.',
  ),
  adminPassword: secret(
    optional(
      'ADMIN_PASSWORD',
      password(),
      'unset: a set-up link is printed at first start',
      "The owner's password, set at first start; it is changed in the dashboard or by `npm run tocsin -- user reset-password`.",
    ),
  ),
  teamName: optional(
    'TEAM_NAME',
    singleLineText(100),
    'unset',
    "The owner's team, created at first start.",
  ),
  adminToken: secret(
    optional(
      'ADMIN_TOKEN',
      apiToken(),
      'unset: one is made at first start, and printed this once',
      'An API token of the owner with all permissions, as given, for automation. A changed value replaces it.',
    ),
  ),
  secretKeys: secret(
    optional(
      'SECRET_KEY',
      secretKeys(),
      'generated once into DATA_DIR',
      'Encrypts stored credentials. Required with DATABASE_URL. A comma list rotates: the first encrypts, all decrypt.',
    ),
  ),
  openSignup: setting(
    'OPEN_SIGNUP',
    trueOrFalse(),
    'false',
    'Whether anybody may register and make a team. Without it people join by invitation.',
  ),
  plansFile: optional(
    'PLANS_FILE',
    singleLineText(4096),
    'unset: everything, without limit',
    'Path of a JSON file of plans: what teams may use, and how much of it.',
  ),
  allowHttpWebhooks: setting(
    'ALLOW_HTTP_WEBHOOKS',
    trueOrFalse(),
    'false',
    'Whether webhooks and channels may have `http://` addresses.',
  ),
  smtpUrl: secret(
    optional(
      'SMTP_URL',
      smtpUrl(),
      'unset: no mail is sent',
      'The mail server, such as `smtps://user:password@mail.example.com`. Without it links are shown to whoever may copy them.',
    ),
  ),
  mailFrom: optional(
    'MAIL_FROM',
    mailAddress(),
    'Tocsin <tocsin@ the host of BASE_URL>',
    'The sender of mails: an address, or `Name <address>`.',
  ),
  oidcIssuer: optional(
    'OIDC_ISSUER',
    baseUrl(),
    'unset',
    'Sign-in by OpenID Connect: the issuer, where `/.well-known/openid-configuration` is found. Its redirect address is BASE_URL/api/auth/callback/oidc.',
  ),
  oidcClientId: optional('OIDC_CLIENT_ID', singleLineText(500), 'unset', 'Our name at the issuer.'),
  oidcClientSecret: secret(
    optional('OIDC_CLIENT_SECRET', singleLineText(500), 'unset', 'Our secret at the issuer.'),
  ),
  oidcName: setting(
    'OIDC_NAME',
    singleLineText(60),
    'Single sign-on',
    'What the button of OpenID Connect says.',
  ),
  githubClientId: optional(
    'GITHUB_CLIENT_ID',
    singleLineText(500),
    'unset',
    'Sign-in by GitHub. The redirect address of the OAuth app is BASE_URL/api/auth/callback/github.',
  ),
  githubClientSecret: secret(
    optional('GITHUB_CLIENT_SECRET', singleLineText(500), 'unset', "The OAuth app's secret."),
  ),
  googleClientId: optional(
    'GOOGLE_CLIENT_ID',
    singleLineText(500),
    'unset',
    'Sign-in by Google. The redirect address of the client is BASE_URL/api/auth/callback/google.',
  ),
  googleClientSecret: secret(
    optional('GOOGLE_CLIENT_SECRET', singleLineText(500), 'unset', "The client's secret."),
  ),
  allowPrivateTargets: optional(
    'ALLOW_PRIVATE_TARGETS',
    targetRule(),
    'true; false when OPEN_SIGNUP is true',
    'Whether monitors may aim at loopback and private addresses, or at which. Link-local (cloud metadata), multicast, unspecified, broadcast and reserved ranges are refused unless a CIDR names them.',
  ),
  dnsServers: optional(
    'DNS_SERVERS',
    nameServers(),
    "the system's",
    'Name servers for checks, `dns` sub-checks, webhooks and channels, such as `192.0.2.53,[2001:db8::53]:5353`.',
  ),
  rdapBootstrapFile: optional(
    'RDAP_BOOTSTRAP_FILE',
    singleLineText(4096),
    'unset: the list that comes along',
    "Path of a copy of IANA's list of RDAP servers (https://data.iana.org/rdap/dns.json), for `domain` checks to use instead.",
  ),
  defaultCheckInterval: optional(
    'DEFAULT_CHECK_INTERVAL',
    minutes(0.5, 60),
    'unset: `check_interval` is required',
    'Minutes between checks for monitors created without `check_interval`.',
  ),
  rateLimits: setting(
    'RATE_LIMITS',
    oneOf(['on', 'off']),
    'on',
    'Whether requests are limited. `off` is for load tests: the headers then always show a full budget.',
  ),
  rateLimitStandard: setting(
    'RATE_LIMIT_STANDARD',
    requestsPerMinute(),
    '120',
    'API requests per minute of one account, all its tokens together.',
  ),
  rateLimitMonitorCheck: setting(
    'RATE_LIMIT_MONITOR_CHECK',
    requestsPerMinute(),
    '20',
    'Manual checks per minute of one account; they have this budget of their own.',
  ),
  rateLimitCheckUrl: setting(
    'RATE_LIMIT_CHECK_URL',
    requestsPerMinute(),
    '20',
    'Calls of `GET /check-url` per minute of one account; they have this budget of their own.',
  ),
  rateLimitWebhookTest: setting(
    'RATE_LIMIT_WEBHOOK_TEST',
    requestsPerMinute(),
    '10',
    'Tests of webhook endpoints per minute of one account; they have this budget of their own.',
  ),
  rateLimitSession: setting(
    'RATE_LIMIT_SESSION',
    requestsPerMinute(),
    '600',
    'API requests per minute of one session of the dashboard, instead of RATE_LIMIT_STANDARD.',
  ),
  rateLimitAuth: setting(
    'RATE_LIMIT_AUTH',
    requestsPerMinute(),
    '10',
    'Requests to `/api/auth` (signing in and out) per minute, of one client address and for one e-mail address.',
  ),
  rateLimitAuthHour: setting(
    'RATE_LIMIT_AUTH_HOUR',
    requestsPerMinute(),
    '60',
    'Attempts to sign in per hour for one e-mail address, whoever makes them.',
  ),
  rateLimitAnonymous: setting(
    'RATE_LIMIT_ANONYMOUS',
    requestsPerMinute(),
    '120',
    'API requests per minute without a valid token, of one client address.',
  ),
  rateLimitPing: setting(
    'RATE_LIMIT_PING',
    requestsPerMinute(),
    '120',
    'Pings per minute of one ping URL. Calls that fit no ping URL have the same limit, by client address.',
  ),
  rawRetentionDays: setting(
    'RAW_RETENTION_DAYS',
    wholeNumber(1, 3650),
    '3',
    'Days for which single results are kept.',
  ),
  rollupRetentionDays: setting(
    'ROLLUP_RETENTION_DAYS',
    wholeNumber(1, 3650),
    '400',
    'Days for which hourly and daily summaries are kept; not below RAW_RETENTION_DAYS.',
  ),
  auditRetentionDays: setting(
    'AUDIT_RETENTION_DAYS',
    wholeNumber(1, 3650),
    '400',
    'Days for which the audit log is kept.',
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    proxyRule(),
    'false',
    'Whose `X-Forwarded-*` headers are believed. Set it behind a reverse proxy, and only there.',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    oneOf(LOG_LEVELS),
    'info',
    'The least urgent lines that are logged.',
  ),
};

export type Settings = { [Key in keyof typeof TABLE]: ReturnType<(typeof TABLE)[Key]['unset']> };

function setting<T>(
  name: string,
  type: SettingType<T>,
  otherwise: string,
  meaning: string,
): Setting<T> {
  const unset = (): T => type.parse(otherwise);
  return { name, type, default: otherwise, unset, meaning, secret: false };
}

function optional<T>(
  name: string,
  type: SettingType<T>,
  otherwise: string,
  meaning: string,
): Setting<T | null> {
  return { name, type, default: otherwise, unset: () => null, meaning, secret: false };
}

function secret<T>(entry: Setting<T>): Setting<T> {
  return { ...entry, secret: true };
}
