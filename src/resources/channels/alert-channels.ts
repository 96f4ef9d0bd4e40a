import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  channelType,
  hostOfChannel,
  type ChannelTools,
  type ChannelType,
} from '../../alerting/channels/index.ts';
import { MESSAGE_KINDS } from '../../alerting/message/index.ts';
import { oneOf } from '../../lib/schemas.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { destinationFault } from '../../model/outgoing.ts';
import { listDeliveries } from '../../store/alerting/delivery-log.ts';
import { queueChanges } from '../../store/alerting/delivery-outcomes.ts';
import { selectWithState, destinationStore } from '../../store/alerting/destinations.ts';
import type { Db } from '../../store/database/contract.ts';
import { accountStore } from '../../store/people/accounts.ts';
import { collection, type CollectionDeps, type Scope } from '../common/collection.ts';
import { viewDeliveryState } from '../common/delivery-view.ts';
import { viewSettings, type SettingsOf } from '../common/fields.ts';
import { Findings, readQuery } from '../common/input.ts';
import { noun, type Call } from '../common/operation.ts';
import type { Caller } from '../../identity/caller.ts';
import { pageExample, pageSchema } from '../common/page-reference.ts';
import { pageOf, pagingOf, UNSORTED_PAGE_QUERY } from '../common/page.ts';
import { time } from '../common/reference-schemas.ts';
import { undone } from '../common/within-transaction.ts';
import { channelTest, type ChannelTest } from './channel-test.ts';
import { TEAM_CHANNEL_FIELDS, teamChannelType } from './fields.ts';
import {
  auditedSettings,
  channelWarnings,
  MORE_OF_CHANNEL,
  openSettings,
  resolveSettings,
  secretsOf,
  shownType,
  viewChannelState,
  viewTypeSettings,
  type ChannelRules,
} from './settings.ts';

interface AlertChannelDeps extends CollectionDeps, ChannelRules {
  secretBox: SecretBox;
  tools: Pick<ChannelTools, 'mailer'>;
  testChannel: ChannelTest;
  openSignup: boolean;
}

/** Rule for the settings of all types. The guide describes those of each type. */
const SETTINGS =
  'Urls in `settings` are https, unless ALLOW_HTTP_WEBHOOKS is set, and may not aim at addresses that the operator refuses.';

