import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Principal } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import {
  type ChannelTools,
  type ChannelType,
  CHANNEL_TYPES,
} from '../../alerting/channels/index.ts';
import { findAccount, lockAccount } from '../../store/people/accounts.ts';
import {
  deleteChannel,
  findPersonChannel,
  hasEmailByDefault,
  insertPersonChannel,
  listPersonChannels,
  PERSONAL_EMAIL,
  updateChannel,
  type ChannelColumns,
  type ChannelWithState,
} from '../../store/resources/alert-channels.ts';
import type { Database } from '../../store/database/contract.ts';
import { cancelPending } from '../../store/alerting/delivery-log.ts';
import type { Schema } from '../../store/database/schema.ts';
import { audit } from '../audit-log/entry.ts';
import { channelFields, openSettings, sealSettings, type ChannelRules } from './channel-input.ts';
import {
  auditedSettings,
  changedColumns,
  followChange,
  planChannel,
  viewChannelColumns,
  viewChannelState,
} from './channel-plan.ts';
import type { ChannelTest, ChannelTestAnswer } from './channel-test.ts';
import { Problem } from '../common/errors.ts';
import { Findings, readBody } from '../common/input.ts';
import { oneOf } from '../../lib/schemas.ts';
import { columnsOf, unset, viewFields, type ChannelOwner } from './notification-channel-columns.ts';

/** Mails of a person go to their own address, so that nobody has others written to: there is nothing to fill in. */
const PERSONAL_TYPES = CHANNEL_TYPES.filter(({ scopes }) => scopes.includes('person')).map((type) =>
  type.type === 'email' ? { ...type, fields: {} } : type,
);
export const PERSONAL_CHANNEL_TYPES = PERSONAL_TYPES.map(({ type }) => type) as [
  string,
  ...string[],
];

/** What people send to change a channel of their own (contract 34.15). */
export const notificationChannelChange = z.object(channelFields(PERSONAL_TYPES));

/** The same to set one up. */
export const notificationChannelInput = notificationChannelChange.extend({
  type: oneOf(PERSONAL_CHANNEL_TYPES),
});

const incompleteInput = notificationChannelInput.extend({
  type: notificationChannelInput.shape.type.nullish(),
});

/** A person's own channels, in whichever teams; each has the word of its type for an id. */
export interface NotificationChannelService {
  /** One entry for each type, set up or not. */
  list(principal: Principal): Promise<object>;
  get(principal: Principal, word: string): Promise<object>;
  /** A Problem `conflict` where it is set up already. */
  create(principal: Principal, body: unknown): Promise<object>;
  /** Only what is present changes; one that is not set up yet is set up. */
  update(principal: Principal, word: string, body: unknown): Promise<object>;
  /** Not found where it is not set up. */
  delete(principal: Principal, word: string): Promise<void>;
  /** Sends a message at once. */
  test(principal: Principal, word: string): Promise<ChannelTestAnswer>;
}

export interface NotificationChannelServiceDeps {
  database: Database;
  clock: Clock;
  secretBox: SecretBox;
  rules: ChannelRules;
  tools: ChannelTools;
  testChannel: ChannelTest;
}

