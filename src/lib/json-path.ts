/** Keys and indexes that lead to a value in a JSON document; no segments means the whole document. */
export type JsonPath = { ok: true; segments: string[] } | { ok: false; fault: string };

/** One segment: an index or a JSON string in brackets, or a dot and a name. */
const STEP = /\.?\[(?:(\d+)|("(?:[^"\\]|\\.)*"))\]|\.([^.[\]]+)/y;

/**
 * Parses a path such as `data.items.0.name` (contract 17.9): names separated by dots, numbers for array entries, `["a.b"]` for a key
 * that contains a dot. A leading `$` is the document, and `[0]` equals `.0`. The fault is a predicate.
 */
export function parseJsonPath(path: string): JsonPath {
  const isRooted = /^\$(?=[.[]|$)/.test(path);
  const steps = isRooted ? path.slice(1) : path.startsWith('[') ? path : `.${path}`;
  const offset = path.length - steps.length;
  const segments: string[] = [];
  for (let at = 0; at < steps.length;) {
    STEP.lastIndex = at;
    const step = STEP.exec(steps);
    const segment = step === null ? null : segmentOf(step);
    if (step === null || segment === null) return { ok: false, fault: faultAt(at + offset) };
    segments.push(segment);
    at = STEP.lastIndex;
  }
  return { ok: true, segments };
}

function segmentOf([, number, quoted, name]: RegExpExecArray): string | null {
  if (quoted === undefined) return number ?? name ?? null;
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return null;
  }
}

/** @param index position of the segment that can't be parsed, from 0. */
function faultAt(index: number): string {
  return (
    `can't be read from character ${Math.max(index, 0) + 1} on: write names and numbers divided by dots, ` +
    'such as data.items.0.name, and ["a.b"] for a key that holds a dot'
  );
}

/** A value of an object or a list: its name or index, and where in the text it stands. */
interface JsonMember {
  name: string;
  start: number;
  end: number;
}

/**
 * Finds the values at these paths as a document writes them, in one pass; undefined where there is none. The document was
 * parsed before. Of a name that an object has twice the last value counts, as for `JSON.parse`.
 *
 * @param paths names and indexes, see `parseJsonPath`.
 */
export function sourcesAt(
  document: string,
  paths: readonly (readonly string[])[],
): (string | undefined)[] {
  const found: (string | undefined)[] = paths.map(() => undefined);
  const start = skipSpace(document, 0);
  visit({ name: '', start, end: endOfValue(document, start) }, 0, [...paths.keys()]);
  return found;

  /** @param wanted indexes of the paths that lead to this value or into it. */
  function visit({ start: from, end }: JsonMember, depth: number, wanted: readonly number[]): void {
    for (const index of wanted) {
      found[index] = paths[index]!.length === depth ? document.slice(from, end) : undefined;
    }
    const further = wanted.filter((index) => paths[index]!.length > depth);
    const isList = document[from] === '[';
    if (further.length === 0 || (!isList && document[from] !== '{')) return;
    const names = Map.groupBy(further, (index) => nameIn(isList, paths[index]![depth]!));
    for (const member of membersAt(document, from)) {
      const into = names.get(member.name);
      if (into !== undefined) visit(member, depth + 1, into);
    }
  }
}

function nameIn(isList: boolean, segment: string): string {
  return isList && /^\d+$/.test(segment) ? String(Number(segment)) : segment;
}

export function* membersAt(document: string, open: number): Generator<JsonMember> {
  const isList = document[open] === '[';
  let at = skipSpace(document, open + 1);
  for (let index = 0; document[at] !== ']' && document[at] !== '}'; index++) {
    let name = String(index);
    if (!isList) {
      const nameEnd = endOfText(document, at);
      name = textOf(document, at, nameEnd);
      at = skipSpace(document, skipSpace(document, nameEnd) + 1);
    }
    const end = endOfValue(document, at);
    yield { name, start: at, end };
    at = skipSpace(document, end);
    if (document[at] === ',') at = skipSpace(document, at + 1);
  }
}

function textOf(document: string, start: number, end: number): string {
  const inner = document.slice(start + 1, end - 1);
  return inner.includes('\\') ? (JSON.parse(document.slice(start, end)) as string) : inner;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function endOfValue(document: string, start: number): number {
  let level = 0;
  let at = start;
  do {
    const code = document.charCodeAt(at);
    if (code === QUOTE) at = endOfText(document, at);
    else if (isOpening(code)) {
      level += 1;
      at += 1;
    } else if (isClosing(code)) {
      level -= 1;
      at += 1;
    } else if (level > 0) at += 1;
    else at = endOfScalar(document, at);
  } while (level > 0);
  return at;
}

function isOpening(code: number): boolean {
  return code === 0x5b || code === 0x7b;
}

function isClosing(code: number): boolean {
  return code === 0x5d || code === 0x7d;
}

function endOfScalar(document: string, start: number): number {
  let at = start;
  while (at < document.length && !/[\s,\]}]/.test(document[at]!)) at += 1;
  return at;
}

function endOfText(document: string, start: number): number {
  for (let at = start + 1; at < document.length; at += 1) {
    const code = document.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at += 1;
  }
  return document.length;
}

function skipSpace(document: string, start: number): number {
  let at = start;
  while (document.charCodeAt(at) <= 0x20) at += 1;
  return at;
}
