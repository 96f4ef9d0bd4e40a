import type { CssNode, List, Value } from 'css-tree';
import { names } from '../characters.ts';
import { childrenOf, cssTree, isPlain } from './parser.ts';

type Kind = 'color' | 'font' | 'length' | 'shadow';

/** Values that a property takes. Lengths and numbers have to lie between the bounds, so that nothing can be hidden. */
interface ValueRule {
  functions: ReadonlySet<string>;
  /** Kinds of custom properties that `var()` can name here. */
  variables: readonly Kind[];
  /** Bounds of lengths in CSS pixels; null for no bounds. */
  pixels: readonly [min: number, max: number] | null;
  /** Bounds of numbers without a unit, where there are any. */
  numbers?: readonly [min: number, max: number];
  /** Units whose size depends on the element around, such as em and %, are allowed. */
  isRelative: boolean;
  isOpaque?: boolean;
  refused?: ReadonlySet<string>;
  hasStrings?: boolean;
}

const COLORS = names('rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark');
const GRADIENTS = ['linear-gradient', 'radial-gradient', 'conic-gradient'];

const COLOR: ValueRule = {
  functions: COLORS,
  variables: ['color'],
  pixels: null,
  isRelative: true,
};
const OPAQUE: ValueRule = { ...COLOR, isOpaque: true };
const PAINT: ValueRule = {
  ...COLOR,
  functions: new Set([...COLORS, ...GRADIENTS, ...GRADIENTS.map((name) => `repeating-${name}`)]),
};
const PLAIN: ValueRule = { functions: new Set(), variables: [], pixels: null, isRelative: true };
const FAMILY: ValueRule = { ...PLAIN, variables: ['font'], hasStrings: true };

function lengths(min: number, max: number, isRelative = true): ValueRule {
  return { ...PLAIN, pixels: [min, max], isRelative };
}

const BORDERS = names(`
  border border-width border-color border-style outline outline-width outline-color
  outline-style`);
const BORDER: ValueRule = { ...COLOR, pixels: [0, 16] };
/** Shadows that are larger would cover what stands beside. */
const SHADOW: ValueRule = { ...COLOR, pixels: [-40, 40], isRelative: false };
const BOX_SHADOW: ValueRule = { ...SHADOW, variables: ['color', 'shadow'] };
/** A line through a text takes back what it says; elements within inherit it. */
const STRIKES = new Set(['line-through']);
const DECORATION: ValueRule = { ...COLOR, pixels: [0, 4], isRelative: false, refused: STRIKES };
const SPACE = lengths(0, 96);
const RADIUS: ValueRule = { ...lengths(0, 200), variables: ['length'] };

const SIDES = names(
  'top right bottom left block block-start block-end inline inline-start inline-end',
);
const CORNERS = names(
  'top-left top-right bottom-left bottom-right start-start start-end end-start end-end',
);

/** Properties of custom CSS. None of them can take an element away, move it, cover it or put words into the page. */
export const PROPERTIES: ReadonlyMap<string, ValueRule> = new Map<string, ValueRule>([
  ['color', OPAQUE],
  ['accent-color', OPAQUE],
  ['caret-color', COLOR],
  ['color-scheme', PLAIN],
  ['background', PAINT],
  ['background-color', COLOR],
  ['background-image', PAINT],
  ['background-position', PLAIN],
  ['background-repeat', PLAIN],
  ['background-size', PLAIN],
  ...[...BORDERS].map((name) => [name, BORDER] as const),
  ['outline-offset', lengths(0, 16)],
  ...[...SIDES].flatMap((side) =>
    ['', '-width', '-color', '-style'].map((part) => [`border-${side}${part}`, BORDER] as const),
  ),
  ['border-radius', RADIUS],
  ...[...CORNERS].map((corner) => [`border-${corner}-radius`, RADIUS] as const),
  ['box-shadow', BOX_SHADOW],
  ['text-shadow', SHADOW],
  ['font-family', FAMILY],
  ['font-size', lengths(12, 64, false)],
  ['font-style', PLAIN],
  ['font-variant-numeric', PLAIN],
  ['font-weight', { ...PLAIN, numbers: [200, 950] }],
  ['letter-spacing', lengths(-1, 8, false)],
  ['line-height', { ...lengths(14, 96, false), numbers: [1, 3] }],
  ['text-align', PLAIN],
  ['text-decoration', DECORATION],
  ['text-decoration-color', COLOR],
  ['text-decoration-line', { ...PLAIN, refused: STRIKES }],
  ['text-decoration-style', PLAIN],
  ['text-decoration-thickness', lengths(0, 4, false)],
  ['text-transform', PLAIN],
  ['text-underline-offset', lengths(0, 16)],
  ['word-spacing', lengths(0, 16, false)],
  ['max-width', lengths(480, 1_600, false)],
  ['padding', SPACE],
  ['margin', SPACE],
  ...[...SIDES].flatMap((side) => [
    [`padding-${side}`, SPACE] as const,
    [`margin-${side}`, SPACE] as const,
  ]),
  ['gap', SPACE],
  ['column-gap', SPACE],
  ['row-gap', SPACE],
]);

