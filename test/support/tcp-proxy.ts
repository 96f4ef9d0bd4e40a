import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePorts } from './free-ports.ts';

/**
 * A TCP proxy that a test can interrupt: closed, it refuses connections; frozen, it accepts everything and forwards
 * nothing.
 */
export interface TcpProxy {
  readonly port: number;
  /** Number of open connections. */
  readonly open: number;
  /** Closes all connections and refuses new ones. */
  close(): Promise<void>;
  /** Accepts connections again, on the same port. */
  reopen(): Promise<void>;
  freeze(): void;
  thaw(): void;
}

/** @param target path of a socket, or port of this machine. */
export async function startProxy(target: string | number): Promise<TcpProxy> {
  const pairs = new Set<[Socket, Socket]>();
  let frozen = false;
  let server: Server;
  // Not among the ports of clients, one of which could be using it when the proxy reopens.
  const [port] = (await freePorts(1)) as [number];

  const connected = (inner: Socket) => {
    const outer = typeof target === 'number' ? connect(target, '127.0.0.1') : connect(target);
    const pair: [Socket, Socket] = [inner, outer];
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      inner.destroy();
      outer.destroy();
    };
    for (const [from, to] of [pair, pair.toReversed() as [Socket, Socket]]) {
      from.on('data', (data: Buffer) => void (frozen || to.write(data)));
      from.on('error', end).on('close', end);
    }
  };
  const listen = async () => {
    server = createServer(connected).listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen();

  return {
    port,
    get open() {
      return pairs.size;
    },
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      for (const [inner] of pairs) inner.destroy();
      await closed;
    },
    reopen: listen,
    freeze: () => void (frozen = true),
    thaw: () => void (frozen = false),
  };
}
