import { sql, type Insertable } from 'kysely';
import { selectWithState, destinationStore } from '../alerting/destinations.ts';
import type { Db, Schema, Tx } from '../database/contract.ts';
import { hasRow, insertOnce } from '../database/rows.ts';

/** Settings of a channel. Columns that may be null are null unless given. */
export type ChannelColumns = Omit<
  Insertable<Schema['alert_channel']>,
  'id' | 'team_id' | 'person_id' | 'destination_id' | 'type' | 'created_at' | 'updated_at'
>;

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
export function channelsOfTeam(db: Db, teamId: number) {
  return selectRecipients(db, teamId).execute();
}

/** The channels of a team whose account sends text messages. */
const selectSms = (db: Db) =>
  db.selectFrom('alert_channel').where('type', '=', 'sms').where('person_id', 'is', null);

/** Whether a team has a channel of type sms with this id. */
export function isSmsChannel(db: Db, teamId: number, id: number): Promise<boolean> {
  return hasRow(selectSms(db).where('id', '=', id).where('team_id', '=', teamId));
}

/** The channel by which a page sends text messages to its subscribers; undefined while it has none that is enabled. */
export function smsChannelOf(db: Db, pageId: number) {
  return selectSms(db)
    .innerJoin('status_page', 'status_page.sms_channel_id', 'alert_channel.id')
    .select(['alert_channel.settings', 'alert_channel.team_id', 'alert_channel.person_id'])
    .where('status_page.id', '=', pageId)
    .where('alert_channel.enabled', '=', 1)
    .executeTakeFirst();
}

/** Where people are reached by channels of their own and of their team. */
export function channelDestinations(tx: Tx) {
  return {
    /**
     * Where the people who run a team are reached: the enabled channels of its active owner and admins, each of whom has an
     * e-mail channel by default; the team's default channels where none of them has any.
     *
     * @param mail false where no mail can be sent: no e-mail channel is made or used then.
     */
    async ofAdmins(teamId: number, now: number, mail: boolean) {
      const team = await tx
        .selectFrom('team')
        .select(['id', 'name'])
        .where('id', '=', teamId)
        .executeTakeFirstOrThrow();
      if (mail) await makePersonalEmails(tx, teamId, ADMINS, now);
      const rows = await selectRecipients(tx, teamId)
        .where((or) =>
          or.or([or('member.role', 'in', ADMINS), or('alert_channel.is_default', '=', 1)]),
        )
        .$if(!mail, (query) =>
          query.where((or) =>
            or.or([
              or('alert_channel.person_id', 'is', null),
              or('alert_channel.type', '!=', 'email'),
            ]),
          ),
        )
        .execute();
      const personal = rows.filter((row) => row.person_id !== null);
      const chosen = personal.length > 0 ? personal : rows.filter((row) => row.team_id !== null);
      return { team, destinations: chosen.map((row) => row.destination_id) };
    },

    /** Somebody's own enabled channels. */
    async ofPerson(personId: number, mail: boolean): Promise<number[]> {
      const rows = await tx
        .selectFrom('alert_channel')
        .select('destination_id')
        .where('person_id', '=', personId)
        .where('enabled', '=', 1)
        .$if(!mail, (query) => query.where('type', '!=', 'email'))
        .orderBy('id')
        .execute();
      return rows.map((row) => row.destination_id);
    },

    /**
     * Makes the e-mail channel that people have by default: of the team's active owner, admins and editors whose address is
     * verified, and who have never had or removed one. Only where mail can be sent.
     */
    ensurePersonalEmail(teamId: number, now: number) {
      return makePersonalEmails(tx, teamId, EDITORS, now);
    },

    /** Does nothing where they have one of that type by now, also one that they removed. */
    async insertPersonal(
      { personId, type }: { personId: number; type: string },
      columns: ChannelColumns,
      now: number,
    ) {
      const destinationId = await destinationStore(tx).insert({
        kind: 'channel',
        teamId: null,
        now,
      });
      const id = await insertOnce(tx, 'alert_channel', {
        ...columns,
        person_id: personId,
        destination_id: destinationId,
        type,
        created_at: now,
        updated_at: now,
      });
      if (id === null) await destinationStore(tx).delete(destinationId);
    },
  };
}

const ADMINS = ['owner', 'admin'];
const EDITORS = [...ADMINS, 'editor'];

async function makePersonalEmails(tx: Tx, teamId: number, roles: readonly string[], now: number) {
  for (const { id } of await peopleWithDefaultEmail(tx, teamId, roles))
    await channelDestinations(tx).insertPersonal(
      { personId: id, type: 'email' },
      PERSONAL_EMAIL,
      now,
    );
}

/** Reads the people whose default e-mail channel has no row yet. By default those who ensurePersonalEmail makes one for. */
export function peopleWithDefaultEmail(db: Db, teamId: number, roles: readonly string[] = EDITORS) {
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
export async function hasEmailByDefault(db: Db, personId: number): Promise<boolean> {
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

/** Channels of a person with their state, also those that they removed. */
export function personChannels(db: Db, personId: number) {
  return selectWithState(db, 'alert_channel')
    .where('alert_channel.person_id', '=', personId)
    .orderBy('alert_channel.id');
}

/** Enabled channels of a team and of its active members. */
export function selectRecipients(db: Db, teamId: number) {
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
