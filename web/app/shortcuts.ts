import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { openPalette, overlay, setOverlay } from './palette-state.ts';
import { moveRow } from './row-moves.ts';

/** Time for the second key of a pair such as `g m`. */
const PAIR_MS = 1_000;

/** Pages that `g` and a letter lead to. */
export const GO_TO: Record<string, string> = {
  m: '/monitors',
  i: '/incidents',
  s: '/status-pages',
  r: '/reports',
  w: '/maintenance',
  c: '/channels',
  a: '/account',
};

/** What a key press asks for; null for nothing. Pure. */
export type Command =
  | { do: 'palette' | 'search' | 'new' | 'help' | 'next' | 'previous' | 'edit' | 'select' }
  | { do: 'go'; path: string }
  | { do: 'wait' }
  | null;

/** Reads a key press, which is not made while typing. @param before key pressed just before, for pairs */
export function commandOf(
  { key, isControl }: { key: string; isControl: boolean },
  before: string,
): Command {
  if (isControl) return key.toLowerCase() === 'k' ? { do: 'palette' } : null;
  if (before === 'g') {
    const path = GO_TO[key];
    return path === undefined ? null : { do: 'go', path };
  }
  switch (key) {
    case 'g':
      return { do: 'wait' };
    case '/':
      return { do: 'search' };
    case 'n':
      return { do: 'new' };
    case '?':
      return { do: 'help' };
    case 'j':
      return { do: 'next' };
    case 'k':
      return { do: 'previous' };
    case 'e':
      return { do: 'edit' };
    case 'x':
      return { do: 'select' };
    default:
      return null;
  }
}

/** Listens to the shortcuts. Once on a page. */
export function useShortcuts(): void {
  const [page, navigate] = useLocation();
  useEffect(() => {
    let before = '';
    let beforeAt = 0;
    const listen = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, timeStamp } = event;
      if (event.defaultPrevented || altKey || event.isComposing) return;
      const isControl = ctrlKey || metaKey;
      if (!isControl && (isTyping(event.target) || overlay.read() !== null || hasLayer())) return;
      const command = commandOf({ key, isControl }, timeStamp - beforeAt < PAIR_MS ? before : '');
      [before, beforeAt] = [key, timeStamp];
      if (command === null || command.do === 'wait') return;
      if (run(command, page, navigate)) event.preventDefault();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [page, navigate]);
}

/** Does what was asked; false when there is nothing to do it with. */
function run(
  command: NonNullable<Command>,
  page: string,
  navigate: (path: string) => void,
): boolean {
  switch (command.do) {
    case 'palette':
      openPalette();
      return true;
    case 'help':
      setOverlay('shortcuts');
      return true;
    case 'go':
      navigate(command.path);
      return true;
    case 'new':
      navigate('/monitors/new');
      return true;
    case 'search':
      return focusSearch();
    case 'edit':
      return edit(page, navigate);
    case 'select':
      return pressInRow('input[type=checkbox]');
    case 'next':
      return moveRow(1) ?? move(1);
    case 'previous':
      return moveRow(-1) ?? move(-1);
    default:
      return false;
  }
}

/** Search field of the page; without one the palette. */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main [data-search]');
  if (field === null) openPalette();
  else field.select();
  return true;
}

const MONITOR_PAGE = /^\/monitors\/\d+$/;

/** Opens the form of the row that has the focus, else of the monitor that is open. */
function edit(page: string, navigate: (path: string) => void): boolean {
  const path =
    focusedRow()?.dataset['editPath'] ?? (MONITOR_PAGE.test(page) ? `${page}/edit` : undefined);
  if (path !== undefined) navigate(path);
  return path !== undefined;
}

/** Clicks a control of the row that has the focus. */
function pressInRow(selector: string): boolean {
  const target = focusedRow()?.querySelector<HTMLElement>(selector) ?? null;
  target?.click();
  return target !== null;
}

/** Rows of lists are marked with `data-row`; their first link takes the focus. */
function move(step: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')];
  if (rows.length === 0) return false;
  const row = focusedRow();
  const index = row === null ? (step > 0 ? -1 : rows.length) : rows.indexOf(row);
  const next = rows[Math.min(rows.length - 1, Math.max(0, index + step))]!;
  const link = next.querySelector<HTMLElement>('a');
  link?.focus();
  next.scrollIntoView({ block: 'nearest' });
  return link !== null;
}

function focusedRow(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>('[data-row]') ?? null;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement && target.type === 'checkbox') return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}

/** Whether a dialog or a menu is open: keys belong to it. */
function hasLayer(): boolean {
  return document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null;
}
