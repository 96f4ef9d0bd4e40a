import { describe, expect, test } from 'vitest';
import { clientOf } from '../../test/support/icmp-promises.ts';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import {
  answering,
  page,
  startServer,
  type FaultServer,
  type OnConnection,
} from '../../test/support/fault-servers.ts';
import { httpCheck, runProbe } from '../../test/support/probing.ts';
import { systemClock } from '../lib/clock.ts';
import type { CheckResult, FamilyOutcomes, Vote } from '../model/check.ts';
import type { Failure } from '../model/failure.ts';
import type { ResolvedAddress } from '../net/host.ts';
import { createResolver, type Resolver } from '../net/resolver.ts';
import { discountStalls } from './agent/stalls.ts';
import { createDualStackCheck, otherFamily } from './dual-stack.ts';
import { createHttpProbe } from './http/http.ts';
import type { EchoOutcome } from './icmp/icmp-client.ts';
import { createIcmpProbe } from './icmp/icmp-probe.ts';
import { probePort } from './port.ts';
import { closedAfterEach } from '../../test/support/closing.ts';
import { fileWith } from '../../test/support/temporary-file.ts';

const v4 = (address: string): ResolvedAddress => ({ address, family: 4 });
const v6 = (address: string): ResolvedAddress => ({ address, family: 6 });
const servers = closedAfterEach<{ close(): Promise<void> }>();

/** `both.example` has an address of each family, `four.example` and `six.example` have one. */
function resolverOf(hasNetwork: Resolver['hasNetwork'] = () => true): Resolver {
  const hostsFile = fileWith('127.0.0.1 both.example four.example\n::1 both.example six.example\n');
  return createResolver({ clock: systemClock, servers: ['127.0.0.1:1'], hostsFile, hasNetwork });
}

interface Pair {
  ipv4: FaultServer | null;
  ipv6: FaultServer | null;
  port: number;
}

/** Servers of the same port on the loopback addresses of those families. */
async function serve(families: 'both' | 'ipv4' | 'ipv6', on: OnConnection): Promise<Pair> {
  const first = await startServer(on, families === 'ipv6' ? '::1' : '127.0.0.1');
  servers.push(first);
  const { port } = first;
  if (families !== 'both') return { ipv4: null, ipv6: null, port, [families]: first };
  try {
    const second = await startServer(on, '::1', port);
    servers.push(second);
    return { ipv4: first, ipv6: second, port };
  } catch {
    // The port is in use in the other family.
    return serve(families, on);
  }
}

/** `done` resolves after that many connections. */
function awaiting(
  connections: number,
  then: OnConnection,
): { on: OnConnection; done: Promise<void> } {
  const { promise: done, resolve } = Promise.withResolvers<void>();
  let count = 0;
  const on: OnConnection = (socket, received) => {
    then(socket, received);
    if (++count === connections) resolve();
  };
  return { on, done };
}

const hello = answering(page('hello'));
const probeHttp = createHttpProbe({
  evaluator: { evaluate: () => Promise.reject(new Error('nothing is to be searched')) },
});
const checkPort = (host: string, port: number, resolver = resolverOf()): Promise<CheckResult> =>
  runProbe(probePort, { type: 'port', monitorId: 1, timeoutMs: 10_000, host, port }, { resolver });
const checkHttp = (host: string, port: number, path = '/'): Promise<CheckResult> =>
  runProbe(probeHttp, httpCheck(`http://${host}:${port}${path}`), { resolver: resolverOf() });
const refusedBy = (where: string): Failure => ({
  code: 'connection_refused',
  text: `Connection refused by ${where}`,
});

