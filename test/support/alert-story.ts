import type { Insertable } from 'kysely';
import { applyIncidentChanges } from '../../src/engine/record/record.ts';
import { createSecretBox } from '../../src/lib/secret-box.ts';
import type { Condition } from '../../src/model/condition.ts';
import type { IncidentChange } from '../../src/model/incident.ts';
import { stepAlerts, fanOut } from '../../src/alerting/index.ts';
import type { MessageContent } from '../../src/alerting/message/index.ts';
import { POLICIES } from '../../src/alerting/policy/index.ts';
import type { Policy } from '../../src/alerting/policy/contract.ts';
import type { ChannelColumns } from '../../src/store/resources/alert-channels.ts';
import type { Database, Schema } from '../../src/store/database/contract.ts';
import { alertSteps } from '../../src/store/alerting/alert-steps.ts';
import { insertTeamChannel } from './deliveries.ts';
import { ending, opening, type ToldTrouble } from './incident-changes.ts';
import { createMonitor, type MonitorFields } from './monitor-rows.ts';
import { insertRows, updateRows } from './rows.ts';
import { contract } from './openapi.ts';
import { settlePeople, type StandingPeople } from './people.ts';
import { openInMemory } from './memory-database.ts';

const SECOND = 1_000;

/** Incidents that open and end, and the notifications that follow, on a fake clock. */
export interface AlertStory {
  people: StandingPeople;
  database: Database;
  now(): number;
  monitor(fields?: MonitorFields): Promise<number>;
  /** Creates a monitor of Alice's team. @returns its id. */
  channel(columns?: Partial<ChannelColumns> & { type?: string }): Promise<number>;
  endpoint(severities?: string[]): Promise<number>;
  route(columns: Partial<Insertable<Schema['alert_route']>>): Promise<void>;
  /** Applies several changes in one transaction. */
  fail(monitorIds: number | number[], trouble?: ToldTrouble): Promise<void>;
  recover(monitorIds: number | number[], condition?: Condition): Promise<void>;
  /** One condition is replaced by another. */
  changeOver(monitorId: number, from: Condition, to: Condition): Promise<void>;
  /** Advances the clock and does everything that falls due. */
  pass(seconds: number): Promise<void>;
  /** Deliveries enqueued for a channel or an endpoint since the last call, in order. */
  messages(destinationId: number): Promise<MessageContent[]>;
  sent(destinationId: number): Promise<{ event: string }[]>;
  destinationOf(table: 'alert_channel' | 'webhook_endpoint', id: number): Promise<number>;
}

export interface StoryOptions {
  mail?: boolean;
  /** All of them by default. */
  policies?: readonly Policy[];
}

