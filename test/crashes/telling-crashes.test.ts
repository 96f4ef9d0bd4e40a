import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/store/database/database.ts';
import { eachDatabase, type OpenFresh } from '../support/databases.ts';
import { BREAKS } from './breaks.ts';
import { live } from './life.ts';
import type { Doubles } from './life.ts';
import { STEPS } from './mortal.ts';
import type { Death, Step } from './mortal.ts';
import { STORIES } from './stories.ts';
import type { Story } from './stories.ts';
import { complaintsOf, logOf } from './truth.ts';

/** All of them together, on a machine that has other work. */
const PATIENCE_MS = 120_000;

type Choose = (steps: readonly Step[]) => Death[];

/** Lives the story through to its end once for each of these deaths, and says what is wrong after the first such one. */
async function dieOfEach(open: OpenFresh, story: Story, choose: Choose, doubles: Doubles = {}) {
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
  for (const death of choose(undisturbed.lived.steps)) {
    const { lived, log, complaints } = await liveOnce(death);
    if (!lived.hasDied) complaints.push('it did not come to that');
    if (log.join() !== undisturbed.log.join()) complaints.push(`the log says ${log.join(', ')}`);
    if (complaints.length > 0) return { death, complaints };
  }
  return null;
}

const every: Choose = (steps) =>
  STEPS.flatMap((step) => steps.filter((one) => one === step).map((_, nth) => ({ step, nth })));

/** Of these kinds one each, in the middle of the story. */
const inTheMiddle =
  (kinds: readonly Step[]): Choose =>
  (steps) =>
    kinds.map((step) => {
      const { length } = steps.filter((one) => one === step);
      return { step, nth: Math.floor(length / 2) };
    });

const inMemory: OpenFresh = () => openDatabase({ engine: 'sqlite', directory: ':memory:' });

eachDatabase((engine, open) => {
  // Postgres takes twenty times as long: there every other story dies before, and the others after what they do.
  const chosen = (index: number) => {
    const kinds = STEPS.filter((step) => step.startsWith(index % 2 === 0 ? 'before' : 'after'));
    return engine === 'sqlite' ? every : inTheMiddle(kinds);
  };

  test.each(Object.entries(STORIES).map(([name, story], index) => [name, story, index] as const))(
    'wherever the process dies in %s, nothing is lost [40.2]',
    async (_name, story, index) => {
      expect(await dieOfEach(open, story, chosen(index))).toBeNull();
    },
    PATIENCE_MS,
  );
});

describe('what may not pass', () => {
  const story = Object.values(STORIES)[0]!;

  test.each(Object.entries(BREAKS))(
    'it is found out when %s',
    async (_name, doubles) => {
      expect(await dieOfEach(inMemory, story, every, doubles)).toMatchObject({
        complaints: expect.arrayContaining([expect.stringMatching(/ got |not handed on|log says/)]),
      });
    },
    PATIENCE_MS,
  );
});
