import { isAlias, isMap, isScalar, isSeq, type YAMLMap } from 'yaml';
import type { ConfigurationError, Place } from './places.ts';

export interface ConfigurationFile {
  name: string;
  text: string;
}

/** Ends the work: what is left would take too long or too much memory, or there are enough errors. */
export class ConfigurationRefused extends Error {
  readonly error: ConfigurationError | null;

  constructor(error: ConfigurationError | null) {
    super(error?.message);
    this.error = error;
  }
}

/** `{env: NAME}` or `{file: path}`, as it is written. */
export class Reference {
  readonly kind: 'env' | 'file';
  readonly target: string;
  readonly place: Place;

  constructor(kind: 'env' | 'file', target: string, place: Place) {
    this.kind = kind;
    this.target = target;
    this.place = place;
  }
}

export type Value =
  | string
  | number
  | boolean
  | null
  | Reference
  | Value[]
  | { [key: string]: Value };

/** A file whose text is YAML: its content as a value, and the places of its parts. */
export interface ParsedFile {
  name: string;
  root: YAMLMap;
  value: Record<string, Value>;
  placeAt(node: unknown): Place;
  /** Entry of a map by its key, also one that an alias or a merge key brings. */
  entryOf(map: YAMLMap, key: string): Entry | null;
  /** The node that an alias stands for; other nodes are returned as they are. */
  follow(node: unknown): unknown;
}

export interface Entry {
  key: unknown;
  value: unknown;
}

/** Lists and maps in each other; also presets that extend each other. */
export const MAX_NESTING = 64;
/** Values of all files, and those that presets, defaults, aliases and merge keys repeat. */
const MAX_VALUES = 3_000_000;
const ENVIRONMENT_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,254}$/;
const MERGE_KEY = '<<';
/** Fields whose names are free: `env` is one of a request's headers there. */
const FREE_MAPS = new Set(['request_headers']);

/** Counts the values that were made. @throws ConfigurationRefused beyond what is reasonable. */
export function createBudget() {
  let left = MAX_VALUES;
  return (place: () => Place) => {
    left -= 1;
    if (left >= 0) return;
    const message = `All files together have more than ${MAX_VALUES} values, or repeat them by aliases and presets. Divide them into several sets.`;
    throw new ConfigurationRefused({ ...place(), message });
  };
}
export type Budget = ReturnType<typeof createBudget>;

export function offsetOf(node: unknown): number {
  return (node as { range?: [number, number, number] | null } | null)?.range?.[0] ?? 0;
}

