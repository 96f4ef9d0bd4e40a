/** How much a probe process has to do at the moment. */
export interface ProbeLoad {
  /** Checks under way. */
  running: number;
  /** Checks that wait for a slot. */
  waiting: number;
  /** For how long the first of them has waited, in milliseconds; 0 when none does. */
  longestWaitMs: number;
  /** How many checks may run at once. */
  capacity: number;
  /** The process's limit of open files, from which that follows; null where there is none, or it is not known. */
  openFiles: number | null;
}

/** How long a check of a team may wait for a slot of its probe. After that it is unknown: nothing waits for ever. */
export const MAX_WAIT_MS = 15 * 60_000;
