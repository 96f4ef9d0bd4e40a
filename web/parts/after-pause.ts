import { useEffect, useRef } from 'react';

/** Time without a change after which what is typed is used, in milliseconds. */
const PAUSE_MS = 400;

/**
 * Runs something once a text has not changed for a moment, while somebody types. A change aborts what runs for the former text.
 *
 * @param text null for nothing to run
 * @param run handles its errors itself
 */
export function useAfterPause(
  text: string | null,
  run: (text: string, signal: AbortSignal) => Promise<void> | void,
): void {
  const newest = useRef(run);
  useEffect(() => {
    newest.current = run;
  });
  useEffect(() => {
    if (text === null) return undefined;
    const superseded = new AbortController();
    const timer = setTimeout(() => void newest.current(text, superseded.signal), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      superseded.abort();
    };
  }, [text]);
}
