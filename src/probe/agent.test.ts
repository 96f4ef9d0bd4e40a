import { describe, expect, test } from 'vitest';
import { noInspectors } from '../../test/support/inspectors.ts';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { silentLog } from '../lib/log.ts';
import { NO_TIMINGS, type CheckResult, type PortCheckRequest } from '../model/check.ts';
import { createAddressGuard } from '../net/address-guard.ts';
import { createAgent } from './agent.ts';
import type { Probe } from './contract.ts';

const up: CheckResult = {
  vote: 'up',
  failure: null,
  responseTimeMs: 5,
  statusCode: null,
  timings: { ...NO_TIMINGS, totalMs: 5 },
  remoteAddress: '10.0.0.1',
  evidence: null,
};
const down: CheckResult = {
  ...up,
  vote: 'down',
  failure: { code: 'connection_refused', text: 'Connection refused by 10.0.0.1 port 80' },
  responseTimeMs: null,
};

function agentOf(port: Probe<PortCheckRequest>, maxConcurrent = 100) {
  const clock = createFakeClock();
  const errors: string[] = [];
  const agent = createAgent({
    registry: { port, http: async () => up, ping: async () => up },
    inspectors: noInspectors,
    resolver: { resolve: async () => ({ ok: false, code: 'dns_failed' }), hasNetwork: () => true },
    guard: createAddressGuard(true),
    clock,
    log: { ...silentLog, error: (_fields, message) => void errors.push(message) },
    maxConcurrent,
  });
  const check = (timeoutMs = 10_000) =>
    agent.run({ type: 'port', monitorId: 1, timeoutMs, host: 'h', port: 80 });
  return { clock, agent, check, errors };
}

const code = async (result: Promise<CheckResult>) => (await result).failure?.code ?? null;

/** Answers after that long, by the agent's own clock, or when it is aborted. */
const answers =
  (result: CheckResult, afterMs: number): Probe<PortCheckRequest> =>
  (_request, { clock, signal }) =>
    new Promise((resolve) => {
      clock.after(afterMs, () => resolve(result));
      signal.addEventListener('abort', () => resolve(down));
    });

describe('a check', () => {
  test('gives what the probe saw, and leaves nothing running', async () => {
    const { clock, check, agent } = agentOf(answers(up, 30));
    const result = check();
    await clock.advance(30);
    expect(await result).toEqual(up);
    await clock.settle();
    expect(clock.pending()).toEqual({ timers: 0, soons: 0 });
    expect(agent.load()).toEqual({ running: 0, queued: 0 });
  });

  test('is told of its deadline', async () => {
    let reason: unknown;
    const { clock, check } = agentOf((_request, { signal, clock: given }) => {
      const startedAt = given.monotonic();
      return new Promise((resolve) =>
        signal.addEventListener('abort', () => {
          reason = signal.reason;
          resolve({ ...down, statusCode: given.monotonic() - startedAt });
        }),
      );
    });
    const result = check(7_000);
    await clock.advance(7_000);
    expect(await result).toMatchObject({ vote: 'down', statusCode: 7_000 });
    expect(reason).toBe('deadline');
  });

  test.each<[string, Probe<PortCheckRequest>]>([
    [
      'throws at once',
      () => {
        throw new Error('on purpose');
      },
    ],
    ['rejects', () => Promise.reject(new Error('on purpose'))],
  ])('whose probe %s is unknown and logged', async (_name, probe) => {
    const { check, errors } = agentOf(probe);
    expect(await check()).toMatchObject({
      vote: 'unknown',
      failure: { code: 'probe_error', text: 'The probe failed: on purpose' },
    });
    expect(errors).toEqual(['A probe failed.']);
  });

  test('whose probe never ends is unknown soon after the deadline', async () => {
    const { clock, check, errors, agent } = agentOf(() => new Promise(() => {}));
    const result = check(5_000);
    await clock.advance(5_300);
    expect(await code(result)).toBe('probe_error');
    expect(errors).toHaveLength(1);
    expect(agent.load().running).toBe(0);
  });

  test('of a type from the future is unknown', async () => {
    const { agent } = agentOf(async () => up);
    const request = { type: 'quic', monitorId: 1, timeoutMs: 1_000 } as never;
    expect(await code(agent.run(request))).toBe('probe_unable');
  });
});

