import { createVapid } from '../alerting/delivery/vapid.ts';
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../test/support/databases.ts';
import { giveChannel, giveEndpoint, giveTeam } from '../../test/support/deliveries.ts';
import { createMonitor } from '../../test/support/monitor-rows.ts';
import { operatorContext, runCommand } from '../../test/support/operator.ts';
import { insertPage } from '../../test/support/status-pages.ts';
import { giveSubscriber } from '../../test/support/subscribers.ts';
import { insertRows, rowOf, updateRows } from '../../test/support/rows.ts';
import { ALERT_LINK_MS } from '../alerting/message/index.ts';
import { findMissingKeys, createKeyRing } from '../identity/key-ring.ts';
import { signInSecrets } from '../identity/session-cookie.ts';
import { createSecretBox, keyIdOf } from '../lib/secret-box.ts';
import type { Database } from '../store/database/contract.ts';
import { createAddressHashes } from '../status-page/subscribers/addresses.ts';
import { createMailQueue } from '../store/alerting/mails.ts';
import { peopleStore } from '../store/people/people.ts';
import { subscriberRows } from '../store/resources/subscribers.ts';
import { SIGNED_MS, rotateSecrets } from './secret-commands.ts';

const [OLD, NEW] = ['the key of last year', 'the key of this year'];
const [OLD_ID, NEW_ID] = [keyIdOf(OLD), keyIdOf(NEW)];
const NOW = Date.UTC(2026, 10, 21, 12);
const MAIL = {
  kind: 'invitation' as const,
  to: 'nina@example.com',
  subject: 'S',
  text: 'T',
  html: 'H',
};

const signInKey = (keys: string[]) => {
  const secrets = signInSecrets(keys);
  return {
    keys: new Map(secrets.map(({ version, value }) => [version, value])),
    currentVersion: secrets[0]!.version,
  };
};

/** A value in every encrypted column, under that key: 14 of them. */
async function fill(database: Database, key: string) {
  const box = createSecretBox([key]);
  const teamId = await giveTeam(database);
  const monitor = box.of('monitor', 1);
  const hook = box.of('webhook_endpoint', teamId);
  const monitorId = await createMonitor(database, 1, {
    auth_username: monitor.seal('user', 'auth_username'),
    auth_password: monitor.seal('password', 'auth_password'),
    request_headers: monitor.seal('{"A":"b"}', 'request_headers'),
    request_body: monitor.seal('body', 'request_body'),
    ping_token: monitor.seal('ping', 'ping_token'),
  });
  const endpoint = await giveEndpoint(database, teamId, 'https://hooks.example.com/', {
    url: hook.seal('https://hooks.example.com/', 'url'),
    auth_token: hook.seal('token', 'auth_token'),
    signing_secret: hook.seal('signing', 'signing_secret'),
    previous_signing_secret: hook.seal('former', 'previous_signing_secret'),
  });
  const channel = await giveChannel(database, teamId);
  await updateRows(database, 'alert_channel', {
    settings: box.of('alert_channel', `team ${teamId}`).seal('{"room":"ops"}', 'settings'),
  });
  const queue = createMailQueue({
    secretBox: box,
    isConfigured: true,
    keys: ['a key'],
    openSignup: false,
  });
  await database.transaction((tx) => queue.enqueue(tx, { ...MAIL, expiresAt: NOW }, NOW));
  const publicKey = await createVapid({ database, secretBox: box, contact }).publicKey();
  const personId = await database.transaction((tx) =>
    peopleStore(tx).insert({ name: 'Nina', email: 'nina@example.com', timezone: 'UTC' }, NOW),
  );
  const encrypt = (data: string) => symmetricEncrypt({ key: signInKey([key]), data });
  await insertRows(database, 'two_factor', {
    person_id: personId,
    secret: await encrypt('totp'),
    backup_codes: await encrypt('["code"]'),
    verified: 1,
    failed_verification_count: 0,
  });
  return { monitorId, endpointId: endpoint.id, channelId: channel.id, publicKey };
}
const VALUES = 14;
const contact = () => 'https://tocsin.example.com';

/** Texts of all tables, as they are stored. */
async function dump(database: Database): Promise<string> {
  const tables =
    database.engine === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_schema where type = 'table'`
      : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`;
  const { rows } = await tables.execute(database.read);
  const all = await Promise.all(
    rows.map(({ name }) => sql`select * from ${sql.table(name)}`.execute(database.read)),
  );
  return JSON.stringify(all.map((table) => table.rows));
}

