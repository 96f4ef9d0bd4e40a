/** A seeded random number generator: the same seed gives the same numbers on every machine. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** An integer between both ends, inclusive. */
  integer(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(values: readonly T[]): T;
  /** One of the keys, with a probability proportional to its weight. */
  weighted<T extends string>(weights: Record<T, number>): T;
  /** `count` distinct values, in their original order. */
  sample<T>(values: readonly T[], count: number): T[];
  /** An integer with a log-uniform distribution, such as the duration of an outage. */
  skewed(from: number, to: number): number;
  /** An independent generator, so that draws for one purpose never shift those for another. */
  fork(purpose: string): Random;
}

export function createRandom(seed: number | string): Random {
  const next = sfc32(hash(String(seed)));
  const random: Random = {
    next,
    integer: (from, to) => from + Math.floor(next() * (to - from + 1)),
    chance: (probability) => next() < probability,
    pick: (values) => values[Math.floor(next() * values.length)]!,
    weighted: (weights) => weighted(weights, next()),
    sample: (values, count) => sample(values, count, next),
    skewed: (from, to) => Math.round(from * (to / from) ** next()),
    fork: (purpose) => createRandom(`${seed}/${purpose}`),
  };
  return random;
}

/** A number in [0, 1) that depends on the arguments alone. */
export function fixedRandom(...words: (string | number)[]): number {
  return sfc32(hash(words.join('/')))();
}

function weighted<T extends string>(weights: Record<T, number>, drawn: number): T {
  const entries = Object.entries(weights) as [T, number][];
  let left = drawn * entries.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [name, weight] of entries) {
    left -= weight;
    if (left < 0) return name;
  }
  return entries[0]![0];
}

function sample<T>(values: readonly T[], count: number, next: () => number): T[] {
  const left = values.map((_, index) => index);
  const chosen = new Set<number>();
  while (chosen.size < Math.min(count, values.length)) {
    chosen.add(left.splice(Math.floor(next() * left.length), 1)[0]!);
  }
  return values.filter((_, index) => chosen.has(index));
}

/** Chris Doty-Humphrey's Small Fast Counter of PractRand, 32 bit; the first rounds mix the seed and are thrown away. */
function sfc32([a, b, c]: [number, number, number]): () => number {
  let counter = 1;
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let round = 0; round < 12; round += 1) next();
  return next;
}

/** Three FNV-1a hashes with different offsets, which keeps neighboring seeds apart. */
function hash(text: string): [number, number, number] {
  const from = (offset: number) => {
    let value = offset;
    for (let index = 0; index < text.length; index += 1) {
      value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
    }
    return value;
  };
  return [from(0x811c9dc5), from(0x9e3779b9), from(0x85ebca6b)];
}
