import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from './certificate-maker.ts';

/** A local site with scripted pages. */
export interface Site {
  readonly port: number;
  url(path?: string, host?: string): string;
  /** Makes the path answer 200 with that body; `{name}` in it is the request's header of that name. */
  show(path: string, body: string, options?: PageOptions): void;
  /** Uses another certificate for new connections. */
  renew(certificate: Certificate): void;
  close(): Promise<void>;
}

export interface PageOptions {
  type?: string;
  /** Credentials for digest authentication (RFC 7616) with SHA-256; other requests get the same body with 401. */
  only?: { username: string; password: string };
}

const HOST = '127.0.0.1';
const REALM = 'site';
const NONCE = 'a nonce';

/** Over HTTPS when it has a certificate. */
export async function startSite(certificate?: Certificate): Promise<Site> {
  const pages = new Map<string, PageOptions & { body: string }>();
  const answer: RequestListener = (request, response) => {
    const page = pages.get(request.url ?? '');
    if (page === undefined) return void response.writeHead(404).end();
    const { authorization = null } = request.headers;
    if (page.only !== undefined && !isRight(authorization, request.method ?? '', page.only)) {
      const challenge = `Digest realm="${REALM}", nonce="${NONCE}", qop="auth", algorithm=SHA-256`;
      response.writeHead(401, { 'www-authenticate': challenge });
    } else response.writeHead(200, { 'content-type': page.type ?? 'text/html' });
    response.end(page.body.replaceAll(/\{([\w-]+)\}/g, (_, name) => `${request.headers[name]}`));
  };
  const secure = certificate && createSecureServer(keyPair(certificate), answer);
  const server = secure ?? createServer(answer);
  server.listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: (path = '/', host = HOST) => `http${secure ? 's' : ''}://${host}:${port}${path}`,
    show: (path, body, options = {}) => void pages.set(path, { ...options, body }),
    renew: (next) => secure?.setSecureContext(keyPair(next)),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const keyPair = ({ pem, keyPem }: Certificate) => ({ cert: pem, key: keyPem });

function isRight(
  authorization: string | null,
  method: string,
  { username, password }: { username: string; password: string },
): boolean {
  const read = (name: string): string =>
    new RegExp(`[ ,]${name}="?([^",]*)`).exec(authorization ?? '')?.[1] ?? '';
  const middle = [read('nonce'), read('nc'), read('cnonce'), read('qop')];
  const secret = hash(username, REALM, password);
  return read('response') === hash(secret, ...middle, hash(method, read('uri')));
}

const hash = (...parts: string[]): string =>
  createHash('sha256').update(parts.join(':')).digest('hex');
