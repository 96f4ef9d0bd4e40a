/** Runs of slow work whose callers may share a result that is not older than their call. */
export type SharedRuns<Value> = ReturnType<typeof createSharedRuns<Value>>;

export function createSharedRuns<Value>() {
  const current = new Map<string, Promise<Value>>();
  const next = new Map<string, Promise<Value>>();

  function start(key: string, work: () => Promise<Value>): Promise<Value> {
    const result = work().finally(() => {
      if (current.get(key) === result) current.delete(key);
    });
    current.set(key, result);
    return result;
  }

  async function startAfter(previous: Promise<Value>, key: string, work: () => Promise<Value>) {
    await previous.catch(() => {});
    next.delete(key);
    return start(key, work);
  }

  return {
    /**
     * Runs the work, one run of a key at a time. A caller that arrives during a run gets the result of the next one, as do
     * all others that arrive before that begins. Rejects as the work does.
     */
    run(key: string, work: () => Promise<Value>) {
      const waiting = next.get(key);
      if (waiting !== undefined) return waiting;
      const previous = current.get(key);
      if (previous === undefined) return start(key, work);
      const result = startAfter(previous, key, work);
      next.set(key, result);
      return result;
    },
  };
}
