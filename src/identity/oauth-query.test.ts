import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifySignedQuery } from './oauth-request.ts';

const NOW = 1_000_000_000;
const [CURRENT, FORMER, FOREIGN] = ['this year', 'last year', 'of nobody'].map(
  (value, version) => ({
    version,
    value,
  }),
) as [Secret, Secret, Secret];
interface Secret {
  version: number;
  value: string;
}
const SECRETS = [CURRENT, FORMER];

/** Signs as better-auth does: the pairs by name and value. */
function signed(pairs: [string, string][], { value }: Secret): string {
  const sorted = pairs.toSorted((one, other) => (one.join('\0') < other.join('\0') ? -1 : 1));
  const text = new URLSearchParams(sorted).toString();
  const sig = createHmac('sha256', value).update(text).digest('base64');
  return new URLSearchParams([...pairs, ['sig', sig]]).toString();
}

const PAIRS: [string, string][] = [
  ['scope', 'read create'],
  ['ba_param', 'scope'],
  ['ba_param', 'exp'],
  ['exp', String(NOW / 1_000 + 600)],
];

describe('the query of a consent page', () => {
  it('is accepted until it expires', () => {
    const text = signed(PAIRS, CURRENT);
    expect(verifySignedQuery(text, SECRETS, NOW)?.get('scope')).toBe('read create');
    expect(verifySignedQuery(text, SECRETS, NOW + 600_000)).not.toBeNull();
    expect(verifySignedQuery(text, SECRETS, NOW + 600_001)).toBeNull();
  });

  it('is signed anew after a rotation, and ends with the former key [48.16]', () => {
    const text = signed(PAIRS, FORMER);
    const renewed = verifySignedQuery(text, SECRETS, NOW);
    expect(renewed?.toString()).toBe(signed(PAIRS, CURRENT));
    expect(verifySignedQuery(text, [CURRENT], NOW)).toBeNull();
  });

  it.each([
    ['another key', signed(PAIRS, FOREIGN)],
    ['another scope', signed(PAIRS, CURRENT).replace('read+create', 'read+delete')],
    ['one parameter more', `${signed(PAIRS, CURRENT)}&scope=delete`],
    ['two signatures', `${signed(PAIRS, CURRENT)}&sig=x`],
    ['no signature', new URLSearchParams(PAIRS).toString()],
    ['no end', signed(PAIRS.slice(0, 3), CURRENT)],
    ['nothing', ''],
  ])('is refused with %s [48.8]', (_what, text) => {
    expect(verifySignedQuery(text, SECRETS, NOW)).toBeNull();
  });
});
