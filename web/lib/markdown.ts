/** Subset of Markdown that updates are written in, for a preview. The page itself is rendered by the server. Pure. */

export type Span =
  | { kind: 'text' | 'bold' | 'italic' | 'code'; text: string }
  | { kind: 'link'; text: string; href: string };

export type Block =
  | { kind: 'paragraph' | 'heading' | 'quote'; lines: Span[][] }
  | { kind: 'list'; isOrdered: boolean; items: Span[][] }
  | { kind: 'code'; text: string }
  | { kind: 'rule' };

const SPAN =
  /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\((https?:\/\/[^\s)]+|mailto:[^\s)]+)\)|(https?:\/\/[^\s<>)]+[^\s<>).,;:!?])/g;

/** Reads text as blocks. */
export function blocksOf(text: string): Block[] {
  return text
    .replaceAll('\r\n', '\n')
    .split(/(```[^]*?```)/)
    .flatMap((part) =>
      /^```[^]*```$/.test(part)
        ? [{ kind: 'code' as const, text: part.replace(/^```\w*\n?|\n?```$/g, '') }]
        : part.split(/\n\s*\n/).flatMap((paragraph) => linesToBlocks(paragraph)),
    );
}

function linesToBlocks(paragraph: string): Block[] {
  const blocks: Block[] = [];
  for (const line of paragraph.split('\n').filter((one) => one.trim() !== '')) {
    const block = blockOf(line.trim());
    const last = blocks.at(-1);
    if (block.kind === 'list' && last?.kind === 'list' && last.isOrdered === block.isOrdered)
      last.items.push(...block.items);
    else if ('lines' in block && last?.kind === block.kind && 'lines' in last)
      last.lines.push(...block.lines);
    else blocks.push(block);
  }
  return blocks;
}

function blockOf(line: string): Block {
  if (/^(?:-{3,}|\*{3,})$/.test(line)) return { kind: 'rule' };
  const [, marker, item] = /^([-*]|\d+[.)])\s+(.*)$/.exec(line) ?? [];
  if (marker !== undefined && item !== undefined)
    return { kind: 'list', isOrdered: /\d/.test(marker), items: [spansOf(item)] };
  const [, heading] = /^#{1,6}\s+(.*)$/.exec(line) ?? [];
  if (heading !== undefined) return { kind: 'heading', lines: [spansOf(heading)] };
  const [, quote] = /^>\s?(.*)$/.exec(line) ?? [];
  if (quote !== undefined) return { kind: 'quote', lines: [spansOf(quote)] };
  return { kind: 'paragraph', lines: [spansOf(line)] };
}

function spansOf(text: string): Span[] {
  const spans: Span[] = [];
  let at = 0;
  for (const match of text.matchAll(SPAN)) {
    if (match.index > at) spans.push({ kind: 'text', text: text.slice(at, match.index) });
    spans.push(spanOf(match));
    at = match.index + match[0].length;
  }
  if (at < text.length) spans.push({ kind: 'text', text: text.slice(at) });
  return spans;
}

function spanOf([, code, bold, italic, label, href, address]: RegExpMatchArray): Span {
  if (code !== undefined) return { kind: 'code', text: code };
  if (bold !== undefined) return { kind: 'bold', text: bold };
  if (italic !== undefined) return { kind: 'italic', text: italic };
  if (label !== undefined && href !== undefined) return { kind: 'link', text: label, href };
  return { kind: 'link', text: address ?? '', href: address ?? '' };
}