/** The channels that notify a whole team; only its admins see them. */
export const alertChannels = collection({
  noun: 'alert channel',
  tag: 'Alerts',
  path: '/alert-channels',
  table: 'alert_channel',
  meaning: 'A way to notify the team.',
  fields: TEAM_CHANNEL_FIELDS,
  order: ['created_at'],
  pages: {
    query: { type: teamChannelType.optional(), enabled: oneOf(['true', 'false']).optional() },
    sorts: ['created_at'],
    filter: (rows, { type, enabled }) =>
      rows
        .$if(type !== undefined, (some) => some.where('alert_channel.type', '=', type!))
        .$if(enabled !== undefined, (some) =>
          some.where('alert_channel.enabled', '=', Number(enabled === 'true')),
        ),
  },
  role: 'admin',
  says: {
    list: [
      "List the team's channels",
      'The newest first, unless `direction` says otherwise. Secrets in their settings are masked.',
    ],
    create: [
      'Create a channel of the team',
      `A channel is one place in which the team is notified of problems: a chat, a pager, a mailbox. Routes name it; with \`is_default\` it is notified of what no route matches. Send it a test afterwards. ${SETTINGS}`,
    ],
    get: ['Get a channel of the team'],
    update: [
      'Change a channel of the team',
      `Only the keys that are present change, those of \`settings\` too; the type stays. What waits to be sent is dropped when it is disabled, and tried again at once when its settings change. ${SETTINGS}`,
    ],
    delete: [
      'Delete a channel of the team',
      'Its log goes with it. Routes that name it go on without it.',
    ],
  },
  example: {
    type: 'ntfy',
    name: 'On call',
    is_default: true,
    quiet_hours: {
      from: '22:00',
      to: '07:00',
      days: ['mon', 'tue', 'wed', 'thu', 'fri'],
      timezone: 'Europe/Berlin',
    },
    timezone: 'Europe/Berlin',
    settings: { topic: 'tocsin-x7Qm2Lr9' },
  },
  change: { enabled: false },
  more: {
    byItself: ['warnings', 'last_delivered_at', 'failing_since', 'last_error'],
    shape: MORE_OF_CHANNEL,
    example: {
      settings: { server_url: null, topic: '••••••••', token: null },
      warnings: [],
      last_delivered_at: null,
      failing_since: null,
      last_error: null,
    },
    view: (rows, { deps: { secretBox, tools } }) =>
      rows.map((row) => ({
        settings: viewTypeSettings(shownType(row.type), openSettings(row, secretBox)),
        warnings: channelWarnings(row.type, row.enabled === 1, tools.mailer !== null),
        ...viewChannelState(row),
      })),
  },
  select: (db: Db) => selectWithState(db, 'alert_channel'),
  secrets: ({ secretBox }: AlertChannelDeps, teamId: number) =>
    secretsOf(secretBox, { team_id: teamId, person_id: null }),

  async given({ deps }, { stored, input, findings }) {
    const word = stored?.type ?? input.type;
    // Without a type, the other fields mean nothing.
    if (word == null) throw findings.asError();
    const type = typeOf(word);
    const { name = stored?.name, ...sent } = input;
    const settings = resolveSettings(type, stored?.settings ?? null, sent, deps, findings);
    return { ...sent, name: name || type.title, settings };
  },

  async check(scope, { id, settings: wanted, stored, findings }) {
    const { tx, caller, deps } = scope;
    await refuseStrangers(scope, wanted, stored, findings);
    const host = hostOfChannel(wanted.type, wanted.settings);
    const isThere = stored !== null && host === hostOfChannel(stored.type, stored.settings);
    if (isThere || (stored !== null && host === null)) return;
    const all = await tx
      .selectFrom('alert_channel')
      .select(['id', 'type', 'settings', 'team_id', 'person_id'])
      .where('team_id', '=', caller.team.id)
      .execute();
    const hosts = all
      .filter((one) => one.id !== id)
      .map((row) => hostOfChannel(row.type, openSettings(row, deps.secretBox)));
    const { openSignup } = deps;
    const fault = destinationFault('alert_channel', { hosts, host, openSignup });
    if (fault !== null) findings.add('alert_channels', fault);
  },

  async columns({ tx, caller, now }, { before, after, row }) {
    if (before === null || row === null) {
      const queue = { kind: 'channel', teamId: caller.team.id, now } as const;
      return { destination_id: await destinationStore(tx).insert(queue) };
    }
    const change = {
      isOn: before.enabled === after.enabled ? null : after.enabled,
      isMoved: !isDeepStrictEqual(before.settings, after.settings),
    };
    await queueChanges(tx).adjust(row.destination_id, change, now);
    return {};
  },

  leave: ({ tx }, row) => destinationStore(tx).delete(row.destination_id),

  audited: (channel, before) => ({
    ...viewSettings<TeamChannel>(TEAM_CHANNEL_FIELDS, channel),
    settings: auditedSettings(shownType(channel.type), channel.settings, before),
  }),
});

type TeamChannel = SettingsOf<typeof TEAM_CHANNEL_FIELDS>;

/** With open sign-up, mail goes only to members who have confirmed their address: others did not ask for it. */
async function refuseStrangers(
  { tx, caller, deps }: Scope<AlertChannelDeps>,
  channel: TeamChannel,
  stored: TeamChannel | null,
  findings: Findings,
): Promise<void> {
  const former = addressesOf(stored);
  const added = addressesOf(channel).filter((one) => !former.includes(one));
  if (!deps.openSignup || channel.type !== 'email' || added.length === 0) return;
  const confirmed = await accountStore(tx).confirmedAddresses({
    personId: null,
    teamId: caller.team.id,
  });
  if (added.every((address) => confirmed.has(address.toLowerCase()))) return;
  findings.add(
    'settings.addresses',
    'must be confirmed addresses of members of the team, since anybody can sign up here: invite the others to the team first, as viewers',
  );
}

function addressesOf(channel: TeamChannel | null): string[] {
  const addresses = channel?.settings?.['addresses'];
  return Array.isArray(addresses) ? addresses : [];
}

/** Types stay in the registry for good, since channels have them: one that is missing is of a newer release. */
function typeOf(word: string): ChannelType {
  const known = channelType(word);
  if (known !== undefined) return known;
  const findings = new Findings();
  findings.add('type', `is ${word}, which needs a newer version of Tocsin than this one`);
  throw findings.asError();
}

/** States of a message to people. */
export const MESSAGE_STATUSES = [
  'pending',
  'delivered',
  'failed',
  'expired',
  'superseded',
] as const;

const deliveriesQuery = z.object({
  status: oneOf(MESSAGE_STATUSES).optional().meta({ description: 'All unless given.' }),
  ...UNSORTED_PAGE_QUERY,
});

