import { createRequire } from 'node:module';
import type * as CssTree from 'css-tree';

const require = createRequire(import.meta.url);

/** css-tree, which is loaded at its first use: the syntax of all properties takes 4 MB. */
export function cssTree(): typeof CssTree {
  return require('css-tree') as typeof CssTree;
}
