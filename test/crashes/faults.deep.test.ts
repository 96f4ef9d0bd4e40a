import { expect, test } from 'vitest';
import type { OpenFresh } from '../support/databases.ts';
import { FAULTS } from './faults.ts';
import { crashAtEach, everyStep, TEST_TIMEOUT_MS } from './crash-at-each.ts';
import { STORIES } from './stories.ts';
import { openInMemory } from '../support/memory-database.ts';

const inMemory: OpenFresh = () => openInMemory();
const story = Object.values(STORIES)[0]!;

test.each(Object.entries(FAULTS))(
  'a crash reveals that %s',
  async (_name, doubles) => {
    expect(await crashAtEach(inMemory, story, everyStep, doubles)).toMatchObject({
      violations: expect.arrayContaining([
        expect.stringMatching(/ got |not fanned out|delivery log is/),
      ]),
    });
  },
  TEST_TIMEOUT_MS,
);
