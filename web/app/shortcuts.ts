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
export type Command = Act | { do: 'wait' } | null;

/** What a command does on the page. */
type Act =
  | { do: 'palette' | 'search' | 'new' | 'help' | 'next' | 'previous' | 'edit' | 'select' }
  | { do: 'go'; path: string };

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
  const command = COMMANDS[key];
  return command === undefined ? null : { do: command };
}

const COMMANDS: Record<string, 'wait' | Exclude<Act['do'], 'go'>> = {
  g: 'wait',
  '/': 'search',
  n: 'new',
  '?': 'help',
  j: 'next',
  k: 'previous',
  e: 'edit',
  x: 'select',
};

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
      event.preventDefault();
      act(command, page, navigate);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [page, navigate]);
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

/** Does what a shortcut asks for, where the page has something to do it with. */
function act(command: Act, page: string, navigate: (path: string) => void): void {
  switch (command.do) {
    case 'palette':
      return openPalette();
    case 'help':
      return setOverlay('shortcuts');
    case 'go':
      return navigate(command.path);
    case 'new':
      return navigate('/monitors/new');
    case 'search':
      return focusSearch();
    case 'edit':
      return edit(page, navigate);
    case 'select':
      return focusedRow()?.querySelector<HTMLElement>('input[type=checkbox]')?.click();
    case 'next':
      return step(1);
    case 'previous':
      return step(-1);
  }
}

/** Goes to the next or previous row, by the list itself where it renders only a part of its rows. */
function step(by: 1 | -1): void {
  if (moveRow(by) === null) move(by);
}

/** Search field of the page; without one the palette. */
function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('main [data-search]');
  if (field === null) openPalette();
  else field.select();
}

const MONITOR_PAGE = /^\/monitors\/\d+$/;

/** Opens the form of the row that has the focus, else of the monitor that is open. */
function edit(page: string, navigate: (path: string) => void): void {
  const path =
    focusedRow()?.dataset['editPath'] ?? (MONITOR_PAGE.test(page) ? `${page}/edit` : undefined);
  if (path !== undefined) navigate(path);
}

/** Rows of lists are marked with `data-row`; their first link takes the focus. */
function move(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')];
  if (rows.length === 0) return;
  const row = focusedRow();
  const index = row === null ? (by > 0 ? -1 : rows.length) : rows.indexOf(row);
  const next = rows[Math.min(rows.length - 1, Math.max(0, index + by))]!;
  next.querySelector<HTMLElement>('a')?.focus();
  next.scrollIntoView({ block: 'nearest' });
}

function focusedRow(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>('[data-row]') ?? null;
}
