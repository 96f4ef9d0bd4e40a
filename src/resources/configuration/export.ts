import type { ConfigurationDocument, ConfigurationItem } from '../../configuration/document.ts';
import { variableOf } from '../../configuration/keys.ts';
import { listed } from '../../lib/text.ts';
import { createTurns } from '../../lib/turns.ts';
import type { Fields, Kind } from './kinds.ts';
import { isAlike, isTree, StoredSecret } from './secrets.ts';
import { withKeys, type TeamState } from './team-state.ts';

export interface ExportedSet {
  document: ConfigurationDocument;
  /** Secrets, which the document refers to as environment variables, and where they are. */
  secrets: { section: string; key: string; field: string; env: string }[];
  /** What is left out and why, in sentences. */
  warnings: string[];
}

/** What a set owns and what no set owns, as a set of this name. Fields with their default are left out. */
export async function exportState(kinds: readonly Kind[], state: TeamState, name: string) {
  const keys = new Map<string, string>();
  for (const { section, set, key, id } of state.others)
    keys.set(`${section} ${id}`, `${set}/${key}`);
  for (const { section, key, id } of state.owned) keys.set(`${section} ${id}`, key);
  for (const [section, things] of state.free)
    for (const [key, { id }] of things) keys.set(`${section} ${id}`, key);
  const others = new Set(state.others.map(({ section, id }) => `${section} ${id}`));
  const document: ConfigurationDocument = { name };
  const secrets: ExportedSet['secrets'] = [];
  const warnings: string[] = [];
  const used = new Set<string>();
  const turn = createTurns();

  /** A value with references to environment variables in place of its secrets. */
  function withVariables(
    value: unknown,
    path: readonly string[],
    at: { section: string; key: string },
  ): unknown {
    if (value instanceof StoredSecret) {
      const env = freeVariable([at.key, ...path], used);
      secrets.push({ ...at, field: path.join('.'), env });
      return { from: `env ${env}` };
    }
    if (Array.isArray(value))
      return value.map((one, index) => withVariables(one, [...path, String(index)], at));
    if (!isTree(value)) return value;
    const entries = Object.entries(value).filter(([, one]) => one !== null && one !== undefined);
    return Object.fromEntries(
      entries.map(([part, one]) => [part, withVariables(one, [...path, part], at)]),
    );
  }

  for (const kind of kinds) {
    const { section } = kind;
    const lost: string[] = [];
    const items: ConfigurationItem[] = [];
    for (const thing of state.things.get(section)!.values()) {
      await turn();
      const place = `${section} ${thing.id}`;
      if (others.has(place)) continue;
      const key = keys.get(place)!;
      if (thing.namesOnlyGone) {
        warnings.push(
          `The ${kind.noun} "${thing.name}" is left out: all that one of its lists names was deleted, and as an empty list it would mean everything.`,
        );
        continue;
      }
      const isLost = (field: string) => !isAlike(thing.fields[field], kind.defaultOf(field, {}));
      if (kind.unexported?.some(isLost)) lost.push(key);
      const { fields } = withKeys(thing.fields, kind.refers, (list, id) =>
        list === 'users' ? state.memberNames.get(id as number) : (keys.get(`${list} ${id}`) ?? id),
      );
      const chosen = Object.entries(fields).filter(
        ([field, value]) =>
          !kind.unexported?.includes(field) &&
          value !== null &&
          value !== undefined &&
          !isAlike(thing.fields[field], kind.defaultOf(field, thing.fields)),
      );
      const shown = chosen.map(([field, value]) => [
        field,
        withVariables(value, [field], { section, key }),
      ]);
      items.push({ key, ...(Object.fromEntries(shown) as Fields) });
    }
    if (lost.length > 0)
      warnings.push(
        `${kind.unexported!.join(', ')} are left out, as Tocsin has only hashes of them: add those of ${section} ${listed(lost)} to the file.`,
      );
    if (items.length > 0)
      document[section] = items.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  }
  const left = state.others.filter(({ section }) => kinds.some((kind) => kind.section === section));
  if (left.length > 0)
    warnings.push(
      `What other sets own is left out, and exported under their names: ${listed([...new Set(left.map(({ set }) => set))])}.`,
    );
  return { document, secrets, warnings };
}

/** Name of a variable for a secret that none has yet. */
function freeVariable(words: readonly string[], used: Set<string>): string {
  const name = variableOf(words);
  let free = name;
  for (let number = 2; used.has(free); number++) free = `${name}_${number}`;
  used.add(free);
  return free;
}
