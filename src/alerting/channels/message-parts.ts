import { BRAND } from '../../lib/brand.ts';
import type { Message } from '../message/content.ts';

/** Symbols that chat messages begin with, so that severity is seen before anything is read. */
const SYMBOLS: Record<Message['tone'], string> = {
  critical: '🔴',
  warning: '🟠',
  good: '🟢',
  neutral: '🔵',
};

const COLOURS: Record<Message['tone'], string> = {
  critical: BRAND['down-fill'][0],
  warning: BRAND['warn-fill'][0],
  good: BRAND['up-fill'][0],
  neutral: BRAND['text-3'][0],
};

/** The symbol of its tone, and a space. */
export function symbolOf({ tone }: Message): string {
  return `${SYMBOLS[tone]} `;
}

/** The color of a message, as `#rrggbb`. */
export function colourOf({ tone }: Message): string {
  return COLOURS[tone];
}

/** The lines below a headline that is the subject: a first line that only repeats it is left out. */
export function linesBelowSubject({ subject, lines }: Message): string[] {
  const [first, ...rest] = lines;
  return first?.replace(/\.$/, '') === subject ? rest : lines;
}

/** The links of a message, in the order of its buttons. */
export function linksOf({ links }: Message): { title: string; url: string }[] {
  const all = [
    { title: 'Details', url: links.details },
    { title: 'Acknowledge', url: links.acknowledge },
  ];
  return all.flatMap(({ title, url }) => (url === null ? [] : [{ title, url }]));
}

/** The lines that say what these facts do not, for providers that show those apart. */
export function linesBeside(facts: Message['facts'], { lines }: Message): string[] {
  const said = new Set(facts.map(({ name, value }) => `${name}: ${value}`));
  return lines.filter((line) => !said.has(line));
}
