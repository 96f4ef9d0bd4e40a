/** Program of a child process for tests of jobs: does what its request says. */
import { setTimeout } from 'node:timers/promises';
import { serveJob } from '../../src/lib/child-jobs.ts';

export type JobRequest =
  | { echo: string }
  | { error: string }
  | { wait: number }
  | 'pid'
  | 'exit'
  | 'exit unless first'
  | 'loop'
  | 'fill the heap'
  | 'fill memory'
  | 'environment';

let jobs = 0;

serveJob(async (request: JobRequest): Promise<unknown> => {
  jobs += 1;
  if (request === 'pid' || (request === 'exit unless first' && jobs === 1)) return process.pid;
  if (request === 'exit unless first') process.exit(3);
  if (request === 'exit') process.exit(3);
  if (request === 'environment') return Object.keys(process.env);
  if (request === 'fill the heap')
    return [1, 2, 3, 4].map((fill) => Array.from({ length: 20_000_000 }).fill(fill));
  if (request === 'fill memory')
    return Array.from({ length: 16 }, () => Buffer.alloc(2 ** 26, 1)).length;
  if (request === 'loop') for (;;);
  if ('error' in request) throw new Error(request.error);
  if ('wait' in request) return setTimeout(request.wait);
  return request.echo;
});
