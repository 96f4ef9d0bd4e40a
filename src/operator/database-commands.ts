import { isUnavailable } from '../store/database/errors.ts';
import { findCommand, parseCommandLine } from './command-line.ts';
import {
  CommandError,
  type DatabaseCommand,
  type OperatorContext,
  type Output,
} from './command.ts';
import { exportCommand } from './export.ts';
import { migrateCommand } from './migrate-command.ts';
import type { CommandEnd, OperatorRequest } from './protocol.ts';
import { SECRET_COMMANDS } from './secret-commands.ts';
import { setupLink } from './setup-commands.ts';
import { TEAM_COMMANDS } from './team-commands.ts';
import { TOKEN_COMMANDS } from './token-commands.ts';
import { USER_COMMANDS } from './user-commands.ts';

/** Commands that work on the open database, in the server or in the command line's own process. */
export const DATABASE_COMMANDS: readonly DatabaseCommand[] = [
  ...USER_COMMANDS,
  ...TEAM_COMMANDS,
  ...TOKEN_COMMANDS,
  ...SECRET_COMMANDS,
  setupLink,
  exportCommand,
  migrateCommand,
];

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
