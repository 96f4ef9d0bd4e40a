import { hash } from 'node:crypto';
import type { Section } from '../../configuration/document.ts';
import type { Caller } from '../../identity/caller.ts';
import { hintFor } from '../../lib/schemas.ts';
import { MASK } from '../../lib/secret-box.ts';
import { configurationSetChanges } from '../../store/resources/configuration-sets.ts';
import { recordChange } from '../common/change.ts';
import { InvalidInput, Problem } from '../common/errors.ts';
import { Findings } from '../common/input.ts';
import { preconditionFailed } from '../common/precondition.ts';
import { auditTarget, OPERATOR } from '../../model/audit.ts';
import { auditLog } from '../../store/resources/audit.ts';
import { isoTime } from '../common/time.ts';
import { createTurns } from '../../lib/turns.ts';
import type { Item } from './document-input.ts';
import type { Fields, Kind, Scope, Thing } from './kinds.ts';
import { mapReferences } from './references.ts';
import {
  hasSecret,
  isAlike,
  isSecretValue,
  isTree,
  StoredSecret,
  withoutSecrets,
} from './secrets.ts';
import { readTeamState, withKeys, type OwnedItem, type TeamState } from './team-state.ts';

export interface Wish {
  name: string;
  items: readonly Item[];
  /** Whether things that the set owns and no longer names are deleted. */
  prune: boolean;
  maxDeletions: number;
  /** Whether that includes things with a history: else monitors are paused instead, and status pages stay. */
  deletesHistory: boolean;
  /** Fingerprint of the plan that is applied; null for any. */
  expected: string | null;
  /** Caller for the entry of the set itself, with the keys of the request. */
  recorder: Caller;
}

interface FieldChange {
  field: string;
  before: unknown;
  after: unknown;
  is_secret: boolean;
}

interface Named {
  section: Section;
  kind: string;
  key: string;
  /** Null for a thing that is to be created. */
  id: number | null;
  name: string;
}

export interface PlannedChange extends Named {
  action: 'create' | 'update' | 'delete' | 'retire' | 'adopt';
  fields: FieldChange[];
}

export interface DriftedThing extends Named {
  action: 'updated' | 'deleted';
  fields: { field: string; applied: unknown; current: unknown }[];
  changed_by: { actor: string; at: string; verb: string }[];
}

export interface Plan {
  name: string;
  /** Of the changes: the same plan has the same one. */
  fingerprint: string;
  is_empty: boolean;
  changes: PlannedChange[];
  drift: DriftedThing[];
  left_alone: Record<string, number>;
  kept: Named[];
  warnings: string[];
}

/** Thrown where nothing may be written and something would be. */
export class WouldChange extends Error {}

/** An item, and the thing that it is to become. */
interface Target {
  item: Item;
  kind: Kind;
  /** Null for a new one. */
  thing: Thing | null;
  isAdopted: boolean;
}

/**
 * Makes a team what a set wants. Changes are made by the operations of the nouns, so that what they refuse, record and cause
 * is the same as for a request. Throws InvalidInput with all that is wrong, by places of the document.
 *
 * @param mayWrite false to throw WouldChange instead of the first change.
 */
