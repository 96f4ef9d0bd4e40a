import type { ConfigurationDocument, ConfigurationItem } from '../document.ts';
import type { Discovered } from './discovered.ts';

export interface FollowOptions {
  /** Name of the configuration set. */
  name: string;
  /** Time for which a monitor is kept, paused, after it has disappeared, milliseconds. */
  keepMs: number;
}

/** A document to apply, and what is to be known of it once it was applied. */
export interface PendingDocument {
  document: ConfigurationDocument;
  /** The document as JSON, without what resumes monitors. */
  text: string;
  /** Monitors that it resumes. */
  resumed: readonly string[];
}

/** Of fewer monitors, any number may disappear at once. */
const MANY = 3;
/** Time after which a second list confirms that most monitors are gone. */
export const CONFIRM_MS = 60_000;
/** Time after which a monitor that the API refused is sent again: its team may have room for it by now. */
const RETRY_REFUSED_MS = 3_600_000;

/**
 * A tag of monitors that have disappeared: it tells people why they are paused, and discovery after a restart since when
 * they are.
 */
const GONE_TAG = /^gone since (\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC$/;
const MAX_TAGS = 20;

type Items = ReadonlyMap<string, ConfigurationItem>;

interface Gone {
  item: ConfigurationItem;
  since: number;
  /** Whether a document paused it. */
  isPaused: boolean;
}

/**
 * The configuration set of a source over time. A monitor that disappears stays in it, paused, until its time is over; one
 * that is described wrongly, or that the API refuses, stays as it was. Times are epoch milliseconds and given.
 */
export class FollowedSet {
  readonly #options: FollowOptions;
  #present: Items = new Map();
  #groups: Items = new Map();
  /** What was applied last. */
  #accepted: Items = new Map();
  #applied: string | null = null;
  #doubtedSince: number | null = null;
  readonly #gone = new Map<string, Gone>();
  /** Monitors that were paused as gone and are back: they are resumed once. */
  readonly #back = new Set<string>();
  /** What the API refused, as JSON, and until when it is not sent again. */
  readonly #refused = new Map<string, { text: string; until: number }>();
  /** Until when monitors are sent without these groups. */
  readonly #refusedGroups = new Map<string, number>();

  constructor(options: FollowOptions) {
    this.#options = options;
  }

  /** Continues with what an earlier process applied. */
  restore({ groups = [], monitors = [] }: ConfigurationDocument, now: number): void {
    const all = monitors.map(withoutGoneTag);
    this.#accepted = byKey(all.map(({ item }) => item));
    this.#present = byKey(all.filter(({ since }) => since === null).map(({ item }) => item));
    this.#groups = byKey(groups);
    for (const { item, since } of all)
      if (since !== null)
        this.#gone.set(item.key, { item, since: Math.min(since, now), isPaused: true });
  }

  /** Takes over what the source has: all of it. */
  observe(discovered: Discovered, now: number): void {
    const found = new Map(byKey(discovered.monitors));
    for (const key of discovered.refused) {
      const known = this.#present.get(key) ?? this.#gone.get(key)?.item;
      if (known !== undefined) found.set(key, known);
    }
    const missing = [...this.#present.values()].filter(({ key }) => !found.has(key));
    const areTrusted = this.#areTrusted(missing.length, now);
    for (const item of missing) {
      const { key } = item;
      if (!areTrusted) {
        found.set(key, item);
        continue;
      }
      this.#back.delete(key);
      // What was never applied has nothing to keep.
      const accepted = this.#accepted.get(key);
      if (accepted !== undefined)
        this.#gone.set(key, { item: accepted, since: now, isPaused: false });
    }
    for (const key of found.keys()) {
      if (this.#gone.get(key)?.isPaused) this.#back.add(key);
      this.#gone.delete(key);
    }
    this.#present = found;
    this.#groups = new Map([...this.#groups, ...byKey(discovered.groups)]);
  }

  /** Whether that many items can really be gone: a source that has just started may not have listed all yet. */
  #areTrusted(missing: number, now: number): boolean {
    const { size } = this.#present;
    const isDoubtful = size >= MANY && missing * 2 > size;
    const doubtedSince = isDoubtful ? Math.min(this.#doubtedSince ?? now, now) : null;
    const isConfirmed = doubtedSince !== null && now - doubtedSince >= CONFIRM_MS;
    this.#doubtedSince = isConfirmed ? null : doubtedSince;
    return !isDoubtful || isConfirmed;
  }

  /** The document to apply; null while it is the one that was applied last. Forgets monitors whose time is over. */
  next(now: number): PendingDocument | null {
    for (const [key, { since }] of this.#gone)
      if (now - since >= this.#options.keepMs) this.#gone.delete(key);
    for (const [key, { until }] of this.#refused)
      if (now >= until || !this.#present.has(key)) this.#refused.delete(key);
    for (const [key, until] of this.#refusedGroups)
      if (now >= until) this.#refusedGroups.delete(key);
    const present = [...this.#present.values()].flatMap((item) => this.#sent(item) ?? []);
    const monitors = [...present, ...[...this.#gone.values()].map(pausedAsGone)];
    const text = JSON.stringify(this.#documentOf(monitors));
    const resumed = present.filter(({ key }) => this.#back.has(key)).map(({ key }) => key);
    if (text === this.#applied && resumed.length === 0) return null;
    // From now on it may be applied, also where its answer is lost.
    for (const gone of this.#gone.values()) gone.isPaused = true;
    const all = monitors.map((item) =>
      resumed.includes(item.key) ? { is_paused: false, ...item } : item,
    );
    return { document: this.#documentOf(all), text, resumed };
  }

  /** The item unless it was refused, and then the one of before; undefined for none. */
  #sent(item: ConfigurationItem): ConfigurationItem | undefined {
    const refused = this.#refused.get(item.key);
    if (refused?.text === JSON.stringify(item)) return this.#accepted.get(item.key);
    this.#refused.delete(item.key);
    return item;
  }

  #documentOf(all: readonly ConfigurationItem[]): ConfigurationDocument {
    const monitors = all.map((item) =>
      this.#refusedGroups.has(String(item['group_id'])) ? withoutGroup(item) : item,
    );
    const used = new Set(monitors.map(({ group_id: group }) => group));
    const known = new Set(monitors.map(({ key }) => key));
    return {
      name: this.#options.name,
      groups: [...this.#groups.values()].filter(({ key }) => used.has(key)).toSorted(inOrder),
      monitors: monitors.map((monitor) => withParentsOf(monitor, known)).toSorted(inOrder),
    };
  }

  applied({ document, text, resumed }: PendingDocument): void {
    this.#accepted = byKey((document.monitors ?? []).map((item) => withoutGoneTag(item).item));
    this.#applied = text;
    for (const key of resumed) this.#back.delete(key);
  }

  /**
   * The API refused these monitors of a document: they stay as they were until they are described otherwise.
   *
   * @returns false when that does not help, since they are sent as they were already.
   */
  refuse(keys: Iterable<string>, now: number): boolean {
    let helps = false;
    for (const key of keys) {
      const item = this.#present.get(key);
      if (item === undefined || this.#refused.has(key)) continue;
      this.#refused.set(key, { text: JSON.stringify(item), until: now + RETRY_REFUSED_MS });
      helps = true;
    }
    return helps;
  }

  /** The API refused these groups, as another set has one of that name: their monitors are in none. @returns as `refuse`. */
  refuseGroups(keys: Iterable<string>, now: number): boolean {
    let helps = false;
    for (const key of keys) {
      helps ||= !this.#refusedGroups.has(key);
      this.#refusedGroups.set(key, now + RETRY_REFUSED_MS);
    }
    return helps;
  }

  /** When a list should confirm that most monitors are gone; null for never. */
  get confirmAt(): number | null {
    return this.#doubtedSince === null ? null : this.#doubtedSince + CONFIRM_MS;
  }

  /** When the document changes next by time alone; null for never. */
  get changesAt(): number | null {
    const ends = [...this.#gone.values()].map(({ since }) => since + this.#options.keepMs);
    const retries = [...this.#refused.values()].map(({ until }) => until);
    const times = [...ends, ...retries, ...this.#refusedGroups.values()];
    return times.length === 0 ? null : Math.min(...times);
  }
}

function byKey(items: readonly ConfigurationItem[]): Items {
  return new Map(items.map((item) => [item.key, item]));
}

const inOrder = (one: ConfigurationItem, other: ConfigurationItem) =>
  one.key < other.key ? -1 : 1;

const tagsOf = ({ tags }: ConfigurationItem) => (Array.isArray(tags) ? (tags as unknown[]) : []);

function pausedAsGone({ item, since }: Gone): ConfigurationItem {
  const tag = `gone since ${new Date(since).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return { ...item, is_paused: true, tags: [...tagsOf(item).slice(0, MAX_TAGS - 1), tag] };
}

/** An item of a document, and since when it is gone; null where it is not. */
function withoutGoneTag(item: ConfigurationItem) {
  const found = tagsOf(item).flatMap((tag) => GONE_TAG.exec(String(tag)) ?? []);
  if (found.length === 0) return { item, since: null };
  const { is_paused: _paused, tags: _tags, ...rest } = item;
  const tags = tagsOf(item).filter((tag) => !GONE_TAG.test(String(tag)));
  const since = Date.parse(`${found[1]}T${found[2]}Z`);
  return { item: { ...rest, tags }, since: Number.isNaN(since) ? 0 : since };
}

function withoutGroup({ group_id: _group, ...item }: ConfigurationItem): ConfigurationItem {
  return item as ConfigurationItem;
}

/** Names only parents that are in the document, too: one may have been refused. */
function withParentsOf(item: ConfigurationItem, known: ReadonlySet<string>): ConfigurationItem {
  const { depends_on: parents } = item;
  if (!Array.isArray(parents)) return item;
  return { ...item, depends_on: parents.filter((key) => known.has(key as string)) };
}
