/** Current load of a probe process. */
export interface ProbeLoad {
  running: number;
  waiting: number;
  /** Waiting time of the oldest of them, in milliseconds; 0 if none waits. */
  longestWaitMs: number;
  capacity: number;
  /** The process's limit of open files, which determines the capacity; null if unlimited or unknown. */
  openFiles: number | null;
}

/** Maximum time a team's check waits for a slot of its probe; after that its result is unknown. */
export const MAX_SLOT_WAIT_MS = 15 * 60_000;
