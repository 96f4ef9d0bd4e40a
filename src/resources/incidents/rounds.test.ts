import { expect, test } from 'vitest';
import { openApi, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { storeRounds } from '../../../test/support/history.ts';
import { storePings } from '../../../test/support/pings.ts';
import { REFUSED, roundOf } from '../../../test/support/rounds.ts';
import { insertRows } from '../../../test/support/rows.ts';
import { verdictOf } from '../../engine/verdict/round.ts';

const NOW = Date.UTC(2030, 0, 1);
const MINUTE = 60_000;
const at = (minute: number) => NOW + minute * MINUTE;
const iso = (minute: number) => new Date(at(minute)).toISOString();

async function read(api: TestApi, id: number) {
  const { status, body, text } = await api.call(api.vera, 'GET', `/api/v1/incidents/${id}/rounds`);
  expect(status, text).toBe(200);
  return body;
}

/** An incident of that type, in minutes from now. */
async function incident(
  api: TestApi,
  monitorId: number,
  type: string,
  [startedAt, confirmedAt, endedAt]: [number, number, number | null],
): Promise<number> {
  const { teamId } = api.alice;
  await insertRows(api.database, 'incident', {
    team_id: teamId,
    monitor_id: monitorId,
    type,
    severity: 'critical',
    is_regional: 0,
    started_at: at(startedAt),
    ended_at: endedAt === null ? null : at(endedAt),
    created_at: at(confirmedAt),
    updated_at: at(confirmedAt),
  });
  const { body } = await api.call(api.vera, 'GET', '/api/v1/incidents?per_page=1');
  return (body['data'] as { id: number }[])[0]!.id;
}

async function store(api: TestApi, monitorId: number, minute: number, votes: string) {
  const round = roundOf(votes, { monitorId, startedAt: NOW + minute * MINUTE });
  await storeRounds(api.database, [{ round, kind: 'voted', class: verdictOf(round).class }]);
}

eachDatabase((_name, open) => {
  test('the rounds of an incident say what each region saw [55.1, 55.2]', async () => {
    const api = await openApi(await open());
    const { id } = await api.create({ failure_threshold: 2 });
    await store(api, id, -20, 'uuuu');
    await store(api, id, -15, 'dddu');
    await store(api, id, -14, 'ddd?');
    for (const minute of [-13, -12, -11]) await store(api, id, minute, 'dddd');
    await store(api, id, -10, 'uuuu');
    await store(api, id, -9, 'uuuu');
    const found = await read(api, await incident(api, id, 'uptime', [-15, -13.9, -10]));
    expect(found).toMatchObject({
      monitor_id: id,
      rule: { regions: 4, votes_needed: 3, failure_threshold: 2, recovery_threshold: 1 },
      reason: null,
      expectation: null,
    });
    const rounds = found['rounds'] as Record<string, unknown>[];
    expect(rounds.map((round) => [round['at'], round['verdict'], round['bad_round']])).toEqual([
      [iso(-20), 'up', null],
      [iso(-15), 'down', 1],
      [iso(-14), 'down', 2],
      [iso(-12), 'down', null],
      [iso(-11), 'down', null],
      [iso(-10), 'up', null],
    ]);
    expect(rounds[1]).toMatchObject({
      explanation: 'most_regions_down',
      votes: { voting: 4, down: 3, needed: 3 },
      regions: [
        { region: 'ash', vote: 'down', failure_code: REFUSED.code, text: REFUSED.text },
        { region: 'pdx', vote: 'down' },
        { region: 'nbg', vote: 'down' },
        { region: 'sin', vote: 'up', response_time: 20, status_code: 200, text: null },
      ],
    });
  });

  test('an incident without rounds says why [55.3]', async () => {
    const api = await openApi(await open());
    const { id } = await api.create();
    const times: [number, number, null] = [-15, -14, null];
    const reasonOf = async (type: string) =>
      ((await read(api, await incident(api, id, type, times)))['reason'] as { code: string }).code;
    expect(await reasonOf('manual')).toBe('not_automatic');
    expect(await reasonOf('ssl')).toBe('inspection');
    expect(await reasonOf('error_budget')).toBe('error_budget');
    expect(await reasonOf('keyword')).toBe('not_kept');
  });

  test('an incident of a push monitor has what was expected [55.3]', async () => {
    const api = await openApi(await open());
    const { id } = await api.create({
      monitor_type: 'heartbeat',
      friendly_name: 'Backup',
      heartbeat_interval: 600,
      heartbeat_grace: 120,
    });
    const first = await incident(api, id, 'heartbeat', [-60, -60, -50]);
    await storePings(api.database, id, [
      { at: NOW - 30 * MINUTE, kind: 'success' },
      { at: NOW - 5 * MINUTE, kind: 'start' },
    ]);
    const second = await incident(api, id, 'heartbeat', [-15, -15, null]);
    expect(await read(api, first)).toMatchObject({ expectation: { last_ping: null } });
    expect(await read(api, second)).toMatchObject({
      rule: null,
      rounds: [],
      reason: { code: 'push' },
      expectation: {
        expected_at: iso(10),
        grace_seconds: 120,
        last_ping: { kind: 'success', received_at: iso(-30) },
      },
    });
  });

  test('the rounds of an incident of another team are not there [55.4]', async () => {
    const api = await openApi(await open());
    const { id } = await api.create();
    const of = await incident(api, id, 'uptime', [-15, -14, null]);
    const { status } = await api.call(api.mallory, 'GET', `/api/v1/incidents/${of}/rounds`);
    expect(status).toBe(404);
  });
});
