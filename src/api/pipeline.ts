import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that may wait for their answers. Clients and proxies send one at a time. */
const MOST_UNANSWERED = 32;

/**
 * Whether a request is to be handled. A connection that sends more of them ahead is cut off: Node reads thousands at
 * once, so that few connections could keep all others waiting.
 */
export function createPipelineLimit(): (
  request: IncomingMessage,
  response: ServerResponse,
) => boolean {
  const unanswered = new WeakMap<Socket, number>();
  return ({ socket }, response) => {
    // What had been sent before the cut is still read.
    if (socket.destroyed) return false;
    const waiting = (unanswered.get(socket) ?? 0) + 1;
    if (waiting > MOST_UNANSWERED) {
      socket.destroy();
      return false;
    }
    unanswered.set(socket, waiting);
    response.once('close', () => unanswered.set(socket, unanswered.get(socket)! - 1));
    return true;
  };
}
