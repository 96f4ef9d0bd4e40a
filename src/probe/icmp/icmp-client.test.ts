import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test, type TestContext } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { echoUntil } from '../../../test/support/icmp-promises.ts';
import { systemClock } from '../../lib/clock.ts';
import { silentLog } from '../../lib/log.ts';
import { parseQuotedEcho } from './packet.ts';
import type { Arrival, IcmpTransport, SendOutcome } from './socket.ts';
import { createIcmpClient, type IcmpClient } from './icmp-client.ts';

let icmp: IcmpClient;
afterEach(() => icmp.close());

const never = new AbortController().signal;
const host = '10.0.0.1';
const hostBytes = Uint8Array.of(10, 0, 0, 1);

/** ICMP sockets controlled by the test. */
function fakeTransport(overrides: Partial<IcmpTransport> = {}) {
  const arrivals: (Arrival | 'foreign')[] = [];
  const sent: { sequence: number; identifier: number; token: Uint8Array }[] = [];
  let wake: (() => void) | null = null;
  const transport = {
    polls: 0,
    closed: false,
    unable: () => null,
    send(_family: 4 | 6, _to: Uint8Array, packet: Uint8Array): SendOutcome {
      // A copy, as the next packet is written over this one.
      const { token, ...echo } = parseQuotedEcho(4, packet.slice())!;
      sent.push({ ...echo, token: token! });
      return { kind: 'sent' };
    },
    receive: () => arrivals.shift() ?? null,
    async ready() {
      transport.polls++;
      if (arrivals.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return true;
    },
    close: () => void (transport.closed = true),
    ...overrides,
  };
  const arrive = (...arrived: (Arrival | 'foreign')[]) => {
    arrivals.push(...arrived);
    wake?.();
  };
  return { transport, sent, arrive, arrivals };
}

type Fake = ReturnType<typeof fakeTransport>;

function fakeIcmp(fake: Fake) {
  const clock = createFakeClock();
  icmp = createIcmpClient({ clock, log: silentLog, openTransport: async () => fake.transport });
  return { clock, end: () => fake.arrive() };
}

const reply = (fake: Fake, at = 0): Arrival => ({
  family: 4,
  source: hostBytes,
  message: { kind: 'reply', sequence: fake.sent[at]!.sequence, token: fake.sent[at]!.token },
});

describe('matching replies', () => {
  test('a reply from the target with our token has a round-trip time', async () => {
    const fake = fakeTransport();
    const { clock } = fakeIcmp(fake);
    const outcome = echoUntil(icmp, host, never);
    await clock.advance(12);
    fake.arrive('foreign', reply(fake));
    expect(await outcome).toEqual({ kind: 'reply', roundTripMs: 12 });
  });

  test.each<[string, (right: Arrival) => Arrival]>([
    ['another source', (right) => ({ ...right, source: Uint8Array.of(10, 0, 0, 2) })],
    ['another family', (right) => ({ ...right, family: 6 })],
    [
      'another token',
      (right) => ({
        ...right,
        message: { ...right.message, token: right.message.token!.with(3, 99) } as never,
      }),
    ],
    [
      'another sequence',
      (right) => ({
        ...right,
        message: { ...right.message, sequence: right.message.sequence ^ 1 },
      }),
    ],
  ])('not a reply with %s', async (_name, twist) => {
    const fake = fakeTransport();
    const { clock, end } = fakeIcmp(fake);
    const deadline = new AbortController();
    const outcome = echoUntil(icmp, host, deadline.signal);
    await clock.settle();
    fake.arrive(twist(reply(fake)));
    await clock.settle();
    expect(fake.arrivals).toEqual([]);
    deadline.abort('deadline');
    expect(await outcome).toEqual({ kind: 'silent' });
    end();
  });

  test.each([
    ['with our token', (fake: Fake) => fake.sent[0]!.token, 0, hostBytes, 'unreachable'],
    ['that quotes little, with our identifier', () => null, 0, hostBytes, 'unreachable'],
    ['that quotes little, with another identifier', () => null, 1, hostBytes, 'silent'],
    ['with another token', () => new Uint8Array(16), 0, hostBytes, 'silent'],
    ['about another host', () => null, 0, Uint8Array.of(10, 0, 0, 2), 'silent'],
  ] as const)('an error %s', async (_name, token, twist, destination, kind) => {
    const fake = fakeTransport();
    const { clock, end } = fakeIcmp(fake);
    const deadline = new AbortController();
    const outcome = echoUntil(icmp, host, deadline.signal);
    await clock.settle();
    const { sequence, identifier } = fake.sent[0]!;
    fake.arrive({
      family: 4,
      source: Uint8Array.of(10, 0, 0, 254),
      message: {
        kind: 'unreachable',
        code: 13,
        identifier: identifier ^ twist,
        sequence,
        destination,
        token: token(fake),
      },
    });
    await clock.settle();
    deadline.abort('deadline');
    expect((await outcome).kind).toBe(kind);
    if (kind === 'unreachable')
      expect(await outcome).toEqual({ kind, reason: 'filtered by a firewall' });
    end();
  });

  test('a reply that was unread at the deadline counts', async () => {
    const fake = fakeTransport({ ready: () => new Promise(() => {}) });
    const clock = createFakeClock();
    icmp = createIcmpClient({ clock, log: silentLog, openTransport: async () => fake.transport });
    const deadline = new AbortController();
    const outcome = echoUntil(icmp, host, deadline.signal);
    await clock.settle();
    fake.arrivals.push(reply(fake));
    deadline.abort('deadline');
    expect((await outcome).kind).toBe('reply');
    icmp = { ...icmp, close: async () => {} };
  });
});

describe('sending', () => {
  test.each<[SendOutcome, object]>([
    [{ kind: 'no_route' }, { kind: 'no_route' }],
    [{ kind: 'unreachable' }, { kind: 'unreachable', reason: null }],
    [
      { kind: 'failed', reason: 'nope' },
      { kind: 'unable', reason: 'A ping could not be sent: nope' },
    ],
  ])('%o', async (sendOutcome, outcome) => {
    const fake = fakeTransport({ send: () => sendOutcome });
    const { end } = fakeIcmp(fake);
    expect(await echoUntil(icmp, host, never)).toEqual(outcome);
    end();
  });

  test("waits while the kernel's queue is full", async () => {
    const fake = fakeTransport();
    const { send } = fake.transport;
    let refusals = 3;
    fake.transport.send = (...args) => (refusals-- > 0 ? { kind: 'busy' } : send(...args));
    const { clock } = fakeIcmp(fake);
    const outcome = echoUntil(icmp, host, never);
    await clock.advance(100);
    fake.arrive(reply(fake));
    expect(await outcome).toEqual({ kind: 'reply', roundTripMs: 85 });
  });

  test.each<[string, Partial<Parameters<typeof createIcmpClient>[0]>]>([
    [
      'the queue is full',
      { openTransport: async () => fakeTransport({ send: () => ({ kind: 'busy' }) }).transport },
    ],
    ['no socket is open yet', { openTransport: () => new Promise(() => {}) }],
  ])('an echo that was never sent is not unanswered: %s [18.22]', async (_, world) => {
    const clock = createFakeClock();
    icmp = createIcmpClient({
      clock,
      log: silentLog,
      openTransport: async () => fakeTransport().transport,
      ...world,
    });
    const deadline = new AbortController();
    const outcome = echoUntil(icmp, host, deadline.signal);
    await clock.advance(100);
    deadline.abort('deadline');
    expect((await outcome).kind).toBe('unable');
    icmp = { ...icmp, close: async () => {} };
  });

  test('reports why there is no socket, and retries temporary failures', async () => {
    let attempts = 0;
    const fake = fakeTransport({ unable: (family) => (family === 6 ? 'IPv6 is off' : null) });
    icmp = createIcmpClient({
      clock: createFakeClock(),
      log: silentLog,
      openTransport: async () => {
        if (attempts++ === 0) throw new Error('Too many open files');
        return fake.transport;
      },
    });
    expect(await echoUntil(icmp, host, never)).toEqual({
      kind: 'unable',
      reason: 'Too many open files',
    });
    expect(await echoUntil(icmp, 'fd00::1', never)).toEqual({
      kind: 'unable',
      reason: 'IPv6 is off',
    });
    expect((await echoUntil(icmp, 'no.address', never)).kind).toBe('unable');
    expect(attempts).toBe(2);
  });
});

describe('the poll', () => {
  test('runs once for all echoes and ends with the last one', async () => {
    const fake = fakeTransport();
    const { clock } = fakeIcmp(fake);
    const outcomes = Array.from({ length: 50 }, () => echoUntil(icmp, host, never));
    await clock.settle();
    expect(fake.transport.polls).toBe(1);
    fake.arrive(...fake.sent.map((_, at) => reply(fake, at)));
    for (const outcome of outcomes) expect((await outcome).kind).toBe('reply');
    await clock.settle();
    expect(fake.transport.polls).toBe(1);
    expect(clock.pending()).toEqual({ timers: 0, soons: 0 });
  });

  test('ends before the sockets are closed', async () => {
    const fake = fakeTransport();
    const { clock } = fakeIcmp(fake);
    const outcome = echoUntil(icmp, host, never);
    await clock.settle();
    const closing = icmp.close();
    expect(await outcome).toEqual({ kind: 'silent' });
    expect(fake.transport.closed).toBe(false);
    fake.arrive();
    await closing;
    expect(fake.transport.closed).toBe(true);
    expect((await echoUntil(icmp, host, never)).kind).toBe('unable');
  });
});

/** Without permission to open ICMP sockets these tests prove nothing: they report that, and fail on a build server. */
function requires(context: TestContext, able: boolean, why: string): void {
  if (able) return;
  const message = `NOT TESTED: ${context.task.name}: ${why}`;
  if (process.env['CI']) throw new Error(message);
  console.warn(message);
  context.skip(message);
}

describe('real sockets', () => {
  test.for(['127.0.0.1', '127.9.8.7', '::1', '::ffff:127.0.0.1'])(
    '%s',
    async (address, context) => {
      icmp = createIcmpClient({ clock: systemClock, log: silentLog });
      const outcome = await echoUntil(icmp, address, AbortSignal.timeout(5_000));
      requires(context, outcome.kind !== 'unable', 'this process may not open ICMP sockets');
      expect(outcome).toEqual({ kind: 'reply', roundTripMs: expect.any(Number) });
    },
  );

  test('a thousand hosts at once', async (context) => {
    icmp = createIcmpClient({ clock: systemClock, log: silentLog });
    const first = await echoUntil(icmp, '127.0.0.1', AbortSignal.timeout(5_000));
    requires(context, first.kind === 'reply', 'this process may not open ICMP sockets');
    const outcomes = await Promise.all(
      Array.from({ length: 1_000 }, (_, i) =>
        echoUntil(icmp, `127.1.${i >> 8}.${i & 255 || 1}`, AbortSignal.timeout(10_000)),
      ),
    );
    expect(outcomes.filter(({ kind }) => kind === 'reply')).toHaveLength(1_000);
  });

  test('another network: datagram and raw sockets, silent and unreachable hosts', (context) => {
    icmp = createIcmpClient({ clock: systemClock, log: silentLog });
    const script = fileURLToPath(new URL('../../../test/support/icmp-network.sh', import.meta.url));
    const entry = fileURLToPath(new URL('../../../test/support/icmp-echoes.ts', import.meta.url));
    const run = spawnSync('unshare', ['--net', 'sh', script, process.execPath, entry], {
      encoding: 'utf8',
    });
    requires(context, run.status === 0, `no network namespace (${run.error ?? run.stderr})`);
    const [datagram, raw] = run.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const expected = {
      '127.0.0.1': 'reply',
      '::1': 'reply',
      '10.77.0.9': 'unreachable',
      'fd77::9': 'unreachable',
      '10.88.0.1': 'unreachable',
      '10.99.0.1': 'no_route',
      'fd99::1': 'no_route',
      '10.77.0.8': 'silent',
    };
    expect(datagram).toEqual({ datagram: expected });
    expect(raw).toEqual({ raw: expected });
  });
});
