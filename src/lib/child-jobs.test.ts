import { afterEach, describe, expect, it, test } from 'vitest';
import type { JobRequest } from '../../test/support/job-program.ts';
import { createChildJobs, JobEnded, JobsWaiting, type ChildJobs } from './child-jobs.ts';

const program = new URL('../../test/support/job-program.ts', import.meta.url);
let jobs: ChildJobs<JobRequest, unknown>;

function open(deadlineMs = 30_000) {
  jobs = createChildJobs({ program, heapMiB: 64, deadlineMs });
  return jobs;
}

afterEach(() => jobs.stop());

describe('a job', () => {
  it('is answered, with bytes as they are, also after others that failed', async () => {
    const { run } = open();
    await expect(run(1, { error: 'No ink.' })).rejects.toThrow('No ink.');
    expect(await run(1, { echo: 'ä\0' })).toBe('ä\0');
  });

  test.each<JobRequest>(['exit', 'fill the heap', 'fill memory'])(
    'that ends its process leaves this one alive, and the next one is done: %s',
    async (request) => {
      const { run } = open();
      const broken = run(1, request);
      const next = run(2, { echo: 'next' });
      if (request === 'fill memory') await expect(broken).rejects.toThrow();
      else await expect(broken).rejects.toThrow(JobEnded);
      expect(await next).toBe('next');
    },
  );

  it('that has no end is ended', async () => {
    await expect(open(1_000).run(1, 'loop')).rejects.toThrow(JobEnded);
  });

  it('gets no secret of the environment', async () => {
    process.env['SECRET_KEY'] = 'secret';
    try {
      expect(await open().run(1, 'environment')).not.toContain('SECRET_KEY');
    } finally {
      delete process.env['SECRET_KEY'];
    }
  });
});

describe('teams', () => {
  it('have one job that waits each, and take turns', async () => {
    const { run } = open();
    const order: string[] = [];
    const done = (teamId: number, name: string) =>
      run(teamId, { echo: name }).then(() => order.push(name));
    const all = [done(1, 'first of 1'), done(1, 'second of 1'), done(2, 'first of 2')];
    await expect(run(1, { echo: 'third of 1' })).rejects.toThrow(JobsWaiting);
    await Promise.all(all);
    expect(order).toEqual(['first of 1', 'second of 1', 'first of 2']);
    expect(await run(1, { echo: 'again' })).toBe('again');
  });

  it('are refused beside twenty others', async () => {
    const { run, stop } = open();
    const all = Array.from({ length: 21 }, (_, teamId) => run(teamId, { wait: 60_000 }));
    await expect(run(21, { echo: 'late' })).rejects.toThrow(JobsWaiting);
    stop();
    const ended = await Promise.allSettled(all);
    expect(ended.every(({ status }) => status === 'rejected')).toBe(true);
  });
});
