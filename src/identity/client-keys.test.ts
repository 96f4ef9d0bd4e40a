import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clientOf, createClientKeys } from './rate-limits.ts';

const keys = createClientKeys('a key for tests');

describe('client addresses', () => {
  test.each([
    ['192.0.2.1', '::ffff:192.0.2.1', 'an IPv4 address in its IPv6 form'],
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', 'one network of 64 bits'],
    ['2001:db8:1:2::1', '2001:0DB8:0001:0002:0:0:0:9', 'another spelling'],
    ['fe80::1%eth0', 'fe80::2%eth1', 'zones'],
    ['nonsense', '<script>'.repeat(1000), 'texts that are no address'],
  ])('%s and %s are one client: %s', (one, other) => {
    expect(keys.client(one)).toBe(keys.client(other));
  });

  test.each([
    ['192.0.2.1', '192.0.2.2'],
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['192.0.2.1', 'nonsense'],
  ])('%s and %s are two', (one, other) => {
    expect(keys.client(one)).not.toBe(keys.client(other));
  });

  test('any number of them makes at most 65,536 keys', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), (address) => {
        expect(Number(keys.client(address))).toBeLessThan(65_536);
      }),
    );
  });
});

/** The bucket without a secret, as anybody could compute it. */
const guessable = (address: string) =>
  hash('sha256', clientOf(address), 'buffer').readUInt16BE(0).toString();
const network = (index: number) =>
  `2001:db8:${(index >>> 16).toString(16)}:${(index & 0xffff).toString(16)}::1`;
const buckets = (bucketOf: (address: string) => string) => {
  const found = new Map<string, string>();
  for (let index = 0; index < 60_000; index += 1) {
    const address = network(index);
    const bucket = bucketOf(address);
    if (!found.has(bucket)) found.set(bucket, address);
  }
  return found;
};
describe('buckets depend on the secret key', () => {
  const clients = Array.from({ length: 40 }, (_, index) => `192.0.2.${index + 1}`);

  test('a network that is counted with a chosen client is not found by a search [5.20]', () => {
    const search = buckets(guessable);
    const found = clients.flatMap((client) => search.get(guessable(client)) ?? []);
    expect(found.length).toBeGreaterThan(15);
    const hits = clients.filter((client) => {
      const twin = search.get(guessable(client));
      return twin !== undefined && keys.client(twin) === keys.client(client);
    });
    expect(hits).toEqual([]);
  });

  test('nor by a search with the key of another installation', () => {
    const other = createClientKeys('another key for tests');
    const search = buckets(other.client);
    const hits = clients.filter((client) => {
      const twin = search.get(other.client(client));
      return twin !== undefined && keys.client(twin) === keys.client(client);
    });
    expect(hits).toEqual([]);
  });

  test('all processes with the same key have the same buckets', () => {
    const other = createClientKeys('a key for tests');
    for (const client of clients) {
      expect(other.client(client)).toBe(keys.client(client));
      expect(other.signIn(client, 'a@b.example')).toBe(keys.signIn(client, 'a@b.example'));
    }
  });
});

describe('sign-ins', () => {
  test.each([
    ['192.0.2.1', 'a@b.example', '192.0.2.1', 'A@B.example', true],
    ['2001:db8::1', 'a@b.example', '2001:db8::2', 'a@b.example', true],
    ['192.0.2.1', 'a@b.example', '192.0.2.2', 'a@b.example', false],
    ['192.0.2.1', 'a@b.example', '192.0.2.1', 'c@b.example', false],
  ])('%s for %s, and %s for %s: together is %s', (one, email, other, otherEmail, together) => {
    expect(keys.signIn(one, email) === keys.signIn(other, otherEmail)).toBe(together);
  });
});
