import type { CssNode } from 'css-tree';
import { names } from '../characters.ts';
import { childrenOf, isPlain } from './parser.ts';

/** Ancestor of everything that custom CSS can reach. */
const SCOPE = '.page';
/** Elements that show the state of services. */
export const FACTS: readonly string[] = ['.state', '.grp', '.svc', '.legend'];
/** Leaves out the facts and everything in them: custom CSS does not reach them. */
const BUT_FACTS = `:not(${FACTS.flatMap((fact) => [fact, `${fact} *`]).join(',')})`;
const ROOTS = new Set(['html', 'body']);
const PSEUDO_CLASSES = names(`
  hover focus focus-visible focus-within active visited link first-child last-child only-child
  first-of-type last-of-type root`);
const MAX_PARTS = 16;

type Scoped = { selector: string } | { problem: string };

interface Compound {
  combinator: string;
  text: string;
  isRoot: boolean;
}

/** Puts one selector below the page, built from its checked parts. */
export function scopedSelector(selector: CssNode): Scoped {
  if (selector.type !== 'Selector') return { problem: 'a selector cannot be read' };
  const compounds: Compound[] = [{ combinator: '', text: '', isRoot: false }];
  for (const node of childrenOf(selector)) {
    const current = compounds.at(-1)!;
    if (node.type === 'Combinator') {
      if (![' ', '>', '+', '~'].includes(node.name))
        return { problem: `the combinator ${node.name} is not supported` };
      compounds.push({ combinator: node.name, text: '', isRoot: false });
      continue;
    }
    const problem = addTo(current, node);
    if (problem !== null) return { problem };
  }
  if (compounds.length > MAX_PARTS) return { problem: `a selector has at most ${MAX_PARTS} parts` };
  if (compounds.some(({ text, isRoot }) => text === '' && !isRoot))
    return { problem: 'a selector begins or ends with a combinator' };
  return joined(compounds);
}

function addTo(compound: Compound, node: CssNode): string | null {
  switch (node.type) {
    case 'TypeSelector':
      if (ROOTS.has(node.name.toLowerCase())) compound.isRoot = true;
      else if (node.name === '*' || isPlain(node.name)) compound.text += node.name;
      else return 'a selector has a name that is not supported';
      return null;
    case 'ClassSelector':
    case 'IdSelector': {
      if (!isPlain(node.name)) return 'a selector has a name that is not supported';
      const text = `${node.type === 'IdSelector' ? '#' : '.'}${node.name}`;
      if (text === SCOPE) compound.isRoot = true;
      else compound.text += text;
      return null;
    }
    case 'PseudoClassSelector': {
      const name = node.name.toLowerCase();
      if (node.children !== null || !PSEUDO_CLASSES.has(name))
        return `the selector :${printable(name)} is not supported`;
      if (name === 'root') compound.isRoot = true;
      else compound.text += `:${name}`;
      return null;
    }
    case 'PseudoElementSelector':
      return `the selector ::${printable(node.name)} is not supported`;
    case 'AttributeSelector':
      return 'selectors of attributes are not supported';
    default:
      return 'a selector is not supported';
  }
}

/** The page takes the place of `html`, `body` and `:root`; the element itself may be no fact, nor within one. */
function joined(compounds: readonly Compound[]): Scoped {
  let own = compounds;
  let root = SCOPE;
  let isRooted = false;
  while (own[0]?.isRoot) {
    if (isRooted && !['>', ' '].includes(own[0].combinator)) return { problem: OUTSIDE };
    root += own[0].text;
    isRooted = true;
    own = own.slice(1);
  }
  if (own.some(({ isRoot }) => isRoot))
    return { problem: 'html, body and :root stand at the beginning of a selector' };
  if (own.length === 0) return { selector: root };
  if (isRooted && !['>', ' '].includes(own[0]!.combinator)) return { problem: OUTSIDE };
  const rest = own.map(({ combinator, text }, index) => {
    const joint = index === 0 && !isRooted ? ' ' : combinator;
    return `${joint === ' ' ? ' ' : ` ${joint} `}${text}`;
  });
  return { selector: `${root}${rest.join('')}${BUT_FACTS}` };
}

const OUTSIDE = 'a selector reaches beyond the page';

function printable(name: string): string {
  return isPlain(name) ? name : 'of that name';
}
