/** Statements in progress at the same time; what is wanted meanwhile waits, and shares the next one. */
const MAX_IN_PROGRESS = 4;

interface Waiting<Wanted, Value> {
  wanted: Wanted;
  answer: PromiseWithResolvers<Value | undefined>;
}

/** Creates reads of single things that are gathered: most of the cost of a small statement is to send it. */
export function createGatheredReads<Wanted, Value>({
  keyOf,
  read,
  maxAtOnce,
}: {
  /** Equal keys that wait at the same time are read once, and get the same value. */
  keyOf: (wanted: Wanted) => string;
  /** Reads all of them; the values are in the order of `wanted`. */
  read: (wanted: readonly Wanted[]) => Promise<readonly (Value | undefined)[]>;
  maxAtOnce: number;
}) {
  const waiting = new Map<string, Waiting<Wanted, Value>>();
  let inProgress = 0;

  function take(): Waiting<Wanted, Value>[] {
    const taken = [...waiting].slice(0, maxAtOnce);
    for (const [key] of taken) waiting.delete(key);
    return taken.map(([, each]) => each);
  }

  async function readWaiting(): Promise<void> {
    inProgress += 1;
    while (waiting.size > 0) {
      const taken = take();
      try {
        const values = await read(taken.map(({ wanted }) => wanted));
        taken.forEach(({ answer }, index) => answer.resolve(values[index]));
      } catch (error) {
        for (const { answer } of taken) answer.reject(error);
      }
    }
    inProgress -= 1;
  }

  return {
    /**
     * Reads one thing, in a statement that begins after the call. Undefined where there is none. Rejects as the statement
     * does.
     */
    of(wanted: Wanted) {
      const key = keyOf(wanted);
      const known = waiting.get(key);
      if (known !== undefined) return known.answer.promise;
      const answer = Promise.withResolvers<Value | undefined>();
      waiting.set(key, { wanted, answer });
      if (inProgress < MAX_IN_PROGRESS) void readWaiting();
      return answer.promise;
    },
  };
}
