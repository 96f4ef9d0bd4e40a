import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorAnswer } from '../errors.ts';
import { refusalHeaders } from './headers.ts';
import type { Site } from './site.ts';

/** A request for a public document. */
export interface PublicCall {
  site: Site;
  request: IncomingMessage;
  response: ServerResponse;
  /** Client address. */
  address: string;
  requestId: string;
}

/** Sends answers to requests for public documents. */
export interface Answers {
  /** @param headers alternating names and values. */
  send(call: PublicCall, status: number, headers: string[], body?: Buffer): void;
  /** A page that is shown in place of the document. */
  page(call: PublicCall, status: number, html: string): void;
  text(call: PublicCall, status: number, text: string): void;
  /** An SVG image, which pages of other sites show. */
  badge(call: PublicCall, status: number, svg: string): void;
  /** An error, as of the API. @param more further headers. */
  problem(call: PublicCall, why: unknown, more?: readonly string[]): void;
  redirect(call: PublicCall, location: string): void;
  /** Closes connections with their next answer. */
  drain(): void;
}

export function createAnswers(baseUrl: () => string): Answers {
  let isClosing = false;

  function send(call: PublicCall, status: number, headers: string[], body?: Buffer): void {
    headers.push('x-request-id', call.requestId);
    if (body !== undefined) headers.push('content-length', String(body.length));
    if (isClosing) headers.push('connection', 'close');
    call.response.writeHead(status, headers);
    // Node omits the body for HEAD.
    call.response.end(body);
  }

  return {
    send,
    page(call, status, html) {
      const headers = refusalHeaders(baseUrl(), 'page');
      send(
        call,
        status,
        [...headers, 'content-type', 'text/html; charset=utf-8'],
        Buffer.from(html),
      );
    },
    text(call, status, text) {
      const headers = refusalHeaders(baseUrl(), 'data');
      const type = ['content-type', 'text/plain; charset=utf-8'];
      send(call, status, [...headers, ...type], Buffer.from(text));
    },
    badge(call, status, svg) {
      const headers = refusalHeaders(baseUrl(), 'image');
      send(
        call,
        status,
        [...headers, 'content-type', 'image/svg+xml; charset=utf-8'],
        Buffer.from(svg),
      );
    },
    problem(call, why, more = []) {
      const { status, headers, body } = errorAnswer(why, call.requestId);
      const all = [
        ...refusalHeaders(baseUrl(), 'data'),
        ...Object.entries(headers).flat(),
        ...more,
      ];
      all.push('content-type', 'application/json; charset=utf-8');
      send(call, status, all, Buffer.from(JSON.stringify(body)));
    },
    redirect(call, location) {
      send(call, 301, [...refusalHeaders(baseUrl(), 'data'), 'location', location]);
    },
    drain() {
      isClosing = true;
    },
  };
}
