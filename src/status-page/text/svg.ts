import type { CssNode, Declaration, SyntaxParseError } from 'css-tree';
import { Parser } from 'htmlparser2';
import { escapeHtml } from '../../lib/text.ts';
import { names, withoutControls } from './characters.ts';
import { childrenOf, createCssParser, cssTree, isPlain, type CssParser } from './css/parser.ts';

/** Largest drawing in characters, before and after. */
const MAX_SVG = 524_288;
const NAMESPACE = 'http://www.w3.org/2000/svg';
/** Most elements that all `use` elements together repeat. */
const MAX_REPEATED = 20_000;

/** Elements of logos. Everything else goes, with all that is in it. */
const ELEMENTS = names(`
  svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan
  linearGradient radialGradient stop clipPath mask pattern`);
const SHAPES = names('path rect circle ellipse line polyline polygon text use');
const TEXTS = names('title desc text tspan');
const GRADIENTS = names('linearGradient radialGradient');
/** Elements that are painted for each of their users. */
const SERVERS = names('clipPath mask pattern');
/** Elements that may refer to another one by `href`. */
const REFERRERS = names('use pattern linearGradient radialGradient');

/**
 * A drawing of shapes, gradients and texts only, written anew from a tree: no scripts, events, styles, links, images,
 * animations, filters or addresses. Null if it is no SVG, too large, or if nothing visible is left.
 */
export function cleanSvg(svg: string): string | null {
  if (svg.length > MAX_SVG) return null;
  const root = parseSvg(withoutControls(svg.replace(/^\uFEFF/, '')));
  if (root?.name !== 'svg') return null;
  const cleaned = cleanElement(root)!;
  limitReferences(cleaned);
  if (!isVisible(cleaned)) return null;
  cleaned.attributes = new Map([['xmlns', NAMESPACE], ...cleaned.attributes]);
  const text = serialized(cleaned);
  return text.length > MAX_SVG ? null : text;
}

/** The allowed part of an element; null if there is none. A link is a group. */
function cleanElement(element: SvgElement): SvgElement | null {
  const name = element.name === 'a' ? 'g' : element.name;
  if (!ELEMENTS.has(name)) return null;
  const attributes = new Map<string, string>();
  for (const [key, raw] of element.attributes) {
    const value = raw.trim();
    if (isAllowed(key, value)) attributes.set(key, value);
  }
  const target = fragmentOf(element.attributes.get('href') ?? element.attributes.get('xlink:href'));
  if (target !== null && REFERRERS.has(name)) attributes.set('href', `#${target}`);
  const children: SvgElement['children'] = [];
  for (const child of element.children) {
    const kept = typeof child === 'string' ? (TEXTS.has(name) ? child : null) : cleanElement(child);
    if (kept !== null) children.push(kept);
  }
  return { name, attributes, children };
}

function isVisible(element: SvgElement): boolean {
  return SHAPES.has(element.name) || elementsOf(element).some(isVisible);
}

function serialized({ name, attributes, children }: SvgElement): string {
  const written = [...attributes].map(([key, value]) => ` ${key}="${escapeHtml(value)}"`).join('');
  const inner = children.map((child) =>
    typeof child === 'string' ? escapeHtml(child) : serialized(child),
  );
  return inner.length === 0
    ? `<${name}${written}/>`
    : `<${name}${written}>${inner.join('')}</${name}>`;
}

/**
 * Removes references by which a small file makes a browser draw without end: what `use` repeats has no `use` in it, and
 * patterns, masks and clip paths refer to gradients and plain shapes only.
 */
function limitReferences(root: SvgElement): void {
  const targets = new Map<string, SvgElement>();
  index(root, targets);
  const sizeOf: Of<number> = remembered((element) =>
    elementsOf(element).reduce((sum, child) => sum + sizeOf(child), 1),
  );
  const hasUse: Of<boolean> = remembered(
    (element) => element.name === 'use' || elementsOf(element).some(hasUse),
  );
  const isSimple: Of<boolean> = remembered(
    (element) =>
      element.name !== 'use' &&
      !refersBeyondGradients(element, targets) &&
      elementsOf(element).every(isSimple),
  );
  let repeated = 0;
  const limit = (element: SvgElement, isInServer: boolean): void => {
    const inside = isInServer || SERVERS.has(element.name);
    if (isInServer) dropReferences(element, targets);
    if (element.name === 'pattern') element.attributes.delete('href');
    element.children = element.children.filter((child) => {
      if (typeof child === 'string' || child.name !== 'use') return true;
      const target = targets.get(child.attributes.get('href')?.slice(1) ?? '');
      if (target === undefined || (inside ? !isSimple(target) : hasUse(target))) return false;
      repeated += sizeOf(target);
      return repeated <= MAX_REPEATED;
    });
    for (const child of elementsOf(element)) limit(child, inside);
  };
  limit(root, false);
}

type Of<T> = (element: SvgElement) => T;

function remembered<T>(compute: Of<T>): Of<T> {
  const known = new Map<SvgElement, T>();
  return (element) => {
    if (!known.has(element)) known.set(element, compute(element));
    return known.get(element)!;
  };
}

function index(element: SvgElement, targets: Map<string, SvgElement>): void {
  const id = element.attributes.get('id');
  if (id !== undefined) {
    // The first one counts; a second one would depend on the browser.
    if (targets.has(id)) element.attributes.delete('id');
    else targets.set(id, element);
  }
  for (const child of elementsOf(element)) index(child, targets);
}

