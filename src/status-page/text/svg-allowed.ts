import { names } from './characters.ts';

export const ID = /^[A-Za-z_][\w.-]{0,99}$/;
export const REFERENCE = /^url\(\s*["']?#([A-Za-z_][\w.-]{0,99})["']?\s*\)$/;

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

export function isAllowed(name: string, value: string): boolean {
  return Object.hasOwn(ATTRIBUTES, name) && ATTRIBUTES[name]!(value);
}

export function isStyle(property: string, value: string): boolean {
  return Object.hasOwn(PRESENTATION, property) && PRESENTATION[property]!(value);
}
