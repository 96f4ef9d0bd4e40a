import { systemClock } from '../lib/clock.ts';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { onPostgres } from '../../test/support/databases.ts';
import { openImpatient } from '../../test/support/locked-rows.ts';
import { operatorContext, runCommand } from '../../test/support/operator.ts';
import { settlePeople } from '../../test/support/people.ts';
import { DatabaseBusy } from '../store/database/errors.ts';
import { EXIT, type LocalContext } from './command.ts';
import { runCommandLine, type Terminal } from './run.ts';

onPostgres(() => {
  test('a command reports a busy database when another session holds its rows', async () => {
    const { database, holdRows, close } = await openImpatient();
    onTestFinished(close);
    const context = operatorContext(database);
    await settlePeople(database, context.clock.now());
    const release = await holdRows('team', sql`true`);
    onTestFinished(release);
    const { end } = await runCommand(context, ['team', 'plan', 'ours', '--default']);
    expect(end).toEqual({
      end: 'refused',
      message: expect.stringMatching(/^The database is busy .*Try again in a moment\.$/) as string,
    });
  });
});

test('a busy database at opening is reported in one clear line', async () => {
  const lines: string[] = [];
  const terminal: Terminal = {
    version: '1.2.3',
    settings: async () => ({ dataDir: '/nowhere', databaseUrl: 'postgres://db/' }) as LocalContext,
    openDatabase: () => Promise.reject(new DatabaseBusy('canceling statement due to lock timeout')),
    write: async () => {},
    writeError: async (line) => void lines.push(line),
    readInput: async () => '',
    environment: {},
    now: () => 0,
    isInteractive: false,
    hasColors: false,
    ask: async () => '',
    sources: () => Promise.reject(new Error('No source is asked for.')),
    clock: systemClock,
    interrupted: async () => {},
  };
  expect(await runCommandLine(['team', 'list'], terminal)).toBe(EXIT.refused);
  expect(lines).toEqual([expect.stringMatching(/^The database is busy /)]);
});
