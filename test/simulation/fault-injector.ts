import type { FakeClock } from '../support/fake-clock.ts';
import type { Disturbance } from './stable-periods.ts';
import type { DatabaseFaults } from './crashable-database.ts';
import type { ClockDisruption, DatabaseDisruption } from './scenario.ts';
import type { Random } from './random.ts';
import type { Story } from './story.ts';

/** Injects faults of the machine and the database, and records when they occurred. */
export interface FaultInjector {
  readonly disturbances: Disturbance[];
  /** Starts a fault now; it ends within `left` milliseconds. */
  begin(disruption: ClockDisruption | DatabaseDisruption, left: number): void;
  isDatabaseDisturbed(): boolean;
  isDatabaseDown(): boolean;
  wasDisturbed(from: number, to: number): boolean;
  faults(random: Random): DatabaseFaults;
  /** Whether the wall clock was never set back and all processes share it, so that each wall time is unambiguous. */
  isClockSteady(): boolean;
  /** Wall time of a virtual instant. */
  wallAt(at: number): number;
}

/** Work that failed while the database was unavailable is retried within this time. */
const RETRY_MS = 6_000;
/** The scheduler checks once a second whether the clock jumped. */
const NOTICE_STEP_MS = 2_000;
const SLOWEST_MS = 2_000;
const LOST_ANSWER_PROBABILITY = 0.2;

/** @param skewMs largest difference between the clocks of the processes and the database. */
export function createFaultInjector(clock: FakeClock, story: Story, skewMs = 0): FaultInjector {
  const origin = clock.now() - clock.monotonic();
  const disturbances: Disturbance[] = [];
  const steps: { at: number; byMs: number }[] = [];
  const activeFaults = { refuse: 0, slow: 0 };

  function freeze(byMs: number): void {
    const from = clock.monotonic();
    story.add(`the process is frozen for ${byMs} ms`);
    clock.freeze(byMs);
    disturbances.push({ kind: 'frozen', from, to: from + byMs });
  }

  function step(byMs: number): void {
    const at = clock.monotonic();
    story.add(`the wall clock is set by ${byMs} ms`);
    clock.stepWall(byMs);
    steps.push({ at, byMs });
    disturbances.push({ kind: 'clock', from: at, to: at + NOTICE_STEP_MS });
  }

  function disturbDatabase(kind: 'refuse' | 'slow', lastsMs: number): void {
    const from = clock.monotonic();
    const what = kind === 'refuse' ? 'refuses' : 'is slow';
    story.add(`the database ${what} for ${lastsMs} ms`);
    activeFaults[kind] += 1;
    clock.after(lastsMs, () => {
      activeFaults[kind] -= 1;
      story.add(`the database no longer ${what}`);
      disturbances.push({ kind: 'database', from, to: clock.monotonic() + RETRY_MS });
    });
  }

  return {
    disturbances,
    begin(disruption, left) {
      if ('lastsMs' in disruption)
        disturbDatabase(disruption.kind, Math.min(disruption.lastsMs, left));
      else if (disruption.kind === 'freeze') freeze(Math.min(disruption.byMs, left));
      else step(disruption.byMs);
    },
    isDatabaseDisturbed: () => activeFaults.refuse + activeFaults.slow > 0,
    isDatabaseDown: () => activeFaults.refuse > 0,
    wasDisturbed: (from, to) => disturbances.some((one) => one.from <= to && one.to >= from),
    faults: (random) => ({
      isRefusing: () => activeFaults.refuse > 0,
      async delay() {
        if (activeFaults.slow === 0) return;
        const milliseconds = random.skewed(1, SLOWEST_MS);
        await new Promise<void>((resolve) => void clock.after(milliseconds, resolve));
      },
      losesAnswer: () => activeFaults.slow > 0 && random.chance(LOST_ANSWER_PROBABILITY),
    }),
    isClockSteady: () => skewMs === 0 && steps.every(({ byMs }) => byMs >= 0),
    wallAt: (at) =>
      origin + at + steps.reduce((sum, one) => (one.at <= at ? sum + one.byMs : sum), 0),
  };
}
