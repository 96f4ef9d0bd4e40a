import { describe, expect, test } from 'vitest';
import { openApi, sentences, type Answer, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { opening } from '../../../test/support/incident-changes.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { rowOf } from '../../../test/support/rows.ts';
import { insertPage, insertServices } from '../../../test/support/status-pages.ts';
import { giveSubscriber } from '../../../test/support/subscribers.ts';
import { applyIncidentChanges } from '../../engine/record/record.ts';
import { silentLog } from '../../lib/log.ts';
import { createPublisher } from '../../status-page/publisher/publisher.ts';
import { countRows } from '../../store/database/rows.ts';

const API = '/api/v1';
const NOW = '2030-01-01T00:00:00.000Z';

interface House extends TestApi {
  monitor: number;
  incident: number;
  /** Both show the monitor. */
  page: number;
  other: number;
  /** Page of another team. */
  foreign: number;
  post(path: string, body: object, who?: TestApi['alice']): Promise<Answer>;
  put(path: string, body: object): Promise<Answer>;
  get(path: string): Promise<Answer>;
  remove(path: string): Promise<Answer>;
  /** Pages that updates were queued for, by update. */
  mailed(): Promise<[update: number, page: number][]>;
}

async function house(open: () => ReturnType<typeof openInMemory>): Promise<House> {
  const api = await openApi(await open());
  const { database, alice, mallory } = api;
  const { id: monitor } = await api.create({ friendly_name: 'Shop' });
  const reported = await api.call(alice, 'POST', `${API}/incidents`, {
    monitor_id: monitor,
    started_at: NOW,
    status: 'open',
  });
  const page = await insertPage(database, { team_id: alice.teamId, slug: 'one' });
  const other = await insertPage(database, { team_id: alice.teamId, slug: 'two' });
  const foreign = await insertPage(database, { team_id: mallory.teamId, slug: 'three' });
  for (const id of [page, other]) await insertServices(database, id, [{ id: monitor }]);
  return {
    ...api,
    monitor,
    incident: reported.body.id,
    page,
    other,
    foreign,
    post: (path, body, who = alice) => api.call(who, 'POST', API + path, body),
    put: (path, body) => api.call(alice, 'PUT', API + path, body),
    get: (path) => api.call(alice, 'GET', API + path),
    remove: (path) => api.call(alice, 'DELETE', API + path),
    async mailed() {
      const rows = await database.read.selectFrom('mailing').selectAll().orderBy('id').execute();
      return rows.map((row) => [row.update_id, row.page_id]);
    },
  };
}

/** Number of rows of each table that an update writes to. */
async function written({ database }: House): Promise<number[]> {
  const tables = ['announcement', 'announcement_update', 'mailing', 'audit_entry'] as const;
  return Promise.all(tables.map((table) => countRows(database.read.selectFrom(table))));
}

eachDatabase((_name, open) => {
  describe('a preview', () => {
    const UPDATE = { state: 'identified', text: 'A **certificate** has expired.' };

    test('is the mail that subscribers of each page get, and changes nothing [43.35]', async () => {
      const its = await house(open);
      const before = await written(its);
      const path = `/incidents/${its.incident}/updates`;
      const answer = await its.post(`${path}/preview`, UPDATE);
      expect(answer.status, answer.text).toBe(200);
      expect(await written(its)).toEqual(before);
      expect(answer.body['data']).toMatchObject([
        { status_page: its.page, subject: expect.stringContaining('Identified: ') },
        { status_page: its.other, subject: expect.stringContaining('Identified: ') },
      ]);
      const [{ html, text }] = answer.body['data'] as [{ html: string; text: string }];
      expect(html).toContain('<strong>certificate</strong>');
      expect(text).toContain('A certificate has expired.');

      const { body } = await its.post(path, UPDATE);
      const id = body['announcement_id'] as number;
      const ofAnnouncement = `/announcements/${id}/updates/preview`;
      const again = await its.post(ofAnnouncement, { ...UPDATE, status_pages: [its.other] });
      expect(again.body['data']).toMatchObject([{ status_page: its.other }]);
    });

    test('of a new announcement names it, and has the errors of publishing it [43.35]', async () => {
      const its = await house(open);
      const before = await written(its);
      const body = { ...UPDATE, title: 'Payments are slow', status_pages: [its.page] };
      const { body: shown } = await its.post('/announcements/preview', body);
      expect(shown['data']).toMatchObject([
        { subject: expect.stringContaining('Identified: Payments are slow') },
      ]);
      for (const wrong of [
        {},
        { ...body, state: 'over' },
        { ...body, status_pages: [its.foreign] },
      ]) {
        const refused = await its.post('/announcements/preview', wrong);
        expect(refused.status).toBe(422);
        expect(refused.body).toEqual((await its.post('/announcements', wrong)).body);
      }
      expect((await its.post('/announcements/preview', body, its.mallory)).status).toBe(422);
      expect(await written(its)).toEqual(before);
    });

    test('counts the confirmed subscribers of its services by their kind [43.35]', async () => {
      const its = await house(open);
      const page = { teamId: its.alice.teamId, pageId: its.page };
      const add = (address: string, more: object = {}) =>
        giveSubscriber(its.database, page, address, more);
      await add('whole@example.com');
      await add('chosen@example.com', { monitors: JSON.stringify([its.monitor]) });
      await add('elsewhere@example.com', { monitors: '[999]' });
      await add('pending@example.com', { confirmed_at: null });
      await add('https://hooks.slack.com/services/1', { kind: 'slack' });
      const count = async (path: string, body: object) => {
        const { body: shown } = await its.post(path, body);
        return (shown['data'] as { subscribers: object }[])[0]!.subscribers;
      };
      expect(await count(`/incidents/${its.incident}/updates/preview`, UPDATE)).toMatchObject({
        email: 2,
        slack: 1,
        webhook: 0,
      });
      const general = { ...UPDATE, title: 'Payments are slow', status_pages: [its.page] };
      expect(await count('/announcements/preview', general)).toMatchObject({ email: 3, slack: 1 });
    });
  });

  describe('an update of an incident', () => {
    test('makes its announcement, later ones add to it [43.1, 43.4, 43.12]', async () => {
      const its = await house(open);
      const path = `/incidents/${its.incident}/updates`;
      expect((await its.get(path)).body).toEqual({ total: 0, data: [] });
      const first = await its.post(path, { state: 'investigating', text: 'We *look*.' });
      expect(first.status, first.text).toBe(201);
      expect(first.body).toEqual({
        id: first.body.id,
        announcement_id: expect.any(Number),
        state: 'investigating',
        text: 'We *look*.',
        status_pages: [its.page, its.other],
        user_id: its.alice.personId,
        edited_at: null,
        created_at: NOW,
      });
      const id = first.body['announcement_id'] as number;
      const second = await its.post(path, {
        state: 'identified',
        text: 'Found.',
        title: 'Checkout fails',
        impact: 'critical',
        status_pages: [its.page],
        notify: false,
      });
      expect((await its.get(path)).body).toEqual({ total: 2, data: [second.body, first.body] });
      expect((await its.get(`/announcements/${id}`)).body).toEqual({
        id,
        kind: 'incident',
        title: 'Checkout fails',
        impact: 'critical',
        started_at: NOW,
        planned_until: null,
        monitors: [its.monitor],
        status_pages: [its.page, its.other],
        post_mortem: null,
        state: 'identified',
        ended_at: null,
        origin: 'person',
        incidents: [its.incident],
        created_at: NOW,
        updated_at: NOW,
        updates: [second.body, first.body],
      });
      expect(await its.mailed()).toEqual([
        [first.body.id, its.page],
        [first.body.id, its.other],
      ]);
      expect((await its.get(`${path}/${second.body.id}`)).body).toEqual(second.body);
    });

    test('that names an impact and a page is not overruled by the publisher [43.32]', async () => {
      const its = await house(open);
      const { database, clock, alice } = its;
      const publisher = createPublisher({ database, clock, log: silentLog });
      const bare = await insertPage(database, { team_id: alice.teamId, slug: 'bare' });
      await publisher.run();
      const change = opening({
        monitorId: its.monitor,
        teamId: alice.teamId,
        at: clock.now(),
        trouble: { condition: 'uptime' },
      });
      await database.transaction((tx) => applyIncidentChanges(tx, [change], clock.now()));
      await clock.advance(6 * 60_000);
      await publisher.run();
      const [automatic] = (await its.get('/announcements')).body['data'] as { id: number }[];
      const path = `/announcements/${automatic!.id}`;
      const { status } = await its.post(`${path}/updates`, {
        state: 'identified',
        text: 'Found.',
        impact: 'minor',
        status_pages: [its.page, bare],
      });
      expect(status).toBe(201);
      const shown = async () => (await its.get(path)).body;
      const before = await shown();
      expect(before).toMatchObject({ impact: 'minor', origin: 'automatic' });
      expect(before['status_pages']).toContain(bare);
      await clock.advance(60_000);
      await publisher.run();
      expect(await shown()).toEqual(before);
    });

    test('ends the announcement, not the incident, and another one reopens it [43.5]', async () => {
      const its = await house(open);
      const path = `/incidents/${its.incident}/updates`;
      const { body } = await its.post(path, { state: 'resolved', text: 'Over.' });
      const announcement = `/announcements/${String(body['announcement_id'])}`;
      const shown = async () => (await its.get(announcement)).body;
      expect(await shown()).toMatchObject({ state: 'resolved', ended_at: NOW });
      expect((await its.get(`/incidents/${its.incident}`)).body['status']).toBe('open');
      await its.post(path, { state: 'monitoring', text: 'Not over.' });
      expect(await shown()).toMatchObject({ state: 'monitoring', ended_at: null });
    });

    test('is edited with its versions kept, deleted and still listed there [43.6, 43.7]', async () => {
      const its = await house(open);
      const path = `/incidents/${its.incident}/updates`;
      const only = await its.post(path, {
        state: 'investigating',
        text: 'One.',
        status_pages: [its.page],
      });
      const refused = await its.remove(`${path}/${only.body.id}`);
      expect([refused.status, refused.body['message']]).toEqual([
        409,
        'This is the only update of its announcement: edit it, or delete the announcement.',
      ]);
      const { body } = await its.post(path, { state: 'identified', text: 'Two.' });
      const one = `${path}/${body.id}`;
      const before = (await its.mailed()).length;
      await its.clock.advance(1_000);
      const edited = await its.put(one, { text: 'Three.', status_pages: [its.page, its.other] });
      const later = '2030-01-01T00:00:01.000Z';
      expect(edited.body).toMatchObject({ state: 'identified', text: 'Three.', edited_at: later });
      // Only the added page is sent it.
      expect((await its.mailed()).slice(before)).toEqual([[body.id, its.other]]);
      expect((await its.put(one, { text: 'Three.' })).body).toEqual(edited.body);
      expect((await its.remove(one)).status).toBe(204);
      expect((await its.get(one)).status).toBe(404);
      expect((await its.get(path)).body).toMatchObject({ total: 1, data: [{ text: 'One.' }] });
      expect((await its.get(`${one}/versions`)).body).toEqual({
        total: 2,
        data: [
          {
            number: 1,
            state: 'identified',
            text: 'Two.',
            status_pages: [its.page],
            replaced_by: its.alice.personId,
            replaced_at: later,
          },
          expect.objectContaining({ number: 2, text: 'Three.' }),
        ],
      });
      const announcement = await its.get(`/announcements/${String(only.body['announcement_id'])}`);
      expect(announcement.body['state']).toBe('investigating');
    });
  });

  test('an announcement is listed, changed, explained and deleted [43.2, 43.8, 43.9, 43.10, 43.11]', async () => {
    const its = await house(open);
    const words = { text: 'We move.', status_pages: [its.page] };
    const incident = await its.post('/announcements', {
      ...words,
      title: 'Mail is late',
      state: 'investigating',
    });
    const maintenance = await its.post('/announcements', {
      ...words,
      kind: 'maintenance',
      title: 'Move',
      starts_at: '2030-01-02T00:00:00Z',
      ends_at: '2030-01-02T02:00:00Z',
    });
    expect(maintenance.body).toMatchObject({
      state: 'scheduled',
      impact: 'none',
      started_at: '2030-01-02T00:00:00.000Z',
      planned_until: '2030-01-02T02:00:00.000Z',
    });
    const titles = async (query: string) =>
      ((await its.get(`/announcements?${query}`)).body['data'] as { title: string }[]).map(
        ({ title }) => title,
      );
    expect(await titles('')).toEqual(['Move', 'Mail is late']);
    expect(await titles('kind=incident')).toEqual(['Mail is late']);
    expect(await titles('state=ended')).toEqual([]);
    expect(await titles(`status_page=${its.other}`)).toEqual([]);
    expect(await titles(`status_page=${its.page}&state=open`)).toHaveLength(2);

    const path = `/announcements/${incident.body.id}`;
    const changed = await its.put(path, {
      impact: 'major',
      monitors: [its.monitor],
      status_pages: [its.other],
    });
    expect(changed.body).toMatchObject({
      title: 'Mail is late',
      impact: 'major',
      monitors: [its.monitor],
      status_pages: [its.other],
      updates: [{ status_pages: [its.other] }],
    });
    expect(await its.mailed()).toHaveLength(2);

    const early = await its.put(`${path}/post-mortem`, { text: 'Why.', publish: true });
    expect([early.status, early.body['errors']]).toEqual([
      422,
      sentences({ publish: 'must be false until the announcement has ended' }),
    ]);
    const draft = await its.put(`${path}/post-mortem`, { text: 'Why.' });
    expect(draft.body['post_mortem']).toEqual({ text: 'Why.', published_at: null });
    await its.post(`${path}/updates`, { state: 'resolved', text: 'Over.' });
    const published = await its.put(`${path}/post-mortem`, { publish: true });
    expect(published.body['post_mortem']).toEqual({ text: 'Why.', published_at: NOW });
    expect((await its.remove(`${path}/post-mortem`)).status).toBe(204);
    expect((await its.remove(`${path}/post-mortem`)).status).toBe(404);

    expect((await its.remove(path)).status).toBe(204);
    expect((await its.get(path)).status).toBe(404);
    expect(await titles('')).toEqual(['Move']);
    const shown = its.database.read.selectFrom('announcement_page').selectAll();
    expect(await shown.execute()).toHaveLength(1);
  });

  test('a deleted announcement may be written anew [43.10]', async () => {
    const its = await house(open);
    const path = `/incidents/${its.incident}/updates`;
    const { body } = await its.post(path, { state: 'investigating', text: 'One.' });
    await its.remove(`/announcements/${String(body['announcement_id'])}`);
    expect((await its.get(path)).body).toEqual({ total: 0, data: [] });
    const again = await its.post(path, { state: 'investigating', text: 'Two.' });
    expect(again.body['announcement_id']).not.toBe(body['announcement_id']);
  });

  test('changes are audited, and need If-Match to hold [43.13]', async () => {
    const its = await house(open);
    const path = `/incidents/${its.incident}/updates`;
    const { body, headers } = await its.post(path, {
      state: 'investigating',
      title: 'Shop fails',
      text: 'One.',
    });
    const id = body['announcement_id'] as number;
    const one = `${API}${path}/${body.id}`;
    const match = { 'if-match': String(headers['etag']) };
    expect((await its.call(its.alice, 'PUT', one, { text: 'Two.' }, match)).status).toBe(200);
    expect((await its.call(its.alice, 'PUT', one, { text: 'Six.' }, match)).status).toBe(412);
    await its.put(`/announcements/${id}`, { title: null });
    await its.put(`/announcements/${id}`, { title: 'Named' });
    await its.remove(`/announcements/${id}`);
    const entries = await its.database.read
      .selectFrom('audit_entry')
      .select(['action', 'target_name'])
      .where('target_type', '=', 'announcement')
      .where('target_id', '=', id)
      .orderBy('id')
      .execute();
    expect(entries.map(({ action, target_name }) => [action.split('.')[1], target_name])).toEqual([
      ['update_added', 'Shop fails'],
      ['update_edited', 'Shop fails'],
      // One without a title has the names of its monitors.
      ['updated', 'Shop'],
      ['updated', 'Named'],
      ['deleted', 'Named'],
    ]);
  });

  test('a template stands in for what is missing [43.14]', async () => {
    const its = await house(open);
    const made = await its.post('/update-templates', {
      name: 'Outage',
      title: 'Problems with {services}',
      state: 'identified',
      text: 'We mend {services}.',
    });
    const path = `/incidents/${its.incident}/updates`;
    const { body } = await its.post(path, { template_id: made.body.id, state: 'monitoring' });
    expect(body).toMatchObject({ state: 'monitoring', text: 'We mend Shop.' });
    const { title } = await rowOf(its.database, 'announcement');
    expect(title).toBe('Problems with Shop');
  });
});

describe('a wrong body', () => {
  const shared = house(openInMemory);
  const maintenance = {
    kind: 'maintenance',
    title: 'Move',
    text: 'We move.',
    starts_at: NOW,
    ends_at: '2030-01-01T01:00:00Z',
  };
  test.for<[string, string, (its: House) => object, Record<string, string>]>([
    [
      'nothing',
      'incidents',
      () => ({}),
      {
        state: 'is required: give one such as investigating',
        text: 'is required: say what visitors should know',
      },
    ],
    [
      'a state of maintenance',
      'incidents',
      () => ({ state: 'scheduled', text: 'x' }),
      { state: 'must be one of investigating, identified, monitoring, resolved for an incident' },
    ],
    [
      'a long text',
      'incidents',
      () => ({ state: 'resolved', text: 'x'.repeat(10_001) }),
      { text: 'must be text of 1 to 10000 characters' },
    ],
    [
      'a page of another team, and a long title',
      'incidents',
      ({ foreign }) => ({
        state: 'resolved',
        text: 'x',
        title: 'x'.repeat(201),
        status_pages: [foreign],
      }),
      {
        title: 'must be text of 1 to 200 characters',
        'status_pages.0': 'must be the id of a status page of your team',
      },
    ],
    [
      'no page',
      'incidents',
      () => ({ state: 'resolved', text: 'x', status_pages: [] }),
      { status_pages: 'must hold at least one status page of your team' },
    ],
    [
      'an unknown template',
      'incidents',
      () => ({ state: 'resolved', text: 'x', template_id: 99 }),
      { template_id: 'must be the id of an update template of your team' },
    ],
    [
      'nothing',
      'announcements',
      () => ({}),
      {
        title: 'is required: say in a few words what is affected',
        text: 'is required: say what visitors should know',
        state: 'is required: give one such as investigating',
        status_pages: 'is required: name the pages that show it',
      },
    ],
    [
      'maintenance without times',
      'announcements',
      ({ page }) => ({ kind: 'maintenance', title: 'x', text: 'x', status_pages: [page] }),
      {
        starts_at: 'is required: give the planned beginning',
        ends_at: 'is required: give the planned end',
      },
    ],
    [
      'maintenance that ends before it begins, of an unknown monitor',
      'announcements',
      ({ page }) => ({ ...maintenance, ends_at: NOW, status_pages: [page], monitors: [99] }),
      {
        ends_at: 'must be after starts_at',
        'monitors.0': 'must be the id of a monitor of your team',
      },
    ],
    [
      'an open incident with an end',
      'announcements',
      ({ page }) => ({
        title: 'x',
        text: 'x',
        state: 'identified',
        status_pages: [page],
        starts_at: '2029-12-31T00:00:00Z',
        ends_at: NOW,
      }),
      { ends_at: 'is for the state resolved only: leave it out, or send null' },
    ],
    [
      'an incident that ended before it is said to begin',
      'announcements',
      ({ page }) => ({
        title: 'x',
        text: 'x',
        state: 'resolved',
        status_pages: [page],
        ends_at: '2029-12-31T00:00:00Z',
      }),
      { starts_at: 'is required with an ends_at in the past: give the beginning' },
    ],
  ])('with %s of %s names each field [43.3, 43.4, 43.8]', async ([, noun, body, errors]) => {
    const its = await shared;
    const path = noun === 'incidents' ? `/incidents/${its.incident}/updates` : '/announcements';
    const answer = await its.post(path, body(its));
    expect([answer.status, answer.body['errors']]).toEqual([422, sentences(errors)]);
  });

  test('changes nothing of what the publisher owns [43.9]', async () => {
    const its = await house(openInMemory);
    const { body } = await its.post(`/incidents/${its.incident}/updates`, {
      state: 'investigating',
      text: 'x',
    });
    const path = `/announcements/${String(body['announcement_id'])}`;
    const answer = await its.put(path, {
      title: null,
      monitors: [],
      ends_at: NOW,
      starts_at: null,
    });
    expect(answer.body['errors']).toEqual(
      sentences({
        title: 'must not be null without monitors whose names stand in for it',
        ends_at: 'is for maintenance only: an incident ends by an update',
      }),
    );
  });
});
