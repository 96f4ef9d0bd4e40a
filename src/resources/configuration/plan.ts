import { hash } from 'node:crypto';
import type { z } from 'zod';
import { isSecretValue, type Section } from '../../configuration/document.ts';
import { MASK } from '../../lib/secret-box.ts';
import { listed } from '../../lib/text.ts';
import { createTurns } from '../../lib/turns.ts';
import { auditLog } from '../../store/resources/audit.ts';
import { isoTime } from '../common/time.ts';
import type { Fields, Kind, Scope } from './kinds.ts';
import type { planAnswer } from './reference.ts';
import { hasSecret, isAlike, isTree, withoutSecrets } from './secrets.ts';
import type { Ids, Target } from './settle.ts';
import { withKeys, type OwnedItem, type TeamState } from './team-state.ts';

export type Plan = z.output<typeof planAnswer>;
export type PlannedChange = Plan['changes'][number];
export type DriftedThing = Plan['drift'][number];
type Named = Plan['kept'][number];

/** What the set owns and names no longer: what of it is deleted, is paused in its place, and stays. */
export type Unnamed = Readonly<Record<'deleted' | 'retired' | 'kept', readonly OwnedItem[]>>;

interface Outcome {
  wish: { name: string; prune: boolean };
  kinds: readonly Kind[];
  /** Those that the caller may read: of others, a plan has no more than it was asked for. */
  shown: readonly Kind[];
  before: TeamState;
  after: TeamState;
  targets: readonly Target[];
  unnamed: Unnamed;
  ids: Ids;
  drift: DriftedThing[];
}

export async function planOf(outcome: Outcome): Promise<Plan> {
  const { wish, kinds, shown, before, after, targets, ids, drift } = outcome;
  const { deleted, retired, kept } = outcome.unnamed;
  const changes: PlannedChange[] = [];
  const warnings: string[] = [];
  const paused: string[] = [];
  const display = displayBy(kinds, before, ids);
  const turn = createTurns();
  for (const { item, kind, thing, isAdopted } of targets) {
    await turn();
    const { section, key } = item;
    const now = after.things.get(section)!.get(ids.get(section, key)!)!;
    const changed = changesBetween(
      thing && display(kind, thing.fields),
      display(kind, now.fields),
      {
        kind,
        wholeBefore: thing?.fields ?? null,
        wholeAfter: now.fields,
      },
    );
    const fields = changed.map(({ field, ...one }) => {
      const given = item.fields[field];
      const [former, present] = [one.before, one.after].map((value) => withBullets(value, given));
      const isSecret = one.is_secret || hasSecret(given);
      return { field, before: former, after: present, is_secret: isSecret };
    });
    const name = nameOf(now.name, key, item.fields);
    const named = { section, kind: kind.kind, key, id: thing?.id ?? null, name };
    if (
      isAdopted &&
      (item.fields['is_paused'] ?? null) === null &&
      now.fields['is_paused'] === true
    )
      paused.push(key);
    if (isAdopted) changes.push({ action: 'adopt', ...named, fields });
    else if (thing === null) changes.push({ action: 'create', ...named, fields });
    else if (fields.length > 0) changes.push({ action: 'update', ...named, fields });
  }
  if (paused.length > 0) {
    warnings.push(
      `Monitors that are taken over are paused, and stay so unless their items say "is_paused: false": ${listed(paused)}.`,
    );
  }
  const namedOf = ({ section, key, id }: OwnedItem): Named => {
    const kind = kinds.find((one) => one.section === section)!;
    return { section, kind: kind.kind, key, id, name: before.things.get(section)!.get(id)!.name };
  };
  for (const one of deleted) changes.push({ action: 'delete', ...namedOf(one), fields: [] });
  for (const one of retired) changes.push({ action: 'retire', ...namedOf(one), fields: [] });
  const isShown = ({ section }: OwnedItem) => shown.some((one) => one.section === section);
  if (wish.prune)
    for (const { section, key } of kept.filter(isShown)) {
      const { noun, history } = kinds.find((one) => one.section === section)!;
      warnings.push(
        `The ${noun} "${key}" stays, since its ${history} would go with it: delete_history deletes it, too.`,
      );
    }
  const keptItems = kept.filter(isShown).map(namedOf);
  const seen = new Set([
    ...targets.flatMap(({ item, thing }) =>
      thing === null ? [] : [`${item.section} ${thing.id}`],
    ),
    ...[...deleted, ...retired, ...kept].map(({ section, id }) => `${section} ${id}`),
  ]);
  const leftAlone = shown.flatMap(({ section }) => {
    const left = [...before.things.get(section)!.keys()].filter(
      (id) => !seen.has(`${section} ${id}`),
    );
    return left.length === 0 ? [] : [[section, left.length] as const];
  });
  const items = new Map(
    targets.flatMap(({ item, thing }) =>
      [null, thing?.id].map((id) => [placeOf(item.section, item.key, id), item] as const),
    ),
  );
  const isChange = ({ action, fields }: PlannedChange) => action !== 'adopt' || fields.length > 0;
  return {
    name: wish.name,
    fingerprint: fingerprintOf(wish.name, changes),
    is_empty: !changes.some(isChange),
    changes,
    drift: drift.map((one) => {
      const { section, key, id, action } = one;
      const item = items.get(placeOf(section, key, action === 'deleted' ? null : id));
      const given = item?.fields ?? {};
      const fields = one.fields.map(({ field, applied, current }) => ({
        field,
        applied: withBullets(applied, given[field]),
        current: withBullets(current, given[field]),
      }));
      return { ...one, name: nameOf(one.name, one.key, given), fields };
    }),
    left_alone: Object.fromEntries(leftAlone),
    kept: keptItems,
    warnings,
  };
}

