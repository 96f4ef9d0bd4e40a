import { parseArgs } from 'node:util';
import type { Command, Given } from './command.ts';

/** What the words behind `tocsin` ask for. */
export type Wish =
  | { kind: 'version' }
  /** Of one command, or null for the list of them all. */
  | { kind: 'help'; command: Command | null }
  | { kind: 'run'; command: Command; given: Given; readsPassword: boolean }
  /** What is wrong, in a sentence, and of which command the usage is to be shown. */
  | { kind: 'wrong'; message: string; command: Command | null };

/** @param args the words as the shell divided them. */
export function readCommandLine(args: readonly string[], commands: readonly Command[]): Wish {
  const [first, ...rest] = args;
  if (first === undefined || first === '--help' || first === '-h') {
    return { kind: 'help', command: null };
  }
  if (first === '--version') return { kind: 'version' };
  if (first === 'help') return readHelp(rest, commands);
  const command = findCommand(args, commands);
  if (command === null) {
    const words = args.slice(0, 2).filter((word) => !word.startsWith('-'));
    return { kind: 'wrong', message: unknownCommand(words, commands), command: null };
  }
  const words = args.slice(command.name.split(' ').length);
  if (words.includes('--help') || words.includes('-h')) return { kind: 'help', command };
  return readWords(words, command);
}

/** The command whose name the words begin with. */
export function findCommand<Kind extends Command>(
  args: readonly string[],
  commands: readonly Kind[],
): Kind | null {
  return (
    commands.find(({ name }) => name.split(' ').every((word, index) => args[index] === word)) ??
    null
  );
}

function readHelp(words: readonly string[], commands: readonly Command[]): Wish {
  if (words.length === 0) return { kind: 'help', command: null };
  const command = findCommand(words, commands);
  if (command !== null) return { kind: 'help', command };
  return { kind: 'wrong', message: unknownCommand(words, commands), command: null };
}

function unknownCommand(words: readonly string[], commands: readonly Command[]): string {
  const family = commands.filter(({ name }) => name.startsWith(`${words[0]} `));
  if (family.length === 0) return `There is no command "${words.join(' ')}".`;
  const names = family.map(({ name }) => name).join(', ');
  return `"${words.join(' ')}" is no command. Those of ${words[0]}: ${names}.`;
}

function readWords(words: readonly string[], command: Command): Wish {
  const wrong = (message: string): Wish => ({ kind: 'wrong', message, command });
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, kind]) => [
      name,
      { type: kind === 'text' ? 'string' : 'boolean' } as const,
    ]),
  );
  let parsed;
  try {
    parsed = parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  } catch (error) {
    return wrong(asSentence((error as Error).message));
  }
  const { values, positionals } = parsed;
  const { least, most } = command.positionals;
  if (positionals.length < least) {
    return wrong(`${command.usage.split(' ')[positionals.length]} is missing.`);
  }
  if (positionals.length > most) return wrong(`"${positionals[most]}" is one word too many.`);
  const missing = command.required?.find((name) => (values[name] ?? '') === '');
  if (missing !== undefined) return wrong(`--${missing} is missing.`);
  const { password = null, 'password-stdin': stdin = false, ...others } = values;
  if (password !== null && stdin === true) {
    return wrong('--password and --password-stdin: give one of the two.');
  }
  const given = {
    positionals,
    options: others as Given['options'],
    password: password as string | null,
  };
  return { kind: 'run', command, given, readsPassword: stdin === true };
}

/** Node's own words, up to the hints for programmers. */
function asSentence(message: string): string {
  const [first = message] = message.split(/\. To |\n/, 1);
  return first.endsWith('.') ? first : `${first}.`;
}

/** `tocsin user create EMAIL …`, as it is typed. */
export function usageOf({ name, usage }: Command): string {
  return `Usage: npm run tocsin -- ${name} ${usage}`.trimEnd();
}

export function helpOf(command: Command): string {
  const { summary, details } = command;
  return `${[summary, '', usageOf(command), ...(details.length > 0 ? ['', ...details] : [])].join('\n')}\n`;
}

export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    'What operators do with an installation of Tocsin, whether or not it runs.',
    '',
    'Usage: npm run tocsin -- COMMAND …',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    '"help COMMAND" tells more of one. --version shows which Tocsin this is.',
    'The settings are those of the server: give it the same DATA_DIR, or the same DATABASE_URL and SECRET_KEY.',
    '"npm run --silent tocsin -- …" leaves the lines of npm out.',
    '',
  ].join('\n');
}
