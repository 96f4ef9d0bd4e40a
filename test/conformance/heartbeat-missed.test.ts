import { describe, expect, it } from 'vitest';
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
} from './job-line.ts';
import { at, MINUTE, PUSH_TYPES, SECOND } from '../support/client.ts';

describe('missed pings', () => {
  it.each(PUSH_TYPES)('a %s monitor is pending until its first ping [11.1]', async (type) => {
    const line = await openJobs();
    const job = await line.monitor(type);
    await line.pass(10 * MINUTE);
    expect(await statusOf(line, job)).toBe('pending');
    await line.ping(job);
    expect(await statusOf(line, job)).toBe('online');
  });

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

  it('the grace is 60 s unless given [13.1]', async () => {
    const { line, job } = await called({ heartbeat_grace: undefined });
    await line.pass(120 * SECOND);
    await expectWell(line, job);
    await line.pass(NOTICED);
    expect(await theIncident(line, job)).toMatchObject({ started_at: at(120 * SECOND) });
  });

  it('the silence of one job is not that of another [13.4]', async () => {
    const { line, job } = await called();
    const other = await minutely(line);
    for (let turn = 0; turn < 3; turn += 1) {
      await line.pass(50 * SECOND);
      await line.ping(other);
    }
    await theIncident(line, job);
    await expectWell(line, other);
  });
});