export async function run(
  kinds: readonly Kind[],
  scope: Scope,
  wish: Wish,
  mayWrite: boolean,
): Promise<Plan> {
  const findings = new Findings();
  const before = await readTeamState(kinds, scope, wish.name);
  const ids = createIds(before);
  const targets = wish.items.map((item) => targetOf(item, kinds, before));
  for (const { item, thing } of targets)
    if (thing !== null) ids.set(item.section, item.key, thing.id);

  const drift = driftOf(kinds, before, displayBy(kinds, before, ids));
  await nameChangers(scope, before, drift);
  const requireWriting = () => {
    if (!mayWrite) throw new WouldChange();
  };
  for (const kind of kinds) {
    const ofKind = targets.filter(({ item }) => item.section === kind.section);
    await settle(kind, ofKind, { scope, ids, findings, state: before, requireWriting });
  }
  findings.throwIfAny();

  const named = new Set(wish.items.map(({ section, key }) => `${section} ${key}`));
  const unnamed = before.owned.filter(
    ({ section, key, id }) =>
      !named.has(`${section} ${key}`) && before.things.get(section)!.has(id),
  );
  const kindIn = (section: Section) => kinds.find((one) => one.section === section)!;
  const losesHistory = ({ section }: OwnedItem) =>
    !wish.deletesHistory && kindIn(section).history !== undefined;
  const pruned = wish.prune ? unnamed : [];
  const deleted = pruned.filter((one) => !losesHistory(one));
  const retired = pruned.filter((one) => losesHistory(one) && kindIn(one.section).retire);
  const kept = unnamed.filter((one) => !deleted.includes(one) && !retired.includes(one));
  if (deleted.length + retired.length > wish.maxDeletions)
    throw new InvalidInput({
      max_deletions: [tooManyDeletions([...deleted, ...retired], wish.maxDeletions)],
    });
  if (deleted.length + retired.length > 0) requireWriting();
  for (const { section, id } of retired)
    await kindIn(section).retire!(scope, before.things.get(section)!.get(id)!);
  await remove(kinds, deleted, scope);

  const owned = targets.map(({ item }): Omit<OwnedItem, 'applied'> => {
    const { section, key } = item;
    return { section, key, id: ids.get(section, key)! };
  });
  const after = mayWrite ? await readTeamState(kinds, scope, wish.name) : before;
  const plan = await planOf({
    wish,
    kinds,
    before,
    after,
    targets,
    deleted,
    retired,
    kept,
    ids,
    drift,
  });
  if (!mayWrite) return plan;
  if (wish.expected !== null && wish.expected !== plan.fingerprint) throw preconditionFailed();
  const items = [...owned, ...kept].map((one) => {
    const kind = kindIn(one.section);
    const { fields } = after.things.get(one.section)!.get(one.id)!;
    return {
      kind: kind.kind,
      key: one.key,
      resource_id: one.id,
      applied: JSON.stringify(withoutSecrets(fields)),
    };
  });
  await record({ ...scope, caller: wish.recorder }, before, plan, items);
  return plan;
}

