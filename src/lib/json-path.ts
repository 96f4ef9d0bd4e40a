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
