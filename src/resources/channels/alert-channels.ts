import type { Transaction } from 'kysely';
import { z } from 'zod';
import type { Caller } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import {
  type ChannelTools,
  type ChannelType,
  channelType,
  hostOfChannel,
} from '../../alerting/channels/index.ts';
import {
  deleteChannel,
  findTeamChannel,
  insertTeamChannel,
  listTeamChannels,
  updateChannel,
  type ChannelWithState,
} from '../../store/resources/alert-channels.ts';
import type { Database } from '../../store/database/contract.ts';
import { confirmedAddresses } from '../../store/people/accounts.ts';
import { listDeliveries } from '../../store/alerting/delivery-log.ts';
import type { Schema } from '../../store/database/schema.ts';
import { auditTarget } from '../../model/audit.ts';
import { DESTINATION_LIMITS, destinationFault } from '../../model/outgoing.ts';
import { audit } from '../audit-log/entry.ts';
import {
  applyChannelInput,
  channelColumns,
  channelOf,
  channelWarnings,
  followChange,
  requireType,
  viewChannelState,
} from './channel.ts';
import { channelDeliveriesQuery, viewChannelDelivery } from './channel-deliveries.ts';
import type { ChannelTest, ChannelTestAnswer } from './channel-test.ts';
import { TEAM_CHANNEL_FIELDS, TEAM_CHANNEL_TYPES, type Channel } from './fields.ts';
import { auditedSettings, viewTypeSettings, type ChannelRules } from './settings.ts';
import { authorize } from '../common/errors.ts';
import { changedNames, inputReader, viewSettings } from '../common/fields.ts';
import { finderOf } from '../common/find.ts';
import { Findings, readQuery } from '../common/input.ts';
import { oneOf } from '../../lib/schemas.ts';
import { PAGE_QUERY, pageOf, pagingOf, type ListAddress } from '../common/page.ts';
import { teamWriter } from '../common/team-writes.ts';
import { isoTime } from '../common/time.ts';

const ELSEWHERE = { webhook: 'for webhooks, use /webhook-endpoints' };

export const alertChannelListQuery = z.object({
  ...PAGE_QUERY,
  type: oneOf(TEAM_CHANNEL_TYPES, ELSEWHERE).optional(),
  enabled: oneOf(['true', 'false']).optional(),
  sort: oneOf(['created_at']).optional(),
});

const readNew = inputReader(TEAM_CHANNEL_FIELDS, {
  type: oneOf(TEAM_CHANNEL_TYPES, ELSEWHERE).nullish(),
});
/** Any type is read here: whether it is the stored one is a rule of its own. */
const readChange = inputReader(TEAM_CHANNEL_FIELDS, { type: z.unknown().optional() });

const mustFind = finderOf('alert channel', findTeamChannel);

/** The channels that notify a whole team; only its admins see them. */
interface AlertChannelService {
  list(caller: Caller, query: object, address: ListAddress): Promise<object>;
  get(caller: Caller, id: number): Promise<object>;
  create(caller: Caller, body: unknown): Promise<object>;
  /** Only what is present changes, of `settings` too. */
  update(caller: Caller, id: number, body: unknown): Promise<object>;
  /** Deletes its log, too. Routes that name it stay. */
  delete(caller: Caller, id: number): Promise<void>;
  /** Sends a message at once. */
  test(caller: Caller, id: number): Promise<ChannelTestAnswer>;
  listDeliveries(caller: Caller, id: number, query: object, address: ListAddress): Promise<object>;
}

export interface AlertChannelServiceDeps extends ChannelRules {
  database: Database;
  clock: Clock;
  secretBox: SecretBox;
  tools: Pick<ChannelTools, 'mailer'>;
  testChannel: ChannelTest;
  openSignup: boolean;
}

