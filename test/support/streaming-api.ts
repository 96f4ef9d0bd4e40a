import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

/** A local server of an API that lists things and streams events, as Docker and Kubernetes do. */
export interface StreamingApi {
  /** Paths of all requests so far, and their headers. */
  requests: { path: string; headers: http.IncomingHttpHeaders }[];
  /** Answers that are still open, oldest first. */
  streams: ServerResponse[];
  port: number;
  close(): Promise<void>;
}

export interface StreamingApiOptions {
  /** Path of a unix socket; a free port of this machine unless given. */
  socket?: string;
  tls?: https.ServerOptions;
}

/**
 * @param answer what to answer a request: JSON, a status with JSON, `stream` to leave the answer open, or null after it
 * has answered by itself.
 */
export async function startStreamingApi(
  answer: (url: URL, response: ServerResponse, request: IncomingMessage) => unknown,
  { socket, tls }: StreamingApiOptions = {},
): Promise<StreamingApi> {
  const requests: StreamingApi['requests'] = [];
  const streams: ServerResponse[] = [];
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    requests.push({ path: request.url!, headers: request.headers });
    response.on('close', () => {
      const index = streams.indexOf(response);
      if (index >= 0) streams.splice(index, 1);
    });
    const value = answer(new URL(request.url!, 'http://api'), response, request);
    if (value === null) return;
    if (value === 'stream') {
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
      streams.push(response);
      return;
    }
    const { status, body } = value instanceof Answer ? value : new Answer(200, value);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
  const server = tls === undefined ? http.createServer(handle) : https.createServer(tls, handle);
  if (socket === undefined) server.listen(0, '127.0.0.1');
  else server.listen(socket);
  await once(server, 'listening');
  return {
    requests,
    streams,
    port: socket === undefined ? (server.address() as AddressInfo).port : 0,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An answer with a status. A text is sent as it is. */
export class Answer {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    this.status = status;
    this.body = body;
  }
}
