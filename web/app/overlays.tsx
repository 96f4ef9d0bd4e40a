import { lazy, Suspense, useEffect, useSyncExternalStore, type ReactNode } from 'react';
import { readOverlay, setOverlay, subscribeOverlay } from './palette-state.ts';
import { useShortcuts } from './shortcuts.ts';
import { whenReachable } from '../lib/when-reachable.ts';

const loadPalette = () => import('./palette.tsx').then(({ Palette: page }) => ({ default: page }));
const Palette = lazy(whenReachable(loadPalette));
const ShortcutHelp = lazy(
  whenReachable(() =>
    import('./shortcut-help.tsx').then(({ ShortcutHelp: page }) => ({ default: page })),
  ),
);

/** Time after which the palette is loaded ahead, in milliseconds. */
const PALETTE_AFTER_MS = 1_500;

const close = () => setOverlay(null);

/** The palette and the list of shortcuts, which open over any page. */
export function Overlays(): ReactNode {
  useShortcuts();
  useEffect(() => {
    // Before it is asked for, once the page has settled: then it opens at the key.
    // A failure loads nothing again: nobody asked for it.
    const timer = setTimeout(() => void loadPalette().catch(() => {}), PALETTE_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const overlay = useSyncExternalStore(subscribeOverlay, readOverlay);
  return (
    <Suspense>
      {overlay === 'palette' && <Palette onClose={close} />}
      {overlay === 'shortcuts' && <ShortcutHelp onClose={close} />}
    </Suspense>
  );
}
