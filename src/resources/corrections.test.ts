import { expect, it } from 'vitest';
import { openApi, type Json, type TestApi } from '../../test/support/api.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { updateRows } from '../../test/support/rows.ts';
import { changeSpans } from '../store/engine/spans.ts';
import { expire } from '../store/engine/expiry.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A monitor of yesterday that was offline for an hour, from 20:00 to 21:00. */
async function monitorWithOutage(api: TestApi) {
  const { id } = await api.create();
  const now = api.clock.now();
  await updateRows(api.database, 'monitor', { created_at: now - DAY }, { id });
  await updateRows(api.database, 'monitor_state', { observed_until: now }, { monitor_id: id });
  await api.database.transaction((tx) =>
    changeSpans(
      tx,
      [
        { status: 'online' as const, at: now - DAY },
        { status: 'offline' as const, at: now - 4 * HOUR },
        { status: 'online' as const, at: now - 3 * HOUR },
      ].map((change) => ({ ...change, monitorId: id, teamId: api.alice.teamId })),
    ),
  );
  const path = `/api/v1/monitors/${id}`;
  return { id, path, corrections: `${path}/corrections` };
}

const at = (api: TestApi, ago: number) => new Date(api.clock.now() - ago).toISOString();

const alarm = (api: TestApi, more: object = {}) => ({
  from: at(api, 4 * HOUR),
  to: at(api, 3 * HOUR),
  as: 'false_alarm',
  reason: 'The probe was being moved.',
  ...more,
});

const uptime = async (api: TestApi, path: string, query = '') =>
  (await api.call(api.vera, 'GET', `${path}/uptime?from=${at(api, DAY)}${query}`)).body;