export function createAlertChannelService(deps: AlertChannelServiceDeps): AlertChannelService {
  const { database, clock, secretBox, tools, testChannel, openSignup } = deps;
  const write = teamWriter(database, 'admin');

  return {
    async list(caller, query, address) {
      authorize(caller, 'read', 'admin');
      const { type, enabled, ...order } = readQuery(alertChannelListQuery, query);
      const paging = pagingOf(order, 'created_at');
      const { rows, total } = await listTeamChannels(database.read, caller.team.id, {
        ...paging,
        type,
        enabled: enabled === undefined ? undefined : enabled === 'true',
      });
      return pageOf(rows.map(view), total, paging, address);
    },

    async get(caller, id) {
      authorize(caller, 'read', 'admin');
      return view(await mustFind(database.read, caller, id));
    },

    create: (caller, body) =>
      write(caller, 'create', async (tx) => {
        const { type, channel } = await newChannel(tx, caller, body);
        const columns = channelColumns(
          channel,
          { team_id: caller.team.id, person_id: null },
          secretBox,
        );
        const now = clock.now();
        const id = await insertTeamChannel(tx, { teamId: caller.team.id, type }, columns, now);
        const made = await mustFind(tx, caller, id);
        const target = auditTarget('alert_channel', made);
        const change = { verb: 'created', target, after: audited(type, channel) };
        await audit(tx, caller, change, now);
        return view(made);
      }),

    update: (caller, id, body) =>
      write(caller, 'update', async (tx) => {
        const row = await mustFind(tx, caller, id);
        const stored = channelOf(row, secretBox);
        const wanted = changedChannel(row.type, stored, body);
        const findings = new Findings();
        await refuseStrangers(tx, caller, row.type, wanted, stored, findings);
        const host = hostOfChannel(row.type, wanted.settings);
        if (host !== null && host !== hostOfChannel(row.type, stored.settings))
          await leaveRoom(tx, caller, host, row, findings);
        findings.throwIfAny();
        const changed = changedNames(stored, wanted);
        if (changed.length === 0) return view(row);
        const now = clock.now();
        await updateChannel(tx, id, channelColumns(wanted, row, secretBox, changed), now);
        await followChange(tx, row, wanted, changed, now);
        const made = await mustFind(tx, caller, id);
        const before = audited(row.type, stored);
        const after = audited(row.type, wanted, stored);
        const target = auditTarget('alert_channel', made);
        await audit(tx, caller, { verb: 'updated', target, before, after }, now);
        return view(made);
      }),

    delete: (caller, id) =>
      write(caller, 'delete', async (tx) => {
        const row = await mustFind(tx, caller, id);
        await deleteChannel(tx, row);
        const before = audited(row.type, channelOf(row, secretBox));
        const target = auditTarget('alert_channel', row);
        await audit(tx, caller, { verb: 'deleted', target, before }, clock.now());
      }),

    async test(caller, id) {
      authorize(caller, 'update', 'admin');
      const row = await mustFind(database.read, caller, id);
      const { settings, timezone } = channelOf(row, secretBox);
      const { id: teamId, name } = caller.team;
      return testChannel({
        type: typeOf(row.type),
        settings: settings ?? null,
        timezone: timezone ?? 'UTC',
        team: { id: teamId, name },
        personId: caller.person.id,
      });
    },

    async listDeliveries(caller, id, query, address) {
      authorize(caller, 'read', 'admin');
      const row = await mustFind(database.read, caller, id);
      const { status, ...order } = readQuery(channelDeliveriesQuery, query);
      const paging = pagingOf(order, 'created_at');
      const found = await listDeliveries(database, row.destination_id, { ...paging, status });
      return pageOf(found.deliveries.map(viewChannelDelivery), found.total, paging, address);
    },
  };

  async function newChannel(tx: Transaction<Schema>, caller: Caller, body: unknown) {
    const findings = new Findings();
    const input = readNew(body, findings);
    const type = requireType(input.type, TEAM_CHANNEL_TYPES, findings);
    const channel = applyChannelInput(typeOf(type), null, input, deps, findings);
    await refuseStrangers(tx, caller, type, channel, null, findings);
    await leaveRoom(tx, caller, hostOfChannel(type, channel.settings), null, findings);
    findings.throwIfAny();
    return { type, channel };
  }

  /** @param moved the channel that gets this host; null for a new one. */
  async function leaveRoom(
    tx: Transaction<Schema>,
    { team }: Caller,
    host: string | null,
    moved: ChannelWithState | null,
    findings: Findings,
  ): Promise<void> {
    const all = {
      direction: 'asc',
      limit: DESTINATION_LIMITS.alert_channel.perTeam,
      offset: 0,
    } as const;
    const { rows } = await listTeamChannels(tx, team.id, {
      ...all,
      type: undefined,
      enabled: undefined,
    });
    const hosts = rows
      .filter(({ id }) => id !== moved?.id)
      .map((row) => hostOfChannel(row.type, channelOf(row, secretBox).settings));
    const fault = destinationFault('alert_channel', { hosts, host, openSignup });
    if (fault !== null) findings.add('alert_channels', fault);
  }

  /** With open sign-up, mail goes only to members who have confirmed their address: others did not ask for it. */
  async function refuseStrangers(
    tx: Transaction<Schema>,
    { team }: Caller,
    type: string,
    channel: Channel,
    stored: Channel | null,
    findings: Findings,
  ): Promise<void> {
    const added = addressesOf(channel).filter((one) => !addressesOf(stored).includes(one));
    if (!openSignup || type !== 'email' || added.length === 0) return;
    const confirmed = await confirmedAddresses(tx, { personId: null, teamId: team.id });
    if (added.every((address) => confirmed.has(address.toLowerCase()))) return;
    findings.add(
      'settings.addresses',
      'must be confirmed addresses of members of the team, since anybody can sign up here: invite the others to the team first, as viewers',
    );
  }

  function changedChannel(type: string, stored: Channel, body: unknown): Channel {
    const findings = new Findings();
    const input = readChange(body, findings);
    if (input.type !== undefined && input.type !== type)
      findings.add(
        'type',
        `can't be changed: it is ${type}. Create another channel for another type`,
      );
    const channel = applyChannelInput(typeOf(type), stored, input, deps, findings);
    findings.throwIfAny();
    return channel;
  }

  function view(row: ChannelWithState) {
    const channel = channelOf(row, secretBox);
    return {
      id: row.id,
      type: row.type,
      ...viewSettings(TEAM_CHANNEL_FIELDS, channel),
      settings: viewTypeSettings(shownType(row.type), channel.settings),
      warnings: channelWarnings(row.type, channel, tools.mailer !== null),
      ...viewChannelState(row),
      created_at: isoTime(row.created_at),
      updated_at: isoTime(row.updated_at),
    };
  }
}

function addressesOf(channel: Channel | null): string[] {
  const addresses = channel?.settings?.['addresses'];
  return Array.isArray(addresses) ? addresses : [];
}

/** A channel in the audit log, without its secrets. @param former the channel before the change. */
function audited(type: string, channel: Channel, former?: Channel): object {
  return {
    type,
    ...viewSettings(TEAM_CHANNEL_FIELDS, channel),
    settings: auditedSettings(shownType(type), channel.settings, former),
  };
}

/** Types stay in the registry for good, since channels have them: one that is missing is of a newer release. */
function typeOf(word: string): ChannelType {
  const known = channelType(word);
  if (known !== undefined) return known;
  const findings = new Findings();
  findings.add('type', `is ${word}, which needs a newer version of Tocsin than this one`);
  throw findings.asError();
}

/** What is shown of a type; nothing of one that a newer release knows, as any of its fields may be a secret. */
const shownType = (word: string): Pick<ChannelType, 'fields'> =>
  channelType(word) ?? { fields: {} };
