import { slugOf } from '../../configuration/keys.ts';
import type { Refers } from '../../monitor-types/field.ts';

/** Where a value is, below an item: names and indexes. */
export type Path = readonly (string | number)[];

/**
 * A value with other references. A reference in a list that becomes undefined is left out.
 *
 * @param refers what the references in it stand for.
 * @param map gives the new reference; `list` is the section that has the thing, or `users`.
 */
export function mapReferences(
  value: unknown,
  refers: Refers,
  map: (reference: unknown, list: string, path: Path) => unknown,
  path: Path = [],
): unknown {
  if (value === null || value === undefined) return value;
  if (Array.isArray(value))
    return value
      .map((one, index) => mapReferences(one, refers, map, [...path, index]))
      .filter((one) => one !== undefined);
  if (typeof refers === 'string') return map(value, refers, path);
  if (typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([name, one]) => [
    name,
    Object.hasOwn(refers, name) ? mapReferences(one, refers[name]!, map, [...path, name]) : one,
  ]);
  return Object.fromEntries(entries) as object;
}

/**
 * Keys made of names, for things that no set owns: of one name, the second is `-2`. The same things in the same order have
 * the same keys, so that an item finds the thing that it was exported from.
 *
 * @param taken keys of the same kind that are in use.
 */
export function makeKeys(names: readonly string[], taken: ReadonlySet<string>): string[] {
  const used = new Set(taken);
  const next = new Map<string, number>();
  return names.map((name) => {
    const slug = slugOf(name);
    let number = next.get(slug) ?? 1;
    let key = slug;
    for (; used.has(key); key = `${slug}-${++number}`);
    next.set(slug, number);
    used.add(key);
    return key;
  });
}
