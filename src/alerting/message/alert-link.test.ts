import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ALERT_LINK_MS, createAlertLinks } from './alert-link.ts';

const NOW = Date.UTC(2030, 0, 1);
const baseUrl = () => 'https://up.example.com/tocsin';
const links = createAlertLinks({ keys: ['the first key of tests', 'an older one'], baseUrl });

const tokenOf = (url: string) => new URL(url).searchParams.get('token')!;
const TOKEN = tokenOf(links.detailsUrl(7, 9, NOW));

test('a link leads to the page, below the path of the installation', () => {
  expect(links.detailsUrl(7, 9, NOW)).toBe(`${baseUrl()}/alert?token=${TOKEN}`);
  expect(links.acknowledgeUrl(7, 9, NOW)).toBe(`${baseUrl()}/alert?token=${TOKEN}&acknowledge=1`);
  expect(TOKEN).toMatch(/^[\w-]{46}$/);
});

test('a token can be read for fourteen days', () => {
  const id = fc.integer({ min: 1, max: 2 ** 48 - 1 });
  fc.assert(
    fc.property(id, id, fc.integer({ min: 0, max: NOW * 2 }), (alertId, destinationId, now) => {
      const token = tokenOf(links.detailsUrl(alertId, destinationId, now));
      expect(links.read(token, now)).toEqual({ alertId, destinationId });
      expect(links.read(token, now + ALERT_LINK_MS - 1_000)).toEqual({ alertId, destinationId });
      expect(links.read(token, now + ALERT_LINK_MS)).toBe('expired');
    }),
  );
});

test('a token that was changed anywhere is invalid', () => {
  fc.assert(
    fc.property(fc.nat(TOKEN.length - 1), fc.nat(62), (at, step) => {
      const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      const other = letters[(letters.indexOf(TOKEN[at]!) + 1 + step) % 64]!;
      const changed = TOKEN.slice(0, at) + other + TOKEN.slice(at + 1);
      expect(links.read(changed, NOW)).toBeNull();
    }),
  );
});

test.each(['', 'x', `${TOKEN}A`, `${TOKEN}=`, ` ${TOKEN}`, TOKEN.slice(1), 'A'.repeat(46)])(
  '%j is none',
  (token) => {
    expect(links.read(token, NOW)).toBeNull();
  },
);

test('any other text is an invalid token', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ maxLength: 80 }), fc.base64String({ maxLength: 80 })),
      (token) => {
        expect(links.read(token, NOW)).toBeNull();
      },
    ),
  );
});

test('a key that was replaced is still accepted while it is listed [33.15]', () => {
  const before = createAlertLinks({ keys: ['an older one'], baseUrl });
  expect(links.read(tokenOf(before.detailsUrl(1, 2, NOW)), NOW)).toEqual({
    alertId: 1,
    destinationId: 2,
  });
  expect(before.read(TOKEN, NOW)).toBeNull();
  const another = createAlertLinks({ keys: ['a key of somebody else'], baseUrl });
  expect(another.read(TOKEN, NOW)).toBeNull();
});

test('without a key there are no links', () => {
  expect(() => createAlertLinks({ keys: [' '], baseUrl })).toThrow(/SECRET_KEY/);
});
