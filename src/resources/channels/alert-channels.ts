import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Caller, Permission } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { type ChannelType, CHANNEL_TYPES, channelType } from '../../alerting/channels/index.ts';
import {
  countTeamChannels,
  deleteChannel,
  findTeamChannel,
  insertTeamChannel,
  listTeamChannels,
  updateChannel,
  type ChannelWithState,
} from '../../store/resources/alert-channels.ts';
import type { Database } from '../../store/database/contract.ts';
import { listDeliveries } from '../../store/alerting/delivery-log.ts';
import type { Schema } from '../../store/database/schema.ts';
import { auditTarget } from '../../model/audit.ts';
import { audit } from '../audit-log/entry.ts';
import { channelFields, openSettings, type ChannelRules } from './channel-input.ts';
import { channelDeliveriesQuery, viewChannelDelivery } from './channel-deliveries.ts';
import {
  auditedSettings,
  changedColumns,
  followChange,
  planChannel,
  viewChannelColumns,
  viewChannelState,
} from './channel-plan.ts';
import type { ChannelTest, ChannelTestAnswer } from './channel-test.ts';
import { authorise, notFound } from '../common/errors.ts';
import { Findings, readBody, readQuery } from '../common/input.ts';
import { oneOf, yesOrNo } from '../../lib/schemas.ts';
import { PAGE_QUERY, pageOf, pagingOf, type ListAddress } from '../common/page.ts';
import { writeToTeam, type TeamWork } from '../common/team-writes.ts';
import { isoTime } from '../common/time.ts';

/** So many a team may have. */
export const MOST_TEAM_CHANNELS = 100;

const TEAM_TYPES = CHANNEL_TYPES.filter(({ scopes }) => scopes.includes('team'));
export const TEAM_CHANNEL_TYPES = TEAM_TYPES.map(({ type }) => type) as [string, ...string[]];

/** What is sent to change a channel of a team (contract 34.7). */
export const alertChannelChange = z.object({
  ...channelFields(TEAM_TYPES),
  is_default: yesOrNo().nullish().meta({
    description:
      'Whether it is told of what no route matches; true, if left out when it is created.',
  }),
});

/** The same to create one; its type stays. */
export const alertChannelInput = alertChannelChange.extend({ type: oneOf(TEAM_CHANNEL_TYPES) });

const incompleteInput = alertChannelInput.extend({
  type: alertChannelInput.shape.type.nullish(),
});
/** Any type is read here: whether it is the stored one is a rule of its own. */
const changeInput = alertChannelChange.extend({ type: z.unknown().optional() });

export const alertChannelListQuery = z.object({
  ...PAGE_QUERY,
  type: oneOf(TEAM_CHANNEL_TYPES).optional(),
  enabled: oneOf(['true', 'false']).optional(),
  sort: oneOf(['created_at']).optional(),
});

/** The channels by which a whole team is told; only its admins see them. */
export interface AlertChannelService {
  list(caller: Caller, query: object, address: ListAddress): Promise<object>;
  get(caller: Caller, id: number): Promise<object>;
  create(caller: Caller, body: unknown): Promise<object>;
  /** Only what is present changes, of `settings` too. */
  update(caller: Caller, id: number, body: unknown): Promise<object>;
  /** With its log. Routes that name it go on without it. */
  delete(caller: Caller, id: number): Promise<void>;
  /** Sends a message at once. */
  test(caller: Caller, id: number): Promise<ChannelTestAnswer>;
  listDeliveries(caller: Caller, id: number, query: object, address: ListAddress): Promise<object>;
}

export interface AlertChannelServiceDeps {
  database: Database;
  clock: Clock;
  secretBox: SecretBox;
  rules: ChannelRules;
  testChannel: ChannelTest;
}