eachDatabase((_name, open) => {
  it('makes an interval count as people say, until they take it back [46.1, 46.3, 46.6, 46.8, 46.19]', async () => {
    const api = await openApi(await open());
    const { id, path, corrections } = await monitorWithOutage(api);
    const recorded = await uptime(api, path);
    expect(recorded).toMatchObject({ down_seconds: 3_600, corrected: true, uncorrected: null });

    const { body: incident } = await api.call(api.ed, 'POST', '/api/v1/incidents', {
      monitor_id: id,
      started_at: at(api, 4 * HOUR),
      status: 'resolved',
    });
    expect(incident).toMatchObject({ counted_as: null });
    const incidents = async () =>
      (await api.call(api.vera, 'GET', `${path}/incidents`)).body['data'] as object[];
    const { status, body, headers } = await api.call(api.ed, 'POST', corrections, alarm(api));
    expect(await incidents()).toMatchObject([{ counted_as: 'false_alarm' }]);
    expect([status, body]).toEqual([
      201,
      {
        id: body.id,
        monitor_id: id,
        from: '2029-12-31T20:00:00.000Z',
        to: '2029-12-31T21:00:00.000Z',
        as: 'false_alarm',
        reason: 'The probe was being moved.',
        evidence: null,
        created_by: { id: api.ed.personId, name: 'Ed' },
        created_at: '2030-01-01T00:00:00.000Z',
        removed_by: null,
        removed_at: null,
      },
    ]);
    const { corrected: _corrected, uncorrected: _none, monitor_id: _id, ...figures } = recorded;
    expect(await uptime(api, path)).toMatchObject({
      down_seconds: 0,
      uptime_percent: 100,
      incidents: 0,
      corrected: true,
      uncorrected: figures,
    });
    const asRecorded = { ...recorded, corrected: false };
    expect(await uptime(api, path, '&corrected=false')).toEqual(asRecorded);
    expect(await uptime(api, path, `&to=${at(api, 5 * HOUR)}`)).toMatchObject({
      uncorrected: null,
    });

    const own = `${corrections}/${body.id}`;
    const read = await api.call(api.vera, 'GET', own);
    expect([read.body, read.headers['etag']]).toEqual([body, headers['etag']]);
    expect((await api.call(api.ed, 'DELETE', own, undefined, { 'if-match': '"x"' })).status).toBe(
      412,
    );
    await api.clock.advance(1_000);
    expect((await api.call(api.ed, 'DELETE', own)).status).toBe(204);
    expect((await api.call(api.ed, 'DELETE', own)).status).toBe(404);
    const { data } = (await api.call(api.vera, 'GET', corrections)).body;
    expect(data).toEqual([]);
    const all = (await api.call(api.vera, 'GET', `${corrections}?include_removed=true`)).body;
    expect(all).toMatchObject({
      total: 1,
      data: [
        {
          id: body.id,
          removed_by: { id: api.ed.personId, name: 'Ed' },
          removed_at: '2030-01-01T00:00:01.000Z',
        },
      ],
    });
    const { body: restored } = await api.call(
      api.vera,
      'GET',
      `${path}/uptime?from=${recorded['from'] as string}&to=${recorded['to'] as string}`,
    );
    expect(restored).toEqual(recorded);

    const { data: entries } = (
      await api.call(api.alice, 'GET', '/api/v1/audit-log?target_type=correction')
    ).body;
    expect((entries as Json[]).map(({ action }) => action)).toEqual([
      'correction.deleted',
      'correction.created',
    ]);
  });

  it('pages that show the monitor learn of each change [46.9]', async () => {
    const api = await openApi(await open());
    const { id, corrections } = await monitorWithOutage(api);
    const now = api.clock.now();
    const pageId = await api.database.transaction(async (tx) => {
      const page = await tx
        .insertInto('status_page')
        .values({
          team_id: api.alice.teamId,
          name: 'Shop',
          slug: 'shop',
          settings: '{}',
          brand: '{}',
          draft: 0,
          language: 'en',
          timezone: 'UTC',
          show_automatic: '{}',
          access_type: 'public',
          access_addresses: '[]',
          created_at: now,
          updated_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const service = { page_id: page.id, monitor_id: id, position: 0, display: 'bar' };
      await tx.insertInto('status_page_service').values(service).execute();
      await tx.deleteFrom('status_page_change').execute();
      return page.id;
    });
    const changes = () =>
      api.database.read.selectFrom('status_page_change').select('page_id').execute();
    const { body } = await api.call(api.ed, 'POST', corrections, alarm(api));
    expect(await changes()).toEqual([{ page_id: pageId }]);
    await api.call(api.ed, 'DELETE', `${corrections}/${body.id}`);
    expect(await changes()).toEqual([{ page_id: pageId }, { page_id: pageId }]);
  });

  it('old corrections are deleted with the history that they are about [46.10]', async () => {
    const api = await openApi(await open());
    const { corrections } = await monitorWithOutage(api);
    await api.call(api.ed, 'POST', corrections, alarm(api));
    const list = async () => (await api.call(api.vera, 'GET', corrections)).body['total'];
    await expire.corrections(api.database, api.clock.now() - 3 * HOUR);
    expect(await list()).toBe(1);
    await expire.corrections(api.database, api.clock.now() - 3 * HOUR + 1);
    expect(await list()).toBe(0);
  });
});

it('tells all that is wrong with a correction [46.2]', async () => {
  const api = await openApi(await openInMemory());
  const { corrections } = await monitorWithOutage(api);
  const refused = async (body: unknown) => {
    const { status, body: answer } = await api.call(api.ed, 'POST', corrections, body);
    expect(status).toBe(422);
    return answer['errors'];
  };
  const time = 'is required: give a date and time such as 2030-01-31T12:00:00Z.';
  const kinds = 'maintenance, false_alarm, excluded, up, down';
  expect(await refused({})).toEqual({
    from: [`from ${time}`],
    to: [`to ${time}`],
    as: [`as is required: give one of ${kinds}.`],
    reason: [expect.stringMatching(/^reason /)],
  });
  const cases: [object, object][] = [
    [{ from: at(api, DAY + 1) }, { from: ['from must not be before the monitor was created.'] }],
    [{ to: at(api, -1) }, { to: ['to must not be in the future.'] }],
    [{ to: at(api, 4 * HOUR) }, { to: ['to must be after from.'] }],
    [{ as: 'noise' }, { as: [`as must be one of ${kinds}.`] }],
    [{ reason: '' }, { reason: ['reason must be text of 1 to 1000 characters.'] }],
    [
      { as: 'up' },
      { evidence: ['evidence is required with up: give a text or a link that supports it.'] },
    ],
    [
      { as: 'down', evidence: null },
      { evidence: ['evidence is required with down: give a text or a link that supports it.'] },
    ],
  ];
  for (const [change, errors] of cases) expect(await refused(alarm(api, change))).toEqual(errors);
  await updateRows(api.database, 'monitor', { created_at: 0 }, {});
  const long = { from: at(api, 32 * DAY), to: at(api, DAY - 1) };
  expect(await refused(alarm(api, long))).toEqual({
    to: ['to must be at most 31 days after from.'],
  });
});

it('has a limit of corrections in force, and forgets the oldest that were taken back [46.2]', async () => {
  const api = await openApi(await openInMemory());
  const { id, corrections } = await monitorWithOutage(api);
  const now = api.clock.now();
  const row = {
    team_id: api.alice.teamId,
    monitor_id: id,
    from_at: now - HOUR,
    to_at: now,
    counts_as: 'up',
    reason: 'Many.',
    created_at: now,
    updated_at: now,
  };
  await api.database.transaction((tx) =>
    tx
      .insertInto('correction')
      .values(Array.from({ length: 1_000 }, () => row))
      .execute(),
  );
  const { status, body } = await api.call(api.ed, 'POST', corrections, alarm(api));
  expect([status, body['errors']]).toEqual([
    422,
    {
      corrections: [
        'corrections must not be more than 1000 of a monitor: take one back, or correct a longer interval.',
      ],
    },
  ]);
  await updateRows(api.database, 'correction', { removed_at: now }, {});
  const { body: made } = await api.call(api.ed, 'POST', corrections, alarm(api));
  await api.clock.advance(1);
  await api.call(api.ed, 'DELETE', `${corrections}/${made.id}`);
  const listed = await api.call(api.vera, 'GET', `${corrections}?include_removed=true`);
  expect(listed.body['total']).toBe(1_000);
  expect((listed.body['data'] as Json[])[0]!.id).toBe(made.id);
});

it('corrections of other monitors and teams are not found [46.1]', async () => {
  const api = await openApi(await openInMemory());
  const { corrections } = await monitorWithOutage(api);
  const other = await monitorWithOutage(api);
  const { body } = await api.call(api.ed, 'POST', corrections, alarm(api));
  for (const [who, path] of [
    [api.ed, `${other.corrections}/${body.id}`],
    [api.mallory, `${corrections}/${body.id}`],
  ] as const) {
    for (const method of ['GET', 'DELETE'])
      expect((await api.call(who, method, path)).status).toBe(404);
  }
  expect((await api.call(api.mallory, 'POST', corrections, alarm(api))).status).toBe(404);
  expect((await api.call(api.vera, 'POST', corrections, alarm(api))).status).toBe(403);
});
