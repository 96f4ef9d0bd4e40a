import { createStore } from './store.ts';

/** Whether the command palette or the list of shortcuts is open. */
export type Overlay = 'palette' | 'shortcuts' | null;

export const overlay = createStore<Overlay>(null);

/** Text typed since the palette was asked for, until its field has the focus; null while nobody waits for it. */
let typedAhead: string | null = null;

/** Opens the command palette. Keys that are pressed before its field is there are kept for it. */
export function openPalette(): void {
  if (overlay.read() !== 'palette') {
    typedAhead = '';
    addEventListener('keydown', typeAhead, { capture: true });
  }
  setOverlay('palette');
}

/** Text that was typed before the field of the palette had the focus: from now on the field gets the keys. */
export function takeTypedAhead(): string {
  removeEventListener('keydown', typeAhead, { capture: true });
  const text = typedAhead ?? '';
  typedAhead = null;
  return text;
}

function typeAhead(event: KeyboardEvent): void {
  if (typedAhead === null || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape') return setOverlay(null);
  if (event.key === 'Backspace') typedAhead = typedAhead.slice(0, -1);
  else if (Array.from(event.key).length === 1) typedAhead += event.key;
  else if (event.key !== 'Enter') return;
  event.preventDefault();
  event.stopPropagation();
}

export function setOverlay(next: Overlay): void {
  if (next !== 'palette') takeTypedAhead();
  overlay.set(next);
}