interface TokenRule extends ValueRule {
  kind: Kind;
  /** Property that takes what the token may hold. */
  grammar: string;
}

const COLOR_TOKENS = names(
  'bg surface surface-2 line line-2 text text-2 text-3 accent inverse on-inverse',
);
const COLOR_TOKEN: TokenRule = { ...OPAQUE, kind: 'color', grammar: 'color' };
const FONT_TOKEN: TokenRule = { ...FAMILY, kind: 'font', grammar: 'font-family' };
const RADIUS_TOKEN: TokenRule = { ...RADIUS, kind: 'length', grammar: 'padding-top' };
const SHADOW_TOKEN: TokenRule = { ...BOX_SHADOW, kind: 'shadow', grammar: 'box-shadow' };

/** Custom properties of the page that custom CSS may set, with their kind of value. Those of statuses are not among them. */
export const TOKENS: ReadonlyMap<string, TokenRule> = new Map<string, TokenRule>([
  ...[...COLOR_TOKENS].map((name) => [`--${name}`, COLOR_TOKEN] as const),
  ['--font', FONT_TOKEN],
  ['--mono', FONT_TOKEN],
  ['--r-sm', RADIUS_TOKEN],
  ['--r-md', RADIUS_TOKEN],
  ['--r-lg', RADIUS_TOKEN],
  ['--shadow', SHADOW_TOKEN],
]);

/** What a custom property holds. Custom CSS sets tokens only, and all others of the page are opaque colors. */
export function kindOf(variable: string): Kind {
  return TOKENS.get(variable)?.kind ?? 'color';
}

