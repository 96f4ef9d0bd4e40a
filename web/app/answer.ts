import { useCallback, useRef, useState } from 'react';
import type { ApiError } from './client.ts';

/** What came of a request that a person sent, such as a test: nothing before the first, and while one is under way. */
interface Answer<Data> {
  isPending?: boolean;
  data?: Data;
  error?: ApiError;
}

/** Sends a request each time that a person asks; the answer to the latest counts. `send` stays the same while `ask` does. */
export function useAnswer<Input extends unknown[], Data>(ask: (...input: Input) => Promise<Data>) {
  const [answer, setAnswer] = useState<Answer<Data>>({});
  const latest = useRef(0);
  const send = useCallback(
    async (...input: Input) => {
      const number = ++latest.current;
      const show = (came: Answer<Data>) => number === latest.current && setAnswer(came);
      show({ isPending: true });
      try {
        show({ data: await ask(...input) });
      } catch (error) {
        show({ error: error as ApiError });
      }
    },
    [ask],
  );
  return { ...answer, isPending: answer.isPending ?? false, send };
}