/** Where an item is found: by the id of a thing that is there, as its key may be another one by now, else by its key. */
const placeOf = (section: Section, key: string, id: number | null | undefined) =>
  `${section} ${id == null ? key : `#${id}`}`;

/** A value as a plan shows it: an item may have a secret also where answers show what is stored. @param given in the item. */
function withBullets(value: unknown, given: unknown): unknown {
  if (value === null || value === undefined || !hasSecret(given)) return value;
  if (isSecretValue(given) || !isTree(value) || Array.isArray(value)) return MASK;
  const parts = given as Fields;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, withBullets(one, parts[name])]),
  );
}

/** The name of a thing; its key where an item has a secret for its name. */
const nameOf = (name: string, key: string, { friendly_name, name: own, url }: Fields) =>
  hasSecret(friendly_name ?? own ?? url) ? key : name;

type Display = (kind: Kind, fields: Fields) => Fields;

/** Shows fields with the keys and addresses that are known now in place of ids. */
export function displayBy(kinds: readonly Kind[], { memberNames }: TeamState, ids: Ids): Display {
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
): PlannedChange['fields'] {
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

/** What became of things of these kinds since the set was last applied. */
export async function driftOf(
  kinds: readonly Kind[],
  { owned, things }: TeamState,
  display: Display,
): Promise<DriftedThing[]> {
  const drift: DriftedThing[] = [];
  const turn = createTurns();
  for (const { section, key, id, applied } of owned) {
    await turn();
    const kind = kinds.find((one) => one.section === section);
    if (kind === undefined) continue;
    const thing = things.get(section)!.get(id);
    const named = { section, kind: kind.kind, key, id, changed_by: [] };
    if (thing === undefined) {
      const name = applied['friendly_name'] ?? applied['name'] ?? applied['url'] ?? key;
      drift.push({ action: 'deleted', ...named, name: String(name), fields: [] });
      continue;
    }
    const current = withoutSecrets(thing.fields) as Fields;
    // Fields of a newer or older release are no drift.
    const names = Object.keys(current).filter((name) => Object.hasOwn(applied, name));
    const changed = names.filter((name) => !isAlike(current[name], applied[name]));
    if (changed.length === 0) continue;
    const [shownApplied, shownCurrent] = [display(kind, applied), display(kind, current)];
    const fields = changed.map((field) => ({
      field,
      applied: shownApplied[field] ?? null,
      current: shownCurrent[field] ?? null,
    }));
    drift.push({ action: 'updated', ...named, name: thing.name, fields });
  }
  return drift;
}

/** Changers that are named for a thing. */
const MAX_CHANGERS = 5;

/** Adds who changed what drifted since the set was last applied. */
export async function nameChangers(
  { tx, caller }: Scope,
  { set }: TeamState,
  drift: DriftedThing[],
) {
  if (set === null || drift.length === 0) return;
  const ids = [set.id, ...drift.map(({ id }) => id!)];
  const all = await auditLog(tx).changesSince(caller.team.id, set.applied_at, ids);
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
