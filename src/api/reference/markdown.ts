import { Marked } from 'marked';

/** HTML in a description is text: only Markdown makes elements. */
const markdown = new Marked({
  async: false,
  gfm: true,
  renderer: { html: ({ text }) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;') },
});

/** Renders paragraphs, lists and code of a description as HTML. */
export function blocks(text: string): string {
  return markdown.parse(text) as string;
}

/** Renders a description without paragraphs of its own, as in a cell of a table. */
export function inline(text: string): string {
  return markdown.parseInline(text) as string;
}
