import { isDeepStrictEqual } from 'node:util';
import type { Config } from './config.ts';
import { TABLE, type Setting } from './table.ts';
import type { PrivateRegionConfig, RegionKeyVersion } from './types.ts';

/** A setting as people may see it. */
export interface SettingFact {
  /** Name of the environment variable. */
  name: string;
  meaning: string;
  /** The default as the documentation shows it. */
  default: string;
  isDefault: boolean;
  isSecret: boolean;
  /** Null for secrets, and where nothing is set. */
  value: string | null;
}

/** Describes the settings that are in force, in the order of the table. Values of secrets are left out. */
export function settingFacts(config: Config): SettingFact[] {
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

/** A value as its variable holds it. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(itemText).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function itemText(item: unknown): string {
  if (typeof item !== 'object' || item === null) return String(item);
  const { code, teamId, title, region, version } = item as Partial<
    PrivateRegionConfig & RegionKeyVersion
  >;
  if (region !== undefined) return `${region}=${version}`;
  return `${code}${teamId === undefined ? '' : `:${teamId}`}=${title}`;
}

/** The links lead to parts of the documentation, which is not at hand where facts are shown. */
function withoutLinks(text: string): string {
  return text.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1');
}
