import { authorize, InvalidInput, Problem } from '../common/errors.ts';
import { fieldIn } from '../common/input.ts';
import { requireCapacity } from './capacity.ts';
import { readUnsaved, type UnsavedDeps } from './unsaved.ts';
import type { Call } from '../common/operation.ts';

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
