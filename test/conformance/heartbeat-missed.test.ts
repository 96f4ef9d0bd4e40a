import { describe, expect, it } from 'vitest';
import { at, MINUTE, NOW, SECOND } from '../support/client.ts';
import {
  called,
  expectedOf,
  expectWell,
  iso,
  minutely,
  NOTICED,
  openJobs,
  scheduled,
  statusOf,
  theIncident,
  type JobLine,
} from './job-line.ts';

describe('when a ping is expected', () => {
  it('a success sets last_heartbeat_at, nothing else does; any ping sets last_checked_at [11.2, 11.3]', async () => {
    const line = await openJobs();
    const job = await line.monitor('heartbeat');
    await line.pass(10 * SECOND);
    await line.ping(job);
    expect(await line.read(job)).toMatchObject({ last_heartbeat_at: at(10 * SECOND) });
    await line.pass(10 * SECOND);
    for (const [index, suffix] of ['?status=fail', '/fail', '/1', '/start', '/log'].entries()) {
      await line.ping(job, suffix);
      expect(await line.read(job)).toMatchObject({
        last_heartbeat_at: at(10 * SECOND),
        last_checked_at: at((20 + index) * SECOND),
      });
      await line.pass(SECOND);
    }
    await line.ping(job, '/0');
    expect(await line.read(job)).toMatchObject({
      last_heartbeat_at: at(25 * SECOND),
      last_checked_at: at(25 * SECOND),
    });
  });

  it('a job that has called is not expected anew by that edit [11.12]', async () => {
    const { line, job } = await called({ heartbeat_wait_for_first_ping: true });
    await line.pass(20 * SECOND);
    await line.put(`/monitors/${job.id}`, { heartbeat_wait_for_first_ping: false });
    expect(await expectedOf(line, job)).toBe(at(MINUTE));
  });
});

describe('missed pings', () => {
  it('a job that never calls is missed too, and the cause says that no ping ever came [11.4]', async () => {
    const { line, job } = await scheduled('2030-01-01T05:58', '0 6 * * *');
    const never = await minutely(line);
    await line.pass(3 * MINUTE + NOTICED);
    expect(await theIncident(line, never)).toMatchObject({
      started_at: iso('2030-01-01T05:59:30'),
      root_cause: expect.stringMatching(/no ping ever came/i),
    });
    expect(await theIncident(line, job)).toMatchObject({
      started_at: iso('2030-01-01T06:01'),
      root_cause: expect.stringMatching(/no ping ever came/i),
    });
  });

  it('with heartbeat_wait_for_first_ping nothing is raised before the first ping [11.5]', async () => {
    const line = await openJobs();
    const job = await minutely(line, { heartbeat_wait_for_first_ping: true });
    await line.pass(30 * MINUTE);
    await expectWell(line, job, 'pending');
    await line.ping(job);
    expect(await expectedOf(line, job)).toBe(at(31 * MINUTE));
    await line.pass(90 * SECOND + NOTICED);
    expect(await theIncident(line, job)).toMatchObject({ started_at: at(31.5 * MINUTE) });
  });

  it('a missed ping is an incident that started at the expected time plus the grace [13.1]', async () => {
    const { line, job } = await called();
    await line.pass(90 * SECOND);
    await expectWell(line, job);
    await line.pass(NOTICED);
    expect(await line.read(job)).toMatchObject({
      status: 'offline',
      last_heartbeat_at: at(0),
      incidents: [{ status: 'open' }],
    });
    expect(await theIncident(line, job)).toMatchObject({
      status: 'open',
      started_at: at(90 * SECOND),
      ended_at: null,
      is_regional: false,
      type: 'heartbeat',
      severity: 'critical',
    });
  });

  it('a started run that did not finish by then failed [13.13]', async () => {
    const { line, job } = await called({ heartbeat_interval: 3600, heartbeat_max_runtime: 120 });
    await line.pass(10 * SECOND);
    await line.ping(job, '/start');
    await line.pass(2 * MINUTE);
    await expectWell(line, job);
    await line.pass(NOTICED);
    expect(await statusOf(line, job)).toBe('offline');
    expect(await theIncident(line, job)).toMatchObject({
      type: 'heartbeat',
      status: 'open',
      started_at: at(130 * SECOND),
      root_cause: expect.stringMatching(/finish/),
    });
  });
});

describe('pausing and resuming a push monitor', () => {
  it('time in which a push monitor is paused is unobserved [24.14]', async () => {
    const { line, job } = await called();
    await line.pass(50 * SECOND);
    await line.post(`/monitors/${job.id}/pause`);
    await line.pass(5 * MINUTE);
    await line.post(`/monitors/${job.id}/resume`);
    await line.ping(job);
    await line.pass(10 * SECOND);
    const { body } = await line.get(`/monitors/${job.id}/uptime?from=${at(0)}`);
    expect(body).toMatchObject({ up_seconds: 60, unobserved_seconds: 300, down_seconds: 0 });
  });

  it('a job is down from its missed ping to its next success [24.19]', async () => {
    const { line, job } = await called();
    await line.pass(5 * MINUTE);
    await line.ping(job);
    await line.pass(10 * SECOND);
    const { body } = await line.get(`/monitors/${job.id}/uptime?from=${at(0)}`);
    expect(body).toMatchObject({ up_seconds: 100, down_seconds: 210, unobserved_seconds: 0 });
  });
});

describe('time in which the service was away', () => {
  const absences: [string, (line: JobLine, milliseconds: number) => Promise<void>][] = [
    ['it stood still', async ({ api }, milliseconds) => api.clock.freeze(milliseconds)],
    [
      'its database was away',
      async (line, milliseconds) => {
        line.setDatabaseDown(true);
        await line.pass(milliseconds);
        line.setDatabaseDown(false);
      },
    ],
  ];

  it.each(absences)('never becomes a missed ping: %s [13.20]', async (_how, away) => {
    const { line, job } = await called();
    await line.pass(30 * SECOND);
    await away(line, 10 * MINUTE);
    await line.pass(30 * SECOND);
    await expectWell(line, job);
    // Waited for anew, from the recovery on.
    const expected = Date.parse(String(await expectedOf(line, job))) - NOW;
    const recovered = 10.5 * MINUTE;
    expect(expected).toBeGreaterThanOrEqual(recovered + MINUTE);
    expect(expected).toBeLessThanOrEqual(recovered + MINUTE + NOTICED);
    await line.ping(job);
    await line.pass(MINUTE);
    await expectWell(line, job);
  });

  it('a ping that was refused, for however short a time, is none that was missed [13.26]', async () => {
    const { line, job } = await called();
    await line.pass(60 * SECOND);
    line.setDatabaseDown(true);
    expect((await line.ping(job)).status).toBe(503);
    line.setDatabaseDown(false);
    await line.pass(60 * SECOND);
    await expectWell(line, job);
  });
});
