import { useState } from 'react';
import { keep, readKept } from '../../app/place.ts';
import { toggled } from './selection.ts';

const KEY = 'closed-groups';

/** Groups that are closed in the list, in this browser; null is for monitors without one. */
export function useClosedGroups(): [ReadonlySet<number | null>, (id: number | null) => void] {
  const [closed, setClosed] = useState(() => parseClosed(readKept(KEY) ?? ''));
  const toggle = (id: number | null) =>
    setClosed((before) => {
      const next = toggled(before, id);
      keep(KEY, JSON.stringify([...next]));
      return next;
    });
  return [closed, toggle];
}

/** Reads kept ids; what is not one is left out. Pure. */
export function parseClosed(text: string): ReadonlySet<number | null> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (!Array.isArray(parsed)) return new Set();
    return new Set(parsed.filter((id) => id === null || Number.isSafeInteger(id)));
  } catch {
    return new Set();
  }
}
