import { chmodSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import type { Log } from '../lib/log.ts';
import type { OperatorContext, Output } from './command.ts';
import { SOCKET_FILE } from './files.ts';
import { runDatabaseCommand } from './commands.ts';
import {
  REQUEST_BYTES,
  SOCKET_PATH_BYTES,
  encodeLine,
  readRequest,
  type CommandEnd,
  type OperatorAnswer,
} from './protocol.ts';

/** Time limit for a client to send its request. */
const REQUEST_MS = 5_000;
/** Time limit for running commands when the server stops. */
const LAST_COMMANDS_MS = 1_000;

/**
 * Listens on `operator.sock` in the data folder, accessible to its owner only. The caller holds the folder's lock, so an
 * existing socket was left by a dead process.
 *
 * @returns null when the socket can't be created, which is logged; the command line then works only without a server.
 */
export async function openOperatorSocket(
  deps: { context: OperatorContext; log: Log },
  dataDir: string,
) {
  const { context, log } = deps;
  const file = path.join(dataDir, SOCKET_FILE);
  const without = (reason: string) => {
    // Log: The command line can't reach this server. Stop the server to use it.
    log.warn({ file, reason }, 'The socket of the command line could not be opened.');
    return null;
  };
  if (Buffer.byteLength(file) > SOCKET_PATH_BYTES) {
    return without(`is longer than the ${SOCKET_PATH_BYTES} bytes that a socket's path may have`);
  }
  const open = new Map<Socket, Promise<void>>();
  const server = createServer((socket) => {
    open.set(
      socket,
      serve(socket, deps).finally(() => open.delete(socket)),
    );
  });
  try {
    await rm(file, { force: true });
    await listenPrivately(server, file);
  } catch (error) {
    return without(`could not be listened on (${(error as Error).message})`);
  }
  // Log: Restart the server to use the command line.
  server.on('error', (error) => log.warn({ error }, 'The socket of the command line failed.'));

  return {
    /** Accepts no new commands and waits briefly for running ones. */
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const late = context.clock.after(LAST_COMMANDS_MS, () => closeAll(open.keys()));
      await Promise.all(open.values());
      context.clock.clear(late);
      await closed;
    },
  };
}

/** Creates the socket under a restrictive umask, so that it is never accessible to others. */
function listenPrivately(server: Server, file: string): Promise<void> {
  const mask = process.umask(0o177);
  try {
    const listening = new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(file, () => {
        server.off('error', reject);
        // Some file systems ignore the umask.
        chmodSync(file, 0o600);
        resolve();
      });
    });
    return listening;
  } finally {
    process.umask(mask);
  }
}

function closeAll(sockets: Iterable<Socket>): void {
  for (const socket of sockets) socket.destroy();
}

/** Serves one connection; never rejects. */
async function serve(socket: Socket, deps: { context: OperatorContext; log: Log }): Promise<void> {
  // An error closes the connection, which reads and writes handle.
  socket.on('error', () => {});
  const ended = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  const line = await firstLine(socket);
  if (line !== null) {
    const end = await answerRequest(line, socket, deps);
    socket.end(encodeLine(end));
  }
  await ended;
}

/** First line of the request; null when the client disconnects, is too slow, or sends too much. */
function firstLine(socket: Socket): Promise<string | null> {
  return new Promise((resolve) => {
    let read = Buffer.alloc(0);
    const settle = (line: string | null) => {
      socket.setTimeout(0);
      socket.removeAllListeners('data');
      // Discards further input, and keeps noticing when the client disconnects.
      socket.resume();
      if (line === null) socket.destroy();
      resolve(line);
    };
    socket.setTimeout(REQUEST_MS, () => settle(null));
    socket.once('close', () => resolve(null));
    socket.on('data', (chunk) => {
      read = Buffer.concat([read, chunk]);
      const end = read.indexOf(10);
      if (end >= 0 && end <= REQUEST_BYTES) settle(read.subarray(0, end).toString('utf8'));
      else if (read.length > REQUEST_BYTES) settle(null);
    });
  });
}

async function answerRequest(
  line: string,
  socket: Socket,
  { context, log }: { context: OperatorContext; log: Log },
): Promise<CommandEnd> {
  const request = readRequest(line);
  if (request === null) return { end: 'refused', message: 'The request is invalid.' };
  const send = (message: OperatorAnswer) => write(socket, encodeLine(message));
  const output: Output = { out: (out) => send({ out }), note: (note) => send({ note }) };
  // Only the name is logged: arguments may be secret.
  const command = commandName(request.args.slice(0, 2).join(' '));
  const end = await runDatabaseCommand(context, request, output, (error) =>
    // Log: The command changed nothing.
    log.error({ command, error }, 'A command of the operator failed.'),
  );
  // Log: Its arguments are not logged.
  log.info({ command, end: end.end }, 'The operator ran a command.');
  return end;
}

function commandName(words: string): string {
  return /^[a-z]+( [a-z-]+)?/.exec(words)?.[0] ?? '';
}

/** Writes to the connection; resolves when the text was handed over, rejects when the connection is closed. */
function write(socket: Socket, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(text, (error) => {
      if (error || socket.destroyed) reject(new Error('The client disconnected.'));
      else resolve();
    });
  });
}
