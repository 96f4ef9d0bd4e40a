import { countRows, hasRow, deleteRows, insertRow, findRow, updateRows } from '../database/rows.ts';
import type { Db, Tx } from '../database/contract.ts';
import { selectHolders } from './tokens.ts';

/** Applications, and what people allow them. */
export function grantStore(db: Db) {
  return {
    async insertClient(
      client: {
        /** Random text by which it names itself. */
        clientId: string;
        name: string | null;
        uri: string | null;
        redirectUris: readonly string[];
        grantTypes: readonly string[];
        applicationType: string;
      },
      now: number,
    ) {
      const { clientId, name, uri, redirectUris, grantTypes, applicationType } = client;
      await insertRow(db, 'oauth_client', {
        client_id: clientId,
        name,
        uri,
        redirect_uris: JSON.stringify(redirectUris),
        grant_types: JSON.stringify(grantTypes),
        response_types: '["code"]',
        token_endpoint_auth_method: 'none',
        application_type: applicationType,
        created_at: now,
        updated_at: now,
      });
    },

    findClient(clientId: string) {
      return findRow(db, 'oauth_client', { client_id: clientId }, ['name', 'uri']);
    },

    /** Lists the grants of a person with application, team and their role there, in any team; the newest first. */
    list(personId: number) {
      return selectGrants(db, personId)
        .orderBy('oauth_grant.created_at', 'desc')
        .orderBy('oauth_grant.id', 'desc')
        .execute();
    },

    /** Finds a grant of a person; undefined for others. */
    find(personId: number, id: number) {
      return selectGrants(db, personId).where('oauth_grant.id', '=', id).executeTakeFirst();
    },

    /** Finds the grant of a person to an application in a team; undefined for none. */
    findTo({ personId, clientId, teamId }: Omit<NewGrant, 'permissions' | 'redirectHost'>) {
      return selectGrants(db, personId)
        .where('oauth_grant.client_id', '=', clientId)
        .where('oauth_grant.team_id', '=', teamId)
        .executeTakeFirst();
    },

    count(personId: number) {
      return countRows(db.selectFrom('oauth_grant').where('person_id', '=', personId));
    },

    has(id: number) {
      return hasRow(db.selectFrom('oauth_grant').where('id', '=', id));
    },

    /** Deletes a grant of a person with all its tokens. @returns whether it existed. */
    async delete(personId: number, id: number) {
      return (await deleteRows(db, 'oauth_grant', { person_id: personId, id })) > 0;
    },

    /**
     * The holder of the access token with this hash; undefined when it is unknown or revoked, and when its holder is not an
     * active member of the team of its grant. Expired tokens are included.
     */
    findHolder(hash: string) {
      return selectHolders(db)
        .innerJoin('oauth_grant', (join) =>
          join
            .onRef('oauth_grant.team_id', '=', 'member.team_id')
            .onRef('oauth_grant.person_id', '=', 'member.person_id'),
        )
        .innerJoin('oauth_client', 'oauth_client.client_id', 'oauth_grant.client_id')
        .innerJoin('oauth_access_token', 'oauth_access_token.grant_id', 'oauth_grant.id')
        .where('oauth_access_token.hash', '=', hash)
        .select([
          'oauth_grant.id as grant_id',
          'oauth_client.name as client_name',
          'oauth_grant.permissions',
          'oauth_access_token.scopes',
          'oauth_access_token.resources',
          'oauth_access_token.expires_at',
          'oauth_grant.last_used_at',
        ])
        .executeTakeFirst();
    },
  };
}

/** What a person lets an application do in a team. */
interface NewGrant {
  personId: number;
  /** `client_id` of the application. */
  clientId: string;
  teamId: number;
  /** JSON array. */
  permissions: string;
  /** Where the code goes, as people are shown it. */
  redirectHost: string;
}

/**
 * Stores a grant. One of the same person, application and team gets the new permissions, and its tokens with it.
 *
 * @returns its id.
 */
export async function saveGrant(
  tx: Tx,
  { personId, clientId, teamId, permissions, redirectHost }: NewGrant,
  now: number,
): Promise<number> {
  await updateRows(tx, 'oauth_client', { client_id: clientId }, { connected_at: now });
  const { id } = await tx
    .insertInto('oauth_grant')
    .values({
      person_id: personId,
      client_id: clientId,
      team_id: teamId,
      permissions,
      redirect_host: redirectHost,
      last_used_at: null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['person_id', 'client_id', 'team_id'])
        .doUpdateSet({ permissions, redirect_host: redirectHost, updated_at: now }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export type GrantRow = Awaited<ReturnType<ReturnType<typeof grantStore>['list']>>[number];

function selectGrants(db: Db, personId: number) {
  return db
    .selectFrom('oauth_grant')
    .innerJoin('oauth_client', 'oauth_client.client_id', 'oauth_grant.client_id')
    .innerJoin('team', 'team.id', 'oauth_grant.team_id')
    .leftJoin('member', (join) =>
      join
        .onRef('member.team_id', '=', 'oauth_grant.team_id')
        .onRef('member.person_id', '=', 'oauth_grant.person_id')
        .on('member.status', '=', 'active'),
    )
    .where('oauth_grant.person_id', '=', personId)
    .where('team.deleted_at', 'is', null)
    .select([
      'oauth_grant.id',
      'oauth_grant.client_id',
      'oauth_client.name as client_name',
      'oauth_client.uri as client_uri',
      'oauth_grant.redirect_host',
      'oauth_grant.team_id',
      'team.name as team_name',
      'member.role',
      'oauth_grant.permissions',
      'oauth_grant.last_used_at',
      'oauth_grant.created_at',
      'oauth_grant.updated_at',
    ]);
}

export type GrantHolder = NonNullable<
  Awaited<ReturnType<ReturnType<typeof grantStore>['findHolder']>>
>;
