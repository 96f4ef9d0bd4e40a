import type { CssNode } from 'css-tree';
import { cssTree } from './css-tree.ts';
import { childrenOf, isPlain } from './nodes.ts';

const TYPES = new Set(['all', 'print', 'screen']);
const FEATURES = new Set([
  'prefers-color-scheme',
  'prefers-reduced-motion',
  'prefers-contrast',
  'forced-colors',
  'width',
  'min-width',
  'max-width',
  'orientation',
]);
const LENGTH = /^\d{1,5}(?:\.\d{1,3})?$/;
/** Most conditions of one query. */
const MAX_CONDITIONS = 16;

/** The condition of an `@media` rule as it is written out; null if it is not supported. */
export function mediaCondition(prelude: CssNode | null): string | null {
  if (prelude?.type !== 'AtrulePrelude') return null;
  const lists = childrenOf(prelude);
  const [list] = lists;
  if (lists.length !== 1 || list?.type !== 'MediaQueryList') return null;
  const queries = childrenOf(list);
  return queries.length > 0 && queries.every(isQuery) ? cssTree().generate(prelude) : null;
}

function isQuery(node: CssNode): boolean {
  if (node.type !== 'MediaQuery') return false;
  const { modifier, mediaType, condition } = node;
  if (modifier !== null && !['not', 'only'].includes(modifier.toLowerCase())) return false;
  if (mediaType !== null && !TYPES.has(mediaType.toLowerCase())) return false;
  return condition === null || isCondition(condition);
}

function isCondition(node: CssNode): boolean {
  if (node.type !== 'Condition') return false;
  const children = childrenOf(node);
  return children.length > 0 && children.length <= MAX_CONDITIONS && children.every(isPart);
}

function isPart(node: CssNode): boolean {
  switch (node.type) {
    case 'Identifier':
      return ['and', 'or', 'not'].includes(node.name.toLowerCase());
    case 'Feature':
      return FEATURES.has(node.name.toLowerCase()) && (node.value === null || isValue(node.value));
    case 'FeatureRange':
      return [node.left, node.middle, node.right].every((side) => side === null || isSide(side));
    default:
      return false;
  }
}

function isSide(node: CssNode): boolean {
  return node.type === 'Identifier' ? FEATURES.has(node.name.toLowerCase()) : isValue(node);
}

function isValue(node: CssNode): boolean {
  if (node.type === 'Identifier') return isPlain(node.name);
  return (
    node.type === 'Dimension' &&
    LENGTH.test(node.value) &&
    ['px', 'em', 'rem'].includes(node.unit.toLowerCase())
  );
}
