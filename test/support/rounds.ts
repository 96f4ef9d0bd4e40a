import type { Bus } from '../../src/engine/bus/contract.ts';
import { NO_TIMINGS } from '../../src/model/check.ts';
import type { CheckResult, RegionResult, Vote } from '../../src/model/check.ts';
import type { Failure } from '../../src/model/failure.ts';
import type { Round, RoundSettings } from '../../src/model/round.ts';
import type { MonitorState } from '../../src/model/state.ts';

export const REGIONS = ['ash', 'pdx', 'nbg', 'sin'];

export const REFUSED: Failure = {
  code: 'connection_refused',
  text: 'Connection refused by 10.0.0.1 port 80',
};

/** An inspection of a bus without inspections. */
export const inspectNothing: Bus['inspect'] = async () => ({
  state: 'unknown',
  reason: 'Nothing is inspected here',
});

/** A result as a probe would answer it: up in `responseTimeMs`, down by a refused connection, or unknown. */
export function checkResult(vote: Vote, overrides: Partial<CheckResult> = {}): CheckResult {
  const failure: Failure | null =
    vote === 'up'
      ? null
      : vote === 'down'
        ? REFUSED
        : { code: 'probe_lost', text: 'The probe was lost' };
  return {
    vote,
    failure,
    responseTimeMs: vote === 'up' ? 20 : null,
    statusCode: vote === 'up' ? 200 : null,
    timings: { ...NO_TIMINGS, totalMs: 20 },
    remoteAddress: vote === 'unknown' ? null : '10.0.0.1',
    evidence: null,
    ...overrides,
  };
}

/**
 * A finished round from one letter per region: `u` up, `d` down, `?` unknown, `-` a region without a live probe.
 * `'uud?'` is four regions of which one is down and one unknown.
 */
export function roundOf(
  votes: string,
  overrides: Partial<Round> & { responseTimeMs?: number } = {},
): Round {
  const { responseTimeMs, ...rest } = overrides;
  const startedAt = overrides.startedAt ?? 1_000_000;
  const letters = [...votes];
  const results: RegionResult[] = letters.map((letter, index) => {
    const vote: Vote = letter === 'u' ? 'up' : letter === 'd' ? 'down' : 'unknown';
    const timing = vote === 'up' && responseTimeMs !== undefined ? { responseTimeMs } : {};
    return { ...checkResult(vote, timing), region: REGIONS[index]!, checkedAt: startedAt + index };
  });
  return {
    monitorId: 1,
    teamId: 1,
    revision: 1,
    slot: startedAt,
    startedAt,
    finishedAt: startedAt + 100,
    settings: settingsOf(),
    knownRegions: REGIONS.slice(0, letters.length).filter((_, index) => letters[index] !== '-'),
    results,
    ...rest,
  };
}

export function settingsOf(overrides: Partial<RoundSettings> = {}): RoundSettings {
  return {
    intervalMs: 30_000,
    failureThreshold: 2,
    recoveryThreshold: 1,
    slowResponseThresholdMs: null,
    content: null,
    inspections: [],
    checkBothFamilies: false,
    ...overrides,
  };
}

/** The state of a monitor without a verdict. */
export function stateOf(overrides: Partial<MonitorState> = {}): MonitorState {
  return {
    monitorId: 1,
    teamId: 1,
    revision: 1,
    status: 'pending',
    lastSlot: null,
    lastCheckedAt: null,
    runAt: null,
    observedUntil: null,
    isPaused: false,
    evaluatedRevision: null,
    confirmations: {},
    newest: {},
    ...overrides,
  };
}
