import { useState, useSyncExternalStore } from 'react';
import { readFilter, writeFilter, type Filter } from './filter.ts';
import { keep, readKept } from '../../app/place.ts';
import { toggled } from './rows.ts';

/** What the list keeps in this browser: filters with names, and groups that are closed. Pure. */

/** Filter with a name, kept in this browser. */
export interface SavedFilter {
  name: string;
  /** Query of its address, such as "?status=offline". */
  search: string;
}

/** Reads kept filters; what is not one is left out. */
export function parseSaved(text: string): SavedFilter[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return [];
  }
  return Array.isArray(parsed) ? parsed.filter(isSaved) : [];
}

function isSaved(value: unknown): value is SavedFilter {
  if (typeof value !== 'object' || value === null) return false;
  const { name, search } = value as Record<string, unknown>;
  return typeof name === 'string' && name !== '' && typeof search === 'string';
}

/** Filters with one more, which takes the place of one with its name. In the order of their names. */
export function withSaved(saved: readonly SavedFilter[], added: SavedFilter): SavedFilter[] {
  return [...saved.filter(({ name }) => name !== added.name), added].toSorted((one, other) =>
    one.name.localeCompare(other.name),
  );
}

/** The filter that was saved as this one, if any. */
export function savedAs(saved: readonly SavedFilter[], filter: Filter): SavedFilter | undefined {
  const search = writeFilter(filter);
  return saved.find((one) => writeFilter(readFilter(one.search)) === search);
}

/** Reads kept ids; what is not one is left out. */
export function parseClosed(text: string): ReadonlySet<number | null> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (!Array.isArray(parsed)) return new Set();
    return new Set(parsed.filter((id) => id === null || Number.isSafeInteger(id)));
  } catch {
    return new Set();
  }
}

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
