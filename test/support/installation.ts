import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { readConfig, type Config } from '../../src/config/config.ts';
import { describeSettings } from '../../src/config/config.ts';

const dockerfile = readFileSync(new URL('../../deploy/Dockerfile', import.meta.url), 'utf8');

/** Environment that the image gives to each process. */
export const IMAGE_ENVIRONMENT: Record<string, string> = Object.fromEntries(
  /^ENV (NODE_ENV.*)$/m
    .exec(dockerfile)![1]!
    .split(' ')
    .map((one) => one.split('=', 2)),
);

const KNOWN = new Set([
  ...describeSettings().flatMap(({ name }) => [name, `${name}_FILE`]),
  'NODE_ENV',
  'NODE_COMPILE_CACHE',
  'MALLOC_ARENA_MAX',
]);

/** Reads the settings of a process; fails for names that are no settings, and for invalid ones. */
export function settingsOf(environment: Record<string, string>): Config {
  expect(Object.keys(environment).filter((name) => !KNOWN.has(name))).toEqual([]);
  const { config, errors } = readConfig(environment);
  expect(errors).toBeUndefined();
  return config!;
}
