/**
 * About how many steps a regular expression in RE2 syntax has when its counted repeats are written out, which is what
 * compiling it does: `(ab){3}` has as many as `ababab`, and repeats within repeats multiply. Sound or not, every text
 * has a size.
 */
export function patternSize(pattern: string): number {
  const groups: Group[] = [{ before: 0, last: 0 }];
  for (const [part] of pattern.matchAll(PART)) {
    const group = groups.at(-1)!;
    const repeat = REPEAT.exec(part);
    if (repeat !== null) {
      const [, least = '0', most] = repeat;
      group.last *= Math.max(1, Number(least), Number(most || 0));
    } else if (part === '(') groups.push({ before: 0, last: 0 });
    else if (part === ')' && groups.length > 1) append(groups.at(-2)!, sizeOf(groups.pop()!) + 1);
    else append(group, part.startsWith('\\Q') ? part.length : 1);
  }
  return groups.reduce((sum, group) => sum + sizeOf(group), 0);
}

/** What a repeat may follow: quoted text, an escape, a class, a repeat, or any one character. */
const PART = /\\Q.*?(?:\\E|$)|\\.|\[\]?(?:\\.|[^\]\\])*\]|\{\d*(?:,\d*)?\}|[^]/gs;
const REPEAT = /^\{(\d+)(?:,(\d*))?\}$/;

interface Group {
  before: number;
  /** The size of the last part, which a repeat multiplies. */
  last: number;
}

function append(group: Group, size: number): void {
  group.before += group.last;
  group.last = size;
}

const sizeOf = ({ before, last }: Group) => before + last;
