/** Messages of the API begin with the name of their field. Forms say its label instead, and the rest in their language. */
import { words } from '../words/index.ts';

/** Characters that mean something in a pattern. */
const SPECIAL = /[$()*+.?[\\\]^{|}]/g;

/**
 * A sentence of the API, or what follows the name of a field in one, in the language of the page. What the table does not know
 * stays as it is. Pure.
 *
 * @param table `words.sentences.ofApi`: texts by the English sentence; `{1}` is a part that differs, which the text may leave out
 */
export function apiSentence(sentence: string, table: Readonly<Record<string, string>>): string {
  for (const [known, text] of Object.entries(table)) {
    const pattern = known.replaceAll(SPECIAL, String.raw`\$&`).replaceAll(/\\\{\d\\\}/g, '(.+?)');
    const found = new RegExp(`^${pattern}\\.?$`, 's').exec(sentence);
    if (found !== null)
      return `${text.replaceAll(/\{(\d)\}/g, (_, part: string) => found[Number(part)]!)}.`;
  }
  return sentence;
}

const said = (sentence: string) => apiSentence(sentence, words.sentences.ofApi);

/** A message of a field with the label in place of the field's name, where it has one. Pure. */
export function withLabel(message: string, name: string, label: string): string {
  return message.startsWith(`${name} `)
    ? `${label || name} ${said(message.slice(name.length + 1))}`
    : said(message);
}

/** Errors of the API with the labels that the fields have in a form. Fields that are not shown keep their name. */
export function withLabels(
  errors: Record<string, string[]>,
  form: ParentNode | null,
): Record<string, string[]> {
  if (form === null) return errors;
  return Object.fromEntries(
    Object.entries(errors).map(([name, messages]) => {
      const field = fieldOf(name, form);
      const label = field === null ? '' : labelOf(field);
      return [name, messages.map((message) => withLabel(message, name, label))];
    }),
  );
}

/** Field that shows an error: that of "keywords.0.phrase" may be "keywords". Null where there is none. */
export function fieldOf(name: string, form: ParentNode): HTMLElement | null {
  const parts = name.split('.');
  for (; parts.length > 0; parts.pop()) {
    const field = form.querySelector<HTMLElement>(`[name="${CSS.escape(parts.join('.'))}"]`);
    if (field !== null) return field;
  }
  return null;
}

/** What people call a field: boxes and searches of a list have the name of the whole list. */
function labelOf(field: HTMLElement): string {
  const isPart = field.matches('[type="checkbox"], [type="search"]');
  const legend = isPart ? field.closest('fieldset')?.querySelector('legend') : null;
  const label = legend ?? (field as HTMLInputElement).labels?.[0];
  return field.ariaLabel && !legend ? field.ariaLabel : firstText(label);
}

/** Text of a label without what follows it, such as "(optional)" or a hint. */
function firstText(label: Element | null | undefined): string {
  if (!label) return '';
  return document.createTreeWalker(label, NodeFilter.SHOW_TEXT).nextNode()?.nodeValue ?? '';
}
