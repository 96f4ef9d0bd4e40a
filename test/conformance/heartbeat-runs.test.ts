import { describe, expect, it } from 'vitest';
import { called, expectWell, NOTICED, openJobs, statusOf, theIncident } from './job-line.ts';
import { at, MINUTE, SECOND } from '../support/client.ts';

describe('runs of a job', () => {
  it('rid pairs a start with its finish when runs overlap [12.10]', async () => {
    const line = await openJobs();
    const job = await line.monitor('heartbeat');
    await line.ping(job, '/start?rid=first');
    await line.pass(10 * SECOND);
    await line.ping(job, '/start?rid=second');
    await line.pass(20 * SECOND);
    await line.ping(job, '?rid=first');
    await line.pass(5 * SECOND);
    await line.ping(job, '/1?rid=second');
    await line.ping(job, '?rid=third');
    const ends = (await line.pingsOf(job)).slice(2);
    expect(ends.map((ping) => [ping['run_id'], ping['duration_ms']])).toEqual([
      ['first', 30_000],
      ['second', 25_000],
      ['third', null],
    ]);
  });
});

describe('heartbeat_max_runtime', () => {
  const LONG = { heartbeat_interval: 3600, heartbeat_max_runtime: 120 };

  it('a started run that did not finish by then failed [13.13]', async () => {
    const { line, job } = await called(LONG);
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