test('the time that an old key is kept for signatures covers the links of alerts', () => {
  expect(SIGNED_MS).toBe(ALERT_LINK_MS);
});

const withKeys = (database: Database, ...keys: string[]) =>
  operatorContext(database, { keys: async () => keys });

eachDatabase((_name, open) => {
  test('rotation encrypts every encrypted column with the first key, and no text of the database needs the old one [39.33]', async () => {
    const database = await open();
    const { publicKey } = await fill(database, OLD);
    const ring = createKeyRing([NEW, OLD]);
    await findMissingKeys(database, ring, NOW);
    const oldNames = [`v1.${OLD_ID}.`, `$ba$${ring.signInVersions[1]}$`];
    const before = await dump(database);
    expect(oldNames.map((name) => before.split(name).length - 1)).toEqual([VALUES - 2, 2]);

    const { end, out } = await runCommand(withKeys(database, NEW, OLD), ['secrets', 'rotate']);
    expect(end).toEqual({ end: 'done' });
    expect(out).toContain(`Encrypting with key ${NEW_ID}: ${VALUES} values need another key.`);
    expect(out).toContain(`  ${NEW_ID}  ${VALUES}\n  ${OLD_ID}  0\n`);
    expect(out).toContain(`0 values need another key than ${NEW_ID}. You can remove key ${OLD_ID}`);
    expect(out).toContain('keep it until 2026-12-05T12:00:00.000Z.');

    const after = await dump(database);
    expect(oldNames.filter((name) => after.includes(name))).toEqual([]);
    const box = createSecretBox([NEW]);
    const monitor = await rowOf(database, 'monitor');
    const opened = (column: keyof typeof monitor) =>
      box.of('monitor', 1).open(monitor[column] as string, column);
    expect(opened('auth_username')).toBe('user');
    expect(opened('auth_password')).toBe('password');
    expect(opened('request_headers')).toBe('{"A":"b"}');
    expect(opened('request_body')).toBe('body');
    expect(opened('ping_token')).toBe('ping');
    const { team_id: teamId, previous_signing_secret: former } = await rowOf(
      database,
      'webhook_endpoint',
    );
    const hook = box.of('webhook_endpoint', teamId);
    expect(hook.open(former!, 'previous_signing_secret')).toBe('former');
    const { settings } = await rowOf(database, 'alert_channel');
    const channel = box.of('alert_channel', `team ${teamId}`);
    expect(channel.open(settings!, 'settings')).toBe('{"room":"ops"}');
    expect(await createVapid({ database, secretBox: box, contact }).publicKey()).toBe(publicKey);
    const factor = await rowOf(database, 'two_factor');
    const key = signInKey([NEW]);
    expect(await symmetricDecrypt({ key, data: factor.secret })).toBe('totp');
    expect(await symmetricDecrypt({ key, data: factor.backup_codes })).toBe('["code"]');
    // The start without the old key finds nothing that needs it.
    expect(await findMissingKeys(database, createKeyRing([NEW]), NOW)).toEqual([]);
  });

  test('rotation of one value says so in the singular [39.33]', async () => {
    const database = await open();
    await createMonitor(database, 1, {
      auth_password: createSecretBox([OLD]).of('monitor', 1).seal('one', 'auth_password'),
    });
    const { out } = await runCommand(withKeys(database, NEW, OLD), ['secrets', 'rotate']);
    expect(out).toContain(': 1 value needs another key.\nEncrypted 1 value. Values by key:');
  });

  test('a start without the new key finds what was rotated while no server ran [39.33, 39.36]', async () => {
    const database = await open();
    await findMissingKeys(database, createKeyRing([OLD]), NOW);
    await fill(database, OLD);
    const { out } = await runCommand(withKeys(database, NEW, OLD), ['secrets', 'rotate']);
    expect(out).toContain('keep it until ');
    const missing = await findMissingKeys(database, createKeyRing([OLD]), NOW);
    expect(missing).toMatchObject([{ id: NEW_ID, position: -1, total: VALUES }]);
  });

  test('rotation renews the hashes of subscribers, who are known without the old key [44.24]', async () => {
    const database = await open();
    const teamId = await giveTeam(database);
    const pageId = await insertPage(database, { team_id: teamId, slug: 'harbour' });
    const box = createSecretBox([OLD]);
    const before = createAddressHashes([OLD]);
    const subscribe = (kind: 'email' | 'webhook', address: string, hash = before) =>
      giveSubscriber(database, { teamId, pageId }, address, {
        kind,
        address_hash: hash.of(kind, address),
        sealed: box.of('subscriber', pageId).seal(address, 'address'),
      });
    const people = Array.from({ length: 230 }, (_, index) => `a${index}@example.com`);
    for (const address of people) await subscribe('email', address);
    await subscribe('webhook', 'https://hooks.example.com/in');
    // One mailbox that two processes with different keys took at once: the second row stays as it is.
    const [twice = ''] = people;
    const both = await subscribe('email', twice, createAddressHashes([NEW]));
    expect((await runCommand(withKeys(database, NEW, OLD), ['secrets', 'rotate'])).end).toEqual({
      end: 'done',
    });
    const after = createAddressHashes([NEW]);
    const find = (kind: 'email' | 'webhook', address: string) =>
      subscriberRows(database.read).findByAddress(pageId, kind, after.all(kind, address));
    for (const address of people) expect(await find('email', address)).toBeDefined();
    expect((await find('email', twice))!.id).toBe(both);
    expect(await find('webhook', 'https://hooks.example.com/in')).toBeDefined();
  });

  test('rotation that is interrupted leaves everything readable, and goes on when it runs again [39.34]', async () => {
    const database = await open();
    await fill(database, OLD);
    for (let index = 0; index < 220; index++) {
      const sealed = createSecretBox([OLD]).of('monitor', 1).seal(`${index}`, 'auth_password');
      await createMonitor(database, 1, { auth_password: sealed });
    }
    const ring = createKeyRing([NEW, OLD]);
    const killed = rotateSecrets(database, ring, async (done) => {
      if (done >= 200) throw new Error('killed');
    });
    await expect(killed).rejects.toThrow('killed');
    const both = createSecretBox([NEW, OLD]);
    const rows = await database.read.selectFrom('monitor').select('auth_password').execute();
    expect(
      rows.map((row) => both.of('monitor', 1).open(row.auth_password!, 'auth_password')),
    ).toHaveLength(221);
    const { out } = await runCommand(withKeys(database, NEW, OLD), ['secrets', 'status']);
    expect(out).toMatch(new RegExp(`^${NEW_ID} +first: encrypts +20\\d `, 'm'));
    expect(out).toMatch(new RegExp(`^${OLD_ID} +yes +\\d+ `, 'm'));

    expect(await rotateSecrets(database, ring, async () => {})).toMatchObject({ damaged: 0 });
    const again = await runCommand(withKeys(database, NEW, OLD), ['secrets', 'rotate']);
    expect(again.out).toContain('0 values need another key.');
    expect(again.out).toContain('Encrypted 0 values.');
  });

  test('rotation leaves what it cannot read, says which key that needs, and is refused by a wrong first key [39.35]', async () => {
    const database = await open();
    const { monitorId } = await fill(database, OLD);
    const sealed = createSecretBox([OLD]).of('monitor', 1).seal('x', 'auth_password');
    const damaged = `${sealed.slice(0, -4)}AAAA`;
    await updateRows(database, 'monitor', { auth_password: damaged }, { id: monitorId });
    const elsewhere = await runCommand(withKeys(database, OLD), [
      'secrets',
      'rotate',
      '--key',
      NEW_ID,
    ]);
    expect(elsewhere.end).toMatchObject({
      end: 'refused',
      message: expect.stringContaining(`The server encrypts with key ${OLD_ID}`) as string,
    });
    const lost = await runCommand(withKeys(database, NEW), ['secrets', 'rotate']);
    expect(lost.end).toMatchObject({ end: 'refused' });
    expect(JSON.stringify(lost.end)).toContain(
      `${OLD_ID} (MISSING): 1 user name of monitors, 1 password of monitors`,
    );
    expect(JSON.stringify(lost.end)).toContain('Add the missing key to SECRET_KEY');
    const rotated = await runCommand(withKeys(database, NEW, OLD), ['secrets', 'rotate']);
    expect(JSON.stringify(rotated.end)).toContain('1 password of monitors');
    expect(JSON.stringify(rotated.end)).toContain("Damaged, so that they can't be read: 1.");
  });
});
