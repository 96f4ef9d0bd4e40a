import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRateLimits } from '../../src/identity/rate-limits.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { LIMITS } from '../support/api.ts';
import { openJobs } from './job-line.ts';
import type { Answer } from '../support/client.ts';

const BEGIN = Date.UTC(2030, 0, 1, 12, 0, 0, 250);

beforeEach(
  () => void vi.useFakeTimers({ now: BEGIN, toFake: ['Date', 'setTimeout', 'clearTimeout'] }),
);
afterEach(() => void vi.useRealTimers());

const figures = ({ headers }: Pick<Answer, 'headers'>) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers[`x-ratelimit-${name}`]));

async function times<Answered>(count: number, ask: () => Promise<Answered>): Promise<Answered[]> {
  const answers: Answered[] = [];
  for (let turn = 0; turn < count; turn += 1) answers.push(await ask());
  return answers;
}

describe('the limit of pings', () => {
  it('pings are counted by their token, whatever the method, the suffix and the address [5.13]', async () => {
    const line = await openJobs({ limit: 5 });
    const [job, other] = [await line.monitor('heartbeat'), await line.monitor('cron')];
    const calls = [
      ['', { method: 'GET' }],
      ['', { method: 'HEAD' }],
      ['/fail', { method: 'POST' }],
      ['/start', { localAddress: '127.0.0.2' }],
      ['/log', { localAddress: '127.0.0.3' }],
    ] as const;
    const left: unknown[] = [];
    for (const [suffix, options] of calls) {
      const answer = await line.ping(job, suffix, options);
      left.push([answer.status, figures(answer)[1]]);
    }
    expect(left).toEqual([4, 3, 2, 1, 0].map((remaining) => [200, remaining]));
    for (const localAddress of ['127.0.0.1', '127.0.0.4'])
      expect((await line.ping(job, '', { localAddress })).status).toBe(429);
    expect(figures(await line.ping(other)).slice(0, 2)).toEqual([5, 4]);
  });

  it('unknown ping tokens are counted together by client address [5.14]', async () => {
    const rateLimits = createRateLimits({ limits: { ...LIMITS, ping: 3 }, clock: systemClock });
    const line = await openJobs({ limit: 9, rateLimits });
    const job = await line.monitor('heartbeat');
    const from = (localAddress: string, path: string) => line.dial(path, { localAddress });
    expect(figures(await from('127.0.0.1', '/ping/one')).slice(0, 2)).toEqual([3, 2]);
    expect(figures(await from('127.0.0.1', '/ping/two/fail')).slice(0, 2)).toEqual([3, 1]);
    expect((await from('127.0.0.1', '/ping/three')).status).toBe(404);
    const refused = await from('127.0.0.1', '/ping/four');
    expect([refused.status, refused.body['retry_after']]).toEqual([429, 60]);
    expect(refused.headers['retry-after']).toBe('60');
    expect((await from('127.0.0.2', '/ping/one')).status).toBe(404);
    expect(figures(await line.ping(job)).slice(0, 2)).toEqual([9, 8]);
  });

  it('pings spend nothing of the budgets of the API [5.16]', async () => {
    const rateLimits = createRateLimits({ limits: LIMITS, clock: systemClock });
    const line = await openJobs({ limit: 120, rateLimits });
    const job = await line.monitor('heartbeat');
    await times(10, () => line.ping(job));
    await times(10, () => line.dial('/ping/nobody'));
    expect(figures(await line.get('/monitors')).slice(0, 2)).toEqual([120, 118]);
    expect(figures(await line.get('/monitors', null)).slice(0, 2)).toEqual([120, 119]);
  });
});
