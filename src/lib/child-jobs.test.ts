import { afterEach, describe, expect, it, test } from 'vitest';
import type { JobRequest } from '../../test/support/job-program.ts';
import { waitUntil } from '../../test/support/event-loop.ts';
import { createChildJobs, JobEnded, JobsWaiting, type ChildJobs } from './child-jobs.ts';

const program = new URL('../../test/support/job-program.ts', import.meta.url);
let jobs: ChildJobs<JobRequest, unknown>;

function open(deadlineMs = 30_000, keepMs = 0) {
  jobs = createChildJobs({ program, heapMiB: 64, deadlineMs, keepMs });
  return jobs;
}

afterEach(() => jobs.stop());

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

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

describe('a process', () => {
  it('does one job, unless it is to be kept', async () => {
    const { run } = open();
    expect(await run(1, 'pid')).not.toBe(await run(1, 'pid'));
  });

  it('that is kept does the next job, also of another team', async () => {
    const { run } = open(30_000, 60_000);
    expect(await run(1, 'pid')).toBe(await run(2, 'pid'));
  });

  it('that is kept ends when no job comes', async () => {
    const pid = (await open(30_000, 1).run(1, 'pid')) as number;
    await waitUntil(() => !isAlive(pid));
  });

  it('that is kept ends with its runner', async () => {
    const { run, stop } = open(30_000, 60_000);
    const pid = (await run(1, 'pid')) as number;
    stop();
    await waitUntil(() => !isAlive(pid));
  });

  test.each<JobRequest>([{ error: 'No ink.' }, 'exit'])(
    'in which a job failed is replaced, and does not work for others: %j',
    async (request) => {
      const { run } = open(30_000, 60_000);
      const first = await run(1, 'pid');
      await expect(run(1, request)).rejects.toThrow();
      expect(await run(2, 'pid')).not.toBe(first);
    },
  );

  it('that was kept and fails a job does not fail the job: a new one does it again', async () => {
    const { run } = open(30_000, 60_000);
    const first = await run(1, 'pid');
    expect(await run(2, 'exit unless first')).not.toBe(first);
  });

  it('that ended while it waited is replaced', async () => {
    const { run } = open(30_000, 60_000);
    process.kill((await run(1, 'pid')) as number, 'SIGKILL');
    expect(await run(2, { echo: 'next' })).toBe('next');
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
