import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { makeCertificate } from './certificate-maker.ts';

/** HTTPS in front of an app, for browsers that open it under its public address. */
export interface HttpsFront {
  /** Address of an HTTP proxy that leads every host name to the app. */
  proxy: string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/** Starts both; the app need not listen. */
export async function startHttpsFront(app: FastifyInstance): Promise<HttpsFront> {
  await app.ready();
  const { pem: cert, keyPem: key } = makeCertificate();
  const secure = createSecureServer({ key, cert }, app.routing);
  secure.listen(0, HOST);
  await once(secure, 'listening');
  const { port } = secure.address() as AddressInfo;

  const open = new Set<Socket>();
  const proxy = createServer((_request, response) => response.writeHead(502).end());
  proxy.on('connect', (_request, client: Socket, head: Buffer) => {
    const upstream = connect(port, HOST, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => open.delete(socket));
    }
  });
  proxy.listen(0, HOST);
  await once(proxy, 'listening');

  return {
    proxy: `http://${HOST}:${(proxy.address() as AddressInfo).port}`,
    async close() {
      const closed = [secure, proxy].map((server) => once(server, 'close'));
      for (const server of [secure, proxy]) server.close();
      for (const socket of open) socket.destroy();
      secure.closeAllConnections();
      proxy.closeAllConnections();
      await Promise.all(closed);
    },
  };
}