describe.each([
  ['port', checkPort],
  ['http', checkHttp],
])('%s', (_type, check) => {
  test('both families respond', async () => {
    const { on, done } = awaiting(2, hello);
    const { port, ipv4, ipv6 } = await serve('both', on);
    const result = await check('both.example', port);
    expect(result).toMatchObject({ vote: 'up', remoteAddress: '127.0.0.1' });
    expect(result.families).toEqual({ ipv4: null, ipv6: null });
    await done;
    expect(ipv6?.received).toEqual(['']);
    await Promise.all([ipv4?.allClosed(), ipv6?.allClosed()]);
  });

  test('IPv6 alone is refused [15.23]', async () => {
    const { port } = await serve('ipv4', hello);
    const result = await check('both.example', port);
    expect(result).toMatchObject({ vote: 'up', failure: null, remoteAddress: '127.0.0.1' });
    expect(result.families).toEqual({ ipv4: null, ipv6: refusedBy(`[::1] port ${port}`) });
  });

  test('IPv4 alone is refused: the check fell back, and tries no other', async () => {
    const { port, ipv6 } = await serve('ipv6', hello);
    const result = await check('both.example', port);
    expect(result).toMatchObject({ vote: 'up', remoteAddress: '::1' });
    expect(result.families).toEqual({ ipv4: refusedBy(`127.0.0.1 port ${port}`), ipv6: null });
    expect(ipv6?.received).toHaveLength(1);
  });

  test('both are refused: the check is down, with the address tried last', async () => {
    const { port } = await serve('both', hello);
    await Promise.all(servers.splice(0).map((server) => server.close()));
    const result = await check('both.example', port);
    expect(result).toMatchObject({ vote: 'down', failure: refusedBy(`127.0.0.1 port ${port}`) });
    expect(result).toMatchObject({ remoteAddress: '::1' });
    expect(result).not.toHaveProperty('families');
  });

  test.each([
    ['127.0.0.1', 'ipv4'],
    ['[::1]', 'ipv6'],
    ['four.example', 'ipv4'],
    ['six.example', 'ipv6'],
  ] as const)('nothing is reported for %s', async (host, family) => {
    const { port } = await serve(family, hello);
    const result = await check(host, port);
    expect(result.vote).toBe('up');
    expect(result).not.toHaveProperty('families');
  });
});

test('a live address of the other family is found behind many dead ones [15.6]', async () => {
  const { port } = await serve('ipv6', hello);
  const dead = [1, 2, 3, 4, 5, 6].map((last) => v4(`127.0.0.${last}`));
  const resolver: Resolver = {
    resolve: async () => ({ ok: true, addresses: [...dead, v6('::1')], lookupMs: 0 }),
    hasNetwork: () => true,
  };
  expect(await checkPort('many.example', port, resolver)).toMatchObject({
    vote: 'up',
    remoteAddress: '::1',
    families: { ipv4: refusedBy(`127.0.0.1 port ${port}`), ipv6: null },
  });
});

