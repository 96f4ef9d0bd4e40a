import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { clientOf } from '../../../test/support/icmp-promises.ts';
import { systemClock } from '../../lib/clock.ts';
import { createAddressGuard } from '../../net/address-guard.ts';
import type { ResolvedAddress } from '../../net/host.ts';
import type { Resolution } from '../../net/resolver.ts';
import type { EchoOutcome } from './icmp-client.ts';
import { createIcmpProbe, readPingOutput, runPing, type PingProgram } from './icmp-probe.ts';

const v4 = (address: string): ResolvedAddress => ({ address, family: 4 });
const v6 = (address: string): ResolvedAddress => ({ address, family: 6 });
const found = (...addresses: ResolvedAddress[]): Resolution => ({
  ok: true,
  addresses,
  lookupMs: 0,
});

interface World {
  resolution?: Resolution;
  timeoutMs?: number;
  host?: string;
  hasNetwork?: boolean;
  allowPrivate?: boolean;
  /** Delay and outcome of each echo, in order; null for no reply. */
  echoes?: ([afterMs: number, outcome: EchoOutcome] | null)[];
  /** Outcome of an echo without a reply; `silent` by default. */
  unanswered?: EchoOutcome;
  program?: PingProgram;
  endAtMs?: number;
  endReason?: string;
}

/** Runs one check to its end with its own clock. */
async function ping(world: World) {
  const { timeoutMs = 6_000, host = 'target.example', echoes = [] } = world;
  const clock = createFakeClock();
  const deadline = new AbortController();
  const sent: { at: number; address: string }[] = [];
  const programs: string[] = [];
  const icmp = clientOf(
    (address, signal) =>
      new Promise<EchoOutcome>((resolve) => {
        const plan = echoes[sent.length] ?? null;
        sent.push({ at: clock.monotonic(), address });
        if (signal.aborted) resolve({ kind: 'silent' });
        signal.addEventListener('abort', () => resolve(world.unanswered ?? { kind: 'silent' }));
        if (plan) clock.after(plan[0], () => resolve(plan[1]));
      }),
  );
  const program: PingProgram = (address, deps) => {
    programs.push(address);
    return (
      world.program ?? (async () => ({ kind: 'unable', reason: 'there is no ping program' }))
    )(address, deps);
  };
  const probe = createIcmpProbe(icmp, program);
  clock.after(world.endAtMs ?? timeoutMs, () => deadline.abort(world.endReason ?? 'deadline'));
  const result = probe(
    { type: 'ping', monitorId: 1, timeoutMs, host },
    {
      clock,
      signal: deadline.signal,
      guard: createAddressGuard(world.allowPrivate ?? true),
      resolver: {
        resolve: async () => world.resolution ?? found(v4('10.0.0.1')),
        hasNetwork: () => world.hasNetwork ?? true,
      },
    },
  );
  await clock.advance(timeoutMs + 10_000);
  return { result: await result, sent, programs, pending: clock.pending() };
}

const reply = (roundTripMs: number): EchoOutcome => ({ kind: 'reply', roundTripMs });

describe('a reply', () => {
  test('to the first echo is up with its round trip [15.19]', async () => {
    const { result, sent, pending } = await ping({ echoes: [[20, reply(19.5)]] });
    expect(result).toEqual({
      vote: 'up',
      failure: null,
      responseTimeMs: 19.5,
      statusCode: null,
      timings: { dnsMs: 0, tcpMs: null, tlsMs: null, ttfbMs: null, totalMs: 20 },
      remoteAddress: '10.0.0.1',
      evidence: null,
      hasOneFamily: true,
    });
    expect(sent).toHaveLength(1);
    expect(pending).toEqual({ timers: 0, soons: 0 });
  });

  test('may come to the last of three echoes [15.18]', async () => {
    const { result, sent } = await ping({ echoes: [null, null, [7, reply(7)]] });
    expect(result).toMatchObject({ vote: 'up', responseTimeMs: 7, timings: { totalMs: 2_007 } });
    expect(sent.map(({ at }) => at)).toEqual([0, 1_000, 2_000]);
  });

  test('may come late to the first one', async () => {
    const { result } = await ping({ echoes: [[5_999, reply(5_999)]] });
    expect(result.responseTimeMs).toBe(5_999);
  });

  test('with a short deadline, the next echo follows after a third of it', async () => {
    const { sent } = await ping({ timeoutMs: 600 });
    expect(sent.map(({ at }) => at)).toEqual([0, 200, 400]);
  });

  test('may come from any address of a name; an address literal needs no lookup', async () => {
    const both = found(v4('10.0.0.1'), v6('fd00::1'));
    const { result, sent } = await ping({ resolution: both, echoes: [null, [3, reply(3)]] });
    expect(sent.slice(0, 2).map(({ address }) => address)).toEqual(['10.0.0.1', 'fd00::1']);
    expect(result).toMatchObject({ vote: 'up', remoteAddress: 'fd00::1' });
    const literal = await ping({ host: '10.3.3.3', echoes: [[1, reply(1)]] });
    expect(literal.result).toMatchObject({ remoteAddress: '10.3.3.3', timings: { dnsMs: null } });
  });
});

const unreachable: EchoOutcome = { kind: 'unreachable', reason: 'filtered by a firewall' };
const unable: EchoOutcome = { kind: 'unable', reason: 'No ICMP here' };
const noRoute: EchoOutcome = { kind: 'no_route' };
const both = found(v6('fd00::1'), v4('10.0.0.1'));
const after = (...echoes: NonNullable<World['echoes']>): World => ({ echoes });

