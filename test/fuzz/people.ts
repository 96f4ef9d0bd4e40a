import { hashToken } from '../../src/identity/token.ts';
import { invitationStore } from '../../src/store/people/invitations.ts';
import { peopleStore } from '../../src/store/people/people.ts';
import { insertRow } from '../../src/store/database/rows.ts';
import { teamStore } from '../../src/store/people/teams.ts';
import { tokenStore } from '../../src/store/people/tokens.ts';
import type { TestApi } from '../support/api.ts';
import { giveToken } from '../support/people.ts';
import type { Pool } from './pool.ts';
import { reviveSubscribers } from './subscribers.ts';
import type { CallerName } from './requests.ts';
import { connectApplication } from '../support/applications.ts';
import { storeReportRun } from '../support/report-runs.ts';
import { insertManualIncident } from '../../src/store/resources/incidents.ts';
import { createMonitor } from '../support/monitor-rows.ts';
import { insertAnnouncement, insertPage, insertUpdate } from '../support/status-pages.ts';
import { reviveExpirations } from './overviews.ts';
import { destinationStore } from '../../src/store/alerting/destinations.ts';
import { storeDelivery } from '../support/webhooks.ts';

/** Ensures that each team has an endpoint with deliveries, whatever was deleted or disabled. */
async function reviveWebhooks(api: TestApi, pool: Pool): Promise<void> {
  const now = api.clock.now();
  for (const [{ teamId }, side] of [
    [api.alice, 'ours'],
    [api.mallory, 'theirs'],
  ] as const) {
    const endpointId = await api.database.transaction(async (tx) => {
      const old = tx
        .selectFrom('webhook_endpoint')
        .select('id')
        .where('team_id', '=', teamId)
        .orderBy('id', 'desc')
        .limit(FEW)
        .offset(FEW);
      await tx.deleteFrom('webhook_endpoint').where('id', 'in', old).execute();
      const queue = await destinationStore(tx).insert({ kind: 'webhook', teamId, now });
      const columns = { ...COLUMNS, team_id: teamId, destination_id: queue };
      return insertRow(tx, 'webhook_endpoint', { ...columns, created_at: now, updated_at: now });
    });
    pool.know('webhook-endpoints', endpointId, side);
    pool.know('endpoints with deliveries', endpointId, side);
    const sent = { endpointId, at: now, status: 'delivered' as const, attempts: [204] };
    pool.know('deliveries', await storeDelivery(api.database, sent), side);
  }
}

/** Number of endpoints to keep below the limit. */
const FEW = 25;

const COLUMNS = {
  name: 'Sent',
  url: 'sealed by a key that is lost',
  url_host: 'hooks.example.com',
  auth_type: 'none',
  auth_header_name: null,
  auth_token: null,
  signing_secret: null,
  previous_signing_secret: null,
  previous_secret_until: null,
  severities: '["critical"]',
  is_active: 1,
  deactivated_reason: null,
};

const DAY_MS = 86_400_000;

const HOUR_MS = 3_600_000;

/** Ensures that each team has a monitor with a past, a correction, an SLO and a certificate, whatever was deleted. */
async function reviveCorrections(api: TestApi, pool: Pool): Promise<void> {
  const now = api.clock.now();
  for (const [{ teamId, personId }, side] of [
    [api.alice, 'ours'],
    [api.mallory, 'theirs'],
  ] as const) {
    const monitorId = await createMonitor(api.database, now - DAY_MS, { team_id: teamId });
    await api.database.transaction(async (tx) => {
      await tx
        .updateTable('monitor_state')
        .set({ team_id: teamId })
        .where('monitor_id', '=', monitorId)
        .execute();
      const columns = {
        team_id: teamId,
        monitor_id: monitorId,
        from_at: now - 2 * HOUR_MS,
        to_at: now - HOUR_MS,
        counts_as: 'excluded',
        reason: 'A test of ours.',
        person_id: personId,
        created_at: now,
        updated_at: now,
      };
      const slo = { target_percent: 99, window_days: 7, burn_rate_alerts: 1, next_at: null };
      const of = { monitor_id: monitorId, team_id: teamId, created_at: now, updated_at: now };
      await tx
        .insertInto('monitor_slo')
        .values({ ...of, ...slo })
        .execute();
      pool.know('corrections', await insertRow(tx, 'correction', columns), side);
    });
    await reviveExpirations(api, [{ id: monitorId }]);
    pool.know('monitors', monitorId, side);
    pool.know('monitors with corrections', monitorId, side);
  }
}

