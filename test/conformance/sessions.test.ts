import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRateLimits } from '../../src/identity/rate-limits.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { OpenDatabase } from '../../src/store/database/database.ts';
import { LIMITS, openApi, type TestApi } from '../support/api.ts';
import { giveSession, type TestPerson, type TestSession } from '../support/people.ts';
import { openInMemory } from '../support/memory-database.ts';
import { insertRows, updateRows } from '../support/rows.ts';

const MONITORS = '/api/v1/monitors';
const MONITOR = { url: 'https://example.com', check_interval: 1 };

let database: OpenDatabase;
let api: TestApi;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1) });
  database = await openInMemory();
  const rateLimits = createRateLimits({ limits: LIMITS, clock: systemClock });
  api = await openApi(database, {}, { rateLimits });
});
afterEach(async () => {
  vi.useRealTimers();
  await api.app.close();
  await database.close();
});

const sessionOf = (
  person: Pick<TestPerson, 'personId'> & { teamId: number | null },
  method: 'password' | 'passkey' | 'oidc' = 'password',
): Promise<TestSession> => giveSession(database, person, { now: api.clock.now(), method });

const left = async (who: TestSession | TestPerson, method = 'GET', path = MONITORS) => {
  const { headers } = await api.call(who, method, path);
  return [Number(headers['x-ratelimit-limit']), Number(headers['x-ratelimit-remaining'])];
};

describe('the budget of the dashboard', () => {
  it('600 per minute for all sessions of a person, apart from the standard budget of the account [5.4]', async () => {
    const [one, other] = [await sessionOf(api.alice), await sessionOf(api.alice)];
    expect(await left(one)).toEqual([600, 599]);
    expect(await left(one)).toEqual([600, 598]);
    expect(await left(other)).toEqual([600, 597]);
    expect(await left(await sessionOf(api.ed))).toEqual([600, 599]);
    expect(await left(api.alice)).toEqual([120, 119]);
  });

  it('the small budgets hold for sessions too, counted per account [5.5]', async () => {
    const { id } = await api.create();
    const check = `${MONITORS}/${id}/check`;
    expect(await left(await sessionOf(api.alice), 'POST', check)).toEqual([20, 19]);
    expect(await left(await sessionOf(api.alice), 'POST', check)).toEqual([20, 18]);
    expect(await left(api.alice, 'POST', check)).toEqual([20, 17]);
  });
});

describe('sessions', () => {
  it('the cookie is accepted by /api/v1 [36.4]', async () => {
    const session = await sessionOf(api.ed);
    expect((await api.call(session, 'POST', MONITORS, MONITOR)).status).toBe(201);
    expect((await api.call(session, 'GET', '/api/v1')).body).toMatchObject({
      user: { id: api.ed.personId },
      team: { id: api.ed.teamId },
      token: { permissions: ['read', 'create', 'update', 'delete'] },
    });
  });

  it('a token needs no Origin [36.6]', async () => {
    const { statusCode } = await api.app.inject({
      method: 'POST',
      url: MONITORS,
      headers: {
        authorization: `Bearer ${api.ed.token}`,
        'content-type': 'application/json',
        origin: 'https://elsewhere.example.com',
      },
      payload: JSON.stringify(MONITOR),
    });
    expect(statusCode).toBe(201);
  });

  it('switching moves the session, in any role, and the sessions that follow [36.7]', async () => {
    await insertRows(database, 'member', {
      team_id: api.mallory.teamId,
      person_id: api.vera.personId,
      role: 'viewer',
      status: 'active',
      added_at: 0,
    });
    const session = await sessionOf(api.vera);
    const path = `/api/v1/teams/${api.mallory.teamId}/switch`;
    expect((await api.call(session, 'POST', path)).status).toBe(200);
    const teamOf = async (who: TestSession | TestPerson) =>
      (await api.call(who, 'GET', '/api/v1')).body['team'];
    expect(await teamOf(session)).toMatchObject({ id: api.mallory.teamId });
    expect(await teamOf(api.vera)).toMatchObject({ id: api.vera.teamId });
    const { team_id } = await database.read
      .selectFrom('person')
      .select('team_id')
      .where('id', '=', api.vera.personId)
      .executeTakeFirstOrThrow();
    expect(team_id).toBe(api.mallory.teamId);
  });
});

describe('people without a team', () => {
  it('team is null, and what needs a team says how to come to one [36.8]', async () => {
    const session = await sessionOf({ ...api.ed, teamId: null });
    const { status, body } = await api.call(session, 'GET', '/api/v1');
    expect([status, body]).toMatchObject([200, { user: { name: 'Ed' }, team: null }]);
    expect((await api.call(session, 'GET', '/api/v1/teams')).status).toBe(200);
    const refused = await api.call(session, 'GET', MONITORS);
    expect([refused.status, refused.body['error']]).toEqual([
      403,
      'You act on no team: create one with POST /api/v1/teams, switch to one of yours, or ask for an invitation.',
    ]);
  });
});

describe('a team that requires two-factor authentication', () => {
  beforeEach(() =>
    database.transaction((tx) => tx.updateTable('team').set({ mfa_required: 1 }).execute()),
  );

  it('is closed to sessions of people without it, and says what to do [37.28]', async () => {
    const { status, body } = await api.call(await sessionOf(api.alice), 'GET', MONITORS);
    expect([status, body['error']]).toEqual([
      403,
      'This team requires two-factor authentication: turn it on in your account, then sign in again.',
    ]);
    // A provider may have asked for a second factor, or not: that it did is not known here.
    expect((await api.call(await sessionOf(api.alice, 'oidc'), 'GET', MONITORS)).status).toBe(403);
  });

  it('is closed to tokens of people without it, but not to ADMIN_TOKEN [37.28]', async () => {
    const refused = await api.call(api.alice, 'GET', MONITORS);
    expect([refused.status, refused.body['error']]).toEqual([
      403,
      'This team requires two-factor authentication, which the holder of this token has not set up: once they turn it on or add a passkey in their account, the token works again.',
    ]);
    expect((await api.call(api.alice, 'GET', '/api/v1')).body['team']).toBe(null);
    await updateRows(database, 'token', { name: 'ADMIN_TOKEN' }, { person_id: api.vera.personId });
    expect((await api.call(api.vera, 'GET', MONITORS)).status).toBe(200);
    await givePasskey(api.ed);
    expect((await api.call(api.ed, 'GET', MONITORS)).status).toBe(200);
  });

  it('is open to those who have it, and to passkeys [37.28]', async () => {
    expect((await api.call(await sessionOf(api.alice, 'passkey'), 'GET', MONITORS)).status).toBe(
      200,
    );
    await database.transaction((tx) => tx.updateTable('person').set({ mfa_enabled: 1 }).execute());
    expect((await api.call(await sessionOf(api.alice), 'GET', MONITORS)).status).toBe(200);
    expect((await api.call(api.alice, 'GET', MONITORS)).status).toBe(200);
  });
});

/** A passkey that somebody registered. */
function givePasskey({ personId }: TestPerson): Promise<unknown> {
  const passkey = {
    person_id: personId,
    public_key: 'key',
    credential_id: `credential of ${personId}`,
    counter: 0,
    device_type: 'singleDevice',
    backed_up: 0,
    created_at: 0,
  };
  return database.transaction((tx) => tx.insertInto('passkey').values(passkey).execute());
}
