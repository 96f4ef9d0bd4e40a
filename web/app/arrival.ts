import { useEffect, type RefObject } from 'react';

/** Whether a page was opened whose heading has not been shown yet. */
let isDue = false;

/** Call when another page is opened: its heading takes the focus, so that the keyboard and screen readers begin there. */
export function pageOpened(): void {
  isDue = true;
}

/** Gives the focus to the heading of a page that was just opened, unless a field of the page has it. */
export function useArrival(heading: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (!isDue) return;
    isDue = false;
    const focused = document.activeElement;
    const isTaken = focused?.closest('main, [role=dialog], [role=alertdialog]') ?? null;
    if (isTaken === null || focused?.id === 'content')
      heading.current?.focus({ preventScroll: true });
  }, [heading]);
}
