import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { BASE } from '../app/place.ts';
import { words } from '../words/index.ts';
import { confirm } from './dialog.tsx';

/**
 * Asks before a page with changed settings is left: by a link, by going back (where the browser has the Navigation API), by
 * closing the tab or by loading it again.
 *
 * @param settings what a form edits, and how that is saved, as JSON can hold them (`useForm`)
 */
export function useLeaveGuard(settings: unknown, saved: unknown): void {
  const [, navigate] = useLocation();
  const isDirty = JSON.stringify(settings) !== JSON.stringify(saved);
  useEffect(() => {
    if (!isDirty) return;
    const guarded = new AbortController();
    const { signal } = guarded;
    const ask = (event: Event, go: () => void) => {
      event.preventDefault();
      event.stopPropagation();
      const { leave } = words;
      confirm({
        ...leave,
        onConfirm: async () => {
          guarded.abort();
          go();
        },
      });
    };
    addEventListener('beforeunload', (event) => event.preventDefault(), { signal });
    document.addEventListener(
      'click',
      (event) => {
        const path = pathOfLink(event);
        if (path !== null) ask(event, () => navigate(path));
      },
      { signal, capture: true },
    );
    window.navigation?.addEventListener(
      'navigate',
      (event) => {
        const { navigationType, cancelable, destination } = event;
        if (navigationType === 'traverse' && destination.sameDocument && cancelable)
          ask(event, () => void window.navigation.traverseTo(destination.key));
      },
      { signal },
    );
    return () => guarded.abort();
  }, [isDirty, navigate]);
}

/** Path of the page that a click would open in this tab; null for any other click. */
function pathOfLink(event: MouseEvent): string | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return null;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const href = link?.getAttribute('href') ?? '';
  if (!href.startsWith(`${BASE}/`) || link?.target === '_blank') return null;
  return href.slice(BASE.length);
}
