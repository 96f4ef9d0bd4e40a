import type { Section } from '../../configuration/document.ts';
import { isAtLeast, type Caller } from '../../identity/caller.ts';
import { auditTarget, OPERATOR } from '../../model/audit.ts';
import { configurationSetChanges } from '../../store/resources/configuration-sets.ts';
import { recordChange } from '../common/change.ts';
import { InvalidInput } from '../common/errors.ts';
import { Findings } from '../common/input.ts';
import { preconditionFailed } from '../common/precondition.ts';
import type { Item } from './document-input.ts';
import type { Kind, Scope } from './kinds.ts';
import { displayBy, driftOf, nameChangers, planOf, type Plan, type PlannedChange } from './plan.ts';
import { withoutSecrets } from './secrets.ts';
import { createIds, settle, targetOf } from './settle.ts';
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

/** Thrown where nothing may be written and something would be. */
export class WouldChange extends Error {}

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

  const shown = kinds.filter(({ reader }) => isAtLeast(scope.caller.role, reader));
  const drift = driftOf(shown, before, displayBy(kinds, before, ids));
  await nameChangers(scope, before, drift);
  let isWritten = false;
  const beforeWriting = () => {
    if (!mayWrite) throw new WouldChange();
    isWritten = true;
  };
  for (const kind of kinds) {
    const ofKind = targets.filter(({ item }) => item.section === kind.section);
    await settle(kind, ofKind, { scope, ids, findings, beforeWriting });
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
  if (deleted.length + retired.length > 0) beforeWriting();
  for (const { section, id } of retired)
    await kindIn(section).retire!(scope, before.things.get(section)!.get(id)!);
  await remove(kinds, deleted, scope);

  const owned = targets.map(({ item }): Omit<OwnedItem, 'applied'> => {
    const { section, key } = item;
    return { section, key, id: ids.get(section, key)! };
  });
  const after = isWritten ? await readTeamState(kinds, scope, wish.name) : before;
  const plan = await planOf({
    wish,
    kinds,
    shown,
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