test('only the first host counts, not redirect targets [15.25]', async () => {
  const target = await serve('ipv4', hello);
  const location = `http://both.example:${target.port}/`;
  const { on, done } = awaiting(
    2,
    answering(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`),
  );
  const first = await serve('both', on);
  const result = await checkHttp('both.example', first.port);
  expect(result).toMatchObject({ vote: 'up', statusCode: 200 });
  expect(result.families).toEqual({ ipv4: null, ipv6: null });
  await done;
  expect(first.ipv6?.received).toHaveLength(1);
});

describe('choice of the address [15.22]', () => {
  const global6 = v6('2001:db8::1');
  test.each<[string, ResolvedAddress[], (4 | 6)[], ResolvedAddress | null]>([
    [
      'the first of the other family',
      [v4('192.0.2.1'), global6, v6('2001:db8::2')],
      [4, 6],
      global6,
    ],
    ['none without a network of that family', [v4('192.0.2.1'), global6], [4], null],
    ['loopback without any network', [v4('127.0.0.1'), v6('::1')], [], v6('::1')],
    ['none of a name with one family', [v4('192.0.2.1'), v4('192.0.2.2')], [4, 6], null],
    ['none for IPv4 in the dress of IPv6', [v4('192.0.2.1'), v6('::ffff:192.0.2.1')], [4, 6], null],
    ['IPv4 where IPv6 was used', [global6, v4('192.0.2.1')], [4, 6], v4('192.0.2.1')],
  ])('%s', (_name, addresses, networks, expected) => {
    const resolver = { hasNetwork: (family: 4 | 6) => networks.includes(family) };
    expect(otherFamily(addresses, addresses[0]!, resolver)).toEqual(expected);
  });
});

interface Watched {
  /** Time and outcome of the other family; no response by default. */
  after?: number;
  failure?: Failure | null;
  /** Result of the check, when its own work is done. */
  vote?: Vote;
  doneAtMs?: number;
  timeoutMs?: number;
  /** Time and reason of aborting the check's signal. */
  endAtMs?: number;
  reason?: string;
}

const SILENT: Failure = { code: 'connection_timeout', text: 'timed out' };

/** Runs one dual-stack check of a name with both families, with its own clock. */
async function watch(
  world: Watched,
): Promise<{ families: FamilyOutcomes | undefined; at: number }> {
  const clock = createFakeClock();
  const end = new AbortController();
  const { timeoutMs = 30_000, doneAtMs = 0 } = world;
  const families = createDualStackCheck({
    clock,
    resolver: { hasNetwork: () => true },
    signal: end.signal,
    deadline: timeoutMs,
  });
  clock.after(world.endAtMs ?? timeoutMs, () => end.abort(world.reason ?? 'deadline'));
  families.reached({
    addresses: [v4('192.0.2.1'), v6('2001:db8::1')],
    isPartial: false,
    used: v4('192.0.2.1'),
    failures: [],
    tryAddress: (_address, signal) =>
      new Promise((resolve) => {
        const aborted: Failure = { code: 'aborted', text: 'stopped' };
        signal.addEventListener('abort', () =>
          resolve(signal.reason === 'shutdown' ? aborted : SILENT),
        );
        if (world.after !== undefined)
          clock.after(world.after, () => resolve(world.failure ?? null));
      }),
  });
  const vote = world.vote ?? 'up';
  const completed = new Promise<{ families: FamilyOutcomes | undefined; at: number }>((resolve) => {
    clock.after(doneAtMs, async () => {
      const result = await families.complete({ vote } as CheckResult);
      resolve({ families: result.families, at: clock.monotonic() });
    });
  });
  await clock.advance(60_000);
  expect(clock.pending()).toEqual({ timers: 0, soons: 0 });
  return completed;
}

describe('time to wait for the other family [15.24]', () => {
  const good = { ipv4: null, ipv6: null };
  const silent = { ipv4: null, ipv6: SILENT };
  test.each<[string, Watched, FamilyOutcomes | undefined, number]>([
    ['it answered while the check worked', { after: 20, doneAtMs: 100 }, good, 100],
    ['it answers a little later', { after: 300, doneAtMs: 100 }, good, 300],
    ['silence', { doneAtMs: 100 }, silent, 2_500],
    ['silence beside long work', { doneAtMs: 9_000 }, silent, 9_000],
    ['silence up to the deadline', { doneAtMs: 100, timeoutMs: 900 }, silent, 900],
    ['too little time to call it silence', { doneAtMs: 100, timeoutMs: 400 }, undefined, 400],
    ['a check that is down waits for nothing', { vote: 'down', doneAtMs: 100 }, undefined, 100],
    ['and reports what is known', { vote: 'down', after: 20, doneAtMs: 100 }, good, 100],
    ['a check that knows nothing', { vote: 'unknown', after: 20, doneAtMs: 100 }, undefined, 100],
    ['the end of the process', { endAtMs: 700, reason: 'shutdown' }, undefined, 700],
    [
      'a fault of our own',
      { after: 20, failure: { code: 'probe_no_network', text: '' } },
      undefined,
      20,
    ],
  ])('%s', async (_name, world, expected, at) => {
    expect(await watch(world)).toEqual({ families: expected, at: Math.max(1, at) });
  });
});

const unable = async (): Promise<EchoOutcome> => ({ kind: 'unable', reason: 'no program' });

test('an answer of the other family that waits to be read when its time is over counts [15.24]', async () => {
  const clock = createFakeClock();
  const answer = Promise.withResolvers<null>();
  const soon = (call: () => void) => clock.soon(() => (answer.resolve(null), call()));
  const families = createDualStackCheck({
    clock: { ...clock, soon },
    resolver: { hasNetwork: () => true },
    signal: new AbortController().signal,
    deadline: 30_000,
  });
  families.reached({
    addresses: [v4('192.0.2.1'), v6('2001:db8::1')],
    isPartial: false,
    used: v4('192.0.2.1'),
    failures: [],
    tryAddress: (_address, signal) =>
      Promise.race([
        answer.promise,
        new Promise<Failure>((resolve) => signal.addEventListener('abort', () => resolve(SILENT))),
      ]),
  });
  const completed = families.complete({ vote: 'up' } as CheckResult);
  await clock.advance(60_000);
  expect((await completed).families).toEqual({ ipv4: null, ipv6: null });
});

describe('ping', () => {
  interface Echoes {
    addresses?: ResolvedAddress[];
    answers: Record<string, EchoOutcome | 'silent'>;
    hasNetwork?: boolean;
  }

  async function ping({ addresses, answers, hasNetwork = true }: Echoes): Promise<CheckResult> {
    const clock = createFakeClock();
    const deadline = new AbortController();
    const echo = (address: string, signal: AbortSignal): Promise<EchoOutcome> =>
      new Promise((resolve) => {
        const answer = answers[address] ?? 'silent';
        signal.addEventListener('abort', () => resolve({ kind: 'silent' }));
        if (answer !== 'silent') clock.after(10, () => resolve(answer));
      });
    clock.after(6_000, () => deadline.abort('deadline'));
    const result = createIcmpProbe(clientOf(echo), unable)(
      { type: 'ping', monitorId: 1, timeoutMs: 6_000, host: 'both.example' },
      {
        clock,
        signal: deadline.signal,
        guard: { evaluate: () => ({ allowed: true }) },
        resolver: {
          resolve: async () => ({
            ok: true,
            lookupMs: 0,
            addresses: addresses ?? [v4('192.0.2.1'), v6('2001:db8::1')],
          }),
          hasNetwork: (family) => family === 4 || hasNetwork,
        },
      },
    );
    await clock.advance(20_000);
    expect(clock.pending()).toEqual({ timers: 0, soons: 0 });
    return result;
  }

  const reply: EchoOutcome = { kind: 'reply', roundTripMs: 10 };
  const filtered: EchoOutcome = { kind: 'unreachable', reason: 'filtered by a firewall' };

  test.each<[string, Echoes, FamilyOutcomes | undefined]>([
    [
      'both reply',
      { answers: { '192.0.2.1': reply, '2001:db8::1': reply } },
      { ipv4: null, ipv6: null },
    ],
    [
      'IPv6 is silent',
      { answers: { '192.0.2.1': reply } },
      {
        ipv4: null,
        ipv6: { code: 'no_echo', text: 'No reply to ping from 2001:db8::1 within 2.5 s' },
      },
    ],
    [
      'IPv4 is unreachable, and the check fell back',
      { answers: { '192.0.2.1': filtered, '2001:db8::1': reply } },
      {
        ipv4: {
          code: 'host_unreachable',
          text: 'Host 192.0.2.1 is unreachable: filtered by a firewall',
        },
        ipv6: null,
      },
    ],
    [
      'IPv4 is silent, and the check fell back',
      { answers: { '2001:db8::1': reply } },
      {
        ipv4: { code: 'no_echo', text: 'No reply to ping from 192.0.2.1 within 2.5 s' },
        ipv6: null,
      },
    ],
    [
      'this machine can send no IPv6 echoes',
      { answers: { '192.0.2.1': reply, '2001:db8::1': { kind: 'unable', reason: 'no socket' } } },
      undefined,
    ],
    ['this machine has no IPv6', { answers: { '192.0.2.1': reply }, hasNetwork: false }, undefined],
    [
      'the name has one family',
      { addresses: [v4('192.0.2.1'), v4('192.0.2.2')], answers: { '192.0.2.1': reply } },
      undefined,
    ],
  ])('%s', async (_name, world, expected) => {
    const result = await ping(world);
    expect(result).toMatchObject({ vote: 'up', failure: null, responseTimeMs: 10 });
    expect(result.families).toEqual(expected);
  });
});

test('a stalled probe reports nothing about the other family [15.26]', () => {
  const saw = { vote: 'up', families: { ipv4: null, ipv6: SILENT } } as CheckResult;
  const time = { elapsedMs: 4_000, timeoutMs: 30_000 };
  expect(discountStalls(saw, { longestMs: 0, totalMs: 0 }, time)).toHaveProperty('families');
  const stalls = { longestMs: 3_000, totalMs: 3_000 };
  expect(discountStalls(saw, stalls, time)).not.toHaveProperty('families');
});

const answers = async () => null;

test.each([
  ['all addresses are of one family', [v4('192.0.2.1'), v4('192.0.2.2')], false, true],
  ['there may be others', [v4('192.0.2.1')], true, undefined],
])('%s: %j', async (_, addresses, isPartial, hasOneFamily) => {
  const families = createDualStackCheck({
    clock: createFakeClock(),
    resolver: { hasNetwork: () => true },
    signal: new AbortController().signal,
    deadline: 1_000,
  });
  families.reached({
    addresses,
    isPartial,
    used: addresses[0]!,
    failures: [],
    tryAddress: answers,
  });
  const up = await families.complete({ vote: 'up' } as CheckResult);
  expect(up.hasOneFamily).toBe(hasOneFamily);
  const down = await families.complete({ vote: 'down' } as CheckResult);
  expect(down).toEqual({ vote: 'down' });
});
