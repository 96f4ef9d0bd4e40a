import { createECDH } from 'node:crypto';
import { expect, it, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { createSecretBox, SecretUnreadable } from '../../lib/secret-box.ts';
import { readSetting } from '../../store/database/settings.ts';
import { contactOf, createVapid } from './vapid.ts';

const contact = () => 'mailto:ops@example.com';
const secretBox = createSecretBox(['a key that is long enough']);

eachDatabase((_name, open) => {
  it('is one key pair for good, whoever asks first', async () => {
    const database = await open();
    const asked = await Promise.all(
      Array.from({ length: 4 }, () => createVapid({ database, secretBox, contact }).keys()),
    );
    const [first] = asked;
    expect(new Set(asked.map(({ publicKey }) => publicKey)).size).toBe(1);
    expect(first).toMatchObject({ subject: 'mailto:ops@example.com' });
    const later = createVapid({ database, secretBox, contact });
    expect(await later.publicKey()).toBe(first!.publicKey);
    expect(await later.keys()).toEqual(first);

    const pair = createECDH('prime256v1');
    pair.setPrivateKey(first!.privateKey, 'base64url');
    expect(pair.getPublicKey('base64url')).toBe(first!.publicKey);
    expect(await readSetting(database.read, 'web_push_keys')).not.toContain(first!.privateKey);
  });

  it('stays sealed without its key, and no other pair takes its place', async () => {
    const database = await open();
    const publicKey = await createVapid({ database, secretBox, contact }).publicKey();
    const other = createVapid({ database, secretBox: createSecretBox(['another']), contact });
    await expect(other.keys()).rejects.toThrow(SecretUnreadable);
    expect(await createVapid({ database, secretBox, contact }).publicKey()).toBe(publicKey);
  });
});

test.each([
  ['Tocsin <alerts@example.com>', 'https://up.example.com', 'mailto:alerts@example.com'],
  ['alerts@example.com', 'https://up.example.com', 'mailto:alerts@example.com'],
  [null, 'https://up.example.com/tocsin', 'https://up.example.com'],
  [null, 'http://localhost:3000', 'mailto:tocsin@localhost'],
  [null, 'http://[::1]:3000', 'mailto:tocsin@[::1]'],
])('the contact of %s at %s is %s', (mailFrom, baseUrl, expected) => {
  expect(contactOf(mailFrom, baseUrl)).toBe(expected);
});
