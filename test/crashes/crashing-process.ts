import type { Clock } from '../../src/lib/clock.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { wrapDatabase } from '../support/wrapped-database.ts';

/** Points at which a process can crash: around each commit and each message. */
export const STEPS = ['before commit', 'after commit', 'before sending', 'after sending'] as const;
export type Step = (typeof STEPS)[number];

/**
 * A process that crashes at one of its steps: its promises never settle, its open transactions roll back, its timers do
 * not fire, and it sends nothing more.
 */
export interface CrashingProcess {
  hasCrashed(): boolean;
  /** The steps so far, in order; a crashed process ended at the last one. */
  readonly steps: readonly Step[];
  /** Number of open transactions. */
  openTransactions(): number;
  /** The database as this process uses it; `clock` gives its time. */
  database(real: Database, clock: Clock): Database;
  clock(real: Clock): Clock;
  /** Sends a message to its receiver. */
  send<Answer>(receive: () => Promise<Answer>): Promise<Answer>;
}

class Crashed extends Error {}

const never = <Value>() => new Promise<Value>(() => undefined);

/**
 * The step at which a process crashes, as its kind and its index among those, from 0: the order of concurrent steps of
 * different kinds varies.
 */
export interface Crash {
  step: Step;
  nth: number;
}

/** @param crash where it crashes; nowhere by default. */
export function createCrashingProcess(crash?: Crash): CrashingProcess {
  const steps: Step[] = [];
  let crashed = false;
  let open = 0;

  /** @returns whether the process is still running. */
  function takeStep(step: Step): boolean {
    if (crashed) return false;
    steps.push(step);
    const nth = steps.filter((one) => one === step).length - 1;
    crashed = step === crash?.step && nth === crash.nth;
    return !crashed;
  }

  async function commit<Result>(
    real: Database,
    work: Parameters<Database['transaction']>[0],
  ): Promise<Result> {
    if (crashed) return never();
    open += 1;
    try {
      const result = await real.transaction(async (tx) => {
        const done = await work(tx);
        if (!takeStep('before commit')) throw new Crashed();
        return done as Result;
      });
      return takeStep('after commit') ? result : await never();
    } catch (error) {
      if (crashed) return await never();
      throw error;
    } finally {
      open -= 1;
    }
  }

  return {
    hasCrashed: () => crashed,
    steps,
    openTransactions: () => open,
    database: (real, clock) =>
      wrapDatabase(real, {
        transaction: (work) => commit(real, work),
        now: async () => clock.now(),
      }),
    clock: (real) => ({
      now: real.now,
      monotonic: real.monotonic,
      after: (milliseconds, call) => real.after(milliseconds, () => void (crashed || call())),
      clear: real.clear,
      soon: (call) => real.soon(() => void (crashed || call())),
    }),
    async send(receive) {
      if (!takeStep('before sending')) return never();
      const answer = await receive();
      return takeStep('after sending') ? answer : never();
    },
  };
}
