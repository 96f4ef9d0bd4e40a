import type { Server } from 'node:http';
import type { Socket } from 'node:net';

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
