import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { readSessionToken, signInSecrets } from './session-cookie.ts';

const [OLD, NEW] = ['the key of last year', 'the key of this year'];

function cookieUnder(key: string): string {
  const { value: secret } = signInSecrets([key])[0]!;
  const signature = createHmac('sha256', secret).update('a-session').digest('base64');
  return `tocsin.session_token=${encodeURIComponent(`a-session.${signature}`)}`;
}

const versions = (keys: string[]) => signInSecrets(keys).map(({ version }) => version);

const readUnder = (keys: string[], cookie: string) =>
  readSessionToken(cookie, { secrets: signInSecrets(keys), isSecure: false });

test('sessions are read by each key of SECRET_KEY, and by no other', () => {
  const cookie = cookieUnder(OLD);
  expect(readUnder([OLD], cookie)).toBe('a-session');
  expect(readUnder([OLD, NEW], cookie)).toBe('a-session');
  expect(readUnder([NEW, OLD], cookie)).toBe('a-session');
  expect(readUnder([NEW], cookie)).toBe(null);
  expect(readUnder([NEW, OLD], cookie.replace('a-session', 'b-session'))).toBe(null);
});

test('a secret keeps its version wherever its key stands, so that what it encrypted can be read', () => {
  expect(versions([NEW, OLD])).toEqual(versions([OLD, NEW]).toReversed());
});
