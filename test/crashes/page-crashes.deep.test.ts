import { expect, test } from 'vitest';
import { eachDatabase } from '../support/databases.ts';
import { STEPS, type Crash, type Step } from './crashing-process.ts';
import { PAGE_STORIES } from './page-stories.ts';
import { runPageStory } from './run-page-story.ts';

/** Timeout of one test, on a busy machine. */
const TEST_TIMEOUT_MS = 600_000;

/** One crash at a step of each kind, in the middle of the story. */
const middleOfEach = (kinds: readonly Step[], steps: readonly Step[]): Crash[] =>
  kinds.map((step) => {
    const { length } = steps.filter((one) => one === step);
    return { step, nth: Math.floor(length / 2) };
  });

eachDatabase((engine, open) => {
  const kinds: readonly Step[] = engine === 'sqlite' ? STEPS : ['before commit', 'after sending'];

  // Batches of subscribers are the same on both engines.
  const names = (Object.keys(PAGE_STORIES) as (keyof typeof PAGE_STORIES)[]).filter(
    (name) => engine === 'sqlite' || PAGE_STORIES[name].subscribers.length < 100,
  );

  test.each(names)(
    'nothing is lost or sent anew wherever the process crashes in %s [43.34, 44.13, 45.23]',
    async (name) => {
      const story = PAGE_STORIES[name];
      const runOnce = async (crash?: Crash) => {
        const database = await open();
        const run = await runPageStory(database, story, crash);
        await database.close();
        return run;
      };
      const undisturbed = await runOnce();
      expect(undisturbed.violations, 'without a crash').toEqual([]);
      for (const crash of middleOfEach(kinds, undisturbed.steps)) {
        const { violations } = await runOnce(crash);
        expect(violations, `${crash.step} ${crash.nth}`).toEqual([]);
      }
    },
    TEST_TIMEOUT_MS,
  );
});
