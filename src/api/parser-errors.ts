import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { securityHeaders } from './security-headers.ts';

interface ParserErrorDeps {
  /** BASE_URL without a trailing slash. */
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
export function createParserErrorHandler(deps: ParserErrorDeps) {
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
export function createHostCheck(deps: ParserErrorDeps) {
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
  // As Node itself tells it; there is no public name for the answer that a connection is sending.
  const { _httpMessage: answer } = socket as { _httpMessage?: ServerResponse | null };
  return answer?.headersSent ?? false;
}

function headersOf(body: string, { baseUrl, newRequestId }: ParserErrorDeps) {
  return {
    ...securityHeaders(baseUrl()),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-request-id': newRequestId(),
    connection: 'close',
  };
}
