import { describe, expect, it } from 'vitest';
import { sleep } from '../../src/lib/clock.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { checkResult, inspectNothing } from '../support/rounds.ts';
import {
  client,
  expectStatus,
  freshApi,
  ISO_TIME,
  NOW,
  KEYWORDS,
  MINUTE,
  openLine,
  PULL_TYPES,
  SECOND,
  TYPES,
  type Json,
  names,
} from './support.ts';

const { open, get, post, del, monitor, incident } = client();
const UPTIME_KEYS = names(
  'checked_from_region error is_up response_time status status_code timings',
);

const uptimeOf = ({ body }: { body: Json }) => body['uptime'] as Record<string, unknown>;

describe('actions on monitors', () => {
  it.each(TYPES)('a %s monitor is paused and resumed [9.1]', async (type) => {
    const { id } = await monitor(type);
    expectStatus(await post(`/monitors/${id}/pause`), 200);
    expect((await get(`/monitors/${id}`)).body['is_paused']).toBe(true);
    expectStatus(await post(`/monitors/${id}/resume`), 200);
    expect((await get(`/monitors/${id}`)).body['is_paused']).toBe(false);
  });

  it('a delete takes the monitor and all associated data [9.5]', async () => {
    const { id } = await monitor();
    const trouble = await incident(id);
    expectStatus(await del(`/monitors/${id}`), 204);
    expectStatus(await get(`/monitors/${id}`), 404);
    expectStatus(await get(`/incidents/${trouble.id}`), 404);
    expectStatus(await get(`/monitors/${id}/incidents`), 404);
    expectStatus(await get(`/monitors/${id}/uptime`), 404);
    const all = (await get('/incidents?per_page=100')).body['data'] as Json[];
    expect(all.filter((one) => one['monitor_id'] === id)).toEqual([]);
    expectStatus(await del(`/monitors/${id}`), 404);
  });

  it.each(PULL_TYPES)('a manual check of a %s monitor answers what it saw [9.6]', async (type) => {
    const { id } = await monitor(type);
    const answer = await post(`/monitors/${id}/check`);
    expectStatus(answer, 200);
    expect(uptimeOf(answer)).toMatchObject({
      is_up: true,
      response_time: expect.any(Number),
      checked_from_region: expect.stringMatching(/^(ash|pdx|nbg|sin)$/),
    });
  });

  it('a read of one monitor shows its recent incidents [6.17]', async () => {
    const { id } = await monitor();
    const [first, second] = [await incident(id), await incident(id)];
    const shown = (await get(`/monitors/${id}`)).body['incidents'] as Json[];
    expect(shown.map((one) => one.id).toSorted()).toEqual([first.id, second.id]);
  });

  it.each([
    ['pause', true],
    ['resume', false],
    ['unpause', false],
  ])(
    '%s answers success, message and monitor with id, url and is_paused [9.2]',
    async (action, paused) => {
      const made = await monitor();
      if (!paused) await post(`/monitors/${made.id}/pause`);
      const { status, body } = await post(`/monitors/${made.id}/${action}`);
      expect([status, body]).toEqual([
        200,
        {
          success: true,
          message: expect.stringMatching(/\w+ \w+/),
          monitor: { id: made.id, url: made['url'], is_paused: paused },
        },
      ]);
    },
  );

  it('pause and resume are idempotent [9.3]', async () => {
    const { id } = await monitor();
    for (const [action, paused] of [
      ['resume', false],
      ['pause', true],
      ['pause', true],
      ['unpause', false],
      ['unpause', false],
    ] as const) {
      const answer = await post(`/monitors/${id}/${action}`);
      expect(answer.body).toMatchObject({ success: true, monitor: { is_paused: paused } });
    }
  });

  it('a pause stops checks and pending rechecks [9.4]', async () => {
    const line = await openLine();
    const id = await line.watched();
    line.turn(id, 'down');
    const failing = () => line.house.checks.filter(({ monitorId }) => monitorId === id).length;
    const before = failing();
    await line.house.clock.runUntil(() => failing() > before, MINUTE);
    await line.pass(SECOND);
    await line.post(`/monitors/${id}/pause`);
    const atPause = failing();
    await line.pass(5 * MINUTE);
    expect(failing()).toBe(atPause);
    expect(await line.statusOf(id)).toBe('online');
    await line.house.close();
  });

  it('a pause keeps status and open incidents [9.4]', async () => {
    const line = await openLine();
    const id = await line.watched({ failure_threshold: 1 });
    line.turn(id, 'down');
    await line.until(id, 'offline');
    await line.post(`/monitors/${id}/pause`);
    await line.pass(10 * MINUTE);
    expect(await line.statusOf(id)).toBe('offline');
    expect(await line.incidentsOf(id, 'status=open')).toHaveLength(1);
    await line.house.close();
  });

  it('resuming schedules a round now [14.5]', async () => {
    const line = await openLine();
    const id = await line.watched({ check_interval: 60 });
    await line.post(`/monitors/${id}/pause`);
    await line.pass(5 * MINUTE);
    const before = line.house.checks.length;
    await line.post(`/monitors/${id}/resume`);
    await line.pass(2 * SECOND);
    expect(line.house.checks.length).toBe(before + 4);
    await line.house.close();
  });

  it('a manual check answers uptime, with timings by phase, and ssl [9.6]', async () => {
    const { id } = await monitor();
    const answer = await post(`/monitors/${id}/check`);
    expect(Object.keys(uptimeOf(answer)).toSorted()).toEqual(UPTIME_KEYS);
    expect(Object.keys(uptimeOf(answer)['timings'] as object).toSorted()).toEqual(
      ['dns_ms', 'tcp_ms', 'tls_ms', 'ttfb_ms', 'total_ms'].toSorted(),
    );
    expect(uptimeOf(answer)).toMatchObject({ is_up: true, status: 'online', error: null });
    expect(answer.body['ssl']).toBeNull();
  });

  it('status_code is that of the answer, and null when there is none [9.7]', async () => {
    const { setTarget } = await open();
    const { id } = await monitor();
    setTarget(() => checkResult('up', { statusCode: 204 }));
    expect(uptimeOf(await post(`/monitors/${id}/check`))['status_code']).toBe(204);
    setTarget(() => checkResult('up', { statusCode: null }));
    expect(uptimeOf(await post(`/monitors/${id}/check`))['status_code']).toBeNull();
    setTarget(() => checkResult('up'));
  });

  it('error is null when it is up, else the sentence of the root cause [9.7]', async () => {
    const { setTarget } = await open();
    const { id } = await monitor();
    setTarget(() =>
      checkResult('down', {
        statusCode: 503,
        failure: { code: 'http_status', text: 'HTTP 503 Service Unavailable' },
      }),
    );
    expect(uptimeOf(await post(`/monitors/${id}/check`))).toMatchObject({
      is_up: false,
      status: 'offline',
      status_code: 503,
      error: 'HTTP 503 Service Unavailable',
    });
    setTarget(() => checkResult('up'));
  });

  it('each other active sub-check stands under its own name [9.8]', async () => {
    const { id } = await monitor('http', {
      check_types: ['dns', 'domain', 'keyword'],
      keyword_settings: KEYWORDS,
    });
    const { body } = await post(`/monitors/${id}/check`);
    for (const check of ['dns', 'domain', 'keyword']) expect(body).toHaveProperty(check);
    expect(body).not.toHaveProperty('json');
  });

  it('it runs from one of the regions of the monitor [9.9]', async () => {
    const { checks } = await open();
    const { id } = await monitor('http', { monitored_regions: ['nbg'] });
    const before = checks.length;
    const answer = await post(`/monitors/${id}/check`);
    expect(checks.slice(before).map(({ region }) => region)).toEqual(['nbg']);
    expect(uptimeOf(answer)['checked_from_region']).toBe('nbg');
  });

  it('the whole answer comes within 25 s, though every probe takes all its time and can not tell [9.11]', async () => {
    const clock = createFakeClock({ now: NOW });
    const opened = freshApi({
      clock,
      bus: {
        async check(_region, { timeoutMs }) {
          await sleep(clock, timeoutMs);
          return checkResult('unknown');
        },
        inspect: inspectNothing,
        lastSeen: () => clock.now(),
        vantageOf: () => 'office',
      },
    });
    const calls = client(() => opened);
    const { id } = await calls.monitor('http', { check_interval: 60, request_timeout: 60 });
    let status: number | null = null;
    const asked = calls.post(`/monitors/${id}/check`);
    void asked.then((answer) => (status = answer.status));
    // Time passes once the probe has its request.
    while (clock.pending().timers === 0) await clock.settle();
    await clock.runUntil(() => status !== null, 25 * SECOND);
    expect([200, 503]).toContain((await asked).status);
  });

  it('it is stored in the history, without a vote [9.12]', async () => {
    const line = await openLine();
    const id = await line.watched({ check_interval: 60, failure_threshold: 1 });
    const total = async () => (await line.get(`/monitors/${id}/results`)).body['total'] as number;
    const before = await total();
    line.turn(id, 'down');
    await line.post(`/monitors/${id}/pause`);
    expect(uptimeOf(await line.post(`/monitors/${id}/check`))['is_up']).toBe(false);
    await line.pass(MINUTE);
    expect(await total()).toBe(before + 1);
    expect(await line.statusOf(id)).toBe('online');
    expect(await line.incidentsOf(id)).toEqual([]);
    await line.house.close();
  });

  it('it brings the next round forward to now [9.13]', async () => {
    const line = await openLine();
    const id = await line.watched({ check_interval: 60 });
    await line.pass(MINUTE);
    const before = line.house.checks.length;
    await line.post(`/monitors/${id}/check`);
    await line.pass(2 * SECOND);
    expect(line.house.checks.length).toBe(before + 4);
    await line.house.close();
  });

  it('incidents in a read of one monitor are the 10 newest [6.17]', async () => {
    const { id } = await monitor();
    const ids: number[] = [];
    for (let index = 0; index < 12; index += 1) {
      const startedAt = new Date(Date.UTC(2029, 11, 1 + index)).toISOString();
      ids.push((await incident(id, { started_at: startedAt })).id);
    }
    const shown = (await get(`/monitors/${id}`)).body['incidents'] as Json[];
    expect(shown.map((one) => one.id)).toEqual(ids.slice(2).toReversed());
  });

  it('response_times are the newest result of each region: region, response_time, status_code, checked_at [6.18]', async () => {
    const line = await openLine();
    const id = await line.watched();
    line.house.targets.set(id, (region) =>
      checkResult('up', { responseTimeMs: region === 'sin' ? 250 : 40, statusCode: 201 }),
    );
    await line.pass(MINUTE);
    const { body } = await line.get(`/monitors/${id}`);
    expect(body['last_checked_at']).toMatch(ISO_TIME);
    expect(Date.parse(body['next_check_at'] as string)).toBeGreaterThan(line.house.clock.now());
    const shown = body['response_times'] as Json[];
    expect(shown).toHaveLength(4);
    for (const entry of shown) {
      expect(entry).toEqual({
        region: expect.stringMatching(/^(ash|pdx|nbg|sin)$/),
        response_time: entry['region'] === 'sin' ? 250 : 40,
        status_code: 201,
        checked_at: expect.stringMatching(/Z$/),
      });
    }
    await line.house.close();
  });
});
