import { sql, type Insertable, type Kysely, type Selectable, type Transaction } from 'kysely';
import { deleteDestination, insertDestination } from '../alerting/destinations.ts';
import type { AlertChannelTable } from '../database/schema-alerts.ts';
import type { Schema } from '../database/schema.ts';
import { insertRow, updateRow, hasRow } from '../database/rows.ts';

/** A channel, and how it fares. */
export type ChannelWithState = Selectable<AlertChannelTable> & {
  last_delivered_at: number | null;
  failing_since: number | null;
  last_error: string | null;
};

/** Settings of a channel. Columns that may be null are null unless given. */
export type ChannelColumns = Omit<
  Insertable<AlertChannelTable>,
  'id' | 'team_id' | 'person_id' | 'destination_id' | 'type' | 'created_at' | 'updated_at'
>;

/** A channel that may be notified of the alerts of a team. */
export interface ChannelRow {
  id: number;
  name: string;
  destination_id: number;
  /** Null for a person's own. */
  team_id: number | null;
  /** Null for the team's. */
  person_id: number | null;
  type: string;
  is_default: number;
  /** JSON array. */
  severities: string;
  /** JSON of `QuietHours`. */
  quiet_hours: string | null;
  /** The channel's, else its person's, else UTC. */
  timezone: string;
}

/** The e-mail channel that people have by default. */
export const PERSONAL_EMAIL: ChannelColumns = {
  name: 'E-mail',
  enabled: 1,
  is_default: 0,
  // Their own address, whichever it is by then.
  settings: null,
  severities: '["critical","warning"]',
  quiet_hours: null,
  timezone: null,
};

/** All enabled channels of a team and of its active members, by id. */
export function channelsOfTeam(db: Kysely<Schema>, teamId: number): Promise<ChannelRow[]> {
  return selectTold(db, teamId).execute();
}

/**
 * Where the people who run a team are reached: the enabled channels of its active owner and admins, each of whom has an
 * e-mail channel by default; the team's default channels where none of them has any.
 *
 * @param mail false where no mail can be sent: no e-mail channel is made or used then.
 */
export async function adminDestinations(
  tx: Transaction<Schema>,
  teamId: number,
  now: number,
  mail: boolean,
): Promise<{ team: { id: number; name: string }; destinations: number[] }> {
  const team = await tx
    .selectFrom('team')
    .select(['id', 'name'])
    .where('id', '=', teamId)
    .executeTakeFirstOrThrow();
  if (mail) await makePersonalEmails(tx, teamId, ADMINS, now);
  const rows = await selectTold(tx, teamId)
    .where((or) => or.or([or('member.role', 'in', ADMINS), or('alert_channel.is_default', '=', 1)]))
    .$if(!mail, (query) =>
      query.where((or) =>
        or.or([or('alert_channel.person_id', 'is', null), or('alert_channel.type', '!=', 'email')]),
      ),
    )
    .execute();
  const personal = rows.filter((row) => row.person_id !== null);
  const told = personal.length > 0 ? personal : rows.filter((row) => row.team_id !== null);
  return { team, destinations: told.map((row) => row.destination_id) };
}

/** Somebody's own enabled channels. */
export async function personDestinations(
  tx: Transaction<Schema>,
  personId: number,
  mail: boolean,
): Promise<number[]> {
  const rows = await tx
    .selectFrom('alert_channel')
    .select('destination_id')
    .where('person_id', '=', personId)
    .where('enabled', '=', 1)
    .$if(!mail, (query) => query.where('type', '!=', 'email'))
    .orderBy('id')
    .execute();
  return rows.map((row) => row.destination_id);
}

/**
 * Makes the e-mail channel that people have by default: of the team's active owner, admins and editors whose address is
 * verified, and who have never had or removed one. Only where mail can be sent.
 */
export function ensurePersonalEmail(
  tx: Transaction<Schema>,
  teamId: number,
  now: number,
): Promise<void> {
  return makePersonalEmails(tx, teamId, EDITORS, now);
}

const ADMINS = ['owner', 'admin'];
const EDITORS = [...ADMINS, 'editor'];

async function makePersonalEmails(
  tx: Transaction<Schema>,
  teamId: number,
  roles: readonly string[],
  now: number,
): Promise<void> {
  for (const { id } of await peopleWithDefaultEmail(tx, teamId, roles))
    await insertPersonChannel(tx, { personId: id, type: 'email' }, PERSONAL_EMAIL, now);
}

/** Reads the people whose default e-mail channel has no row yet. By default those who ensurePersonalEmail makes one for. */
export function peopleWithDefaultEmail(
  db: Kysely<Schema>,
  teamId: number,
  roles: readonly string[] = EDITORS,
): Promise<{ id: number }[]> {
  return db
    .selectFrom('member')
    .innerJoin('person', 'person.id', 'member.person_id')
    .leftJoin('alert_channel', (join) =>
      join
        .onRef('alert_channel.person_id', '=', 'person.id')
        .on('alert_channel.type', '=', 'email'),
    )
    .where('member.team_id', '=', teamId)
    .where('member.status', '=', 'active')
    .where('member.role', 'in', roles)
    .where('person.email_verified', '=', 1)
    .where('alert_channel.id', 'is', null)
    .select('person.id')
    .orderBy('person.id')
    .execute();
}

/** Whether a person has the default e-mail channel, which lasts until a row of theirs replaces it. */
export async function hasEmailByDefault(db: Kysely<Schema>, personId: number): Promise<boolean> {
  return hasRow(
    db
      .selectFrom('member')
      .innerJoin('person', 'person.id', 'member.person_id')
      .innerJoin('team', 'team.id', 'member.team_id')
      .where('member.person_id', '=', personId)
      .where('member.status', '=', 'active')
      .where('member.role', 'in', EDITORS)
      .where('person.email_verified', '=', 1)
      .where('team.deleted_at', 'is', null),
  );
}

