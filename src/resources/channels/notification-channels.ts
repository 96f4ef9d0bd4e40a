import type { Kysely, Transaction } from 'kysely';
import type { Principal } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { ChannelTools, ChannelType } from '../../alerting/channels/index.ts';
import { findAccount, lockAccount } from '../../store/people/accounts.ts';
import {
  deleteChannel,
  findPersonChannel,
  hasEmailByDefault,
  insertPersonChannel,
  listPersonChannels,
  updateChannel,
  type ChannelWithState,
} from '../../store/resources/alert-channels.ts';
import type { Database } from '../../store/database/contract.ts';
import { cancelPending } from '../../store/alerting/delivery-log.ts';
import type { Schema } from '../../store/database/schema.ts';
import { auditTarget } from '../../model/audit.ts';
import { audit } from '../audit-log/entry.ts';
import {
  applyChannelInput,
  channelColumns,
  channelOf,
  followChange,
  requireType,
  viewChannelState,
} from './channel.ts';
import type { ChannelTest, ChannelTestAnswer } from './channel-test.ts';
import {
  PERSONAL_CHANNEL_FIELDS,
  PERSONAL_CHANNEL_TYPES,
  PERSONAL_TYPES,
  type Channel,
} from './fields.ts';
import { requireOwnAddress, resolveFlatKeys, viewFlatKeys } from './flat-keys.ts';
import { auditedSettings, viewTypeSettings, type ChannelRules } from './settings.ts';
import { holdPermission, Problem } from '../common/errors.ts';
import { changedNames, viewSettings } from '../common/fields.ts';
import { Findings } from '../common/input.ts';
import { readInput, typeIn, type PersonalInput } from './personal-input.ts';
import {
  personalChannel,
  PERSONAL_EMAIL,
  unset,
  viewFields,
  warningsOf,
  type ChannelOwner,
} from './personal-channel.ts';

/** A person's own channels, in all their teams; the id of each is its type. */
interface NotificationChannelService {
  /** One entry for each type, set up or not. */
  list(principal: Principal): Promise<object>;
  get(principal: Principal, word: string): Promise<object>;
  /** Throws `conflict` when it is set up already. */
  create(principal: Principal, body: unknown): Promise<object>;
  /** Only what is present changes; one that is not set up yet is set up, which requires the permission to create. */
  update(principal: Principal, word: string, body: unknown): Promise<object>;
  /** Throws `not_found` when it is not set up. */
  delete(principal: Principal, word: string): Promise<void>;
  /** Sends a message at once. */
  test(principal: Principal, word: string): Promise<ChannelTestAnswer>;
}

export interface NotificationChannelServiceDeps extends ChannelRules {
  database: Database;
  clock: Clock;
  secretBox: SecretBox;
  tools: ChannelTools;
  testChannel: ChannelTest;
}

/** A person's channel of one type, and the row that it may have. */
interface FoundChannel {
  row: ChannelWithState | undefined;
  owner: ChannelOwner;
  /** Null where it is not set up. */
  channel: Channel | null;
}

