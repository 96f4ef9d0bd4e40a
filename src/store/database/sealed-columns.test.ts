import { createVapid } from '../../alerting/delivery/vapid.ts';
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { giveChannel, giveEndpoint, giveTeam } from '../../../test/support/deliveries.ts';
import { createMonitor } from '../../../test/support/monitor-rows.ts';
import { rowOf, updateRows } from '../../../test/support/rows.ts';
import { insertPage } from '../../../test/support/status-pages.ts';
import { giveSubscriber } from '../../../test/support/subscribers.ts';
import { sealed as sealedCodec, sealedJson } from '../../lib/columns.ts';
import { createSecretBox, sealingKeyOf, type SealedKind } from '../../lib/secret-box.ts';
import { FIELD_LIST } from '../../monitor-types/settings.ts';
import { WEBHOOK_FIELDS } from '../../resources/webhooks/fields.ts';
import { createMailQueue } from '../alerting/mails.ts';
import { peopleStore } from '../people/people.ts';
import { idempotencyKeys } from '../resources/idempotency-keys.ts';
import type { Database } from './contract.ts';
import { SEALED_TABLES, channelOwner } from './sealed-columns.ts';

const registered = SEALED_TABLES.flatMap(({ table, columns }) =>
  Object.keys(columns).map((column) => `${table}.${column}`),
);

/** Fields that a table of fields encrypts. */
const sealedNames = (fields: readonly [string, object][]) =>
  fields
    .filter(
      ([, field]) =>
        'codec' in field && (field.codec === sealedCodec || field.codec === sealedJson),
    )
    .map(([name]) => name);

test('each encrypted field of monitors and webhook endpoints is in the registry', () => {
  const monitor = sealedNames(FIELD_LIST.map(({ name, field }) => [name, field]));
  const webhook = sealedNames(Object.entries(WEBHOOK_FIELDS));
  expect(monitor).toHaveLength(4);
  expect(webhook).toHaveLength(3);
  expect(registered).toEqual(expect.arrayContaining(monitor.map((name) => `monitor.${name}`)));
  expect(registered).toEqual(
    expect.arrayContaining(webhook.map((name) => `webhook_endpoint.${name}`)),
  );
});

/** Where the source encrypts, and the columns that it writes there. */
const WRITERS: Record<string, string[]> = {
  'src/alerting/delivery/vapid.ts': ['setting.value'],
  'src/resources/common/idempotency.ts': ['idempotency_key.answer'],
  'src/resources/monitors/new-monitor.ts': ['monitor.ping_token'],
  'src/resources/webhooks/endpoints.ts': [
    'webhook_endpoint.signing_secret',
    'webhook_endpoint.previous_signing_secret',
  ],
  'src/resources/subscribers/import.ts': ['subscriber.address'],
  'src/status-page/subscribers/subscriptions.ts': ['subscriber.address'],
  'src/store/alerting/mails.ts': ['delivery.body'],
  // Fields whose columns the test above finds, and `alert_channel.settings`.
  'src/monitor-types/fields.ts': ['monitor.auth_password'],
  'src/resources/webhooks/fields.ts': ['webhook_endpoint.url'],
  'src/resources/channels/fields.ts': ['alert_channel.settings'],
  // better-auth encrypts these.
  'src/identity/sign-in-adapter.ts': ['two_factor.secret', 'two_factor.backup_codes'],
};
/** The codecs themselves, and rotation. */
const TOOLS = [
  'src/lib/secret-box.ts',
  'src/lib/columns.ts',
  'src/identity/key-ring.ts',
  // Seals nothing: a box without a key.
  'src/operator/export.ts',
];
/** Messages to probes and from them, which are stored nowhere. */
const MESSAGES = [
  'src/engine/bus/nats/sent-batches.ts',
  'src/engine/bus/nats/probe-service.ts',
  'src/engine/bus/nats/sealing.ts',
];

test('each place that encrypts is known, and its columns are in the registry: else their values are lost with the key', () => {
  const encrypts = /\bseal\(|codec: sealed|twoFactor: \{/;
  const found = globSync('src/**/*.ts')
    .filter((file) => !file.endsWith('.test.ts') && encrypts.test(readFileSync(file, 'utf8')))
    .filter((file) => !TOOLS.includes(file) && !MESSAGES.includes(file));
  expect(found.toSorted()).toEqual(Object.keys(WRITERS).toSorted());
  expect(registered).toEqual(expect.arrayContaining(Object.values(WRITERS).flat()));
});

const KEY = 'a key for tests';
interface Place {
  kind: SealedKind;
  owner: number | string;
  column: string;
}

/** Two teams with a secret in each encrypted column of the secret box, as programs write them. */
async function fill(database: Database): Promise<Map<string, Place>> {
  const box = createSecretBox([KEY]);
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
      const keyId = (await idempotencyKeys(tx).insert(key, now))!;
      const answer = box.of('idempotency_key', keyId).seal('e30=', 'answer');
      await idempotencyKeys(tx).storeAnswer({ id: keyId, claim: 1 }, { status: 200, answer });
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
    sealed !== null && sealingKeyOf(sealed) !== null && places.set(sealed, { kind, owner, column });
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

eachDatabase((_name, open) => {
  test('no stored secret opens in the place of another one', async () => {
    const database = await open();
    expect(swaps(await fill(database))).toEqual({ own: VALUES, elsewhere: 0 });
  });

  test('the settings of a person are not those of the team with the same number', async () => {
    const database = await open();
    const teamId = await giveTeam(database);
    const box = createSecretBox([KEY]);
    const { id } = await giveChannel(database, teamId);
    const personId = await database.transaction((tx) =>
      peopleStore(tx).insert({ name: 'Ada', email: 'ada@example.com', timezone: 'UTC' }, 1),
    );
    const { settings, ...row } = await rowOf(database, 'alert_channel', { id });
    expect(box.of('alert_channel', channelOwner(row)).open(settings!, 'settings')).toBe('{}');
    const moved = channelOwner({ team_id: null, person_id: personId });
    expect(() => box.of('alert_channel', moved).open(settings!, 'settings')).toThrow(/damaged/);
  });
});
