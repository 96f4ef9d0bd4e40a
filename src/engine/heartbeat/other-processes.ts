import type { Kysely, Transaction } from 'kysely';
import { CLOCK_TOLERANCE_MS } from '../../lib/clock.ts';
import { MARK_HOLDS_MS, type ServiceGap } from '../../model/heartbeat.ts';
import {
  deleteProcessMarks,
  listProcessMarks,
  writeProcessMark,
} from '../../store/engine/process-marks.ts';
import type { ProcessMark } from '../../store/engine/process-marks.ts';
import type { Schema } from '../../store/database/schema.ts';
import type { Moment } from './gaps.ts';

/**
 * Marks of the processes that share a database: each tells until when all pings sent to it are on disk. A process that
 * stops writing marks may have died holding pings, or be frozen while they wait in its sockets.
 */
export class OtherProcesses {
  readonly #processId: string;
  /** The latest mark of each other process, and when it was first seen (milliseconds of the monotonic clock). */
  #seen = new Map<string, { markedAt: number; since: number }>();

  constructor(processId: string) {
    this.#processId = processId;
  }

  /**
   * Says until when this process has heard all (epoch ms). Answers the gaps of those that said nothing for as long as a
   * mark holds; they are forgotten.
   */
  async mark(
    tx: Transaction<Schema>,
    now: Moment,
    pingsStoredUntil: number,
  ): Promise<ServiceGap[]> {
    const others = await listProcessMarks(tx, this.#processId);
    this.#see(others, now);
    const gone = others.filter((other) => this.#isGone(other, now));
    await deleteProcessMarks(
      tx,
      gone.map(({ processId }) => processId),
    );
    await writeProcessMark(tx, {
      processId: this.#processId,
      markedAt: now.wall,
      pingsStoredUntil,
    });
    return gone.map(({ pingsStoredUntil: from, markedAt }) => ({
      from: Math.min(from, now.wall),
      to: Math.min(markedAt + MARK_HOLDS_MS, now.wall),
    }));
  }

  /** Until when all the others have heard all that was sent to them (epoch ms); null when there are none. */
  async pingsStoredUntil(db: Kysely<Schema>): Promise<number | null> {
    const others = await listProcessMarks(db, this.#processId);
    return others.length === 0 ? null : Math.min(...others.map((other) => other.pingsStoredUntil));
  }

  /** This process takes no pings any more, and has none left. */
  async leave(tx: Transaction<Schema>): Promise<void> {
    await deleteProcessMarks(tx, [this.#processId]);
  }

  #see(others: readonly ProcessMark[], now: Moment): void {
    const before = this.#seen;
    this.#seen = new Map();
    for (const { processId, markedAt } of others) {
      const known = before.get(processId);
      const isSame = known?.markedAt === markedAt;
      this.#seen.set(processId, isSame ? known : { markedAt, since: now.monotonic });
    }
  }

  /**
   * True for a process that stopped. If its clock is behind ours by more than the tolerance, only the length of its
   * silence counts.
   */
  #isGone({ processId, markedAt }: ProcessMark, now: Moment): boolean {
    const { since } = this.#seen.get(processId)!;
    const isOld = now.wall - markedAt > MARK_HOLDS_MS + CLOCK_TOLERANCE_MS;
    return isOld || now.monotonic - since > MARK_HOLDS_MS;
  }
}
