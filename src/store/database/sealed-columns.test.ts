import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sealed, sealedJson } from '../../lib/columns.ts';
import { FIELD_LIST } from '../../monitor-types/settings.ts';
import { WEBHOOK_FIELDS } from '../../resources/webhooks/fields.ts';
import { SEALED_TABLES } from './sealed-columns.ts';

const registered = SEALED_TABLES.flatMap(({ table, columns }) =>
  Object.keys(columns).map((column) => `${table}.${column}`),
);

/** Fields that a table of fields encrypts. */
const sealedNames = (fields: readonly [string, { codec: unknown }][]) =>
  fields.filter(([, { codec }]) => codec === sealed || codec === sealedJson).map(([name]) => name);

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
  'src/resources/webhooks/service.ts': [
    'webhook_endpoint.signing_secret',
    'webhook_endpoint.previous_signing_secret',
  ],
  'src/resources/subscribers/import.ts': ['subscriber.address'],
  'src/resources/subscribers/service.ts': ['subscriber.address', 'subscriber.signing_secret'],
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
