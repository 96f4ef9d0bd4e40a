import type { Evidence } from '../../model/check.ts';
import { NO_TIMINGS } from '../../model/check.ts';
import type { Track, Tracks } from '../../model/condition.ts';
import type { RegionEvidence } from '../../model/incident.ts';
import type {
  Finding,
  InspectionKind,
  InspectionResult,
  SslFacts,
} from '../../model/inspection.ts';
import type { MonitorState } from '../../model/state.ts';
import { INSPECTION_RECHECK_MS, step } from '../record/condition.ts';
import { clearRun } from '../record/tracks.ts';
import type { ConditionChange, Observation, Thresholds } from '../record/condition.ts';
import { outcomeOf } from '../record/outcome.ts';
import type { Outcome } from '../record/outcome.ts';

/** Result of an inspection for one monitor. */
export interface CompletedInspection {
  kind: InspectionKind;
  /** Name of the target (engine/inspect/target.ts). */
  target: string;
  finding: Finding;
  result: InspectionResult;
  /** When it was made (epoch ms). */
  at: number;
}

/** Outcome of an inspection, given the previous state. */
export interface EvaluatedInspection extends Outcome<MonitorState> {
  /** Milliseconds until the recheck; null when none is needed. */
  recheckAfterMs: number | null;
}

/** One recheck confirms a failed inspection (contract 22.6), one good inspection ends it (contract 22.7). */
const THRESHOLDS: Thresholds = { failureThreshold: 2, recoveryThreshold: 1 };

/** A recheck may come so much before its time by the wall clock, which runs apart from the monotonic one. */
const EARLY_MS = 1_000;

/** Evaluates one finding for one monitor. Pure. */
export function evaluateInspection(
  state: MonitorState,
  inspection: CompletedInspection,
): EvaluatedInspection {
  const { kind, finding, at } = inspection;
  const stored = state.tracks[kind];
  const { track: known, changes } = sameTarget(stored, state.revision, inspection);
  const before = withoutFuture(known, inspection);
  const wait = waitBeforeRecheck(before, inspection);
  const seen: Observation = wait === null ? seenAs(finding, at) : { says: 'unknown' };
  const stepped = step(kind, before, seen, THRESHOLDS);
  if (stepped.change) changes.push(stepped.change);
  const recheckAfterMs = wait ?? stepped.recheckAfterMs;
  if (stored === undefined && stepped.track === undefined) {
    return { state, spans: [], incidents: [], recheckAfterMs };
  }
  const track = stepped.track && {
    ...stepped.track,
    revision: state.revision,
    target: inspection.target,
  };
  const next: MonitorState = { ...state, tracks: withTrack(state.tracks, kind, track) };
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
  track: Track | undefined,
  revision: number,
  { target }: CompletedInspection,
): { track: Track | undefined; changes: ConditionChange[] } {
  if (track === undefined || track.revision === revision) return { track, changes: [] };
  if (track.open === null || track.target === undefined || track.target === target) {
    return { track: clearRun(track), changes: [] };
  }
  const over = { kind: 'resolve', condition: track.open, at: null } as const;
  const { closedByHand } = track;
  const closings = closedByHand === undefined ? {} : { closedByHand };
  return { track: undefined, changes: [{ ...over, reason: 'target_changed', ...closings }] };
}

/**
 * Clears a run whose last inspection lies in the future: it was counted before the clock was set back. How much time
 * passed since then is unknown, so a bad finding does not confirm it but begins a new run. What is confirmed stays.
 */
function withoutFuture(
  track: Track | undefined,
  { finding, at }: CompletedInspection,
): Track | undefined {
  const last = track?.attempts?.at(-1);
  const isFuture = finding.says === 'bad' && last !== undefined && last > at + EARLY_MS;
  return isFuture ? clearRun(track!) : track;
}

/**
 * Milliseconds left until a bad finding can confirm the one before, when this one came sooner: for another monitor of
 * the target, or because somebody asked. Null when it counts.
 */
function waitBeforeRecheck(
  before: Track | undefined,
  { finding, at }: CompletedInspection,
): number | null {
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

function withTrack(tracks: Tracks, kind: InspectionKind, track: Track | undefined): Tracks {
  const { [kind]: _before, ...others } = tracks;
  return track === undefined ? others : { ...others, [kind]: track };
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
