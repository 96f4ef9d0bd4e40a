import { shortCause } from '../lib/cause.ts';
import { words } from '../words/index.ts';

/** A cause that the API gives as a title has it, in the language of the dashboard where Tocsin itself wrote it. */
export function causeText(cause: string): string {
  const { short, inWords } = words.causes;
  return shortCause(cause, short, words.time.locale) ?? inWords(cause) ?? cause;
}

/** A cause as text of a page; one that stays as the API gives it is marked as English. */
export function Cause({ children: cause }: { children: string }) {
  return words.causes.inWords(cause) ?? <span lang="en">{cause}</span>;
}

/** A cause with a full stop, as the timeline has it. */
export function CauseSentence({ children: text }: { children: string }) {
  const translated = text.endsWith('.') ? words.causes.inWords(text.slice(0, -1)) : null;
  return translated === null ? <Cause>{text}</Cause> : `${translated}.`;
}