/** Reads the nodes of a document, in its order: an alias means what had its name last. */
export function readNodes(
  name: string,
  root: YAMLMap,
  at: (offset: number) => Place,
  spend: Budget,
  refuse: (place: Place, message: string) => void,
): ParsedFile | null {
  const anchors = new Map<string, unknown>();
  const targets = new Map<unknown, unknown>();
  const anchored = new Map<unknown, Value>();
  const running = new Set<unknown>();
  const indexes = new Map<YAMLMap, ReadonlyMap<string | null, Entry>>();
  let isValid = true;
  const placeAt = (node: unknown) => at(offsetOf(node));
  const wrong = (node: unknown, message: string): null => {
    isValid = false;
    refuse(placeAt(node), message);
    return null;
  };

  function read(node: unknown, field = ''): Value {
    spend(() => placeAt(node));
    // A key without a value.
    if (node === null) return null;
    if (isAlias(node)) return readAlias(node);
    const { anchor } = node as { anchor?: string };
    if (anchor !== undefined) anchors.set(anchor, node);
    running.add(node);
    const value = readContent(node, field);
    running.delete(node);
    if (anchor !== undefined) anchored.set(node, value);
    return value;
  }

  function readAlias(node: { source: string }): Value {
    const target = anchors.get(node.source);
    if (target === undefined) {
      return wrong(
        node,
        `*${node.source} is not known: write &${node.source} above, where it is defined.`,
      );
    }
    if (running.has(target)) return wrong(node, `*${node.source} contains itself.`);
    targets.set(node, target);
    return anchored.get(target) ?? null;
  }

  function readContent(node: unknown, field: string): Value {
    if (isMap(node)) return readMap(node, field);
    if (isSeq(node)) return node.items.map((item) => read(item));
    const value = isScalar(node) ? node.value : null;
    if (typeof value !== 'number') {
      if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
      return wrong(node, 'This value is not understood: write text, a number, true or false.');
    }
    if (!Number.isFinite(value)) return wrong(node, 'A number must be finite.');
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      return wrong(
        node,
        'This number is too large to be exact. If it is a name, put it in quotes.',
      );
    }
    return value;
  }

  function readMap(map: YAMLMap, field: string): Value {
    const own: Record<string, Value> = {};
    const merged: Record<string, Value> = {};
    const seen = new Map<string, unknown>();
    for (const pair of map.items) {
      const key = textOf(pair.key);
      if (key === null || key === '') {
        wrong(pair.key ?? map, 'A key must be text that is not empty.');
      } else if (key === '__proto__') {
        wrong(pair.key, 'The key __proto__ is not allowed.');
      } else if (seen.has(key)) {
        const { line, column } = placeAt(seen.get(key));
        wrong(
          pair.key,
          `The key "${key}" stands twice in this map, first in line ${line}, column ${column}.`,
        );
      } else if (key === MERGE_KEY) {
        mergeInto(merged, pair.value);
      } else {
        own[key] = read(pair.value, key);
      }
      if (key !== null) seen.set(key, pair.key);
    }
    const value = { ...merged, ...own };
    return FREE_MAPS.has(field) ? value : (referenceIn(value, map) ?? value);
  }

  /** Of several maps that are merged, the first that has a key wins. */
  function mergeInto(merged: Record<string, Value>, node: unknown): void {
    const value = read(node);
    for (const source of Array.isArray(value) ? value : [value]) {
      if (!isPlain(source)) {
        wrong(node, '<< must name a map, or a list of maps, such as "<<: *defaults".');
        return;
      }
      for (const key of Object.keys(source)) {
        spend(() => placeAt(node));
        if (!Object.hasOwn(merged, key)) merged[key] = source[key]!;
      }
    }
  }

  function referenceIn(value: Record<string, Value>, map: YAMLMap): Reference | null {
    const kinds = Object.keys(value);
    const [kind] = kinds;
    if (
      (kind !== 'env' && kind !== 'file') ||
      kinds.some((one) => one !== 'env' && one !== 'file')
    ) {
      return null;
    }
    const target = value[kind];
    const place = placeAt(map);
    if (kinds.length > 1) return wrong(map, 'Name either "env" or "file", not both.');
    if (typeof target !== 'string' || target === '' || target.length > 4_096) {
      const what = kind === 'env' ? 'the name of an environment variable' : 'the path of a file';
      return wrong(map, `"${kind}" must be ${what}.`);
    }
    if (kind === 'env' && !ENVIRONMENT_NAME.test(target)) {
      return wrong(map, '"env" must be the name of a variable: letters, digits and underscores.');
    }
    return new Reference(kind, target, place);
  }

  const follow = (node: unknown) => targets.get(node) ?? node;

  /** The entries of a map by their keys, made when the first of them is asked for. */
  function entriesOf(map: YAMLMap): ReadonlyMap<string | null, Entry> {
    const known = indexes.get(map);
    if (known !== undefined) return known;
    const entries = new Map(map.items.map((pair) => [textOf(pair.key), pair]));
    indexes.set(map, entries);
    return entries;
  }

  function entryOf(map: YAMLMap, key: string): Entry | null {
    const maps = new Set([map]);
    for (const one of maps) {
      const entries = entriesOf(one);
      const own = entries.get(key);
      if (own !== undefined) return own;
      // What is added to a set while it is walked is walked, too.
      const merged = entries.get(MERGE_KEY);
      const source = merged === undefined ? null : follow(merged.value);
      const nodes = isSeq(source) ? source.items.map(follow) : [source];
      for (const node of nodes) if (isMap(node)) maps.add(node);
    }
    return null;
  }

  const value = read(root) as Record<string, Value>;
  return isValid ? { name, root, value, placeAt, entryOf, follow } : null;
}

function textOf(node: unknown): string | null {
  return isScalar(node) && typeof node.value === 'string' ? node.value : null;
}

/** Whether a value is a map. */
export function isPlain(value: Value | undefined): value is Record<string, Value> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Reference)
  );
}
