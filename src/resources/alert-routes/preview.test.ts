import { describe, expect, test } from 'vitest';
import { NO_MAIL, openApi, sentences, sharedApi, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { updateRows } from '../../../test/support/rows.ts';

const PREVIEW = '/api/v1/alert-routes/preview';

interface Shown {
  channel: { id: number | null; name: string; type: string };
  user: { id: number } | null;
  after_minutes: number;
  routes: { name: string }[];
  left_out: { code: string } | null;
  holds: { code: string; text: string; until: string }[];
}

async function preview(api: TestApi, query: string) {
  const { status, body, text } = await api.call(api.alice, 'GET', `${PREVIEW}?${query}`);
  expect(status, text).toBe(200);
  return body as unknown as { severity: string; holds: Shown['holds']; data: Shown[] };
}

async function make(api: TestApi, noun: string, body: object): Promise<number> {
  const made = await api.call(api.alice, 'POST', `/api/v1/${noun}`, body);
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

const channel = (api: TestApi, name: string, more: object = {}) =>
  make(api, 'alert-channels', { name, type: 'ntfy', settings: { topic: 'tocsin-test' }, ...more });

eachDatabase((_name, open) => {
  test('shows channels in the order in which they are notified, and by which route [55.5]', async () => {
    const api = await openApi(await open());
    const { id } = await api.create();
    await updateRows(api.database, 'person', { email_verified: 1 }, { id: api.alice.personId });
    const [first, second] = [await channel(api, 'Chat'), await channel(api, 'On call')];
    await channel(api, 'Of nobody');
    await make(api, 'alert-routes', {
      name: 'Shop',
      monitors: [id],
      channels: [first],
      reminder_minutes: 30,
      escalation: [{ after_minutes: 15, channels: [second], users: [api.alice.personId] }],
    });
    await make(api, 'alert-routes', { name: 'Another', tags: ['none'], channels: [second] });
    const { severity, holds, data } = await preview(api, `monitor_id=${id}`);
    expect([severity, holds]).toEqual(['critical', []]);
    expect(data).toMatchObject([
      {
        channel: { id: first, name: 'Chat', type: 'ntfy' },
        user: null,
        after_minutes: 0,
        reminder_minutes: 30,
      },
      { channel: { id: second, name: 'On call' }, after_minutes: 15 },
      { channel: { id: null, type: 'email' }, user: { id: api.alice.personId }, after_minutes: 15 },
    ]);
    for (const { routes, left_out: left, holds: own } of data)
      expect([routes.map(({ name }) => name), left, own]).toEqual([['Shop'], null, []]);
  });

  test('without a matching route the defaults count [55.5]', async () => {
    const api = await openApi(await open(), { mailQueue: NO_MAIL });
    const { id } = await api.create();
    const wanted = await channel(api, 'Default', { is_default: true });
    await channel(api, 'Other', { is_default: false });
    const { data } = await preview(api, `monitor_id=${id}`);
    expect(data).toMatchObject([{ channel: { id: wanted }, routes: [], after_minutes: 0 }]);
    expect(data).toHaveLength(1);
  });
});

describe('a preview', () => {
  test('says which channels are left out, and why [55.6]', async () => {
    const api = await openApi(await openInMemory(), { mailQueue: NO_MAIL });
    const { id } = await api.create({ notification_settings: { enabled: false } });
    const disabled = await channel(api, 'Off', { enabled: false });
    const critical = await channel(api, 'Critical', { severities: ['critical'] });
    const kept = await channel(api, 'All');
    const channels = [disabled, critical, kept];
    await make(api, 'alert-routes', { name: 'Everything', channels });
    const { data } = await preview(api, `monitor_id=${id}&severity=warning`);
    const why = data.map((one) => [one.channel.id, one.left_out?.code]);
    expect(Object.fromEntries(why)).toEqual({
      [disabled]: 'disabled',
      [critical]: 'severity',
      [kept]: 'monitor_settings',
    });
  });

  test('takes the worst severity of a type [55.5]', async () => {
    const api = await openApi(await openInMemory());
    const { id } = await api.create();
    const severityOf = async (type: string) =>
      (await preview(api, `monitor_id=${id}&type=${type}`)).severity;
    expect([await severityOf('slow_response'), await severityOf('ssl')]).toEqual([
      'warning',
      'critical',
    ]);
  });

  test('says what would make notifications wait [55.7]', async () => {
    const api = await openApi(await openInMemory(), { mailQueue: NO_MAIL });
    const { id } = await api.create();
    const quiet = { from: '00:00', to: '06:00', timezone: 'UTC', allow_critical: false };
    const asleep = await channel(api, 'Asleep', { quiet_hours: quiet });
    const later = await channel(api, 'Later', { quiet_hours: { ...quiet, to: '00:10' } });
    await make(api, 'alert-routes', {
      name: 'Everything',
      channels: [asleep],
      escalation: [{ after_minutes: 15, channels: [later] }],
    });
    await make(api, 'maintenance-windows/start', { monitors: [id] });
    await api.call(api.alice, 'POST', `/api/v1/monitors/${id}/pause`);
    const { holds, data } = await preview(api, `monitor_id=${id}`);
    expect(holds.map(({ code }) => code)).toEqual(['paused', 'maintenance']);
    expect(data.map((one) => one.holds)).toEqual([
      [
        {
          code: 'quiet_hours',
          text: 'These are quiet hours of the channel.',
          until: '2030-01-01T06:00:00.000Z',
        },
      ],
      [],
    ]);
  });
});

describe('wrong queries', () => {
  const shared = sharedApi();
  const ID = 'must be the id of a monitor of your team';
  test.each<[string, string, string]>([
    ['', 'monitor_id', `is required: it ${ID}`],
    ['monitor_id=4711', 'monitor_id', ID],
    ['monitor_id=x', 'monitor_id', 'must be a whole number of at least 1'],
    ['monitor_id=1&severity=bad', 'severity', 'must be one of critical, warning, info'],
  ])('%s [55.8]', async (query, field, predicate) => {
    const api = await shared();
    const { status, body } = await api.call(api.alice, 'GET', `${PREVIEW}?${query}`);
    expect([status, body['errors']]).toEqual([422, sentences({ [field]: predicate })]);
  });

  test('the monitor of another team [55.8]', async () => {
    const api = await shared();
    const { id } = await api.create({}, api.mallory);
    const { status, body } = await api.call(api.alice, 'GET', `${PREVIEW}?monitor_id=${id}`);
    expect([status, body['errors']]).toEqual([422, sentences({ monitor_id: ID })]);
  });
});
