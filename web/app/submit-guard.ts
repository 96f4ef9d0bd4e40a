import { useEffect, useRef, useState } from 'react';

/**
 * Time in ms for which a press of the button is ignored once the page comes to the front: it may be the second half of a
 * double click that was meant for a window in front of it, which its site closed in between ("double clickjacking").
 */
const GUARD_MS = 500;

/** Whether a form may not be sent yet. */
export interface SubmitGuard {
  /** For what is shown. */
  isHeld: boolean;
  /** For what is done: true at once when the page comes to the front. */
  isHeldNow: () => boolean;
}

/** Holds a form in the first moments after it is shown or its window gets the focus. */
export function useSubmitGuard(): SubmitGuard {
  const [isHeld, setHeld] = useState(true);
  const held = useRef(true);
  useEffect(() => {
    let timer = 0;
    const set = (next: boolean) => {
      held.current = next;
      setHeld(next);
    };
    const guard = () => {
      set(true);
      clearTimeout(timer);
      timer = window.setTimeout(() => set(false), GUARD_MS);
    };
    guard();
    addEventListener('focus', guard);
    document.addEventListener('visibilitychange', guard);
    return () => {
      clearTimeout(timer);
      removeEventListener('focus', guard);
      document.removeEventListener('visibilitychange', guard);
    };
  }, []);
  return { isHeld, isHeldNow: () => held.current };
}
