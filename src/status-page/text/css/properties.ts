/** What a custom property holds. */
export type Kind = 'color' | 'font' | 'length' | 'shadow';

/** Values that a property takes. Lengths and numbers have to lie between the bounds, so that nothing can be hidden. */
export interface ValueRule {
  /** Functions, by name. */
  functions: ReadonlySet<string>;
  /** Kinds of custom properties that `var()` can name here. */
  variables: readonly Kind[];
  /** Bounds of lengths in CSS pixels; null for no bounds. */
  pixels: readonly [min: number, max: number] | null;
  /** Bounds of numbers without a unit, where there are any. */
  numbers?: readonly [min: number, max: number];
  /** Units whose size depends on the element around, such as em and %, are allowed. */
  isRelative: boolean;
  /** Colors have to be opaque. */
  isOpaque?: boolean;
  /** Words that are not allowed. */
  refused?: ReadonlySet<string>;
  /** Strings are allowed: names of fonts. */
  hasStrings?: boolean;
}

const COLORS = [
  'rgb',
  'rgba',
  'hsl',
  'hsla',
  'hwb',
  'lab',
  'lch',
  'oklab',
  'oklch',
  'color',
  'color-mix',
  'light-dark',
];
const GRADIENTS = ['linear-gradient', 'radial-gradient', 'conic-gradient'].flatMap((name) => [
  name,
  `repeating-${name}`,
]);

const COLOR: ValueRule = {
  functions: new Set(COLORS),
  variables: ['color'],
  pixels: null,
  isRelative: true,
};
const OPAQUE: ValueRule = { ...COLOR, isOpaque: true };
const PAINT: ValueRule = { ...COLOR, functions: new Set([...COLORS, ...GRADIENTS]) };
const PLAIN: ValueRule = { functions: new Set(), variables: [], pixels: null, isRelative: true };
const FAMILY: ValueRule = { ...PLAIN, variables: ['font'], hasStrings: true };

function lengths(min: number, max: number, isRelative = true): ValueRule {
  return { ...PLAIN, pixels: [min, max], isRelative };
}

const BORDER: ValueRule = { ...COLOR, pixels: [0, 16] };
/** Shadows that are larger would cover what stands beside. */
const SHADOW: ValueRule = { ...COLOR, pixels: [-40, 40], isRelative: false };
const BOX_SHADOW: ValueRule = { ...SHADOW, variables: ['color', 'shadow'] };
/** A line through a text takes back what it says; elements within inherit it. */
const STRIKES = new Set(['line-through']);
const DECORATION: ValueRule = { ...COLOR, pixels: [0, 4], isRelative: false, refused: STRIKES };
const SPACE = lengths(0, 96);
const RADIUS: ValueRule = { ...lengths(0, 200), variables: ['length'] };

const SIDES = [
  'top',
  'right',
  'bottom',
  'left',
  'block',
  'block-start',
  'block-end',
  'inline',
  'inline-start',
  'inline-end',
];
const CORNERS = [
  'top-left',
  'top-right',
  'bottom-left',
  'bottom-right',
  'start-start',
  'start-end',
  'end-start',
  'end-end',
];

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
  ...[
    'border',
    'border-width',
    'border-color',
    'border-style',
    'outline',
    'outline-width',
    'outline-color',
  ].map((name) => [name, BORDER] as const),
  ['outline-style', BORDER],
  ['outline-offset', lengths(0, 16)],
  ...SIDES.flatMap((side) =>
    ['', '-width', '-color', '-style'].map((part) => [`border-${side}${part}`, BORDER] as const),
  ),
  ['border-radius', RADIUS],
  ...CORNERS.map((corner) => [`border-${corner}-radius`, RADIUS] as const),
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
  ...SIDES.flatMap((side) => [
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

const COLOR_TOKEN: TokenRule = { ...OPAQUE, kind: 'color', grammar: 'color' };
const FONT_TOKEN: TokenRule = { ...FAMILY, kind: 'font', grammar: 'font-family' };
const RADIUS_TOKEN: TokenRule = { ...RADIUS, kind: 'length', grammar: 'padding-top' };
const SHADOW_TOKEN: TokenRule = { ...BOX_SHADOW, kind: 'shadow', grammar: 'box-shadow' };

/** Custom properties of the page that custom CSS may set, with their kind of value. Those of statuses are not among them. */
export const TOKENS: ReadonlyMap<string, TokenRule> = new Map<string, TokenRule>([
  ...[
    'bg',
    'surface',
    'surface-2',
    'line',
    'line-2',
    'text',
    'text-2',
    'text-3',
    'accent',
    'inverse',
    'on-inverse',
  ].map((name) => [`--${name}`, COLOR_TOKEN] as const),
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