/** A page of a team's channels, and how many there are on all pages. */
export async function listTeamChannels(
  db: Kysely<Schema>,
  teamId: number,
  query: {
    type?: string | undefined;
    enabled?: boolean | undefined;
    direction: 'asc' | 'desc';
    limit: number;
    offset: number;
  },
): Promise<{ rows: ChannelWithState[]; total: number }> {
  const { type, enabled, direction, limit, offset } = query;
  const wanted = selectChannels(db)
    .where('alert_channel.team_id', '=', teamId)
    .$if(type !== undefined, (some) => some.where('alert_channel.type', '=', type!))
    .$if(enabled !== undefined, (some) =>
      some.where('alert_channel.enabled', '=', Number(enabled)),
    );
  const { count } = await wanted
    .clearSelect()
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const rows = await wanted
    .orderBy('alert_channel.created_at', direction)
    .orderBy('alert_channel.id', direction)
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows, total: Number(count) };
}

/** Undefined for an unknown id, for another team's and for a person's own. */
export function findTeamChannel(
  db: Kysely<Schema>,
  teamId: number,
  id: number,
): Promise<ChannelWithState | undefined> {
  return selectChannels(db)
    .where('alert_channel.team_id', '=', teamId)
    .where('alert_channel.id', '=', id)
    .executeTakeFirst();
}

/** Channels of a person, with those that they removed. */
export function listPersonChannels(
  db: Kysely<Schema>,
  personId: number,
): Promise<ChannelWithState[]> {
  return selectChannels(db)
    .where('alert_channel.person_id', '=', personId)
    .orderBy('alert_channel.id')
    .execute();
}

/** Also finds a channel that they removed. */
export function findPersonChannel(
  db: Kysely<Schema>,
  personId: number,
  type: string,
): Promise<ChannelWithState | undefined> {
  return selectChannels(db)
    .where('alert_channel.person_id', '=', personId)
    .where('alert_channel.type', '=', type)
    .executeTakeFirst();
}

/** @returns the id of the channel, which has a queue of its own. */
export async function insertTeamChannel(
  tx: Transaction<Schema>,
  { teamId, type }: { teamId: number; type: string },
  columns: ChannelColumns,
  now: number,
): Promise<number> {
  const destinationId = await insertDestination(tx, { kind: 'channel', teamId, now });
  return insertRow(tx, 'alert_channel', {
    ...columns,
    team_id: teamId,
    destination_id: destinationId,
    type,
    created_at: now,
    updated_at: now,
  });
}

/** Does nothing where they have one of that type by now, also one that they removed. */
export async function insertPersonChannel(
  tx: Transaction<Schema>,
  { personId, type }: { personId: number; type: string },
  columns: ChannelColumns,
  now: number,
): Promise<void> {
  const destinationId = await insertDestination(tx, { kind: 'channel', teamId: null, now });
  const row = await tx
    .insertInto('alert_channel')
    .values({
      ...columns,
      person_id: personId,
      destination_id: destinationId,
      type,
      created_at: now,
      updated_at: now,
    })
    // Postgres waits for the other transaction here, and then sees what it made.
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (row === undefined) await deleteDestination(tx, destinationId);
}

/** Changes these columns alone: who sends may change others meanwhile. */
export async function updateChannel(
  tx: Transaction<Schema>,
  id: number,
  columns: Partial<ChannelColumns>,
  now: number,
): Promise<void> {
  await updateRow(tx, 'alert_channel', id, { ...columns, updated_at: now });
}

/** Deletes a channel with its queue and its log. */
export async function deleteChannel(
  tx: Transaction<Schema>,
  channel: { id: number; destination_id: number },
): Promise<void> {
  await tx.deleteFrom('alert_channel').where('id', '=', channel.id).execute();
  await deleteDestination(tx, channel.destination_id);
}

function selectChannels(db: Kysely<Schema>) {
  return db
    .selectFrom('alert_channel')
    .innerJoin('destination', 'destination.id', 'alert_channel.destination_id')
    .selectAll('alert_channel')
    .select([
      'destination.last_delivered_at',
      'destination.failing_since',
      'destination.last_error',
    ]);
}

function selectTold(db: Kysely<Schema>, teamId: number) {
  return (
    db
      .selectFrom('alert_channel')
      .leftJoin('person', 'person.id', 'alert_channel.person_id')
      .leftJoin('member', (join) =>
        join
          .onRef('member.person_id', '=', 'alert_channel.person_id')
          .on('member.team_id', '=', teamId)
          .on('member.status', '=', 'active'),
      )
      .where('alert_channel.enabled', '=', 1)
      // Two terms with an index each: never all channels of the installation.
      .where((or) =>
        or.or([
          or('alert_channel.team_id', '=', teamId),
          or(
            'alert_channel.person_id',
            'in',
            or
              .selectFrom('member as active')
              .select('active.person_id')
              .where('active.team_id', '=', teamId)
              .where('active.status', '=', 'active'),
          ),
        ]),
      )
      .select([
        'alert_channel.id',
        'alert_channel.name',
        'alert_channel.destination_id',
        'alert_channel.team_id',
        'alert_channel.person_id',
        'alert_channel.type',
        'alert_channel.is_default',
        'alert_channel.severities',
        'alert_channel.quiet_hours',
      ])
      .select((select) =>
        select.fn
          .coalesce('alert_channel.timezone', 'person.timezone', sql<string>`'UTC'`)
          .as('timezone'),
      )
      .orderBy('alert_channel.id')
  );
}
