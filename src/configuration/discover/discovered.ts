import { createHash } from 'node:crypto';
import { cut, enumerated, singleLine } from '../../lib/text.ts';
import { slugOf } from '../keys.ts';
import { ITEM_KEY, MAX_KEY_LENGTH, type ConfigurationItem } from '../document.ts';

/** Groups and monitors of a source: a part of a configuration set. Lists are sorted, so that the same things are equal. */
export interface Discovered {
  groups: ConfigurationItem[];
  monitors: ConfigurationItem[];
  /** Keys of monitors that exist and are described wrongly: they stay as they were. */
  refused: string[];
  /** Sentences for people, each with the place of the mistake. */
  warnings: string[];
}

/** A source that can't be reached or answers nonsense. The message says why, and what to do. */
export class DiscoveryError extends Error {
  override name = 'DiscoveryError';
}

/** One monitor as a source describes it. */
export interface Draft {
  /** Where it is described, for people, such as `Container shop-web-1`. */
  place: string;
  key: string;
  /** Without `key` and `group_id`; null when it is described wrongly. */
  fields: Readonly<Record<string, unknown>> | null;
  /** Name of its group; null or blank for none. */
  group: string | null;
}

const MAX_GROUP_NAME_LENGTH = 60;
/** Names of labels may be of any length. */
const MAX_WARNING_LENGTH = 500;

/** Makes one set of the monitors of all places. Of two with the same key the first one counts. */
export function assemble(drafts: readonly Draft[], warnings: readonly string[]): Discovered {
  const groups = new Map<string, ConfigurationItem>();
  const byKey = Map.groupBy(drafts, ({ key }) => key);
  const all = [...warnings];
  const monitors: ConfigurationItem[] = [];
  for (const [key, [draft, ...others]] of sorted(byKey)) {
    const { fields, group, place } = draft!;
    const elsewhere = others.filter(
      (other) => JSON.stringify(other) !== JSON.stringify({ ...draft, place: other.place }),
    );
    if (elsewhere.length > 0) {
      const places = enumerated(elsewhere.map((other) => other.place));
      all.push(
        `${places}: the key ${key} is that of ${place}, too, which counts. Give one of them another name.`,
      );
    }
    if (fields === null) continue;
    const name = groupNameOf(group ?? '');
    if (name !== '') {
      // As that of a group of this name which people made, and which is taken over then.
      const groupKey = slugOf(name);
      if (!groups.has(groupKey)) groups.set(groupKey, { key: groupKey, name });
      monitors.push({ key, ...fields, group_id: groupKey });
    } else monitors.push({ key, ...fields });
  }
  const refused = [...byKey].filter(([, [first]]) => first!.fields === null).map(([key]) => key);
  const known = new Set(byKey.keys());
  return {
    groups: sorted(groups).map(([, group]) => group),
    monitors: monitors.map((monitor) => withoutUnknownParents(monitor, known, all)),
    refused: refused.toSorted(),
    warnings: [...new Set(all.map((warning) => cut(warning, MAX_WARNING_LENGTH)))],
  };
}

/** A monitor of another place may be gone, or not be monitored at all: that must not refuse this one. */
function withoutUnknownParents(
  monitor: ConfigurationItem,
  known: ReadonlySet<string>,
  warnings: string[],
): ConfigurationItem {
  const { depends_on: parents } = monitor;
  if (!Array.isArray(parents)) return monitor;
  const unknown = parents.filter((key) => !known.has(key as string));
  if (unknown.length === 0) return monitor;
  warnings.push(
    `Monitor ${monitor.key}: depends_on names ${enumerated(unknown.map(String))}, but no monitor of this set has that key.`,
  );
  return { ...monitor, depends_on: parents.filter((key) => known.has(key as string)) };
}

function groupNameOf(text: string): string {
  return [...singleLine(text.replaceAll('\0', ''))].slice(0, MAX_GROUP_NAME_LENGTH).join('').trim();
}

const sorted = <Value>(map: ReadonlyMap<string, Value>) =>
  [...map].toSorted(([one], [other]) => (one < other ? -1 : 1));

const HASH_LENGTH = 8;

/**
 * Derives a key from names, such as `shop.web` from `shop` and `web`. The same names always have the same key; where
 * names are too long or have no letters that a key may hold, a hash of them stands in it.
 */
export function keyOf(names: readonly string[]): string {
  const whole = names.join('.');
  const key = plain(whole);
  if (key.length <= MAX_KEY_LENGTH && ITEM_KEY.test(key)) return key;
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, HASH_LENGTH);
  const start = plain(key.slice(0, MAX_KEY_LENGTH - HASH_LENGTH - 1));
  return start === '' ? `x-${hash}` : `${start}-${hash}`;
}

function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._]+/g, '-')
    .replaceAll(/^[^a-z0-9]+|[^a-z0-9]+$/g, '');
}
