import { REFERENCES, type References } from '../../app/importers.gen.ts';
import type { ImportedConfiguration } from '../../app/api.gen.ts';

/** What is imported from another service, and what a person leaves out of it. Pure. */

interface Item {
  key: string;
  [field: string]: unknown;
}

type Lists = [section: string, items: Item[]][];

/** One thing of the source. */
export interface SourceRow {
  /** As its service shows it. */
  source: string;
  outcome: ImportedConfiguration['report'][number]['outcome'];
  /** Sentences about what changes. */
  notes: string[];
  /** What it becomes; null when it is left out. */
  item: { place: string; section: string; name: string; type: string | null } | null;
}

/** Names an item of a document, such as `monitors website`. */
const placeOf = (section: string, key: unknown) => `${section} ${key}`;

/** One row for each thing of the source, then for each item that was made beside them. */
export function rowsOf({
  document,
  report,
}: Pick<ImportedConfiguration, 'document' | 'report'>): SourceRow[] {
  const items = new Map(
    listsOf(document).flatMap(([section, list]) =>
      list.map((item) => [placeOf(section, item.key), describe(section, item)]),
    ),
  );
  const rows = report.map(({ item, ...note }) => ({
    ...note,
    item: item === null ? null : (items.get(placeOf(item.section, item.key)) ?? null),
  }));
  const reported = new Set(placesOf(rows));
  const others = [...items.values()].filter(({ place }) => !reported.has(place));
  return [
    ...rows,
    ...others.map((item) => ({
      source: item.name,
      outcome: 'imported' as const,
      notes: [],
      item,
    })),
  ];
}

/** Places of the items of rows, once each: several things of a source may become one item. */
export function placesOf(rows: readonly SourceRow[]): string[] {
  return [...new Set(rows.flatMap(({ item }) => (item === null ? [] : [item.place])))];
}

function describe(section: string, item: Item): NonNullable<SourceRow['item']> {
  const { friendly_name: friendly, name, url, key } = item;
  const type = item['monitor_type'] ?? item['type'];
  return {
    place: placeOf(section, key),
    section,
    name: String(friendly ?? name ?? url ?? key),
    type: typeof type === 'string' ? type : null,
  };
}

/**
 * The document without what is left out. References to it are cleared. Items that would then be about nothing, or would reach
 * nobody, are left out, too: an empty list may mean everything.
 *
 * @returns `dropped`, the places of those items.
 */
export function selectedOf(
  document: object,
  leftOut: ReadonlySet<string>,
): { document: Record<string, unknown>; dropped: Set<string> } {
  const gone = new Set(leftOut);
  for (let before = -1; before !== gone.size;) {
    before = gone.size;
    for (const [section, items] of listsOf(document))
      for (const item of items)
        if (isEmptied(section, item, gone)) gone.add(placeOf(section, item.key));
  }
  const sections = listsOf(document).map(([section, items]) => [
    section,
    items
      .filter(({ key }) => !gone.has(placeOf(section, key)))
      .map((item) => cleared(item, REFERENCES[section] ?? {}, gone)),
  ]);
  return {
    document: { ...document, ...(Object.fromEntries(sections) as object) },
    dropped: new Set([...gone].filter((place) => !leftOut.has(place))),
  };
}

/** Monitors and groups stand alone; a reference to a status page is an extra. */
const CLASSES = [
  ['monitors', 'groups'],
  ['alert_channels', 'users'],
];

function isEmptied(section: string, item: Item, gone: ReadonlySet<string>): boolean {
  const refers = REFERENCES[section];
  if (refers === undefined || section === 'monitors' || section === 'groups') return false;
  const all = [...referencesIn(item, refers)];
  return CLASSES.some((sections) => {
    const named = all.filter(([target]) => sections.includes(target));
    return named.length > 0 && named.every(([target, key]) => gone.has(placeOf(target, key)));
  });
}

function* referencesIn(value: unknown, refers: string | References): Generator<[string, unknown]> {
  if (Array.isArray(value)) for (const one of value) yield* referencesIn(one, refers);
  else if (value === null || value === undefined) return;
  else if (typeof refers === 'string') yield [refers, value];
  else
    for (const [field, inner] of Object.entries(refers))
      yield* referencesIn((value as Record<string, unknown>)[field], inner);
}

/** An item, or a part of one, without references to what is gone. */
function cleared<Whole extends object>(
  whole: Whole,
  refers: References,
  gone: ReadonlySet<string>,
) {
  const fields = Object.entries(whole).flatMap(([field, value]) => {
    const inner = refers[field];
    const kept = inner === undefined ? value : without(value, inner, gone);
    return kept === undefined ? [] : [[field, kept] as const];
  });
  return Object.fromEntries(fields);
}

function without(value: unknown, refers: string | References, gone: ReadonlySet<string>): unknown {
  if (Array.isArray(value))
    return value.map((one) => without(one, refers, gone)).filter((one) => one !== undefined);
  if (value === null) return value;
  if (typeof refers === 'string') return gone.has(placeOf(refers, value)) ? undefined : value;
  // A part that named only what is gone, such as a service of a status page, goes with it.
  const named = [...referencesIn(value, refers)];
  if (named.length > 0 && named.every(([target, key]) => gone.has(placeOf(target, key))))
    return undefined;
  return cleared(value as object, refers, gone);
}

/** Jobs that reported to addresses of the source. */
export function jobsOf(document: object): { key: string; name: string }[] {
  const monitors = listsOf(document).find(([section]) => section === 'monitors')?.[1] ?? [];
  return monitors
    .filter(({ ping_aliases: aliases }) => Array.isArray(aliases) && aliases.length > 0)
    .map((item) => ({ key: item.key, name: describe('monitors', item).name }));
}

/**
 * Errors of a plan by the items that they are about. The API names places, such as `monitors.3.url`.
 *
 * @returns `others`, messages about no single item.
 */
export function errorsByPlace(
  document: object,
  errors: Record<string, string[]>,
): { byPlace: Map<string, string[]>; others: string[] } {
  const byPlace = new Map<string, string[]>();
  const others: string[] = [];
  const lists = new Map(listsOf(document));
  for (const [name, messages] of Object.entries(errors)) {
    const [section = '', index] = name.split('.');
    const item = index === undefined ? undefined : lists.get(section)?.[Number(index)];
    if (item === undefined) others.push(...messages);
    else {
      const place = placeOf(section, item.key);
      const prefix = `${section}.${index}`;
      const texts = messages.map((text) =>
        text.startsWith(prefix) ? text.slice(prefix.length).replace(/^[. ]/, '') : text,
      );
      byPlace.set(place, [...(byPlace.get(place) ?? []), ...texts]);
    }
  }
  return { byPlace, others };
}

function listsOf(document: object): Lists {
  return Object.entries(document).filter((entry): entry is Lists[number] =>
    Array.isArray(entry[1]),
  );
}
