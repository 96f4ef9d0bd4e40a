import { isUnavailable } from '../store/database/errors.ts';
import { findCommand, readCommandLine } from './command-line.ts';
import { Refusal, type DatabaseCommand, type OperatorContext, type Output } from './command.ts';
import { exportCommand } from './export.ts';
import { migrateCommand } from './migrate-command.ts';
import type { CommandEnd, OperatorRequest } from './protocol.ts';
import { TEAM_COMMANDS } from './team-commands.ts';
import { TOKEN_COMMANDS } from './token-commands.ts';
import { USER_COMMANDS } from './user-commands.ts';

/** Those that work on the open database, in the server or in the command line's own process. */
export const DATABASE_COMMANDS: readonly DatabaseCommand[] = [
  ...USER_COMMANDS,
  ...TEAM_COMMANDS,
  ...TOKEN_COMMANDS,
  exportCommand,
  migrateCommand,
];

/**
 * Runs what the request asks for, and tells how it ended; never rejects.
 *
 * @param onFault is told of errors that are ours, whose stack is wanted.
 */
export async function runOn(
  context: OperatorContext,
  { args, password }: OperatorRequest,
  output: Output,
  onFault: (error: unknown) => void = () => {},
): Promise<CommandEnd> {
  const wish = readCommandLine(args, DATABASE_COMMANDS);
  const command = findCommand(args, DATABASE_COMMANDS);
  if (wish.kind !== 'run' || command === null) {
    const message = `The running server knows no such command: it is Tocsin ${context.version}. Use the command line of that version, or restart the server.`;
    return { end: 'refused', message };
  }
  const given = { ...wish.given, password: password ?? wish.given.password };
  try {
    await command.run(context, given, output);
    return { end: 'done' };
  } catch (error) {
    if (error instanceof Refusal || isUnavailable(error)) {
      return { end: 'refused', message: error.message };
    }
    onFault(error);
    return { end: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}
