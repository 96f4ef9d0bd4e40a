import type { CssNode, List } from 'css-tree';

/** Children of a node, in order. */
export function childrenOf(node: { children: List<CssNode> }): CssNode[] {
  return node.children.toArray();
}

/** Whether a name is written without escapes, so that it is what it seems to be. */
export function isPlain(name: string): boolean {
  return /^-{0,2}[a-z][\w-]{0,63}$/i.test(name);
}
