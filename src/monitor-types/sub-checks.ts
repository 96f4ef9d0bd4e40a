import { z } from 'zod';
import { CHECK_TYPES_OF, type CheckType, type PullType, type PushType } from '../model/monitor.ts';
import { CONTENT_CHECKS, type ContentSettings } from './content-settings.ts';
import type { Findings } from './definition.ts';
import { oneOf } from '../lib/schemas.ts';

/** The sub-checks of a monitor and the settings that two of them need. */
export interface SubChecks {
  check_types: CheckType[];
  keyword_settings: ContentSettings | null;
  json_assertion_settings: ContentSettings | null;
}

type SubCheckInput = { [Name in keyof SubChecks]?: SubChecks[Name] | null | undefined };

export function checkTypesInput(type: PullType) {
  const allowed = CHECK_TYPES_OF[type];
  const names = allowed.join(', ');
  return z
    .array(oneOf(allowed), { error: `must be a list of sub-checks, any of ${names}` })
    .max(allowed.length, {
      error: `must have at most ${allowed.length} sub-checks, any of ${names}`,
    })
    .refine((given) => new Set(given).size === given.length, {
      error: 'must not name a sub-check twice',
    })
    .nullish();
}

/** Push monitors have none. */
export function noCheckTypesInput(type: PushType) {
  const error = `must be empty: a ${type} monitor has no sub-checks`;
  return z.array(z.unknown(), { error }).max(0, { error }).nullish();
}

/**
 * The sub-checks after an input (contract 8.13, 8.18): settings with content turn theirs on, whatever `check_types`
 * says; settings that are unset without `check_types` turn it off; `check_types` without one whose settings are stored
 * turns it off, and the settings stay. One that has no settings is a fault, and so are both kinds at once.
 */
export function resolveSubChecks(
  stored: SubChecks,
  input: SubCheckInput,
  findings: Findings,
): SubChecks {
  const result: SubChecks = {
    check_types: [
      ...(input.check_types === undefined ? stored.check_types : (input.check_types ?? [])),
    ],
    keyword_settings: pick(input.keyword_settings, stored.keyword_settings),
    json_assertion_settings: pick(input.json_assertion_settings, stored.json_assertion_settings),
  };
  const sent = CONTENT_CHECKS.map(({ field }) => field).filter(
    // Settings with a fault of their own were sent, too.
    (field) => input[field] || findings.has(field),
  );
  const isOn = (type: CheckType) => result.check_types.includes(type);
  for (const { type, field } of CONTENT_CHECKS) {
    if (sent.includes(field) && !isOn(type)) result.check_types.push(type);
    if (input[field] === null && input.check_types === undefined) {
      result.check_types = result.check_types.filter((name) => name !== type);
    }
    if (isOn(type) && result[field] === null && !findings.has(field)) {
      findings.add(field, `is required by the check type ${type}: send it, or leave ${type} out`);
    }
  }
  if (isOn('keyword') && isOn('json')) refuseBoth(sent, findings);
  return result;
}

function refuseBoth(sent: readonly string[], findings: Findings): void {
  if (sent.length === 0) {
    findings.add('check_types', 'must not name both keyword and json: a monitor has one of them');
  }
  for (const field of sent) {
    const other = field === 'keyword_settings' ? 'json_assertion_settings' : 'keyword_settings';
    findings.add(field, `can't be used beside ${other}: send null for one of them`);
  }
}

function pick<Value>(sent: Value | null | undefined, stored: Value | null): Value | null {
  return sent === undefined ? stored : sent;
}