let made = 0;

/** Ensures that each team has an incident with updates on a page, of which one may be deleted. */
async function reviveUpdates(api: TestApi, pool: Pool): Promise<void> {
  const now = api.clock.now();
  const { database } = api;
  for (const [{ teamId }, side] of [
    [api.alice, 'ours'],
    [api.mallory, 'theirs'],
  ] as const) {
    made += 1;
    const monitorId = await createMonitor(database, now, { team_id: teamId });
    const page = await insertPage(database, { team_id: teamId, slug: `updates-${made}` });
    const announcement = await insertAnnouncement(
      database,
      { team_id: teamId, started_at: now },
      { pages: [page], monitors: [monitorId] },
    );
    const incident = await database.transaction(async (tx) => {
      const id = await insertManualIncident(
        tx,
        { team_id: teamId, monitor_id: monitorId, severity: 'critical', started_at: now },
        now,
      );
      await tx
        .insertInto('announcement_incident')
        .values({ incident_id: id, announcement_id: announcement })
        .execute();
      return id;
    });
    pool.know('incidents', incident, side);
    for (const body of ['A', 'B', 'C']) {
      const update = await insertUpdate(database, announcement, { pages: [page], at: now, body });
      pool.know('incidents with updates', incident, side);
      pool.know('updates of incidents', update, side);
    }
  }
}

/** Ids of the sample would be those of any team. */
const NO_IDS = { monitors: [], groups: [], tags: [], incidents: [], incidentsTotal: 0 };

/** Ensures that each team has a report with a run that is done, whatever was deleted. */
async function reviveReports(api: TestApi, pool: Pool): Promise<void> {
  const now = api.clock.now();
  for (const [{ teamId }, side] of [
    [api.alice, 'ours'],
    [api.mallory, 'theirs'],
  ] as const) {
    const reportId = await api.database.transaction((tx) =>
      insertRow(tx, 'report', {
        team_id: teamId,
        name: 'Revived',
        monitors: '[]',
        tags: '[]',
        period: 'last_7_days',
        frequency: 'none',
        recipients: '[]',
        timezone: 'UTC',
        language: 'en',
        created_at: now,
        updated_at: now,
      }),
    );
    pool.know('reports', reportId, side);
    const run = await storeReportRun(api.database, { reportId, teamId, now, more: NO_IDS });
    pool.know('report-runs', run, side);
  }
}

/** Connects another application of each owner, since no operation of the API connects one. */
async function reviveApplications(api: TestApi, pool: Pool): Promise<void> {
  const now = api.clock.now();
  for (const [person, side] of [
    [api.alice, 'ours'],
    [api.mallory, 'theirs'],
  ] as const) {
    const id = await connectApplication(api.database, person, { now });
    pool.know('connected-applications', id, side);
  }
}

/** Initial number of members and invitations of each team. */
const CROWD = 15;

const FAR = Date.UTC(2040, 0, 1);

/** The token of an invitation to Alice's team. */
export const linkToken = (number: number) => `link-${number % CROWD}`;

/** The initial teams: Alice's, Mallory's, and one of which Alice is a guest. */
const TEAMS = ['Team ours', 'Team theirs', 'Team third'] as const;

/** Additional members and a team, which most actions on people affect. */
export async function settleCrowd(api: TestApi, pool: Pool): Promise<Crowd> {
  const now = api.clock.now();
  const crowd: Crowd = { members: [], invited: 0 };
  for (const [owner, side] of sidesOf(api)) {
    for (let number = 0; number < CROWD; number += 1) {
      const name = `member-${number}@${side}`;
      const personId = await api.database.transaction((tx) =>
        peopleStore(tx).insert({ name, email: name, timezone: 'UTC' }, now),
      );
      crowd.members.push({ teamId: owner.teamId, personId, side });
    }
    pool.know('teams', owner.teamId, side);
  }
  const third = await api.database.transaction((tx) =>
    insertRow(tx, 'team', {
      name: TEAMS[2],
      slug: 'third',
      personal_team: 0,
      created_at: now,
      updated_at: now,
    }),
  );
  pool.know('teams', third, 'ours');
  return crowd;
}

