import { expect, test } from 'vitest';
import type { OpenFresh } from '../support/databases.ts';
import { BREAKS } from './breaks.ts';
import { dieOfEach, every, PATIENCE_MS } from './deaths.ts';
import { STORIES } from './stories.ts';
import { openInMemory } from '../support/memory-database.ts';

const inMemory: OpenFresh = () => openInMemory();
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