export function createAlertChannelService(deps: AlertChannelServiceDeps): AlertChannelService {
  const { database, clock, secretBox, testChannel } = deps;

  const write = <Value>(caller: Caller, permission: Permission, work: TeamWork<Value>) =>
    writeToTeam(database, caller, { permission, role: 'admin' }, work);

  return {
    async list(caller, query, address) {
      authorise(caller, 'read', 'admin');
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
      authorise(caller, 'read', 'admin');
      return view(await mustFind(database.read, caller, id));
    },

    async create(caller, body) {
      const row = await write(caller, 'create', async (tx) => {
        const { type, columns } = await readNew(tx, caller, body);
        const now = clock.now();
        const id = await insertTeamChannel(tx, { teamId: caller.team.id, type }, columns, now);
        const made = await mustFind(tx, caller, id);
        const change = {
          verb: 'created',
          target: auditTarget('alert_channel', made),
          after: asSet(made),
        };
        await audit(tx, caller, change, now);
        return made;
      });
      return view(row);
    },

    async update(caller, id, body) {
      const row = await write(caller, 'update', async (tx) => {
        const stored = await mustFind(tx, caller, id);
        const changed = changedColumns(stored, readChange(stored, body));
        if (Object.keys(changed).length === 0) return stored;
        const now = clock.now();
        await updateChannel(tx, id, changed, now);
        await followChange(tx, stored, changed, now);
        const made = await mustFind(tx, caller, id);
        const [before, after] = [asSet(stored), asSet(made, stored)];
        await audit(
          tx,
          caller,
          { verb: 'updated', target: auditTarget('alert_channel', made), before, after },
          now,
        );
        return made;
      });
      return view(row);
    },

    async delete(caller, id) {
      await write(caller, 'delete', async (tx) => {
        const row = await mustFind(tx, caller, id);
        await deleteChannel(tx, row);
        const change = {
          verb: 'deleted',
          target: auditTarget('alert_channel', row),
          before: asSet(row),
        };
        await audit(tx, caller, change, clock.now());
      });
    },

    async test(caller, id) {
      authorise(caller, 'update', 'admin');
      const row = await mustFind(database.read, caller, id);
      const { id: teamId, name } = caller.team;
      return testChannel({
        type: typeOf(row.type),
        settings: openSettings(secretBox, row.settings),
        timezone: row.timezone ?? 'UTC',
        team: { id: teamId, name },
      });
    },

    async listDeliveries(caller, id, query, address) {
      authorise(caller, 'read', 'admin');
      const row = await mustFind(database.read, caller, id);
      const { status, ...order } = readQuery(channelDeliveriesQuery, query);
      const paging = pagingOf(order, 'created_at');
      const found = await listDeliveries(database, row.destination_id, { ...paging, status });
      return pageOf(found.deliveries.map(viewChannelDelivery), found.total, paging, address);
    },
  };

  /** What a new channel is to be, when there is room for it. */
  async function readNew(tx: Transaction<Schema>, caller: Caller, body: unknown) {
    const findings = new Findings();
    const input = readBody(incompleteInput, body, findings) as z.output<typeof incompleteInput>;
    const { type: word } = input;
    if (word == null) {
      if (!findings.has('type'))
        findings.add('type', `is required: it must be one of ${TEAM_CHANNEL_TYPES.join(', ')}`);
      throw findings.asError();
    }
    const columns = planChannel(typeOf(word), null, input, deps, findings);
    if ((await countTeamChannels(tx, caller.team.id)) >= MOST_TEAM_CHANNELS)
      findings.add(
        'alert_channels',
        `must not be more than ${MOST_TEAM_CHANNELS} in a team: delete one that is no longer used`,
      );
    findings.throwIfAny();
    return { type: word, columns };
  }

  function readChange(stored: ChannelWithState, body: unknown) {
    const findings = new Findings();
    const input = readBody(changeInput, body, findings) as z.output<typeof changeInput>;
    if (input.type !== undefined && input.type !== stored.type)
      findings.add(
        'type',
        `can't be changed: it is ${stored.type}. Create another channel for another type`,
      );
    const columns = planChannel(typeOf(stored.type), stored, input, deps, findings);
    findings.throwIfAny();
    return columns;
  }

  function view(row: ChannelWithState) {
    const { name, enabled, ...columns } = viewChannelColumns(typeOf(row.type), row, secretBox);
    return {
      id: row.id,
      type: row.type,
      name,
      enabled,
      is_default: row.is_default === 1,
      ...columns,
      ...viewChannelState(row),
      created_at: isoTime(row.created_at),
      updated_at: isoTime(row.updated_at),
    };
  }

  /** What people set, without secrets; `before` is what they replaced. */
  function asSet(row: ChannelWithState, before?: ChannelWithState): object {
    const settings = auditedSettings(typeOf(row.type), row, before, secretBox);
    const { name, enabled, is_default, severities, quiet_hours, timezone } = view(row);
    const columns = { name, enabled, is_default, severities, quiet_hours, timezone };
    return { type: row.type, ...columns, settings };
  }
}

/** Types stay in the registry for good, since channels have them. */
function typeOf(word: string): ChannelType {
  const known = channelType(word);
  if (known === undefined) throw new Error(`The registry has no channel of type ${word}.`);
  return known;
}

async function mustFind(db: Kysely<Schema>, caller: Caller, id: number): Promise<ChannelWithState> {
  const row = await findTeamChannel(db, caller.team.id, id);
  if (row === undefined) throw notFound('alert channel');
  return row;
}
