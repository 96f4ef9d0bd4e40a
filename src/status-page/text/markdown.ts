import { escapeHtml } from '../../lib/text.ts';
import { withoutControls } from './characters.ts';
import { blocksOf, type Block } from './markdown/blocks.ts';
import { inlineOf, type Inline } from './markdown/inline.ts';

/**
 * The Markdown subset of updates: paragraphs, line breaks, bold, italic, code, lists, quotes, rules and links. Headings
 * are bold paragraphs. Raw HTML and images are shown as they are written. A parser of our own, since its time grows in
 * proportion to the text: 50,000 characters of `a-_` take `marked` 20 seconds, and nested quotes exhaust its stack.
 */

/** Safe HTML: p, br, strong, em, code, pre, ul, ol, li, blockquote, hr and a, without classes or styles. */
export function markdownToHtml(text: string): string {
  return htmlOfBlocks(blocksIn(text));
}

/** Plain text for mails, summaries and chats: without marks, addresses in parentheses behind their words. */
export function markdownToText(text: string): string {
  return textOfBlocks(blocksIn(text)).trim();
}

function blocksIn(text: string): Block[] {
  return blocksOf(withoutControls(text).replaceAll('\t', '    ').split('\n'));
}

function htmlOfBlocks(blocks: readonly Block[]): string {
  return blocks.map(htmlOfBlock).join('\n');
}

function htmlOfBlock(block: Block): string {
  switch (block.type) {
    case 'paragraph':
      return `<p>${html(inlineOf(block.text))}</p>`;
    case 'heading':
      return `<p><strong>${html(inlineOf(block.text))}</strong></p>`;
    case 'code':
      return `<pre><code>${escapeHtml(block.text)}</code></pre>`;
    case 'rule':
      return '<hr>';
    case 'quote':
      return `<blockquote>${htmlOfBlocks(block.blocks)}</blockquote>`;
    case 'list': {
      const items = block.items.map((item) => `<li>${htmlOfItem(item)}</li>`).join('');
      const start = block.start === null || block.start === 1 ? '' : ` start="${block.start}"`;
      return block.start === null ? `<ul>${items}</ul>` : `<ol${start}>${items}</ol>`;
    }
  }
}

/** Blocks of a list item; its first paragraph needs no element of its own. */
function htmlOfItem(blocks: readonly Block[]): string {
  const [first, ...rest] = blocks;
  const paragraphs = blocks.filter(({ type }) => type === 'paragraph').length;
  if (first?.type !== 'paragraph' || paragraphs > 1) return htmlOfBlocks(blocks);
  return [html(inlineOf(first.text)), ...rest.map(htmlOfBlock)].join('\n');
}

function html(inlines: readonly Inline[]): string {
  return inlines.map(htmlOfInline).join('');
}

function htmlOfInline(inline: Inline): string {
  switch (inline.type) {
    case 'text':
      return escapeHtml(inline.text);
    case 'break':
      return '<br>\n';
    case 'code':
      return `<code>${escapeHtml(inline.text)}</code>`;
    case 'link':
      return `<a href="${escapeHtml(inline.href)}" rel="nofollow noopener">${html(inline.children)}</a>`;
    case 'strong':
      return `<strong>${html(inline.children)}</strong>`;
    case 'emphasis':
      return `<em>${html(inline.children)}</em>`;
  }
}

function textOfBlocks(blocks: readonly Block[]): string {
  return blocks.map(textOfBlock).join('\n\n');
}

function textOfBlock(block: Block): string {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return plain(inlineOf(block.text));
    case 'code':
      return block.text;
    case 'rule':
      return '---';
    case 'quote':
      return indented(textOfBlocks(block.blocks), '> ', '> ');
    case 'list':
      return block.items.map((item, index) => textOfItem(item, block.start, index)).join('\n');
  }
}

function textOfItem(item: readonly Block[], start: number | null, index: number): string {
  const marker = start === null ? '- ' : `${start + index}. `;
  return indented(item.map(textOfBlock).join('\n'), marker, ' '.repeat(marker.length));
}

function indented(text: string, first: string, others: string): string {
  return text
    .split('\n')
    .map((line, index) => (index === 0 ? first : others) + line)
    .join('\n');
}

function plain(inlines: readonly Inline[]): string {
  return inlines.map(textOfInline).join('');
}

function textOfInline(inline: Inline): string {
  switch (inline.type) {
    case 'text':
    case 'code':
      return inline.text;
    case 'break':
      return '\n';
    case 'link': {
      const words = plain(inline.children);
      const address = inline.href.replace(/^mailto:/, '');
      const isSame =
        words === address || `${words}/` === address || URL.parse(words)?.href === address;
      return isSame ? words : `${words} (${address})`;
    }
    default:
      return plain(inline.children);
  }
}
