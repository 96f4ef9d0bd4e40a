import { bestFits } from '../lib/fuzzy.ts';

/** Which actions on monitors the palette offers. Pure. */

export const VERBS = ['pause', 'resume', 'check', 'silence', 'acknowledge'] as const;
export type Verb = (typeof VERBS)[number];

/** Letters of a verb that are enough to mean it: one alone would be the beginning of any name. */
const ENOUGH = 3;
/** Monitors that a verb is offered for. */
const MAX_WITH_VERB = 6;

/** Facts of a monitor that say what can be done with it. */
export interface ActionFacts {
  isPaused: boolean;
  /** Whether it waits for pings, so that there is nothing to check. */
  isPush: boolean;
  hasUnacknowledged: boolean;
}

/** What can be done with a monitor, the most urgent first. */
export function verbsFor({ isPaused, isPush, hasUnacknowledged }: ActionFacts): Verb[] {
  const possible: Record<Verb, boolean> = {
    acknowledge: hasUnacknowledged,
    check: !isPush && !isPaused,
    silence: !isPaused,
    pause: !isPaused,
    resume: isPaused,
  };
  return (['acknowledge', 'check', 'silence', 'pause', 'resume'] as const).filter(
    (verb) => possible[verb],
  );
}

/**
 * Reads "pause checkout" as a verb and what it is for; null where the first word is none.
 *
 * @param names words of each verb in the language of the person
 */
export function readVerb(
  typed: string,
  names: Readonly<Record<Verb, readonly string[]>>,
): { verb: Verb; rest: string } | null {
  const [first = '', ...others] = typed.trim().toLowerCase().split(/\s+/);
  if (first.length < ENOUGH || others.length === 0) return null;
  const verb = VERBS.find((one) => names[one].some((name) => name.startsWith(first)));
  return verb === undefined ? null : { verb, rest: others.join(' ') };
}

/** Monitors that a verb and a part of their name are for, best first. */
export function monitorsFor<Item extends { text: string; also?: string; verbs: readonly Verb[] }>(
  monitors: readonly Item[],
  { verb, rest }: { verb: Verb; rest: string },
): Item[] {
  const able = monitors.filter(({ verbs }) => verbs.includes(verb));
  return bestFits(able, rest, MAX_WITH_VERB);
}
