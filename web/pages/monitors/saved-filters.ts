import { useSyncExternalStore } from 'react';
import { keep, readKept } from '../../app/place.ts';
import { readFilter, writeFilter, type Filter } from './filter.ts';

/** Filter with a name, kept in this browser. */
export interface SavedFilter {
  name: string;
  /** Query of its address, such as "?status=offline". */
  search: string;
}

const KEY = 'filters';
const listeners = new Set<() => void>();
let cached: { text: string; filters: readonly SavedFilter[] } = { text: '', filters: [] };

/** Reads kept filters; what is not one is left out. Pure. */
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

/** Filters with one more, which takes the place of one with its name. In the order of their names. Pure. */
export function withSaved(saved: readonly SavedFilter[], added: SavedFilter): SavedFilter[] {
  return [...saved.filter(({ name }) => name !== added.name), added].toSorted((one, other) =>
    one.name.localeCompare(other.name),
  );
}

/** The filter that was saved as this one, if any. Pure. */
export function savedAs(saved: readonly SavedFilter[], filter: Filter): SavedFilter | undefined {
  const search = writeFilter(filter);
  return saved.find((one) => writeFilter(readFilter(one.search)) === search);
}

/** Filters of this browser, read again when they change. */
export function useSavedFilters(): readonly SavedFilter[] {
  return useSyncExternalStore(subscribe, readSaved);
}

export function saveFilters(filters: readonly SavedFilter[]): void {
  keep(KEY, JSON.stringify(filters));
  for (const listener of listeners) listener();
}

function readSaved(): readonly SavedFilter[] {
  const text = readKept(KEY) ?? '';
  if (text !== cached.text) cached = { text, filters: parseSaved(text) };
  return cached.filters;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
