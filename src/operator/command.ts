import type { SourceSettings } from '../configuration/discover/open-source.ts';
import type { Authenticator } from '../identity/authenticate.ts';
import type { Plans } from '../identity/plans.ts';
import type { createLocalConfiguration } from '../resources/configuration/local.ts';
import type { Clock } from '../lib/clock.ts';
import type { Database } from '../store/database/contract.ts';

/** A command that can't be done; the message says why, and what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Context of database commands: the running server's, or one opened by the command line. */
export interface OperatorContext {
  database: Database;
  /** Migrations that ran when the database was opened for this command; empty in a server. */
  migrated: readonly string[];
  /** Migrations of newer releases that this program works with. */
  newer: readonly string[];
  clock: Clock;
  forget: Authenticator['forget'];
  plans: Plans;
  /** Keys of SECRET_KEY, or the generated key. The first encrypts. */
  keys: () => Promise<readonly string[]>;
  /** Public URL of this installation, without a trailing slash. */
  baseUrl: () => string;
  /** Version of this program, such as `0.1.0`. */
  version: string;
  /** Null when the command line has opened the database itself, or without the role api. */
  configuration: LocalConfiguration | null;
}

/** Plans, applies and exports the configuration sets of a team, for the operator. */
export type LocalConfiguration = ReturnType<typeof createLocalConfiguration>;

export interface CommandInput {
  positionals: readonly string[];
  options: Readonly<Record<string, string | boolean | undefined>>;
  /** Value of `--password` or `--password-stdin`. */
  password: string | null;
  /** Content of a request to the server, of commands that the command line makes of others. */
  input?: unknown;
}

/** Output of a command. Both methods resolve when more can be written. */
export interface Output {
  /** Writes result text as is, including line ends, to standard output. */
  out(text: string): Promise<void>;
  /** Writes a line of additional information to standard error. */
  note(line: string): Promise<void>;
}

export interface Command {
  /** One or two words. */
  name: string;
  /** Arguments, such as `EMAIL [--name NAME]`: what stands in square brackets may be left out, `…` stands for more. */
  usage: string;
  /** Line in the overview of commands. */
  summary: string;
  /** Further lines of the help, at most 100 characters each. */
  details: readonly string[];
  /** Where the usage does not say it. */
  positionals?: { least: number; most: number };
  /** Options that are not in the usage, by name: with a value, or a flag. */
  options?: Readonly<Record<string, 'text' | 'flag'>>;
  required?: readonly string[];
  /** Options of which exactly one is required. */
  requiredOne?: readonly [string, string];
}

/** Command that works on the open database, in the server or in the command line. */
export interface DatabaseCommand extends Command {
  /** @throws CommandError */
  run(context: OperatorContext, given: CommandInput, output: Output): Promise<void>;
}

export interface LocalContext {
  dataDir: string;
  /** Null for SQLite in `dataDir`. */
  databaseUrl: string | null;
  /** Keys of SECRET_KEY; empty for the key generated in `dataDir`. */
  secretKeys: readonly string[];
  allowMissingKeys: boolean;
  /** Regions of the installation: codes, and the versions of their keys. */
  regions: readonly { code: string; keyVersion: number }[];
  clock: Pick<Clock, 'now' | 'monotonic' | 'after' | 'clear'>;
  randomBytes: (size: number) => Buffer;
}

/** Command that works on files, in the process of the command line. */
export interface LocalCommand extends Command {
  /** @throws CommandError */
  run(context: LocalContext, given: CommandInput, output: Output): Promise<void>;
}

/** Settings and terminal of a command about configuration files, which needs no database. */
export interface ConfigurationContext {
  /** Settings of the installation. @throws CommandError when they are invalid. */
  settings: () => Promise<LocalContext>;
  environment: Readonly<Record<string, string | undefined>>;
  now: () => number;
  /** Whether a person reads the output and answers questions. */
  isInteractive: boolean;
  hasColors: boolean;
  ask(question: string): Promise<string>;
  /** How discovery reaches its sources. @throws CommandError when the settings are invalid. */
  sources: () => Promise<SourceSettings>;
  clock: LocalContext['clock'];
  /** Resolves when somebody ends the command. */
  interrupted(): Promise<void>;
}

/** Command that compares configuration files with a running server, here or elsewhere. */
export interface ConfigurationCommand extends Command {
  /** @returns the exit code. @throws CommandError */
  run(context: ConfigurationContext, given: CommandInput, output: Output): Promise<number>;
}

/**
 * Exit codes: success; refused or failed; a plan or drift that is not empty; invalid arguments (EX_USAGE of sysexits.h).
 */
export const EXIT = { done: 0, refused: 1, differs: 2, invalid: 64 } as const;

/** Roles that the operator can give. Not owner: a team has one, who transfers it in the dashboard. */
export const ASSIGNABLE_ROLES = ['admin', 'editor', 'viewer'];

/** Age of the oldest incidents in an export. */
export const EXPORTED_INCIDENT_DAYS = 90;

/** Value of a text option; null when it is not given. */
export function textOption(given: CommandInput, name: string): string | null {
  const value = given.options[name];
  return typeof value === 'string' ? value : null;
}

/**
 * Formats rows under their headings, in columns as wide as their longest cell.
 *
 * @returns text with line ends.
 */
export function formatTable(heads: readonly string[], rows: readonly (readonly string[])[]) {
  const all = [heads, ...rows];
  const widths = heads.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const lines = all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
  return lines.map((line) => `${line}\n`).join('');
}
