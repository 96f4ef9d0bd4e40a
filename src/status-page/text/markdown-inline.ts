export type Inline =
  | { type: 'text'; text: string }
  | { type: 'break' }
  | { type: 'code'; text: string }
  | { type: 'link'; href: string; children: Inline[] }
  | { type: 'strong' | 'emphasis'; children: Inline[] };

/** Pieces of inline Markdown, before emphasis and links are matched. */
type Token =
  | { type: 'text'; text: string }
  | { type: 'break' }
  | { type: 'code'; text: string }
  | { type: 'address'; href: string; text: string }
  | { type: 'marks'; mark: '*' | '_'; length: number; opens: boolean; closes: boolean }
  | { type: 'open'; raw: string }
  /** A closing bracket; `href` of the link whose text it ends, and `raw` in case it ends none. */
  | { type: 'close'; href: string | null; raw: string };

/** Beginning of an image: it is shown as it is written. */
const IMAGE = '![';
/** Deepest nesting of emphasis; marks that would nest deeper are text. */
const MAX_OPEN = 8;

/** Parses inline Markdown in time proportional to the text. */
export function inlineOf(text: string): Inline[] {
  const tokens = tokensOf(text);
  return read(tokens, linksIn(tokens), { from: 0, to: tokens.length, isInLink: false });
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

/** Tree of the tokens from `from` up to, and not including, `to`. In a link, an address is text: links do not nest. */
function read(
  tokens: readonly Token[],
  links: ReadonlyMap<number, number>,
  { from, to, isInLink }: { from: number; to: number; isInLink: boolean },
): Inline[] {
  const root: Inline[] = [];
  const stack: Opened[] = [];
  for (let at = from; at < to; at++) {
    const token = tokens[at]!;
    const children = stack.at(-1)?.children ?? root;
    const end = links.get(at);
    if (end !== undefined) {
      const { href } = tokens[end] as { href: string };
      const inside = read(tokens, links, { from: at + 1, to: end, isInLink: true });
      children.push({ type: 'link', href, children: inside });
      at = end;
    } else if (token.type === 'marks') applyMarks(token, stack, root);
    else children.push(leafOf(token, isInLink));
  }
  while (stack.length > 0) giveUp(stack, root);
  return root;
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
function applyMarks(token: Extract<Token, { type: 'marks' }>, stack: Opened[], root: Inline[]) {
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

const PUNCTUATION = /[!-/:-@[-`{-~]/;
const WORD = /[\p{L}\p{N}]/u;
const SPACE = /\s/;
/** Longest address of a link; a longer one is text. */
const MAX_ADDRESS = 2_000;
const BRACKETED_ADDRESS = new RegExp(`<((?:https?://|mailto:)[^\\s<>]{1,${MAX_ADDRESS}})>`, 'iy');
const BRACKETED_MAIL = /<([\w.+-]{1,64}@[\w.-]{1,255})>/y;
const BARE_ADDRESS = /https?:\/\/[^\s<>"`]+/iy;
/** Address behind the text of a link, with parentheses of one level and a title that is left out. */
const TARGET = new RegExp(
  `\\((?:<([^<>\\n]{0,${MAX_ADDRESS}})>|((?:[^\\s()<>]|\\([^\\s()<>]{0,200}\\)){1,${MAX_ADDRESS}}))(?: {1,9}"[^"\\n]{0,200}")?\\)`,
  'y',
);

/** Divides inline Markdown into tokens, in time proportional to the text. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const ticks = closingTicks(text);
  let plain = '';
  const push = (token: Token): void => {
    if (plain !== '') tokens.push({ type: 'text', text: plain });
    plain = '';
    tokens.push(token);
  };
  let at = 0;
  while (at < text.length) {
    const character = text[at]!;
    const found = READERS.get(character)?.(text, at, ticks);
    if (found === undefined || found === null) {
      plain += character;
      at++;
    } else {
      if (found.token.type === 'text') plain += found.token.text;
      else push(found.token);
      at = found.end;
    }
  }
  if (plain !== '') tokens.push({ type: 'text', text: plain });
  return tokens;
}

type Read = { token: Token; end: number };
type Reader = (text: string, at: number, ticks: ReadonlyMap<number, number>) => Read | null;

const READERS = new Map<string, Reader>([
  ['\n', (_text, at) => ({ token: { type: 'break' }, end: at + 1 })],
  ['\\', readEscape],
  ['`', readCode],
  ['<', readBracketed],
  ['h', readBare],
  ['H', readBare],
  ['*', readMarks],
  ['_', readMarks],
  ['[', (_text, at) => ({ token: { type: 'open', raw: '[' }, end: at + 1 })],
  ['!', readImage],
  [']', readClose],
]);

function readImage(text: string, at: number): Read | null {
  return text[at + 1] === '[' ? { token: { type: 'open', raw: IMAGE }, end: at + 2 } : null;
}

function readEscape(text: string, at: number): Read | null {
  const next = text[at + 1];
  if (next === undefined || !PUNCTUATION.test(next)) return null;
  return { token: { type: 'text', text: next }, end: at + 2 };
}

function readCode(text: string, at: number, ticks: ReadonlyMap<number, number>): Read {
  const length = runLength(text, at);
  const close = ticks.get(at);
  if (close === undefined)
    return { token: { type: 'text', text: '`'.repeat(length) }, end: at + length };
  const code = text.slice(at + length, close).replaceAll('\n', ' ');
  const isPadded = code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '';
  return {
    token: { type: 'code', text: isPadded ? code.slice(1, -1) : code },
    end: close + length,
  };
}

function readBracketed(text: string, at: number): Read | null {
  const address = matchAt(BRACKETED_ADDRESS, text, at);
  if (address !== null) return addressRead(address[1]!, address[1]!, at + address[0].length);
  const mail = matchAt(BRACKETED_MAIL, text, at);
  if (mail === null) return null;
  return addressRead(`mailto:${mail[1]!}`, mail[1]!, at + mail[0].length);
}

/** An address in running text, without the punctuation that follows it. */
function readBare(text: string, at: number): Read | null {
  if (at > 0 && WORD.test(text[at - 1]!)) return null;
  const match = matchAt(BARE_ADDRESS, text, at);
  if (match === null) return null;
  const raw = match[0];
  const address = withoutPunctuation(raw);
  if (address.length > MAX_ADDRESS || safeAddress(address) === null) {
    return { token: { type: 'text', text: raw }, end: at + raw.length };
  }
  return addressRead(address, address, at + address.length);
}

function addressRead(address: string, shown: string, end: number): Read | null {
  const href = safeAddress(address);
  return href === null ? null : { token: { type: 'address', href, text: shown }, end };
}

function withoutPunctuation(address: string): string {
  let end = address.length;
  let unclosed = 0;
  for (const character of address) unclosed += character === '(' ? 1 : character === ')' ? -1 : 0;
  for (; end > 0; end--) {
    const last = address[end - 1]!;
    if (last === ')') {
      if (unclosed >= 0) break;
      unclosed++;
    } else if (!/[.,:;!?'*_~\]}。、，）」]/.test(last)) break;
  }
  return address.slice(0, end);
}

/** Emphasis: as in CommonMark, but punctuation does not matter, so that it works between Japanese characters. */
function readMarks(text: string, at: number): Read {
  const mark = text[at] as '*' | '_';
  const length = runLength(text, at);
  const before = text[at - 1] ?? ' ';
  const after = text[at + length] ?? ' ';
  const insideWord = mark === '_';
  const opens = !SPACE.test(after) && !(insideWord && WORD.test(before));
  const closes = !SPACE.test(before) && !(insideWord && WORD.test(after));
  if (length > 3 || (!opens && !closes)) {
    return { token: { type: 'text', text: mark.repeat(length) }, end: at + length };
  }
  return { token: { type: 'marks', mark, length, opens, closes }, end: at + length };
}

function readClose(text: string, at: number): Read {
  const match = matchAt(TARGET, text, at + 1);
  const href = match === null ? null : safeAddress(unescaped(match[1] ?? match[2]!));
  if (match === null || href === null)
    return { token: { type: 'close', href: null, raw: ']' }, end: at + 1 };
  const end = at + 1 + match[0].length;
  return { token: { type: 'close', href, raw: text.slice(at, end) }, end };
}

function unescaped(address: string): string {
  return address.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');
}

/** An http, https or mailto address in the form of the URL standard; null for every other one. */
function safeAddress(address: string): string | null {
  if (!/^(?:https?:\/\/|mailto:)/i.test(address)) return null;
  const url = URL.parse(address);
  return url !== null && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function runLength(text: string, at: number): number {
  let end = at + 1;
  while (text[end] === text[at]) end++;
  return end - at;
}

/** Index of the closing run of backticks by the index of the opening one. */
function closingTicks(text: string): ReadonlyMap<number, number> {
  const closing = new Map<number, number>();
  const lastOfLength = new Map<number, number>();
  const runs = [...text.matchAll(/`+/g)].toReversed();
  for (const { index, 0: run } of runs) {
    const close = lastOfLength.get(run.length);
    if (close !== undefined) closing.set(index, close);
    lastOfLength.set(run.length, index);
  }
  return closing;
}
