import type { CssLocation, CssNode, Declaration, SyntaxParseError } from 'css-tree';
import { names } from './characters.ts';
import { childrenOf, createCssParser, cssTree, isPlain } from './css/parser.ts';
import { PROPERTIES, TOKENS, valueProblem } from './css/properties.ts';

/**
 * Custom CSS of a page. Its text never reaches a page: a parser reads it, everything is checked against lists of what is
 * allowed, and what remains is written anew from the checked parts. Names with escapes are not allowed, so that each is
 * what it seems to be.
 */

const MAX_CUSTOM_CSS = 32_768;
const MAX_PROBLEMS = 20;

const MEDIA_TYPES = new Set(['all', 'print', 'screen']);
const MEDIA_FEATURES = names(`
  prefers-color-scheme prefers-reduced-motion prefers-contrast forced-colors width min-width
  max-width orientation`);
const MEDIA_LENGTH = /^\d{1,5}(?:\.\d{1,3})?$/;
const MAX_CONDITIONS = 16;

/** Problems of custom CSS, a sentence with line and column each, in order; none if all of it is used. */
export function checkCss(css: string): string[] {
  return new Filter(css).problems.map(({ at, text }) => sentence(at, text)).slice(0, MAX_PROBLEMS);
}

/** Custom CSS below `.page`, without what is not allowed. */
export function scopedCss(css: string): string {
  return new Filter(css).output;
}

interface Problem {
  /** Null for one of the whole text. */
  at: { line: number; column: number } | null;
  text: string;
}

class TooManyErrors extends Error {}

class Filter {
  readonly problems: Problem[] = [];
  readonly output: string = '';

  constructor(css: string) {
    if (css.length > MAX_CUSTOM_CSS) {
      this.problems.push({
        at: null,
        text: `Custom CSS has at most ${MAX_CUSTOM_CSS} characters.`,
      });
      return;
    }
    const sheet = this.parsed(css);
    if (sheet?.type === 'StyleSheet') this.output = this.rules(childrenOf(sheet), true);
    this.problems.sort(
      (a, b) => (a.at?.line ?? 0) - (b.at?.line ?? 0) || (a.at?.column ?? 0) - (b.at?.column ?? 0),
    );
  }

  /** Null for a text with MAX_PROBLEMS errors: each costs the parser time. */
  private parsed(css: string): CssNode | null {
    const onParseError = ({ line, column, message }: SyntaxParseError): void => {
      this.problems.push({ at: { line, column }, text: `the CSS cannot be read: ${message}` });
      if (this.problems.length >= MAX_PROBLEMS) throw new TooManyErrors();
    };
    try {
      return createCssParser()(css, { positions: true, parseCustomProperty: true, onParseError });
    } catch (error) {
      if (error instanceof TooManyErrors) return null;
      throw error;
    }
  }

  private rules(nodes: readonly CssNode[], isMediaAllowed: boolean): string {
    return nodes.map((node) => this.rule(node, isMediaAllowed)).join('');
  }

  private rule(node: CssNode, isMediaAllowed: boolean): string {
    switch (node.type) {
      case 'Rule':
        return this.styleRule(node.prelude, childrenOf(node.block));
      case 'Atrule':
        if (node.name.toLowerCase() === 'media' && isMediaAllowed)
          return this.mediaRule(node.prelude, node.block, node.loc);
        return this.refuse(
          node.loc,
          `@${isPlain(node.name) ? node.name : 'rules of that name'} is not supported here`,
        );
      case 'Comment':
      case 'WhiteSpace':
        return '';
      case 'Raw':
        return this.problems.length > 0 ? '' : this.refuse(node.loc, 'the CSS cannot be read');
      default:
        return this.refuse(node.loc, 'only rules and @media are supported here');
    }
  }

  private mediaRule(
    prelude: CssNode | null,
    block: CssNode | null,
    loc: CssLocation | null | undefined,
  ): string {
    const condition = mediaCondition(prelude);
    if (condition === null || block?.type !== 'Block') {
      return this.refuse(loc, '@media takes print, screen, widths and preferences only');
    }
    const rules = this.rules(childrenOf(block), false);
    return rules === '' ? '' : `@media ${condition}{${rules}}\n`;
  }

  private styleRule(prelude: CssNode, block: readonly CssNode[]): string {
    if (prelude.type !== 'SelectorList')
      return this.refuse(prelude.loc, 'a selector cannot be read');
    const selectors: string[] = [];
    for (const node of childrenOf(prelude)) {
      const scoped = scopedSelector(node);
      if ('selector' in scoped) selectors.push(scoped.selector);
      else this.refuse(node.loc, scoped.problem);
    }
    const declarations = block.map((node) => this.declaration(node)).filter((text) => text !== '');
    if (selectors.length === 0 || declarations.length === 0) return '';
    return `${selectors.join(',')}{${declarations.join(';')}}\n`;
  }

  private declaration(node: CssNode): string {
    if (node.type === 'Comment' || node.type === 'WhiteSpace') return '';
    if (node.type === 'Rule' || node.type === 'Atrule')
      return this.refuse(node.loc, 'rules in rules are not supported');
    if (node.type !== 'Declaration') {
      return this.problems.length > 0 ? '' : this.refuse(node.loc, 'the CSS cannot be read');
    }
    const property = node.property.startsWith('--') ? node.property : node.property.toLowerCase();
    const problem = this.declarationProblem(property, node);
    return problem === null
      ? `${property}:${cssTree().generate(node.value)}`
      : this.refuse(node.loc, problem);
  }

  private declarationProblem(property: string, { important, value }: Declaration): string | null {
    if (!isPlain(property)) return 'a property has a name that is not supported';
    const rule = PROPERTIES.get(property) ?? TOKENS.get(property);
    if (rule === undefined) return `the property ${property} is not supported`;
    if (important !== false) return '!important is not supported';
    const problem = valueProblem(property, value, rule);
    return problem === null ? null : `${property} ${problem}`;
  }

  private refuse(loc: CssLocation | null | undefined, text: string): '' {
    this.problems.push({ at: loc?.start ?? null, text });
    return '';
  }
}

function sentence(at: Problem['at'], text: string): string {
  const full = at === null ? text : `Line ${at.line}, column ${at.column}: ${text}`;
  return full.endsWith('.') ? full : `${full}.`;
}

/** The condition of an `@media` rule as it is written out; null if it is not supported. */
function mediaCondition(prelude: CssNode | null): string | null {
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
  if (mediaType !== null && !MEDIA_TYPES.has(mediaType.toLowerCase())) return false;
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
      return (
        MEDIA_FEATURES.has(node.name.toLowerCase()) && (node.value === null || isValue(node.value))
      );
    case 'FeatureRange':
      return [node.left, node.middle, node.right].every((side) => side === null || isSide(side));
    default:
      return false;
  }
}

function isSide(node: CssNode): boolean {
  return node.type === 'Identifier' ? MEDIA_FEATURES.has(node.name.toLowerCase()) : isValue(node);
}

function isValue(node: CssNode): boolean {
  if (node.type === 'Identifier') return isPlain(node.name);
  return (
    node.type === 'Dimension' &&
    MEDIA_LENGTH.test(node.value) &&
    ['px', 'em', 'rem'].includes(node.unit.toLowerCase())
  );
}

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
function scopedSelector(selector: CssNode): Scoped {
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