export function createNotificationChannelService(
  deps: NotificationChannelServiceDeps,
): NotificationChannelService {
  const { database, clock, secretBox, tools, testChannel } = deps;

  /** Writes of one person's channels come one after another. */
  function write<Value>(
    { person }: Principal,
    work: (tx: Transaction<Schema>) => Promise<Value>,
  ): Promise<Value> {
    return database.transaction(async (tx) => {
      await lockAccount(tx, person.id);
      return work(tx);
    });
  }

  async function ownerOf(db: Kysely<Schema>, personId: number): Promise<ChannelOwner> {
    const account = await findAccount(db, personId);
    const canMail = tools.mailer !== null;
    return {
      canMail,
      isConfirmed: account?.email_verified === 1,
      hasEmailByDefault: canMail && (await hasEmailByDefault(db, personId)),
    };
  }

  async function shown(db: Kysely<Schema>, { person }: Principal, type: ChannelType) {
    const row = await findPersonChannel(db, person.id, type.type);
    return entry(type, row, await ownerOf(db, person.id));
  }

  /** As the API shows a type, by the row that there is of it. */
  function entry(type: ChannelType, row: ChannelWithState | undefined, owner: ChannelOwner) {
    const columns = columnsOf(type, row, owner);
    const isEmail = type.type === 'email';
    return {
      id: type.type,
      type: type.type,
      title: type.title,
      ...viewChannelColumns(type, columns ?? unset(type), secretBox),
      ...(columns === null && { settings: null }),
      configured: columns !== null,
      available: !isEmail || (owner.canMail && owner.isConfirmed),
      fields: viewFields(type.fields),
      ...viewChannelState(row ?? NEVER_SENT),
    };
  }

  /** The key that a browser subscribes with. */
  async function withKey<Entry extends { type: string }>(one: Entry) {
    return {
      ...one,
      public_key: one.type === 'web_push' ? (await tools.vapid()).publicKey : null,
    };
  }

  /** Makes the wanted columns so, whatever is there. */
  async function save(
    tx: Transaction<Schema>,
    principal: Principal,
    type: ChannelType,
    wanted: ChannelColumns,
  ): Promise<void> {
    const { id: personId } = principal.person;
    const row = await findPersonChannel(tx, personId, type.type);
    const before = columnsOf(type, row, await ownerOf(tx, personId));
    const now = clock.now();
    if (row === undefined) {
      await insertPersonChannel(tx, { personId, type: type.type }, wanted, now);
    } else {
      const changed = changedColumns(row, wanted);
      if (Object.keys(changed).length === 0) return;
      await updateChannel(tx, row.id, changed, now);
      await followChange(tx, row, changed, now);
    }
    const made = (await findPersonChannel(tx, personId, type.type))!;
    const target = targetOf(made);
    const after = asSet(type, made, before);
    const change =
      before === null
        ? { verb: 'created', target, after }
        : { verb: 'updated', target, before: asSet(type, before), after };
    await audit(tx, principal, change, now);
  }

  /** What people set, without what is in their settings; `before` is what it replaced. */
  function asSet(type: ChannelType, row: ChannelColumns, before?: ChannelColumns | null): object {
    const columns = viewChannelColumns(type, row, secretBox);
    const settings = auditedSettings(allSecret(type), row, before ?? undefined, secretBox);
    return { type: type.type, ...columns, settings };
  }

  function plan(
    type: ChannelType,
    stored: ChannelColumns | null,
    input: z.output<typeof notificationChannelChange>,
    findings: Findings,
  ): ChannelColumns {
    if (type.type === 'email' && Object.keys(input.settings ?? {}).length > 0)
      findings.add(
        'settings',
        'must be left out: e-mail goes to your own address. Other addresses are told by an alert channel of the team',
      );
    const columns = planChannel(type, stored, input, deps, findings);
    return type.type === 'email' ? { ...columns, settings: mailSettings(columns) } : columns;
  }

  /** A channel without settings is one that was removed, unless it is enabled (store/resources/alert-channels.ts). */
  function mailSettings({ enabled }: ChannelColumns): string | null {
    return enabled === 1 ? null : sealSettings(secretBox, {});
  }

  return {
    async list({ person }) {
      const rows = await listPersonChannels(database.read, person.id);
      const owner = await ownerOf(database.read, person.id);
      const entries = PERSONAL_TYPES.map((type) =>
        entry(
          type,
          rows.find((row) => row.type === type.type),
          owner,
        ),
      );
      return { data: await Promise.all(entries.map(withKey)) };
    },

    async get(principal, word) {
      return withKey(await shown(database.read, principal, mustKnow(word)));
    },

    async create(principal, body) {
      const findings = new Findings();
      const input = readBody(incompleteInput, body, findings) as z.output<typeof incompleteInput>;
      if (input.type == null) {
        if (!findings.has('type'))
          findings.add(
            'type',
            `is required: it must be one of ${PERSONAL_CHANNEL_TYPES.join(', ')}`,
          );
        throw findings.asError();
      }
      const type = mustKnow(input.type);
      const wanted = plan(type, null, input, findings);
      findings.throwIfAny();
      const made = await write(principal, async (tx) => {
        if ((await shown(tx, principal, type)).configured) throw isThere(type);
        await save(tx, principal, type, wanted);
        return shown(tx, principal, type);
      });
      return withKey(made);
    },

    async update(principal, word, body) {
      const type = mustKnow(word);
      const findings = new Findings();
      const input = readBody(notificationChannelChange, body, findings) as z.output<
        typeof notificationChannelChange
      >;
      const made = await write(principal, async (tx) => {
        const { id } = principal.person;
        const row = await findPersonChannel(tx, id, word);
        const stored = columnsOf(type, row, await ownerOf(tx, id));
        const wanted = plan(type, stored, input, findings);
        findings.throwIfAny();
        await save(tx, principal, type, wanted);
        return shown(tx, principal, type);
      });
      return withKey(made);
    },

    async delete(principal, word) {
      const type = mustKnow(word);
      await write(principal, async (tx) => {
        const { id } = principal.person;
        const row = await findPersonChannel(tx, id, word);
        const before = columnsOf(type, row, await ownerOf(tx, id));
        if (before === null) throw isNotThere(type);
        const now = clock.now();
        const target = await remove(tx, principal, type, row);
        const change = { verb: 'deleted', target, before: asSet(type, before) };
        await audit(tx, principal, change, now);
      });
    },

    async test(principal, word) {
      const type = mustKnow(word);
      const { person, team } = principal;
      const row = await findPersonChannel(database.read, person.id, word);
      const owner = await ownerOf(database.read, person.id);
      const columns = columnsOf(type, row, owner);
      if (columns === null) throw isNotThere(type);
      if (type.type === 'email' && !owner.isConfirmed) return NOT_CONFIRMED;
      return testChannel({
        type,
        settings:
          type.type === 'email'
            ? { addresses: [person.email] }
            : openSettings(secretBox, columns.settings),
        timezone: columns.timezone ?? person.timezone,
        team: team && { id: team.id, name: team.name },
      });
    },
  };

  /** What is there by default is gone for good only when a row says so. */
  async function remove(
    tx: Transaction<Schema>,
    { person }: Principal,
    type: ChannelType,
    row: ChannelWithState | undefined,
  ) {
    const now = clock.now();
    if (row !== undefined && type.type !== 'email') {
      await deleteChannel(tx, row);
      return targetOf(row);
    }
    const gone = { ...PERSONAL_EMAIL, enabled: 0 };
    if (row === undefined)
      await insertPersonChannel(tx, { personId: person.id, type: type.type }, gone, now);
    else {
      await updateChannel(tx, row.id, gone, now);
      await cancelPending(tx, row.destination_id, now);
    }
    return targetOf((await findPersonChannel(tx, person.id, type.type))!);
  }
}

