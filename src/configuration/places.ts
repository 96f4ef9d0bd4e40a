import { listed } from '../lib/text.ts';
import type { ConfigurationDocument } from './document.ts';

/** Items of one error that it names. */
const MAX_NAMED = 3;

/** A place in a file; line and column are counted from 1. */
export interface Place {
  file: string;
  line: number;
  column: number;
}

/** What is wrong at a place, and what to do, as a sentence. */
export interface ConfigurationError extends Place {
  message: string;
}

/** Errors in the order of their places, file by file as these come first. */
export function inOrder(errors: readonly ConfigurationError[]): ConfigurationError[] {
  const files = Map.groupBy(errors, ({ file }) => file);
  return [...files.values()].flatMap((ofFile) =>
    ofFile.toSorted((a, b) => a.line - b.line || a.column - b.column),
  );
}

/**
 * What a server refused of a document, by names such as `monitors.3.url`, at the places of its files. `others` have no
 * place; `items` are those with an error, such as `monitors website`.
 */
export function placed(
  refused: Readonly<Record<string, readonly string[]>>,
  { document, placeOf }: { document: ConfigurationDocument; placeOf(path: string): Place | null },
) {
  // A preset brings one error to many items.
  const found = new Map<string, ConfigurationError & { of: string[]; isShared: boolean }>();
  const others: string[] = [];
  const items = new Set<string>();
  for (const [name, messages] of Object.entries(refused)) {
    const path = name.replace(/^document\./, '');
    const place = placeOf(path);
    const [section = '', index = '', ...fields] = path.split('.');
    const ofSection = (document as unknown as Record<string, { key: string }[]>)[section];
    const key = Array.isArray(ofSection) ? ofSection[Number(index)]?.key : undefined;
    const item = key === undefined ? null : `${section} ${key}`;
    if (item !== null) items.add(item);
    for (const message of messages) {
      if (place === null) {
        others.push(message);
        continue;
      }
      // With the key of the item in place of its number in the document.
      const isNamed = item !== null && message.startsWith(`${name} `);
      const subject = fields.length === 0 ? item : fields.join('.');
      const sentence = isNamed ? `${subject}${message.slice(name.length)}` : message;
      const error = { ...place, message: sentence };
      const id = JSON.stringify(error);
      const entry = found.get(id) ?? { ...error, of: [], isShared: false };
      found.set(id, entry);
      if (item === null) continue;
      const home = placeOf(`${section}.${index}`)!;
      entry.isShared ||= home.file !== place.file || home.line > place.line;
      entry.of.push(item);
    }
  }
  const errors = [...found.values()].map(({ of, isShared, message, ...place }) => ({
    ...place,
    message:
      of.length > 1 || isShared
        ? `${message.replace(/\.$/, '')} (${listed(of, MAX_NAMED)}).`
        : message,
  }));
  return { errors: inOrder(errors), others, items: [...items] };
}
