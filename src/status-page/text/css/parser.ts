import { createRequire } from 'node:module';
import type * as CssTree from 'css-tree';
import type { CssNode, List, ParseOptions } from 'css-tree';

const require = createRequire(import.meta.url);

/** css-tree, which is loaded at its first use: the syntax of all properties takes 4 MB. */
export function cssTree(): typeof CssTree {
  return require('css-tree') as typeof CssTree;
}

export type CssParser = (css: string, options: ParseOptions) => CssNode;

/**
 * Creates a parser for texts of one author, at a cost of 5 ms with the first text.
 *
 * The parser of css-tree 3.2.1 keeps the tokens of former texts in its buffers and reads one of them, at the index of
 * the length of the text, as a bracket that is open: it may then loop forever. Spaces at the end move that index past
 * all that was written.
 */
export function createCssParser(): CssParser {
  let syntax: { parse: CssParser } | null = null;
  let written = 0;
  return (css, options) => {
    syntax ??= cssTree().fork({});
    const padded = css.padEnd(written);
    // A token for each character at most, one for the spaces and one for the end.
    written = Math.max(written, css.length + 3);
    return syntax.parse(padded, options);
  };
}

export function childrenOf(node: { children: List<CssNode> }): CssNode[] {
  return node.children.toArray();
}

/** Whether a name is written without escapes, so that it is what it seems to be. */
export function isPlain(name: string): boolean {
  return /^-{0,2}[a-z][\w-]{0,63}$/i.test(name);
}
