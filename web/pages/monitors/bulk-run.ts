import { useRef, useState } from 'react';
import type { OnProgress } from './bulk-actions.ts';
import { MAX_IDS } from './bulk.ts';
import type { Row } from './rows.ts';

/** An action on monitors, which says how far it is and asks whether to go on. */
export type Act = (rows: readonly Row[], onProgress: OnProgress) => Promise<unknown>;

export interface BulkRun {
  /** How far the action is that runs now; null when none does, or one so short that it says nothing. */
  progress: { done: number; total: number } | null;
  /** Runs an action on the rows that are selected. */
  run: (act: Act) => Promise<void>;
  /** Lets the action end after the request that is under way. */
  stop: () => void;
}

/** Runs actions on monitors with their progress and a way to stop them. */
export function useBulkRun(rows: readonly Row[]): BulkRun {
  const [progress, setProgress] = useState<BulkRun['progress']>(null);
  const isStopped = useRef(false);
  const onProgress: OnProgress = (done, total) => {
    setProgress(done < total ? { done, total } : null);
    return !isStopped.current;
  };
  const run = async (act: Act) => {
    isStopped.current = false;
    if (rows.length > MAX_IDS) onProgress(0, rows.length);
    try {
      await act(rows, onProgress);
    } finally {
      setProgress(null);
    }
  };
  const stop = () => {
    isStopped.current = true;
  };
  return { progress, run, stop };
}
