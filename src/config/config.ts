import { readFileSync } from 'node:fs';
import { InvalidSetting, quote } from '../lib/setting-types.ts';
import { readBootstrap } from '../lib/rdap-bootstrap.ts';
import { TABLE, type LogLevel, type Setting, type Settings } from './table.ts';
import { regionConflicts } from './regions.ts';
import { needsDatabase, roleConflicts } from './roles.ts';
import type { PrivateRegionConfig, RegionConfig, RegionKeyVersion, Role } from './types.ts';
import type { RegionKey } from '../lib/region-keys.ts';

/** Settings of the installation, read once at start; each stage receives its own part. */
export interface Config {
  /** Listen address, and TCP port; 0 picks a free one. */
  host: string;
  port: number;
  /** Without a trailing slash; null for `http://localhost:` and the actual port. */
  baseUrl: string | null;
  /** The data folder as given; relative paths start at the working directory. */
  dataDir: string;
  /** Postgres connection URL; null for SQLite in `dataDir`. */
  databaseUrl: string | null;
  /** Whether connections to Postgres keep frequent statements parsed and planned. */
  databasePreparedStatements: boolean;
  /** What this process does; never empty. */
  roles: readonly Role[];
  /** NATS servers; null without a message bus. */
  natsUrls: readonly string[] | null;
  /** How to authenticate with them, and certificates as PEM texts. */
  natsCredentials: string | null;
  natsNkey: string | null;
  natsTlsCa: string | null;
  natsTlsCert: string | null;
  natsTlsKey: string | null;
  /** Keys of the regions of a process that is a probe only; null for all others, which derive them from the secret key. */
  probeKeys: readonly RegionKey[] | null;
  /** Regions that every team may use. */
  regions: readonly RegionConfig[];
  /** Regions of one team each; none of them is among `regions`. */
  privateRegions: readonly PrivateRegionConfig[];
  /** Regions whose first key was withdrawn. */
  regionKeyVersions: readonly RegionKeyVersion[];
  /** Codes of the regions this process probes for; empty without the role. */
  probeRegions: readonly string[];
  /** Name of the place this process probes from; null for the host name. */
  vantageName: string | null;
  /** Number of probe processes. */
  probeWorkers: number;
  /** Targets that always answer; null disables the self-check. */
  selfCheckTargets: { host: string; port: number }[] | null;
  adminEmail: string | null;
  /** Password of the owner, set at first start. */
  adminPassword: string | null;
  teamName: string | null;
  openSignup: boolean;
  /** Path of the plans file. */
  plansFile: string | null;
  /** Null disables mail. */
  smtpUrl: string | null;
  /** `ops@example.com` or `Operations <ops@example.com>`; null for an address at BASE_URL's host. */
  mailFrom: string | null;
  /** Issuer, id and secret are all set or all null. */
  oidcIssuer: string | null;
  oidcClientId: string | null;
  oidcClientSecret: string | null;
  /** Label of the sign-in button. */
  oidcName: string;
  /** Id and secret of each provider are both set or both null. */
  githubClientId: string | null;
  githubClientSecret: string | null;
  googleClientId: string | null;
  googleClientSecret: string | null;
  adminToken: string | null;
  /** The first encrypts, all decrypt; empty for the key generated in `dataDir`. */
  secretKeys: string[];
  /** Starts although stored secrets need a key that is not among them. */
  allowMissingKeys: boolean;
  /** Starts without checks, evaluation of silence, retention, messages and mails. */
  paused: boolean;
  /** `true`, `false` or a comma-separated list of valid CIDRs and addresses. */
  allowPrivateTargets: string;
  /** Allows `http://` URLs for webhooks and channels. */
  allowHttpWebhooks: boolean;
  /** Name servers in the format of `node:dns`; null for the system's. */
  dnsServers: readonly string[] | null;
  /** Path of a list of RDAP servers in IANA's format; null for the bundled one. */
  rdapBootstrapFile: string | null;
  /** Minutes, for monitors created without `check_interval`. */
  defaultCheckInterval: number | null;
  /** Enforces the limits below. */
  rateLimits: 'on' | 'off';
  /** Requests per minute. */
  rateLimitStandard: number;
  rateLimitMonitorCheck: number;
  rateLimitCheckUrl: number;
  rateLimitWebhookTest: number;
  rateLimitSubscriberImport: number;
  rateLimitToolServer: number;
  rateLimitSession: number;
  rateLimitAuth: number;
  /** Per hour. */
  rateLimitAuthHour: number;
  rateLimitRegisterClient: number;
  /** Per hour. */
  rateLimitRefreshToken: number;
  rateLimitAuthClient: number;
  rateLimitAnonymous: number;
  rateLimitWeb: number;
  rateLimitPing: number;
  /** URL of a heartbeat service, with placeholders; null for none. */
  watchdogPingUrl: string | null;
  /** Seconds. */
  watchdogPingInterval: number;
  /** URL that is called about problems of the installation; null for none. */
  operatorWebhookUrl: string | null;
  /** Whole days. */
  rawRetentionDays: number;
  rollupRetentionDays: number;
  auditRetentionDays: number;
  /** Trusts forwarded client addresses always or never, from that many hops, or from these addresses. */
  trustProxy: boolean | number | string[];
  logLevel: LogLevel;
  /** Token of the metrics; null for open metrics without monitors. */
  metricsToken: string | null;
  /** Milliseconds from which a statement is logged as slow; 0 logs none. */
  slowQueryMs: number;
}

