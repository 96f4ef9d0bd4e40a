import { expect, it } from 'vitest';
import type { Region } from '../client/types.gen.ts';
import { onlyPlace } from './only-place.ts';

it('names the only place of several regions', () => {
  const shared = [regionAt('ash', 'office'), regionAt('nbg', 'office'), regionAt('sin', 'cloud')];
  expect(onlyPlace(['ash', 'nbg'], shared)).toBe('office');
  expect(onlyPlace(['ash', 'sin'], shared)).toBeNull();
  expect(onlyPlace(['ash'], shared)).toBeNull();
});

function regionAt(code: string, vantage: string | null): Region {
  return { code, vantage, title: code, is_live: true, probes: [] };
}
