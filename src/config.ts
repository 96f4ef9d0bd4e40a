import { readFileSync } from 'node:fs';
import {
  Refused,
  apiToken,
  baseUrl,
  emailAddress,
  hostName,
  listOf,
  matching,
  minutes,
  network,
  oneOf,
  plainText,
  postgresUrl,
  proxyRule,
  quote,
  wholeNumber,
} from './lib/setting-types.ts';
import { readBootstrap } from './lib/rdap-bootstrap.ts';
import type { Type } from './lib/setting-types.ts';

/** The installation's settings, read once by main, which hands each stage its own part. */
export interface Config {
  /** The listen address, and its TCP port; 0 picks a free one. */
  host: string;
  port: number;
  /** Without a trailing slash; null means `http://localhost:` and the port that was listened on. */
  baseUrl: string | null;
  /** As it was given: relative to the working directory. */
  dataDir: string;
  /** A Postgres connection URL; null means SQLite in `dataDir`. */
  databaseUrl: string | null;
  regions: readonly RegionConfig[];
  /** Codes of those regions that this process probes for. */
  probeRegions: readonly string[];
  /** Child processes. */
  probeWorkers: number;
  adminEmail: string | null;
  teamName: string | null;
  adminToken: string | null;
  /** The first encrypts, all decrypt; empty means the key generated in `dataDir`. */
  secretKeys: string[];
  /** `true`, `false` or a comma list of well-formed CIDRs and addresses, for the address guard to read. */
  allowPrivateTargets: string;
  /** Path of a list of RDAP servers as IANA publishes it; null for the one that comes along. */
  rdapBootstrapFile: string | null;
  /** Minutes, for creates without `check_interval`. */
  defaultCheckInterval: number | null;
  /** Whether requests are counted against the limits below. */
  rateLimits: 'on' | 'off';
  /** Requests per minute. */
  rateLimitStandard: number;
  rateLimitMonitorCheck: number;
  rateLimitCheckUrl: number;
  rateLimitAnonymous: number;
  rateLimitPing: number;
  /** Whole days. */
  rawRetentionDays: number;
  rollupRetentionDays: number;
  /** Whether, how many hops deep, or from which addresses, forwarded client addresses are believed. */
  trustProxy: boolean | number | string[];
  logLevel: LogLevel;
}

export interface RegionConfig {
  code: string;
  /** What people see, such as `Ashburn`. */
  title: string;
}

interface Setting<T> {
  name: string;
  type: Type<T>;
  /** What the documentation says it is when unset. */
  default: string;
  /** Its value when unset. */
  unset: () => T;
  meaning: string;
  /** Its text never appears in an error. */
  secret: boolean;
}

const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

const ROLES = ['api', 'scheduler', 'worker', 'probe'];

const REGION_TITLES: Record<string, string> = {
  ash: 'Ashburn',
  pdx: 'Portland',
  nbg: 'Nuremberg',
  sin: 'Singapore',
};

