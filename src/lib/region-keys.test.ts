import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deriveRegionKey, parseProbeKey, probeKeyText } from './region-keys.ts';

test('each region and each secret key has a key of its own, the same on every machine', () => {
  const keys = ['one secret key', 'another secret key'].flatMap((secret) =>
    ['nbg', 'sin'].map((region) => deriveRegionKey(secret, region)),
  );
  expect(new Set(keys.map(({ id }) => id)).size).toBe(4);
  expect(new Set(keys.map(({ bytes }) => bytes.toString('hex'))).size).toBe(4);
  expect(probeKeyText(deriveRegionKey('one secret key', 'nbg'))).toBe(
    probeKeyText(deriveRegionKey(' one secret key\n', 'nbg')),
  );
  // Probes keep their keys over upgrades: what is derived must never change.
  expect(probeKeyText(deriveRegionKey('0123456789abcdefgh', 'ash'))).toBe(
    'ash.D2X-tKFW6QdcIj-2l9MVH4eBU-MY28MLWhDVWgOrN0A',
  );
});

const versionOf = (version?: number) => deriveRegionKey('one secret key', 'nbg', version);

test('each version of a key is another key, and the first is the one without a version', () => {
  expect(versionOf(1)).toEqual(versionOf());
  expect(new Set([versionOf(1), versionOf(2), versionOf(3)].map(({ id }) => id)).size).toBe(3);
  expect(probeKeyText(deriveRegionKey('0123456789abcdefgh', 'ash', 2))).toBe(
    'ash.z3SuQE3AUCYnqVTcgxMwsd2jW2Be3k7jTpJvmPvHkyk',
  );
});

test('a key survives being written and read', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 16 }),
      fc.constantFrom('a', 'nbg', 'rack-4'),
      (secret, region) => {
        const key = deriveRegionKey(secret, region);
        expect(parseProbeKey(probeKeyText(key))).toEqual(key);
      },
    ),
  );
});

test.each([
  '',
  'nbg',
  'nbg.',
  '.D2X-tKFW6QdcIj-2l9MVH4eBU-MY28MLWhDVWgOrN0A',
  'NBG.D2X-tKFW6QdcIj-2l9MVH4eBU-MY28MLWhDVWgOrN0A',
  'ash.D2X-tKFW6QdcIj-2l9MVH4eBU-MY28MLWhDVWgOrN0',
  'ash.D2X-tKFW6QdcIj-2l9MVH4eBU-MY28MLWhDVWgOrN0AA',
  // The last digit has bits that no byte needs.
  'ash.D2X-tKFW6QdcIj-2l9MVH4eBU-MY28MLWhDVWgOrN0B',
  'ash D2X-tKFW6QdcIj-2l9MVH4eBU-MY28MLWhDVWgOrN0A',
])('%j is no key', (text) => {
  expect(parseProbeKey(text)).toBeNull();
});

test('the id of a key does not reveal it', () => {
  const { id, bytes } = deriveRegionKey('one secret key', 'nbg');
  expect(id).toMatch(/^[0-9a-f]{16}$/);
  expect(bytes.toString('hex')).not.toContain(id);
});
