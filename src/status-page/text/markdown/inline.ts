import { tokensOf, type Token } from './tokens.ts';

/** Inline Markdown as a tree. */
export type Inline =
  | { type: 'text'; text: string }
  | { type: 'break' }
  | { type: 'code'; text: string }
  | { type: 'link'; href: string; children: Inline[] }
  | { type: 'strong' | 'emphasis'; children: Inline[] };

/** Beginning of an image: it is shown as it is written. */
const IMAGE = '![';
/** Deepest nesting of emphasis; marks that would nest deeper are text. */
const MAX_OPEN = 8;

/** Parses inline Markdown in time proportional to the text. */
export function inlineOf(text: string): Inline[] {
  const tokens = tokensOf(text);
  return new Emphasis(tokens, linksIn(tokens)).read(0, tokens.length);
}

/** Closing brackets of links by their opening ones. Links do not nest: the inner one counts. */
function linksIn(tokens: readonly Token[]): Map<number, number> {
  const links = new Map<number, number>();
  let open: number[] = [];
  tokens.forEach((token, index) => {
    if (token.type === 'open') open.push(index);
    if (token.type !== 'close') return;
    const start = open.pop();
    if (start === undefined || token.href === null) return;
    if ((tokens[start] as { raw: string }).raw === IMAGE) return;
    links.set(start, index);
    open = [];
  });
  return links;
}

interface Opened {
  mark: string;
  length: number;
  children: Inline[];
}

class Emphasis {
  private readonly tokens: readonly Token[];
  private readonly links: ReadonlyMap<number, number>;

  constructor(tokens: readonly Token[], links: ReadonlyMap<number, number>) {
    this.tokens = tokens;
    this.links = links;
  }

  /** Tree of the tokens from `from` up to, and not including, `to`. In a link, an address is text: links do not nest. */
  read(from: number, to: number, isInLink = false): Inline[] {
    const root: Inline[] = [];
    const stack: Opened[] = [];
    const children = (): Inline[] => stack.at(-1)?.children ?? root;
    for (let at = from; at < to; at++) {
      const token = this.tokens[at]!;
      const end = this.links.get(at);
      if (end !== undefined) {
        const { href } = this.tokens[end] as { href: string };
        children().push({ type: 'link', href, children: this.read(at + 1, end, true) });
        at = end;
      } else if (token.type === 'marks') mark(token, stack, root);
      else children().push(leafOf(token, isInLink));
    }
    while (stack.length > 0) giveUp(stack, root);
    return root;
  }
}

function leafOf(token: Exclude<Token, { type: 'marks' }>, isInLink: boolean): Inline {
  if (token.type === 'open' || token.type === 'close') return { type: 'text', text: token.raw };
  if (token.type === 'address') {
    if (isInLink) return { type: 'text', text: token.text };
    return { type: 'link', href: token.href, children: [{ type: 'text', text: token.text }] };
  }
  return token;
}

/** Closes what the marks can close, then opens with the rest. */
function mark(token: Extract<Token, { type: 'marks' }>, stack: Opened[], root: Inline[]): void {
  let left = token.length;
  while (token.closes && left > 0) {
    const index = stack.findLastIndex(
      (open) => open.mark === token.mark && (left === 3 || open.length === left),
    );
    if (index === -1) break;
    while (stack.length > index + 1) giveUp(stack, root);
    const { length, children } = stack.pop()!;
    const type = length === 2 ? 'strong' : 'emphasis';
    (stack.at(-1)?.children ?? root).push({ type, children });
    left -= length;
  }
  if (left === 0) return;
  const lengths = left === 3 ? [2, 1] : [left];
  if (token.opens && stack.length + lengths.length <= MAX_OPEN) {
    for (const length of lengths) stack.push({ mark: token.mark, length, children: [] });
    return;
  }
  (stack.at(-1)?.children ?? root).push({ type: 'text', text: token.mark.repeat(left) });
}

/** Marks that nothing closes are text. */
function giveUp(stack: Opened[], root: Inline[]): void {
  const { mark: character, length, children } = stack.pop()!;
  const outer = stack.at(-1)?.children ?? root;
  outer.push({ type: 'text', text: character.repeat(length) });
  for (const child of children) outer.push(child);
}