/** Every setting there is. The tables of README.md and docs/configuration.md are generated from here. */
const TABLE = {
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
    plainText(4096),
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
    'Those that this process probes for. On one machine all of them are the same one vantage point.',
  ),
  probeWorkers: setting('PROBE_WORKERS', wholeNumber(1, 64), '1', 'Probe child processes.'),
  adminEmail: optional(
    'ADMIN_EMAIL',
    emailAddress(),
    'unset',
    'The owner, created at first start.',
  ),
  teamName: optional(
    'TEAM_NAME',
    plainText(100),
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
  allowPrivateTargets: setting(
    'ALLOW_PRIVATE_TARGETS',
    targetRule(),
    'true',
    'Whether monitors may aim at loopback and private addresses, or at which. Link-local (cloud metadata), multicast, unspecified, broadcast and reserved ranges are refused unless a CIDR names them.',
  ),
  rdapBootstrapFile: optional(
    'RDAP_BOOTSTRAP_FILE',
    plainText(4096),
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

type Settings = { [Key in keyof typeof TABLE]: ReturnType<(typeof TABLE)[Key]['unset']> };

/** One line of the documentation's table. */
export interface SettingDescription {
  name: string;
  allowed: string;
  default: string;
  meaning: string;
}

/** Every setting in the order of the table, for the documentation. */
export function describeSettings(): SettingDescription[] {
  return Object.values(TABLE).map(({ name, type, default: shown, meaning }) => ({
    name,
    allowed: type.allowed,
    default: shown,
    meaning,
  }));
}

/**
 * Reads all settings from the environment. The errors are all there are, each one line that says what is wrong and
 * what is allowed. An empty value counts as unset; `NAME_FILE` names a file that holds the value of `NAME`.
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): { config: Config; errors?: never } | { config?: never; errors: string[] } {
  const errors: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries<Setting<unknown>>(TABLE)) {
    try {
      const source = findSource(entry.name, env, readFile);
      values[key] = source === null ? entry.unset() : parse(entry, source);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      errors.push(error.message);
    }
  }
  // A key is missing where its setting was refused: what concerns several settings is judged on those that are there.
  const settings = values as Partial<Settings>;
  errors.push(...contradictions(settings), ...bootstrapProblems(settings, readFile));
  if (errors.length > 0) return { errors };
  const { roles: _, probeRegions, secretKeys: keys, ...rest } = settings as Settings;
  const codes = rest.regions.map((region) => region.code);
  return { config: { ...rest, probeRegions: probeRegions ?? codes, secretKeys: keys ?? [] } };
}

interface Source {
  text: string;
  file: string | null;
}

function findSource(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
): Source | null {
  const text = env[name]?.trim() ?? '';
  const file = env[`${name}_FILE`]?.trim() ?? '';
  if (text !== '' && file !== '') {
    throw new Refused(`${name} and ${name}_FILE are both set: keep one of them.`);
  }
  if (file === '') return text === '' ? null : { text, file: null };
  let content: string;
  try {
    content = readFile(file).trim();
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new Refused(`${name}_FILE names ${quote(file)}, which can't be read (${reason}).`);
  }
  if (content === '') throw new Refused(`${name}_FILE names ${quote(file)}, which is empty.`);
  return { text: content, file };
}

function parse<T>(entry: Setting<T>, { text, file }: Source): T {
  try {
    return entry.type.parse(text);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const mustBe = `must be ${entry.type.allowed}`;
    if (file !== null) throw new Refused(`${entry.name} (in ${quote(file)}) ${mustBe}.`);
    if (entry.secret) throw new Refused(`${entry.name} ${mustBe}.`);
    throw new Refused(`${entry.name} ${error.problem ?? `is ${quote(text)}, but ${mustBe}`}.`);
  }
}

function contradictions(settings: Partial<Settings>): string[] {
  const found: string[] = [];
  if (settings.databaseUrl && settings.secretKeys === null) {
    found.push(
      'SECRET_KEY must be set when DATABASE_URL is: all processes on one database need the same key.',
    );
  }
  const { regions, probeRegions, rawRetentionDays: raw, rollupRetentionDays: rollup } = settings;
  const codes = regions?.map((region) => region.code);
  const strangers = codes && probeRegions?.filter((code) => !codes.includes(code));
  if (strangers?.length) {
    found.push(
      `PROBE_REGIONS has ${strangers.map(quote).join(', ')}, but REGIONS has only ${codes?.join(', ')}.`,
    );
  }
  if (raw !== undefined && rollup !== undefined && rollup < raw) {
    found.push(
      `ROLLUP_RETENTION_DAYS is ${rollup}, but must not be below RAW_RETENTION_DAYS, which is ${raw}.`,
    );
  }
  return found;
}

function bootstrapProblems(
  { rdapBootstrapFile: file }: Partial<Settings>,
  readFile: (path: string) => string,
): string[] {
  if (file === undefined || file === null) return [];
  const names = `RDAP_BOOTSTRAP_FILE names ${quote(file)}, which`;
  try {
    const read = readBootstrap(readFile(file));
    return read.ok ? [] : [`${names} is not a list of RDAP servers as IANA's: it ${read.message}.`];
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    return [`${names} can't be read (${reason}).`];
  }
}

function setting<T>(name: string, type: Type<T>, otherwise: string, meaning: string): Setting<T> {
  const unset = (): T => type.parse(otherwise);
  return { name, type, default: otherwise, unset, meaning, secret: false };
}

function optional<T>(
  name: string,
  type: Type<T>,
  otherwise: string,
  meaning: string,
): Setting<T | null> {
  return { name, type, default: otherwise, unset: () => null, meaning, secret: false };
}

function secret<T>(entry: Setting<T>): Setting<T> {
  return { ...entry, secret: true };
}

function requestsPerMinute(): Type<number> {
  return wholeNumber(1, 1_000_000);
}

function allRoles(): Type<'all'> {
  return {
    allowed: 'all',
    parse(text) {
      const named = new Set(text.split(',').map((role) => role.trim()));
      if (
        text === 'all' ||
        (named.size === ROLES.length && ROLES.every((role) => named.has(role)))
      ) {
        return 'all';
      }
      if ([...named].every((role) => ROLES.includes(role))) {
        throw new Refused(
          `is ${quote(text)}, but must be all: processes with roles of their own come with the message bus. ` +
            'To share the work now, start several whole processes on one DATABASE_URL',
        );
      }
      throw new Refused();
    },
  };
}

const REGION_CODE = /^[a-z][a-z0-9-]{0,30}$/;

function regionList(): Type<RegionConfig[]> {
  const region = matching(
    'name or name=Title, the name of at most 31 lower-case letters, digits and hyphens',
    (text): RegionConfig | undefined => {
      const [, code = '', given] = /^([^=]*)(?:=(.*))?$/u.exec(text) ?? [];
      const title = given === undefined ? (REGION_TITLES[code] ?? code) : given.trim();
      const isWellFormed =
        REGION_CODE.test(code) && title !== '' && title.length <= 60 && !/\p{Cc}/u.test(title);
      return isWellFormed ? { code, title } : undefined;
    },
  );
  return listOf(region, ({ code }) => code);
}

function regionCodes(): Type<string[]> {
  const code = matching('the name of a region', (text) =>
    REGION_CODE.test(text) ? text : undefined,
  );
  return listOf(code, (one) => one);
}

function secretKeys(): Type<string[]> {
  return matching(
    'a key of 16 characters or more, or several different ones joined by commas',
    (text) => {
      const keys = text.split(',').map((key) => key.trim());
      const areDifferent = new Set(keys).size === keys.length;
      return areDifferent && keys.every((key) => key.length >= 16) ? keys : undefined;
    },
  );
}

function targetRule(): Type<string> {
  const networks = listOf(network(), (text) => text);
  return {
    allowed: 'true, false or a comma list of CIDRs such as 10.0.0.0/8 and addresses',
    parse(text) {
      if (text === 'true' || text === 'false') return text;
      if (!/[.:]/.test(text)) throw new Refused();
      return networks.parse(text).join(',');
    },
  };
}
