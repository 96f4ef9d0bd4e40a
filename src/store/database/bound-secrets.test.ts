import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { giveChannel, giveEndpoint, giveTeam } from '../../../test/support/deliveries.ts';
import { createMonitor } from '../../../test/support/monitor-rows.ts';
import { operatorContext, runCommand } from '../../../test/support/operator.ts';
import { insertRows, rowOf, updateRows } from '../../../test/support/rows.ts';
import { insertPage } from '../../../test/support/status-pages.ts';
import { giveSubscriber } from '../../../test/support/subscribers.ts';
import { createVapid } from '../../alerting/delivery/vapid.ts';
import {
  createSecretBox,
  readSealed,
  type SealedForm,
  type SealedKind,
} from '../../lib/secret-box.ts';
import { createMailQueue } from '../alerting/mails.ts';
import { insertPerson } from '../people/people.ts';
import { insertIdempotencyKey, storeAnswer } from '../resources/idempotency-keys.ts';
import { sealedFormOf, startBinding } from './bound-secrets.ts';
import type { Database } from './contract.ts';
import { judgeCompatibility } from './migrations/compatibility.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { channelOwner } from './sealed-columns.ts';
import { deleteSettings, readSetting } from './settings.ts';

const KEY = 'a key for tests';
const OLDEST = 'oldest_usable_migration';

/** As a release before bound secrets left it. */
async function makeOlder(database: Database): Promise<void> {
  await database.transaction((tx) => deleteSettings(tx, [OLDEST]));
}

interface Place {
  kind: SealedKind;
  owner: number | string;
  column: string;
}

/** Two teams with a secret in each encrypted column of the secret box, as programs write them. */
async function fill(database: Database, form: SealedForm): Promise<Map<string, Place>> {
  const box = createSecretBox([KEY], { form });
  const now = Date.UTC(2030, 0, 1);
  for (const name of ['harbour', 'quay']) {
    const teamId = await giveTeam(database, name);
    const monitor = box.of('monitor', teamId);
    await createMonitor(database, 1, {
      team_id: teamId,
      auth_username: monitor.seal('user', 'auth_username'),
      auth_password: monitor.seal('password', 'auth_password'),
    });
    const hook = box.of('webhook_endpoint', teamId);
    await giveEndpoint(database, teamId, 'https://hooks.example.com/', {
      url: hook.seal('https://hooks.example.com/', 'url'),
      signing_secret: hook.seal('signing', 'signing_secret'),
    });
    const { id } = await giveChannel(database, teamId);
    const settings = box.of('alert_channel', `team ${teamId}`).seal('{}', 'settings');
    await updateRows(database, 'alert_channel', { settings }, { id });
    const pageId = await insertPage(database, { team_id: teamId, slug: name });
    await giveSubscriber(database, { teamId, pageId }, 'sam@example.com', {
      sealed: box.of('subscriber', pageId).seal('sam@example.com', 'address'),
    });
    await database.transaction(async (tx) => {
      const key = { scope: name, owner: name, fingerprint: 'x', leased_until: 0 };
      const keyId = (await insertIdempotencyKey(tx, key, now))!;
      const answer = box.of('idempotency_key', keyId).seal('e30=', 'answer');
      await storeAnswer(tx, { id: keyId, claim: 1 }, { status: 200, answer });
    });
    await database.transaction((tx) =>
      createMailQueue({
        secretBox: box,
        isConfigured: true,
        keys: [KEY],
        openSignup: false,
      }).enqueue(
        tx,
        { kind: 'invitation', to: name, subject: 'S', text: 'T', html: 'H', expiresAt: now },
        now,
      ),
    );
  }
  await createVapid({ database, secretBox: box, contact: () => '' }).publicKey();
  return placesOf(database);
}

/** All sealed values with their places, read from the rows. */
async function placesOf(database: Database): Promise<Map<string, Place>> {
  const places = new Map<string, Place>();
  const add = (sealed: string | null, kind: SealedKind, owner: number | string, column: string) =>
    sealed !== null && readSealed(sealed) !== null && places.set(sealed, { kind, owner, column });
  const all = <Table extends Parameters<Database['read']['selectFrom']>[0] & string>(
    table: Table,
  ) =>
    database.read
      .selectFrom(table as never)
      .selectAll()
      .execute() as Promise<Record<string, never>[]>;
  for (const row of await all('monitor'))
    for (const column of ['auth_username', 'auth_password'])
      add(row[column]!, 'monitor', row['team_id']!, column);
  for (const row of await all('webhook_endpoint'))
    for (const column of ['url', 'signing_secret'])
      add(row[column]!, 'webhook_endpoint', row['team_id']!, column);
  for (const row of await all('alert_channel'))
    add(row['settings']!, 'alert_channel', channelOwner(row as never), 'settings');
  for (const row of await all('subscriber'))
    add(row['address']!, 'subscriber', row['page_id']!, 'address');
  for (const row of await all('idempotency_key'))
    add(row['answer']!, 'idempotency_key', row['id']!, 'answer');
  for (const row of await all('delivery'))
    add(row['body']!, 'delivery', row['message_id']!, 'body');
  for (const row of await all('setting')) add(row['value']!, 'setting', row['name']!, 'value');
  return places;
}

