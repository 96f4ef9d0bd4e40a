import type { CssNode, Declaration, SyntaxParseError } from 'css-tree';
import { Parser } from 'htmlparser2';
import { childrenOf, createCssParser, cssTree, isPlain, type CssParser } from './css/parser.ts';
import { isStyle } from './svg-allowed.ts';

export interface SvgElement {
  name: string;
  attributes: Map<string, string>;
  children: (SvgElement | string)[];
}

/** Largest drawing, in elements; deepest nesting; most attributes of an element. */
const MAX_ELEMENTS = 5_000;
const MAX_DEPTH = 64;
const MAX_ATTRIBUTES = 64;
/** Largest style sheet of a drawing and `style` attribute in characters, and most rules. */
const MAX_CSS = 65_536;
const MAX_STYLE = 4_096;
const MAX_RULES = 500;

/** Parses XML leniently into a tree; null without a single root, or if it is too large. Entities of the document itself stay unknown. */
export function parseSvg(text: string): SvgElement | null {
  const roots: SvgElement[] = [];
  const open: SvgElement[] = [];
  let elements = 0;
  let isTooLarge = false;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const entries = Object.entries(attributes);
        elements++;
        isTooLarge ||=
          elements > MAX_ELEMENTS || open.length >= MAX_DEPTH || entries.length > MAX_ATTRIBUTES;
        if (isTooLarge) return parser.pause();
        const element: SvgElement = { name, attributes: new Map(entries), children: [] };
        (open.at(-1)?.children ?? roots).push(element);
        open.push(element);
      },
      ontext(words) {
        open.at(-1)?.children.push(words);
      },
      onclosetag() {
        open.pop();
      },
    },
    { xmlMode: true },
  );
  parser.end(text);
  if (isTooLarge || roots.length !== 1) return null;
  inlineStyles(roots[0]!);
  return roots[0]!;
}

function textOf(element: SvgElement): string {
  return element.children.filter((child) => typeof child === 'string').join('');
}

export function elementsOf(element: SvgElement): SvgElement[] {
  return element.children.filter((child) => typeof child !== 'string');
}

interface StyleRule {
  /** Null for every element. */
  name: string | null;
  classes: string[];
  id: string | null;
  specificity: number;
  styles: Map<string, string>;
}

/**
 * Turns the styles of a drawing into attributes, so that what is served has no CSS. Rules with a single element, class or
 * id count, as drawing programs write them.
 */
function inlineStyles(root: SvgElement): void {
  const sheets: string[] = [];
  visit(root, (element) => {
    if (element.name === 'style') sheets.push(textOf(element));
  });
  const rules = rulesIn(sheets.join('\n')).toSorted((a, b) => a.specificity - b.specificity);
  const parse = createCssParser();
  visit(root, (element) => {
    const classes = new Set((element.attributes.get('class') ?? '').split(/\s+/));
    for (const rule of rules) if (matches(rule, element, classes)) apply(rule.styles, element);
    apply(stylesOf(element.attributes.get('style') ?? '', parse), element);
  });
}

function visit(element: SvgElement, action: (element: SvgElement) => void): void {
  action(element);
  for (const child of elementsOf(element)) visit(child, action);
}

function apply(styles: ReadonlyMap<string, string>, element: SvgElement): void {
  for (const [property, value] of styles) element.attributes.set(property, value);
}

function matches(rule: StyleRule, { name, attributes }: SvgElement, classes: ReadonlySet<string>) {
  if (rule.name !== null && rule.name !== name) return false;
  if (rule.id !== null && rule.id !== attributes.get('id')) return false;
  return rule.classes.every((wanted) => classes.has(wanted));
}

function rulesIn(css: string): StyleRule[] {
  if (css === '' || css.length > MAX_CSS) return [];
  const sheet = parsed(createCssParser(), css, 'stylesheet');
  if (sheet?.type !== 'StyleSheet') return [];
  const rules = childrenOf(sheet).flatMap((node) => {
    if (node.type !== 'Rule' || node.prelude.type !== 'SelectorList') return [];
    const styles = declared(childrenOf(node.block));
    return childrenOf(node.prelude).flatMap((selector) => ruleOf(selector, styles) ?? []);
  });
  return rules.slice(0, MAX_RULES);
}

function ruleOf(selector: CssNode, styles: Map<string, string>): StyleRule | null {
  if (selector.type !== 'Selector') return null;
  const rule: StyleRule = { name: null, classes: [], id: null, specificity: 0, styles };
  for (const node of childrenOf(selector)) {
    if (node.type === 'TypeSelector' && (node.name === '*' || isPlain(node.name))) {
      rule.name = node.name === '*' ? null : node.name;
      rule.specificity += node.name === '*' ? 0 : 1;
    } else if (node.type === 'ClassSelector' && isPlain(node.name)) {
      rule.classes.push(node.name);
      rule.specificity += 100;
    } else if (node.type === 'IdSelector' && isPlain(node.name)) {
      rule.id = node.name;
      rule.specificity += 10_000;
    } else return null;
  }
  return rule;
}

function stylesOf(attribute: string, parse: CssParser): Map<string, string> {
  if (attribute === '' || attribute.length > MAX_STYLE) return new Map();
  const list = parsed(parse, attribute, 'declarationList');
  return list?.type === 'DeclarationList' ? declared(childrenOf(list)) : new Map();
}

/** Null if there are errors: each costs the parser time. */
function parsed(parse: CssParser, css: string, context: string): CssNode | null {
  let hasErrors = false;
  const onParseError = (error: SyntaxParseError): never => {
    hasErrors = true;
    throw error;
  };
  try {
    return parse(css, { context, onParseError });
  } catch (error) {
    if (hasErrors) return null;
    throw error;
  }
}

function declared(nodes: readonly CssNode[]): Map<string, string> {
  const declarations = nodes.filter((node): node is Declaration => node.type === 'Declaration');
  const styles = declarations.map(
    ({ property, value }) => [property.toLowerCase(), cssTree().generate(value)] as const,
  );
  return new Map(styles.filter(([property, value]) => isStyle(property, value)));
}
