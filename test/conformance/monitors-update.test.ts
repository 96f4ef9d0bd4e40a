import { describe, expect, it } from 'vitest';
import {
  ASSERTIONS,
  client,
  expectRefused,
  expectStatus,
  KEYWORDS,
  MINUTE,
  openLine,
  PUSH_TYPES,
  SECOND,
  TYPES,
} from './support.ts';

const { post, put, get, monitor } = client();

describe('updating monitors', () => {
  it('monitor_type can not be changed [6.21]', async () => {
    for (const type of TYPES) {
      const { id } = await monitor(type);
      for (const other of TYPES.filter((each) => each !== type))
        expectRefused(await put(`/monitors/${id}`, { monitor_type: other }), 'monitor_type');
    }
  });

  it.each(PUSH_TYPES)(
    'url and check_interval are ignored in updates of a %s monitor [6.7]',
    async (type) => {
      const made = await monitor(type);
      for (const fields of [
        { url: 'https://example.com', check_interval: 5 },
        { url: 'not a url', check_interval: 999 },
        { url: null, check_interval: null },
      ]) {
        const changed = await put(`/monitors/${made.id}`, fields);
        expectStatus(changed, 200);
        expect(changed.body).toMatchObject({ url: made['ping_url'], check_interval: null });
      }
    },
  );

  it('null ungroups a monitor [6.14]', async () => {
    const group = await post('/groups', { name: 'To leave' });
    const { id } = await monitor('http', { group_id: group.body.id });
    expect((await put(`/monitors/${id}`, { group_id: null })).body['group_id']).toBeNull();
  });

  it('an update answers the updated monitor, as a read does afterwards [6.20]', async () => {
    const { id } = await monitor();
    const fields = { friendly_name: 'New', url: 'https://b.example', check_interval: 5 };
    const changed = await put(`/monitors/${id}`, fields);
    expect(changed.body).toMatchObject(fields);
    expect((await get(`/monitors/${id}`)).body).toMatchObject(changed.body);
  });

  it.each(TYPES)('monitor_type equal to the stored one is accepted: %s [6.21]', async (type) => {
    const { id } = await monitor(type);
    const changed = await put(`/monitors/${id}`, { monitor_type: type, tags: ['same'] });
    expectStatus(changed, 200);
    expect(changed.body).toMatchObject({ monitor_type: type, tags: ['same'] });
  });

  it.each([
    ['ping', { keyword_settings: KEYWORDS }],
    ['port', { json_assertion_settings: ASSERTIONS }],
    ['heartbeat', { http_method: 'POST' }],
    ['cron', { request_headers: { 'X-A': '1' } }],
  ] as const)(
    'what only http monitors have is refused on update too: %s %j [6.10]',
    async (type, fields) => {
      const { id } = await monitor(type);
      expectRefused(await put(`/monitors/${id}`, fields), ...Object.keys(fields));
    },
  );

  it.each([
    ['http', { port: 1 }],
    ['http', { heartbeat_interval: 60, heartbeat_grace: 1 }],
    ['heartbeat', { heartbeat_cron_expression: '* * * * *' }],
    ['cron', { port: 1 }],
  ] as const)(
    'settings of another type are ignored on update too: %s %j [6.9]',
    async (type, fields) => {
      const { id } = await monitor(type);
      const changed = await put(`/monitors/${id}`, fields);
      expectStatus(changed, 200);
      for (const field of Object.keys(fields))
        expect([field, changed.body[field]]).toEqual([
          field,
          (await get(`/monitors/${id}`)).body[field],
        ]);
      const [first] = Object.entries(fields);
      expect(changed.body[first![0]]).not.toEqual(first![1]);
    },
  );

  it.each([
    ['url', { url: 'https://other.example' }],
    ['check_interval', { check_interval: 5 }],
    ['monitored_regions', { monitored_regions: ['ash'] }],
    ['request_headers', { request_headers: { 'X-A': '1' } }],
    ['accepted_status_codes', { accepted_status_codes: ['2xx'] }],
    ['keyword_settings', { keyword_settings: KEYWORDS }],
  ])(
    'a change of %s brings the next round forward to now and leaves the status [14.5]',
    async (_field, fields) => {
      const line = await openLine();
      const id = await line.watched({ check_interval: 10 });
      await line.pass(30 * SECOND);
      const before = line.house.checks.length;
      const now = line.house.clock.now();
      const changed = await line.put(`/monitors/${id}`, fields);
      expect(changed.body['status'], changed.text).toBe('online');
      expect(Date.parse(changed.body['next_check_at'] as string)).toBeLessThanOrEqual(now + SECOND);
      await line.pass(2 * SECOND);
      const checks = line.house.checks.slice(before).filter(({ monitorId }) => monitorId === id);
      expect(checks.length).toBe((changed.body['monitored_regions'] as string[]).length);
      await line.house.close();
    },
  );

  it('an edit of a paused monitor looks at nothing before it is resumed [14.8]', async () => {
    const line = await openLine();
    const id = await line.watched({ check_interval: 10 });
    await line.post(`/monitors/${id}/pause`);
    await line.pass(SECOND);
    const before = line.house.checks.length;
    expectStatus(await line.put(`/monitors/${id}`, { url: 'https://other.example' }), 200);
    await line.pass(30 * MINUTE);
    expect(line.house.checks.length).toBe(before);
    await line.post(`/monitors/${id}/resume`);
    await line.pass(2 * SECOND);
    expect(line.house.checks.length).toBe(before + 4);
    await line.house.close();
  });

  it('a change of the name brings nothing forward [14.7]', async () => {
    const line = await openLine();
    const id = await line.watched({ check_interval: 10 });
    await line.pass(30 * SECOND);
    const before = line.house.checks.length;
    await line.put(`/monitors/${id}`, { friendly_name: 'New', tags: ['new'] });
    await line.pass(2 * SECOND);
    expect(line.house.checks.length).toBe(before);
    await line.house.close();
  });

  it.each([
    ['http', 'url'],
    ['http', 'check_interval'],
    ['port', 'port'],
    ['heartbeat', 'friendly_name'],
    ['heartbeat', 'heartbeat_interval'],
    ['cron', 'heartbeat_cron_expression'],
  ] as const)('null for a required field is refused: %s, %s [6.22]', async (type, field) => {
    const { id } = await monitor(type);
    expectRefused(await put(`/monitors/${id}`, { [field]: null }), field);
  });
});
