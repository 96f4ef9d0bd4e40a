import type { ChannelTools, ChannelType } from '../../alerting/channels/index.ts';
import type { Principal } from '../../identity/caller.ts';
import { openIfPossible } from '../../lib/columns.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { auditTarget } from '../../model/audit.ts';
import { queueChanges } from '../../store/alerting/delivery-outcomes.ts';
import { type WithState, destinationStore } from '../../store/alerting/destinations.ts';
import { updateRow } from '../../store/database/rows.ts';
import type { Db, Tx } from '../../store/database/contract.ts';
import { lockAccount, accountStore } from '../../store/people/accounts.ts';
import {
  hasEmailByDefault,
  personChannels,
  type ChannelColumns,
  channelDestinations,
} from '../../store/resources/alert-channels.ts';
import { recordChange } from '../common/change.ts';
import type { CollectionDeps } from '../common/collection.ts';
import { holdPermission, Problem } from '../common/errors.ts';
import {
  applyInput,
  changedNames,
  columnsOf,
  defaultSettings,
  settingsOf,
  viewSettings,
} from '../common/fields.ts';
import { fieldIn, Findings } from '../common/input.ts';
import { type Call } from '../common/operation.ts';
import { type ChannelTest } from './channel-test.ts';
import {
  PERSONAL_CHANNEL_FIELDS,
  PERSONAL_CHANNEL_TYPES,
  PERSONAL_COLUMNS,
  PERSONAL_TYPES,
  type Channel,
  type PersonalChannel,
} from './fields.ts';
import {
  readInput,
  requireOwnAddress,
  resolveFlatKeys,
  viewFlatKeys,
  type OwnAddress,
  type PersonalInput,
} from './personal-input.ts';
import {
  auditedSettings,
  channelWarnings,
  resolveSettings,
  secretsOf,
  viewChannelState,
  viewTypeSettings,
  type ChannelRules,
} from './settings.ts';

type Row = WithState<'alert_channel'>;

interface NotificationChannelDeps extends CollectionDeps, ChannelRules {
  secretBox: SecretBox;
  tools: ChannelTools;
  testChannel: ChannelTest;
}

/** A person's channel of one type. */
interface FoundChannel {
  row: Row | undefined;
  owner: ChannelOwner;
  /** Null where it is not set up. */
  channel: Channel | null;
}

/** Properties of a person that decide about their channels. */
type ChannelOwner = OwnAddress & {
  canMail: boolean;
  hasEmailByDefault: boolean;
};

