import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum number of unanswered requests per connection. Clients and proxies send one at a time. */
const MAX_UNANSWERED = 32;
/** Listeners of a connection above which Node suspects a leak. */
const LISTENERS = 16 + 4 * MAX_UNANSWERED;

/**
 * Creates a limit of pipelined requests: returns false for a request that must not be handled, and destroys its
 * connection. Node reads thousands of requests at once, so a few connections could block all others.
 */
export function createPipelineLimit(): (
  request: IncomingMessage,
  response: ServerResponse,
) => boolean {
  const unanswered = new WeakMap<Socket, number>();
  return ({ socket }, response) => {
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
