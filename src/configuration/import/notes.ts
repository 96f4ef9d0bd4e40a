import { cut, singleLine } from '../../lib/text.ts';
import { textOf } from './values.ts';

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
export function thing(what: string, id: unknown, name: unknown): string {
  const [number, text] = [textOf(id), textOf(name)];
  const parts = [what, number ? cut(singleLine(number), 60) : '', text ? quoted(text) : ''];
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

/** What is said of a monitor that was checked from chosen regions. */
export const ANY_REGION =
  'It is checked from all regions: choose them again, as regions belong to an installation.';

/** What is said of a job whose address at the service can't be kept. */
export const NEW_PING_URL = 'Its job must call the new ping URL instead.';

/** What is said of a check of a DNS server. */
export const DNS_PORT_ONLY = 'It only checks whether the DNS server opens its TCP port.';

/** What is said of a check in a protocol that Tocsin lacks. @param protocol such as `SMTP`. */
export const portOnly = (protocol: string) =>
  `It only checks whether its port opens: Tocsin does not speak ${protocol}.`;
