import type { IncomingPing, PingOutcome } from '../../../src/engine/heartbeat/ingest.ts';
import type { PingKind } from '../../../src/model/heartbeat.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import type { ProcessInstance } from '../process-instance.ts';
import { fixedRandom } from '../random.ts';
import type { Random } from '../random.ts';
import type { Story } from '../story.ts';
import { Job } from './job.ts';
import type { OwnedPush } from './owner.ts';

/** One call of a ping URL as the world saw it. Its number travels in the ping's body, so that each row can be traced. */
export interface Attempt {
  number: number;
  monitorId: number;
  kind: PingKind;
  exitCode: number | null;
  runId: string | null;
  /** Milliseconds since the world began. */
  sentAt: number;
  /** Epoch milliseconds at which it was handed to the process; null when nobody took it. */
  takenAt: number | null;
  /** What the caller heard: nobody listened, or it was tired of waiting; null while it waits. */
  outcome: PingOutcome['kind'] | 'nobody' | 'gone' | null;
  /** The number under which it was recorded, and by which commit. */
  row: { number: number; commit: number } | null;
  /**
   * It waited in the socket of one of two processes, which stood still until the other one took it for dead. That can't be
   * known, however short the ping itself waited: the job should have tried again.
   */
  isStranded: boolean;
}

/** What the process that listens at this moment does with a ping. */
export interface PingListener {
  instance: ProcessInstance;
  take(ping: IncomingPing): Promise<PingOutcome>;
}

export interface Jobs {
  readonly attempts: readonly Attempt[];
  /** A monitor is new, or its settings changed: its job goes by them from now on. */
  applySettings(push: OwnedPush): void;
  /** The wall clock was set. */
  stepped(): void;
  /** A process died: who waited for its answer hears nothing. */
  instanceEnded(instance: ProcessInstance): void;
}

export interface JobsOptions {
  /** Whether two processes take pings. */
  isPair: boolean;
  seed: number;
  clock: FakeClock;
  random: Random;
  story: Story;
  listener(): PingListener | null;
  /** Of two processes, the one that a ping which arrives now reaches; undefined where one runs alone. */
  pairedListener(): PingListener | null | undefined;
  /** A ping arrives. */
  arrives(number: number): void;
  /** Told of what the process said to a call. */
  answered(attempt: Attempt, instance: ProcessInstance): void;
  violate(rule: string): void;
}

/** What a job says. */
export type Call = Pick<Attempt, 'kind' | 'exitCode' | 'runId'>;

/** Callers wait so long for an answer. */
const CALLER_TIMEOUT_MS = 10_000;
/** What waited in sockets while the process stood still is taken within that. */
const THAW_MS = 2_000;
/** A process that says nothing for ten seconds is taken for dead; its last word may be a second old. */
const STRANDED_MS = 8_500;

/** The jobs behind all push monitors, each of its own kind. They live on other machines, and outlive the process. */
export function createJobs(options: JobsOptions): Jobs {
  const { seed, clock, story, violate } = options;
  const attempts: Attempt[] = [];
  const jobs = new Map<number, Job>();
  const waiting = new Set<{ instance: ProcessInstance; hangUp: () => void }>();

  /** Time as others have it: what fell due while the process stood still happened in its time all the same. */
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
    // The ping waits in the socket of one that stands still.
    const frozenSince = pairedListener?.instance.frozenSince() ?? null;
    if (frozenSince === null) return arrive(made, job, pairedListener);
    const awake = pairedListener!.instance.frozen()!.then(() => {
      made.isStranded = clock.monotonic() - frozenSince > STRANDED_MS;
      return arrive(made, job, pairedListener);
    });
    // Who is tired of waiting goes on, and what was sent stays in the socket.
    const gaveUpAt = sentAt + CALLER_TIMEOUT_MS;
    return Promise.race([awake, at(gaveUpAt).then(() => gaveUpAt)]);
  }

  /** A ping is at the door, at last. @returns when its caller went on, in milliseconds since the world began. */
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
    // The other process has forgotten by then the one that stands still.
    made.isStranded ||= options.isPair && isGone;
    if (isGone && chance('gone') < 0.5) return sentAt + CALLER_TIMEOUT_MS;
    if (waitedMs > 50) await at(clock.monotonic() + Math.round(chance('thaw') * THAW_MS));
    const listener = pairedListener === undefined ? options.listener() : ifAlive(pairedListener);
    if (listener === null) made.outcome ??= 'nobody';
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
    const hungUp = Promise.withResolvers<'nobody'>();
    const line = { instance, hangUp: () => hungUp.resolve('nobody') };
    waiting.add(line);
    const answer = take({ kind, exitCode, runId, tokenHash, body, isBodyCut: false, ...from }).then(
      (outcome) => outcome.kind,
      (error: unknown) => {
        violate(`a ping was not taken: ${String(error)}`);
        return 'nobody' as const;
      },
    );
    const since = clock.monotonic();
    const outcome = await Promise.race([answer, hungUp.promise]);
    if (options.isPair && clock.monotonic() - since > STRANDED_MS) made.isStranded = true;
    waiting.delete(line);
    made.outcome ??= outcome;
    if (outcome !== 'nobody') options.answered({ ...made, outcome }, instance);
  }

  /** Tries again as its plan says, until somebody answers; not after `until`. */
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
