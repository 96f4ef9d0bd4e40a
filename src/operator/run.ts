import { once } from 'node:events';
import { rename, rm, open } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { keyIdOf } from '../lib/secret-box.ts';
import { isUnavailable } from '../store/database/errors.ts';
import { helpOf, parseCommandLine, usageOf, type ParsedCommandLine } from './command-line.ts';
import {
  CommandError,
  EXIT,
  textOption,
  type Command,
  type CommandInput,
  type ConfigurationContext,
  type LocalContext,
  type OperatorContext,
  type Output,
} from './command.ts';
import { DATABASE_COMMANDS, LOCAL_COMMANDS, runDatabaseCommand } from './commands.ts';
import { CONFIGURATION_COMMANDS } from './configuration/commands.ts';
import { DATABASE_FILE, exists, requireNewFile, SOCKET_FILE, lockFolder } from './files.ts';
import {
  encodeLine,
  linesOf,
  type CommandEnd,
  type OperatorRequest,
  type OperatorAnswer,
} from './protocol.ts';

/** All commands, in the order of the help. */
export const COMMANDS = [...CONFIGURATION_COMMANDS, ...DATABASE_COMMANDS, ...LOCAL_COMMANDS];

export interface Terminal extends ConfigurationContext {
  version: string;
  /** Opens the configured database, which migrates it to this version. */
  openDatabase(): Promise<{ context: OperatorContext; close(): Promise<void> }>;
  /** Write to standard output and standard error; resolve when more can be written. */
  write(text: string): Promise<void>;
  writeError(line: string): Promise<void>;
  readInput(): Promise<string>;
}

/**
 * Runs a command line.
 *
 * @param args arguments after `tocsin`.
 * @returns the process's exit code.
 */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  const parsed = parseCommandLine(args, COMMANDS);
  switch (parsed.kind) {
    case 'version':
      await terminal.write(`Tocsin ${terminal.version}\n`);
      return EXIT.done;
    case 'help':
      await terminal.write(helpOf(parsed.commands));
      return EXIT.done;
    case 'invalid': {
      const { message, command } = parsed;
      const hint =
        command === null ? '"npm run tocsin -- help" lists all commands.' : usageOf(command);
      await terminal.writeError(`${message}\n${hint}`);
      return EXIT.invalid;
    }
    case 'run':
      return runCommand(args, parsed, terminal);
  }
}

/** A command that runs: its request as a server gets it, and where its output goes. */
interface Run {
  request: OperatorRequest;
  settings: LocalContext;
  terminal: Terminal;
  output: Output;
}

async function runCommand(
  args: readonly string[],
  { command, given, readsPassword }: Extract<ParsedCommandLine, { kind: 'run' }>,
  terminal: Terminal,
): Promise<number> {
  try {
    const output: Output = { out: terminal.write, note: terminal.writeError };
    const ofFiles = CONFIGURATION_COMMANDS.find(({ name }) => name === command.name);
    if (ofFiles !== undefined) return await ofFiles.run(terminal, given, output);
    const settings = await terminal.settings();
    const password = readsPassword ? await readPassword(terminal) : null;
    const request = { args: argumentsOf(args, command, given, settings), password };
    const run = { request, settings, terminal, output };
    const local = LOCAL_COMMANDS.find(({ name }) => name === command.name);
    if (local !== undefined) await local.run(settings, given, output);
    else if (command.name === 'export') await runExport(given, run);
    else await runOnDatabase(run);
    return EXIT.done;
  } catch (error) {
    await terminal.writeError(sentenceOf(error));
    return EXIT.refused;
  }
}

/** Adds the id of the first key here, so that a server with another SECRET_KEY refuses to rotate. */
function argumentsOf(
  args: readonly string[],
  command: Command,
  given: CommandInput,
  { secretKeys }: LocalContext,
): string[] {
  if (command.name !== 'secrets rotate' || textOption(given, 'key') !== null) return [...args];
  const [first] = secretKeys;
  return first === undefined ? [...args] : [...args, '--key', keyIdOf(first)];
}

/** Writes the export to the caller's own file; only its content comes from the server. */
async function runExport(given: CommandInput, run: Run): Promise<void> {
  const { settings, terminal } = run;
  const request = { args: ['export'], password: null };
  const [name] = given.positionals;
  if (name === undefined) return runOnDatabase({ ...run, request });
  const file = path.resolve(name);
  await requireNewFile(file, given);
  const draft = `${file}.${settings.randomBytes(6).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    const out = async (text: string) => void (await handle.write(text));
    await runOnDatabase({ ...run, request, output: { out, note: terminal.writeError } });
    await handle.sync();
    await rename(draft, file);
  } finally {
    await handle.close();
    await rm(draft, { force: true });
  }
  await terminal.write(`Exported to ${file}.\n`);
}

/** Runs a database command in the running server, or in this process without one. @throws unless it is done. */
async function runOnDatabase(run: Run): Promise<void> {
  const { dataDir, databaseUrl } = run.settings;
  const answered = databaseUrl === null ? await askServer(dataDir, run.request, run.output) : null;
  const end = answered ?? (await runInThisProcess(run));
  if (end.end === 'refused') throw new CommandError(end.message);
  if (end.end === 'failed') throw new Error(end.message);
}

/** Opens the database in this process. On SQLite the lock prevents a server from starting meanwhile. */
async function runInThisProcess(run: Run): Promise<CommandEnd> {
  const { request, terminal } = run;
  const { dataDir, databaseUrl } = run.settings;
  if (databaseUrl !== null) return openAndRun(run);
  const isThere = await exists(path.join(dataDir, DATABASE_FILE));
  if (!isThere && request.args[0] !== 'migrate') {
    throw new CommandError(
      `There is no database in ${dataDir}. Set DATA_DIR to the server's folder, or create a new one with "migrate".`,
    );
  }
  const lock = lockFolder(
    dataDir,
    `${dataDir} is in use by another command, or by a server that is starting or does not respond. ` +
      'Try again in a moment; if this persists, see the log of the server.',
  );
  try {
    await terminal.writeError(`No server runs on ${dataDir}: its database is opened here.`);
    const { finishRestore } = await import('./restore.ts');
    await finishRestore(dataDir);
    return await openAndRun(run);
  } finally {
    lock.release();
  }
}

async function openAndRun({ request, terminal, output }: Run): Promise<CommandEnd> {
  const { context, close } = await terminal.openDatabase();
  try {
    return await runDatabaseCommand(context, request, output);
  } finally {
    await close();
  }
}

/** Reads a password, without the line end that `echo` or an editor appends. */
async function readPassword(terminal: Terminal): Promise<string> {
  const password = (await terminal.readInput()).replace(/\r?\n$/, '');
  if (password === '') throw new CommandError('Standard input holds no password.');
  return password;
}

/** Errors of others whose message says all there is to say, by name or, of Postgres, by code. */
const EXPECTED_ERRORS = new Set([
  'CommandError',
  'DataFolderError',
  'NewerDatabaseError',
  'MoveRunningError',
  'PlansFileError',
  '28P01',
  '28000',
  '3D000',
]);

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return `It failed: ${String(error)}`;
  const { code = '', name, message } = error as NodeJS.ErrnoException;
  const isForPeople =
    isUnavailable(error) || EXPECTED_ERRORS.has(name) || EXPECTED_ERRORS.has(code);
  return isForPeople ? message : `It failed: ${message}`;
}

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
