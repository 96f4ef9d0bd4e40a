import {
  PROBLEM_KINDS,
  type InstallationProblem,
  type ProblemKind,
  type StoredProblem,
} from '../../model/installation-health.ts';
import { RULES, type Finding, type InstallationFacts } from './rules.ts';

/** A problem that counts. */
export type OpenProblem = StoredProblem & { seenAt: number; openedAt: number };

/** A problem must not be observed for this time before it counts as ended. */
export const CLEAR_MS = 60_000;

/** What an evaluation changes. */
export interface Evaluation {
  /** All problems from now on; those that ended are among them while the operator webhook is to be told. */
  problems: StoredProblem[];
  opened: OpenProblem[];
  ended: OpenProblem[];
}

/** Evaluations come every 5 s. After a longer time without one, nothing is known to have lasted. */
const GAP_MS = 30_000;

/**
 * Evaluates the facts by the rules. Pure.
 *
 * @param evaluatedAt time of the evaluation that found `before`, epoch ms.
 */
export function evaluateInstallation(
  before: readonly StoredProblem[],
  facts: InstallationFacts,
  { now, evaluatedAt }: { now: number; evaluatedAt: number | null },
): Evaluation {
  const evaluation: Evaluation = { problems: [], opened: [], ended: [] };
  const hasGap = evaluatedAt === null || now - evaluatedAt > GAP_MS;
  const known = hasGap ? before.map(afterGap) : before;
  for (const kind of PROBLEM_KINDS) {
    const stored = new Map(
      known.filter((one) => one.kind === kind).map((one) => [one.subject, one]),
    );
    const isOpen = (subject: string) => isOpenProblem(stored.get(subject));
    const found = new Map(
      RULES[kind].find(facts, now, isOpen).map((finding) => [finding.subject, finding]),
    );
    for (const subject of new Set([...stored.keys(), ...found.keys()])) {
      const one = stored.get(subject) ?? neverSeen(kind, subject);
      const finding = found.get(subject);
      const next = finding === undefined ? notFound(one, now) : observed(one, finding, now);
      if (!isOpenProblem(one) && isOpenProblem(next)) evaluation.opened.push(next);
      if (isOpenProblem(one) && !isOpenProblem(next)) evaluation.ended.push(one);
      if (next.seenAt !== null || next.toldOpenedAt !== null) evaluation.problems.push(next);
    }
  }
  return evaluation;
}

export function isOpenProblem(problem: StoredProblem | undefined): problem is OpenProblem {
  return problem !== undefined && problem.openedAt !== null;
}

/** A problem as others see it. */
export function shownProblem(problem: OpenProblem): InstallationProblem {
  const { kind, subject, seenAt: since, value, processes } = problem;
  return { kind, subject, since, value, processes };
}

function neverSeen(kind: ProblemKind, subject: string): StoredProblem {
  return {
    kind,
    subject,
    seenAt: null,
    openedAt: null,
    clearSince: null,
    value: null,
    processes: [],
    toldOpenedAt: null,
  };
}

function observed(one: StoredProblem, { value, processes }: Finding, now: number): StoredProblem {
  // A clock that was set back must not make a problem last for longer than it did, nor keep it from counting.
  const seenAt = Math.min(one.seenAt ?? now, now);
  const isLongEnough = now - seenAt >= RULES[one.kind].lastsMs;
  const openedAt = one.openedAt ?? (isLongEnough ? now : null);
  return { ...one, seenAt, openedAt, clearSince: null, value, processes };
}

function notFound(one: StoredProblem, now: number): StoredProblem {
  if (!isOpenProblem(one)) return neverSeenAgain(one);
  const clearSince = Math.min(one.clearSince ?? now, now);
  return now - clearSince >= CLEAR_MS ? neverSeenAgain(one) : { ...one, clearSince };
}

/** A problem that counts still does; how long it was or was not observed is measured anew. */
function afterGap(one: StoredProblem): StoredProblem {
  return isOpenProblem(one) ? { ...one, clearSince: null } : neverSeenAgain(one);
}

function neverSeenAgain(one: StoredProblem): StoredProblem {
  return { ...neverSeen(one.kind, one.subject), toldOpenedAt: one.toldOpenedAt };
}
