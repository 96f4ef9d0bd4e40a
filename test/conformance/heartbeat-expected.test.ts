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
  theIncident,
} from './job-line.ts';
import { at, expectStatus, MINUTE, SECOND } from '../support/client.ts';

describe('when a ping is expected', () => {
  it('a success sets last_heartbeat_at, nothing else does; last_checked_at stays null [11.2, 11.3]', async () => {
    const line = await openJobs();
    const job = await line.monitor('heartbeat');
    await line.pass(10 * SECOND);
    await line.ping(job);
    expect(await line.read(job)).toMatchObject({ last_heartbeat_at: at(10 * SECOND) });
    await line.pass(10 * SECOND);
    for (const suffix of ['?status=fail', '/fail', '/1', '/start', '/log'])
      await line.ping(job, suffix);
    expect(await line.read(job)).toMatchObject({ last_heartbeat_at: at(10 * SECOND) });
    await line.ping(job, '/0');
    expect(await line.read(job)).toMatchObject({
      last_heartbeat_at: at(20 * SECOND),
      last_checked_at: null,
    });
  });

  it('the next ping of a cron job is expected at the next fire in its timezone [11.6]', async () => {
    const fields = { heartbeat_timezone: 'America/New_York' };
    const { line, job } = await scheduled('2030-01-01T12:00', '0 9 * * *', fields);
    expect(await expectedOf(line, job)).toBe(iso('2030-01-01T14:00'));
    await line.ping(job);
    expect(await expectedOf(line, job)).toBe(iso('2030-01-01T14:00'));
    await line.pass(120 * MINUTE + 20 * SECOND);
    await line.ping(job);
    expect(await expectedOf(line, job)).toBe(iso('2030-01-02T14:00'));
  });

  const BERLIN = { heartbeat_timezone: 'Europe/Berlin' };

  it('the night in which the hour of a fixed job is skipped: expected right after the jump [11.17]', async () => {
    // In Berlin the clock jumps from 02:00 to 03:00, which is 01:00 UTC, on 31 March 2030.
    const { line, job } = await scheduled('2030-03-31T00:55', '30 2 * * *', BERLIN);
    const silent = await line.monitor('cron', {
      heartbeat_cron_expression: '30 2 * * *',
      ...BERLIN,
    });
    expect(await expectedOf(line, job)).toBe(iso('2030-03-31T01:00'));
    await line.pass(5 * MINUTE + 10 * SECOND);
    await line.ping(job);
    expect(await expectedOf(line, job)).toBe(iso('2030-04-01T00:30'));
    await line.pass(2 * MINUTE);
    await expectWell(line, job);
    expect(await theIncident(line, silent)).toMatchObject({ started_at: iso('2030-03-31T01:01') });
  });

  it('the night in which the hour of a fixed job is repeated: expected once [11.17]', async () => {
    // And back from 03:00 to 02:00, which is 01:00 UTC, on 27 October 2030.
    const { line, job } = await scheduled('2030-10-27T00:29', '30 2 * * *', BERLIN);
    expect(await expectedOf(line, job)).toBe(iso('2030-10-27T00:30'));
    await line.pass(70 * SECOND);
    await line.ping(job);
    expect(await expectedOf(line, job)).toBe(iso('2030-10-28T01:30'));
    await line.pass(65 * MINUTE);
    await expectWell(line, job);
  });

  it('wildcard jobs are expected in both of the repeated hours [11.18]', async () => {
    const { line, job } = await scheduled('2030-10-27T00:30:30', '*/30 * * * *', BERLIN);
    await line.ping(job);
    expect(await expectedOf(line, job)).toBe(iso('2030-10-27T01:00'));
    await line.pass(30 * MINUTE);
    await line.ping(job);
    expect(await expectedOf(line, job)).toBe(iso('2030-10-27T01:30'));
  });

  it('a changed schedule is waited for from now [11.10]', async () => {
    const line = await openJobs();
    const job = await line.monitor('heartbeat');
    const other = await line.monitor('cron');
    await line.pass(2 * MINUTE);
    expectStatus(await line.put(`/monitors/${job.id}`, { heartbeat_interval: 60 }), 200);
    const expression = { heartbeat_cron_expression: '4 * * * *' };
    expectStatus(await line.put(`/monitors/${other.id}`, expression), 200);
    await line.pass(3 * MINUTE + NOTICED);
    expect(await theIncident(line, job)).toMatchObject({ started_at: at(4 * MINUTE) });
    expect(await theIncident(line, other)).toMatchObject({ started_at: at(5 * MINUTE) });
  });

  it('a job that no longer waits for its first ping is expected from that edit on [11.12]', async () => {
    const line = await openJobs();
    const job = await minutely(line, { heartbeat_wait_for_first_ping: true });
    await line.pass(10 * MINUTE);
    await line.put(`/monitors/${job.id}`, { heartbeat_wait_for_first_ping: false });
    expect(await expectedOf(line, job)).toBe(at(11 * MINUTE));
    await line.pass(90 * SECOND + NOTICED);
    expect(await theIncident(line, job)).toMatchObject({ started_at: at(11.5 * MINUTE) });
  });

  it('a job that has called is not expected anew by that edit [11.12]', async () => {
    const { line, job } = await called({ heartbeat_wait_for_first_ping: true });
    await line.pass(20 * SECOND);
    await line.put(`/monitors/${job.id}`, { heartbeat_wait_for_first_ping: false });
    expect(await expectedOf(line, job)).toBe(at(MINUTE));
  });

  it.each([
    ['longer', 60],
    ['shorter', 0],
  ])(
    'a grace that is made %s holds for the ping that is expected [11.11]',
    async (_what, grace) => {
      const { line, job } = await called();
      await line.pass(10 * SECOND);
      await line.put(`/monitors/${job.id}`, { heartbeat_grace: grace });
      expect(await expectedOf(line, job)).toBe(at(MINUTE));
      await line.pass((50 + grace) * SECOND);
      await expectWell(line, job);
      await line.pass(NOTICED);
      expect(await theIncident(line, job)).toMatchObject({
        started_at: at(MINUTE + grace * SECOND),
      });
    },
  );
});
