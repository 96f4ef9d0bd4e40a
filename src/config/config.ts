import { readFileSync } from 'node:fs';
import { InvalidSetting, quote } from '../lib/setting-types.ts';
import { readBootstrap } from '../lib/rdap-bootstrap.ts';
import { TABLE, type LogLevel, type Setting, type Settings } from './table.ts';
import type { RegionConfig } from './types.ts';

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
  /** Where this process probes from; null for the host's name. */
  vantageName: string | null;
  /** Child processes. */
  probeWorkers: number;
  /** What always answers; null: nobody says what that is. */
  selfCheckTargets: { host: string; port: number }[] | null;
  adminEmail: string | null;
  /** Of the owner, at first start. */
  adminPassword: string | null;
  teamName: string | null;
  openSignup: boolean;
  /** A path, to a file that main reads. */
  plansFile: string | null;
  /** Null: no mail is sent. */
  smtpUrl: string | null;
  /** `ops@example.com` or `Operations <ops@example.com>`; null for an address at the host of BASE_URL. */
  mailFrom: string | null;
  /** All three of them or none. */
  oidcIssuer: string | null;
  oidcClientId: string | null;
  oidcClientSecret: string | null;
  /** What the button says. */
  oidcName: string;
  /** Both of each or none. */
  githubClientId: string | null;
  githubClientSecret: string | null;
  googleClientId: string | null;
  googleClientSecret: string | null;
  adminToken: string | null;
  /** The first encrypts, all decrypt; empty means the key generated in `dataDir`. */
  secretKeys: string[];
  /** `true`, `false` or a comma list of well-formed CIDRs and addresses, for the address guard to read. */
  allowPrivateTargets: string;
  /** Whether webhooks and channels may have `http://` addresses. */
  allowHttpWebhooks: boolean;
  /** As `node:dns` takes them; null for the system's. */
  dnsServers: readonly string[] | null;
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
  rateLimitWebhookTest: number;
  rateLimitSession: number;
  rateLimitAuth: number;
  /** Per hour. */
  rateLimitAuthHour: number;
  rateLimitAnonymous: number;
  rateLimitPing: number;
  /** Whole days. */
  rawRetentionDays: number;
  rollupRetentionDays: number;
  auditRetentionDays: number;
  /** Whether, how many hops deep, or from which addresses, forwarded client addresses are believed. */
  trustProxy: boolean | number | string[];
  logLevel: LogLevel;
}

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
      if (!(error instanceof InvalidSetting)) throw error;
      errors.push(error.message);
    }
  }
  // A key is missing where its setting was refused: what concerns several settings is judged on those that are there.
  const settings = values as Partial<Settings>;
  errors.push(...contradictions(settings), ...bootstrapProblems(settings, readFile));
  if (errors.length > 0) return { errors };
  const { roles: _, probeRegions, secretKeys: keys, ...rest } = settings as Settings;
  return {
    config: {
      ...rest,
      probeRegions: probeRegions ?? rest.regions.map((region) => region.code),
      secretKeys: keys ?? [],
      // Strangers must not look into the network of the installation.
      allowPrivateTargets: rest.allowPrivateTargets ?? (rest.openSignup ? 'false' : 'true'),
    },
  };
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
    if (file !== null) throw new InvalidSetting(`${entry.name} (in ${quote(file)}) ${mustBe}.`);
    if (entry.secret) throw new InvalidSetting(`${entry.name} ${mustBe}.`);
    throw new InvalidSetting(
      `${entry.name} ${error.problem ?? `is ${quote(text)}, but ${mustBe}`}.`,
    );
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
  found.push(...halves(settings));
  return found;
}

/** What a way to sign in needs is there, or nothing of it. */
function halves(settings: Partial<Settings>): string[] {
  const ways = [
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
  return ways.flatMap((way) => {
    const missing = Object.entries(way).filter(([, value]) => value === null);
    const isWhole = missing.length === 0 || missing.length === Object.keys(way).length;
    if (isWhole) return [];
    const names = missing.map(([name]) => name).join(' and ');
    return [`${names} must be set too: ${Object.keys(way).join(', ')} belong together.`];
  });
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
