import { NO_TIMINGS, type Evidence } from '../../model/check.ts';
import type { Confirmation, Confirmations } from '../../model/condition.ts';
import type { RegionEvidence } from '../../model/incident.ts';
import type {
  Finding,
  InspectionKind,
  InspectionResult,
  SslFacts,
} from '../../model/inspection.ts';
import type { MonitorState } from '../../model/state.ts';
import {
  INSPECTION_RECHECK_MS,
  step,
  type ConditionChange,
  type Observation,
  type Thresholds,
} from '../record/condition.ts';
import { clearRun } from '../record/confirmations.ts';
import { outcomeOf, type Outcome } from '../record/outcome.ts';

interface CompletedInspection {
  kind: InspectionKind;
  /** Name of the target (engine/inspect/target.ts). */
  target: string;
  finding: Finding;
  result: InspectionResult;
  at: number;
}

export interface EvaluatedInspection extends Outcome<MonitorState> {
  recheckAfterMs: number | null;
}

/** One recheck confirms a failed inspection (contract 22.6), one good inspection ends it (contract 22.7). */
const THRESHOLDS: Thresholds = { failureThreshold: 2, recoveryThreshold: 1 };

/** A recheck may come so much before its time by the wall clock, which runs apart from the monotonic one. */
const EARLY_MS = 1_000;

export function evaluateInspection(
  state: MonitorState,
  inspection: CompletedInspection,
): EvaluatedInspection {
  const { kind, finding, at } = inspection;
  const stored = state.confirmations[kind];
  const { confirmation: known, changes } = sameTarget(stored, state.revision, inspection);
  const before = withoutFuture(known, inspection);
  const wait = waitBeforeRecheck(before, inspection);
  const seen: Observation = wait === null ? seenAs(finding, at) : { says: 'unknown' };
  const stepped = step(kind, before, seen, THRESHOLDS);
  if (stepped.change) changes.push(stepped.change);
  const recheckAfterMs = wait ?? stepped.recheckAfterMs;
  if (stored === undefined && stepped.confirmation === undefined) {
    return { state, spans: [], incidents: [], recheckAfterMs };
  }
  const confirmation = stepped.confirmation && {
    ...stepped.confirmation,
    revision: state.revision,
    target: inspection.target,
  };
  const next: MonitorState = {
    ...state,
    confirmations: withConfirmation(state.confirmations, kind, confirmation),
  };
  const outcome = outcomeOf(state, next, {
    rule: 'inspection',
    changes,
    foundAt: at,
    explain: ({ attempts }) => explanationOf(inspection, attempts),
  });
  return { ...outcome, recheckAfterMs };
}

/**
 * The counts that apply to this target: an edit clears a running confirmation and keeps a confirmed condition. A condition
 * of the monitor's previous target is over.
 */
function sameTarget(
  confirmation: Confirmation | undefined,
  revision: number,
  { target }: CompletedInspection,
): { confirmation: Confirmation | undefined; changes: ConditionChange[] } {
  if (confirmation === undefined || confirmation.revision === revision)
    return { confirmation, changes: [] };
  if (
    confirmation.open === null ||
    confirmation.target === undefined ||
    confirmation.target === target
  ) {
    return { confirmation: clearRun(confirmation), changes: [] };
  }
  const over = { kind: 'resolve', condition: confirmation.open, at: null } as const;
  const { closedByHand } = confirmation;
  const closings = closedByHand === undefined ? {} : { closedByHand };
  return { confirmation: undefined, changes: [{ ...over, reason: 'target_changed', ...closings }] };
}

/**
 * Clears a run whose last inspection lies in the future: it was counted before the clock was set back. How much time
 * passed since then is unknown, so a bad finding does not confirm it but begins a new run. What is confirmed stays.
 */
function withoutFuture(
  confirmation: Confirmation | undefined,
  { finding, at }: CompletedInspection,
): Confirmation | undefined {
  const last = confirmation?.attempts?.at(-1);
  const isFuture = finding.says === 'bad' && last !== undefined && last > at + EARLY_MS;
  return isFuture ? clearRun(confirmation!) : confirmation;
}

/**
 * Milliseconds left until a bad finding can confirm the one before, when this one came sooner: for another monitor of
 * the target, or because somebody asked. Null when it counts.
 */
function waitBeforeRecheck(before: Confirmation | undefined, { finding, at }: CompletedInspection) {
  const last = before?.attempts?.at(-1);
  if (finding.says !== 'bad' || last === undefined) return null;
  const waitMs = last + INSPECTION_RECHECK_MS - at;
  return waitMs > EARLY_MS ? waitMs : null;
}

function seenAs(finding: Finding, at: number): Observation {
  if (finding.says === 'unknown') return { says: 'unknown' };
  if (finding.says === 'good') return { says: 'good', at };
  return { says: 'bad', condition: finding.condition, at };
}

function withConfirmation(
  confirmations: Confirmations,
  kind: InspectionKind,
  confirmation: Confirmation | undefined,
): Confirmations {
  const { [kind]: _before, ...others } = confirmations;
  return confirmation === undefined ? others : { ...others, [kind]: confirmation };
}

function explanationOf({ finding, result, at }: CompletedInspection, attempts: number[]) {
  if (finding.says !== 'bad') throw new Error('A condition opened without a finding.');
  const { code, text } = finding;
  const evidence = [evidenceOf({ code, text }, result, at, attempts)];
  return { rootCause: text, failureCode: code, regions: null, evidence };
}

function evidenceOf(
  failure: RegionEvidence['failure'],
  result: InspectionResult,
  checkedAt: number,
  attempts: number[],
): RegionEvidence {
  const ssl = result.state === 'known' && 'certificate' in result.facts ? result.facts : null;
  return {
    region: null,
    failure,
    checkedAt,
    attempts,
    timings: NO_TIMINGS,
    statusCode: null,
    remoteAddress: ssl?.address ?? null,
    answer: ssl === null ? null : answerOf(ssl),
  };
}

function answerOf({ protocol, cipher, certificate, chain }: SslFacts): Evidence {
  const { subject, issuer, validFrom, validTo } = certificate;
  return {
    statusLine: null,
    headers: {},
    body: null,
    redirects: [],
    tls: {
      protocol,
      cipher,
      subject,
      issuer,
      validFrom: iso(validFrom),
      validTo: iso(validTo),
      chain: chain.map((link) => ({ ...link, validTo: iso(link.validTo) })),
    },
  };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
