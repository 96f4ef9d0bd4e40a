import { describe, expect, it } from 'vitest';
import { sleep } from '../../src/lib/clock.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { checkResult, inspectNothing } from '../support/rounds.ts';
import {
  ISO_TIME,
  type Json,
  KEYWORDS,
  MINUTE,
  NOW,
  SECOND,
  client,
  freshApi,
  openLine,
} from '../support/client.ts';

describe('actions on monitors', () => {
  it('a pause stops checks and pending rechecks [9.4]', async () => {
    const line = await openLine();
    const id = await line.watched();
    line.turn(id, 'down');
    const failing = () => line.harness.checks.filter(({ monitorId }) => monitorId === id).length;
    const before = failing();
    await line.harness.clock.runUntil(() => failing() > before, MINUTE);
    await line.pass(SECOND);
    await line.post(`/monitors/${id}/pause`);
    const atPause = failing();
    await line.pass(5 * MINUTE);
    expect(failing()).toBe(atPause);
    expect(await line.statusOf(id)).toBe('online');
    await line.harness.close();
  });

  it('time paused counts as unobserved [24.14]', async () => {
    const line = await openLine();
    const id = await line.watched();
    const now = () => new Date(line.harness.clock.now()).toISOString();
    const from = now();
    await line.pass(10 * MINUTE);
    await line.post(`/monitors/${id}/pause`);
    await line.pass(10 * MINUTE);
    const query = new URLSearchParams({ from, to: now() }).toString();
    const { body } = await line.get(`/monitors/${id}/uptime?${query}`);
    await line.harness.close();
    expect(body['observed_percent']).toBeGreaterThan(45);
    expect(body['observed_percent']).toBeLessThan(55);
    expect(body['uptime_percent']).toBe(100);
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
        probesOf: () => [],
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

  it('response_times are the newest result of each region: region, response_time, status_code, checked_at [6.18]', async () => {
    const line = await openLine();
    const id = await line.watched();
    line.harness.targets.set(id, (region) =>
      checkResult('up', { responseTimeMs: region === 'sin' ? 250 : 40.06, statusCode: 201 }),
    );
    await line.pass(MINUTE);
    const { body } = await line.get(`/monitors/${id}`);
    expect(body['last_checked_at']).toMatch(ISO_TIME);
    expect(Date.parse(body['next_check_at'] as string)).toBeGreaterThan(line.harness.clock.now());
    const shown = body['response_times'] as Json[];
    expect(shown).toHaveLength(4);
    for (const entry of shown) {
      expect(entry).toEqual({
        region: expect.stringMatching(/^(ash|pdx|nbg|sin)$/),
        response_time: entry['region'] === 'sin' ? 250 : 40.1,
        status_code: 201,
        checked_at: expect.stringMatching(/Z$/),
      });
    }
    await line.harness.close();
  });
});

describe('updating monitors', () => {
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
      const before = line.harness.checks.length;
      const now = line.harness.clock.now();
      const changed = await line.put(`/monitors/${id}`, fields);
      expect(changed.body['status'], changed.text).toBe('online');
      expect(Date.parse(changed.body['next_check_at'] as string)).toBeLessThanOrEqual(now + SECOND);
      await line.pass(2 * SECOND);
      const checks = line.harness.checks.slice(before).filter(({ monitorId }) => monitorId === id);
      expect(checks.length).toBe((changed.body['monitored_regions'] as string[]).length);
      await line.harness.close();
    },
  );
});
