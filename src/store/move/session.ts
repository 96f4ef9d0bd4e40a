import { sleep, type Clock } from '../../lib/clock.ts';
import { isUnavailable, translateError } from '../database/errors.ts';
import { UnmovableError } from './errors.ts';
import type { MoveTarget } from './target.ts';

const RETRY_MS = 2_000;
/** How long the target may be away at a time. */
const PATIENCE_MS = 600_000;

interface SessionDependencies {
  connect: () => Promise<MoveTarget>;
  clock: Pick<Clock, 'monotonic' | 'after'>;
  /** Is told once each time that the target goes away. */
  onAway: (error: Error) => Promise<void>;
}

/** A connection to the target that is made anew while the target goes away and comes back. */
export class MoveSession {
  readonly #dependencies: SessionDependencies;
  /** Is called with each further connection, before it is used. */
  onReconnected: ((target: MoveTarget) => Promise<void>) | null = null;
  #target: MoveTarget | null = null;
  /** Since when nothing has succeeded, by the monotonic clock; null while all is well. */
  #awaySince: number | null = null;

  constructor(dependencies: SessionDependencies) {
    this.#dependencies = dependencies;
  }

  /** Connects for the first time, without patience: the address may be wrong. */
  async open(): Promise<MoveTarget> {
    return (this.#target ??= await this.#dependencies.connect());
  }

  /** To be called after each step that the target has taken. */
  progressed(): void {
    this.#awaySince = null;
  }

  /**
   * Runs work that goes on from where the target says it is, again and again while the target is away.
   *
   * @throws UnmovableError when nothing succeeds for ten minutes.
   */
  async run<Result>(work: (target: MoveTarget) => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        const result = await work(this.#target ?? (await this.#connectAgain()));
        this.progressed();
        return result;
      } catch (error) {
        const away = translateError(error);
        if (!isUnavailable(away)) throw error;
        await this.#waitFor(away);
      }
    }
  }

  async #connectAgain(): Promise<MoveTarget> {
    const target = await this.#dependencies.connect();
    this.#target = target;
    await this.onReconnected?.(target);
    return target;
  }

  async #waitFor(away: Error): Promise<void> {
    const { clock, onAway } = this.#dependencies;
    await this.close();
    const now = clock.monotonic();
    if (this.#awaySince === null) await onAway(away);
    this.#awaySince ??= now;
    if (now - this.#awaySince > PATIENCE_MS) {
      throw new UnmovableError(
        `The target has been away for ten minutes (${away.message}). Run the same command again: it goes on from here.`,
      );
    }
    await sleep(clock, RETRY_MS);
  }

  async close(): Promise<void> {
    const target = this.#target;
    this.#target = null;
    await target?.close();
  }
}
