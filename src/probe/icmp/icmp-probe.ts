import { spawn } from 'node:child_process';
import { isIP } from 'node:net';
import { NO_TIMINGS, toMicroseconds } from '../../model/check.ts';
import type { PingCheckRequest } from '../../monitor-types/ping.ts';
import type { Failure } from '../../model/failure.ts';
import type { ResolvedAddress } from '../../net/host.ts';
import { findTarget, type Resolver } from '../../net/resolver.ts';
import { isShutdown, type Probe, type ProbeContext } from '../contract.ts';
import { failedResult, failure, seconds, shutdownFailure } from '../failures.ts';
import { createDualStackCheck } from '../dual-stack.ts';
import type { EchoOutcome, IcmpClient, Echo } from './icmp-client.ts';
import type { Clock, Timer } from '../../lib/clock.ts';

/** Each is a process. */
const MAX_PING_PROGRAMS = 100;

/**
 * Sends up to three echoes within the deadline; the first reply decides. Without ICMP sockets it uses the `ping`
 * program; without that, the result is unknown.
 */
export function createIcmpProbe(
  icmp: Pick<IcmpClient, 'echo'>,
  pingProgram: PingProgram = runPing,
): Probe<PingCheckRequest> {
  let programs = 0;

  async function byProgram(
    address: string,
    why: string,
    timeoutMs: number,
    { clock, signal }: ProbeContext,
  ): Promise<EchoOutcome> {
    if (programs >= MAX_PING_PROGRAMS)
      return { kind: 'unable', reason: `${why}; too many ping programs are running` };
    programs++;
    try {
      const outcome = await pingProgram(address, { clock, signal, timeoutMs });
      return outcome.kind === 'unable'
        ? { kind: 'unable', reason: `${why}; ${outcome.reason}` }
        : outcome;
    } finally {
      programs--;
    }
  }

  async function race(addresses: ResolvedAddress[], timeoutMs: number, context: ProbeContext) {
    context.onSend?.();
    const decision = await raceEchoes(addresses, icmp, context, timeoutMs);
    const { address, outcome } = decision;
    if (outcome.kind !== 'unable') return decision;
    const byOther = await byProgram(address.address, outcome.reason, timeoutMs, context);
    return { ...decision, outcome: byOther };
  }

  return async ({ host, timeoutMs }, context) => {
    const { clock, resolver, signal } = context;
    const startedAt = clock.monotonic();
    const target = await findTarget(host, context);
    if (!target.ok) return failedResult(target.failure, null, null);
    const dnsMs = target.lookupMs;
    const savedMs = dnsMs === null ? 0 : dnsMs - (clock.monotonic() - startedAt);

    const { addresses, isPartial = false } = target;
    const { address, outcome, failed: earlier } = await race(addresses, timeoutMs, context);
    if (outcome.kind !== 'reply') {
      const reason = isShutdown(signal)
        ? shutdownFailure()
        : failureOf(outcome, address, timeoutMs, resolver);
      return failedResult(reason, address.address, dnsMs);
    }
    const families = createDualStackCheck({ ...context, deadline: startedAt + timeoutMs });
    families.reached({
      addresses,
      isPartial,
      used: address,
      failures: earlier.map((each) => ({
        address: each.address,
        failure: failureOf(each.outcome, each.address, timeoutMs, resolver),
      })),
      async tryAddress(other, end, boundMs) {
        const tried = await race([other], boundMs, { ...context, signal: end });
        if (tried.outcome.kind === 'reply') return null;
        if (isShutdown(end)) return shutdownFailure();
        return failureOf(tried.outcome, other, boundMs, resolver);
      },
    });
    return families.complete({
      vote: 'up',
      failure: null,
      responseTimeMs: toMicroseconds(outcome.roundTripMs),
      statusCode: null,
      timings: {
        ...NO_TIMINGS,
        dnsMs: toMicroseconds(dnsMs),
        totalMs: toMicroseconds(clock.monotonic() - startedAt + savedMs),
      },
      remoteAddress: address.address,
      evidence: null,
    });
  };
}

function failureOf(
  outcome: Exclude<EchoOutcome, { kind: 'reply' }>,
  { address, family }: ResolvedAddress,
  timeoutMs: number,
  resolver: Resolver,
): Failure {
  switch (outcome.kind) {
    case 'silent':
      return failure('no_echo', `No reply to ping from ${address} within ${seconds(timeoutMs)}`);
    case 'unreachable':
      return failure(
        'host_unreachable',
        `Host ${address} is unreachable` + (outcome.reason ? `: ${outcome.reason}` : ''),
      );
    case 'no_route':
      return resolver.hasNetwork(family, address)
        ? failure('host_unreachable', `Host ${address} is unreachable`)
        : failure('probe_no_network', `The probe has no IPv${family} network`);
    case 'unable':
      return failure('probe_unable', outcome.reason);
  }
}

const MAX_ECHOES = 3;
const MAX_GAP_MS = 1_000;

interface EchoAnswer {
  address: ResolvedAddress;
  outcome: EchoOutcome;
}

interface EchoDecision extends EchoAnswer {
  /** Addresses that failed before. */
  failed: FailedAddress[];
}

interface FailedAddress extends EchoAnswer {
  outcome: Exclude<EchoOutcome, { kind: 'reply' }>;
}

