import { expect, test } from 'vitest';
import { openApi, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { storeRounds } from '../../../test/support/history.ts';
import { storePings } from '../../../test/support/pings.ts';
import { REFUSED, roundOf } from '../../../test/support/rounds.ts';
import { insertRows } from '../../../test/support/rows.ts';
import { runRetentionSlice } from '../../engine/history/retention.ts';
import { runRollupSlice } from '../../engine/history/rollup.ts';
import { verdictOf } from '../../engine/verdict/round.ts';
import { listResults } from '../../store/engine/result-history.ts';
import { DAY_MS } from '../../store/engine/results.ts';

/** Of each day and part of an incident. */
const MAX_KEPT_ROUNDS = 20;
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

async function store(
  api: TestApi,
  monitorId: number,
  minutes: number | readonly number[],
  votes: string | ((minute: number) => string),
) {
  const rounds = [minutes].flat().map((minute) => {
    const seen = typeof votes === 'string' ? votes : votes(minute);
    const round = roundOf(seen, { monitorId, startedAt: NOW + minute * MINUTE });
    return { round, kind: 'voted', class: verdictOf(round).class } as const;
  });
  await storeRounds(api.database, rounds);
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

  test('an incident keeps its rounds when those of its days go [55.12]', async () => {
    const api = await openApi(await open());
    const { database } = api;
    const { id } = await api.create({ failure_threshold: 2 });
    // Over midnight: its days go one after the other.
    const midnight = -1_440;
    const minutes = Array.from({ length: 150 }, (_, index) => midnight - 60 + index);
    const isDown = (minute: number) => minute >= midnight - 2 && minute < midnight + 88;
    await store(api, id, minutes, (minute) => (isDown(minute) ? 'ddd?' : 'uuuu'));
    const times: [number, number, number] = [midnight - 2, midnight - 0.9, midnight + 88];
    const first = await incident(api, id, 'uptime', times);
    const before = await read(api, first);
    expect(before['rounds']).toHaveLength(6);

    const retain = async (days: number) => {
      const clock = createFakeClock({ now: NOW + days * DAY_MS });
      while ((await runRollupSlice({ database, clock })) === 'more');
      const kept = { rawRetentionDays: 3, rollupRetentionDays: 400, auditRetentionDays: 30 };
      const dependencies = { database, clock, ...kept };
      while ((await runRetentionSlice(dependencies)) === 'more');
    };
    for (const days of [2, 2.1, 3, 3.1, 4]) {
      await retain(days);
      expect(await read(api, first)).toEqual(before);
    }
    const keptRounds = async () =>
      (await database.read.selectFrom('incident_round').select('at').execute()).length;
    expect(await listResults(database, id, { from: 0, to: NOW, page: 1, perPage: 5 })).toEqual({
      total: 0,
      results: [],
    });
    expect(await keptRounds()).toBeLessThanOrEqual(3 * MAX_KEPT_ROUNDS);
    const deleted = await api.call(api.alice, 'DELETE', `/api/v1/incidents/${first}`);
    expect(deleted.status).toBe(204);
    expect(await keptRounds()).toBe(0);
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
