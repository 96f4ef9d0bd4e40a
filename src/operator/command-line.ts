import { parseArgs } from 'node:util';
import type { Command, CommandInput } from './command.ts';

export type ParsedCommandLine =
  | { kind: 'version' }
  /** Help of one command, or an overview of several. */
  | { kind: 'help'; commands: readonly Command[] }
  | { kind: 'run'; command: Command; given: CommandInput; readsPassword: boolean }
  /** Mistake, and the command whose usage to show. */
  | { kind: 'invalid'; message: string; command: Command | null };

export function parseCommandLine(
  args: readonly string[],
  commands: readonly Command[],
): ParsedCommandLine {
  const [first, ...rest] = args;
  if (first === undefined || first === '--help' || first === '-h') {
    return { kind: 'help', commands };
  }
  if (first === '--version') return { kind: 'version' };
  if (first === 'help') return parseHelp(rest, commands);
  const command = findCommand(args, commands);
  if (command === null) {
    const words = args.slice(0, 2).filter((word) => !word.startsWith('-'));
    return { kind: 'invalid', message: unknownCommand(words, commands), command: null };
  }
  const words = args.slice(command.name.split(' ').length);
  if (words.includes('--help') || words.includes('-h'))
    return { kind: 'help', commands: [command] };
  return parseArguments(words, command);
}

/** Finds the command whose name the arguments start with. */
export function findCommand<Kind extends Command>(
  args: readonly string[],
  commands: readonly Kind[],
): Kind | null {
  return (
    commands.find(({ name }) => name.split(' ').every((word, index) => args[index] === word)) ??
    null
  );
}

function parseHelp(words: readonly string[], commands: readonly Command[]): ParsedCommandLine {
  if (words.length === 0) return { kind: 'help', commands };
  const command = findCommand(words, commands);
  if (command !== null) return { kind: 'help', commands: [command] };
  const family = words.length === 1 ? familyOf(words, commands) : [];
  if (family.length > 0) return { kind: 'help', commands: family };
  return { kind: 'invalid', message: unknownCommand(words, commands), command: null };
}

/** Commands of two words whose first one is given. */
function familyOf([first]: readonly string[], commands: readonly Command[]): readonly Command[] {
  return commands.filter(({ name }) => name.startsWith(`${first} `));
}

function unknownCommand(words: readonly string[], commands: readonly Command[]): string {
  const family = familyOf(words, commands);
  if (family.length === 0) return `Unknown command "${words.join(' ')}".`;
  const names = family.map(({ name }) => name).join(', ');
  return `Unknown command "${words.join(' ')}". Use one of ${names}.`;
}

/** An option in a usage line, with the word for its value. */
const OPTION = /--([a-z-]+)( [A-Z]+)?/g;

/** Most words where a usage line says that there may be more. */
const MOST_WORDS = 1_000;

/** What a command takes, by its usage line and what is declared beside it. */
export function takenBy({ usage, positionals, options }: Command) {
  const named = [...usage.matchAll(OPTION)].map(
    ([, name = '', value]) => [name, value === undefined ? 'flag' : 'text'] as const,
  );
  const words = usage.replaceAll(OPTION, '').match(/[[(]?[A-Z]+…?/g) ?? [];
  const least = words.filter((word) => /^[A-Z]/.test(word)).length;
  const most = usage.includes('…') ? MOST_WORDS : words.length;
  return {
    positionals: positionals ?? { least, most },
    options: { ...Object.fromEntries(named), ...options },
  };
}

function parseArguments(words: readonly string[], command: Command): ParsedCommandLine {
  const invalid = (message: string): ParsedCommandLine => ({ kind: 'invalid', message, command });
  const taken = takenBy(command);
  const options = Object.fromEntries(
    Object.entries(taken.options).map(([name, kind]) => [
      name,
      { type: kind === 'text' ? 'string' : 'boolean' } as const,
    ]),
  );
  let parsed;
  try {
    parsed = parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  } catch (error) {
    return invalid(sentenceOf((error as Error).message));
  }
  const { values, positionals } = parsed;
  const { least, most } = taken.positionals;
  if (positionals.length < least) {
    return invalid(`${command.usage.split(' ')[positionals.length]} is missing.`);
  }
  if (positionals.length > most) return invalid(`Unexpected argument "${positionals[most]}".`);
  const missing = command.required?.find((name) => (values[name] ?? '') === '');
  if (missing !== undefined) return invalid(`--${missing} is missing.`);
  const { requiredOne } = command;
  if (requiredOne !== undefined) {
    const [one, other] = requiredOne;
    const given = requiredOne.filter((name) => (values[name] ?? '') !== '');
    if (given.length !== 1) return invalid(`Give either --${one} or --${other}.`);
  }
  const { password = null, 'password-stdin': stdin = false, ...others } = values;
  if (password !== null && stdin === true) {
    return invalid('Give either --password or --password-stdin, not both.');
  }
  const given = {
    positionals,
    options: others as CommandInput['options'],
    password: password as string | null,
  };
  return { kind: 'run', command, given, readsPassword: stdin === true };
}

/** First sentence of an error of `parseArgs`, without its hints for programmers. */
function sentenceOf(message: string): string {
  const [first = message] = message.split(/\. To |\n/, 1);
  return first.endsWith('.') ? first : `${first}.`;
}

/** Usage line, such as `Usage: npm run tocsin -- user create EMAIL …`. */
export function usageOf({ name, usage }: Command): string {
  return `Usage: npm run tocsin -- ${name} ${usage}`.trimEnd();
}

export function helpOf(commands: readonly Command[]): string {
  const [command, another] = commands;
  if (command === undefined || another !== undefined) return overview(commands);
  const { summary, details } = command;
  return `${[summary, '', usageOf(command), ...(details.length > 0 ? ['', ...details] : [])].join('\n')}\n`;
}

function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    'Manages an installation of Tocsin, whether or not the server runs.',
    '',
    'Usage: npm run tocsin -- COMMAND …',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    '"help COMMAND" describes a command. --version prints the version of Tocsin.',
    'Exit codes: 0 done, 1 refused or failed, 2 a plan or drift that is not empty, 64 invalid arguments.',
    'The settings are those of the server: use the same DATA_DIR, or the same DATABASE_URL and SECRET_KEY.',
    '"npm run --silent tocsin -- …" omits the output of npm.',
    '',
  ].join('\n');
}