/** Number of values that open where another one is stored, and in their own place. */
function swaps(places: ReadonlyMap<string, Place>): { own: number; elsewhere: number } {
  const box = createSecretBox([KEY]);
  let [own, elsewhere] = [0, 0];
  for (const [sealed, from] of places) {
    for (const to of places.values()) {
      try {
        box.of(to.kind, to.owner).open(sealed, to.column);
        if (from === to) own += 1;
        else elsewhere += 1;
      } catch {
        // It does not open there.
      }
    }
  }
  return { own, elsewhere };
}

const VALUES = 17;
const run = (database: Database, command: string[]) =>
  runCommand(operatorContext(database, { keys: async () => [KEY] }), ['secrets', ...command]);

eachDatabase((_name, open) => {
  test('a new database binds secrets from its beginning: none opens in the place of another one', async () => {
    const database = await open();
    expect(await sealedFormOf(database.read)).toBe('bound');
    expect(swaps(await fill(database, 'bound'))).toEqual({ own: VALUES, elsewhere: 0 });
  });

  test('an older database goes on as before, until its secrets are bound by the operator', async () => {
    const database = await open();
    await makeOlder(database);
    expect(await sealedFormOf(database.read)).toBe('unbound');
    const before = await fill(database, 'unbound');
    expect(swaps(before)).toEqual({ own: VALUES, elsewhere: VALUES * (VALUES - 1) });

    const status = await run(database, ['status']);
    expect(status.out).toMatch(new RegExp(`first: encrypts +${VALUES} +${VALUES} `));
    const rotated = await run(database, ['rotate']);
    expect(rotated.end).toEqual({ end: 'done' });
    expect(rotated.out).toContain('Encrypted 0 values.');
    expect(rotated.out).toContain(`Not bound to their place: ${VALUES}.`);

    const bound = await run(database, ['rotate', '--bind']);
    expect(bound.end).toEqual({ end: 'done' });
    expect(bound.out).toContain(`and ${VALUES} are not bound to their place.`);
    expect(bound.out).toContain(`Encrypted ${VALUES} values.`);
    const after = await placesOf(database);
    expect([...after.values()]).toEqual([...before.values()]);
    expect(swaps(after)).toEqual({ own: VALUES, elsewhere: 0 });
    expect((await run(database, ['status'])).out).toMatch(
      new RegExp(`first: encrypts +${VALUES} +0 `),
    );
    expect(await sealedFormOf(database.read)).toBe('bound');
    expect((await run(database, ['rotate'])).out).toContain('Encrypted 0 values.');
  });

  test('what a process writes meanwhile in the former form opens, is counted, and bound by the next run', async () => {
    const database = await open();
    await startBinding(database);
    const sealed = createSecretBox([KEY], { form: 'unbound' })
      .of('monitor', 1)
      .seal('secret', 'auth_password');
    const id = await createMonitor(database, 1, { auth_password: sealed });
    const opened = async () =>
      createSecretBox([KEY])
        .of('monitor', 1)
        .open((await rowOf(database, 'monitor', { id })).auth_password!, 'auth_password');
    expect(await opened()).toBe('secret');
    expect((await run(database, ['status'])).out).toMatch(/first: encrypts +1 +1 /);
    expect((await run(database, ['rotate'])).out).toContain('Encrypted 1 value.');
    expect(await opened()).toBe('secret');
  });

  test('a damaged value is left and said', async () => {
    const database = await open();
    const sealed = createSecretBox([KEY], { form: 'unbound' }).of('monitor', 1).seal('x', 'url');
    await createMonitor(database, 1, { auth_password: `${sealed.slice(0, -4)}AAAA` });
    const { end } = await run(database, ['rotate']);
    expect(JSON.stringify(end)).toContain("Damaged, so that they can't be read: 1.");
  });

  test('the settings of a person are not those of the team with the same number', async () => {
    const database = await open();
    const teamId = await giveTeam(database);
    const box = createSecretBox([KEY]);
    const { id } = await giveChannel(database, teamId);
    const personId = await database.transaction((tx) =>
      insertPerson(tx, { name: 'Ada', email: 'ada@example.com', timezone: 'UTC' }, 1),
    );
    const { settings, ...row } = await rowOf(database, 'alert_channel', { id });
    expect(box.of('alert_channel', channelOwner(row)).open(settings!, 'settings')).toBe('{}');
    const moved = channelOwner({ team_id: null, person_id: personId });
    expect(() => box.of('alert_channel', moved).open(settings!, 'settings')).toThrow(/damaged/);
  });

  test('a program that can not read bound secrets does not start on a database that has them', async () => {
    const database = await open();
    const all = MIGRATIONS.map(({ name }) => name);
    const before = all.filter((name) => name < '0034');
    const isUsable = async () =>
      judgeCompatibility(before, all, await readSetting(database.read, OLDEST)).isUsable;
    expect(await isUsable()).toBe(false);
    await makeOlder(database);
    expect(await isUsable()).toBe(true);
    await startBinding(database);
    expect(await isUsable()).toBe(false);
    await makeOlder(database);
    await insertRows(database, 'setting', { name: OLDEST, value: '9999-later' });
    await startBinding(database);
    expect(await readSetting(database.read, OLDEST)).toBe('9999-later');
  });
});
