import type { Line } from './rows.ts';

/** Which rows of the list are chosen for an action. Pure. */

/** A set with a value if it was without it, and without it if it had it. */
export function toggled<Value>(set: ReadonlySet<Value>, value: Value): ReadonlySet<Value> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}

/** Ids of the monitors from one to another in the order of the list, both included; only `to` where `from` is not shown. */
export function idsBetween(lines: readonly Line[], from: number, to: number): number[] {
  const ids = lines.flatMap((line) => (line.kind === 'monitor' ? [line.row.monitor.id] : []));
  const [start, end] = [ids.indexOf(from), ids.indexOf(to)];
  if (start < 0 || end < 0) return [to];
  return ids.slice(Math.min(start, end), Math.max(start, end) + 1);
}

/**
 * Selection after a click on the box of a monitor. With shift, all from the box that was clicked before become what this one
 * becomes.
 */
export function afterClick(
  selected: ReadonlySet<number>,
  lines: readonly Line[],
  { id, before, isRange }: { id: number; before: number | null; isRange: boolean },
): ReadonlySet<number> {
  if (!isRange || before === null) return toggled(selected, id);
  const next = new Set(selected);
  for (const one of idsBetween(lines, before, id))
    if (selected.has(id)) next.delete(one);
    else next.add(one);
  return next;
}

/** Index of the monitor before or after a line, beyond heads of groups; null where there is none. */
export function nextMonitor(lines: readonly Line[], from: number, step: 1 | -1): number | null {
  for (let index = from + step; index >= 0 && index < lines.length; index += step)
    if (lines[index]!.kind === 'monitor') return index;
  return null;
}