/** Row of the settings table in the documentation. */
export interface SettingDescription {
  name: string;
  allowed: string;
  default: string;
  meaning: string;
}

/** Describes all settings for the documentation, in table order. */
export function describeSettings(): SettingDescription[] {
  return Object.values(TABLE).map(({ name, type, default: shown, meaning }) => ({
    name,
    allowed: type.allowed,
    default: shown,
    meaning,
  }));
}

/**
 * Reads all settings from the environment. Returns all errors at once, one line each, with the mistake and the allowed
 * values. An empty value counts as unset; `NAME_FILE` names a file that holds the value of `NAME`.
 *
 * @param problemOfPlans what is wrong with the content of PLANS_FILE, in sentences; null for nothing.
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
  problemOfPlans: (text: string) => string | null = () => null,
): { config: Config; errors?: never } | { config?: never; errors: string[] } {
  const errors: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries<Setting<unknown>>(TABLE)) {
    try {
      const source = findSource(entry.name, env, readFile);
      values[key] = source === null ? entry.unset() : parse(entry, source);
    } catch (error) {
      if (!(error instanceof InvalidSetting)) throw error;
      errors.push(error.message);
    }
  }
  // Invalid settings are missing here: conflicts are looked for among the valid ones.
  const settings = values as Partial<Settings>;
  errors.push(...conflicts(settings), ...fileProblems(settings, { readFile, problemOfPlans }));
  if (errors.length > 0) return { errors };
  const {
    probeRegions,
    secretKeys: keys,
    privateRegions,
    regionKeyVersions,
    ...rest
  } = settings as Settings;
  return {
    config: {
      ...rest,
      probeRegions: rest.roles.includes('probe') ? (probeRegions ?? regionsToProbe(rest)) : [],
      secretKeys: keys ?? [],
      privateRegions: privateRegions ?? [],
      regionKeyVersions: regionKeyVersions ?? [],
      // With open sign-up, unknown users must not probe the installation's own network.
      allowPrivateTargets: rest.allowPrivateTargets ?? (rest.openSignup ? 'false' : 'true'),
    },
  };
}

function regionsToProbe({ probeKeys, regions }: Pick<Settings, 'probeKeys' | 'regions'>): string[] {
  const codes = probeKeys?.map(({ region }) => region) ?? regions.map(({ code }) => code);
  return [...new Set(codes)];
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
    throw new InvalidSetting(`${name} and ${name}_FILE are both set: keep one of them.`);
  }
  if (file === '') return text === '' ? null : { text, file: null };
  let content: string;
  try {
    content = readFile(file).trim();
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new InvalidSetting(`${name}_FILE names ${quote(file)}, which can't be read (${reason}).`);
  }
  if (content === '')
    throw new InvalidSetting(`${name}_FILE names ${quote(file)}, which is empty.`);
  return { text: content, file };
}

function parse<T>(entry: Setting<T>, { text, file }: Source): T {
  try {
    return entry.type.parse(text);
  } catch (error) {
    if (!(error instanceof InvalidSetting)) throw error;
    const mustBe = `must be ${entry.type.allowed}`;
    const discreet = error.isDiscreet ? (error.problem ?? mustBe) : mustBe;
    if (file !== null) throw new InvalidSetting(`${entry.name} (in ${quote(file)}) ${discreet}.`);
    if (entry.secret) throw new InvalidSetting(`${entry.name} ${discreet}.`);
    throw new InvalidSetting(
      `${entry.name} ${error.problem ?? `is ${quote(text)}, but ${mustBe}`}.`,
    );
  }
}

function conflicts(settings: Partial<Settings>): string[] {
  const errors = [
    ...incompleteProviders(settings),
    ...roleConflicts(settings),
    ...regionConflicts(settings),
  ];
  if (settings.databaseUrl && settings.secretKeys === null && needsDatabase(settings)) {
    errors.push(
      'SECRET_KEY must be set when DATABASE_URL is: all processes on one database need the same key.',
    );
  }
  const { rawRetentionDays: raw, rollupRetentionDays: rollup } = settings;
  if (raw !== undefined && rollup !== undefined && rollup < raw) {
    errors.push(
      `ROLLUP_RETENTION_DAYS is ${rollup}, but must not be below RAW_RETENTION_DAYS, which is ${raw}.`,
    );
  }
  return errors;
}

/** Errors for sign-in providers of which only some settings are set. */
function incompleteProviders(settings: Partial<Settings>): string[] {
  const providers = [
    {
      OIDC_ISSUER: settings.oidcIssuer,
      OIDC_CLIENT_ID: settings.oidcClientId,
      OIDC_CLIENT_SECRET: settings.oidcClientSecret,
    },
    {
      GITHUB_CLIENT_ID: settings.githubClientId,
      GITHUB_CLIENT_SECRET: settings.githubClientSecret,
    },
    {
      GOOGLE_CLIENT_ID: settings.googleClientId,
      GOOGLE_CLIENT_SECRET: settings.googleClientSecret,
    },
  ];
  return providers.flatMap((provider) => {
    const names = Object.keys(provider);
    const missing = Object.entries(provider).filter(([, value]) => value === null);
    if (missing.length === 0 || missing.length === names.length) return [];
    const missingNames = missing.map(([name]) => name).join(' and ');
    return [`${missingNames} must be set too: ${names.join(', ')} belong together.`];
  });
}

/** Errors for files that settings name, by their content. */
function fileProblems(
  settings: Partial<Settings>,
  {
    readFile,
    problemOfPlans,
  }: { readFile: (path: string) => string; problemOfPlans: (text: string) => string | null },
): string[] {
  const files: [string, string | null | undefined, (text: string) => string | null][] = [
    ['RDAP_BOOTSTRAP_FILE', settings.rdapBootstrapFile, problemOfBootstrap],
    ['PLANS_FILE', needsDatabase(settings) ? settings.plansFile : null, problemOfPlans],
  ];
  return files.flatMap(([name, file, problemOf]) => {
    if (file === undefined || file === null) return [];
    const names = `${name} names ${quote(file)}, which`;
    try {
      const problem = problemOf(readFile(file));
      return problem === null ? [] : [`${names} ${problem}`];
    } catch (error) {
      const reason = (error as NodeJS.ErrnoException).code ?? 'unknown error';
      return [`${names} can't be read (${reason}).`];
    }
  });
}

function problemOfBootstrap(text: string): string | null {
  const read = readBootstrap(text);
  return read.ok ? null : `is not a list of RDAP servers as IANA's: it ${read.message}.`;
}
