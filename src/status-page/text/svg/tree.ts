import { Parser } from 'htmlparser2';

/** Element of a drawing. */
export interface SvgElement {
  name: string;
  attributes: Map<string, string>;
  children: (SvgElement | string)[];
}

/** Largest drawing, in elements; deepest nesting; most attributes of an element. */
const MAX_ELEMENTS = 5_000;
const MAX_DEPTH = 64;
const MAX_ATTRIBUTES = 64;

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
  return isTooLarge || roots.length !== 1 ? null : roots[0]!;
}

/** Text within an element, without that of elements in it. */
export function textOf(element: SvgElement): string {
  return element.children.filter((child) => typeof child === 'string').join('');
}

/** Elements in an element. */
export function elementsOf(element: SvgElement): SvgElement[] {
  return element.children.filter((child) => typeof child !== 'string');
}
