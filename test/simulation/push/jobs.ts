import type { IncomingPing, PingOutcome } from '../../../src/engine/heartbeat/ingest.ts';
import type { PingKind } from '../../../src/model/heartbeat.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import type { ProcessInstance } from '../process-instance.ts';
import { fixedRandom } from '../random.ts';
import type { Random } from '../random.ts';
import type { Story } from '../story.ts';
import { Job } from './job.ts';
import type { OwnedPush } from './owner.ts';

/** One ping as it was sent. Its number is the ping's body, so that each row can be traced. */
export interface Attempt {
  number: number;
  monitorId: number;
  kind: PingKind;
  exitCode: number | null;
  runId: string | null;
  /** Milliseconds since the world began. */
  sentAt: number;
  /** When the process received it (epoch ms); null if no process did. */
  takenAt: number | null;
  /** The outcome for the caller: `no_listener`, or `gone` if it hung up; null while it waits. */
  outcome: PingOutcome['kind'] | 'no_listener' | 'gone' | null;
  /** The number of its row, and the commit that wrote it. */
  row: { number: number; commit: number } | null;
  /**
   * It waited in the socket of a frozen process until the other process considered that one dead. The service can't
   * know of it; the job should have retried.
   */
  isStranded: boolean;
}

/** The process that currently accepts pings. */
export interface PingListener {
  instance: ProcessInstance;
  take(ping: IncomingPing): Promise<PingOutcome>;
}

export interface Jobs {
  readonly attempts: readonly Attempt[];
  /** Creates the job of a new monitor, or applies changed settings to it. */
  applySettings(push: OwnedPush): void;
  /** Reacts to a step of the wall clock. */
  stepped(): void;
  /** Hangs up all calls to a process that was killed. */
  instanceEnded(instance: ProcessInstance): void;
}

export interface JobsOptions {
  /** Whether two processes accept pings. */
  isPair: boolean;
  seed: number;
  clock: FakeClock;
  random: Random;
  story: Story;
  listener(): PingListener | null;
  /** The one of two processes that a ping reaches now; undefined for a single process. */
  pairedListener(): PingListener | null | undefined;
  /** Called when a ping arrives. */
  arrives(number: number): void;
  /** Called with the answer to a ping. */
  answered(attempt: Attempt, instance: ProcessInstance): void;
  violate(rule: string): void;
}

/** The content of a ping. */
export type Call = Pick<Attempt, 'kind' | 'exitCode' | 'runId'>;

/** Timeout of callers. */
const CALLER_TIMEOUT_MS = 10_000;
/** Pings that waited in sockets are read within this time after a freeze. */
const THAW_MS = 2_000;
/** A process is considered dead after ten seconds without a mark; its last mark may be a second old. */
const STRANDED_MS = 8_500;

