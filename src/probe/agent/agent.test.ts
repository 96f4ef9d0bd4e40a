import { describe, expect, test } from 'vitest';
import { noInspectors } from '../../../test/support/inspectors.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { silentLog } from '../../lib/log.ts';
import { NO_TIMINGS, type CheckResult } from '../../model/check.ts';
import type { PortCheckRequest } from '../../monitor-types/port.ts';
import { MAX_SLOT_WAIT_MS } from '../../model/probe-load.ts';
import { createAddressGuard } from '../../net/address-guard.ts';
import { createAgent, URGENT_SLOTS } from './agent.ts';
import type { Inspectors } from './registry.ts';
import type { Probe } from '../contract.ts';

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

const silent: CheckResult = {
  ...down,
  failure: { code: 'connection_timeout', text: 'No connection to 10.0.0.1 port 80 within 10 s' },
};

function agentOf(
  port: Probe<PortCheckRequest>,
  maxConcurrent = 100,
  inspectors: Inspectors = noInspectors,
) {
  const clock = createFakeClock();
  const errors: string[] = [];
  const agent = createAgent({
    registry: { port, http: async () => up, ping: async () => up },
    inspectors,
    resolver: { resolve: async () => ({ ok: false, code: 'dns_failed' }), hasNetwork: () => true },
    guard: createAddressGuard(true),
    clock,
    log: { ...silentLog, error: (_fields, message) => void errors.push(message) },
    maxConcurrent,
  });
  const PORT = { type: 'port' as const, monitorId: 1, timeoutMs: 10_000, host: 'h', port: 80 };
  const check = (timeoutMs = 10_000, owner: Partial<PortCheckRequest> = {}) =>
    agent.run({ ...PORT, teamId: 1, timeoutMs, ...owner });
  /** A check that a person waits for. */
  const checkNow = () => agent.run(PORT);
  return { clock, agent, check, checkNow, errors };
}

const code = async (result: Promise<CheckResult>) => (await result).failure?.code ?? null;

/** Responds after that time, by the agent's clock, or when aborted. */
const answers =
  (result: CheckResult, afterMs: number): Probe<PortCheckRequest> =>
  (_request, { clock, signal }) =>
    new Promise((resolve) => {
      clock.after(afterMs, () => resolve(result));
      signal.addEventListener('abort', () => resolve(down));
    });

