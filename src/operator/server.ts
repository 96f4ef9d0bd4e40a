import { chmodSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import type { Log } from '../lib/log.ts';
import type { OperatorContext, Output } from './command.ts';
import { SOCKET_FILE } from './files.ts';
import { runOn } from './database-commands.ts';
import {
  REQUEST_BYTES,
  SOCKET_PATH_BYTES,
  encodeLine,
  readRequest,
  type CommandEnd,
  type OperatorAnswer,
} from './protocol.ts';

/** A caller that has not said what it wants by then is hung up on. */
const REQUEST_MS = 5_000;
/** Commands that are at work when the server ends have so long to be done. */
const LAST_COMMANDS_MS = 1_000;

/** What the operator's command line talks to while the server runs. */
export interface OperatorSocket {
  /** Takes no new commands, and waits a moment for those at work. */
  close(): Promise<void>;
}

/**
 * Listens on `operator.sock` in the data folder, for its owner alone. For whoever holds the folder's lock: a socket
 * that is there was left by a process that is gone.
 *
 * @returns null where no socket can be, which the log tells; the command line then works only while no server runs.
 */
export async function openOperatorSocket(
  deps: { context: OperatorContext; log: Log },
  dataDir: string,
): Promise<OperatorSocket | null> {
  const { context, log } = deps;
  const file = path.join(dataDir, SOCKET_FILE);
  const without = (reason: string) => {
    const told = `The command line can't reach this server: ${file} ${reason}. Stop the server to use it.`;
    log.warn({}, told);
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
  server.on('error', (error) => log.warn({ error }, 'The socket of the command line failed.'));

  return {
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const late = context.clock.after(LAST_COMMANDS_MS, () => hangUp(open.keys()));
      await Promise.all(open.values());
      context.clock.clear(late);
      await closed;
    },
  };
}

/** Nobody else ever sees it open: the mask holds for the very call that makes the file. */
function listenPrivately(server: Server, file: string): Promise<void> {
  const mask = process.umask(0o177);
  try {
    const listening = new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(file, () => {
        server.off('error', reject);
        // Some file systems take no notice of the mask.
        chmodSync(file, 0o600);
        resolve();
      });
    });
    return listening;
  } finally {
    process.umask(mask);
  }
}

function hangUp(sockets: Iterable<Socket>): void {
  for (const socket of sockets) socket.destroy();
}

/** Never rejects: whatever a caller does is their own trouble. */
async function serve(socket: Socket, deps: { context: OperatorContext; log: Log }): Promise<void> {
  // What goes wrong with the connection ends it, which writes and reads notice.
  socket.on('error', () => {});
  const ended = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  const line = await firstLine(socket);
  if (line !== null) {
    const end = await answer(line, socket, deps);
    socket.end(encodeLine(end));
  }
  await ended;
}

/** Null when the caller goes, says nothing for too long, or too much. */
function firstLine(socket: Socket): Promise<string | null> {
  return new Promise((resolve) => {
    let read = Buffer.alloc(0);
    const settle = (line: string | null) => {
      socket.setTimeout(0);
      socket.removeAllListeners('data');
      // What else comes is thrown away; that the caller goes is noticed.
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

async function answer(
  line: string,
  socket: Socket,
  { context, log }: { context: OperatorContext; log: Log },
): Promise<CommandEnd> {
  const request = readRequest(line);
  if (request === null)
    return { end: 'refused', message: 'This is no request of the command line.' };
  const send = (message: OperatorAnswer) => write(socket, encodeLine(message));
  const output: Output = { out: (out) => send({ out }), note: (note) => send({ note }) };
  // Only the name: what follows may be secret.
  const command = nameOnly(request.args.slice(0, 2).join(' '));
  const end = await runOn(context, request, output, (error) =>
    log.error({ command, error }, 'A command of the operator failed.'),
  );
  log.info({ command, end: end.end }, 'The operator gave a command.');
  return end;
}

function nameOnly(words: string): string {
  return /^[a-z]+( [a-z-]+)?/.exec(words)?.[0] ?? '';
}

/** Answers when the connection can take more. Throws when it is gone. */
function write(socket: Socket, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const gone = () => reject(new Error('The caller hung up.'));
    if (socket.destroyed) return gone();
    if (socket.write(text)) return resolve();
    const settle = (call: () => void) => () => {
      socket.off('drain', onDrain);
      socket.off('close', onClose);
      call();
    };
    const onDrain = settle(resolve);
    const onClose = settle(gone);
    socket.once('drain', onDrain);
    socket.once('close', onClose);
  });
}