describe('when the process stood still', () => {
  test.each<[string, CheckResult, number, number, string | null]>([
    ['a failure is unknown', down, 10_000, 400, 'probe_lagged'],
    ['a failure counts after a short stall', down, 10_000, 200, 'connection_refused'],
    ['a tenth of a short time limit is too much', down, 1_000, 200, 'probe_lagged'],
    ['the machine slept for an hour', down, 10_000, 3_600_000, 'probe_lagged'],
    ['an answer stays an answer', up, 10_000, 400, null],
  ])('%s', async (_name, saw, timeoutMs, frozenMs, expected) => {
    const { clock, check } = agentOf(answers(saw, 500));
    const result = check(timeoutMs);
    await clock.advance(120);
    clock.freeze(frozenMs);
    await clock.advance(1_000);
    expect(await code(result)).toBe(expected);
  });

  test('an answer tells no times', async () => {
    const { clock, check } = agentOf(answers(up, 500));
    const result = check();
    await clock.advance(120);
    clock.freeze(2_000);
    await clock.advance(1_000);
    expect(await result).toEqual({ ...up, responseTimeMs: null, timings: NO_TIMINGS });
  });

  test('a suspended machine shows in the wall clock alone', async () => {
    const { clock, check } = agentOf(answers(down, 500));
    const result = check();
    await clock.advance(120);
    clock.stepWall(60_000);
    await clock.advance(1_000);
    expect(await code(result)).toBe('probe_lagged');
  });

  test.each([-60_000, 300])('a clock set by %i ms changes nothing', async (step) => {
    const { clock, check } = agentOf(answers(down, 500));
    const result = check();
    await clock.advance(120);
    clock.stepWall(step);
    await clock.advance(1_000);
    expect(await code(result)).toBe('connection_refused');
  });

  test('many short stalls add up', async () => {
    const { clock, check } = agentOf(answers(down, 9_000));
    const result = check();
    for (let i = 0; i < 20; i++) {
      await clock.advance(60);
      clock.freeze(180);
    }
    await clock.advance(10_000);
    expect(await code(result)).toBe('probe_lagged');
  });

  test('checks that began later are not doubted', async () => {
    const { clock, check } = agentOf(answers(down, 500));
    const before = check();
    await clock.advance(120);
    clock.freeze(2_000);
    const after = check();
    await clock.advance(1_000);
    expect(await code(before)).toBe('probe_lagged');
    expect(await code(after)).toBe('connection_refused');
  });
});

describe('more checks than may run', () => {
  test('wait for their turn, in order', async () => {
    let running = 0;
    let most = 0;
    const order: number[] = [];
    const { clock, agent } = agentOf(async (request, { clock: given }) => {
      order.push(request.monitorId);
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => void given.after(10, resolve));
      running--;
      return up;
    }, 3);
    const results = Array.from({ length: 20 }, (_, monitorId) =>
      agent.run({ type: 'port', monitorId, timeoutMs: 10_000, host: 'h', port: 80 }),
    );
    expect(agent.load()).toEqual({ running: 3, queued: 17 });
    await clock.advance(1_000);
    expect((await Promise.all(results)).every(({ vote }) => vote === 'up')).toBe(true);
    expect(most).toBe(3);
    expect(order).toEqual(Array.from({ length: 20 }, (_, i) => i));
    expect(clock.pending().timers).toBe(0);
  });

  test('have their own whole time after a short wait', async () => {
    const { clock, check } = agentOf(answers(up, 350), 1);
    const results = [check(360), check(360)];
    await clock.advance(1_000);
    expect((await Promise.all(results)).map(({ vote }) => vote)).toEqual(['up', 'up']);
  });

  test('are unknown, not down, when waiting took their time', async () => {
    const { clock, check } = agentOf(answers(down, 3_000), 1);
    const results = [check(5_000), check(5_000), check(5_000)];
    await clock.advance(20_000);
    expect(await Promise.all(results.map(code))).toEqual([
      'connection_refused',
      'probe_unable',
      'probe_unable',
    ]);
    expect((await results[2]!).failure?.text).toBe('This probe is overloaded');
  });
});

test('at the end everything is aborted, at once and for good', async () => {
  const reasons: unknown[] = [];
  const { agent, check, clock } = agentOf((_request, { signal }) => {
    signal.addEventListener('abort', () => reasons.push(signal.reason));
    return new Promise(() => {});
  }, 2);
  const results = [check(), check(), check()];
  agent.close();
  results.push(check());
  expect(await Promise.all(results.map(code))).toEqual(Array(4).fill('aborted'));
  expect(reasons).toEqual(['shutdown', 'shutdown']);
  await clock.settle();
  expect(clock.pending().timers).toBe(0);
});
