import type { Section } from '../../configuration/document.ts';
import { isAtLeast, type Caller } from '../../identity/caller.ts';
import { listed } from '../../lib/text.ts';
import { createTurns } from '../../lib/turns.ts';
import { auditTarget, OPERATOR } from '../../model/audit.ts';
import {
  configurationSetChanges,
  type ConfigurationItemRow,
} from '../../store/resources/configuration-sets.ts';
import { recordChange } from '../common/change.ts';
import { authorize, invalidField, InvalidInput } from '../common/errors.ts';
import { Findings } from '../common/input.ts';
import { preconditionFailed } from '../common/precondition.ts';
import type { Item } from './document-input.ts';
import type { Kind, Scope, Thing } from './kinds.ts';
import {
  displayBy,
  driftOf,
  nameChangers,
  planOf,
  type Plan,
  type PlannedChange,
  type Unnamed,
} from './plan.ts';
import { withoutSecrets } from './secrets.ts';
import { createIds, settle, targetsOf, type Target } from './settle.ts';
import { readTeamState, type OwnedItem, type TeamState } from './team-state.ts';

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

/** Time of a run, during which others can't write: on Postgres 20,000 changed monitors take a minute. */
const MAX_DURATION_MS = 120_000;

/** Thrown where nothing may be written and something would be. */
export class WouldChange extends Error {}

/**
 * Makes a team what a set wants. Changes are made by the operations of the nouns, so that what they refuse, record and cause
 * is the same as for a request. Throws InvalidInput with all that is wrong, by places of the document.
 *
 * @param mayWrite false to throw WouldChange instead of the first change.
 */
export async function run(kinds: readonly Kind[], scope: Scope, wish: Wish, mayWrite: boolean) {
  const findings = new Findings();
  const turn = turnsFor(scope.clock);
  const before = await readTeamState(kinds, scope, wish.name);
  const ids = createIds(before);
  const targets = targetsOf(wish.items, kinds, before);
  for (const { item, thing } of targets)
    if (thing !== null) ids.set(item.section, item.key, thing.id);

  const shown = kinds.filter(({ reader }) => isAtLeast(scope.caller.role, reader));
  const drift = await driftOf(shown, before, displayBy(kinds, before, ids));
  await nameChangers(scope, before, drift);
  const kindIn = (section: Section) => kinds.find((one) => one.section === section)!;
  const unnamed = unnamedIn(before, targets, wish, kindIn);
  const { deleted, retired, kept } = unnamed;

  // Before anything is counted or named. Operations of monitors leave this to their routes.
  for (const { writer } of new Set(deleted.map(({ section }) => kindIn(section))))
    authorize(scope.caller, 'delete', writer);
  for (const { writer } of new Set(retired.map(({ section }) => kindIn(section))))
    authorize(scope.caller, 'update', writer);
  const leaving = [...deleted, ...retired];
  const locked = new Set<Kind>();
  const beforeWriting = async (kind: Kind, changing: readonly number[], creates: boolean) => {
    if (!mayWrite) throw new WouldChange();
    if (locked.has(kind)) return;
    locked.add(kind);
    const later = leaving.filter(({ section }) => section === kind.section).map(({ id }) => id);
    await kind.lock?.(scope, [...changing, ...later], creates);
  };
  for (const kind of kinds) {
    const ofKind = targets.filter(({ item }) => item.section === kind.section);
    await settle(kind, ofKind, { scope, ids, findings, turn, beforeWriting });
  }
  findings.throwIfAny();
  if (leaving.length > wish.maxDeletions)
    throw new InvalidInput({ max_deletions: [tooManyDeletions(leaving, wish.maxDeletions)] });
  const leave = async (one: OwnedItem, act: (kind: Kind, thing: Thing) => Promise<void>) => {
    const kind = kindIn(one.section);
    await beforeWriting(kind, [], false);
    await turn();
    await act(kind, before.things.get(one.section)!.get(one.id)!);
  };
  for (const one of retired) await leave(one, (kind, thing) => kind.retire!(scope, thing));
  // What refers to others goes before them.
  for (const { section } of kinds.toReversed())
    for (const one of deleted.filter((its) => its.section === section))
      await leave(one, (kind, { id }) => kind.remove(scope, id));

  const owned = targets.map(({ item }): Omit<OwnedItem, 'applied'> => {
    const { section, key } = item;
    return { section, key, id: ids.get(section, key)! };
  });
  const after = locked.size > 0 ? await readTeamState(kinds, scope, wish.name) : before;
  const done = { wish, kinds, shown, before, after, targets, unnamed, ids, drift };
  const plan = await planOf(done);
  if (!mayWrite) return plan;
  if (wish.expected !== null && wish.expected !== plan.fingerprint) throw preconditionFailed();
  const items: Parameters<typeof record>[3] = [];
  for (const { section, key, id } of [...owned, ...kept]) {
    await turn();
    const { fields } = after.things.get(section)!.get(id)!;
    const applied = JSON.stringify(withoutSecrets(fields));
    items.push({ kind: kindIn(section).kind, key, resource_id: id, applied });
  }
  await record({ ...scope, caller: wish.recorder }, before, plan, items);
  return plan;
}

function unnamedIn(
  { owned, things }: TeamState,
  targets: readonly Target[],
  wish: Wish,
  kindIn: (section: Section) => Kind,
): Unnamed {
  const named = new Set(
    targets.flatMap(({ item, thing }) => (thing === null ? [] : [`${item.section} ${thing.id}`])),
  );
  const unnamed = owned.filter(
    ({ section, id }) => !named.has(`${section} ${id}`) && things.get(section)!.has(id),
  );
  const {
    deleted = [],
    retired = [],
    kept = [],
  } = Object.groupBy(unnamed, ({ section }) => {
    const kind = kindIn(section);
    if (!wish.prune) return 'kept';
    if (!losesHistory(kind, wish)) return 'deleted';
    return kind.retire === undefined ? 'kept' : 'retired';
  });
  return { deleted, retired, kept };
}

/** Whether a deletion would take a history with it that is to stay. */
const losesHistory = ({ history }: Kind, { deletesHistory }: Wish) =>
  history !== undefined && !deletesHistory;

function tooManyDeletions(deleted: readonly OwnedItem[], most: number): string {
  const named = listed(deleted.map(({ section, key }) => `${section} ${key}`));
  return `max_deletions must be at least ${deleted.length} for this, and is ${most}: ${named} would be deleted.`;
}

/** Turns of a run, which throw InvalidInput when it takes too long. */
function turnsFor(clock: Scope['clock']): () => Promise<void> {
  const turn = createTurns();
  const until = clock.now() + MAX_DURATION_MS;
  return async () => {
    await turn();
    if (clock.now() > until)
      throw invalidField('document', 'takes too long to apply: change fewer things at a time');
  };
}

/** Stores what the set owns now. */
async function record(
  { tx, caller, clock }: Scope,
  { set }: TeamState,
  plan: Plan,
  items: Omit<ConfigurationItemRow, 'set_id'>[],
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
