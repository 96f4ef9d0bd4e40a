import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpClient } from '../../src/net/http-client.ts';
import type { HttpClient } from '../../src/net/http-client.ts';
import { systemClock } from '../../src/lib/clock.ts';

/** A request to a provider. */
export interface ProviderRequest {
  method: string;
  /** The full URL that the channel requested. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  bytes: Buffer;
}

export type ProviderAnswer =
  | { status: number; headers?: Record<string, string>; body?: string }
  /** Handles the server's side of a connection. */
  | ((response: ServerResponse) => void);

/** A local server in place of a provider, and a client that reaches it under every host name. */
export interface Provider {
  requests: ProviderRequest[];
  http: HttpClient;
  origin: string;
  /** The next responses in order; after those, 200 with `{}`. */
  answer(...answers: ProviderAnswer[]): void;
  close(): Promise<void>;
}

export async function startProvider(): Promise<Provider> {
  const requests: ProviderRequest[] = [];
  const answers: ProviderAnswer[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { 'x-asked-url': asked, host: _host, ...headers } = request.headers;
      const bytes = Buffer.concat(chunks);
      const url = typeof asked === 'string' ? asked : `${origin}${request.url}`;
      requests.push({ method: request.method!, url, headers, body: bytes.toString(), bytes });
      const answer = answers.shift() ?? { status: 200, body: '{}' };
      if (typeof answer === 'function') return answer(response);
      response.writeHead(answer.status, { 'Content-Type': 'application/json', ...answer.headers });
      response.end(answer.body ?? '{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const direct = createHttpClient({
    resolver: {
      resolve: () => Promise.reject(new Error('No name is looked up here.')),
    } as never,
    guard: { evaluate: () => ({ allowed: true }) } as never,
    clock: systemClock,
  });
  return {
    requests,
    origin,
    http: {
      request(request) {
        const { pathname, search } = new URL(request.url);
        const headers = { ...request.headers, 'X-Asked-Url': request.url };
        return direct.request({ ...request, url: `${origin}${pathname}${search}`, headers });
      },
    },
    answer: (...more) => void answers.push(...more),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
