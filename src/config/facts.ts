import { isDeepStrictEqual } from 'node:util';
import type { Config } from './config.ts';
import { TABLE, type Setting } from './table.ts';

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
      meaning: entry.meaning,
      default: entry.default,
      isDefault: isDeepStrictEqual(value, unset),
      isSecret: entry.secret,
      value: entry.secret || value === null ? null : textOf(value),
    };
  });
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
