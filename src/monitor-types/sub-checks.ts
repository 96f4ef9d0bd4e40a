import { z } from 'zod';
import { oneOf } from '../lib/schemas.ts';
import type { CheckType } from '../model/monitor.ts';
import { CONTENT_CHECKS } from './content-settings.ts';
import type { Findings, MonitorTypeDefinition } from './definition.ts';
import type { MonitorSettings } from './fields.ts';

/** The sub-checks of a monitor and the settings that two of them need. */
type SubChecks = Pick<
  MonitorSettings,
  'check_types' | 'keyword_settings' | 'json_assertion_settings'
>;

type SubCheckInput = { [Name in keyof SubChecks]?: SubChecks[Name] | null | undefined };

export function checkTypesInput({ name, checkTypes }: MonitorTypeDefinition) {
  const [first, ...others] = checkTypes;
  if (first === undefined) {
    const error = `must be empty: a ${name} monitor has no sub-checks`;
    return z.array(z.unknown(), { error }).max(0, { error });
  }
  const names = checkTypes.join(', ');
  return z
    .array(oneOf([first, ...others]), { error: `must be a list of sub-checks, any of ${names}` })
    .max(checkTypes.length, {
      error: `must have at most ${checkTypes.length} sub-checks, any of ${names}`,
    })
    .refine((given) => new Set(given).size === given.length, {
      error: 'must not name a sub-check twice',
    });
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
