import { z } from 'zod';
import { ALIAS_SERVICES, readAliasTarget, type AliasService } from '../engine/heartbeat/aliases.ts';
import { shardOf } from '../model/monitor.ts';
import { PUSH } from '../monitor-types/registry.ts';
import { text } from '../lib/schemas.ts';
import { nextVersion } from '../store/engine/shards.ts';
import { monitorChanges } from '../store/resources/monitor-changes.ts';
import {
  hashOfAlias,
  MAX_PING_ALIASES,
  pingAliases as aliasChanges,
  pingAliasReads,
  type PingAliasRow,
} from '../store/resources/ping-aliases.ts';
import { shownAs } from './common/answer.ts';
import { recordChange } from './common/change.ts';
import type { CollectionDeps } from './common/collection.ts';
import { invalidField, notFound, Problem } from './common/errors.ts';
import { readBody, readQuery } from './common/input.ts';
import { noun, type Call } from './common/operation.ts';
import { pageExample, pageSchema } from './common/page-reference.ts';
import { pageOf, pagingOf, UNSORTED_PAGE_QUERY } from './common/page.ts';
import { time } from './common/reference-schemas.ts';
import { teamWriter } from './common/team-writes.ts';
import { isoOrNull, isoTime } from './common/time.ts';
import { monitorTarget } from './monitors/audit.ts';
import { requireMonitor } from './monitors/find.ts';

/** What is wrong with an address, after its name. */
const UNKNOWN_ALIAS =
  'must be the path or URL of a ping address of Healthchecks, Uptime Kuma, UptimeRobot, Better Stack or Cronitor, such as /ping/5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278';
const TAKEN_ALIAS = 'is an address of another monitor: remove it there first';
const TOO_MANY_ALIASES = `must not be more than ${MAX_PING_ALIASES} of a monitor`;

const ONLY_PUSH = `Only ${PUSH.and} monitors receive pings: there is nothing that could report at an address of another service.`;

const aliasBody = z.object({
  path: text(2_048).meta({
    description: `Path or URL at which the job reports today. What a call adds to it, such as \`/fail\` or a query, does not matter. It is a secret: Tocsin stores its hash, and shows it nowhere.`,
  }),
});

const listQuery = z.object({ ...UNSORTED_PAGE_QUERY });

/** Addresses of other services at which jobs report (contract 12.42). */
function createPingAliases({ database, clock }: CollectionDeps) {
  const write = teamWriter(database, 'editor');

  return {
    async listPingAliases({ caller, id: monitorId, query, address }: Call) {
      await requireMonitor(database.read, caller, monitorId);
      const paging = pagingOf(readQuery(listQuery, query), 'created_at');
      const rows = await pingAliasReads(database.read).of([monitorId]);
      const shown = rows.toReversed().slice(paging.offset, paging.offset + paging.limit);
      const data = shown.map((row) => fields.view(row));
      return pageOf(data, rows.length, paging, address);
    },

    createPingAlias: ({ caller, id: monitorId, body }: Call) =>
      write(caller, 'create', async (tx) => {
        const monitor = await requireMonitor(tx, caller, monitorId);
        const { path } = readBody(aliasBody, body);
        if (monitor.ping_token_hash === null) throw new Problem('unsupported', ONLY_PUSH);
        const alias = readAliasTarget(path ?? '');
        if (alias === null) throw invalidField('path', UNKNOWN_ALIAS);
        const now = clock.now();
        const result = await aliasChanges(tx).add(monitorId, [alias], now);
        if (result.kind === 'taken') throw invalidField('path', TAKEN_ALIAS);
        if (result.kind === 'too_many') throw invalidField('path', TOO_MANY_ALIASES);
        const own = await aliasChanges(tx).of([monitorId]);
        const row = own.find((one) => one.token_hash === hashOfAlias(alias.alias))!;
        if (result.added.length > 0) {
          const target = monitorTarget(monitorId, monitor);
          const after = { service: row.service };
          await recordChange(tx, caller, { verb: 'ping_alias_added', target, after }, now);
        }
        return fields.view(row);
      }),

    deletePingAlias: ({ caller, id: monitorId, idOf }: Call) =>
      write(caller, 'delete', async (tx) => {
        const version = await nextVersion(tx, shardOf(monitorId));
        const monitor = await requireMonitor(tx, caller, monitorId);
        const own = await aliasChanges(tx).of([monitorId]);
        const row = own.find(({ id }) => id === idOf('alias'));
        if (row === undefined) throw notFound('ping alias');
        const now = clock.now();
        await monitorChanges(tx).reviseHeartbeat(
          monitorId,
          version,
          { updated_at: now },
          null,
          now,
        );
        await aliasChanges(tx).remove([row.id]);
        const target = monitorTarget(monitorId, monitor);
        const before = { service: row.service };
        await recordChange(tx, caller, { verb: 'ping_alias_removed', target, before }, now);
      }),
  };
}

const fields = shownAs<PingAliasRow>()({
  id: [z.int(), ({ id }) => id, 1],
  service: [
    z.enum(ALIAS_SERVICES).meta({ description: 'The service that the address is from.' }),
    ({ service }) => service as AliasService,
    'healthchecks',
  ],
  created_at: [time, (row) => isoTime(row.created_at), '2030-01-01T00:00:00.000Z'],
  last_used_at: [
    time.nullable().meta({
      description: 'When a job last called it, to the hour; null before the first call.',
    }),
    (row) => isoOrNull(row.last_used_at),
    '2030-01-01T02:00:00.211Z',
  ],
});

const pingAlias = z.object(fields.shape).meta({
  id: 'PingAlias',
  description:
    'An address of another service at which a job reports. The address itself is not shown.',
});

export const pingAliases = noun('Monitors', createPingAliases, {
  listPingAliases: {
    at: 'GET /monitors/:id/ping-aliases',
    summary: 'List ping aliases',
    description: 'Addresses of other services at which the job of a monitor reports, newest first.',
    query: listQuery,
    answer: pageSchema(pingAlias, 'PingAliasPage'),
    example: { answer: pageExample('/monitors/2/ping-aliases', [fields.example]), id: 2 },
  },
  createPingAlias: {
    at: 'POST /monitors/:id/ping-aliases',
    summary: 'Add a ping alias',
    description: `Lets the job of a ${PUSH.or} monitor report at the address of the service that it used before, once that host name leads to this installation. An address that the monitor has already is answered as it is. A monitor has at most ${MAX_PING_ALIASES}, and an address belongs to one monitor of the installation. Replacing the ping URL does not end it.`,
    body: aliasBody,
    answer: pingAlias,
    example: {
      id: 2,
      body: { path: '/ping/5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278' },
      answer: { ...fields.example, last_used_at: null },
    },
    refusals: ['unsupported'],
  },
  deletePingAlias: {
    at: 'DELETE /monitors/:id/ping-aliases/:alias',
    summary: 'Remove a ping alias',
    description: 'Calls of that address answer 404 from then on.',
    example: { id: 2 },
  },
});
