import { cut, singleLine } from '../../lib/text.ts';

/** A broken thing of a source can have a fault for each of its parts. */
const MAX_SENTENCES = 30;

/** What is said of one thing of a source while it is translated. */
export class Notes {
  readonly #sentences = new Set<string>();
  isChanged = false;

  get sentences(): string[] {
    return [...this.#sentences];
  }

  /** It watches otherwise than before. */
  change(sentence: string): void {
    this.isChanged = true;
    this.remark(sentence);
  }

  remark(sentence: string): void {
    if (this.#sentences.size < MAX_SENTENCES) this.#sentences.add(sentence);
  }
}

/** A thing in the report, such as `monitor 12 "Website"`. @param id as its service shows it; null where it shows none. */
export function thing(what: string, id: string | number | null, name: string | null): string {
  const parts = [
    what,
    id === null ? '' : cut(singleLine(String(id)), 60),
    name ? quoted(name) : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** A text of the source in a sentence. */
export function quoted(text: string): string {
  return `"${cut(withoutUserInfo(singleLine(text)), 80)}"`;
}

/** A text without the credentials of the addresses in it: what has no name is called by its address. */
export function withoutUserInfo(text: string): string {
  return text.replace(/(?<=:\/\/)[^\s/?#]*@/g, '');
}