/** A person's own channels, in all their teams; the id of each is its type. */
export function createNotificationChannels(deps: NotificationChannelDeps) {
  const { database, clock, secretBox, tools, testChannel } = deps;

  /** Serializes the writes of one person's channels. */
  function write<Value>({ person }: Principal, work: (tx: Tx) => Promise<Value>): Promise<Value> {
    return database.transaction(async (tx) => {
      await lockAccount(tx, person.id);
      return work(tx);
    });
  }

  async function ownerOf(db: Db, personId: number): Promise<ChannelOwner> {
    const account = await accountStore(db).find(personId);
    const canMail = tools.mailer !== null;
    return {
      email: account?.email ?? '',
      canMail,
      isConfirmed: account?.email_verified === 1,
      hasEmailByDefault: canMail && (await hasEmailByDefault(db, personId)),
    };
  }

  const openChannel = (row: Row) =>
    settingsOf<Channel>(PERSONAL_COLUMNS, row, openIfPossible(secretsOf(secretBox, row)));

  const columnsOfChannel = (personId: number, channel: Channel, names?: (keyof Channel)[]) => {
    const { seal } = secretsOf(secretBox, { team_id: null, person_id: personId });
    return columnsOf<Channel, ChannelColumns>(PERSONAL_COLUMNS, channel, seal, names);
  };

  /** Null where it is not set up. E-mail is set up by default until it is removed. */
  function channelOf(type: ChannelType, row: Row | undefined, owner: ChannelOwner): Channel | null {
    if (row === undefined)
      return type.type === 'email' && owner.hasEmailByDefault ? PERSONAL_EMAIL : null;
    const isRemoved = row.enabled === 0 && row.settings === null;
    return isRemoved ? null : openChannel(row);
  }

  async function find(db: Db, { person }: Principal, type: ChannelType): Promise<FoundChannel> {
    const row = await findRow(db, person.id, type);
    const owner = await ownerOf(db, person.id);
    return { row, owner, channel: channelOf(type, row, owner) };
  }

  async function view(db: Db, principal: Principal, type: ChannelType) {
    return viewFound(type, await find(db, principal, type));
  }

  /** Adds the key that a browser subscribes with, which is made at the first time: not in a transaction. */
  async function withKey<Entry extends { type: string }>(one: Entry) {
    const isPush = one.type === 'web_push';
    return { ...one, public_key: isPush ? (await tools.vapid()).publicKey : null };
  }

  function changedChannel(
    type: ChannelType,
    stored: Channel | null,
    input: PersonalInput,
    findings: Findings,
    own: string,
  ): Channel {
    const isEmail = type.type === 'email';
    if (isEmail && Object.keys(input.settings ?? {}).length > 0)
      findings.add(
        'settings',
        'must be left out: e-mail goes to your own address. Other addresses are told by an alert channel of the team',
      );
    if (isEmail) requireOwnAddress(input['email'], own, findings);
    const known = stored?.settings ?? null;
    const flat = resolveFlatKeys(type, known, input, findings);
    const { settings: _sent, ...fields } = input;
    const channel = applyInput<Channel>(PERSONAL_COLUMNS, stored, fields);
    const settings = resolveSettings(type, known, flat, deps, findings);
    // A channel without settings is one that was removed, unless it is enabled (store/resources/alert-channels.ts).
    const kept = isEmail ? (channel.enabled ? null : {}) : settings;
    return { ...channel, name: channel.name || type.title, settings: kept };
  }

  /** Inserts the channel, or updates its row. */
  async function save(
    tx: Tx,
    principal: Principal,
    type: ChannelType,
    { row, channel: before }: FoundChannel,
    wanted: Channel,
  ): Promise<void> {
    const { id: personId } = principal.person;
    const now = clock.now();
    if (row === undefined) {
      const columns = columnsOfChannel(personId, wanted);
      await channelDestinations(tx).insertPersonal({ personId, type: type.type }, columns, now);
    } else {
      const changed = changedNames(openChannel(row), wanted);
      if (changed.length === 0) return;
      const isOn = changed.includes('enabled') ? wanted.enabled : null;
      const isMoved = changed.includes('settings');
      await queueChanges(tx).adjust(row.destination_id, { isOn, isMoved }, now);
      const columns = columnsOfChannel(personId, wanted, changed);
      await updateRow(tx, 'alert_channel', row.id, { ...columns, updated_at: now });
    }
    const target = auditTarget('notification_channel', (await findRow(tx, personId, type))!);
    const after = audited(type, wanted, before);
    const change =
      before === null
        ? { verb: 'created', target, after }
        : { verb: 'updated', target, before: audited(type, before), after };
    await recordChange(tx, principal, change, now);
  }

  /** Removes a channel. E-mail, which exists by default, keeps a row that says so. @returns its row. */
  async function remove(tx: Tx, { person }: Principal, type: ChannelType, row: Row | undefined) {
    const now = clock.now();
    if (row !== undefined && type.type !== 'email') {
      await destinationStore(tx).delete(row.destination_id);
      await tx.deleteFrom('alert_channel').where('id', '=', row.id).execute();
      return row;
    }
    const gone = columnsOfChannel(person.id, { ...PERSONAL_EMAIL, enabled: false });
    if (row === undefined)
      await channelDestinations(tx).insertPersonal(
        { personId: person.id, type: type.type },
        gone,
        now,
      );
    else {
      await queueChanges(tx).adjust(row.destination_id, { isOn: false, isMoved: false }, now);
      await updateRow(tx, 'alert_channel', row.id, { ...gone, updated_at: now });
    }
    return (await findRow(tx, person.id, type))!;
  }

  return {
    async listNotificationChannels({ principal: { person } }: Call) {
      const rows = await personChannels(database.read, person.id).execute();
      const owner = await ownerOf(database.read, person.id);
      const entries = PERSONAL_TYPES.map((type) => {
        const row = rows.find((one) => one.type === type.type);
        return viewFound(type, { row, owner, channel: channelOf(type, row, owner) });
      });
      return { data: await Promise.all(entries.map(withKey)) };
    },

    getNotificationChannel: async ({ principal, parameter }: Call) =>
      withKey(await view(database.read, principal, mustKnow(parameter('channel')))),

    async createNotificationChannel({ principal, body }: Call) {
      const findings = new Findings();
      const input = readInput(fieldIn(body, 'type'), body, findings);
      const type = mustKnow(requireType(input.type, findings));
      const wanted = changedChannel(type, null, input, findings, principal.person.email);
      findings.throwIfAny();
      const made = await write(principal, async (tx) => {
        const found = await find(tx, principal, type);
        if (found.channel !== null)
          throw new Problem(
            'conflict',
            `${type.title} is set up already: change it with PUT /api/v1/notification-channels/${type.type}.`,
          );
        await save(tx, principal, type, found, wanted);
        return view(tx, principal, type);
      });
      return withKey(made);
    },

    /** Sets up one that is not set up yet, which requires the permission to create. */
    async updateNotificationChannel({ principal, parameter, body }: Call) {
      const word = parameter('channel');
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
        return view(tx, principal, type);
      });
      return withKey(made);
    },

    async deleteNotificationChannel({ principal, parameter }: Call) {
      const type = mustKnow(parameter('channel'));
      await write(principal, async (tx) => {
        const { row, channel } = await find(tx, principal, type);
        if (channel === null) throw isNotThere(type);
        const target = auditTarget('notification_channel', await remove(tx, principal, type, row));
        const change = { verb: 'deleted', target, before: audited(type, channel) };
        await recordChange(tx, principal, change, clock.now());
      });
    },

    async testNotificationChannel({ principal, parameter }: Call) {
      const type = mustKnow(parameter('channel'));
      const { person, team } = principal;
      const { owner, channel } = await find(database.read, principal, type);
      if (channel === null) throw isNotThere(type);
      const isEmail = type.type === 'email';
      if (isEmail && !owner.isConfirmed) return NOT_CONFIRMED;
      return testChannel({
        type,
        settings: isEmail ? { addresses: [person.email] } : (channel.settings ?? null),
        timezone: channel.timezone ?? person.timezone,
        team: team && { id: team.id, name: team.name },
        personId: person.id,
      });
    },
  };
}

