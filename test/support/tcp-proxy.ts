import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A way to a server that a test can cut: closed it refuses, frozen it takes everything and answers nothing. */
export interface TcpProxy {
  readonly port: number;
  /** Connections that are open now. */
  readonly open: number;
  /** Cuts what is open, and refuses from now on. */
  close(): Promise<void>;
  /** Takes connections again, on the same port. */
  reopen(): Promise<void>;
  freeze(): void;
  thaw(): void;
}

export async function startProxy(targetPath: string): Promise<TcpProxy> {
  const pairs = new Set<[Socket, Socket]>();
  let frozen = false;
  let server: Server;
  let port = 0;

  const connected = (inner: Socket) => {
    const outer = connect(targetPath);
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
    port = (server.address() as AddressInfo).port;
  };
  await listen();

  return {
    get port() {
      return port;
    },
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