export function createNotificationChannelService(
  deps: NotificationChannelServiceDeps,
): NotificationChannelService {
  const { database, clock, secretBox, tools, testChannel } = deps;

  /** Serializes the writes of one person's channels. */
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
      email: account?.email ?? '',
      canMail,
      isConfirmed: account?.email_verified === 1,
      hasEmailByDefault: canMail && (await hasEmailByDefault(db, personId)),
    };
  }

  async function find(
    db: Kysely<Schema>,
    { person }: Principal,
    type: ChannelType,
  ): Promise<FoundChannel> {
    const row = await findPersonChannel(db, person.id, type.type);
    const owner = await ownerOf(db, person.id);
    return { row, owner, channel: personalChannel(type, row, owner, secretBox) };
  }

  async function shown(db: Kysely<Schema>, principal: Principal, type: ChannelType) {
    const { row, owner } = await find(db, principal, type);
    return entry(type, row, owner);
  }

  /** A type in answers, with its row if there is one. */
  function entry(type: ChannelType, row: ChannelWithState | undefined, owner: ChannelOwner) {
    const channel = personalChannel(type, row, owner, secretBox);
    const isEmail = type.type === 'email';
    return {
      id: type.type,
      type: type.type,
      title: type.title,
      ...viewSettings(PERSONAL_CHANNEL_FIELDS, channel ?? unset(type)),
      settings: channel && viewTypeSettings(type, channel.settings),
      ...viewFlatKeys(type, channel?.settings, owner),
      configured: channel !== null,
      available: !isEmail || (owner.canMail && owner.isConfirmed),
      warnings: warningsOf(type, channel, owner),
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

  /** Inserts the channel, or updates its row. */
  async function save(
    tx: Transaction<Schema>,
    principal: Principal,
    type: ChannelType,
    { row, channel: before }: FoundChannel,
    wanted: Channel,
  ): Promise<void> {
    const { id: personId } = principal.person;
    const now = clock.now();
    if (row === undefined) {
      const columns = channelColumns(wanted, { team_id: null, person_id: personId }, secretBox);
      await insertPersonChannel(tx, { personId, type: type.type }, columns, now);
    } else {
      const changed = changedNames(channelOf(row, secretBox), wanted);
      if (changed.length === 0) return;
      await updateChannel(tx, row.id, channelColumns(wanted, row, secretBox, changed), now);
      await followChange(tx, row, wanted, changed, now);
    }
    const target = auditTarget(
      'notification_channel',
      (await findPersonChannel(tx, personId, type.type))!,
    );
    const after = audited(type, wanted, before);
    const change =
      before === null
        ? { verb: 'created', target, after }
        : { verb: 'updated', target, before: audited(type, before), after };
    await audit(tx, principal, change, now);
  }

  function changedChannel(
    type: ChannelType,
    stored: Channel | null,
    input: PersonalInput,
    findings: Findings,
    own: string,
  ): Channel {
    if (type.type === 'email' && Object.keys(input.settings ?? {}).length > 0)
      findings.add(
        'settings',
        'must be left out: e-mail goes to your own address. Other addresses are told by an alert channel of the team',
      );
    if (type.type === 'email') requireOwnAddress(input['email'], own, findings);
    const flat = resolveFlatKeys(type, stored?.settings ?? null, input, findings);
    const channel = applyChannelInput(type, stored, { ...input, ...flat }, deps, findings);
    if (type.type !== 'email') return channel;
    // A channel without settings is one that was removed, unless it is enabled (store/resources/alert-channels.ts).
    return { ...channel, settings: channel.enabled ? null : {} };
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
      const input = readInput(typeIn(body), body, findings);
      const type = mustKnow(requireType(input.type, PERSONAL_CHANNEL_TYPES, findings));
      const wanted = changedChannel(type, null, input, findings, principal.person.email);
      findings.throwIfAny();
      const made = await write(principal, async (tx) => {
        const found = await find(tx, principal, type);
        if (found.channel !== null) throw isThere(type);
        await save(tx, principal, type, found, wanted);
        return shown(tx, principal, type);
      });
      return withKey(made);
    },

    async update(principal, word, body) {
      const type = mustKnow(word);
      const findings = new Findings();
      const input = readInput(word, body, findings);
      if (input.type != null && input.type !== word)
        findings.add('type', `can't be changed: it is ${word}. Each type has a path of its own`);
      const made = await write(principal, async (tx) => {
        const found = await find(tx, principal, type);
        if (found.channel === null) holdPermission(principal, 'create');
        const wanted = changedChannel(type, found.channel, input, findings, found.owner.email);
        findings.throwIfAny();
        await save(tx, principal, type, found, wanted);
        return shown(tx, principal, type);
      });
      return withKey(made);
    },

    async delete(principal, word) {
      const type = mustKnow(word);
      await write(principal, async (tx) => {
        const { row, channel } = await find(tx, principal, type);
        if (channel === null) throw isNotThere(type);
        const target = await remove(tx, principal, type, row);
        const change = { verb: 'deleted', target, before: audited(type, channel) };
        await audit(tx, principal, change, clock.now());
      });
    },

    async test(principal, word) {
      const type = mustKnow(word);
      const { person, team } = principal;
      const { owner, channel } = await find(database.read, principal, type);
      if (channel === null) throw isNotThere(type);
      if (type.type === 'email' && !owner.isConfirmed) return NOT_CONFIRMED;
      return testChannel({
        type,
        settings:
          type.type === 'email' ? { addresses: [person.email] } : (channel.settings ?? null),
        timezone: channel.timezone ?? person.timezone,
        team: team && { id: team.id, name: team.name },
        personId: person.id,
      });
    },
  };

  /** Removes a channel. E-mail, which exists by default, keeps a row that says so. */
  async function remove(
    tx: Transaction<Schema>,
    { person }: Principal,
    type: ChannelType,
    row: ChannelWithState | undefined,
  ) {
    const now = clock.now();
    if (row !== undefined && type.type !== 'email') {
      await deleteChannel(tx, row);
      return auditTarget('notification_channel', row);
    }
    const owner = { team_id: null, person_id: person.id };
    const gone = channelColumns({ ...PERSONAL_EMAIL, enabled: false }, owner, secretBox);
    if (row === undefined)
      await insertPersonChannel(tx, { personId: person.id, type: type.type }, gone, now);
    else {
      await updateChannel(tx, row.id, gone, now);
      await cancelPending(tx, row.destination_id, now);
    }
    return auditTarget(
      'notification_channel',
      (await findPersonChannel(tx, person.id, type.type))!,
    );
  }
}

/**
 * A channel in the audit log. A team's admins read that: all settings are secret there, such as a person's phone number.
 *
 * @param former the channel before the change.
 */
function audited({ type, fields }: ChannelType, channel: Channel, former?: Channel | null): object {
  const hidden = Object.entries(fields).map(([name, field]) => [name, { ...field, secret: true }]);
  const settings = auditedSettings(
    { fields: Object.fromEntries(hidden) as ChannelType['fields'] },
    channel.settings,
    former ?? undefined,
  );
  return { type, ...viewSettings(PERSONAL_CHANNEL_FIELDS, channel), settings };
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
