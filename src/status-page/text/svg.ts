import { escapeHtml } from '../../lib/text.ts';
import { withoutControls } from './characters.ts';
import { ELEMENTS, fragmentOf, isAllowed, REFERRERS, SHAPES, TEXTS } from './svg/allowed.ts';
import { limitReferences } from './svg/references.ts';
import { inlineStyles } from './svg/styles.ts';
import { elementsOf, parseSvg, type SvgElement } from './svg/tree.ts';

/** Largest drawing in characters, before and after. */
const MAX_SVG = 524_288;
const NAMESPACE = 'http://www.w3.org/2000/svg';

/**
 * A drawing of shapes, gradients and texts only, written anew from a tree: no scripts, events, styles, links, images,
 * animations, filters or addresses. Null if it is no SVG, too large, or if nothing visible is left.
 */
export function cleanSvg(svg: string): string | null {
  if (svg.length > MAX_SVG) return null;
  const root = parseSvg(withoutControls(svg.replace(/^\uFEFF/, '')));
  if (root?.name !== 'svg') return null;
  inlineStyles(root);
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
