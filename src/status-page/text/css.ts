import type { CssLocation, CssNode, Declaration, SyntaxParseError } from 'css-tree';
import { cssTree } from './css/css-tree.ts';
import { mediaCondition } from './css/media.ts';
import { childrenOf, isPlain } from './css/nodes.ts';
import { createCssParser } from './css/parser.ts';
import { PROPERTIES, TOKENS } from './css/properties.ts';
import { scopedSelector } from './css/selectors.ts';
import { valueProblem } from './css/values.ts';

/** Largest custom CSS, in characters. */
export const MAX_CUSTOM_CSS = 32_768;
/** Maximum number of problems that are reported at once. */
const MAX_PROBLEMS = 20;

/**
 * Custom CSS of a page. Its text never reaches a page: a parser reads it, everything is checked against lists of what is
 * allowed, and what remains is written anew from the checked parts. Names with escapes are not allowed, so that each is
 * what it seems to be.
 */

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
