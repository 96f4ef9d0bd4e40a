import { readFileSync } from 'node:fs';
import { connect, createServer as createPlainServer } from 'node:net';
import type { Socket } from 'node:net';
import { createServer } from 'node:tls';
import type { TlsOptions, TLSSocket } from 'node:tls';
import { listen, pem as supportPem } from '../support/fault-servers.ts';
import type { FaultServer, OnConnection } from '../support/fault-servers.ts';
import type { Start } from './row.ts';

export function pem(name: string): string {
  return readFileSync(new URL(`certificates/${name}.pem`, import.meta.url), 'utf8');
}

/** Key and certificate, from this folder of certificates or else the shared one. */
export const OWN = (name: string, key = 'server-key') => ({ key: pem(key), cert: pem(name) });
export const COMMON = (name: string) => ({ key: supportPem('server-key'), cert: supportPem(name) });

/** Authorities that the matrix trusts. */
export const AUTHORITIES = [pem('authority'), supportPem('authority')];

export function tlsServer(options: TlsOptions, onConnection: OnConnection): Start {
  return () => startTls(options, onConnection);
}

function startTls(options: TlsOptions, onConnection: OnConnection): Promise<FaultServer> {
  const server = createServer(options);
  server.on('tlsClientError', () => undefined);
  return listen(server, 'secureConnection', onConnection, '127.0.0.1');
}

/**
 * A TLS server behind a plain relay, which can do to the connection what a TLS server never would. `onConnection`
 * is called with the relay's side to the client when the request has come.
 */
export function behindRelay(
  options: TlsOptions,
  onRequest: (secure: TLSSocket, plain: Socket) => void,
): Start {
  return async () => {
    const clients = new Map<number, Socket>();
    const inner = await startTls(options, (secure) => {
      secure.once('data', () => {
        const plain = clients.get(secure.remotePort ?? 0);
        if (plain !== undefined) onRequest(secure as TLSSocket, plain);
      });
    });
    const relay = await listen(
      createPlainServer(),
      'connection',
      (plain) => {
        const through = connect(inner.port, '127.0.0.1', () => {
          clients.set(through.localPort ?? 0, plain);
        });
        // At once: `listen` reads what the client sends, whether or not anybody takes it.
        plain.pipe(through);
        through.on('data', (data) => plain.write(data));
        through.on('error', () => undefined);
        // Without the server behind it the relay has nothing to send: don't keep clients waiting.
        through.on('close', () => plain.destroy());
        plain.on('close', () => through.destroy());
      },
      '127.0.0.1',
    );
    return {
      port: relay.port,
      allClosed: () => relay.allClosed(),
      async close() {
        await relay.close();
        await inner.close();
      },
    };
  };
}
