import { isMap, isSeq } from 'yaml';
import { unknownWord } from '../lib/schemas.ts';
import {
  ITEM_KEY,
  MAX_ITEMS,
  MAX_KEY_LENGTH,
  SECTIONS,
  SET_NAME,
  type ConfigurationDocument,
  type ConfigurationItem,
  type SecretValue,
  type Section,
} from './document.ts';
import {
  createPresets,
  keyPlace,
  mapsBy,
  over,
  placeIn,
  placeText,
  refuseOwnFields,
  type Layer,
  type Refuse,
} from './layers.ts';
import {
  ConfigurationRefused,
  type Budget,
  createBudget,
  isPlain,
  MAX_NESTING,
  Reference,
  type ConfigurationFile,
  type ParsedFile,
  type Value,
} from './nodes.ts';
import { parseFile } from './parse.ts';
import { inOrder, type ConfigurationError, type Place } from './places.ts';

export type { ConfigurationFile } from './nodes.ts';
export type { ConfigurationError, Place } from './places.ts';

export interface LoadedConfiguration {
  /** References are `{from: 'env NAME'}` or `{from: 'file path'}` in it, still without `value`. */
  document: ConfigurationDocument;
  references: ConfigurationReference[];
  /** Settings of a run that a file names: whether to delete what is no longer in them, and at most how many. */
  prune: boolean;
  maxDeletions: number | null;
  /**
   * Where the value at a path of the document, such as `monitors.3.url`, was written: also in a preset or in defaults.
   * Where nothing was written, the place of the item; null for what is not in the document.
   */
  placeOf(path: string): Place | null;
}

/** A secret that the files refer to. */
export interface ConfigurationReference {
  kind: 'env' | 'file';
  /** Name of the variable, or path as it is written. */
  target: string;
  /** In the document, such as `monitors.3.auth_password`. */
  path: string;
  place: Place;
  /** The value in the document, to be completed. */
  secret: SecretValue;
}

/** Further errors are rarely read, and often follow from the first. */
const MAX_ERRORS = 100;
const SETTINGS = ['name', 'defaults', 'presets', 'prune', 'max_deletions'];
const KNOWN = [...SETTINGS, ...SECTIONS];

interface Item extends Layer {
  /** What it is made of: later layers win. */
  layers: readonly Layer[];
}

/**
 * Merges files of YAML or JSON into one document. Pure, and never throws: each error says in which file, line and column
 * it is.
 *
 * @param files in the order in which their lists are joined. Their names are those of the errors.
 */
export function loadConfiguration(
  files: readonly ConfigurationFile[],
): LoadedConfiguration | { errors: ConfigurationError[] } {
  const errors: ConfigurationError[] = [];
  const report = (error: ConfigurationError) => {
    if (errors.push(error) === MAX_ERRORS) throw new ConfigurationRefused(null);
  };
  try {
    const spend = createBudget();
    const parsed = files
      .map((file) => parseFile(file, spend, report))
      .filter((one) => one !== null);
    const loaded = errors.length > 0 ? null : merge(parsed, spend, report);
    if (loaded !== null && errors.length === 0) return loaded;
  } catch (error) {
    if (!(error instanceof ConfigurationRefused)) throw error;
    if (error.error !== null) errors.push(error.error);
  }
  return { errors: inOrder(errors) };
}

function merge(
  parsed: readonly ParsedFile[],
  spend: Budget,
  report: (error: ConfigurationError) => void,
): LoadedConfiguration {
  const refuse = (place: Place, message: string) => report({ ...place, message });
  const start: Place = { file: parsed[0]?.name ?? 'tocsin.yaml', line: 1, column: 1 };

  for (const file of parsed) refuseUnknownKeys(file, refuse);
  const name = single(parsed, 'name', refuse);
  const prune = single(parsed, 'prune', refuse);
  const maxDeletions = single(parsed, 'max_deletions', refuse);
  if (name === null) {
    refuse(start, 'The set has no name. Write "name: my-services" at the top of a file.');
  } else if (!isName(name.value, SET_NAME)) {
    refuse(name.place, `"name" must be ${formOf('letters a to z, digits and hyphens')}.`);
  }
  if (prune !== null && typeof prune.value !== 'boolean') {
    refuse(prune.place, '"prune" must be true or false.');
  }
  if (maxDeletions !== null && !isCount(maxDeletions.value)) {
    refuse(maxDeletions.place, '"max_deletions" must be a whole number, 0 or more.');
  }

  const defaults = mapsBy(parsed, 'defaults', refuse);
  for (const [section, layer] of defaults) {
    if ((SECTIONS as readonly string[]).includes(section)) continue;
    refuse(keyPlace(layer), `"${section}" is no section: it ${unknownWord(section, SECTIONS)}.`);
  }
  const layersOf = createPresets(mapsBy(parsed, 'presets', refuse), refuse);
  for (const layer of defaults.values()) refuseOwnFields(layer, ['key', 'extends'], refuse);

  const sections = new Map<Section, Item[]>();
  let count = 0;
  for (const section of SECTIONS) {
    const own = defaults.get(section);
    const items = parsed.flatMap((file) =>
      itemsOf(file, section, refuse).map((layer): Item => {
        count += 1;
        if (count > MAX_ITEMS) {
          const message = `The files have more than ${MAX_ITEMS} items. Divide them into several sets.`;
          throw new ConfigurationRefused({ ...layer.file.placeAt(layer.node), message });
        }
        const layers = [...(own === undefined ? [] : [own]), ...layersOf(layer), layer];
        return { ...layer, layers };
      }),
    );
    if (parsed.some(({ value }) => Object.hasOwn(value, section))) sections.set(section, items);
    refuseWrongKeys(items, section, refuse);
  }

  const references: ConfigurationReference[] = [];
  const bases = new Map<string, Record<string, Value>>();
  const finish = createFinish(spend, references);
  const document: ConfigurationDocument = { name: name?.value as string };
  for (const [section, items] of sections) {
    document[section] = items.map((item, index) => {
      const place = () => item.file.placeAt(item.node);
      const shared = item.layers.slice(0, -1);
      const id = JSON.stringify([section, item.value['extends'] ?? []]);
      let base = bases.get(id);
      if (base === undefined) {
        base = shared.reduce<Record<string, Value>>(
          (all, one) => over(all, one.value, spend, place),
          {},
        );
        bases.set(id, base);
      }
      const { extends: _, ...fields } = over(base, item.value, spend, place);
      return finish(fields, `${section}.${index}`, 0, place) as ConfigurationItem;
    });
  }
  return {
    document,
    references,
    prune: prune?.value === true,
    maxDeletions: (maxDeletions?.value as number | undefined) ?? null,
    placeOf(path) {
      const [section = '', index, ...fields] = path.split('.');
      if (index === undefined || !sections.has(section as Section)) {
        const file = parsed.find(({ value }) => Object.hasOwn(value, section));
        return file === undefined ? null : keyPlace(file, section);
      }
      const item = sections.get(section as Section)?.[Number(index)];
      return item === undefined ? null : placeIn(item, fields);
    },
  };
}

