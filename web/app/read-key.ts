import { OPERATIONS } from './api.gen.ts';
import type { OperationName } from './client.ts';

/** Nouns that the live stream names otherwise than their path does. */
const NOUNS: Readonly<Record<string, string>> = {
  '': 'account',
  sessions: 'account',
  tokens: 'account',
  'connected-applications': 'account',
  users: 'members',
  teams: 'team',
  expirations: 'monitors',
  slos: 'monitors',
};

/** Nouns of which one is read apart from their lists. */
const SINGULAR: Readonly<Record<string, string>> = { monitors: 'monitor', incidents: 'incident' };

/** Noun of the data of an operation, by its path. Pure. */
export function nounOf(name: OperationName): string {
  const segment = OPERATIONS[name].split('/')[1]!;
  return NOUNS[segment] ?? segment;
}

/**
 * Key of what an operation answers: the noun, the id of the thing where the path has one, the name of the operation, and what
 * it takes. Such as `['monitor', 7, 'getMonitorDays', { path: { id: 7 }, query: { days: 90 } }]`. Pure.
 */
export function keyOf(name: OperationName, input?: object): readonly unknown[] {
  const noun = nounOf(name);
  const parameter = /^[^/]*\/[^/]*\/\{(\w+)\}/.exec(OPERATIONS[name])?.[1];
  const { path } = (input ?? {}) as { path?: Record<string, unknown> };
  return [
    ...(parameter === undefined ? [noun] : [SINGULAR[noun] ?? noun, path?.[parameter]]),
    name,
    ...(Object.keys(input ?? {}).length === 0 ? [] : [input]),
  ];
}