describe('a check', () => {
  test("returns the probe's result, and leaves nothing running", async () => {
    const { clock, check, agent } = agentOf(answers(up, 30));
    const result = check();
    await clock.advance(30);
    expect(await result).toEqual(up);
    await clock.settle();
    expect(clock.pending()).toEqual({ timers: 0, soons: 0 });
    expect(agent.load()).toEqual({ running: 0, waiting: 0, longestWaitMs: 0, capacity: 100 });
  });

  test('is aborted at its deadline', async () => {
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

  test('of an unsupported type is unknown', async () => {
    const { agent } = agentOf(async () => up);
    const request = { type: 'quic', monitorId: 1, timeoutMs: 1_000 } as never;
    expect(await code(agent.run(request))).toBe('probe_unable');
  });
});

describe('when the process was stalled', () => {
  test.each<[string, CheckResult, number, number, string | null]>([
    ['silence is unknown', silent, 10_000, 400, 'probe_lagged'],
    ['a refusal is the answer of the target', down, 10_000, 400, 'connection_refused'],
    ['silence counts after a short stall', silent, 10_000, 40, 'connection_timeout'],
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

  test.each<[string, number, number, string | null]>([
    // name, frozen from, frozen for, expected
    ['an answer that waited to be read when the time was over counts', 9_480, 540, null],
    ['so does one that comes in the time that the target lost', 2_000, 3_000, null],
    ['silence counts once the target had its time', 2_000, 3_000, 'connection_timeout'],
    ['also after a long stall', 100, 30_000, 'connection_timeout'],
  ])('%s [18.10]', async (_name, frozenAt, frozenMs, expected) => {
    // Its answer waits in the socket until the event loop gets to it.
    const { clock, check } = agentOf((_request, { clock: given, signal }) => {
      const endsAt = given.monotonic() + (expected === null ? 9_500 : Infinity);
      return new Promise((resolve) => {
        const look = (): void => {
          if (given.monotonic() >= endsAt) resolve(up);
          else given.after(40, () => given.soon(look));
        };
        look();
        signal.addEventListener('abort', () => resolve(silent));
      });
    });
    const result = check(10_000);
    await clock.advance(frozenAt);
    clock.freeze(frozenMs);
    await clock.advance(25_000);
    expect(await code(result)).toBe(expected);
  });

  test('a check that a person waits for gets little more time', async () => {
    const { clock, checkNow } = agentOf((_request, { signal }) => {
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(silent)));
    });
    const result = checkNow();
    await clock.advance(2_000);
    clock.freeze(5_000);
    await clock.advance(3_600);
    expect(await code(result)).toBe('probe_lagged');
  });

  test('a response has no timings', async () => {
    const { clock, check } = agentOf(answers(up, 500));
    const result = check();
    await clock.advance(120);
    clock.freeze(2_000);
    await clock.advance(1_000);
    expect(await result).toEqual({ ...up, responseTimeMs: null, timings: NO_TIMINGS });
  });

  test('a suspended machine is detected by the wall clock', async () => {
    const { clock, check } = agentOf(answers(silent, 500));
    const result = check();
    await clock.advance(120);
    clock.stepWall(60_000);
    await clock.advance(1_000);
    expect(await code(result)).toBe('probe_lagged');
  });

  test.each([-60_000, 300])('a clock change of %i ms has no effect', async (step) => {
    const { clock, check } = agentOf(answers(silent, 500));
    const result = check();
    await clock.advance(120);
    clock.stepWall(step);
    await clock.advance(1_000);
    expect(await code(result)).toBe('connection_timeout');
  });

  test('many short stalls add up', async () => {
    const { clock, check } = agentOf(answers(silent, 9_000));
    const result = check();
    for (let i = 0; i < 20; i++) {
      await clock.advance(60);
      clock.freeze(180);
    }
    await clock.advance(10_000);
    expect(await code(result)).toBe('probe_lagged');
  });

  test('a timeout counts on a machine with occasional stalls', async () => {
    const { clock, check } = agentOf(answers(silent, 27_000));
    const result = check(30_000);
    await clock.advance(10_000);
    clock.freeze(300);
    await clock.advance(30_000);
    expect(await code(result)).toBe('connection_timeout');
  });

  test.each([
    [0, 'failed'],
    [40, 'failed'],
    [400, 'unknown'],
  ])(
    "after %i ms of it a name server's silence in an inspection is %s [18.10]",
    async (frozenMs, state) => {
      const failure = { code: 'dns_timeout', text: 'DNS timeout' } as const;
      const { clock, agent } = agentOf(async () => up, 100, {
        ...noInspectors,
        async dns(_request, { clock: given }) {
          await new Promise<void>((resolve) => void given.after(500, resolve));
          return { state: 'failed', failure };
        },
      });
      const result = agent.inspect({ kind: 'dns', host: 'example.com', timeoutMs: 10_000 });
      await clock.advance(120);
      clock.freeze(frozenMs);
      await clock.advance(1_000);
      expect((await result).state).toBe(state);
      expect(clock.pending().timers).toBe(0);
    },
  );

  test('checks that started later are not affected', async () => {
    const { clock, check } = agentOf(answers(silent, 500));
    const before = check();
    await clock.advance(120);
    clock.freeze(2_000);
    const after = check();
    await clock.advance(1_000);
    expect(await code(before)).toBe('probe_lagged');
    expect(await code(after)).toBe('connection_timeout');
  });
});

describe('more checks than slots', () => {
  test('wait for a slot; those of one host start in order', async () => {
    let running = 0;
    let most = 0;
    const order: number[] = [];
    const { clock, agent, check } = agentOf(async (request, { clock: given }) => {
      order.push(request.monitorId);
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => void given.after(10, resolve));
      running--;
      return up;
    }, 3);
    const results = Array.from({ length: 20 }, (_, monitorId) => check(10_000, { monitorId }));
    expect(agent.load()).toMatchObject({ running: 3, waiting: 17 });
    await clock.advance(1_000);
    expect((await Promise.all(results)).every(({ vote }) => vote === 'up')).toBe(true);
    expect(most).toBe(3);
    expect(order).toEqual(Array.from({ length: 20 }, (_, i) => i));
    expect(clock.pending().timers).toBe(0);
  });

  test('have their full time limit, and their vote counts, however long they waited [25.20]', async () => {
    const ends: number[] = [];
    const { clock, check } = agentOf((_request, { clock: given, signal }) => {
      return new Promise((resolve) =>
        signal.addEventListener('abort', () => {
          ends.push(given.monotonic());
          resolve(down);
        }),
      );
    }, 1);
    const startedAt = clock.monotonic();
    const results = [check(5_000), check(5_000), check(5_000)];
    await clock.advance(20_000);
    expect(await Promise.all(results)).toEqual([down, down, down]);
    expect(ends.map((at) => at - startedAt)).toEqual([5_000, 10_000, 15_000]);
  });

  test("a team whose checks hang doesn't take the slots of others", async () => {
    const started: string[] = [];
    const { clock, check } = agentOf((request, { clock: given }) => {
      started.push(`${request.teamId} ${request.host}`);
      const takesMs = request.host.startsWith('hung') ? 10_000 : 10;
      return new Promise((resolve) => void given.after(takesMs, () => resolve(up)));
    }, 4);
    for (let n = 0; n < 40; n++) void check(20_000, { teamId: 1, host: `hung${n % 2}` });
    await clock.advance(5_000);
    for (let n = 0; n < 20; n++) void check(20_000, { teamId: 2, host: `well${n}` });
    void check(20_000, { teamId: 1, host: 'well' });
    expect(started).toHaveLength(4);
    await clock.advance(5_100);
    // Four slots became free at once: two are the other team's share, one goes to the host without any.
    const freed = started.slice(4);
    expect(freed.slice(0, 3)).toEqual(['2 well0', '2 well1', '1 well']);
    expect(freed.filter((each) => each.startsWith('2 '))).toHaveLength(20);
  });

  test('report how many wait, and for how long', async () => {
    const { clock, check, agent } = agentOf(answers(up, 10_000), 1);
    const results = [check(20_000), check(20_000)];
    await clock.advance(3_000);
    void check(20_000);
    await clock.advance(1_000);
    expect(agent.load()).toEqual({ running: 1, waiting: 2, longestWaitMs: 4_000, capacity: 1 });
    await clock.advance(8_000);
    expect(agent.load()).toEqual({ running: 1, waiting: 1, longestWaitMs: 9_000, capacity: 1 });
    await clock.advance(20_000);
    await Promise.all(results);
  });

  test('are unknown if no slot was free for 15 minutes [25.24]', async () => {
    const { clock, check, agent } = agentOf(answers(up, 3_600_000), 1);
    void check(7_200_000);
    const second = check(5_000);
    await clock.advance(MAX_SLOT_WAIT_MS - 1);
    expect(agent.load().waiting).toBe(1);
    await clock.advance(1);
    expect(await second).toMatchObject({
      vote: 'unknown',
      failure: {
        code: 'probe_unable',
        text: 'This probe is overloaded: no slot was free for 15 minutes',
      },
    });
    expect(agent.load().waiting).toBe(0);
  });

  test("don't delay a check that a person waits for, unless too many of those run [25.22]", async () => {
    const { check, checkNow, agent } = agentOf(() => new Promise(() => {}), 1);
    void check();
    void check();
    for (let n = 0; n < URGENT_SLOTS; n++) void checkNow();
    expect(agent.load()).toMatchObject({ running: 1 + URGENT_SLOTS, waiting: 1 });
    expect(await checkNow()).toMatchObject({
      vote: 'unknown',
      failure: { code: 'probe_unable', text: 'This probe is overloaded: no slot is free' },
    });
  });

  test('of a round start one after another, so that its regions share a lookup', async () => {
    const order: string[] = [];
    const { clock, agent } = agentOf(async (request, { clock: given }) => {
      order.push(request.host);
      await new Promise<void>((resolve) => void given.after(10, resolve));
      return up;
    }, 2);
    const results = ['x', 'a', 'b', 'c'].flatMap((host) => {
      const round = { type: 'port', monitorId: 1, teamId: 1, timeoutMs: 1_000, host, port: 80 };
      return Array.from({ length: host === 'x' ? 2 : 3 }, () =>
        agent.run(round as PortCheckRequest),
      );
    });
    expect(agent.load()).toMatchObject({ running: 2, waiting: 9 });
    await clock.advance(1_000);
    await Promise.all(results);
    expect(order).toEqual([...'xxaaabbbccc']);
    expect(agent.load()).toMatchObject({ running: 0, waiting: 0 });
  });

  test('that waited for too long are dropped when some of their round have begun', async () => {
    const started: string[] = [];
    const { clock, agent } = agentOf((request, { clock: given }) => {
      started.push(request.host);
      return new Promise(
        (resolve) => void given.after(MAX_SLOT_WAIT_MS - 5_000, () => resolve(up)),
      );
    }, 1);
    const run = (host: string, count: number) => {
      const timeoutMs = 2 * MAX_SLOT_WAIT_MS;
      const round = { type: 'port', monitorId: 1, teamId: 1, timeoutMs, host, port: 80 };
      return Array.from({ length: count }, () => agent.run(round as PortCheckRequest));
    };
    const first = run('first', 1);
    const late = run('late', 3);
    await clock.advance(MAX_SLOT_WAIT_MS + 1_000);
    expect(started).toEqual(['first', 'late']);
    expect(await Promise.all(late.slice(1).map(code))).toEqual(['probe_unable', 'probe_unable']);
    expect(agent.load()).toMatchObject({ running: 1, waiting: 0 });
    const next = run('next', 1);
    await clock.advance(2 * MAX_SLOT_WAIT_MS);
    expect(await Promise.all([first[0]!, late[0]!, next[0]!].map(code))).toEqual([
      null,
      null,
      null,
    ]);
    expect(started).toEqual(['first', 'late', 'next']);
  });

  test('start at most sixteen per event loop iteration [25.23]', async () => {
    const { check, agent, clock } = agentOf(answers(up, 1_000), 1_000);
    const results = Array.from({ length: 100 }, () => check());
    expect(agent.load()).toMatchObject({ running: 16, waiting: 84 });
    await clock.settle();
    expect(agent.load()).toMatchObject({ running: 100, waiting: 0 });
    await clock.advance(1_000);
    await Promise.all(results);
    expect(clock.pending()).toEqual({ timers: 0, soons: 0 });
  });
});

describe('the time of the first packet', () => {
  test("is reported, also for a failure that doesn't count", async () => {
    const { clock, check } = agentOf((request, { clock: given, onSend, resolver, signal }) => {
      given.after(40, () => void resolver.resolve('h', signal));
      given.after(60, () => onSend?.());
      return answers(silent, 500)(request, { clock: given, signal } as never);
    });
    const askedAt = clock.now();
    const result = check();
    await clock.advance(120);
    clock.freeze(400);
    await clock.advance(1_000);
    expect(await result).toMatchObject({ vote: 'unknown', sentAt: askedAt + 40 });
  });

  test('is that of the check itself, not of its request', async () => {
    const { clock, check } = agentOf(async (request, context) => {
      context.onSend?.();
      return answers(up, 2_000)(request, context);
    }, 1);
    const askedAt = clock.now();
    const results = [check(), check()];
    await clock.advance(5_000);
    expect((await Promise.all(results)).map(({ sentAt }) => sentAt! - askedAt)).toEqual([0, 2_000]);
  });
});

test('close aborts all running and later checks at once', async () => {
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
