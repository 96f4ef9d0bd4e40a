import type { RegionResult } from '../../model/check.ts';
import { isNetworkFailure, type NetworkVerdict } from './network-fault.ts';

/**
 * Decides whether a region's own network fails, and not the targets (contract 18.2, 25.5). Targets that have nothing in
 * common and fail together raise a suspicion; what should answer is asked; only when nearly nothing does is the network
 * in doubt. Pure; times are epoch milliseconds.
 */

/** Older results say nothing about the present. */
export const FRESH_MS = 120_000;
/** Failures that began within this time may have one cause. */
export const ONSET_MS = 300_000;

/** Unrelated targets that must fail, when a region fails where most other regions reach the target. */
export const MIN_FAILING_ALONE = 5;
/** The same for targets that no region reaches. With fewer, only the probe's machine can say. */
export const MIN_FAILING_EVERYWHERE = 10;
/**
 * A network is suspected while a smaller share of the unrelated targets answers. A lost network lets nothing through;
 * the share is above zero for the sake of single targets that are reached by another way.
 */
const MAX_ANSWERING_SHARE = 0.025;
/** A doubted network is trusted again when this share answers: twice the other one, so that it does not flap. */
const RELEASE_SHARE = 0.05;
/** Answers and failures of this time decide whether a doubted network is trusted again. */
export const RELEASE_WINDOW_MS = 30_000;

/**
 * The evidence of a round about the networks of its regions: those that did not reach the target alone, while most others
 * say that it is up, and whether any region reached it; null when none voted.
 *
 * @param results votes as the probes gave them, those of quarantined regions too.
 */
export function observationOf(results: readonly RegionResult[]) {
  const voting = results.filter(({ vote }) => vote !== 'unknown');
  const up = voting.filter(({ vote }) => vote === 'up').length;
  if (voting.length === 0) return { alone: [], target: null };
  const target = voting.every(isNetworkFailure) ? 'cut_off' : 'reached';
  const others = voting.length - 1;
  const alone = voting.filter((result) => isNetworkFailure(result) && up > others / 2);
  return { alone: others === 0 ? [] : alone.map(({ region }) => region), target };
}

/** A target by what it may share with others. The keys are any numbers: equal ones mean that the targets are related. */
export interface TargetKeys {
  host: number;
  /** Key of its /24 or /48, or of the host where no address is known. */
  network: number;
  /** Key of the registrable domain after a failed name lookup, whose name servers may be the cause; else of the host. */
  domain: number;
}

export interface FailingTarget extends TargetKeys {
  /** When it began to fail, and when it was seen to fail last. */
  since: number;
  at: number;
}

export interface AnsweringTarget {
  host: number;
  network: number;
  at: number;
}

/** An instant at which a target began to fail, and what was seen since. */
export interface Moment {
  since: number;
  /** Unrelated targets that began to fail since then, and unrelated ones that answered since then. */
  failing: number;
  answering: number;
}

/**
 * The instants at which a target began to fail and since which nearly nothing answered, the newest first. A few
 * failures among many answers leave none, and answers from before the onset hide none.
 */
export function suspiciousMoments(
  failing: readonly FailingTarget[],
  answering: readonly AnsweringTarget[],
  now: number,
): Moment[] {
  const candidates = failing
    .filter(({ since, at }) => since > now - ONSET_MS && at > now - FRESH_MS)
    .toSorted((a, b) => b.since - a.since);
  const answers = answering.toSorted((a, b) => b.at - a.at);
  const [failed, answered] = [createCount(), createCount()];
  const moments: Moment[] = [];
  let taken = 0;
  for (const [index, target] of candidates.entries()) {
    failed.add(target);
    if (candidates[index + 1]?.since === target.since) continue;
    for (; taken < answers.length && answers[taken]!.at >= target.since; taken += 1)
      answered.add({ ...answers[taken]!, domain: answers[taken]!.host });
    const moment = {
      since: target.since,
      failing: failed.unrelated(),
      answering: answered.unrelated(),
    };
    const { failing: down, answering: up } = moment;
    if (up === 0 || up < MAX_ANSWERING_SHARE * (down + up)) moments.push(moment);
  }
  return moments;
}

/** Counts targets that have nothing in common, conservatively: never more than there are. */
export function unrelated(targets: readonly TargetKeys[]): number {
  const count = createCount();
  for (const target of targets) count.add(target);
  return count.unrelated();
}

