import { describe, expect, it } from 'vitest';
import { sleep } from '../../src/lib/clock.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { checkResult, inspectNothing } from '../support/rounds.ts';
import { MINUTE, NOW, SECOND, client, freshApi, openLine } from '../support/client.ts';

describe('actions on monitors', () => {
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
});
