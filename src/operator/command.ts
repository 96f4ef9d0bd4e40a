import type { Authenticator } from '../identity/authenticate.ts';
import type { Plans } from '../identity/plans.ts';
import type { Clock } from '../lib/clock.ts';
import type { Database } from '../store/database/contract.ts';

/** What the operator asked for can't be done; the message is a sentence for people that says what to do. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** What commands work on: the database of the running server, or one that the command line opened itself. */
export interface OperatorContext {
  database: Database;
  /** The migrations that ran as it was opened for this command; none in a server, which ran them at its start. */
  migrated: readonly string[];
  clock: Clock;
  forget: Authenticator['forget'];
  plans: Plans;
  /** The public address of this installation, without a slash at its end. */
  baseUrl: () => string;
  /** Of this program, such as `0.1.0`. */
  version: string;
}

/** What a command was given, by the names in its usage. */
export interface Given {
  positionals: readonly string[];
  options: Readonly<Record<string, string | boolean | undefined>>;
  /** Of `--password` or `--password-stdin`. */
  password: string | null;
}

/** Where a command's words go. Both wait until the other side has taken them in. */
export interface Output {
  /** What was asked for; text as it is, with its line ends. */
  out(text: string): Promise<void>;
  /** What people should know beside it; one line. */
  note(line: string): Promise<void>;
}

export interface Command {
  /** One or two words. */
  name: string;
  /** What follows the name, such as `EMAIL [--name NAME]`. */
  usage: string;
  /** One line of the list of commands. */
  summary: string;
  /** What `help` says beside it: lines of at most 100 characters. */
  details: readonly string[];
  /** How many words it takes. */
  positionals: { least: number; most: number };
  /** Those that take a value and those that take none. */
  options: Readonly<Record<string, 'text' | 'flag'>>;
  /** Options that must be there. */
  required?: readonly string[];
}

/** A command that works on the open database, wherever that is. */
export interface DatabaseCommand extends Command {
  /** @throws Refusal */
  run(context: OperatorContext, given: Given, output: Output): Promise<void>;
}

/** What commands work on that have to do with the files of the installation. */
export interface LocalContext {
  dataDir: string;
  /** Null for SQLite in `dataDir`. */
  databaseUrl: string | null;
  /** Of SECRET_KEY; empty for the key generated in `dataDir`. */
  secretKeys: readonly string[];
  clock: Pick<Clock, 'now'>;
  randomBytes: (size: number) => Buffer;
}

/** A command that works on files, in the process of the command line. */
export interface LocalCommand extends Command {
  /** @throws Refusal */
  run(context: LocalContext, given: Given, output: Output): Promise<void>;
}

export const PASSWORD_OPTIONS = { password: 'text', 'password-stdin': 'flag' } as const;

export const PASSWORD_WARNING = [
  'A password after --password shows in the list of processes and in the history of the shell;',
  '--password-stdin reads it from the standard input instead.',
] as const;

/** The text of an option that takes one; null when it was not given. */
export function textOf(given: Given, name: string): string | null {
  const value = given.options[name];
  return typeof value === 'string' ? value : null;
}
