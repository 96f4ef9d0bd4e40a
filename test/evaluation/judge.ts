import { Reference, type Step } from './question.ts';

const MAX_SHOWN = 300;

/** Differences between facts and a value, as sentences with the path; none when the value has all of them. */
export function differences(expected: unknown, actual: unknown, path = 'content'): string[] {
  if (typeof expected === 'function') {
    const judge = expected as (value: unknown) => boolean;
    return judge(actual) ? [] : [`${path} is ${shown(actual)}, which ${judge} does not accept`];
  }
  if (expected instanceof RegExp) {
    const matches = typeof actual === 'string' && expected.test(actual);
    return matches ? [] : [`${path} is ${shown(actual)} and does not match ${expected}`];
  }
  if (Array.isArray(expected)) return missing(expected, actual, path);
  if (typeof expected === 'object' && expected !== null) {
    if (typeof actual !== 'object' || actual === null) {
      return [`${path} is ${shown(actual)} and not ${shown(expected)}`];
    }
    return Object.entries(expected).flatMap(([key, value]) =>
      differences(value, (actual as Record<string, unknown>)[key], `${path}.${key}`),
    );
  }
  return Object.is(expected, actual)
    ? []
    : [`${path} is ${shown(actual)} and not ${shown(expected)}`];
}

function missing(expected: readonly unknown[], actual: unknown, path: string): string[] {
  if (!Array.isArray(actual)) return [`${path} is ${shown(actual)} and no list`];
  return expected
    .filter((one) => !actual.some((other) => differences(one, other).length === 0))
    .map((one) => `${path} has no entry like ${shown(one)}, but ${shown(actual)}`);
}

/** Replaces the references in arguments by values of earlier answers. Throws for one that leads nowhere. */
export function resolved(value: unknown, answers: readonly unknown[]): unknown {
  if (value instanceof Reference) return follow(answers[value.call], value.path);
  if (Array.isArray(value)) return value.map((one) => resolved(one, answers));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, resolved(one, answers)]),
  );
}

function follow(start: unknown, path: readonly Step[]): unknown {
  const end = path.reduce((value, step) => {
    if (typeof step !== 'object') return (value as Record<string, unknown> | undefined)?.[step];
    const list = Array.isArray(value) ? value : [];
    return list.find((one) => differences(step, one).length === 0) as unknown;
  }, start);
  if (end === undefined) throw new Error(`${shown(path)} leads nowhere in ${shown(start)}`);
  return end;
}

function shown(value: unknown): string {
  const text =
    JSON.stringify(value, (_, one: unknown) =>
      one instanceof RegExp || typeof one === 'function' ? String(one) : one,
    ) ?? 'missing';
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