/** Creates the jobs of all push monitors. They run on other machines and outlive the process. */
export function createJobs(options: JobsOptions): Jobs {
  const { seed, clock, story, violate } = options;
  const attempts: Attempt[] = [];
  const jobs = new Map<number, Job>();
  const waiting = new Set<{ instance: ProcessInstance; hangUp: () => void }>();

  /** Waits until a time of the world; a freeze of the process does not shift it. */
  function at(time: number): Promise<void> {
    return new Promise((resolve) => void clock.after(time - clock.monotonic(), resolve));
  }

  async function attempt(job: Job, call: Call, sentAt: number): Promise<number> {
    const { id: monitorId } = job.push;
    const number = attempts.length;
    const made: Attempt = {
      ...call,
      number,
      monitorId,
      sentAt,
      takenAt: null,
      outcome: null,
      row: null,
      isStranded: false,
    };
    attempts.push(made);
    await at(sentAt + job.latencyMs);
    const pairedListener = options.pairedListener();
    // A ping to a frozen process waits in its socket.
    const frozenSince = pairedListener?.instance.frozenSince() ?? null;
    if (frozenSince === null) return arrive(made, job, pairedListener);
    const awake = pairedListener!.instance.frozen()!.then(() => {
      made.isStranded = clock.monotonic() - frozenSince > STRANDED_MS;
      return arrive(made, job, pairedListener);
    });
    // The caller gives up after its timeout, but the ping stays in the socket.
    const gaveUpAt = sentAt + CALLER_TIMEOUT_MS;
    return Promise.race([awake, at(gaveUpAt).then(() => gaveUpAt)]);
  }

  /** Delivers a ping. @returns when its caller continued, in milliseconds since the world began. */
  async function arrive(
    made: Attempt,
    job: Job,
    pairedListener: PingListener | null | undefined,
  ): Promise<number> {
    const { number, kind, monitorId, sentAt } = made;
    const waitedMs = clock.monotonic() - sentAt - job.latencyMs;
    const chance = (purpose: string) => fixedRandom(seed, monitorId, clock.monotonic(), purpose);
    const isGone = waitedMs > CALLER_TIMEOUT_MS;
    if (isGone) made.outcome = 'gone';
    // By then the other process considers the frozen one dead.
    made.isStranded ||= options.isPair && isGone;
    if (isGone && chance('gone') < 0.5) return sentAt + CALLER_TIMEOUT_MS;
    if (waitedMs > 50) await at(clock.monotonic() + Math.round(chance('thaw') * THAW_MS));
    const listener = pairedListener === undefined ? options.listener() : ifAlive(pairedListener);
    if (listener === null) made.outcome ??= 'no_listener';
    else await deliver(made, listener, job.push.tokenHash);
    story.add(`ping ${number} (${kind}) of monitor ${monitorId}: ${made.outcome}`);
    return isGone ? sentAt + CALLER_TIMEOUT_MS : clock.monotonic();
  }

  async function deliver(
    made: Attempt,
    { instance, take }: PingListener,
    tokenHash: string,
  ): Promise<void> {
    made.takenAt = instance.now();
    options.arrives(made.number);
    const { kind, exitCode, runId } = made;
    const body = String(made.number);
    const from = { sourceAddress: '192.0.2.1', userAgent: null };
    const hungUp = Promise.withResolvers<'no_listener'>();
    const line = { instance, hangUp: () => hungUp.resolve('no_listener') };
    waiting.add(line);
    const answer = take({ kind, exitCode, runId, tokenHash, body, isBodyCut: false, ...from }).then(
      (outcome) => outcome.kind,
      (error: unknown) => {
        violate(`a ping was not taken: ${String(error)}`);
        return 'no_listener' as const;
      },
    );
    const since = clock.monotonic();
    const outcome = await Promise.race([answer, hungUp.promise]);
    if (options.isPair && clock.monotonic() - since > STRANDED_MS) made.isStranded = true;
    waiting.delete(line);
    made.outcome ??= outcome;
    if (outcome !== 'no_listener') options.answered({ ...made, outcome }, instance);
  }

  /** Sends a ping and retries until it is answered, but not after `until`. */
  async function callWithRetries(
    job: Job,
    what: Call,
    sentAt: number,
    until = Infinity,
  ): Promise<void> {
    const { retries, retryMs } = job.push.scenario.job;
    let next = sentAt;
    for (let turn = 0; turn <= retries && next < until; turn += 1) {
      const number = attempts.length;
      next = (await attempt(job, what, next)) + retryMs;
      if (isAnswered(attempts[number]!)) return;
    }
  }

  return {
    attempts,
    applySettings(push) {
      const job = jobs.get(push.id);
      if (job) job.applySettings();
      else {
        const random = options.random.fork(`job ${push.id}`);
        jobs.set(push.id, new Job(push, random, clock, callWithRetries));
      }
    },
    stepped: () => jobs.forEach((job) => job.stepped()),
    instanceEnded(instance) {
      for (const line of waiting) if (line.instance === instance) line.hangUp();
    },
  };
}

function ifAlive(listener: PingListener | null): PingListener | null {
  return listener?.instance.isAlive() ? listener : null;
}

export function isAnswered({ outcome }: Attempt): boolean {
  return ['recorded', 'ignored', 'limited', 'unknown'].includes(outcome ?? '');
}
