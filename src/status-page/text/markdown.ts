import { escapeHtml } from '../../lib/text.ts';
import { withoutControls } from './characters.ts';
import { inlineOf, type Inline } from './markdown-inline.ts';

/**
 * The Markdown subset of updates: paragraphs, line breaks, bold, italic, code, lists, quotes, rules and links. Headings
 * are bold paragraphs. Raw HTML and images are shown as they are written. A parser of our own, since its time grows in
 * proportion to the text: 50,000 characters of `a-_` take `marked` 20 seconds, and nested quotes exhaust its stack. `markdown-it`
 * 15 keeps that bound, in twice the time for ordinary texts, but drops what is nested too deeply, reads lists in numbered ones
 * from three spaces on only and makes other emphasis of unclosed marks; it takes 12 MB.
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

/** Blocks of a text in the Markdown subset. Inline Markdown is in `text`, not parsed yet. */
type Block =
  | { type: 'paragraph'; text: string }
  | { type: 'heading'; text: string }
  | { type: 'code'; text: string }
  | { type: 'rule' }
  | { type: 'quote'; blocks: Block[] }
  | { type: 'list'; start: number | null; items: Block[][] };

/** Deepest nesting of quotes and lists; what is nested deeper is text. */
const MAX_DEPTH = 6;

const FENCE = /^ {0,3}(`{3,}|~{3,})([^`]*)$/;
const HEADING = /^ {0,3}#{1,6} +(\S.*)$/;
const RULE = /^ {0,3}(?:-[ ]*-[ -]*-|\*[ ]*\*[ *]*\*|_[ ]*_[ _]*_)[ ]*$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^ {0,3}(?:([-*+])|(\d{1,9})[.)]) +(?=\S)/;

function blocksOf(lines: readonly string[], depth = 0): Block[] {
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at]!;
    if (isBlank(line)) {
      at++;
      continue;
    }
    const [block, next] = blockAt(lines, at, depth);
    blocks.push(block);
    at = next;
  }
  return blocks;
}

function blockAt(lines: readonly string[], at: number, depth: number): [Block, number] {
  const line = lines[at]!;
  const fence = FENCE.exec(line);
  if (fence !== null) return codeAt(lines, at, fence[1]!);
  const heading = HEADING.exec(line);
  if (heading !== null) return [{ type: 'heading', text: withoutHashes(heading[1]!) }, at + 1];
  if (RULE.test(line)) return [{ type: 'rule' }, at + 1];
  if (depth < MAX_DEPTH && QUOTE.test(line)) return quoteAt(lines, at, depth);
  if (depth < MAX_DEPTH && ITEM.test(line)) return listAt(lines, at, depth);
  return paragraphAt(lines, at, depth);
}

/** Code up to a fence that is at least as long, or to the end. */
function codeAt(lines: readonly string[], at: number, fence: string): [Block, number] {
  const closes = (line: string): boolean => {
    const trimmed = line.trim();
    return trimmed.length >= fence.length && trimmed === fence[0]!.repeat(trimmed.length);
  };
  let end = at + 1;
  while (end < lines.length && !closes(lines[end]!)) end++;
  return [{ type: 'code', text: lines.slice(at + 1, end).join('\n') }, end + 1];
}

function quoteAt(lines: readonly string[], at: number, depth: number): [Block, number] {
  let end = at;
  while (end < lines.length && QUOTE.test(lines[end]!)) end++;
  const inner = lines.slice(at, end).map((line) => line.replace(QUOTE, ''));
  return [{ type: 'quote', blocks: blocksOf(inner, depth + 1) }, end];
}

/** Items of one kind of marker; an item goes on with what is indented, or continues its last paragraph. */
function listAt(lines: readonly string[], at: number, depth: number): [Block, number] {
  const [, , number] = ITEM.exec(lines[at]!)!;
  const isOrdered = number !== undefined;
  const items: Block[][] = [];
  let next = at;
  while (next < lines.length) {
    const marker = ITEM.exec(lines[next]!);
    if (marker === null || (marker[2] !== undefined) !== isOrdered || RULE.test(lines[next]!))
      break;
    const [item, end] = itemAt(lines, next, marker[0].length);
    items.push(blocksOf(item, depth + 1));
    next = end;
    const afterBlank = skipBlank(lines, next);
    if (afterBlank < lines.length && ITEM.test(lines[afterBlank]!)) next = afterBlank;
  }
  return [{ type: 'list', start: isOrdered ? Number(number) : null, items }, next];
}

function itemAt(lines: readonly string[], at: number, width: number): [string[], number] {
  const item = [lines[at]!.slice(width)];
  let next = at + 1;
  for (; next < lines.length; next++) {
    const line = lines[next]!;
    if (isBlank(line)) {
      const afterBlank = skipBlank(lines, next);
      if (afterBlank === lines.length || indentOf(lines[afterBlank]!) < 2) break;
      for (; next < afterBlank - 1; next++) item.push('');
      item.push('');
      continue;
    }
    const indent = indentOf(line);
    if (indent < 2 && beginsBlock(line)) break;
    item.push(line.slice(Math.min(indent, width)));
  }
  return [item, next];
}

function paragraphAt(lines: readonly string[], at: number, depth: number): [Block, number] {
  let end = at + 1;
  while (end < lines.length && !isBlank(lines[end]!) && !interrupts(lines[end]!, depth)) end++;
  const text = lines.slice(at, end).map((line) => line.trim());
  return [{ type: 'paragraph', text: text.join('\n') }, end];
}

/** Whether a line ends the paragraph above it. A number does so only at 1: "in\n2026. Then" goes on. */
function interrupts(line: string, depth: number): boolean {
  if (depth < MAX_DEPTH) {
    const item = ITEM.exec(line);
    if (item !== null && (item[2] === undefined || item[2] === '1')) return true;
    if (QUOTE.test(line)) return true;
  }
  return FENCE.test(line) || HEADING.test(line) || RULE.test(line);
}

function beginsBlock(line: string): boolean {
  return [FENCE, HEADING, RULE, QUOTE, ITEM].some((pattern) => pattern.test(line));
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function skipBlank(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && isBlank(lines[at]!)) at++;
  return at;
}

function withoutHashes(text: string): string {
  const trimmed = text.trimEnd();
  let end = trimmed.length;
  while (end > 0 && trimmed[end - 1] === '#') end--;
  return end === trimmed.length || trimmed[end - 1] !== ' '
    ? trimmed
    : trimmed.slice(0, end).trimEnd();
}