function createCount() {
  const hosts = new Set<number>();
  const networks = new Set<number>();
  const domains = new Set<number>();
  return {
    add({ host, network, domain }: TargetKeys) {
      hosts.add(host);
      networks.add(network);
      domains.add(domain);
    },
    unrelated: () => Math.min(hosts.size, networks.size, domains.size),
  };
}

export interface Inquiry {
  /** When the last complete question of the full size was asked; -Infinity when none was. */
  askedAt: number;
  verdict: NetworkVerdict;
  /** When one of the operator's own targets answered last; they have the last word. -Infinity without an answer. */
  selfCheckAnsweredAt: number;
  minFailing: number;
}

/**
 * The first moment since which the network is in doubt; null when it is not. Before that, what should answer was asked, and
 * nearly nothing did. Many unrelated targets that fail together are evidence enough; of few ones, the machine must know
 * that its network is broken.
 */
export function doubtfulMoment(moments: readonly Moment[], inquiry: Inquiry): Moment | null {
  const isEvidence = ({ since, failing }: Moment) =>
    since <= inquiry.askedAt &&
    since > inquiry.selfCheckAnsweredAt &&
    (failing >= inquiry.minFailing || inquiry.verdict === 'cut');
  return moments.findLast(isEvidence) ?? null;
}

/** `alone`: by votes of one region; `everywhere`: of all; `self_check`: by targets of the operator's; `earlier`: before a restart. */
export type QuarantineCause = 'alone' | 'everywhere' | 'self_check' | 'earlier';

/** Recent evidence about a network in doubt. */
export interface Standing {
  failing: number;
  answering: number;
  verdict: NetworkVerdict;
  minFailing: number;
}

/**
 * Whether a doubted network is trusted again: enough targets answer; or too few fail to be evidence, and the machine
 * that once knew of a fault finds that its network works. Where nothing was seen, nothing is known.
 *
 * @param isByMachine whether it was the machine that knew of the fault.
 */
export function isTrustedAgain(
  { failing, answering, verdict, minFailing }: Standing,
  isByMachine: boolean,
): boolean {
  if (answering > 0) return answering >= RELEASE_SHARE * (failing + answering);
  return isByMachine && failing > 0 && failing < minFailing && verdict === 'works';
}

/** Targets that are asked first, and that are asked when none of these answered. */
export const FIRST_SAMPLE = 5;
export const FULL_SAMPLE = 20;

/** Time for ordinary rounds to show that the network works, before anything is asked. */
const ASK_AFTER_MS = 1_000;
/** Between two questions: short enough that a lost network is known before the first recheck, after 10 s, confirms. */
const ASK_EVERY_MS = 4_000;
/** The same for a suspicion that could be neither confirmed nor cleared: at first, and once it has lasted. */
const ASK_AGAIN_MS = 5_000;
const ASK_LASTING_MS = 30_000;
const LASTING_MS = 30_000;
/** The same while a network is in doubt. */
const ASK_QUARANTINED_MS = 10_000;

/** Times of the questions about one network; -Infinity where there was none. */
export interface Asked {
  at: number;
  completeAt: number;
  /** The last complete question of the full size was asked. */
  fullAt: number;
}

export const NEVER_ASKED: Asked = { at: -Infinity, completeAt: -Infinity, fullAt: -Infinity };

/** The number of targets to query now, or 0. `moments` comes from `suspiciousMoments`. */
export function sampleSize(
  moments: readonly Moment[],
  isQuarantined: boolean,
  asked: Asked,
  now: number,
): number {
  // A clock that was set back must not silence the questions.
  const waited = asked.at > now ? Infinity : now - asked.at;
  if (isQuarantined) return waited >= ASK_QUARANTINED_MS ? FULL_SAMPLE : 0;
  const oldest = moments.at(-1);
  if (oldest === undefined) return 0;
  const oldestNew = moments.findLast(({ since }) => since > asked.completeAt);
  if (oldestNew !== undefined) {
    const isDue = now - oldestNew.since >= ASK_AFTER_MS && waited >= ASK_EVERY_MS;
    return isDue ? FIRST_SAMPLE : 0;
  }
  if (moments.some(({ since }) => since > asked.fullAt)) return FULL_SAMPLE;
  const everyMs = now - oldest.since < LASTING_MS ? ASK_AGAIN_MS : ASK_LASTING_MS;
  return waited >= everyMs ? FULL_SAMPLE : 0;
}
