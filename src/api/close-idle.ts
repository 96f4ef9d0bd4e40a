import type { Server } from 'node:http';

const LOOK_EVERY_MS = 50;

/**
 * Closes each connection of a server that is closing as soon as its answer is sent. Node closes those that are idle at the
 * start, and would wait for the others as long as they are kept alive.
 */
export function closeIdleConnections(server: Server): void {
  if (!server.listening) return;
  server.closeIdleConnections();
  const timer = setInterval(() => server.closeIdleConnections(), LOOK_EVERY_MS);
  server.once('close', () => clearInterval(timer));
}
