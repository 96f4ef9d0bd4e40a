import { afterEach } from 'vitest';

type Closable = { close(): unknown } | (() => unknown);

/** A list whose entries are closed after each test, the latest first. */
export function closedAfterEach<One extends Closable>(): One[] {
  const open: One[] = [];
  afterEach(async () => {
    for (const one of open.splice(0).toReversed())
      await (typeof one === 'function' ? one() : one.close());
  });
  return open;
}
