import type { CheckRequest } from '../../model/check.ts';
import type { InspectionKind } from '../../model/inspection.ts';
import type { RoundSettings } from '../../model/round.ts';
import { contentCheckOf } from '../../monitor-types/content-settings.ts';
import type { MonitorSettings } from '../../monitor-types/fields.ts';
import { definitionOf } from '../../monitor-types/registry.ts';

/** The effective deadline never passes this share of the interval (contract 15.1). */
const SHARE_OF_INTERVAL = 0.9;

/** `check_interval` (minutes, fractions allowed) in whole milliseconds. */
export function intervalMsOf(minutes: number): number {
  return Math.round(minutes * 60_000);
}

/**
 * Builds the request to a probe for a pull monitor. `maximumMs` caps the deadline further, as a manual check needs.
 * Throws on a push monitor, and on settings that lack what the type requires.
 *
 * @param settings with all secrets opened.
 */
export function checkRequest(
  { id, type }: { id: number; type: string },
  settings: MonitorSettings,
  maximumMs = Infinity,
): CheckRequest {
  const definition = definitionOf(type);
  if (definition.kind === 'push') throw new Error(`Monitor ${id} of type ${type} is not checked.`);
  return definition.request(settings, {
    monitorId: id,
    timeoutMs: deadlineMs(settings, maximumMs),
  });
}

export function roundSettings(
  settings: MonitorSettings,
  inspections: readonly InspectionKind[],
): RoundSettings {
  const { check_types, keyword_settings, json_assertion_settings } = settings;
  return {
    intervalMs: intervalMsOf(settings.check_interval ?? NaN),
    failureThreshold: settings.failure_threshold,
    recoveryThreshold: settings.recovery_threshold,
    slowResponseThresholdMs: settings.slow_response_threshold,
    content: contentCheckOf(check_types, keyword_settings, json_assertion_settings)?.kind ?? null,
    inspections,
    checkBothFamilies: settings.check_both_families,
  };
}

function deadlineMs(settings: MonitorSettings, maximumMs: number): number {
  const { check_interval: minutes, request_timeout: seconds } = settings;
  const share = minutes === null ? Infinity : intervalMsOf(minutes) * SHARE_OF_INTERVAL;
  return Math.floor(Math.min(seconds * 1_000, share, maximumMs));
}
