import { CAUSE_SENTENCES, type CauseWords } from './cause-sentences.ts';

type Group = keyof CauseWords;

interface Template {
  group: Group;
  row: number;
  pattern: RegExp;
  names: string[];
}

/** Characters that mean something in a pattern. */
const SPECIAL = /[$()*+.?[\\\]^{|}]/g;
const NAME = /\{(\w+)\}/g;
/** A group whose rows are parts of sentences and no causes. */
const PARTS: ReadonlySet<Group> = new Set<Group>(['peer', 'phrase', 'duration']);

let compiled: Template[] | null = null;

/**
 * A cause in the words of a language, found by the sentence in which the API says it; null when it is none of those that
 * are known, such as one that a person wrote.
 */
export function translatedCause(cause: string, words: CauseWords, locale: string): string | null {
  return translated(cause, (group) => !PARTS.has(group), words, locale);
}

function translated(
  text: string,
  isAsked: (group: Group) => boolean,
  words: CauseWords,
  locale: string,
): string | null {
  compiled ??= templates();
  for (const { group, row, pattern, names } of compiled) {
    if (!isAsked(group)) continue;
    const found = pattern.exec(text);
    if (found === null) continue;
    const parts = new Map<string, string | null>(
      names.map((name, at) => [name, partOf(name, found[at + 1]!, words, locale)]),
    );
    // A sentence within this one that is not known: another row may know the whole.
    if ([...parts.values()].includes(null)) continue;
    const rows: readonly string[] = words[group];
    const sentence = rows[row]!;
    return sentence.replaceAll(NAME, (_, name: string) => parts.get(name) ?? '');
  }
  return null;
}

/** A part of a sentence; null for a cause or a duration that is not known. Other parts stay as they are. */
function partOf(name: string, text: string, words: CauseWords, locale: string): string | null {
  if (name.startsWith('cause')) return translatedCause(text, words, locale);
  if (name.startsWith('duration'))
    return translated(text, (group) => group === 'duration', words, locale);
  if (name === 'peer' || name.startsWith('phrase')) {
    const asked = name === 'peer' ? name : 'phrase';
    return translated(text, (group) => group === asked, words, locale) ?? text;
  }
  return name.startsWith('number') ? numberOf(text, locale) : text;
}

function numberOf(text: string, locale: string): string {
  const decimals = text.split('.')[1]?.length ?? 0;
  return Number(text.replaceAll(',', '')).toLocaleString(locale, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
}

/** What follows a cause is taken off first, so that no part of another sentence holds it. */
function templates(): Template[] {
  const groups = Object.keys(CAUSE_SENTENCES) as Group[];
  return groups
    .flatMap((group) => CAUSE_SENTENCES[group].map((text, row) => templateOf(group, text, row)))
    .toSorted((a, b) => Number(b.names[0] === 'cause') - Number(a.names[0] === 'cause'));
}

function templateOf(group: Group, text: string, row: number): Template {
  const pieces = text.split(/\{\w+\}/).map((piece) => piece.replaceAll(SPECIAL, String.raw`\$&`));
  const names = [...text.matchAll(NAME)].map(([, name]) => name!);
  const source = pieces.reduce((before, piece, at) => before + captureOf(names[at - 1]!) + piece);
  return { group, row, names, pattern: new RegExp(`^${source}$`, 's') };
}

function captureOf(name: string): string {
  if (name.startsWith('number')) return String.raw`([\d,]+(?:\.\d+)?)`;
  // What happened to a response that was cut short may be left out.
  return name === 'how' ? '(.*)' : '(.+)';
}
