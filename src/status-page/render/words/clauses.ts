import type { Formats } from './formats.ts';
import type { Problems } from './words.ts';

type Who = readonly string[] | number;

const isNobody = (who: Who) => (typeof who === 'number' ? who === 0 : who.length === 0);

/** Number of services, of names or a count. */
export function countOf(who: Who): number {
  return typeof who === 'number' ? who : who.length;
}

/** Writes services by their names, or how many they are. */
export function named(formats: Formats, counted: (count: number) => string): (who: Who) => string {
  return (who) => (typeof who === 'number' ? counted(who) : formats.list(who));
}

/**
 * Sentence of a clause about what is down and one about what is degraded.
 *
 * @param marks comma between the clauses and full stop of the language
 */
export function clausesOf(
  down: (who: Who) => string,
  degraded: (who: Who) => string,
  marks: { between: string; end: string } = { between: ', ', end: '.' },
): (problems: Problems) => string {
  return (problems) => {
    const clauses = [
      ...(isNobody(problems.down) ? [] : [down(problems.down)]),
      ...(isNobody(problems.degraded) ? [] : [degraded(problems.degraded)]),
    ];
    return `${clauses.join(marks.between)}${marks.end}`;
  };
}

/** Writes whose status a page shows. A name such as `Acme status` says it already. */
export function statusOf(write: (name: string) => string): (name: string) => string {
  return (name) => (SAYS_STATUS.test(name) ? name : write(name));
}

// `\b` knows letters of ASCII only.
const SAYS_STATUS = /\bstat(us|ut)\b|\bestado\b|(?<!\p{L})état(?!\p{L})|ステータス|状況/iu;
