import { isSecretValue, type Section } from '../../configuration/document.ts';
import { MASK } from '../../lib/secret-box.ts';
import { authorize, InvalidInput, Problem } from '../common/errors.ts';
import { MAX_LISTED } from '../monitors/bulk-input.ts';
import type { Findings } from '../common/input.ts';
import { BeyondPlan } from '../plan/gate.ts';
import type { Item } from './document-input.ts';
import { unknownField } from './field-names.ts';
import type { Fields, Kind, Scope, Thing } from './kinds.ts';
import { mapReferences } from './references.ts';
import { isTree, StoredSecret } from './secrets.ts';
import type { TeamState } from './team-state.ts';

/** An item, and the thing that it is to become. */
export interface Target {
  item: Item;
  kind: Kind;
  /** Null for a new one. */
  thing: Thing | null;
  isAdopted: boolean;
}

/** Ids of things by their keys in the set, while it is applied. */
export function createIds({ others, memberIds }: TeamState) {
  const own = new Map<string, number>();
  const byOthers = new Map(
    others.map(({ section, set, key, id }) => [`${section} ${set}/${key}`, id]),
  );
  const failed = new Set<string>();
  return {
    set: (section: Section, key: string, id: number) => void own.set(`${section} ${key}`, id),
    get: (section: string, key: string) => own.get(`${section} ${key}`),
    fail: (section: Section, key: string) => void failed.add(`${section} ${key}`),
    hasFailed: (section: string, key: string) => failed.has(`${section} ${key}`),
    /** The id that a reference stands for; undefined for none. */
    find(list: string, reference: string): number | undefined {
      if (list === 'users') return memberIds.get(reference.toLowerCase());
      return own.get(`${list} ${reference}`) ?? byOthers.get(`${list} ${reference}`);
    },
    keyOf(list: string): ReadonlyMap<number, string> {
      const entries = [...own, ...byOthers].filter(([name]) => name.startsWith(`${list} `));
      return new Map(entries.map(([name, id]) => [id, name.slice(list.length + 1)]));
    },
  };
}

export type Ids = ReturnType<typeof createIds>;

/** Gives each item the thing that it owns or takes over. */
export function targetsOf(items: readonly Item[], kinds: readonly Kind[], state: TeamState) {
  const named = new Set(items.map(({ section, key }) => `${section} ${key}`));
  const unnamed = Map.groupBy(
    state.owned.flatMap(({ section, key, id }) => {
      const thing = state.things.get(section)!.get(id);
      return thing === undefined || named.has(`${section} ${key}`) ? [] : [{ section, thing }];
    }),
    ({ section, thing }) => `${section} ${thing.name}`,
  );
  return items.map((item): Target => {
    const { section, key, fields } = item;
    const kind = kinds.find((one) => one.section === section)!;
    const owned = state.ownedItem(section, key);
    const own = owned && state.things.get(section)!.get(owned.id);
    if (own !== undefined) return { item, kind, thing: own, isAdopted: false };
    const fits = (thing: Thing) => kind.identityOf?.(thing.fields) === kind.identityOf?.(fields);
    // An item with a new key, and the thing that the set had under the former one.
    const name = fields['friendly_name'] ?? fields['name'] ?? fields['url'];
    const renamed = unnamed.get(`${section} ${name as string}`) ?? [];
    const index = renamed.findIndex(({ thing }) => fits(thing));
    if (index !== -1) {
      const [{ thing }] = renamed.splice(index, 1) as [(typeof renamed)[number]];
      return { item, kind, thing, isAdopted: true };
    }
    const free = state.free.get(section)!.get(key);
    const isFit = free !== undefined && fits(free);
    return { item, kind, thing: isFit ? free : null, isAdopted: isFit };
  });
}

interface Settling {
  scope: Scope;
  ids: Ids;
  findings: Findings;
  /** To be awaited between the parts of the work. */
  turn: () => Promise<void>;
  /**
   * Called before the first of several changes; throws where nothing may be written.
   *
   * @param ids of the things that change.
   * @param creates whether things of the kind may be created, now or later.
   */
  beforeWriting: (kind: Kind, ids: readonly number[], creates: boolean) => Promise<void>;
}

/** Refused items of a kind after which no more are tried: each may have cost queries, and an answer names no more. */
const MOST_REFUSED = 100;
/** Times that what was refused is tried again. */
const MOST_REPEATS = 10;
/** Things that are created at once. */
const CREATED_AT_ONCE = MAX_LISTED;

