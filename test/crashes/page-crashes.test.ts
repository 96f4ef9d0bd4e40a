import { expect, test } from 'vitest';
import { eachDatabase } from '../support/databases.ts';
import { amounts } from '../support/depth.ts';
import { everyStep, middleOfEach, TEST_TIMEOUT_MS, type Choose } from './crash-at-each.ts';
import { STEPS } from './crashing-process.ts';
import { PAGE_STORIES } from './page-stories.ts';
import { runPageStory } from './run-page-story.ts';

/** Crashes of a long story: around its first commits, and one of each kind in its middle. */
const few: Choose = (steps) => [
  ...[0, 1, 2, 3].flatMap((nth) => [
    { step: 'before commit' as const, nth },
    { step: 'after commit' as const, nth },
  ]),
  ...middleOfEach(STEPS)(steps),
];

eachDatabase((engine, open) => {
  const chosen = (name: keyof typeof PAGE_STORIES): Choose => {
    if (engine === 'postgres') return middleOfEach(['before commit', 'after sending']);
    if (amounts.crashes !== 'every') return middleOfEach(STEPS);
    return name === 'an update for 450 subscribers' ? few : everyStep;
  };

  test.each(Object.keys(PAGE_STORIES) as (keyof typeof PAGE_STORIES)[])(
    'nothing is lost or sent anew wherever the process crashes in %s [43.34, 44.13, 45.23]',
    async (name) => {
      const story = PAGE_STORIES[name];
      const runOnce = async (crash?: Parameters<typeof runPageStory>[2]) => {
        const database = await open();
        const run = await runPageStory(database, story, crash);
        await database.close();
        return run;
      };
      const undisturbed = await runOnce();
      expect(undisturbed.violations, 'without a crash').toEqual([]);
      for (const crash of chosen(name)(undisturbed.steps)) {
        const { violations } = await runOnce(crash);
        expect(violations, `${crash.step} ${crash.nth}`).toEqual([]);
      }
    },
    TEST_TIMEOUT_MS,
  );
});
