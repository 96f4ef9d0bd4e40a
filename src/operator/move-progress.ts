import type { Clock } from '../lib/clock.ts';
import type { Phase } from '../store/move/move.ts';

const REPORT_EVERY_MS = 5_000;
const WORDS: Readonly<Record<Phase, string>> = { copy: 'Copied', verify: 'Compared' };

/** Lines that say how far a move is, at most one in five seconds. */
export class MoveProgress {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #phase: Phase = 'copy';
  #total = 0;
  /** Rows of tables that are done. */
  #doneBefore = 0;
  #doneAtStart = 0;
  #startedAt = 0;
  #reportedAt = 0;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  begin(phase: Phase, tables: readonly { rows: number; done: number }[]): string {
    const rows = sum(tables.map((table) => table.rows));
    this.#phase = phase;
    this.#total = rows;
    this.#doneBefore = 0;
    this.#doneAtStart = sum(tables.map(({ done }) => done));
    this.#startedAt = this.#clock.monotonic();
    this.#reportedAt = this.#startedAt;
    const verb = phase === 'copy' ? 'Copying' : 'Comparing';
    const from = this.#doneAtStart > 0 ? `, of which ${count(this.#doneAtStart)} are done` : '';
    return `${verb} ${count(rows)} rows of ${tables.length} tables${from}.`;
  }

  /** Takes note of a step; returns a line to show, or null. */
  step(table: string, { rows, isDone }: { rows: number; isDone: boolean }): string | null {
    const done = this.#doneBefore + rows;
    if (isDone) this.#doneBefore = done;
    const now = this.#clock.monotonic();
    if (now - this.#reportedAt < REPORT_EVERY_MS) return null;
    this.#reportedAt = now;
    const rate = ((done - this.#doneAtStart) * 1_000) / (now - this.#startedAt);
    return progressLine({ word: WORDS[this.#phase], done, total: this.#total, rate, table });
  }

  /** Milliseconds since the beginning of the phase. */
  get elapsedMs(): number {
    return this.#clock.monotonic() - this.#startedAt;
  }
}

/** Formats a line such as `Copied 1,200,000 of 4,800,000 rows (25 %), now ping: 240,000 rows/s, 15 s left.` */
export function progressLine(at: {
  word: string;
  done: number;
  total: number;
  /** Rows per second. */
  rate: number;
  table: string;
}): string {
  const { word, done, total, rate, table } = at;
  const percent = total === 0 ? 100 : Math.floor((done * 100) / total);
  const left = rate > 0 ? `, ${durationText(((total - done) * 1_000) / rate)} left` : '';
  return `${word} ${count(done)} of ${count(total)} rows (${percent} %), now ${table}: ${count(Math.round(rate))} rows/s${left}.`;
}

/** Formats a duration in milliseconds, such as `45 s`, `12 min` or `1 h 5 min`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function count(number: number): string {
  return number.toLocaleString('en-US');
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
