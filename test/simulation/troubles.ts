import type { FakeClock } from '../support/fake-clock.ts';
import type { Disturbance } from './expectations.ts';
import type { DatabaseFaults } from './mortal-database.ts';
import type { ClockTrouble, DatabaseTrouble } from './plan.ts';
import type { Random } from './random.ts';
import type { Story } from './story.ts';

/** What happens to the machine and its database, as the plan has it, and the memory of when that was. */
export interface Troubles {
  readonly disturbances: Disturbance[];
  /** Makes one begin now; `left` is how long it may last. */
  begin(trouble: ClockTrouble | DatabaseTrouble, left: number): void;
  isDatabaseHindered(): boolean;
  isDatabaseAway(): boolean;
  wasDisturbed(from: number, to: number): boolean;
  faults(random: Random): DatabaseFaults;
  /** The wall clock never went back and all have the same, so that an instant has one name. */
  isClockSteady(): boolean;
  /** Wall time of a virtual instant. */
  wallAt(at: number): number;
}

/** What was under way while the database was away is tried again at the latest after that. */
const RETRY_MS = 6_000;
/** The scheduler looks once a second whether the clock jumped. */
const NOTICE_STEP_MS = 2_000;
const SLOWEST_MS = 2_000;
const LOST_ANSWERS = 0.2;

/** @param skewMs by how much the clocks of the processes and the database may differ. */
export function createTroubles(clock: FakeClock, story: Story, skewMs = 0): Troubles {
  const origin = clock.now() - clock.monotonic();
  const disturbances: Disturbance[] = [];
  const steps: { at: number; byMs: number }[] = [];
  const hindering = { refuse: 0, slow: 0 };

  function freeze(byMs: number): void {
    const from = clock.monotonic();
    story.tell(`the process is frozen for ${byMs} ms`);
    clock.freeze(byMs);
    disturbances.push({ kind: 'frozen', from, to: from + byMs });
  }

  function step(byMs: number): void {
    const at = clock.monotonic();
    story.tell(`the wall clock is set by ${byMs} ms`);
    clock.stepWall(byMs);
    steps.push({ at, byMs });
    disturbances.push({ kind: 'clock', from: at, to: at + NOTICE_STEP_MS });
  }

  function hinder(kind: 'refuse' | 'slow', lastsMs: number): void {
    const from = clock.monotonic();
    const what = kind === 'refuse' ? 'refuses' : 'is slow';
    story.tell(`the database ${what} for ${lastsMs} ms`);
    hindering[kind] += 1;
    clock.after(lastsMs, () => {
      hindering[kind] -= 1;
      story.tell(`the database no longer ${what}`);
      disturbances.push({ kind: 'database', from, to: clock.monotonic() + RETRY_MS });
    });
  }

  return {
    disturbances,
    begin(trouble, left) {
      if ('lastsMs' in trouble) hinder(trouble.kind, Math.min(trouble.lastsMs, left));
      else if (trouble.kind === 'freeze') freeze(Math.min(trouble.byMs, left));
      else step(trouble.byMs);
    },
    isDatabaseHindered: () => hindering.refuse + hindering.slow > 0,
    isDatabaseAway: () => hindering.refuse > 0,
    wasDisturbed: (from, to) => disturbances.some((one) => one.from <= to && one.to >= from),
    faults: (random) => ({
      isRefusing: () => hindering.refuse > 0,
      async delay() {
        if (hindering.slow === 0) return;
        const milliseconds = random.skewed(1, SLOWEST_MS);
        await new Promise<void>((resolve) => void clock.after(milliseconds, resolve));
      },
      losesAnswer: () => hindering.slow > 0 && random.chance(LOST_ANSWERS),
    }),
    isClockSteady: () => skewMs === 0 && steps.every(({ byMs }) => byMs >= 0),
    wallAt: (at) =>
      origin + at + steps.reduce((sum, one) => (one.at <= at ? sum + one.byMs : sum), 0),
  };
}
