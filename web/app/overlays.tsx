import { lazy, Suspense, useSyncExternalStore, type ReactNode } from 'react';
import { readOverlay, setOverlay, subscribeOverlay } from './palette-state.ts';
import { useShortcuts } from './shortcuts.ts';

const Palette = lazy(() =>
  import('./palette.tsx').then(({ Palette: page }) => ({ default: page })),
);
const ShortcutHelp = lazy(() =>
  import('./shortcut-help.tsx').then(({ ShortcutHelp: page }) => ({ default: page })),
);

const close = () => setOverlay(null);

/** The palette and the list of shortcuts, which open over any page. */
export function Overlays(): ReactNode {
  useShortcuts();
  const overlay = useSyncExternalStore(subscribeOverlay, readOverlay);
  return (
    <Suspense>
      {overlay === 'palette' && <Palette onClose={close} />}
      {overlay === 'shortcuts' && <ShortcutHelp onClose={close} />}
    </Suspense>
  );
}
