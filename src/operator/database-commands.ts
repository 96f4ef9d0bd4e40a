import { isUnavailable } from '../store/database/errors.ts';
import { findCommand, parseCommandLine } from './command-line.ts';
import { CommandError, type OperatorContext, type Output } from './command.ts';
import { DATABASE_COMMANDS } from './commands.ts';
import type { CommandEnd, OperatorRequest } from './protocol.ts';

/**
 * Runs the command of a request; never rejects.
 *
 * @param onFault receives unexpected errors, to log their stack.
 */
export async function runDatabaseCommand(
  context: OperatorContext,
  { args, password }: OperatorRequest,
  output: Output,
  onFault: (error: unknown) => void = () => {},
): Promise<CommandEnd> {
  const parsed = parseCommandLine(args, DATABASE_COMMANDS);
  const command = findCommand(args, DATABASE_COMMANDS);
  if (parsed.kind !== 'run' || command === null) {
    const message = `The running server, Tocsin ${context.version}, does not know this command. Use the command line of that version, or restart the server.`;
    return { end: 'refused', message };
  }
  const given = { ...parsed.given, password: password ?? parsed.given.password };
  try {
    await command.run(context, given, output);
    return { end: 'done' };
  } catch (error) {
    if (error instanceof CommandError || isUnavailable(error)) {
      return { end: 'refused', message: error.message };
    }
    onFault(error);
    return { end: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}
