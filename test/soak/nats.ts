import { sleep, systemClock } from '../../src/lib/clock.ts';
import { startNats } from '../support/nats-server.ts';

/** A NATS server that can be killed, and comes back on its port. */
export interface RestartedNats {
  url: string;
  /** Kills it, and starts it again after that time. */
  restart(afterMs: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts it at that address. @throws if there is none to start. */
export async function startRestartedNats(folder: string, host: string): Promise<RestartedNats> {
  const start = async (port: number) => {
    const started = await startNats(folder, { port, host });
    if ('missing' in started) throw new Error(`NATS could not be started: ${started.missing}`);
    return started;
  };
  let server = await start(0);
  const { url, port } = server;
  return {
    url,
    async restart(afterMs) {
      await server.stop('SIGKILL');
      await sleep(systemClock, afterMs);
      server = await start(port);
    },
    stop: () => server.stop(),
  };
}
