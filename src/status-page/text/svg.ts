import { escapeHtml } from '../../lib/text.ts';
import { names, withoutControls } from './characters.ts';
import { ID, isAllowed, REFERENCE } from './svg-allowed.ts';
import { elementsOf, parseSvg, type SvgElement } from './svg-tree.ts';

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