const SILENT = 'no_echo: No reply to ping from 10.0.0.1 within 6 s';
const FILTERED = 'host_unreachable: Host 10.0.0.1 is unreachable: filtered by a firewall';
const REFUSED = 'target_not_allowed: Target target.example is not allowed (ALLOW_PRIVATE_TARGETS)';
const UNKNOWN_NAME = { resolution: { ok: false, code: 'dns_not_found' } } as const;
const STOPPED = { endAtMs: 10, endReason: 'shutdown' };

describe('without a reply', () => {
  const CASES: Record<'down' | 'unknown', [string, World, string][]> = {
    down: [
      ['silence', {}, SILENT],
      ['unreachable', after([5, unreachable]), FILTERED],
      ['no route', after([0, noRoute]), 'host_unreachable: Host 10.0.0.1 is unreachable'],
      ['one address is silent', { resolution: both, ...after([5, unreachable]) }, SILENT],
      [
        'one address without a socket',
        { resolution: both, ...after([0, unable], [5, unreachable]) },
        FILTERED,
      ],
      ['no such name', UNKNOWN_NAME, 'dns_not_found: DNS name target.example not found'],
      ['an address that is not allowed', { allowPrivate: false }, REFUSED],
    ],
    unknown: [
      [
        'no network',
        { ...after([0, noRoute]), hasNetwork: false },
        'probe_no_network: The probe has no IPv4 network',
      ],
      [
        'neither sockets nor program',
        after([0, unable]),
        'probe_unable: No ICMP here; there is no ping program',
      ],
      [
        'no echo could be sent, and no time is left',
        { unanswered: unable, program: runPing },
        'probe_unable: No ICMP here; no time was left for the ping program',
      ],
      ['the end of the process', STOPPED, 'aborted: The probe stopped before the check ended'],
    ],
  };

  describe.each(Object.entries(CASES))('%s', (vote, cases) => {
    test.each(cases)('%s', async (_name, world, expected) => {
      const { result, pending } = await ping(world);
      expect(result).toMatchObject({ vote, responseTimeMs: null });
      expect(`${result.failure!.code}: ${result.failure!.text}`).toBe(expected);
      expect(pending).toEqual({ timers: 0, soons: 0 });
    });
  });

  test('an unreachable address is replaced by the next one at once [15.20]', async () => {
    const { result, sent } = await ping({
      resolution: both,
      echoes: [
        [5, unreachable],
        [5, reply(5)],
      ],
    });
    expect(sent.map(({ at }) => at)).toEqual([0, 5]);
    expect(result.vote).toBe('up');
  });

  test('nothing is sent to addresses that are not allowed', async () => {
    expect((await ping({ allowPrivate: false })).sent).toEqual([]);
  });
});

describe('the ping program', () => {
  test('is run once if there are no sockets [15.21]', async () => {
    const { result, programs } = await ping({
      echoes: [[0, unable]],
      program: async () => reply(4.2),
    });
    expect(programs).toEqual(['10.0.0.1']);
    expect(result).toMatchObject({ vote: 'up', responseTimeMs: 4.2 });
  });

  test.each<[string, Parameters<typeof readPingOutput>[0], EchoOutcome]>([
    [
      'iputils, a reply',
      { code: 0, output: '64 bytes from ::1: icmp_seq=1 ttl=64 time=0.045 ms', errorOutput: '' },
      { kind: 'reply', roundTripMs: 0.045 },
    ],
    [
      'busybox, a reply',
      { code: 0, output: '64 bytes from 10.0.0.1: seq=0 ttl=64 time=12.1 ms', errorOutput: '' },
      { kind: 'reply', roundTripMs: 12.1 },
    ],
    ['a reply without a time', { code: 0, output: '', errorOutput: '' }, reply(77)],
    ['silence', { code: 1, output: '1 packets transmitted', errorOutput: '' }, { kind: 'silent' }],
    [
      'unreachable',
      { code: 1, output: 'From 10.0.0.2 icmp_seq=1 Destination Host Unreachable', errorOutput: '' },
      { kind: 'unreachable', reason: null },
    ],
    [
      'no network',
      { code: 2, output: '', errorOutput: 'ping: connect: Network is unreachable\n' },
      { kind: 'no_route' },
    ],
    [
      'no permission',
      { code: 2, output: '', errorOutput: 'ping: socket: Operation not permitted\nmore' },
      {
        kind: 'unable',
        reason: 'the ping program failed (ping: socket: Operation not permitted)',
      },
    ],
    [
      'killed',
      { code: null, output: '', errorOutput: '' },
      { kind: 'unable', reason: 'the ping program failed (exit code null)' },
    ],
  ])('%s', (_name, ended, outcome) => {
    expect(readPingOutput(ended, 77)).toEqual(outcome);
  });

  test.each(['-c 5', 'localhost', '127.0.0.1; id', ''])(
    'is never given %o [15.21]',
    async (address) => {
      const outcome = await runPing(address, {
        clock: systemClock,
        signal: AbortSignal.timeout(5_000),
        timeoutMs: 5_000,
      });
      expect(outcome).toEqual({ kind: 'unable', reason: `"${address}" is not an IP address` });
    },
  );

  test('sends real pings, or reports why not', async () => {
    const outcome = await runPing('127.0.0.1', {
      clock: systemClock,
      signal: AbortSignal.timeout(10_000),
      timeoutMs: 10_000,
    });
    if (outcome.kind === 'unable') console.warn(`NOT TESTED: the ping program: ${outcome.reason}`);
    expect(['reply', 'unable']).toContain(outcome.kind);
  });
});
