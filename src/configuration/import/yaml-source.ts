import { LineCounter, parseAllDocuments, type Document, type YAMLError } from 'yaml';
import { ImportError, type ImportSource } from './importer.ts';
import { objectOf } from './values.ts';

const MAX_CHARACTERS = 10_000_000;
/** Each takes microseconds, blank ones too. */
const MAX_LINES = 500_000;
/** Values of a file, with those that its aliases repeat: a thousand times as many as people write. */
const MAX_VALUES = 2_000_000;

/**
 * Parses YAML of other programs: any number of documents, with merge keys, tags and repeated names, as these programs
 * take them. A ConfigMap of Kubernetes stands for the YAML files in it. Throws an ImportError with the place of a fault.
 *
 * @param expected what to give instead, a sentence.
 */
export function parseYaml({ file, text }: ImportSource, expected: string): unknown[] {
  if (text.length > MAX_CHARACTERS)
    throw new ImportError(
      `${file} has more than 10 MB. Divide it, and import the parts one by one.`,
    );
  if (countLines(text) > MAX_LINES)
    throw new ImportError(
      `${file} has more than ${MAX_LINES} lines. Divide it into several files.`,
    );
  const lines = new LineCounter();
  // Names are not compared, which takes minutes in a large file: the last of two counts.
  const options = {
    lineCounter: lines,
    uniqueKeys: false,
    merge: true,
    prettyErrors: false,
  } as const;
  const documents = parseAllDocuments(text, { ...options, logLevel: 'error' });
  if ('empty' in documents) throw new ImportError(`${file} is empty. ${expected}`);
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  return documents.flatMap((document) => {
    const [fault] = document.errors;
    if (fault !== undefined)
      throw new ImportError(
        `${file} is no YAML here: ${reasonOf(fault)}. ${expected}`,
        place(fault.pos[0]),
      );
    const value = valueOf(document);
    if (value === undefined || countValues(value) > MAX_VALUES) {
      const reason =
        'its aliases (*name) or merge keys (<<) are unknown, contain themselves or repeat too much';
      throw new ImportError(
        `${file} can't be read: ${reason}. ${expected}`,
        place(document.range[0]),
      );
    }
    return unwrapped(value, file, expected);
  });
}

/** Undefined where an alias is unknown, or a merge key names no map. An alias is the very object that it names. */
function valueOf(document: Document.Parsed): unknown {
  try {
    return document.toJS({ maxAliasCount: -1 }) as unknown;
  } catch {
    return undefined;
  }
}

/** The number of values, each alias counted with all that it names; infinite where one contains itself. */
function countValues(value: unknown, known = new Map<object, number>()): number {
  if (typeof value !== 'object' || value === null) return 1;
  const before = known.get(value);
  if (before !== undefined) return before;
  known.set(value, Infinity);
  const count = Object.values(value).reduce<number>(
    (sum, part) => sum + countValues(part, known),
    1,
  );
  known.set(value, count);
  return count;
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function reasonOf({ message }: YAMLError): string {
  if (message.startsWith('Maximum call stack')) return 'it is nested too deep';
  return message.split('\n', 1)[0]!.replace(/[.:]?$/, '');
}

/** The documents in a ConfigMap, in place of it. */
function unwrapped(document: unknown, file: string, expected: string): unknown[] {
  const { kind, data } = objectOf(document);
  if (kind !== 'ConfigMap') return [document];
  return Object.entries(objectOf(data)).flatMap(([name, text]) =>
    typeof text === 'string' && /\.ya?ml$/.test(name) && text.trim() !== ''
      ? parseYaml({ file: `${file}, ${name}`, text, now: 0 }, expected)
      : [],
  );
}
