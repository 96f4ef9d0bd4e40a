import { expect, it } from 'vitest';
import { openApi, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { giveToken } from '../../../test/support/people.ts';
import { createTeam } from '../../store/people/teams.ts';

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
/** So many that teams have monitors in the same shards. */
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
});