function refersBeyondGradients(
  { attributes }: SvgElement,
  targets: ReadonlyMap<string, SvgElement>,
): boolean {
  return [...attributes.values()].some((value) => isBeyondGradients(value, targets));
}

function dropReferences({ attributes }: SvgElement, targets: ReadonlyMap<string, SvgElement>) {
  for (const [name, value] of attributes)
    if (isBeyondGradients(value, targets)) attributes.delete(name);
}

function isBeyondGradients(value: string, targets: ReadonlyMap<string, SvgElement>): boolean {
  const id = referenceIn(value);
  return id !== null && !GRADIENTS.has(targets.get(id)?.name ?? '');
}

function referenceIn(value: string): string | null {
  return REFERENCE.exec(value)?.[1] ?? null;
}

function fragmentOf(value: string | undefined): string | null {
  return value?.startsWith('#') && ID.test(value.slice(1)) ? value.slice(1) : null;
}

interface SvgElement {
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
function parseSvg(text: string): SvgElement | null {
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

function elementsOf(element: SvgElement): SvgElement[] {
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

const ID = /^[A-Za-z_][\w.-]{0,99}$/;
const REFERENCE = /^url\(\s*["']?#([A-Za-z_][\w.-]{0,99})["']?\s*\)$/;

type Check = (value: string) => boolean;

const length: Check = (value) =>
  /^[+-]?[\d.]{1,20}(?:e[+-]?\d{1,2})?(?:px|pt|pc|mm|cm|in|em|ex|%)?$/i.test(value);
const size: Check = (value) => length(value) && Math.abs(Number.parseFloat(value)) <= 10_000;
const numbers: Check = (value) => /^[\d\s.,eE+-]*$/.test(value);
const lengths: Check = (value) => /^[\d\s.,eE+\-%pxtmcin]*$/.test(value);
const keyword: Check = (value) => /^[A-Za-z][A-Za-z -]{0,40}$/.test(value);
const weight: Check = (value) => /^(?:[a-z]{1,10}|\d{1,4})$/.test(value);
const path: Check = (value) => /^[\d\s.,eE+\-MmZzLlHhVvCcSsQqTtAa]*$/.test(value);
const family: Check = (value) => /^[\p{L}\p{N}\s,'"._-]{1,200}$/u.test(value);
const reference: Check = (value) => value === 'none' || REFERENCE.test(value);
const color: Check = (value) =>
  /^(?:[A-Za-z]{3,24}|#[\da-fA-F]{3,8}|(?:rgb|hsl)a?\([\d\s.,%/+-]{1,60}\))$/.test(value);
const paint: Check = (value) => color(value) || reference(value);
const transform: Check = (value) =>
  /^[\w\s.,()+-]*$/.test(value) &&
  [...value.matchAll(/[A-Za-z]+(?=\s*\()/g)].every(([name]) =>
    ['matrix', 'translate', 'scale', 'rotate', 'skewX', 'skewY'].includes(name),
  );

/** Attributes that CSS can set as well. */
const PRESENTATION: Record<string, Check> = {
  fill: paint,
  'fill-opacity': length,
  'fill-rule': keyword,
  stroke: paint,
  'stroke-width': length,
  'stroke-opacity': length,
  'stroke-linecap': keyword,
  'stroke-linejoin': keyword,
  'stroke-miterlimit': length,
  'stroke-dasharray': (value) => value === 'none' || lengths(value),
  'stroke-dashoffset': length,
  'stop-color': color,
  'stop-opacity': length,
  color,
  opacity: length,
  display: keyword,
  visibility: keyword,
  'clip-path': reference,
  'clip-rule': keyword,
  mask: reference,
  'mask-type': keyword,
  'mix-blend-mode': keyword,
  isolation: keyword,
  'paint-order': keyword,
  'vector-effect': keyword,
  'shape-rendering': keyword,
  'text-rendering': keyword,
  'font-family': family,
  'font-size': length,
  'font-style': keyword,
  'font-weight': weight,
  'letter-spacing': (value) => length(value) || keyword(value),
  'text-anchor': keyword,
  'dominant-baseline': keyword,
};

const ATTRIBUTES: Record<string, Check> = {
  ...PRESENTATION,
  id: (value) => ID.test(value),
  d: path,
  points: numbers,
  viewBox: numbers,
  preserveAspectRatio: keyword,
  pathLength: length,
  transform,
  gradientTransform: transform,
  patternTransform: transform,
  gradientUnits: keyword,
  spreadMethod: keyword,
  patternUnits: keyword,
  patternContentUnits: keyword,
  clipPathUnits: keyword,
  maskUnits: keyword,
  maskContentUnits: keyword,
  offset: length,
};
for (const name of names('x y dx dy rotate')) ATTRIBUTES[name] = lengths;
for (const name of names('x1 x2 y1 y2 cx cy fx fy fr r rx ry textLength'))
  ATTRIBUTES[name] = length;
for (const name of names('width height')) ATTRIBUTES[name] = size;

function isAllowed(name: string, value: string): boolean {
  return Object.hasOwn(ATTRIBUTES, name) && ATTRIBUTES[name]!(value);
}

function isStyle(property: string, value: string): boolean {
  return Object.hasOwn(PRESENTATION, property) && PRESENTATION[property]!(value);
}
