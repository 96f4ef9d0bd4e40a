/** Counters since the start of this process. The `slots_` counters count grid slots without a round of their own. */
export interface SchedulerCounters {
  rounds_started: number;
  rounds_finished: number;
  /** Checks of rounds that came due, including those of skipped slots. */
  checks_due: number;
  /** Checks whose first packet left more than `LATE_MS` after they were due, and those that were skipped. */
  checks_late: number;
  /** Rounds that made up for a missed slot. */
  rounds_caught_up: number;
  /** The previous round was still in flight, or this process was too slow. */
  slots_skipped: number;
  /** Replaced by a round off the grid: a recheck, one after an edit, or one that made up for a missed slot. */
  slots_absorbed: number;
  /** Missed while this process was frozen, its clock jumped, or its shards were not certain. */
  slots_missed_in_gap: number;
  clock_steps: number;
  freezes: number;
  plans_loaded: number;
  /** Monitors that are not checked because their row is unusable, such as secrets that no key opens. */
  plans_unreadable: number;
}

export function newCounters(): SchedulerCounters {
  return {
    rounds_started: 0,
    rounds_finished: 0,
    checks_due: 0,
    checks_late: 0,
    rounds_caught_up: 0,
    slots_skipped: 0,
    slots_absorbed: 0,
    slots_missed_in_gap: 0,
    clock_steps: 0,
    freezes: 0,
    plans_loaded: 0,
    plans_unreadable: 0,
  };
}
