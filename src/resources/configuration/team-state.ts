import type { Section } from '../../configuration/document.ts';
import { createTurns } from '../../lib/turns.ts';
import { peopleStore } from '../../store/people/people.ts';
import {
  configurationSetRows,
  type ConfigurationSetRow,
} from '../../store/resources/configuration-sets.ts';
import type { Fields, Kind, Scope, Thing } from './kinds.ts';
import { makeKeys, mapReferences } from './references.ts';

/** An item of a set, and the thing that it stands for. */
export interface OwnedItem {
  section: Section;
  key: string;
  id: number;
  /** Fields of the thing as the set left them, without secrets. */
  applied: Fields;
}

/** What a team has, as one of its sets sees it. */
export interface TeamState {
  /** Null for a set that was never applied. */
  set: ConfigurationSetRow | null;
  things: ReadonlyMap<Section, ReadonlyMap<number, Thing>>;
  /** What the set owns; things may be gone. */
  owned: readonly OwnedItem[];
  ownedItem(section: Section, key: string): OwnedItem | undefined;
  /** Items of other sets. */
  others: readonly (OwnedItem & { set: string })[];
  /** Things that no set owns, by the keys that an export gives them. */
  free: ReadonlyMap<Section, ReadonlyMap<string, Thing>>;
  /** Ids of members by address, and the other way. */
  memberIds: ReadonlyMap<string, number>;
  memberNames: ReadonlyMap<number, string>;
}

export async function readTeamState(
  kinds: readonly Kind[],
  scope: Scope,
  name: string,
): Promise<TeamState> {
  const { tx, caller } = scope;
  const rows = configurationSetRows(tx, caller.team.id);
  const sets = await rows.list();
  const set = sets.find((one) => one.name === name) ?? null;
  const sectionOf = new Map(kinds.map(({ kind, section }) => [kind, section]));
  const turn = createTurns();
  const items: (OwnedItem & { set: string })[] = [];
  for (const row of await rows.items()) {
    await turn();
    const section = sectionOf.get(row.kind);
    const applied = JSON.parse(row.applied) as Fields;
    if (section !== undefined)
      items.push({ section, key: row.key, id: row.resource_id, set: row.set_name, applied });
  }
  const things = new Map<Section, Map<number, Thing>>();
  for (const kind of kinds) {
    const found = await kind.things(scope);
    things.set(kind.section, new Map(found.map((thing) => [thing.id, thing])));
  }
  const members = await peopleStore(tx).listMembers(caller.team.id);
  const memberNames = new Map(members.map(({ id, email }) => [id, email]));
  const exists = (list: string, id: unknown) =>
    list === 'users'
      ? memberNames.has(id as number)
      : things.get(list as Section)!.has(id as number);
  for (const kind of kinds) {
    const ofKind = things.get(kind.section)!;
    for (const thing of ofKind.values()) {
      await turn();
      const { fields, isWhole } = withKeys(thing.fields, kind.refers, (list, id) =>
        exists(list, id) ? id : undefined,
      );
      ofKind.set(thing.id, { ...thing, fields, namesOnlyGone: !isWhole });
    }
  }
  const owned = items.filter((one) => one.set === name);
  const ownedByKey = new Map(owned.map((one) => [`${one.section} ${one.key}`, one]));
  const others = items.filter((one) => one.set !== name);
  const free = new Map<Section, Map<string, Thing>>();
  for (const { section } of kinds) {
    const known = new Set(items.filter((one) => one.section === section).map(({ id }) => id));
    const taken = owned.filter((one) => one.section === section).map(({ key }) => key);
    const left = [...things.get(section)!.values()]
      .filter(({ id }) => !known.has(id))
      .toSorted((one, other) => one.id - other.id);
    const keys = makeKeys(
      left.map((thing) => thing.name),
      new Set(taken),
    );
    free.set(section, new Map(left.map((thing, index) => [keys[index]!, thing])));
  }
  return {
    set,
    things,
    owned,
    ownedItem: (section, key) => ownedByKey.get(`${section} ${key}`),
    others,
    free,
    memberIds: new Map(members.map(({ id, email }) => [email.toLowerCase(), id])),
    memberNames,
  };
}

/**
 * Fields with keys in place of ids. Ids of things that are gone stay only where a list would be empty without them: an empty
 * list may mean everything.
 *
 * @param keyOf the reference to a thing; undefined for one that is gone.
 */
export function withKeys(
  fields: Fields,
  refers: Kind['refers'],
  keyOf: (list: string, id: unknown) => unknown,
): { fields: Fields; isWhole: boolean } {
  let isWhole = true;
  const named = Object.entries(fields).map(([name, value]) => {
    const what = Object.hasOwn(refers, name) ? refers[name] : undefined;
    if (what === undefined) return [name, value];
    const mapped = mapReferences(value, what, (id, list) => keyOf(list, id));
    const isEmptied =
      Array.isArray(value) && value.length > 0 && (mapped as unknown[]).length === 0;
    if (!isEmptied) return [name, mapped];
    isWhole = false;
    return [name, value];
  });
  return { fields: Object.fromEntries(named) as Fields, isWhole };
}
