import type { FakeClock } from '../support/fake-clock.ts';
import type { AlertLooks } from './alerts/looks.ts';
import type { Strike } from './alerts/plan.ts';
import type { Lives } from './lives.ts';
import type { Disruption, Plan } from './plan.ts';
import type { Jobs } from './push/jobs.ts';
import type { Troubles } from './troubles.ts';

/** What the plan has in store for the process and its machine, at the moment at which it happens. */
export interface Mishaps {
  /** At an instant of the plan. */
  disrupt(disruption: Disruption): void;
  /** Somebody is just being told of something. */
  strike(strike: Strike): void;
}

export interface MishapsOptions {
  plan: Plan;
  clock: FakeClock;
  troubles: Troubles;
  lives: Lives;
  jobs: Jobs;
  looks: Pick<AlertLooks, 'strikes'>;
}

export function createMishaps(options: MishapsOptions): Mishaps {
  const { plan, clock, troubles, lives, jobs, looks } = options;
  return {
    disrupt(disruption) {
      const left = Math.max(100, plan.wildMs - clock.monotonic());
      if (!('awayMs' in disruption)) {
        troubles.begin(disruption, left);
        if (disruption.kind === 'step') jobs.stepped();
        return;
      }
      const awayMs = Math.min(disruption.awayMs, left);
      if (disruption.kind === 'kill') lives.killSoon(disruption.touches, awayMs);
      else void lives.stop(awayMs);
    },
    strike(strike) {
      const left = plan.wildMs - clock.monotonic();
      if (left <= 0 || lives.isAway()) return;
      looks.strikes += 1;
      if (strike.kind === 'freeze') troubles.begin(strike, left);
      else lives.killSoon(strike.touches, Math.min(strike.awayMs, left));
    },
  };
}
