/** What a run has opened so far, to be closed whether it ends well or not. */
export interface Opened {
  /** Adds something that was opened. @returns it. */
  use<One>(one: One, close: (one: One) => Promise<void>): One;
  /** Closes the last one first, and each of them even if others fail. @throws the first error. */
  close(): Promise<void>;
}

export function createOpened(): Opened {
  const cleanups: (() => Promise<void>)[] = [];
  return {
    use(one, close) {
      cleanups.push(() => close(one));
      return one;
    },
    async close() {
      const errors: unknown[] = [];
      for (const cleanup of cleanups.splice(0).toReversed()) {
        await cleanup().catch((error: unknown) => void errors.push(error));
      }
      if (errors.length > 0) throw errors[0];
    },
  };
}