/** Creates and changes the things of one kind, those first that others of it refer to. */
export async function settle(kind: Kind, targets: readonly Target[], its: Settling): Promise<void> {
  const { ids, findings, scope } = its;
  const [first] = targets;
  if (first === undefined) return;
  // Also where nothing would change: that would show what the caller must not read.
  try {
    authorize(scope.caller, 'update', kind.writer);
  } catch (error) {
    report(first, error as Error, findings);
  }
  const { rounds, stuck } = inRounds(targets);
  for (const { item } of stuck.keys()) ids.fail(kind.section, item.key);
  for (const circle of circlesIn(stuck)) {
    const predicate = `refers to itself: ${circleText(circle)}`;
    for (const { item } of circle) findings.add(item.at, predicate);
  }
  const creates = targets.some(({ thing }) => thing === null);
  let refused: Refusal[] = [];
  let changed = 0;
  for (const round of rounds) {
    if (refused.length > MOST_REFUSED) break;
    const outcome = await settleRound(kind, round, creates, its);
    refused.push(...outcome.failed);
    changed += outcome.changed;
  }
  for (let repeat = 0; repeat < MOST_REPEATS && changed > 0; repeat++) {
    // What stood in its way may be gone: two names that are exchanged, or, from the end, many that move on by one.
    const again = refused.flatMap(({ target }) => (target.thing === null ? [] : [target]));
    if (again.length === 0 || refused.length > MOST_REFUSED) break;
    const outcome = await settleRound(kind, again.toReversed(), false, its);
    refused = [...refused.filter(({ target }) => target.thing === null), ...outcome.failed];
    changed = outcome.changed;
  }
  for (const { target, error } of refused) report(target, error, findings);
}

interface Refusal {
  target: Target;
  error: Error;
}

/**
 * Puts items of one kind in rounds, so that those that are to be created come before those that refer to them.
 *
 * @returns the rounds, and what is in no round, as it refers to itself or to such an item: with the keys that it waits for.
 */
function inRounds(targets: readonly Target[]) {
  const created = new Set(
    targets.filter(({ thing }) => thing === null).map(({ item }) => item.key),
  );
  const waiting = new Map<Target, Set<string>>();
  const namedBy = new Map<string, Target[]>();
  for (const target of targets) {
    const keys = keysNamedBy(target, created);
    if (keys.size > 0) waiting.set(target, keys);
    for (const key of keys) namedBy.set(key, [...(namedBy.get(key) ?? []), target]);
  }
  const rounds: Target[][] = [];
  let round = targets.filter((target) => !waiting.has(target));
  while (round.length > 0) {
    rounds.push(round);
    round = round.flatMap(({ item }) =>
      (namedBy.get(item.key) ?? []).filter((target) => {
        const keys = waiting.get(target)!;
        keys.delete(item.key);
        return keys.size === 0 && waiting.delete(target);
      }),
    );
  }
  return { rounds, stuck: waiting };
}

/** Which of these keys of its section an item refers to, besides its own. */
function keysNamedBy({ item, kind }: Target, among: ReadonlySet<string>): Set<string> {
  const keys = new Set<string>();
  if (among.size === 0) return keys;
  for (const [name, refers] of Object.entries(kind.refers))
    mapReferences(item.fields[name], refers, (reference, list) => {
      const key = String(reference);
      if (list === item.section && key !== item.key && among.has(key)) keys.add(key);
      return reference;
    });
  return keys;
}

/** The circles that keep items waiting for each other. @param stuck the keys that each of them waits for. */
function circlesIn(stuck: ReadonlyMap<Target, ReadonlySet<string>>): Target[][] {
  const byKey = new Map([...stuck.keys()].map((target) => [target.item.key, target]));
  const seen = new Set<Target>();
  const circles: Target[][] = [];
  for (const start of stuck.keys()) {
    const path = new Set<Target>();
    let target = start;
    while (!seen.has(target)) {
      seen.add(target);
      path.add(target);
      const [key] = stuck.get(target)!;
      target = byKey.get(key!)!;
    }
    if (path.has(target)) {
      const all = [...path];
      circles.push(all.slice(all.indexOf(target)));
    }
  }
  return circles;
}

/** Keys that a text names of a longer circle. */
const MAX_KEYS = 8;

function circleText(circle: readonly Target[]): string {
  const keys = circle.map(({ item }) => item.key);
  const shown = keys.length > MAX_KEYS ? [...keys.slice(0, MAX_KEYS), '…'] : keys;
  return [...shown, keys[0]].join(' → ');
}