/** A team's admins read its audit log: a person's own phone number is none of their business. */
function allSecret({ fields }: ChannelType): Pick<ChannelType, 'fields'> {
  const hidden = Object.entries(fields).map(([name, field]) => [name, { ...field, secret: true }]);
  return { fields: Object.fromEntries(hidden) as ChannelType['fields'] };
}

const NEVER_SENT = { last_delivered_at: null, failing_since: null, last_error: null };

const NOT_CONFIRMED: ChannelTestAnswer = {
  success: false,
  message: 'Your e-mail address is not confirmed: nothing is sent there until it is.',
};

function mustKnow(word: string): ChannelType {
  const type = PERSONAL_TYPES.find((one) => one.type === word);
  if (type !== undefined) return type;
  throw new Problem(
    'not_found',
    `There is no such channel: the channels are ${PERSONAL_CHANNEL_TYPES.join(', ')}.`,
  );
}

function isThere({ type, title }: ChannelType): Problem {
  return new Problem(
    'conflict',
    `${title} is set up already: change it with PUT /api/v1/notification-channels/${type}.`,
  );
}

function isNotThere({ type, title }: ChannelType): Problem {
  return new Problem(
    'not_found',
    `${title} is not set up: do that with PUT /api/v1/notification-channels/${type}.`,
  );
}

function targetOf({ id, name }: ChannelWithState) {
  return { type: 'notification_channel', id, name } as const;
}
