import { describe, expect, it } from 'vitest';
import { called, expectWell, NOTICED, openJobs, statusOf, theIncident } from './job-line.ts';
import { at, MINUTE, SECOND } from './support.ts';

describe('runs of a job', () => {
  it('a finish carries the duration since its start [12.10]', async () => {
    const line = await openJobs();
    const job = await line.monitor('heartbeat');
    for (const finish of ['', '/fail', '/0', '/4', '?status=fail']) {
      await line.ping(job, '/start');
      await line.pass(90 * SECOND);
      await line.ping(job, finish);
    }
    const finished = (await line.pingsOf(job)).filter(({ kind }) => kind !== 'start');
    expect(finished.map((ping) => ping['duration_ms'])).toEqual(Array(5).fill(90_000));
  });

  it('a finish without a start has no duration, and /log ends no run [12.11]', async () => {
    const line = await openJobs();
    const job = await line.monitor('heartbeat');
    await line.ping(job);
    await line.ping(job, '/start');
    await line.pass(10 * SECOND);
    await line.ping(job, '/log');
    await line.pass(10 * SECOND);
    await line.ping(job);
    const durations = (await line.pingsOf(job)).map((ping) => ping['duration_ms']);
    expect(durations).toEqual([null, null, null, 20_000]);
  });

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

  it('a run that finishes within heartbeat_max_runtime is well [13.14]', async () => {
    const { line, job } = await called({ heartbeat_interval: 3600, heartbeat_max_runtime: 120 });
    await line.ping(job, '/start');
    await line.pass(119 * SECOND);
    await line.ping(job);
    await line.pass(5 * MINUTE);
    await expectWell(line, job);
  });

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

  it('a run that is too long ends its incident when it finishes well, and has its duration [13.14]', async () => {
    const { line, job } = await called(LONG);
    await line.ping(job, '/start');
    await line.pass(5 * MINUTE);
    await line.ping(job);
    expect(await theIncident(line, job)).toMatchObject({
      status: 'resolved',
      ended_at: at(5 * MINUTE),
    });
    expect((await line.pingsOf(job)).at(-1)).toMatchObject({ duration_ms: 300_000 });
    expect(await statusOf(line, job)).toBe('online');
  });

  it('each run has its own time where rid tells them apart [13.13]', async () => {
    const { line, job } = await called(LONG);
    await line.ping(job, '/start?rid=a');
    await line.pass(MINUTE);
    await line.ping(job, '/start?rid=b');
    await line.pass(30 * SECOND);
    await line.ping(job, '?rid=b');
    await line.pass(30 * SECOND + NOTICED);
    expect(await theIncident(line, job)).toMatchObject({ started_at: at(2 * MINUTE) });
  });

  it('without it a run may take as long as it wants [13.15]', async () => {
    const { line, job } = await called({ heartbeat_interval: 3600 });
    await line.ping(job, '/start');
    await line.pass(30 * MINUTE);
    await expectWell(line, job);
  });
});
