import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { CommandError, type Output } from './command.ts';
import { SOCKET_FILE } from './files.ts';
import {
  encodeLine,
  linesOf,
  type CommandEnd,
  type OperatorAnswer,
  type OperatorRequest,
} from './protocol.ts';

/** Error codes that mean no server listens; a socket path that is too long cannot have one either. */
const NO_SERVER_ERRORS = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTDIR', 'ENAMETOOLONG', 'EINVAL']);

/**
 * Runs a command in the server that uses the folder.
 *
 * @returns the outcome; null when no server runs.
 * @throws CommandError when this user may not connect to the server, or the server stops before it answers.
 */
export async function askServer(
  dataDir: string,
  request: OperatorRequest,
  output: Output,
): Promise<CommandEnd | null> {
  const file = path.join(dataDir, SOCKET_FILE);
  const socket = await connectTo(file);
  if (socket === null) return null;
  try {
    socket.write(encodeLine(request));
    for await (const line of linesOf(socket)) {
      const answer = JSON.parse(line) as OperatorAnswer;
      if ('end' in answer) return answer;
      if ('out' in answer) await output.out(answer.out);
      else await output.note(answer.note);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
  } finally {
    socket.destroy();
  }
  throw new CommandError(
    'The server stopped before it answered: check whether the command took effect, and try again once it runs.',
  );
}

async function connectTo(file: string): Promise<Socket | null> {
  let socket: Socket;
  try {
    // A path that is too long throws at once.
    socket = connect(file);
    await once(socket, 'connect');
    return socket;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (NO_SERVER_ERRORS.has(code)) return null;
    const advice = 'run this as the user that runs the server';
    throw new CommandError(`The running server can't be asked by ${file} (${message}): ${advice}.`);
  }
}
