import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { chooseBase, type Revisions } from '../../bench/base.ts';

const ON_MAIN: Revisions = {
  head: 'head',
  isChanged: false,
  mergeBase: 'head',
  baseline: 'baseline',
  hasBaseline: true,
};

const rows: [name: string, revisions: Partial<Revisions>, base: object][] = [
  ['on the main branch: the baseline', {}, { revision: 'baseline' }],
  ['without a main branch: the baseline', { mergeBase: null }, { revision: 'baseline' }],
  ['on a branch: where it left', { mergeBase: 'fork' }, { revision: 'fork' }],
  [
    'on a branch, without the baseline: where it left',
    { mergeBase: 'fork', hasBaseline: false },
    { revision: 'fork' },
  ],
  [
    'in a clone without the baseline: none',
    { hasBaseline: false },
    { missing: 'this clone does not have the baseline baseline' },
  ],
  [
    'of the baseline: none',
    { head: 'baseline', mergeBase: 'baseline' },
    { missing: 'this is the baseline itself' },
  ],
  [
    'of the baseline with changes: the baseline',
    { head: 'baseline', mergeBase: 'baseline', isChanged: true },
    { revision: 'baseline' },
  ],
];

test.each(rows)('the base %s', (_, revisions, base) => {
  expect(chooseBase({ ...ON_MAIN, ...revisions })).toEqual(base);
});

test('the recorded baseline is the full hash of a commit', () => {
  const text = readFileSync(new URL('../../bench/baseline', import.meta.url), 'utf8');
  expect(text).toMatch(/^[0-9a-f]{40}\n$/);
});
