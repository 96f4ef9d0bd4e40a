import type { ConfigurationDocument } from './document.ts';

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
  const found = new Map<string, ConfigurationError>();
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
      found.set(JSON.stringify(error), error);
    }
  }
  return { errors: inOrder([...found.values()]), others, items: [...items] };
}