function refuseUnknownKeys(file: ParsedFile, refuse: Refuse): void {
  for (const key of Object.keys(file.value)) {
    if (KNOWN.includes(key) || key.startsWith('x-')) continue;
    refuse(
      keyPlace(file, key),
      `"${key}" is not known at the top of a file: it ${unknownWord(key, KNOWN)}.`,
    );
  }
}

/** A value that one file has, or several have alike. */
function single(parsed: readonly ParsedFile[], key: string, refuse: Refuse) {
  const all = parsed
    .filter(({ value }) => (value[key] ?? null) !== null)
    .map((file) => ({ value: file.value[key], place: keyPlace(file, key) }));
  const [first] = all;
  const other = all.find(({ value }) => value !== first?.value);
  if (first === undefined || other === undefined) return first ?? null;
  refuse(
    other.place,
    `"${key}" differs from the one in ${placeText(first.place)}. Files of one set have the same.`,
  );
  return first;
}

function itemsOf(file: ParsedFile, section: Section, refuse: Refuse): Layer[] {
  const list = file.value[section] ?? null;
  if (list === null) return [];
  const node = file.follow(file.entryOf(file.root, section)?.value);
  if (!Array.isArray(list) || !isSeq(node)) {
    refuse(
      keyPlace(file, section),
      `"${section}" must be a list: begin each item with "- key: …".`,
    );
    return [];
  }
  return list.flatMap((value, index) => {
    const item = file.follow(node.items[index]);
    if (isPlain(value) && isMap(item)) return [{ file, node: item, value }];
    refuse(
      file.placeAt(node.items[index]),
      `An item of "${section}" must be a map that begins with "key:".`,
    );
    return [];
  });
}

function refuseWrongKeys(items: readonly Item[], section: Section, refuse: Refuse): void {
  const first = new Map<string, Place>();
  for (const { file, node, value } of items) {
    const key = value['key'] ?? null;
    const place = keyPlace(file, 'key', node);
    if (key === null) {
      refuse(
        place,
        'The item has no key. Write "key:" with a name that stays, such as "key: website".',
      );
    } else if (!isName(key, ITEM_KEY)) {
      const form = formOf('letters a to z, digits, ".", "_" and "-"');
      refuse(
        place,
        typeof key === 'number'
          ? `"key" must be text: put it in quotes.`
          : `"key" must be ${form}.`,
      );
    } else if (first.has(key)) {
      refuse(
        place,
        `The key "${key}" is used already in ${placeText(first.get(key)!)}. Keys of ${section} must differ.`,
      );
    } else {
      first.set(key, place);
    }
  }
}

/** Copies a value, as aliases and presets share parts, and notes the references in it. */
function createFinish(spend: Budget, references: ConfigurationReference[]) {
  return function finish(value: Value, path: string, depth: number, place: () => Place): unknown {
    spend(place);
    if (value instanceof Reference) {
      const { kind, target } = value;
      const secret: SecretValue = { from: `${kind} ${target}` };
      references.push({ kind, target, path, place: value.place, secret });
      return secret;
    }
    if (typeof value !== 'object' || value === null) return value;
    if (depth > MAX_NESTING) {
      const message = `Its aliases and presets make this item more than ${MAX_NESTING} deep.`;
      throw new ConfigurationRefused({ ...place(), message });
    }
    if (Array.isArray(value)) {
      return value.map((one, index) => finish(one, `${path}.${index}`, depth + 1, place));
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [
        key,
        finish(one, `${path}.${key}`, depth + 1, place),
      ]),
    );
  };
}

function isName(value: Value | undefined, form: RegExp): value is string {
  return typeof value === 'string' && value.length <= MAX_KEY_LENGTH && form.test(value);
}

function formOf(letters: string): string {
  return `text of at most ${MAX_KEY_LENGTH} characters: ${letters}, with a letter or digit at both ends`;
}

function isCount(value: Value | undefined): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
