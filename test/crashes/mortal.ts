import type { Clock } from '../../src/lib/clock.ts';
import type { Database } from '../../src/store/database/contract.ts';

/** Where a process can die: around what it commits, and around what it sends. */
export const STEPS = ['before commit', 'after commit', 'before sending', 'after sending'] as const;
export type Step = (typeof STEPS)[number];

/**
 * A process that dies at one of its steps, and stays dead: what it awaits never settles, its open transactions roll
 * back, its timers do not fire, and it sends nothing more.
 */
export interface Mortal {
  isDead(): boolean;
  /** Those that it made so far, in their order; the last one of a dead process is the one it died at. */
  readonly steps: readonly Step[];
  /** Transactions that are open. */
  busy(): number;
  /** Its own clock is that one. */
  database(real: Database, clock: Clock): Database;
  clock(real: Clock): Clock;
  /** A message on its way to its receiver and back. */
  sending<Answer>(receive: () => Promise<Answer>): Promise<Answer>;
}

class Died extends Error {}

const never = <Value>() => new Promise<Value>(() => undefined);

/** The so-manyth step of a kind, from 0: of several things at once, a process may do one or the other first. */
export interface Death {
  step: Step;
  nth: number;
}

/** @param death where it dies; nowhere unless given. */
export function createMortal(death?: Death): Mortal {
  const steps: Step[] = [];
  let dead = false;
  let open = 0;

  /** @returns whether it lives on. */
  function survives(step: Step): boolean {
    if (dead) return false;
    steps.push(step);
    const nth = steps.filter((one) => one === step).length - 1;
    dead = step === death?.step && nth === death.nth;
    return !dead;
  }

  async function commit<Result>(
    real: Database,
    work: Parameters<Database['transaction']>[0],
  ): Promise<Result> {
    if (dead) return never();
    open += 1;
    try {
      const result = await real.transaction(async (tx) => {
        const done = await work(tx);
        if (!survives('before commit')) throw new Died();
        return done as Result;
      });
      return survives('after commit') ? result : await never();
    } catch (error) {
      if (dead) return await never();
      throw error;
    } finally {
      open -= 1;
    }
  }

  return {
    isDead: () => dead,
    steps,
    busy: () => open,
    database: (real, clock) =>
      Object.create(real, {
        transaction: {
          value: (work: Parameters<Database['transaction']>[0]) => commit(real, work),
        },
        now: { value: async () => clock.now() },
      }) as Database,
    clock: (real) => ({
      now: real.now,
      monotonic: real.monotonic,
      after: (milliseconds, call) => real.after(milliseconds, () => void (dead || call())),
      clear: real.clear,
      soon: (call) => real.soon(() => void (dead || call())),
    }),
    async sending(receive) {
      if (!survives('before sending')) return never();
      const answer = await receive();
      return survives('after sending') ? answer : never();
    },
  };
}
