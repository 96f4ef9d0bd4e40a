import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSecretBox, keyIdOf, sealingKeyOf, SecretUnreadable } from './secret-box.ts';

/** The password of a monitor of team 1, under these keys. */
function password(keys: string[]) {
  const row = createSecretBox(keys).of('monitor', 1);
  return {
    seal: (text: string) => row.seal(text, 'auth_password'),
    open: (sealed: string) => row.open(sealed, 'auth_password'),
  };
}

describe('secret box', () => {
  const box = password(['a key that is long enough']);

  test('opens any text it sealed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const sealed = box.seal(text);
        expect(sealingKeyOf(sealed)).toBe(keyIdOf('a key that is long enough'));
        expect(box.open(sealed)).toBe(text);
      }),
    );
  });

  test('sealing twice gives different texts without the secret', () => {
    const [one, two] = [box.seal('Bearer hunter2'), box.seal('Bearer hunter2')];
    expect(one).not.toBe(two);
    expect(Buffer.from(one.split('.')[2]!, 'base64url').toString('latin1')).not.toContain(
      'hunter2',
    );
  });

  test('rotation: the first key seals, all keys open [35.10]', () => {
    const old = password(['old']).seal('secret');
    const rotated = password(['new', ' old ']);
    expect(rotated.open(old)).toBe('secret');
    expect(password(['new']).open(rotated.seal('secret'))).toBe('secret');
  });

  test('explains what to do if no key fits', () => {
    const sealed = password(['old']).seal('secret');
    expect(() => password(['new']).open(sealed)).toThrow(/add the former key to SECRET_KEY/);
    expect(() => password(['new']).open(sealed)).toThrow(SecretUnreadable);
  });

  test('detects every changed byte', () => {
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

  test('refuses a text too short for a tag', () => {
    const [version, name] = box.seal('').split('.');
    expect(() => box.open(`${version}.${name}.AAAA`)).toThrow(/damaged/);
  });
});

describe('a sealed text', () => {
  const PLACES = [
    ['monitor', 1, 'auth_password'],
    ['monitor', 1, 'auth_username'],
    ['monitor', 2, 'auth_password'],
    ['monitor', 11, 'auth_password'],
    ['webhook_endpoint', 1, 'auth_password'],
    ['alert_channel', 'team 1', 'auth_password'],
    ['alert_channel', 'person 1', 'auth_password'],
  ] as const;

  test('opens in its own place only: kind, owner and column', () => {
    const box = createSecretBox(['key']);
    for (const [kind, owner, column] of PLACES) {
      const sealed = box.of(kind, owner).seal('secret', column);
      const opens = PLACES.filter(([otherKind, otherOwner, otherColumn]) => {
        try {
          return box.of(otherKind, otherOwner).open(sealed, otherColumn) === 'secret';
        } catch (error) {
          expect(error).toBeInstanceOf(SecretUnreadable);
          return false;
        }
      });
      expect(opens).toEqual([[kind, owner, column]]);
    }
  });

  test('in another place is reported with that place, and says what to do', () => {
    const refused: object[] = [];
    const box = createSecretBox(['key'], { onRefused: (place) => refused.push(place) });
    const sealed = box.of('monitor', 1).seal('secret', 'auth_password');
    expect(() => box.of('monitor', 2).open(sealed, 'auth_password')).toThrow(/Enter it again/);
    expect(() => box.of('monitor', 1).open('v1.00000000.AAAA', 'url')).toThrow(
      /add the former key/,
    );
    expect(refused).toEqual([{ kind: 'monitor', owner: 2, column: 'auth_password' }]);
  });
});

test.each(['', 'plain text', 'v2.00000000.AAAA', 'v1.x', 'v1.x.y.z'])('refuses %j', (text) => {
  expect(() => password(['key']).open(text)).toThrow(SecretUnreadable);
});

test('a box requires a key', () => {
  expect(() => createSecretBox(['', ' '])).toThrow(/SECRET_KEY/);
});
