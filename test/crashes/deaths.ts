import { expect } from 'vitest';
import type { OpenFresh } from '../support/databases.ts';
import { live } from './life.ts';
import type { Doubles } from './life.ts';
import { STEPS } from './mortal.ts';
import type { Death, Step } from './mortal.ts';
import type { Story } from './stories.ts';
import { complaintsOf, logOf } from './truth.ts';

/** All of them together, on a machine that has other work. */
export const PATIENCE_MS = 120_000;

export type Choose = (steps: readonly Step[]) => Death[];

/**
 * Lives the story through to its end once for each of these deaths, and says what is wrong after the first such one.
 *
 * What two receivers answer at once is committed together or apart, so that a story may have a step less than when
 * nothing died: then nobody dies at its last one. More than one death in ten that is not met is a fault.
 */
export async function dieOfEach(
  open: OpenFresh,
  story: Story,
  choose: Choose,
  doubles: Doubles = {},
): Promise<{ death: Death; complaints: string[] } | null> {
  const liveOnce = async (death?: Death) => {
    const database = await open();
    const lived = await live(database, story, { ...doubles, ...(death && { death }) });
    const log = await logOf(lived);
    const complaints = await complaintsOf(lived, story);
    await database.close();
    return { lived, log, complaints };
  };
  const undisturbed = await liveOnce();
  expect(undisturbed.complaints, 'nothing died').toEqual([]);
  const deaths = choose(undisturbed.lived.steps);
  let unmet = 0;
  for (const death of deaths) {
    const { lived, log, complaints } = await liveOnce(death);
    if (!lived.hasDied) unmet += 1;
    if (unmet > deaths.length / 10) complaints.push('it did not come to that');
    if (log.join() !== undisturbed.log.join()) complaints.push(`the log says ${log.join(', ')}`);
    if (complaints.length > 0) return { death, complaints };
  }
  return null;
}

/** A death at each step that the story has. */
export const every: Choose = (steps) =>
  STEPS.flatMap((step) => steps.filter((one) => one === step).map((_, nth) => ({ step, nth })));

/** Of these kinds of steps one death each, in the middle of the story. */
export const inTheMiddle =
  (kinds: readonly Step[]): Choose =>
  (steps) =>
    kinds.map((step) => {
      const { length } = steps.filter((one) => one === step);
      return { step, nth: Math.floor(length / 2) };
    });
