import type { Timer } from '../../../src/lib/clock.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import type { Random } from '../random.ts';
import type { Call } from './jobs.ts';
import type { OwnedPush } from './owner.ts';
import { LONGEST_RUN_MS } from './scenario.ts';
import type { PushSettings } from './scenario.ts';

const SUCCESS: Call = { kind: 'success', exitCode: null, runId: null };
const START: Call = { kind: 'start', exitCode: null, runId: null };
const LOG: Call = { kind: 'log', exitCode: null, runId: null };

/** Cron jobs start at most this long before their time. */
export const EARLIEST_MS = 3_000;

type MakeCall = (job: Job, what: Call, sentAt: number, until?: number) => Promise<void>;

/**
 * A job that pings on its schedule: at intervals by its own clock, or at the times of a cron expression by the wall
 * clock.
 */
export class Job {
  readonly push: OwnedPush;
  /** Network latency of its pings; constant, so that they stay in order. */
  readonly latencyMs: number;
  readonly #random: Random;
  readonly #clock: FakeClock;
  readonly #call: MakeCall;
  #settings: PushSettings;
  /** Next scheduled time: milliseconds since the world began for intervals, epoch milliseconds for cron jobs. */
  #slot: number;
  #jitterMs = 0;
  #timer: Timer | null = null;
  #runs = 0;

  constructor(push: OwnedPush, random: Random, clock: FakeClock, call: MakeCall) {
    this.push = push;
    this.latencyMs = random.integer(1, 300);
    this.#random = random;
    this.#clock = clock;
    this.#call = call;
    this.#settings = push.eras.at(-1)!.settings;
    this.#slot = this.#firstSlot();
    this.#wait();
  }

  applySettings(): void {
    const before = this.#settings;
    this.#settings = this.push.eras.at(-1)!.settings;
    if (this.#settings === before) return;
    if (this.#settings.schedule.everyMs !== before.schedule.everyMs) this.#slot = this.#firstSlot();
    this.#wait(this.#clock.monotonic());
  }

  stepped(): void {
    const { kind, everyMs } = this.#settings.schedule;
    if (kind === 'interval') return;
    // A skipped run is made up once at once. These jobs follow the clock ("*/4"): a time that recurs is run again.
    const now = this.#clock.now();
    if (this.#slot + everyMs <= now) this.#slot = now - (now % everyMs);
    if (this.#slot - everyMs > now) this.#slot = now - (now % everyMs) + everyMs;
    this.#scenario(this.#clock.monotonic());
  }

  #firstSlot(): number {
    const { kind, everyMs } = this.#settings.schedule;
    if (kind === 'interval')
      return this.#clock.monotonic() + this.#random.integer(1_000, everyMs - 1_000);
    const now = this.#clock.now();
    return now - (now % everyMs) + everyMs;
  }

  #wait(earliest = -Infinity): void {
    const { graceMs, schedule } = this.#settings;
    const early = schedule.kind === 'cron' ? -EARLIEST_MS : 0;
    const isExact = this.push.scenario.job.kind === 'running';
    this.#jitterMs = isExact ? 0 : this.#random.integer(early, Math.round(graceMs * 0.9));
    this.#scenario(earliest);
  }

  #scenario(earliest: number): void {
    const { now, monotonic, after, clear } = this.#clock;
    const isCron = this.#settings.schedule.kind === 'cron';
    const slot = isCron ? this.#slot - now() + monotonic() : this.#slot;
    const time = Math.max(slot + this.#jitterMs, earliest);
    clear(this.#timer);
    this.#timer = after(time - monotonic(), () => {
      // Only late if the world was frozen meanwhile; the job itself was not.
      this.#makeRandomChange(time);
      this.#slot += this.#settings.schedule.everyMs;
      // Runs stay in order, however late one of them is.
      this.#wait(time);
    });
  }

  #makeRandomChange(time: number): void {
    const random = this.#random;
    const { kind, diesAt, revivesAt } = this.push.scenario.job;
    const { graceMs, schedule } = this.#settings;
    const isDead = kind === 'never' || (time >= diesAt && time < revivesAt);
    if (this.push.eras.at(-1)!.isDeleted || isDead) return;
    const send = (what: Call, at: number, until?: number) => void this.#call(this, what, at, until);
    switch (kind) {
      case 'twice':
        if (random.chance(0.3)) send(LOG, time);
        send(SUCCESS, time);
        return send(SUCCESS, time + random.integer(1_000, 10_000));
      case 'late':
        return send(
          SUCCESS,
          time + (random.chance(0.25) ? graceMs + random.integer(5_000, 40_000) : 0),
        );
      case 'failing':
        if (random.chance(0.2)) send(LOG, time);
        return send(random.chance(0.3) ? this.#failure() : SUCCESS, time);
      case 'running':
      case 'hanging': {
        const longest = Math.min(LONGEST_RUN_MS, Math.max(1_500, Math.round(graceMs * 0.9)));
        const end = time + random.integer(200, longest);
        const isHanging = kind === 'hanging' && random.chance(0.25);
        send(START, time, isHanging ? time + LONGEST_RUN_MS : end);
        return isHanging ? undefined : send({ ...SUCCESS, exitCode: 0 }, end);
      }
      case 'overlapping': {
        const runId = `run ${(this.#runs += 1)}`;
        const end = time + random.integer(5_000, Math.round(schedule.everyMs * 1.8));
        send({ ...START, runId }, time, end);
        return send({ ...(random.chance(0.2) ? this.#failure() : SUCCESS), runId }, end);
      }
      case 'flooding': {
        const calls = random.chance(0.5) ? random.integer(6, 14) : 1;
        for (let turn = 0; turn < calls; turn += 1) send(SUCCESS, time + turn * 50);
        return;
      }
      default:
        send(SUCCESS, time);
    }
  }

  #failure(): Call {
    const exitCode = this.#random.chance(0.5) ? this.#random.integer(1, 255) : null;
    return { kind: 'failure', exitCode, runId: null };
  }
}
