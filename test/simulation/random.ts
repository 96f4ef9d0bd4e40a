/** Random numbers that a seed decides for ever: the same seed gives the same world on every machine. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** A whole number, both ends included. */
  integer(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(values: readonly T[]): T;
  /** One of the keys, each as likely as its weight. */
  weighted<T extends string>(weights: Record<T, number>): T;
  /** That many different values, in their order. */
  sample<T>(values: readonly T[], count: number): T[];
  /** Whole numbers that are mostly near `from`, and sometimes far: durations of outages and the like. */
  skewed(from: number, to: number): number;
  /** A stream of its own, so that what is drawn for one purpose never shifts what is drawn for another. */
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

/** A number in [0, 1) that depends on the words alone, whenever and however often it is asked for. */
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

/** Three words of FNV-1a from different offsets: enough to keep neighbouring seeds apart. */
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