/** The e-mail channel that people have by default, as `store/resources/alert-channels.ts` inserts it. */
const PERSONAL_EMAIL: Channel = {
  ...defaultSettings<Channel>(PERSONAL_COLUMNS),
  name: 'E-mail',
  is_default: false,
};

const findRow = (db: Db, personId: number, { type }: ChannelType) =>
  personChannels(db, personId).where('alert_channel.type', '=', type).executeTakeFirst();

/** A type in answers, with what a person has of it. */
function viewFound(type: ChannelType, { row, owner, channel }: FoundChannel) {
  const { canMail, isConfirmed } = owner;
  const isEmail = type.type === 'email';
  const isUnconfirmed = isEmail && channel?.enabled === true && !isConfirmed;
  return {
    id: type.type,
    type: type.type,
    title: type.title,
    ...viewSettings<PersonalChannel>(
      PERSONAL_CHANNEL_FIELDS,
      channel ?? { ...PERSONAL_EMAIL, name: type.title, enabled: false },
    ),
    settings: channel && viewTypeSettings(type, channel.settings),
    ...viewFlatKeys(type, channel?.settings, owner),
    configured: channel !== null,
    available: !isEmail || (canMail && isConfirmed),
    warnings: [
      ...channelWarnings(type.type, channel?.enabled === true, canMail),
      ...(isUnconfirmed ? [UNCONFIRMED] : []),
    ],
    fields: viewFields(type.fields),
    ...viewChannelState(row ?? NEVER_SENT),
  };
}

/** The settings of a type, for forms. */
function viewFields(fields: ChannelType['fields']) {
  return Object.entries(fields).map(([name, field]) => ({
    name,
    kind: field.kind,
    required: !field.optional,
    secret: field.secret,
    description: field.description,
    example: field.example,
    choices: field.kind === 'choice' ? field.choices : null,
  }));
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
  const shown = viewSettings<PersonalChannel>(PERSONAL_CHANNEL_FIELDS, channel);
  return { type, ...shown, settings };
}

const UNCONFIRMED = 'verified is false: nothing is sent to your address until it is confirmed.';

const NEVER_SENT = { last_delivered_at: null, failing_since: null, last_error: null };

const NOT_CONFIRMED = {
  success: false,
  message: 'Your e-mail address is not confirmed: nothing is sent there until it is.',
};

/** The type of a new channel. Throws where there is none, as the other fields mean nothing then. */
function requireType(type: string | null | undefined, findings: Findings): string {
  if (type != null) return type;
  if (!findings.has('type'))
    findings.add('type', `is required: it must be one of ${PERSONAL_CHANNEL_TYPES.join(', ')}`);
  throw findings.asError();
}

function mustKnow(word: string): ChannelType {
  const type = PERSONAL_TYPES.find((one) => one.type === word);
  if (type !== undefined) return type;
  throw new Problem(
    'not_found',
    `There is no such channel: the channels are ${PERSONAL_CHANNEL_TYPES.join(', ')}.`,
  );
}

function isNotThere({ type, title }: ChannelType): Problem {
  return new Problem(
    'not_found',
    `${title} is not set up: do that with PUT /api/v1/notification-channels/${type}.`,
  );
}
