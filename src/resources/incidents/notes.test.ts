import { expect, test } from 'vitest';
import { openApi, sharedApi, type Json, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { MAX_LOG_ENTRIES } from '../../store/engine/incident-changes.ts';

const INCIDENTS = '/api/v1/incidents';
const STARTED = '2030-01-01T00:00:00.000Z';

async function recorded(api: TestApi, status = 'open'): Promise<number> {
  const { id: monitor_id } = await api.create();
  const body = { monitor_id, started_at: STARTED, status };
  return (await api.call(api.alice, 'POST', INCIDENTS, body)).body.id;
}

eachDatabase((_name, open) => {
  test('a note is the newest entry of the log, and changes nothing but the time of the last change [60.1, 60.3]', async () => {
    const api = await openApi(await open());
    for (const status of ['open', 'resolved']) {
      const id = await recorded(api, status);
      const path = `${INCIDENTS}/${id}`;
      const { body: before } = await api.call(api.ed, 'GET', path);
      await api.clock.advance(60_000);
      const now = new Date(api.clock.now()).toISOString();
      const text = 'The disk is full.\nMoving it now';
      const { status: code, body: note } = await api.call(api.ed, 'POST', `${path}/notes`, {
        text,
      });
      expect([code, note]).toEqual([
        201,
        {
          id: expect.any(Number),
          type: 'note',
          description: text,
          user: { id: api.ed.personId, name: 'Ed' },
          created_at: now,
        },
      ]);
      const { body: after } = await api.call(api.alice, 'GET', path);
      const activities = [...(before['activities'] as Json[]), note];
      expect(after).toEqual({ ...before, updated_at: now, activities });
    }
    expect(await api.database.read.selectFrom('event').selectAll().execute()).toEqual([]);
  });

  test('a full log takes no more notes [60.3]', async () => {
    const api = await openApi(await open());
    const id = await recorded(api);
    const { id: _first, ...entry } = await api.database.read
      .selectFrom('activity')
      .selectAll()
      .executeTakeFirstOrThrow();
    const entries = Array.from({ length: MAX_LOG_ENTRIES - 2 }, () => entry);
    await api.database.transaction(async (tx) => {
      for (let from = 0; from < entries.length; from += 200) {
        const part = entries.slice(from, from + 200);
        await tx.insertInto('activity').values(part).execute();
      }
    });
    const add = () => api.call(api.alice, 'POST', `${INCIDENTS}/${id}/notes`, { text: 'Seen' });
    expect((await add()).status).toBe(201);
    const refused = await add();
    expect([refused.status, refused.body]).toEqual([
      409,
      {
        message:
          'The log of this incident is full: it has 1000 entries. Write into its root cause instead.',
      },
    ]);
  });
});

const shared = sharedApi();

test.each([
  [{}, 'must be text of 1 to 5000 characters'],
  [{ text: '' }, 'must be text of 1 to 5000 characters'],
  [{ text: 'x'.repeat(5_001) }, 'must be text of 1 to 5000 characters'],
  [{ text: 7 }, 'must be text of 1 to 5000 characters'],
])('a note without a good text is refused on its field: %j [60.1]', async (body, message) => {
  const api = await shared();
  const id = await recorded(api);
  const answer = await api.call(api.alice, 'POST', `${INCIDENTS}/${id}/notes`, body);
  expect(answer.status).toBe(422);
  const { text } = answer.body['errors'] as { text: string[] };
  expect(text).toHaveLength(1);
  expect(text[0]).toContain(message);
});

test('an incident of another team gets no note [60.4]', async () => {
  const api = await shared();
  const id = await recorded(api);
  const answer = await api.call(api.mallory, 'POST', `${INCIDENTS}/${id}/notes`, { text: 'Hi' });
  expect(answer.status).toBe(404);
});
