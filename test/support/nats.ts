import { afterEach, describe } from 'vitest';
import { freshDirectory } from './directories.ts';
import { findNatsServer, startNats, type RunningNats } from './nats-server.ts';

/** A server that is stopped after the test. */
export type StartNats = (options?: Parameters<typeof startNats>[1]) => Promise<RunningNats>;

const found = await findNatsServer();
if ('missing' in found) {
  if (process.env['CI'] === 'true') throw new Error(`NATS is missing: ${found.missing}`);
  console.warn(`SKIPPED: all tests on NATS, as ${found.missing}`);
}

/** Tests with real NATS servers. Without one they are skipped with a message; in CI they fail. */
export function onNats(define: (start: StartNats) => void): void {
  describe.skipIf('missing' in found)('on NATS', () => {
    const cleanups: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
    });
    define(async (options) => {
      const { place, remove } = await freshDirectory();
      cleanups.push(remove);
      const server = await startNats(place, options);
      if ('missing' in server) throw new Error(`NATS is missing: ${server.missing}`);
      cleanups.push(() => server.stop());
      return server;
    });
  });
}
