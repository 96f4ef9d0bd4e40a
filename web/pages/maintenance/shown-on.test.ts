import { expect, test } from 'vitest';
import { pagesShowing } from './shown-on.ts';

const PAGES = [
  { name: 'Shop', services: [{ monitor_id: 1 }, { monitor_id: 2 }] },
  { name: 'Data', services: [{ monitor_id: 3 }] },
  { name: 'Empty', services: [] },
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
  ['the whole team', NOTHING, ['Shop', 'Data']],
  ['a monitor', { ...NOTHING, monitors: [2] }, ['Shop']],
  ['a tag', { ...NOTHING, tags: ['eu'] }, ['Shop']],
  ['a group with its subgroup', { ...NOTHING, groups: [7] }, ['Data']],
  ['a monitor on no page', { ...NOTHING, monitors: [4] }, []],
])('maintenance of %s', (_what, scope, names) => {
  expect(pagesShowing(scope, TEAM, PAGES)).toEqual(names);
});
