import { describe, expect, it } from 'vitest';
import type { Group } from '../../app/api.gen.ts';
import { rowsOf } from '../monitors/rows.ts';
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

  it('has the monitors of subgroups too', () => {
    const monitors = [1, 2, 3, undefined].map((group_id, index) => ({
      id: index + 1,
      name: 'Shop',
      since: 0,
      type: 'http' as const,
      status: 'online' as const,
      bar: 'u',
      group_id,
    }));
    const [four, one] = treeOf(GROUPS, rowsOf({ monitors }));
    expect(four!.rows).toEqual([]);
    expect(one!.rows.map(({ monitor }) => monitor.id).toSorted()).toEqual([1, 2, 3]);
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
