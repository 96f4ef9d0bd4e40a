import type { CssNode, Declaration, SyntaxParseError } from 'css-tree';
import { cssTree } from '../css/css-tree.ts';
import { createCssParser, type CssParser } from '../css/parser.ts';
import { childrenOf, isPlain } from '../css/nodes.ts';
import { isStyle } from './allowed.ts';
import { elementsOf, textOf, type SvgElement } from './tree.ts';

/** Largest style sheet of a drawing and `style` attribute in characters, and most rules. */
const MAX_CSS = 65_536;
const MAX_STYLE = 4_096;
const MAX_RULES = 500;

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
export function inlineStyles(root: SvgElement): void {
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

function matches(
  rule: StyleRule,
  { name, attributes }: SvgElement,
  classes: ReadonlySet<string>,
): boolean {
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
