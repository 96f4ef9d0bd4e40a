import { expect, test } from 'vitest';
import { pagesShowing } from './shown-on.ts';

const PAGES = [
  { id: 1, name: 'Shop', draft: false, services: [{ monitor_id: 1 }, { monitor_id: 2 }] },
  { id: 2, name: 'Data', draft: false, services: [{ monitor_id: 3 }] },
  { id: 3, name: 'Empty', draft: false, services: [] },
  { id: 4, name: 'Draft', draft: true, services: [{ monitor_id: 1 }] },
];
const TEAM = {
  groups: [
    { id: 7, name: 'Data' },
    { id: 8, name: 'Replicas', parent_id: 7 },
  ],
  monitors: [
    { id: 1, tags: ['shop', 'eu'] },
    { id: 2, group_id: 9 },
    { id: 3, group_id: 8 },
  ],
};
const NOTHING = { monitors: [], groups: [], tags: [] };

test.each([
  ['the whole team', NOTHING, { Shop: [1, 2], Data: [3] }],
  ['a monitor', { ...NOTHING, monitors: [2] }, { Shop: [2] }],
  ['a tag', { ...NOTHING, tags: ['eu'] }, { Shop: [1] }],
  ['a group with its subgroup', { ...NOTHING, groups: [7] }, { Data: [3] }],
  ['a monitor on no page', { ...NOTHING, monitors: [4] }, {}],
])('maintenance of %s', (_what, scope, wanted) => {
  const shown = pagesShowing(scope, TEAM, PAGES);
  expect(Object.fromEntries(shown.map(({ name, monitors }) => [name, monitors]))).toEqual(wanted);
});
