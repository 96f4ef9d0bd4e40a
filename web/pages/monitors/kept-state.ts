import { useState } from 'react';
import { keep, readKept } from '../../app/place.ts';
import { createStore } from '../../app/store.ts';
import { parseClosed, parseSaved, type SavedFilter } from './filter.ts';
import { toggled } from './rows.ts';

const FILTERS = 'filters';
const CLOSED = 'closed-groups';
const saved = createStore<readonly SavedFilter[]>(parseSaved(readKept(FILTERS) ?? ''));

/** Filters of this browser, read again when they change. */
export const useSavedFilters = saved.useValue;

export function saveFilters(filters: readonly SavedFilter[]): void {
  keep(FILTERS, JSON.stringify(filters));
  saved.set(filters);
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
