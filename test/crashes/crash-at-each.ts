import { expect } from 'vitest';
import type { OpenFresh } from '../support/databases.ts';
import { runStory } from './run-story.ts';
import type { Doubles } from './run-story.ts';
import { STEPS } from './crashing-process.ts';
import type { Crash, Step } from './crashing-process.ts';
import type { Story } from './stories.ts';
import { violationsOf, logOf } from './violations.ts';

/** Timeout of one test, on a busy machine. */
export const TEST_TIMEOUT_MS = 600_000;

export type Choose = (steps: readonly Step[]) => Crash[];

/**
 * Runs the story once for each of the chosen crashes, and returns the violations of the first run that has any.
 *
 * Simultaneous answers of two receivers are committed together or separately, so that a run may have one step less than
 * the undisturbed one and never reach its last step. More than one unreached crash in ten is a violation.
 */
export async function crashAtEach(
  open: OpenFresh,
  story: Story,
  choose: Choose,
  doubles: Doubles = {},
): Promise<{ crash: Crash; violations: string[] } | null> {
  const runOnce = async (crash?: Crash) => {
    const database = await open();
    const run = await runStory(database, story, { ...doubles, ...(crash && { crash }) });
    const log = await logOf(run);
    const violations = await violationsOf(run, story);
    await database.close();
    return { run, log, violations };
  };
  const undisturbed = await runOnce();
  expect(undisturbed.violations, 'without a crash').toEqual([]);
  const crashes = choose(undisturbed.run.steps);
  let unreached = 0;
  for (const crash of crashes) {
    const { run, log, violations } = await runOnce(crash);
    if (!run.hasCrashed) unreached += 1;
    if (unreached > crashes.length / 10)
      violations.push('more than one crash in ten was not reached');
    if (log.join() !== undisturbed.log.join())
      violations.push(`the delivery log is ${log.join(', ')}`);
    if (violations.length > 0) return { crash, violations };
  }
  return null;
}

/** A crash at every step of the story. */
export const everyStep: Choose = (steps) =>
  STEPS.flatMap((step) => steps.filter((one) => one === step).map((_, nth) => ({ step, nth })));

/** One crash at a step of each kind, in the middle of the story. */
export const middleOfEach =
  (kinds: readonly Step[]): Choose =>
  (steps) =>
    kinds.map((step) => {
      const { length } = steps.filter((one) => one === step);
      return { step, nth: Math.floor(length / 2) };
    });
