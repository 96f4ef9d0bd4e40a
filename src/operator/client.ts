import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { Refusal, type Output } from './command.ts';
import { SOCKET_FILE } from './files.ts';
import {
  encodeLine,
  linesOf,
  type CommandEnd,
  type OperatorAnswer,
  type OperatorRequest,
} from './protocol.ts';

/** Errors that tell that no server listens there. A path that is too long has none either. */
const NOBODY = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTDIR', 'ENAMETOOLONG', 'EINVAL']);

/**
 * Has the server that runs on the folder do it.
 *
 * @returns how it ended; null when no server can be asked.
 * @throws Refusal when there is one that this user may not ask, or that goes away meanwhile.
 */
export async function askServer(
  dataDir: string,
  request: OperatorRequest,
  output: Output,
): Promise<CommandEnd | null> {
  const file = path.join(dataDir, SOCKET_FILE);
  const socket = await reach(file);
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
  throw new Refusal(
    'The server ended before it had answered: look whether it was done, and try again once it runs.',
  );
}

async function reach(file: string): Promise<Socket | null> {
  let socket: Socket;
  try {
    // One that is too long throws at once.
    socket = connect(file);
    await once(socket, 'connect');
    return socket;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (NOBODY.has(code)) return null;
    const advice = 'run this as the user that runs the server';
    throw new Refusal(`The running server can't be asked by ${file} (${message}): ${advice}.`);
  }
}
