import { expect, test } from 'vitest';
import { eachDatabase } from '../support/databases.ts';
import { amounts } from '../support/depth.ts';
import { crashAtEach, everyStep, middleOfEach, TEST_TIMEOUT_MS } from './crash-at-each.ts';
import { STEPS } from './crashing-process.ts';
import { STORIES } from './stories.ts';

eachDatabase((engine, open) => {
  // Postgres is twenty times slower: there, every other story crashes before its steps and the others after them.
  const chosen = (index: number) => {
    if (engine === 'sqlite' && amounts.crashes === 'every') return everyStep;
    return middleOfEach(
      STEPS.filter((step) => step.startsWith(index % 2 === 0 ? 'before' : 'after')),
    );
  };

  test.each(Object.entries(STORIES).map(([name, story], index) => [name, story, index] as const))(
    'nothing is lost wherever the process crashes in %s [40.2]',
    async (_name, story, index) => {
      expect(await crashAtEach(open, story, chosen(index))).toBeNull();
    },
    TEST_TIMEOUT_MS,
  );
});