/** Sizes of units in CSS pixels, roughly and for a narrow window. */
const ABSOLUTE: Readonly<Record<string, number>> = {
  px: 1,
  rem: 16,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 37.8,
  mm: 3.78,
};
const RELATIVE: Readonly<Record<string, number>> = { em: 16, ch: 8, ex: 8, vw: 4, vh: 8, '%': 4 };
/** Units that are no lengths: only where nothing is bounded. */
const OTHER = new Set(['deg', 'turn', 'rad', 'grad']);
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,2})?$/i;
const HASH = /^(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i;
const MAX_DEPTH = 6;
/** Longest member of a list, in parts: the matcher's steps grow faster than the value. */
const MAX_MEMBER = 32;
const FONT_NAME = /^[\p{L}\p{N}][\p{L}\p{N} _.-]{0,99}$/u;

/** Problem of a value, such as `has a length out of 12px to 64px`; null if it is allowed. */
export function valueProblem(property: string, value: CssNode, rule: ValueRule): string | null {
  if (value.type !== 'Value') return 'has a value that cannot be read';
  for (const node of childrenOf(value)) {
    const problem = nodeProblem(node, rule, 0);
    if (problem !== null) return problem;
  }
  return isValid(property, value) ? null : 'does not take this value';
}

function nodeProblem(node: CssNode, rule: ValueRule, depth: number): string | null {
  switch (node.type) {
    case 'Identifier':
      return identifierProblem(node.name, rule, depth > 0);
    case 'Number':
      return numberProblem(node.value, rule, depth > 0);
    case 'Dimension':
      return lengthProblem(node.value, node.unit.toLowerCase(), rule, depth > 0);
    case 'Percentage':
      return lengthProblem(node.value, '%', rule, depth > 0);
    case 'Hash':
      if (!HASH.test(node.value)) return 'has a color that is none';
      return rule.isOpaque && [4, 8].includes(node.value.length) ? 'needs an opaque color' : null;
    case 'String':
      return rule.hasStrings && FONT_NAME.test(node.value) ? null : 'takes no such text';
    case 'Operator':
      if (node.value === '/' && rule.isOpaque) return 'needs an opaque color';
      return [',', '/'].includes(node.value.trim()) ? null : `takes no ${node.value.trim()}`;
    case 'Function':
      return functionProblem(node.name.toLowerCase(), childrenOf(node), rule, depth + 1);
    case 'Url':
      return 'takes no address';
    default:
      return 'has a value that is not supported';
  }
}

function identifierProblem(name: string, rule: ValueRule, isInFunction: boolean): string | null {
  if (!isPlain(name)) return 'has a value with an escape';
  if (name.startsWith('--') && !isInFunction) return 'has a value that is not supported';
  if (rule.refused?.has(name.toLowerCase())) return `takes no ${name.toLowerCase()}`;
  return rule.isOpaque && name.toLowerCase() === 'transparent' ? 'needs an opaque color' : null;
}

function numberProblem(text: string, { numbers, pixels }: ValueRule, isInFunction: boolean) {
  const value = numberOf(text);
  if (value === null) return 'has a number that is none';
  if (isInFunction || (pixels === null && numbers === undefined)) return null;
  if (value === 0 && pixels !== null && pixels[0] <= 0) return null;
  if (numbers === undefined) return 'needs a unit';
  const [min, max] = numbers;
  return value < min || value > max ? `takes numbers from ${min} to ${max}` : null;
}

function lengthProblem(text: string, unit: string, rule: ValueRule, isInFunction: boolean) {
  const value = numberOf(text);
  const size = ABSOLUTE[unit] ?? RELATIVE[unit];
  if (value === null || (size === undefined && !OTHER.has(unit)))
    return `takes no lengths in ${unit}`;
  if (isInFunction || rule.pixels === null) return null;
  if (size === undefined || (!rule.isRelative && !Object.hasOwn(ABSOLUTE, unit)))
    return 'takes lengths in px or rem';
  const [min, max] = rule.pixels;
  const pixels = value * size;
  return pixels < min || pixels > max ? `takes lengths from ${min}px to ${max}px` : null;
}

function functionProblem(
  name: string,
  children: readonly CssNode[],
  rule: ValueRule,
  depth: number,
): string | null {
  if (depth > MAX_DEPTH) return 'has functions nested too deeply';
  if (name === 'var' && rule.variables.length > 0) return variableProblem(children, rule);
  if (!rule.functions.has(name))
    return isPlain(name) ? `takes no ${name}()` : 'has a value with an escape';
  if (rule.isOpaque && isTranslucent(name, children)) return 'needs an opaque color';
  for (const child of children) {
    const problem = nodeProblem(child, rule, depth);
    if (problem !== null) return problem;
  }
  return null;
}

/** `var(--name)` of the page, without a fallback: that would be text which nobody has parsed. */
function variableProblem(children: readonly CssNode[], rule: ValueRule): string | null {
  const name = variableName(children);
  if (name === null) return 'takes var() with a name only';
  return rule.variables.includes(kindOf(name)) ? null : `takes no var(${name})`;
}

function variableName(children: readonly CssNode[]): string | null {
  const [name] = children;
  if (children.length !== 1 || name?.type !== 'Identifier') return null;
  return /^--[a-z][\w-]*$/i.test(name.name) ? name.name : null;
}

/** Whether a color function has an alpha value in the form with commas; the other form has a slash. */
function isTranslucent(name: string, children: readonly CssNode[]): boolean {
  if (!['rgb', 'rgba', 'hsl', 'hsla'].includes(name)) return false;
  return children.filter((child) => child.type === 'Operator' && child.value === ',').length === 3;
}

/** The text of a number as a number; null for what the standard does not know. */
function numberOf(text: string): number | null {
  const value = Number(text);
  return NUMBER.test(text) && Number.isFinite(value) ? value : null;
}

const LISTS = names(`
  background background-image background-position background-repeat background-size box-shadow
  text-shadow font-family`);

/** What stands for variables of a kind where a grammar is matched. */
const SAMPLES: Readonly<Record<Kind, CssNode>> = {
  color: { type: 'Identifier', name: 'red' },
  font: { type: 'Identifier', name: 'serif' },
  length: { type: 'Dimension', value: '1', unit: 'px' },
  shadow: { type: 'Identifier', name: 'none' },
};

/**
 * Whether the grammar of the property knows the value. Members of a list are matched one by one: a whole list can take the
 * matcher more steps than it has. The matcher knows no variables, and gets a value of their kind instead.
 */
function isValid(property: string, value: Value): boolean {
  const grammar = TOKENS.get(property)?.grammar ?? property;
  const members = membersOf(childrenOf(value).map(withoutVariables));
  if (members.length > 1 && !LISTS.has(grammar)) return false;
  return members.every((member) => {
    if (member.length === 0 || member.length > MAX_MEMBER) return false;
    const found = cssTree().lexer.matchProperty(grammar, {
      type: 'Value',
      children: listOf(member),
    });
    return found.error === null;
  });
}

function withoutVariables(node: CssNode): CssNode {
  if (node.type !== 'Function') return node;
  const children = childrenOf(node);
  const variable = node.name.toLowerCase() === 'var' ? variableName(children) : null;
  if (variable !== null) return SAMPLES[kindOf(variable)];
  return { ...node, children: listOf(children.map(withoutVariables)) };
}

function membersOf(nodes: readonly CssNode[]): CssNode[][] {
  const members: CssNode[][] = [[]];
  for (const node of nodes) {
    if (node.type === 'Operator' && node.value.trim() === ',') members.push([]);
    else members.at(-1)!.push(node);
  }
  return members;
}

function listOf(nodes: CssNode[]): List<CssNode> {
  const { List: ListOfNodes } = cssTree();
  return new ListOfNodes<CssNode>().fromArray(nodes);
}