/**
 * Sends the first echo at once and up to two more, each a second (or a third of the deadline) after the last, to the
 * addresses in turn; an unreachable address is replaced by the next at once. The first reply decides; without one, a
 * timeout takes precedence over unreachable while an address might still respond.
 */
function raceEchoes(
  addresses: ResolvedAddress[],
  icmp: Pick<IcmpClient, 'echo'>,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
  timeoutMs: number,
): Promise<EchoDecision> {
  return new Promise((resolve) => {
    const candidates = [...addresses];
    const dead: FailedAddress[] = [];
    const echoes: Echo[] = [];
    let isFinished = false;
    let timer: Timer | null = null;

    const giveUp = () => {
      for (const echo of echoes) echo.giveUp();
    };
    const finish = (answer: EchoAnswer) => {
      if (isFinished) return;
      isFinished = true;
      clock.clear(timer);
      signal.removeEventListener('abort', giveUp);
      resolve({ ...answer, failed: dead.filter((each) => each !== answer) });
      giveUp();
    };

    const settled = (address: ResolvedAddress, outcome: EchoOutcome) => {
      if (outcome.kind === 'reply' || outcome.kind === 'silent')
        return finish({ address, outcome });
      const at = candidates.indexOf(address);
      if (isFinished || at < 0) return;
      candidates.splice(at, 1);
      dead.push({ address, outcome });
      if (candidates.length === 0) finish(mostInformative(dead));
      else sendNext();
    };

    let sent = 0;
    const sendNext = () => {
      clock.clear(timer);
      const address = candidates[sent++ % candidates.length]!;
      if (sent < MAX_ECHOES)
        timer = clock.after(Math.min(MAX_GAP_MS, timeoutMs / MAX_ECHOES), sendNext);
      const echo = icmp.echo(address.address, (outcome) => settled(address, outcome));
      echoes.push(echo);
      if (isFinished) echo.giveUp();
    };

    if (signal.aborted) return finish({ address: addresses[0]!, outcome: { kind: 'silent' } });
    signal.addEventListener('abort', giveUp, { once: true });
    sendNext();
  });
}

const BY_INFORMATION: EchoOutcome['kind'][] = ['unreachable', 'no_route', 'unable'];

function mostInformative(answers: EchoAnswer[]): EchoAnswer {
  return answers.toSorted(
    (a, b) => BY_INFORMATION.indexOf(a.outcome.kind) - BY_INFORMATION.indexOf(b.outcome.kind),
  )[0]!;
}

/** Sends echoes to an address literal with a system program. Never rejects. */
export type PingProgram = (
  address: string,
  deps: { clock: Clock; signal: AbortSignal; timeoutMs: number },
) => Promise<EchoOutcome>;

const OUTPUT_LIMIT = 8192;

/** Runs `ping` of iputils or busybox: an echo per second until the first reply. */
export const runPing: PingProgram = (address, { clock, signal, timeoutMs }) => {
  const family = isIP(address);
  if (family === 0)
    return Promise.resolve({ kind: 'unable', reason: `"${address}" is not an IP address` });
  if (signal.aborted)
    return Promise.resolve({ kind: 'unable', reason: 'no time was left for the ping program' });

  return new Promise((resolve) => {
    const startedAt = clock.monotonic();
    // A fallback in case this process dies; normally the signal ends the program on time.
    const limitSeconds = String(Math.ceil(timeoutMs / 1000) + 1);
    const child = spawn('ping', [`-${family}`, '-c', '1', '-w', limitSeconds, address], {
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
      killSignal: 'SIGKILL',
    });
    let output = '';
    let errorOutput = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(0, OUTPUT_LIMIT);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errorOutput = (errorOutput + text).slice(0, OUTPUT_LIMIT);
    });
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (signal.aborted) resolve({ kind: 'silent' });
      else if (error.code === 'ENOENT')
        resolve({ kind: 'unable', reason: 'there is no ping program' });
      else resolve({ kind: 'unable', reason: `the ping program did not start (${error.code})` });
    });
    child.once('close', (code) => {
      if (signal.aborted) resolve({ kind: 'silent' });
      else resolve(readPingOutput({ code, output, errorOutput }, clock.monotonic() - startedAt));
    });
  });
};

/** Interprets the program's exit. `elapsedMs` is used if no round-trip time was printed. */
export function readPingOutput(
  ended: { code: number | null; output: string; errorOutput: string },
  elapsedMs: number,
): EchoOutcome {
  const { code, output, errorOutput } = ended;
  if (code === 0) {
    const printed = /time[=<]\s?([\d.]+) ?ms/.exec(output)?.[1];
    return { kind: 'reply', roundTripMs: printed === undefined ? elapsedMs : Number(printed) };
  }
  if (/network is unreachable|no route to host|cannot assign requested/i.test(errorOutput))
    return { kind: 'no_route' };
  if (/unreachable|prohibited|filtered/i.test(output)) return { kind: 'unreachable', reason: null };
  if (code === 1 && errorOutput.trim() === '') return { kind: 'silent' };
  const said = errorOutput.trim().split('\n')[0] || `exit code ${code}`;
  return { kind: 'unable', reason: `the ping program failed (${said})` };
}
