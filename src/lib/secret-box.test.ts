import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSecretBox, SecretUnreadable } from './secret-box.ts';

describe('secret box', () => {
  test('opens any text it sealed', () => {
    const box = createSecretBox(['a key that is long enough']);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(box.open(box.seal(text))).toBe(text);
      }),
    );
  });

  test('sealing twice gives different texts without the secret', () => {
    const box = createSecretBox(['key']);
    const [one, two] = [box.seal('Bearer hunter2'), box.seal('Bearer hunter2')];
    expect(one).not.toBe(two);
    expect(Buffer.from(one.split('.')[2]!, 'base64url').toString('latin1')).not.toContain(
      'hunter2',
    );
  });

  test('rotation: the first key seals, all keys open [35.10]', () => {
    const old = createSecretBox(['old']).seal('secret');
    const rotated = createSecretBox(['new', ' old ']);
    expect(rotated.open(old)).toBe('secret');
    expect(createSecretBox(['new']).open(rotated.seal('secret'))).toBe('secret');
  });

  test('explains what to do if no key fits', () => {
    const sealed = createSecretBox(['old']).seal('secret');
    expect(() => createSecretBox(['new']).open(sealed)).toThrow(/add the former key to SECRET_KEY/);
    expect(() => createSecretBox(['new']).open(sealed)).toThrow(SecretUnreadable);
  });

  test('detects every changed byte', () => {
    const box = createSecretBox(['key']);
    const [version, name, content] = box.seal('secret').split('.') as [string, string, string];
    const bytes = Buffer.from(content, 'base64url');
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed[index]! ^= 1;
      expect(() => box.open(`${version}.${name}.${changed.toString('base64url')}`)).toThrow(
        /damaged/,
      );
    }
  });

  test.each(['', 'plain text', 'v2.00000000.AAAA', 'v1.x', 'v1.x.y.z'])('refuses %j', (text) => {
    expect(() => createSecretBox(['key']).open(text)).toThrow(SecretUnreadable);
  });

  test('refuses a text too short for a tag', () => {
    const box = createSecretBox(['key']);
    const name = box.seal('').split('.')[1];
    expect(() => box.open(`v1.${name}.AAAA`)).toThrow(/damaged/);
  });

  test('requires a key', () => {
    expect(() => createSecretBox(['', ' '])).toThrow(/SECRET_KEY/);
  });
});
