import { expect, it } from 'vitest';
import { openApi, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase, onPostgres } from '../../../test/support/databases.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { giveToken } from '../../../test/support/people.ts';
import { lockShards } from '../../store/engine/shards.ts';
import { createTeam } from '../../store/people/teams.ts';

const PLAN = '/api/v1/configuration/plan';
const APPLY = '/api/v1/configuration/apply';
const ACTIONS = '/api/v1/monitors/actions';

/** Tokens of the owner of as many teams. */
async function teamsOf({ database, mallory, clock }: TestApi, count: number): Promise<string[]> {
  const now = clock.now();
  const tokens: string[] = [];
  for (let index = 0; index < count; index++) {
    const team = { name: `Team ${index}`, personalTeam: false, ownerId: mallory.personId };
    const { id: teamId } = await database.transaction((tx) => createTeam(tx, team, now));
    tokens.push(await giveToken(database, { ...mallory, teamId }, { now }));
  }
  return tokens;
}

const TEAMS = 4;
/** Enough that teams have monitors in the same shards. */
const MONITORS = 128;

/** @param order of the monitors: two documents have opposite ones. */
function documentOf(round: number, order: 'up' | 'down') {
  const monitors = Array.from({ length: MONITORS }, (_, index) => ({
    key: `m${index}`,
    friendly_name: `Monitor ${index}, round ${round}`,
    url: 'https://example.com',
    check_interval: 5 + round,
    is_paused: round % 2 === 1,
  }));
  return { name: 'shop', monitors: order === 'up' ? monitors : monitors.toReversed() };
}

eachDatabase((_name, open) => {
  it('applies sets of many teams at once, beside bulk actions', async () => {
    const api = await openApi(await open());
    const teams = await teamsOf(api, TEAMS);
    const apply = (team: string, round: number, order: 'up' | 'down') =>
      api.call(team, 'POST', APPLY, { document: documentOf(round, order) });
    const act = (team: string, action: object) =>
      api.call(team, 'POST', ACTIONS, { ...action, filter: { all: true } });
    const refused: string[] = [];
    for (const round of [0, 1]) {
      const answers = await Promise.all(
        teams.flatMap((team, index) => [
          apply(team, round, index % 2 === 0 ? 'up' : 'down'),
          act(team, { action: round === 1 ? 'pause' : 'resume' }),
          act(team, { action: 'add_tags', tags: [`round-${round}`] }),
        ]),
      );
      for (const { status, text } of answers) if (status !== 200) refused.push(`${status} ${text}`);
    }
    expect(refused).toEqual([]);
    expect(api.faults).toEqual([]);
  });

  it('lets other teams write between the requests of one team [61.17]', async () => {
    const api = await openApi(await open());
    const [team] = await teamsOf(api, 1);
    const finished: string[] = [];
    const call = async (...request: Parameters<typeof api.call>) => {
      const { status } = await api.call(...request);
      finished.push(`${request[2]} ${status}`);
    };
    const document = documentOf(0, 'up');
    const groups = '/api/v1/groups';
    await Promise.all([
      ...[1, 2, 3, 4].map(() => call(team!, 'POST', APPLY, { document })),
      call(api.mallory, 'POST', groups, { name: 'Group' }),
    ]);
    expect(finished.filter((one) => one === `${APPLY} 200`)).toHaveLength(4);
    expect(finished.indexOf(`${groups} 201`)).toBeOneOf([0, 1, 2]);
  });
});

it('refuses more requests of a team than it keeps waiting [61.17]', async () => {
  const api = await openApi(await openInMemory());
  const document = documentOf(0, 'up');
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => api.call(api.alice, 'POST', PLAN, { document })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]));
  expect((await api.call(api.alice, 'POST', APPLY, { document })).status).toBe(200);
});

onPostgres((open) => {
  it('plans while others have locked shards', async () => {
    const api = await openApi(await open());
    const [team] = await teamsOf(api, 1);
    const apply = (path: string, round: number) =>
      api.call(team!, 'POST', path, { document: documentOf(round, 'up'), prune: true });
    await apply(APPLY, 0);
    const locked = Promise.withResolvers<void>();
    const planned = Promise.withResolvers<void>();
    const other = api.database.transaction(async (tx) => {
      await lockShards(tx, null);
      locked.resolve();
      await planned.promise;
    });
    await locked.promise;
    const { status, body } = await apply(PLAN, 1);
    expect([status, body['changes']]).toEqual([200, expect.objectContaining({ length: MONITORS })]);
    planned.resolve();
    await other;
  });
});
