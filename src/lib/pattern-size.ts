/**
 * Approximate number of instructions that an RE2 pattern compiles to, with counted repetitions expanded: `(ab){3}` is
 * as large as `ababab`, and nested repetitions multiply. Works on invalid patterns too.
 */
export function patternSize(pattern: string): number {
  const groups: Group[] = [{ before: 0, last: 0 }];
  for (const [token] of pattern.matchAll(TOKEN)) {
    const group = groups.at(-1)!;
    const repeat = REPEAT.exec(token);
    if (repeat !== null) {
      const [, min = '0', max] = repeat;
      group.last *= Math.max(1, Number(min), Number(max || 0));
    } else if (token === '(') groups.push({ before: 0, last: 0 });
    else if (token === ')' && groups.length > 1) append(groups.at(-2)!, sizeOf(groups.pop()!) + 1);
    else append(group, token.startsWith('\\Q') ? token.length : 1);
  }
  return groups.reduce((sum, group) => sum + sizeOf(group), 0);
}

/** A unit that a repetition applies to (quoted text, an escape, a class, any character), or a repetition. */
const TOKEN = /\\Q.*?(?:\\E|$)|\\.|\[\]?(?:\\.|[^\]\\])*\]|\{\d*(?:,\d*)?\}|[^]/gs;
const REPEAT = /^\{(\d+)(?:,(\d*))?\}$/;

interface Group {
  before: number;
  /** Size of the last token, which a repetition multiplies. */
  last: number;
}

function append(group: Group, size: number): void {
  group.before += group.last;
  group.last = size;
}

const sizeOf = ({ before, last }: Group) => before + last;
