import { expect, test } from 'vitest';
import { eachDatabase } from '../support/databases.ts';
import { amounts } from '../support/depth.ts';
import { dieOfEach, every, inTheMiddle, PATIENCE_MS } from './deaths.ts';
import { STEPS } from './mortal.ts';
import { STORIES } from './stories.ts';

eachDatabase((engine, open) => {
  // Postgres takes twenty times as long: there every other story dies before, and the others after what they do.
  const chosen = (index: number) => {
    if (engine === 'sqlite' && amounts.deaths === 'every') return every;
    return inTheMiddle(
      STEPS.filter((step) => step.startsWith(index % 2 === 0 ? 'before' : 'after')),
    );
  };

  test.each(Object.entries(STORIES).map(([name, story], index) => [name, story, index] as const))(
    'wherever the process dies in %s, nothing is lost [40.2]',
    async (_name, story, index) => {
      expect(await dieOfEach(open, story, chosen(index))).toBeNull();
    },
    PATIENCE_MS,
  );
});
