import { useState, useSyncExternalStore } from 'react';
import { keep, readKept } from '../../app/place.ts';
import { parseClosed, parseSaved, type SavedFilter } from './filter.ts';
import { toggled } from './rows.ts';

const FILTERS = 'filters';
const CLOSED = 'closed-groups';
const listeners = new Set<() => void>();
let cached: { text: string; filters: readonly SavedFilter[] } = { text: '', filters: [] };

/** Filters of this browser, read again when they change. */
export function useSavedFilters(): readonly SavedFilter[] {
  return useSyncExternalStore(subscribe, readSaved);
}

export function saveFilters(filters: readonly SavedFilter[]): void {
  keep(FILTERS, JSON.stringify(filters));
  for (const listener of listeners) listener();
}

function readSaved(): readonly SavedFilter[] {
  const text = readKept(FILTERS) ?? '';
  if (text !== cached.text) cached = { text, filters: parseSaved(text) };
  return cached.filters;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Groups that are closed in the list, in this browser; null is for monitors without one. */
export function useClosedGroups(): [ReadonlySet<number | null>, (id: number | null) => void] {
  const [closed, setClosed] = useState(() => parseClosed(readKept(CLOSED) ?? ''));
  const toggle = (id: number | null) =>
    setClosed((before) => {
      const next = toggled(before, id);
      keep(CLOSED, JSON.stringify([...next]));
      return next;
    });
  return [closed, toggle];
}