export async function createAlertStory(
  database: Database,
  { mail = false, policies = POLICIES }: StoryOptions = {},
): Promise<AlertStory> {
  let now = Date.UTC(2030, 0, 10, 12);
  const people = await settlePeople(database, now);
  const box = createSecretBox(['a key for tests']);
  const { teamId } = people.alice;
  const heard = new Map<number, number>();
  const of = (monitorId: number) => ({ monitorId, teamId, at: now });

  async function apply(changes: IncidentChange[]): Promise<void> {
    await database.transaction((tx) => applyIncidentChanges(tx, changes, now));
    await handOn();
  }

  async function handOn(): Promise<void> {
    while ((await fanOut(database, { now, mail, policies })).events > 0);
    while ((await stepAlerts(database, { now, mail, policies })) > 0);
  }

  async function nextAt(): Promise<number> {
    const due = await Promise.all([
      database.read
        .selectFrom('event')
        .select((eb) => eb.fn.min('fan_out_at').as('at'))
        .executeTakeFirst(),
      database.read
        .selectFrom('alert')
        .select((eb) => eb.fn.min('next_at').as('at'))
        .executeTakeFirst(),
    ]);
    return Math.min(...due.map((row) => row?.at ?? Infinity));
  }

  async function heardBy(destinationId: number): Promise<string[]> {
    const rows = await database.read
      .selectFrom('delivery')
      .select(['id', 'body'])
      .where('destination_id', '=', destinationId)
      .where('id', '>', heard.get(destinationId) ?? 0)
      .orderBy('id')
      .execute();
    const last = rows.at(-1);
    if (last !== undefined) heard.set(destinationId, last.id);
    return rows.map(({ body }) => body);
  }

  return {
    people,
    database,
    now: () => now,
    monitor: (fields = {}) => createMonitorOf(database, now, { team_id: teamId, ...fields }),
    async channel({ type = 'slack', ...columns } = {}) {
      return database.transaction((tx) =>
        insertTeamChannel(
          tx,
          { teamId, type },
          {
            name: '#ops',
            enabled: 1,
            is_default: 1,
            settings: box.of('alert_channel', `team ${teamId}`).seal('{}', 'settings'),
            severities: '["critical","warning"]',
            quiet_hours: null,
            timezone: null,
            ...columns,
          },
          now,
        ),
      );
    },
    async endpoint(severities = ['critical', 'warning', 'info']) {
      return database.transaction(async (tx) => {
        const { id: destination_id } = await tx
          .insertInto('destination')
          .values({
            team_id: teamId,
            kind: 'webhook',
            claim: 0,
            failures: 0,
            created_at: now,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        const { id } = await tx
          .insertInto('webhook_endpoint')
          .values({
            team_id: teamId,
            destination_id,
            name: 'Hook',
            url: box.of('webhook_endpoint', teamId).seal('https://hooks.example.com/', 'url'),
            url_host: 'hooks.example.com',
            auth_type: 'none',
            severities: JSON.stringify(severities),
            is_active: 1,
            created_at: now,
            updated_at: now,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        return id;
      });
    },
    async route(columns) {
      await database.transaction((tx) =>
        tx
          .insertInto('alert_route')
          .values({
            team_id: teamId,
            name: 'Route',
            monitors: '[]',
            groups: '[]',
            tags: '[]',
            severities: '["critical","warning","info"]',
            channels: '[]',
            users: '[]',
            escalation: '[]',
            sort_order: 0,
            created_at: now,
            updated_at: now,
            ...columns,
          })
          .execute(),
      );
    },
    fail: (ids, trouble = {}) =>
      apply([ids].flat().map((id) => opening({ ...of(id), trouble, from: null }))),
    recover: (ids, condition = 'uptime') =>
      apply([ids].flat().map((id) => ending({ ...of(id), condition, into: null }))),
    changeOver: (id, from, to) =>
      apply([
        ending({ ...of(id), condition: from, into: to }),
        opening({ ...of(id), trouble: { condition: to }, from }),
      ]),
    async pass(seconds) {
      const end = now + seconds * SECOND;
      for (let at = await nextAt(); at <= end; at = await nextAt()) {
        now = Math.max(now, at);
        await handOn();
      }
      now = end;
    },
    messages: async (id) => (await heardBy(id)).map((body) => JSON.parse(body) as MessageContent),
    async sent(id) {
      const bodies = await heardBy(id);
      const faults = bodies.flatMap((body) => contract().eventFaults(body));
      if (faults.length > 0) throw new Error(`Events are not as documented: ${faults.join(' ')}`);
      return bodies.map((body) => JSON.parse(body) as { event: string });
    },
    async destinationOf(table, id) {
      const row = await database.read
        .selectFrom(table)
        .select('destination_id')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return row.destination_id;
    },
  };
}

/** The state of a monitor that was checked before and is up. */
async function createMonitorOf(
  database: Database,
  now: number,
  fields: MonitorFields,
): Promise<number> {
  const id = await createMonitor(database, now, fields);
  await database.transaction((tx) =>
    tx
      .updateTable('monitor_state')
      .set({
        team_id: fields.team_id!,
        status: 'online',
        last_slot: now,
        last_checked_at: now,
        run_at: null,
      })
      .where('monitor_id', '=', id)
      .execute(),
  );
  return id;
}

/** A story on a new database in memory. */
export const beginStory = async (options?: StoryOptions): Promise<AlertStory> =>
  createAlertStory(await openInMemory(), options);

/** Creates a channel of the team. @returns its destination. */
export const channelOf = async (story: AlertStory, columns = {}) =>
  story.destinationOf('alert_channel', await story.channel(columns));

/** Creates a webhook endpoint of the team. @returns its destination. */
export const endpointOf = async (story: AlertStory, severities?: string[]) =>
  story.destinationOf('webhook_endpoint', await story.endpoint(severities));

/** Messages to a channel since the last call: their kind, and the names of the monitors. */
export const kinds = async (story: AlertStory, destination: number) =>
  (await story.messages(destination)).map(({ kind, troubles }) => [
    kind,
    ...troubles.map(({ name }) => name),
  ]);

/** Events to an endpoint since the last call. */
export const events = async (story: AlertStory, destination: number) =>
  (await story.sent(destination)).map(({ event }) => event);

/** Starts maintenance for that many seconds. */
export const during = async (story: AlertStory, seconds: number, scope: object = {}) => {
  await story.database.transaction((tx) =>
    tx
      .insertInto('maintenance_occurrence')
      .values({
        window_id: 1,
        team_id: story.people.alice.teamId,
        monitors: '[]',
        groups: '[]',
        tags: '[]',
        from_at: story.now(),
        to_at: story.now() + seconds * 1_000,
        ...scope,
      })
      .execute(),
  );
};

/** Notifies every channel of another critical incident, so that it groups what begins now. */
export async function justNotified(story: AlertStory): Promise<void> {
  const { teamId } = story.people.alice;
  await story.database.transaction(async (tx) => {
    const channels = await tx.selectFrom('alert_channel').select('destination_id').execute();
    const opened = channels.map(({ destination_id: destinationId }) => ({
      destinationId,
      severity: 'critical' as const,
    }));
    await alertSteps(tx).openGroupingWindows(teamId, opened, story.now());
  });
}

/** Seconds from the beginning of an outage. */
type Seconds = [from: number, to: number];

/** Says that a monitor was observed as offline and then not at all, and is observed until now after that. */
export async function observedAs(
  story: AlertStory,
  monitorId: number,
  began: number,
  { offline, unobserved }: { offline: Seconds; unobserved: Seconds },
): Promise<void> {
  const { database } = story;
  const span = (status: string, [from, to]: [number, number | null]) =>
    insertRows(database, 'status_span', {
      team_id: story.people.alice.teamId,
      monitor_id: monitorId,
      status,
      from_at: began + from * SECOND,
      to_at: to === null ? null : began + to * SECOND,
    } as never);
  await updateRows(database, 'status_span', { to_at: began }, { monitor_id: monitorId });
  await span('offline', offline);
  await span('unobserved', unobserved);
  await span('offline', [unobserved[1], null]);
  const observed_until = story.now() + 24 * 3_600 * SECOND;
  await updateRows(database, 'monitor_state', { observed_until }, { monitor_id: monitorId });
}