/** Ids of things by their keys in the set, while it is applied. */
function createIds({ others, memberIds }: TeamState) {
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
type Ids = ReturnType<typeof createIds>;

function targetOf(item: Item, kinds: readonly Kind[], state: TeamState): Target {
  const { section, key, fields } = item;
  const kind = kinds.find((one) => one.section === section)!;
  const owned = state.ownedItem(section, key);
  const own = owned && state.things.get(section)!.get(owned.id);
  if (own !== undefined) return { item, kind, thing: own, isAdopted: false };
  const free = state.free.get(section)!.get(key);
  const type = section === 'monitors' ? (fields['monitor_type'] ?? 'http') : fields['type'];
  const fits = free !== undefined && (free.type === null || free.type === type);
  return { item, kind, thing: fits ? free : null, isAdopted: fits };
}

interface Settling {
  scope: Scope;
  ids: Ids;
  findings: Findings;
  state: TeamState;
  requireWriting: () => void;
}

/** Creates and changes the things of one kind, those first that others of it refer to. */
async function settle(kind: Kind, targets: readonly Target[], its: Settling): Promise<void> {
  const { ids, findings } = its;
  let left = [...targets];
  while (left.length > 0) {
    const waiting = new Set(left.filter(({ thing }) => thing === null).map(({ item }) => item.key));
    const ready = left.filter((target) => !namesAny(target, waiting));
    if (ready.length === 0) {
      for (const { item } of left)
        findings.add(item.at, `refers to itself: ${circleOf(left, waiting).join(' → ')}`);
      return;
    }
    left = left.filter((target) => !ready.includes(target));
    const { failed, changed } = await settleRound(kind, ready, its);
    for (const refusal of failed) {
      const { target, error } = refusal;
      // What stands in its way may be gone after other changes, such as two names that are exchanged.
      if (target.thing !== null && (changed > 0 || left.length > 0)) left.push(target);
      else {
        ids.fail(kind.section, target.item.key);
        report(target, error, findings);
      }
    }
  }
}

/** Whether an item refers to one of these of its own kind, besides itself. */
function namesAny({ item, kind }: Target, keys: ReadonlySet<string>): boolean {
  if (keys.size === 0) return false;
  let isNaming = false;
  for (const [name, refers] of Object.entries(kind.refers))
    mapReferences(item.fields[name], refers, (reference, list) => {
      if (list === item.section && reference !== item.key && keys.has(String(reference)))
        isNaming = true;
      return reference;
    });
  return isNaming;
}

function circleOf(left: readonly Target[], waiting: ReadonlySet<string>): string[] {
  const next = (target: Target) =>
    left.find((one) => waiting.has(one.item.key) && namesAny(target, new Set([one.item.key])));
  const path: Target[] = [left[0]!];
  for (;;) {
    const following = next(path.at(-1)!);
    if (following === undefined) return path.map(({ item }) => item.key);
    const from = path.indexOf(following);
    path.push(following);
    if (from >= 0) return path.slice(from).map(({ item }) => item.key);
  }
}

async function settleRound(kind: Kind, ready: readonly Target[], its: Settling) {
  const { scope, ids, requireWriting } = its;
  const failed: { target: Target; error: Error }[] = [];
  const made: { target: Target; at: string; fields: Fields }[] = [];
  const turn = createTurns();
  let changed = 0;
  for (const target of ready) {
    await turn();
    const { item, thing } = target;
    const fields = read(target, its);
    if (fields === null) {
      if (thing === null) ids.fail(item.section, item.key);
      continue;
    }
    const whole = kind.complete(fields, thing);
    if (thing === null) made.push({ target, at: item.at, fields: whole });
    else if (!kind.asksFor(thing, whole, scope)) {
      requireWriting();
      const error = await kind.update(scope, thing, whole).then(
        () => null,
        (cause: Error) => cause,
      );
      if (error === null) changed++;
      else failed.push({ target, error });
    }
  }
  if (made.length > 0) {
    requireWriting();
    const results = await kind.create(scope, made);
    for (const [index, result] of results.entries()) {
      const { target } = made[index]!;
      if (typeof result === 'number') {
        changed++;
        ids.set(kind.section, target.item.key, result);
      } else failed.push({ target, error: result });
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
    if (!known.includes(name)) refuse([name], unknownField(kind.noun, name, known));
    const opened = openSecrets(value, [name], thing?.fields[name], given, refuse);
    const refers = kind.refers[name];
    if (refers === undefined) return [name, opened];
    const mapped = mapReferences(opened, refers, (reference, list, path) => {
      if (typeof reference !== 'string') return reference;
      const id = ids.find(list, reference);
      if (id !== undefined) return id;
      // That one has its own errors.
      if (ids.hasFailed(list, reference)) isWhole = false;
      else refuse([name, ...path], unknownReference(list, reference));
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
      'must not stand in a file: write {env: NAME} or {file: PATH}, which is read where the command runs',
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
  if (kind === 'env') return `set the environment variable ${name} where the command runs`;
  return kind === 'file' ? `the file ${name} does not exist` : 'the source had no value';
}

function unknownField(noun: string, name: string, known: readonly string[]): string {
  const near = hintFor(name.replaceAll('-', '_'), known);
  return `is no field of this ${noun}${near === '' ? `: the reference of the API lists them` : near}`;
}

function unknownReference(list: string, reference: string): string {
  if (list === 'users')
    return `must be the e-mail address of a member of the team: "${reference}" is none`;
  return `must be a key among ${list} of this set, "set/key" for another set, or an id: there is no "${reference}"`;
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
  if (error instanceof Problem)
    throw new Problem(error.code, `${kind.noun} "${item.key}": ${error.message}`);
  throw error;
}

async function remove(kinds: readonly Kind[], deleted: readonly OwnedItem[], scope: Scope) {
  for (const kind of kinds.toReversed()) {
    const ofKind = deleted.filter(({ section }) => section === kind.section);
    for (const { id } of ofKind) await kind.remove(scope, id);
  }
}

function tooManyDeletions(deleted: readonly OwnedItem[], most: number): string {
  const named = deleted.slice(0, 10).map(({ section, key }) => `${section} ${key}`);
  const more = deleted.length > named.length ? ` and ${deleted.length - named.length} more` : '';
  return `max_deletions must be at least ${deleted.length} for this, and is ${most}: ${named.join(', ')}${more} would be deleted.`;
}

interface Outcome {
  wish: Wish;
  kinds: readonly Kind[];
  before: TeamState;
  after: TeamState;
  targets: readonly Target[];
  deleted: readonly OwnedItem[];
  retired: readonly OwnedItem[];
  kept: readonly OwnedItem[];
  ids: Ids;
  drift: DriftedThing[];
}

async function planOf({
  wish,
  kinds,
  before,
  after,
  targets,
  deleted,
  retired,
  kept,
  ids,
  drift,
}: Outcome): Promise<Plan> {
  const changes: PlannedChange[] = [];
  const warnings: string[] = [];
  const display = displayBy(kinds, before, ids);
  const turn = createTurns();
  for (const { item, kind, thing, isAdopted } of targets) {
    await turn();
    const { section, key } = item;
    const now = after.things.get(section)!.get(ids.get(section, key)!)!;
    const fields = changesBetween(thing && display(kind, thing.fields), display(kind, now.fields), {
      kind,
      wholeBefore: thing?.fields ?? null,
      wholeAfter: now.fields,
    });
    const named = { section, kind: kind.kind, key, id: thing?.id ?? null, name: now.name };
    if (isAdopted) changes.push({ action: 'adopt', ...named, fields });
    else if (thing === null) changes.push({ action: 'create', ...named, fields });
    else if (fields.length > 0) changes.push({ action: 'update', ...named, fields });
  }
  const namedOf = ({ section, key, id }: OwnedItem): Named => {
    const kind = kinds.find((one) => one.section === section)!;
    return { section, kind: kind.kind, key, id, name: before.things.get(section)!.get(id)!.name };
  };
  for (const one of deleted) changes.push({ action: 'delete', ...namedOf(one), fields: [] });
  for (const one of retired) changes.push({ action: 'retire', ...namedOf(one), fields: [] });
  if (wish.prune)
    for (const { section, key } of kept) {
      const { noun, history } = kinds.find((one) => one.section === section)!;
      warnings.push(
        `The ${noun} "${key}" stays, since its ${history} would go with it: delete_history deletes it, too.`,
      );
    }
  const keptItems = kept.map(namedOf);
  const seen = new Set([
    ...targets.flatMap(({ item, thing }) =>
      thing === null ? [] : [`${item.section} ${thing.id}`],
    ),
    ...[...deleted, ...retired, ...kept].map(({ section, id }) => `${section} ${id}`),
  ]);
  const leftAlone = kinds.flatMap(({ section }) => {
    const left = [...before.things.get(section)!.keys()].filter(
      (id) => !seen.has(`${section} ${id}`),
    );
    return left.length === 0 ? [] : [[section, left.length] as const];
  });
  const isChange = ({ action, fields }: PlannedChange) => action !== 'adopt' || fields.length > 0;
  return {
    name: wish.name,
    fingerprint: fingerprintOf(wish.name, changes),
    is_empty: !changes.some(isChange),
    changes,
    drift,
    left_alone: Object.fromEntries(leftAlone),
    kept: keptItems,
    warnings,
  };
}

type Display = (kind: Kind, fields: Fields) => Fields;

/** Shows fields with the keys and addresses that are known now in place of ids. */
function displayBy(kinds: readonly Kind[], { memberNames }: TeamState, ids: Ids): Display {
  const keys = new Map(kinds.map(({ section }) => [section as string, ids.keyOf(section)]));
  keys.set('users', memberNames);
  return (kind, fields) =>
    withKeys(fields, kind.refers, (list, id) => keys.get(list)?.get(id as number) ?? id).fields;
}

function fingerprintOf(name: string, changes: readonly PlannedChange[]): string {
  return hash('sha256', JSON.stringify([name, changes]), 'base64url').slice(0, 32);
}

/** The fields that differ; of a new thing those that are not their default. */
function changesBetween(
  before: Fields | null,
  after: Fields,
  { kind, wholeBefore, wholeAfter }: { kind: Kind; wholeBefore: Fields | null; wholeAfter: Fields },
): FieldChange[] {
  return Object.keys(after).flatMap((name) => {
    const [former, present] = [wholeBefore?.[name] ?? null, wholeAfter[name] ?? null];
    const isSame =
      before === null
        ? present === null || isAlike(present, kind.defaultOf(name, wholeAfter) ?? null)
        : isAlike(former, present);
    if (isSame) return [];
    const isSecret = hasSecret(former) || hasSecret(present);
    return [
      {
        field: name,
        before: before?.[name] ?? null,
        after: after[name] ?? null,
        is_secret: isSecret,
      },
    ];
  });
}

/** What became of things of the set since it was last applied. */
function driftOf(
  kinds: readonly Kind[],
  { owned, things }: TeamState,
  display: Display,
): DriftedThing[] {
  return owned.flatMap(({ section, key, id, applied }): DriftedThing[] => {
    const kind = kinds.find((one) => one.section === section)!;
    const thing = things.get(section)!.get(id);
    const named = { section, kind: kind.kind, key, id };
    if (thing === undefined) {
      const name = applied['friendly_name'] ?? applied['name'] ?? applied['url'] ?? key;
      return [{ action: 'deleted', ...named, name: String(name), fields: [], changed_by: [] }];
    }
    const current = withoutSecrets(thing.fields) as Fields;
    const [shownApplied, shownCurrent] = [display(kind, applied), display(kind, current)];
    // Fields of a newer or older release are no drift.
    const names = Object.keys(current).filter((name) => Object.hasOwn(applied, name));
    const fields = names
      .filter((name) => !isAlike(current[name], applied[name]))
      .map((field) => ({
        field,
        applied: shownApplied[field] ?? null,
        current: shownCurrent[field] ?? null,
      }));
    return fields.length === 0
      ? []
      : [{ action: 'updated', ...named, name: thing.name, fields, changed_by: [] }];
  });
}

/** Changers that are named for a thing. */
const MAX_CHANGERS = 5;

/** Adds who changed what drifted since the set was last applied. */
async function nameChangers({ tx, caller }: Scope, { set }: TeamState, drift: DriftedThing[]) {
  if (set === null || drift.length === 0) return;
  const all = await auditLog(tx).changesSince(caller.team.id, set.applied_at);
  const applied = all.findLastIndex(
    (one) => one.target_type === 'configuration_set' && one.target_id === set.id,
  );
  const entries = all.slice(applied + 1);
  const byTarget = Map.groupBy(entries, (one) => `${one.target_type} ${one.target_id}`);
  for (const one of drift) {
    const found = byTarget.get(`${one.kind} ${one.id}`) ?? [];
    one.changed_by = found.slice(-MAX_CHANGERS).map(({ actor, created_at: at, verb }) => ({
      actor,
      at: isoTime(at),
      verb,
    }));
  }
}

/** Stores what the set owns now. */
async function record(
  { tx, caller, clock }: Scope,
  { set }: TeamState,
  plan: Plan,
  items: Parameters<ReturnType<typeof configurationSetChanges>['replaceItems']>[1],
): Promise<void> {
  const sets = configurationSetChanges(tx);
  const { person, team, credential } = caller;
  // After those of its changes.
  const now = clock.now();
  const by = credential.kind === 'operator' ? OPERATOR.name : `${person.name} <${person.email}>`;
  const id =
    set?.id ??
    (await sets.insert({
      team_id: team.id,
      name: plan.name,
      created_at: now,
      applied_at: now,
      applied_by: by,
    }));
  if (set !== null) await sets.applied(id, now, by);
  await sets.replaceItems(id, items);
  const count = (action: PlannedChange['action']) =>
    plan.changes.filter((one) => one.action === action).length;
  const after = {
    created: count('create'),
    updated: count('update'),
    deleted: count('delete'),
    retired: count('retire'),
    adopted: count('adopt'),
    items: items.length,
  };
  const target = auditTarget('configuration_set', { id, name: plan.name });
  await recordChange(tx, caller, { verb: 'applied', target, after }, now);
}
