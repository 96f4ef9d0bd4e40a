import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { deleteHistory } from './expiry.ts';
import { insertGap, listGaps, listGapsAndSetbacks, readMark, writeMark } from './process-marks.ts';

const gap = (from: number, to: number) => ({ from, to });

eachDatabase((_, open) => {
  test('the mark is the one that was written last', async () => {
    const database = await open();
    expect(await readMark(database.read)).toBeNull();
    for (const at of [5_000, 1_893_456_000_000, 4_000]) {
      await database.transaction((tx) => writeMark(tx, at));
      expect(await readMark(database.read)).toBe(at);
    }
  });

  test('gaps are listed in the order in which they began, and go once they ended long ago', async () => {
    const database = await open();
    const listed = (endedAfter: number) => listGaps(database.read, endedAfter);
    await database.transaction(async (tx) => {
      for (const one of [gap(300, 400), gap(0, 100), gap(350, 360), gap(200, 200)])
        await insertGap(tx, one);
    });
    expect(await listed(-1)).toEqual([gap(0, 100), gap(200, 200), gap(300, 400), gap(350, 360)]);
    expect(await listed(200)).toEqual([gap(300, 400), gap(350, 360)]);
    expect(await listed(400)).toEqual([]);

    await database.transaction((tx) => insertGap(tx, gap(500, 50)));
    expect(await listed(-1)).not.toContainEqual(gap(500, 50));
    const withSetbacks = (after: number) => listGapsAndSetbacks(database.read, after);
    expect(await withSetbacks(350)).toEqual([gap(300, 400), gap(350, 360), gap(500, 50)]);
    expect(await withSetbacks(500)).toEqual([]);

    await database.transaction((tx) =>
      deleteHistory(tx, { monitorIds: [], before: 0, gapsBefore: 360 }),
    );
    expect(await listed(-1)).toEqual([gap(300, 400), gap(350, 360)]);
  });
});
