import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { helpOf, parseCommandLine, takenBy, usageOf } from './command-line.ts';
import { DATABASE_COMMANDS } from './commands.ts';
import { COMMANDS } from './run.ts';

const read = (line: string) => parseCommandLine(line.split(' ').filter(Boolean), COMMANDS);

describe('help', () => {
  const ALL = COMMANDS.map(({ name }) => name);
  test.each([
    ['', ALL],
    ['--help', ALL],
    ['-h', ALL],
    ['help', ALL],
    ['help user create', ['user create']],
    ['user create --help', ['user create']],
    ['user create a@b.example -h', ['user create']],
    ['help secrets', ['secrets status', 'secrets rotate']],
    ['help probe', ['probe key']],
  ])('%s', (line, names) => {
    expect(read(line)).toMatchObject({ kind: 'help', commands: names.map((name) => ({ name })) });
  });

  test('is what docs/operators.md shows', async () => {
    const page = await readFile(new URL('../../docs/operators.md', import.meta.url), 'utf8');
    const [, shown] = /\$ npm run tocsin -- help\n([^`]*)```/.exec(page)!;
    expect(shown).toBe(helpOf(COMMANDS));
  });
});

test('--version is recognized', () => {
  expect(read('--version')).toEqual({ kind: 'version' });
});

describe('invalid arguments are explained', () => {
  test.each([
    ['user', 'Unknown command "user". Use one of user create, user list,'],
    ['user destroy', 'Unknown command "user destroy".'],
    ['dance', 'Unknown command "dance".'],
    ['help dance', 'Unknown command "dance".'],
    ['user create', 'EMAIL is missing.'],
    ['user create a@b.example c@d.example', 'Unexpected argument "c@d.example".'],
    ['user list --yaml', "Unknown option '--yaml'."],
    ['user create a@b.example --name', "Option '--name <value>' argument missing."],
    ['user list --json=yes', "Option '--json' does not take an argument."],
    ['token create a@b.example --name ci', '--permissions is missing.'],
    [
      'user create a@b.example --password x --password-stdin',
      'Give either --password or --password-stdin, not both.',
    ],
    ['move', 'Give either --to or --to-file.'],
    ['move --to postgres://a/b --to-file c', 'Give either --to or --to-file.'],
  ])('%s', (line, message) => {
    expect(read(line)).toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining(message) as string,
    });
  });
});

test('a command is parsed with its arguments, and the password separately', () => {
  expect(read('user create a@b.example --name Ann --password pass')).toMatchObject({
    kind: 'run',
    command: { name: 'user create' },
    given: { positionals: ['a@b.example'], options: { name: 'Ann' }, password: 'pass' },
    readsPassword: false,
  });
  expect(read('user reset-password a@b.example --password-stdin')).toMatchObject({
    given: { password: null },
    readsPassword: true,
  });
});

test('the list names every command, and each tells how it is used [39.23]', () => {
  const list = helpOf(COMMANDS);
  for (const command of COMMANDS) {
    expect(list).toContain(`  ${command.name} `);
    expect(helpOf([command])).toContain(`Usage: npm run tocsin -- ${command.name}`);
    expect(usageOf(command)).not.toMatch(/\s$/);
    expect(
      helpOf([command])
        .split('\n')
        .filter((line) => line.length > 130),
    ).toEqual([]);
  }
});

test('the help of commands with a password warns of its visibility', () => {
  const commands = DATABASE_COMMANDS.filter((command) => 'password' in takenBy(command).options);
  expect(commands.map(({ name }) => name)).toEqual(['user create', 'user reset-password']);
  for (const command of commands)
    expect(helpOf([command])).toContain('visible in the process list');
});
