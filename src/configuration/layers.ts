import { isMap, isSeq, type YAMLMap } from 'yaml';
import { hintFor } from '../lib/schemas.ts';
import { isPlain, MAX_NESTING, type Budget, type ParsedFile, type Value } from './nodes.ts';
import type { Place } from './places.ts';

/** Presets that an error lists. */
const MAX_NAMED = 10;
export type Refuse = (place: Place, message: string) => void;

/** A map of a file that contributes fields to an item: defaults of its section, a preset, or what stands in the item. */
export interface Layer {
  file: ParsedFile;
  node: YAMLMap;
  value: Record<string, Value>;
}

/** The maps of `defaults` or `presets` of all files, by their names. */
export function mapsBy(parsed: readonly ParsedFile[], key: string, refuse: Refuse) {
  const found = new Map<string, Layer & { name: string; parent: YAMLMap }>();
  for (const file of parsed) {
    const all = file.value[key] ?? null;
    if (all === null) continue;
    const parent = file.follow(file.entryOf(file.root, key)?.value);
    if (!isPlain(all) || !isMap(parent)) {
      refuse(
        keyPlace(file, key),
        `"${key}" must be a map${key === 'defaults' ? ' of sections' : ' of names'}.`,
      );
      continue;
    }
    for (const [name, value] of Object.entries(all)) {
      const entry = file.entryOf(parent, name);
      const node = file.follow(entry?.value);
      const place = file.placeAt(entry?.key);
      const before = found.get(name);
      if (before !== undefined) {
        refuse(place, `"${key}.${name}" stands already in ${placeText(keyPlace(before))}.`);
      } else if (isPlain(value) && isMap(node)) {
        found.set(name, { file, node, value, name, parent });
      } else if (value !== null) {
        refuse(place, `"${key}.${name}" must be a map of fields.`);
      }
    }
  }
  return found;
}

/** The presets that an item extends, and those that these extend. */
export function createPresets(
  presets: ReadonlyMap<string, Layer & { name: string; parent: YAMLMap }>,
  refuse: Refuse,
) {
  const done = new Map<string, readonly Layer[]>();
  const running: string[] = [];

  function withParents(name: string, place: Place): readonly Layer[] {
    const known = done.get(name);
    if (known !== undefined) return known;
    const preset = presets.get(name);
    if (preset === undefined) {
      const names = [...presets.keys()];
      const listed =
        names.length > MAX_NAMED ? '' : ` Presets are ${names.join(', ') || 'not there yet'}.`;
      refuse(place, `There is no preset "${name}"${hintFor(name, names)}.${listed}`);
      return [];
    }
    if (running.includes(name)) {
      const circle = [...running.slice(running.indexOf(name)), name].join(' → ');
      refuse(place, `These presets extend each other in a circle: ${circle}.`);
      return [];
    }
    if (running.length >= MAX_NESTING) {
      refuse(place, `Presets extend each other more than ${MAX_NESTING} deep.`);
      return [];
    }
    running.push(name);
    const { extends: _, ...value } = preset.value;
    const layers = [...layersOf(preset), { ...preset, value }];
    running.pop();
    done.set(name, layers);
    return layers;
  }

  function layersOf({ file, node, value }: Layer): readonly Layer[] {
    const written = value['extends'] ?? [];
    const names = Array.isArray(written) ? written : [written];
    if (names.length === 0) return [];
    const place = keyPlace(file, 'extends', node);
    if (!names.every((name) => typeof name === 'string')) {
      refuse(place, '"extends" must be the name of a preset, or a list of names.');
      return [];
    }
    // Of a preset that comes twice, the last one decides.
    const all = names.flatMap((name) => withParents(name, place)).toReversed();
    const layers = [...new Map(all.map((layer) => [layer.node, layer])).values()].toReversed();
    if (layers.length <= MAX_NESTING) return layers;
    refuse(place, `This extends more than ${MAX_NESTING} presets.`);
    return [];
  }

  for (const preset of presets.values()) {
    refuseOwnFields(preset, ['key'], refuse);
    withParents(preset.name, keyPlace(preset));
  }
  return layersOf;
}

export function refuseOwnFields(
  { file, node, value }: Layer,
  names: readonly string[],
  refuse: Refuse,
) {
  for (const name of names) {
    if (!Object.hasOwn(value, name)) continue;
    refuse(keyPlace(file, name, node), `"${name}" belongs to an item. Remove it here.`);
  }
}

/** Lays a map over another one: maps are merged, all else is replaced, and null takes away what is below. */
export function over(
  below: Record<string, Value>,
  above: Record<string, Value>,
  spend: Budget,
  place: () => Place,
): Record<string, Value> {
  const result = { ...below };
  for (const [key, value] of Object.entries(above)) {
    spend(place);
    const under = Object.hasOwn(result, key) ? result[key] : null;
    if (isPlain(under) && isPlain(value)) result[key] = over(under, value, spend, place);
    else if (value === null && under !== null) delete result[key];
    else result[key] = value;
  }
  return result;
}

/** The place of a value of an item: of the topmost layer that has it, else of what is nearest to it. */
export function placeIn(item: Layer & { layers: readonly Layer[] }, fields: readonly string[]) {
  let nearest: { depth: number; place: Place } = { depth: 0, place: item.file.placeAt(item.node) };
  for (const { file, node } of item.layers.toReversed()) {
    const found = locate(file, node, fields);
    if (found.depth > nearest.depth) nearest = found;
    if (found.isEnd) break;
  }
  return nearest.place;
}

/** Goes down a path. It ends at its last field, or where a value has no fields to go on with. */
function locate(file: ParsedFile, root: unknown, fields: readonly string[]) {
  let node: unknown = root;
  let place = file.placeAt(root);
  for (let depth = 0; depth < fields.length;) {
    if (isMap(node)) {
      // A name may have dots in it.
      let length = 1;
      let entry = file.entryOf(node, fields[depth]!);
      for (; entry === null && depth + length < fields.length; length += 1) {
        entry = file.entryOf(node, fields.slice(depth, depth + length + 1).join('.'));
      }
      if (entry === null) return { depth, place, isEnd: false };
      place = file.placeAt(entry.key);
      node = file.follow(entry.value);
      depth += length;
    } else {
      const next: unknown = isSeq(node) ? node.items[Number(fields[depth])] : undefined;
      if (next === undefined) return { depth, place, isEnd: true };
      place = file.placeAt(next);
      node = file.follow(next);
      depth += 1;
    }
  }
  return { depth: fields.length, place, isEnd: true };
}

/** The place of a key of a map, or of the map where it has none. */
export function keyPlace(file: ParsedFile, key: string, map?: YAMLMap): Place;
export function keyPlace(layer: Layer & { name: string; parent: YAMLMap }): Place;
export function keyPlace(
  of: ParsedFile | (Layer & { name: string; parent: YAMLMap }),
  key?: string,
  map?: YAMLMap,
): Place {
  if ('parent' in of) return keyPlace(of.file, of.name, of.parent);
  const node = map ?? of.root;
  return of.placeAt(of.entryOf(node, key!)?.key ?? node);
}

export function placeText({ file, line, column }: Place): string {
  return `${file}, line ${line}, column ${column}`;
}
