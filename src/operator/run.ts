import { rename, rm, open } from 'node:fs/promises';
import path from 'node:path';
import { isUnavailable } from '../store/database/errors.ts';
import { lockDirectory } from '../store/database/process-lock.ts';
import { backupCommand } from './backup.ts';
import { askServer } from './client.ts';
import { helpOf, overview, readCommandLine, usageOf, type Wish } from './command-line.ts';
import {
  Refusal,
  type Given,
  type LocalCommand,
  type LocalContext,
  type OperatorContext,
  type Output,
} from './command.ts';
import { DATABASE_COMMANDS, runOn } from './database-commands.ts';
import { DATABASE_FILE, exists } from './files.ts';
import { isLocked } from './lock.ts';
import type { CommandEnd, OperatorRequest } from './protocol.ts';
import { finishRestore, restoreCommand } from './restore.ts';

const LOCAL_COMMANDS: readonly LocalCommand[] = [backupCommand, restoreCommand];
const COMMANDS = [...DATABASE_COMMANDS, ...LOCAL_COMMANDS];

/** Done; refused or failed; not understood. */
export const EXIT = { done: 0, refused: 1, wrong: 2 } as const;

/** The world of one command line. */
export interface Terminal {
  version: string;
  /** @throws Refusal when the settings can't be used. */
  settings(): LocalContext;
  /** Opens the database of the settings, which brings it to this version. */
  openDatabase(): Promise<{ context: OperatorContext; close(): Promise<void> }>;
  /** The standard output and the standard error; they answer when more can be taken. */
  write(text: string): Promise<void>;
  complain(line: string): Promise<void>;
  /** All of the standard input. */
  readInput(): Promise<string>;
}

/**
 * Does what the words ask for.
 *
 * @param args the words behind `tocsin`.
 * @returns the process's exit code.
 */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  const wish = readCommandLine(args, COMMANDS);
  switch (wish.kind) {
    case 'version':
      await terminal.write(`Tocsin ${terminal.version}\n`);
      return EXIT.done;
    case 'help':
      await terminal.write(wish.command === null ? overview(COMMANDS) : helpOf(wish.command));
      return EXIT.done;
    case 'wrong': {
      const hint =
        wish.command === null ? '"npm run tocsin -- help" lists all.' : usageOf(wish.command);
      await terminal.complain(`${wish.message}\n${hint}`);
      return EXIT.wrong;
    }
    case 'run':
      return runWish(args, wish, terminal);
  }
}

async function runWish(
  args: readonly string[],
  wish: Extract<Wish, { kind: 'run' }>,
  terminal: Terminal,
): Promise<number> {
  try {
    const settings = terminal.settings();
    const password = wish.readsPassword ? await readPassword(terminal) : null;
    const local = LOCAL_COMMANDS.find(({ name }) => name === wish.command.name);
    const screen: Output = { out: terminal.write, note: terminal.complain };
    if (local !== undefined) await local.run(settings, wish.given, screen);
    else if (wish.command.name === 'export') await runExport(wish.given, settings, terminal);
    else
      throwUnlessDone(await runAnywhere({ args: [...args], password }, settings, terminal, screen));
    return EXIT.done;
  } catch (error) {
    await terminal.complain(sentenceOf(error));
    return EXIT.refused;
  }
}

/** The file is the caller's own: the server is only asked for what is to stand in it. */
async function runExport(given: Given, settings: LocalContext, terminal: Terminal): Promise<void> {
  const request = { args: ['export'], password: null };
  const [name] = given.positionals;
  if (name === undefined) {
    const screen = { out: terminal.write, note: terminal.complain };
    return throwUnlessDone(await runAnywhere(request, settings, terminal, screen));
  }
  const file = path.resolve(name);
  if (given.options['force'] !== true && (await exists(file))) {
    throw new Refusal(`${file} is there already: choose another name, or add --force.`);
  }
  const draft = `${file}.${settings.randomBytes(6).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    const out = async (text: string) => void (await handle.write(text));
    const output = { out, note: terminal.complain };
    throwUnlessDone(await runAnywhere(request, settings, terminal, output));
    await handle.sync();
    await rename(draft, file);
  } finally {
    await handle.close();
    await rm(draft, { force: true });
  }
  await terminal.write(`Exported to ${file}.\n`);
}

/** By the running server where there is one, else here. */
async function runAnywhere(
  request: OperatorRequest,
  settings: LocalContext,
  terminal: Terminal,
  output: Output,
): Promise<CommandEnd> {
  const { dataDir, databaseUrl } = settings;
  if (databaseUrl === null) {
    const answered = await askServer(dataDir, request, output);
    if (answered !== null) return answered;
  }
  return runHere(request, settings, terminal, output);
}

/** On SQLite the lock keeps a server from starting meanwhile: the file has never two writers. */
async function runHere(
  request: OperatorRequest,
  { dataDir, databaseUrl }: LocalContext,
  terminal: Terminal,
  output: Output,
): Promise<CommandEnd> {
  if (databaseUrl !== null) return runOpened(request, terminal, output);
  const isThere = await exists(path.join(dataDir, DATABASE_FILE));
  if (!isThere && request.args[0] !== 'migrate') {
    throw new Refusal(
      `There is no database in ${dataDir}. Set DATA_DIR to the server's folder; "migrate" makes a new one.`,
    );
  }
  const lock = holdFolder(dataDir);
  try {
    await terminal.complain(`No server runs on ${dataDir}: its database is opened here.`);
    await finishRestore(dataDir);
    return await runOpened(request, terminal, output);
  } finally {
    lock.release();
  }
}

async function runOpened(
  request: OperatorRequest,
  terminal: Terminal,
  output: Output,
): Promise<CommandEnd> {
  const { context, close } = await terminal.openDatabase();
  try {
    return await runOn(context, request, output);
  } finally {
    await close();
  }
}

function holdFolder(dataDir: string) {
  try {
    return lockDirectory(dataDir);
  } catch (error) {
    if (!isLocked(error)) throw error;
    throw new Refusal(
      `${dataDir} is in use by a server that can't be asked, or that is just starting, or by another command. ` +
        'Try again in a moment; if it stays so, the log of the server says why.',
    );
  }
}

function throwUnlessDone(end: CommandEnd): void {
  if (end.end === 'refused') throw new Refusal(end.message);
  if (end.end === 'failed') throw new Error(end.message);
}

/** Without the line end that `echo` or an editor puts behind it. */
async function readPassword(terminal: Terminal): Promise<string> {
  const password = (await terminal.readInput()).replace(/\r?\n$/, '');
  if (password === '') throw new Refusal('No password came on the standard input.');
  return password;
}

/** Errors of others whose message says all there is to say, by name or, of Postgres, by code. */
const FOR_PEOPLE = new Set([
  'Refusal',
  'DataFolderError',
  'NewerDatabaseError',
  'PlansFileError',
  '28P01',
  '28000',
  '3D000',
]);

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return `It failed: ${String(error)}`;
  const { code = '', name, message } = error as NodeJS.ErrnoException;
  const isForPeople = isUnavailable(error) || FOR_PEOPLE.has(name) || FOR_PEOPLE.has(code);
  return isForPeople ? message : `It failed: ${message}`;
}
