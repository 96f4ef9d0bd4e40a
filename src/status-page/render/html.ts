import { escapeHtml } from '../../lib/text.ts';

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

type Value = Html | string | number | null | readonly Html[];

/** Template of HTML: values are escaped unless they are HTML; null and empty lists write nothing. */
export function html(template: TemplateStringsArray, ...values: readonly Value[]): Html {
  const parts = compactParts(template);
  let text = parts[0]!;
  for (const [index, value] of values.entries()) text += written(value) + parts[index + 1]!;
  return new Html(text);
}

const compact = new WeakMap<TemplateStringsArray, string[]>();

const BLOCKS =
  'li|ul|ol|tr|th|td|table|details|summary|div|section|header|svg|path|figure|figcaption|p|h1|h2|h3|article';
/** White space before and after the tags of blocks, which is not shown. */
const AROUND_BLOCKS = new RegExp(
  `\\n(?=</?(?:${BLOCKS})\\b)|(?<=</?(?:${BLOCKS})(?: [^<>]*)?>)\\n`,
  'g',
);

/** Parts of a template without the indentation of the source: white space with a line break is one line break. */
function compactParts(template: TemplateStringsArray): string[] {
  let parts = compact.get(template);
  if (parts === undefined) {
    parts = template.map((part) =>
      part.replaceAll(/\s*\n\s*/g, '\n').replaceAll(AROUND_BLOCKS, ''),
    );
    compact.set(template, parts);
  }
  return parts;
}

export const NOTHING = new Html('');

/** Joins pieces of HTML, leaving out empty ones. */
export function joined(pieces: readonly Html[], between = ''): Html {
  return new Html(
    pieces
      .map(({ text }) => text)
      .filter((text) => text !== '')
      .join(between),
  );
}

function written(value: Value): string {
  if (value === null) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return escapeHtml(String(value));
}