export interface Crowd {
  members: { teamId: number; personId: number; side: 'ours' | 'theirs' }[];
  /** Number of invitations so far; each has another address. */
  invited: number;
}

const sidesOf = ({ alice, mallory }: TestApi) =>
  [
    [alice, 'ours'],
    [mallory, 'theirs'],
  ] as const;

/** Restores the additional members, invites another person and creates tokens to revoke. */
async function reviveCrowd(api: TestApi, pool: Pool, crowd: Crowd): Promise<void> {
  const now = api.clock.now();
  await api.database.transaction(async (tx) => {
    for (const { teamId, personId, side } of crowd.members) {
      await tx.deleteFrom('member').where('person_id', '=', personId).execute();
      await teamStore(tx).insertMember(teamId, personId, 'viewer', now);
      // Removed ones are discarded.
      pool.know('users', personId, side);
    }
    await tx.deleteFrom('invitation').execute();
    for (const [{ teamId, personId: invitedBy }, side] of sidesOf(api)) {
      for (let number = 0; number < CROWD; number += 1) {
        const email = `guest-${(crowd.invited += 1)}@${side}`;
        const hash = hashToken(side === 'ours' ? linkToken(number) : `${side}-${number}`);
        const invitation = { teamId, email, role: 'viewer', hash, invitedBy, expiresAt: FAR };
        pool.know('invitations', await invitationStore(tx).insert(invitation, now), side);
      }
    }
    for (const [{ teamId, personId }, side] of sidesOf(api)) {
      const token = { team_id: teamId, person_id: personId, name: 'made', permissions: '[]' };
      const hash = hashToken(`made ${side} ${crowd.invited}`);
      pool.know('tokens', await tokenStore(tx).insert({ ...token, hash }, now), side);
    }
  });
}

/** Restores people who left, were removed, lost their tokens or deleted their teams. */
export async function revive(
  api: TestApi,
  tokens: Record<CallerName, string | null>,
  { pool, crowd }: { pool: Pool; crowd: Crowd },
): Promise<void> {
  const now = api.clock.now();
  const roles: [name: 'alice' | 'ed' | 'vera' | 'mallory', role: string][] = [
    ['alice', 'owner'],
    ['ed', 'editor'],
    ['vera', 'viewer'],
    ['mallory', 'owner'],
  ];
  await api.database.transaction(async (tx) => {
    for (const [index, name] of TEAMS.entries())
      await tx
        .updateTable('team')
        .set({ name, deleted_at: null, mfa_required: 0 })
        .where('id', '=', index + 1)
        .execute();
    await tx
      .updateTable('member')
      .set({ role: 'admin' })
      .where('role', '=', 'owner')
      .where('team_id', '<=', TEAMS.length)
      .execute();
    for (const [name, role] of roles) {
      const { personId, teamId } = api[name];
      await tx
        .deleteFrom('member')
        .where('person_id', '=', personId)
        .where('team_id', '<=', TEAMS.length)
        .execute();
      await teamStore(tx).insertMember(teamId, personId, role, now);
    }
    await teamStore(tx).insertMember(TEAMS.length, api.alice.personId, 'editor', now);
    // Tokens that callers created stay, to be revoked.
    await tx.deleteFrom('token').where('name', '=', 'test').execute();
  });
  for (const [name] of roles) {
    tokens[name] = await giveToken(api.database, api[name], { now });
    api.authenticator.forget({ personId: api[name].personId });
  }
  tokens.reader = await giveToken(api.database, api.alice, { permissions: ['read'], now });
  await reviveCrowd(api, pool, crowd);
  await reviveApplications(api, pool);
  await reviveWebhooks(api, pool);
  await reviveCorrections(api, pool);
  await reviveReports(api, pool);
  await reviveSubscribers(api, pool);
  await reviveUpdates(api, pool);
}