const delivery = z
  .object({
    id: z.int(),
    message_id: z.string().meta({ description: 'The same however often it is sent.' }),
    kind: z.enum(MESSAGE_KINDS),
    alert_id: z.int().nullable(),
    incident_id: z
      .int()
      .nullable()
      .meta({ description: 'Null when it is about several, or none.' }),
    status: z.enum(MESSAGE_STATUSES).meta({
      description: '`expired`: not within its time. `superseded`: a later message replaced it.',
    }),
    attempts_count: z.int(),
    last_status_code: z.int().nullable(),
    last_error: z.string().nullable(),
    created_at: time,
    finished_at: time.nullable(),
    next_attempt_at: time.nullable(),
  })
  .meta({ id: 'ChannelDelivery', description: 'A message to a channel, and its result.' });

export const alertChannelMessages = noun('Alerts', createAlertChannelMessages, {
  testAlertChannel: {
    at: 'POST /alert-channels/:id/test',
    needs: 'update',
    role: 'admin',
    summary: 'Send a test message',
    description:
      'At once, past what waits in its queue, and also while it is disabled. The answer is 200 whether it was taken or not, and comes within about 10 s.',
    answer: channelTest,
    example: {
      answer: { success: true, message: 'ntfy took the test message: look there whether it came.' },
    },
  },
  tryAlertChannel: {
    at: 'POST /alert-channels/test',
    needs: 'create',
    role: 'admin',
    summary: 'Send a test message with settings that are not saved',
    description:
      'Takes the body of `POST /alert-channels`, sends a test message as `POST /alert-channels/{id}/test` does, and creates nothing. Settings that could not be created are 422.',
    body: alertChannels.body,
    answer: channelTest,
    status: 200,
    example: {
      body: alertChannels.declared.example,
      answer: { success: true, message: 'ntfy took the test message: look there whether it came.' },
    },
  },
  listAlertChannelDeliveries: {
    at: 'GET /alert-channels/:id/deliveries',
    role: 'admin',
    summary: 'List what was sent to a channel',
    description: 'The newest first. Test messages go past the queue, and are not among them.',
    query: deliveriesQuery,
    answer: pageSchema(delivery, 'ChannelDeliveryPage'),
    example: {
      answer: pageExample('/alert-channels/1/deliveries', [
        {
          id: 1,
          message_id: 'msg_5b0c9a53-9d5d-4d5e-9a0a-2f6f1a5b7c11',
          kind: 'alarm',
          alert_id: 1,
          incident_id: 1,
          status: 'delivered',
          attempts_count: 1,
          last_status_code: 200,
          last_error: null,
          created_at: '2030-01-01T00:00:00.000Z',
          finished_at: '2030-01-01T00:00:01.000Z',
          next_attempt_at: null,
        },
      ]),
    },
  },
});

function createAlertChannelMessages(deps: AlertChannelDeps) {
  const { database, secretBox, testChannel } = deps;
  const channels = alertChannels.create(deps);

  async function subjectOf(db: Db, caller: Caller, id: number) {
    const row = await alertChannels.find(db, caller, id);
    const { id: teamId, name } = caller.team;
    return {
      type: typeOf(row.type),
      settings: openSettings(row, secretBox) ?? null,
      timezone: row.timezone ?? 'UTC',
      team: { id: teamId, name },
      personId: caller.person.id,
    };
  }

  return {
    testAlertChannel: async ({ caller, id }: Call) =>
      testChannel(await subjectOf(database.read, caller, id)),

    /** Creates the channel, with all checks, and undoes that before the message is sent. */
    async tryAlertChannel({ caller, body }: Call) {
      const create = async (scope: Scope<AlertChannelDeps, undefined>) => {
        const { id } = await channels.add(scope, body);
        return subjectOf(scope.tx, caller, id);
      };
      return testChannel(await undone((work) => channels.write(caller, 'create', work), create));
    },

    async listAlertChannelDeliveries({ caller, id, query, address }: Call) {
      const { destination_id } = await alertChannels.find(database.read, caller, id);
      const { status, ...order } = readQuery(deliveriesQuery, query);
      const paging = pagingOf(order, 'created_at');
      const found = await listDeliveries(database, destination_id, { ...paging, status });
      const data = found.deliveries.map((row) => ({
        id: row.id,
        message_id: row.message_id,
        kind: row.kind,
        alert_id: row.alert_id,
        incident_id: row.incident_id,
        ...viewDeliveryState(row),
      }));
      return pageOf(data, found.total, paging, address);
    },
  };
}
