import { type Server, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { securityHeaders } from './security-headers.ts';

const LOOK_EVERY_MS = 50;
/** Time for requests under way. What a process has to store comes after them, within the 9 seconds that it has. */
const GRACE_MS = 5_000;

/**
 * Lets a server close in time. Node closes connections that are idle at that moment, and waits for all others as long as clients
 * like. Here each is closed after its last answer, at once if nothing was asked on it yet, and after 5 seconds in any case.
 *
 * @returns a function to call before the server closes.
 */
export function createConnectionCloser(server: Server, graceMs = GRACE_MS): () => void {
  /** Connections on which no request has arrived, such as those that browsers open in advance. */
  const silent = new Set<Socket>();
  server.on('connection', (socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  server.on('request', ({ socket }) => silent.delete(socket));

  function closeUnused(): void {
    server.closeIdleConnections();
    for (const socket of silent) socket.destroy();
  }

  return () => {
    if (!server.listening) return;
    closeUnused();
    const looking = setInterval(closeUnused, LOOK_EVERY_MS);
    const ending = setTimeout(() => server.closeAllConnections(), graceMs);
    server.once('close', () => {
      clearInterval(looking);
      clearTimeout(ending);
    });
  };
}

/** Maximum number of unanswered requests per connection. Clients and proxies send one at a time. */
const MAX_UNANSWERED = 32;
/** Listeners of a connection above which Node suspects a leak. */
const LISTENERS = 16 + 4 * MAX_UNANSWERED;

/**
 * Creates a limit of pipelined requests: returns false for a request that must not be handled, and destroys its
 * connection. Node reads thousands of requests at once, so a few connections could block all others.
 */
export function createPipelineLimit() {
  const unanswered = new WeakMap<Socket, number>();
  return ({ socket }: IncomingMessage, response: ServerResponse) => {
    // Requests that arrived before the connection was destroyed are still emitted.
    if (socket.destroyed) return false;
    const before = unanswered.get(socket);
    // Each request and each answer listens for the end of its connection.
    if (before === undefined) socket.setMaxListeners(LISTENERS);
    const waiting = (before ?? 0) + 1;
    if (waiting > MAX_UNANSWERED) {
      socket.destroy();
      return false;
    }
    unanswered.set(socket, waiting);
    response.once('close', () => unanswered.set(socket, unanswered.get(socket)! - 1));
    return true;
  };
}

interface Answering {
  baseUrl: () => string;
  newRequestId: () => string;
}

/** Status and message by the code of Node's error; all others are 400. */
const ANSWERS: Record<string, [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are larger than 16 KiB. Send less.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the body are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time. Send it again.'],
};
const NOT_HTTP: [number, string] = [400, 'The request is not valid HTTP: it could not be read.'];
const NO_HOST: [number, string] = [400, 'The request must have one Host header.'];

/**
 * Creates the handler of requests that Node's parser gives up. They are answered as all others, with a closing
 * connection, since it is not known where the next request would begin.
 */
export function createParserErrorHandler(deps: Answering) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (!socket.writable || error.code === 'ECONNRESET' || hasBegunAnswer(socket)) {
      socket.destroy();
      return;
    }
    const [status, message] = ANSWERS[error.code ?? ''] ?? NOT_HTTP;
    const body = JSON.stringify({ message });
    const lines = Object.entries(headersOf(body, deps)).map(([name, value]) => `${name}: ${value}`);
    const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body];
    socket.end(head.join('\r\n'), () => socket.destroy());
  };
}

/**
 * Creates the check of the Host header: HTTP/1.1 requires one (RFC 9112, section 3.2), and with several a proxy may
 * route by another one than this server reads. Answers the request and returns false when it is refused.
 */
export function createHostCheck(deps: Answering) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const hosts = hostsOf(request);
    if (hosts === 1 || (hosts === 0 && request.httpVersion === '1.0')) return true;
    const [status, message] = NO_HOST;
    const body = JSON.stringify({ message });
    response.writeHead(status, headersOf(body, deps)).end(body);
    return false;
  };
}

function hostsOf({ rawHeaders }: IncomingMessage): number {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}

/** Whether a part of an answer is already sent: another one would be read as its continuation. */
function hasBegunAnswer(socket: Socket): boolean {
  // Node's own field: there is no public name for the answer that a connection is sending.
  const { _httpMessage: answer } = socket as { _httpMessage?: ServerResponse | null };
  return answer?.headersSent ?? false;
}

function headersOf(body: string, { baseUrl, newRequestId }: Answering) {
  return {
    ...securityHeaders(baseUrl()),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-request-id': newRequestId(),
    connection: 'close',
  };
}
