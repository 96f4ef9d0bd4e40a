import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { InvalidSetting, quote } from '../lib/setting-types.ts';
import { readBootstrap } from '../lib/rdap-bootstrap.ts';
import { TABLE, type Setting, type Settings } from './table.ts';
import { conflictsOf, needsDatabase } from './conflicts.ts';
import type { PrivateRegion } from '../model/regions.ts';
import type { DiscoveredSet, RegionKeyVersion } from './types.ts';

/** Settings of the installation, read once at start; each stage receives its own part. TABLE says what each means. */
export type Config = Omit<Settings, keyof Resolved> & Resolved;

/** Settings whose value without a variable follows from others. */
interface Resolved {
  /** Codes of the regions this process probes for; empty without the role. */
  probeRegions: readonly string[];
  privateRegions: readonly PrivateRegion[];
  regionKeyVersions: readonly RegionKeyVersion[];
  /** The first encrypts, all decrypt; empty for the key generated in `dataDir`. */
  secretKeys: string[];
  /** `true`, `false` or a comma-separated list of valid CIDRs and addresses. */
  allowPrivateTargets: string;
}

export function describeSettings() {
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
  errors.push(...conflictsOf(settings), ...fileProblems(settings, { readFile, problemOfPlans }));
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

/** Describes the settings that are in force, in the order of the table. Values of secrets are left out. */
export function settingFacts(config: Config) {
  const values = config as unknown as Record<string, unknown>;
  const derived: Record<string, unknown> = {
    probeRegions: config.regions.map(({ code }) => code),
    secretKeys: [],
    privateRegions: [],
    regionKeyVersions: [],
    allowPrivateTargets: config.openSignup ? 'false' : 'true',
  };
  return Object.entries<Setting<unknown>>(TABLE).map(([key, entry]) => {
    const unset = Object.hasOwn(derived, key) ? derived[key] : entry.unset();
    const value = Object.hasOwn(values, key) ? values[key] : unset;
    return {
      name: entry.name,
      meaning: withoutLinks(entry.meaning),
      default: entry.default,
      isDefault: isDeepStrictEqual(value, unset),
      isSecret: entry.secret,
      value: entry.secret || value === null ? null : textOf(value),
    };
  });
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(itemText).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function itemText(item: unknown): string {
  if (typeof item !== 'object' || item === null) return String(item);
  const { code, teamId, title, region, version, kind, name } = item as Partial<
    PrivateRegion & RegionKeyVersion & DiscoveredSet
  >;
  if (kind !== undefined) return `${kind}=${name}`;
  if (region !== undefined) return `${region}=${version}`;
  return `${code}${teamId === undefined ? '' : `:${teamId}`}=${title}`;
}

/** The links lead to parts of the documentation, which is not at hand where facts are shown. */
function withoutLinks(text: string): string {
  return text.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1');
}
