import { describe, expect, it } from 'vitest';
import { at, SECOND } from '../support/client.ts';
import { called, expectWell, NOTICED, openJobs, theIncident } from './job-line.ts';

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
});

describe('missed pings', () => {
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
});

describe('time in which the service was away', () => {
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
