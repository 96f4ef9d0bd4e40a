import { describe, expect, it } from 'vitest';
import type { Group } from '../../client/types.gen.ts';
import { parentsFor, treeOf, type GroupNode } from './tree.ts';

const group = (id: number, parent_id: number | null, sort_order: number): Group => ({
  id,
  parent_id,
  sort_order,
  name: `g${id}`,
  description: null,
  monitors_count: 0,
  created_at: '2030-01-01T00:00:00.000Z',
  updated_at: '2030-01-01T00:00:00.000Z',
});

/** 2 and 3 are inside of 1; 4 comes before 1. */
const GROUPS = [group(1, null, 1), group(2, 1, 1), group(3, 1, 0), group(4, null, 0)];

describe('the tree of groups', () => {
  it('is in order, with subgroups below their parent', () => {
    const ids = (nodes: GroupNode[]): unknown[] =>
      nodes.map((node) => [node.group.id, ids(node.children)]);
    expect(ids(treeOf(GROUPS, []))).toEqual([
      [4, []],
      [
        1,
        [
          [3, []],
          [2, []],
        ],
      ],
    ]);
  });

  it('counts what is wrong in subgroups too, and no paused monitor', () => {
    const [, one] = treeOf(GROUPS, [
      { group_id: 1, status: 'online' },
      { group_id: 2, status: 'offline' },
      { group_id: 3, status: 'degraded' },
      { group_id: 3, status: 'offline', is_paused: true },
      { status: 'offline' },
    ]);
    expect(one).toMatchObject({ monitors: 4, offline: 1, degraded: 1 });
  });
});

it.each([
  [1, []],
  [2, [4, 1]],
  [4, [1]],
  [null, [4, 1]],
])('group %s can be inside of %o', (id, parents) => {
  expect(parentsFor(GROUPS, id).map((one) => one.id)).toEqual(parents);
});
