import { expect, test } from 'vitest';
import { ROOT } from '../../bench/base.ts';
import { repeated } from '../../bench/figures.ts';
import { runInTree } from '../../bench/run-in-tree.ts';

test('the short measurements of CI give all their figures', async () => {
  const figures = repeated([await runInTree(ROOT, ['quick'])]);
  expect(figures.map(({ name }) => name)).toEqual([
    'memory, idle',
    'CPU per list of monitors',
    'CPU per page of results',
    'CPU per ping',
    'CPU per check, stored',
  ]);
  for (const { values } of figures) expect(values[0]).toBeGreaterThan(0);
});
