import { hashToken } from '../../src/identity/token.ts';
import { shardOf } from '../../src/model/monitor.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { changeSpans } from '../../src/store/engine/spans.ts';
import { insertRow } from '../../src/store/database/rows.ts';
import { MONITOR_COLUMNS, STATE_COLUMNS } from '../support/monitor-rows.ts';
import { REGIONS } from '../support/rounds.ts';
import { noise } from './latency.ts';

const AT_ONCE = 250;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const GROUPS = 25;
const WORDS = [
  'Shop',
  'API',
  'Search',
  'Login',
  'Images',
  'Feed',
  'Billing',
  'Docs',
  'Mail',
  'Admin',
];
const TAGS = [['production'], ['staging'], ['production', 'eu'], ['production', 'us'], []];
const TYPES = ['http', 'http', 'http', 'ping', 'port', 'heartbeat'] as const;

/**
 * Adds many monitors to a team in seconds, with groups, tags, all types and statuses, their newest results and a day of
 * history: for pages and lists of a large team. @returns the ids.
 */
export async function addManyMonitors(
  database: Database,
  { teamId, count, now }: { teamId: number; count: number; now: number },
): Promise<number[]> {
  const groups = await addGroups(database, teamId, now);
  const ids: number[] = [];
  for (let from = 0; from < count; from += AT_ONCE) {
    const indexes = Array.from(
      { length: Math.min(AT_ONCE, count - from) },
      (_, index) => from + index,
    );
    ids.push(...(await addSlice(database, { teamId, now, groups, indexes })));
  }
  return ids;
}

function addGroups(database: Database, teamId: number, now: number): Promise<number[]> {
  return database.transaction(async (tx) => {
    const ids: number[] = [];
    for (let index = 0; index < GROUPS; index += 1)
      ids.push(
        await insertRow(tx, 'monitor_group', {
          team_id: teamId,
          name: `Region ${index + 1}`,
          sort_order: 100 + index,
          created_at: now,
          updated_at: now,
        }),
      );
    return ids;
  });
}

interface Slice {
  teamId: number;
  now: number;
  groups: readonly number[];
  indexes: readonly number[];
}

function addSlice(database: Database, { teamId, now, groups, indexes }: Slice): Promise<number[]> {
  const createdAt = now - DAY_MS;
  return database.transaction(async (tx) => {
    const rows = indexes.map((index) => ({
      ...monitorAt(index),
      team_id: teamId,
      group_id: groups[index % groups.length]!,
      created_at: createdAt,
      updated_at: createdAt,
    }));
    const added = await tx.insertInto('monitor').values(rows).returning('id').execute();
    const ids = added.map(({ id }) => id);
    const shards = Map.groupBy(ids, shardOf);
    for (const [shard, own] of shards)
      await tx.updateTable('monitor').set({ shard }).where('id', 'in', own).execute();
    const states = indexes.map((index, place) => ({
      ...stateAt(index, now),
      team_id: teamId,
      monitor_id: ids[place]!,
    }));
    await tx.insertInto('monitor_state').values(states).execute();
    await changeSpans(
      tx,
      states.flatMap(({ monitor_id: monitorId, status }) =>
        status === 'online' || status === 'offline' || status === 'degraded'
          ? [
              { monitorId, teamId, status: 'online' as const, at: createdAt },
              { monitorId, teamId, status, at: now - 10 * MINUTE_MS },
            ]
          : [],
      ),
    );
    return ids;
  });
}

function monitorAt(index: number) {
  const type = TYPES[index % TYPES.length]!;
  const host = `host-${index}.large.example`;
  const isPush = type === 'heartbeat';
  return {
    ...MONITOR_COLUMNS,
    type,
    friendly_name: `${WORDS[index % WORDS.length]} ${index + 1}`,
    url: isPush ? '' : type === 'http' ? `https://${host}/health` : host,
    host: isPush ? '' : host,
    port: type === 'port' ? 443 : null,
    check_interval: isPush ? null : 5,
    monitored_regions: JSON.stringify(REGIONS),
    tags: JSON.stringify(TAGS[index % TAGS.length]),
    is_paused: isPausedAt(index) ? 1 : 0,
    heartbeat_interval: isPush ? 3_600 : null,
    heartbeat_timezone: isPush ? 'UTC' : null,
    heartbeat_grace: isPush ? 300 : null,
    heartbeat_wait_for_first_ping: isPush ? 0 : null,
    ping_token_hash: isPush ? hashToken(`large-${index}`) : null,
  };
}

const isPausedAt = (index: number) => noise(index, 3) < 0.02;

function stateAt(index: number, now: number) {
  const drawn = noise(index, 1);
  const status =
    drawn < 0.005 ? 'offline' : drawn < 0.015 ? 'degraded' : drawn < 0.02 ? 'pending' : 'online';
  const isPush = TYPES[index % TYPES.length] === 'heartbeat';
  const checkedAt = now - Math.round(noise(index, 2) * 5 * MINUTE_MS);
  const newest = REGIONS.map((region, place) => [
    region,
    {
      responseTimeMs: status === 'offline' ? null : Math.round(40 + 300 * noise(index, 4 + place)),
      statusCode: null,
      checkedAt,
      failure: status === 'offline' ? 'connection_timeout' : null,
    },
  ]);
  return {
    ...STATE_COLUMNS,
    revision: 0,
    status,
    is_paused: isPausedAt(index) ? 1 : 0,
    last_slot: isPush ? null : checkedAt,
    last_checked_at: checkedAt,
    observed_until: now + 10 * MINUTE_MS,
    heartbeat_expected_at: isPush ? now + 30 * MINUTE_MS : null,
    due_at: isPush ? now + 35 * MINUTE_MS : null,
    first_ping_at: isPush ? now - DAY_MS : null,
    armed_at: isPush ? checkedAt : null,
    newest: isPush ? '{}' : JSON.stringify(Object.fromEntries(newest)),
  };
}
