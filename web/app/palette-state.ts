/** Whether the command palette or the list of shortcuts is open. */
export type Overlay = 'palette' | 'shortcuts' | null;

let overlay: Overlay = null;
const listeners = new Set<() => void>();

/** Opens the command palette. */
export function openPalette(): void {
  setOverlay('palette');
}

export function setOverlay(next: Overlay): void {
  overlay = next;
  for (const listener of listeners) listener();
}

export function readOverlay(): Overlay {
  return overlay;
}

export function subscribeOverlay(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
