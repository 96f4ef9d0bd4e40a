import { z } from 'zod';
import type { Caller } from '../../identity/caller.ts';
import type { Plans } from '../../identity/plans.ts';
import { wholeNumber } from '../../lib/schemas.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { MonitorType } from '../../monitor-types/registry.ts';
import { readableSettings } from '../../monitor-types/settings.ts';
import type { Database } from '../../store/database/contract.ts';
import { findMonitor } from '../../store/resources/monitors.ts';
import { authorize, invalidField, InvalidInput, Problem } from '../common/errors.ts';
import { markRead } from '../common/ignored-fields.ts';
import { fieldIn } from '../common/input.ts';
import { readMonitorUpdate, readNewMonitor, type RulesOfTeams } from './rules.ts';
import { requireCapacity, teamRulesFor } from './team-rules.ts';
import type { Call } from '../common/operation.ts';

/** Id of the monitor whose stored values a body begins with. */
export const savedId = wholeNumber(1, Number.MAX_SAFE_INTEGER).nullish().meta({
  description:
    'Id of a monitor that you may edit: its settings count where the body has none, stored secrets included. Without it, the body is that of a new monitor.',
});
const isSavedId = (id: unknown) => z.safeParse(savedId, id).success;

export interface UnsavedDeps {
  database: Pick<Database, 'read'>;
  monitorRules: RulesOfTeams;
  plans: Plans;
  secretBox: SecretBox;
}

/**
 * Reads settings from a body as creating a monitor does, or as editing the monitor of its `id` does. The caller may create
 * monitors. Throws as those two do, and InvalidInput for an `id` that is none of a monitor of the team.
 *
 * @returns as `before` the settings of the monitor that the body names; null for a new one.
 */
export async function readUnsaved(deps: UnsavedDeps, caller: Caller, body: unknown) {
  const { database, secretBox } = deps;
  const rules = deps.monitorRules(caller.team.id);
  if (typeof body === 'object' && body !== null) markRead(body, ['id']);
  const id = fieldIn(body, 'id');
  if (id === null || id === '') {
    const team = await teamRulesFor(deps, caller, null, body);
    return { ...readNewMonitor(body, rules, team), before: null };
  }
  authorize(caller, 'update');
  const row = isSavedId(id) && (await findMonitor(database.read, caller.team.id, id as number));
  if (!row) throw invalidField('id', 'must be the id of a monitor of your team');
  const type = row.type as MonitorType;
  const before = readableSettings(row, secretBox);
  const team = await teamRulesFor(deps, caller, row, body);
  const { settings } = readMonitorUpdate(type, before, body, rules, team);
  return { type, settings, before };
}

/** Errors of a body, sentences by field. What the plan does not allow stands under `plan`. */
type FieldErrors = Record<string, string[]>;

/** Says whether settings could be saved, and what is wrong with them. Changes and sends nothing. */
export function createMonitorValidation(deps: UnsavedDeps) {
  return async ({ caller, body }: Call) => {
    const isNew = (fieldIn(body, 'id') ?? '') === '';
    if (!isNew) authorize(caller, 'update');
    const plan = deps.plans.of(caller.team.plan);
    const errors = {
      ...(await errorsOf(() => readUnsaved(deps, caller, body))),
      ...(await errorsOf(async () => isNew && requireCapacity(deps.database.read, plan, caller))),
    };
    return { valid: Object.keys(errors).length === 0, errors };
  };
}

/** Errors that a step throws as refusals of the settings. Throws what is none, also for a body that is no object. */
async function errorsOf(step: () => Promise<unknown>): Promise<FieldErrors> {
  try {
    await step();
    return {};
  } catch (error) {
    if (error instanceof InvalidInput && !('body' in error.errors)) return error.errors;
    if (error instanceof Problem && error.code === 'forbidden') return { plan: [error.message] };
    throw error;
  }
}
