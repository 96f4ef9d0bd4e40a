import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { BASE } from '../app/place.ts';
import { words } from '../words/index.ts';
import { confirm } from './dialog.tsx';

/** Asks before a page with unsaved changes is left by a link, by closing the tab or by loading it again. */
export function useUnsavedGuard(isDirty: boolean): void {
  const [, navigate] = useLocation();
  useEffect(() => {
    if (!isDirty) return;
    const beforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    const click = (event: MouseEvent) => {
      const path = pathOfLink(event);
      if (path === null) return;
      event.preventDefault();
      event.stopPropagation();
      confirm({
        title: words.monitorForm.leaveTitle,
        text: words.monitorForm.leaveText,
        action: words.monitorForm.leave,
        onConfirm: async () => navigate(path),
      });
    };
    addEventListener('beforeunload', beforeUnload);
    document.addEventListener('click', click, true);
    return () => {
      removeEventListener('beforeunload', beforeUnload);
      document.removeEventListener('click', click, true);
    };
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
