import { expect, test } from 'vitest';
import { openApi } from '../../test/support/api.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import { problemRow, processReport } from '../../test/support/process-reports.ts';
import { OWNER_SETTING } from '../identity/setup-token.ts';
import { claimSetting } from '../store/database/settings.ts';
import { installationWatch } from '../store/engine/installation-health.ts';

const PATH = '/api/v1/installation';

eachDatabase((_name, open) => {
  test('the owner of the installation sees its settings, and nobody else [55.10, 55.11]', async () => {
    const api = await openApi(await open());
    const { status, body, text } = await api.call(api.alice, 'GET', PATH);
    expect(status, text).toBe(200);
    expect(body).toMatchObject({
      version: '0.0.0',
      base_url: 'https://up.example.com',
      database: api.database.engine,
      mail_configured: true,
      open_signup: false,
      regions: [{ code: 'ash', title: 'Ashburn', vantage: 'office' }, {}, {}, {}],
      settings: [{ name: 'RAW_RETENTION_DAYS', value: '7', is_default: false, is_secret: false }],
    });
    for (const other of [api.vera, api.ed, api.mallory])
      expect((await api.call(other, 'GET', PATH)).status).toBe(403);
  });

  test('it shows problems of the installation itself, and the processes that report [55.10]', async () => {
    const api = await openApi(await open());
    const { body: before } = await api.call(api.alice, 'GET', PATH);
    expect(before).toMatchObject({ evaluated_at: null, problems: [], processes: [] });
    const now = api.clock.now();
    const report = processReport({ startedAt: now - 60_000, seenAt: now, clockOffsetMs: -20 });
    const problem = problemRow(now);
    const suspected = { ...problem, subject: 'api', openedAt: null };
    await api.database.transaction(async (tx) => {
      await installationWatch(tx).writeReport(report);
      await installationWatch(tx).writeProblems([], [problem, suspected]);
    });
    const { body } = await api.call(api.alice, 'GET', PATH);
    expect(body['problems']).toEqual([
      {
        kind: 'role_missing',
        subject: 'worker',
        since: new Date(now - 120_000).toISOString(),
        text: 'No process has the role worker',
        value: null,
        processes: [],
      },
    ]);
    expect(body['processes']).toEqual([
      {
        name: 'a:3000',
        roles: ['api', 'scheduler', 'worker', 'probe'],
        version: '0.0.0',
        started_at: new Date(now - 60_000).toISOString(),
        last_seen_at: new Date(now).toISOString(),
        schedule_lag_ms: 0,
        checks_due: 0,
        checks_late: 0,
        probes: { ash: 1 },
        clock_offset_ms: -20,
      },
    ]);
  });

  test('with open sign-up it is the person of the first start alone [55.11]', async () => {
    const api = await openApi(await open(), { openSignup: true });
    expect((await api.call(api.alice, 'GET', PATH)).status).toBe(403);
    await api.database.transaction((tx) =>
      claimSetting(tx, OWNER_SETTING, String(api.mallory.personId)),
    );
    expect((await api.call(api.mallory, 'GET', PATH)).status).toBe(200);
    expect((await api.call(api.alice, 'GET', PATH)).status).toBe(403);
  });
});