async function settleRound(kind: Kind, round: readonly Target[], creates: boolean, its: Settling) {
  const { scope, ids, turn, beforeWriting } = its;
  const failed: Refusal[] = [];
  const edited: { target: Target; thing: Thing; fields: Fields }[] = [];
  const made: { target: Target; fields: Fields }[] = [];
  let changed = 0;
  for (const target of round) {
    await turn();
    const { item, thing } = target;
    const fields = read(target, its);
    if (fields === null) {
      if (thing === null) ids.fail(item.section, item.key);
      continue;
    }
    const whole = kind.complete(fields, thing);
    if (thing === null) made.push({ target, fields: whole });
    else if (!kind.asksFor(thing, whole, scope)) edited.push({ target, thing, fields: whole });
  }
  if (edited.length + made.length > 0)
    await beforeWriting(
      kind,
      edited.map(({ thing }) => thing.id),
      creates,
    );
  for (const { target, thing, fields } of edited) {
    if (failed.length > MOST_REFUSED) break;
    await turn();
    const error = await kind.update(scope, thing, fields).then(
      () => null,
      (cause: Error) => cause,
    );
    if (error === null) changed++;
    else failed.push({ target, error });
  }
  for (let from = 0; from < made.length; from += CREATED_AT_ONCE) {
    const part = made.slice(from, from + CREATED_AT_ONCE);
    const results =
      failed.length > MOST_REFUSED
        ? null
        : await kind.create(
            scope,
            part.map(({ fields }) => fields),
          );
    for (const [index, { target }] of part.entries()) {
      const result = results?.[index];
      if (typeof result === 'number') {
        changed++;
        ids.set(kind.section, target.item.key, result);
        continue;
      }
      ids.fail(kind.section, target.item.key);
      if (result !== undefined) failed.push({ target, error: result });
    }
  }
  return { failed, changed };
}

/** The fields of an item with values for what they name: ids, and secrets. Null with findings. */
function read({ item, kind, thing }: Target, { ids, findings }: Settling): Fields | null {
  const known = kind.names(item.fields);
  let isWhole = true;
  const refuse = (path: readonly (string | number)[], predicate: string) => {
    isWhole = false;
    findings.add([item.at, ...path].join('.'), predicate);
  };
  const given = new Set<string>();
  const entries = Object.entries(item.fields).map(([name, value]) => {
    if (!known.includes(name)) refuse([name], unknownField(kind.noun, name, known, item.fields));
    const opened = openSecrets(value, [name], thing?.fields[name], given, refuse);
    const refers = kind.refers[name];
    if (refers === undefined) return [name, opened];
    const mapped = mapReferences(opened, refers, (reference, list, path) => {
      if (typeof reference !== 'string') return reference;
      const id = ids.find(list, reference);
      if (id !== undefined) return id;
      // That one has its own errors.
      if (ids.hasFailed(list, reference)) isWhole = false;
      else {
        const at = [name, ...path];
        const shown = given.has(at.join('.')) ? 'such thing' : `"${reference}"`;
        refuse(at, unknownReference(list, shown));
      }
      return reference;
    });
    return [name, mapped];
  });
  const fields = Object.fromEntries(entries) as Fields;
  for (const path of kind.secretsIn(fields)) {
    const value = path.reduce<unknown>((at, name) => (isTree(at) ? at[name] : undefined), fields);
    if (value == null || value === '' || given.has(path.join('.'))) continue;
    refuse(
      path,
      'must not stand in a file: write {env: NAME} or {file: PATH}, which is read where the files are',
    );
  }
  return isWhole ? fields : null;
}

/** A value with what its secrets stand for. @param given paths of the secrets, joined by dots. */
function openSecrets(
  value: unknown,
  path: readonly (string | number)[],
  stored: unknown,
  given: Set<string>,
  refuse: (path: readonly (string | number)[], predicate: string) => void,
): unknown {
  if (isSecretValue(value)) {
    given.add(path.join('.'));
    if (value.value !== undefined) return value.value;
    if (stored instanceof StoredSecret) return MASK;
    if (stored !== undefined && stored !== null) return stored;
    refuse(path, `is not there: ${missingText(value.from)}`);
    return null;
  }
  const storedAt = (name: string | number) => (isTree(stored) ? stored[name] : undefined);
  if (Array.isArray(value))
    return value.map((one, index) =>
      openSecrets(one, [...path, index], storedAt(index), given, refuse),
    );
  if (!isTree(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      openSecrets(one, [...path, name], storedAt(name), given, refuse),
    ]),
  );
}

function missingText(from: string): string {
  const [kind, ...rest] = from.split(' ');
  const name = rest.join(' ');
  if (kind === 'env')
    return `set the environment variable ${name} where the files are read; commands take it from the file of --env-file, too`;
  return kind === 'file' ? `the file ${name} does not exist` : 'the source had no value';
}

/** @param reference in quotes. */
function unknownReference(list: string, reference: string): string {
  if (list === 'users')
    return `must be the e-mail address of a member of the team: there is no ${reference}`;
  return `must be a key among ${list} of this set, "set/key" for another set, or an id: there is no ${reference}`;
}

function report({ item, kind }: Target, error: Error, findings: Findings): void {
  if (error instanceof InvalidInput) {
    for (const [field, texts] of Object.entries(error.errors))
      for (const text of texts) {
        const predicate = text.startsWith(`${field} `) ? text.slice(field.length + 1) : text;
        findings.add(`${item.at}.${field}`, predicate.replace(/\.$/, ''));
      }
    return;
  }
  if (!(error instanceof Problem)) throw error;
  if (error.code === 'forbidden' && !(error instanceof BeyondPlan))
    throw new Problem('forbidden', `${kind.noun} "${item.key}": ${error.message}`);
  findings.add(item.at, `is refused: ${error.message.replace(/\.$/, '')}`);
}
