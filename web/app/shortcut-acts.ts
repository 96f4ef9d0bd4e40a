import { openPalette, setOverlay } from './palette-state.ts';
import { moveRow } from './row-moves.ts';
import type { Act } from './shortcuts.ts';

/** Does what a shortcut asks for, where the page has something to do it with. Loaded with the palette, or at the first key. */
export function act(command: Act, page: string, navigate: (path: string) => void): void {
  switch (command.do) {
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
