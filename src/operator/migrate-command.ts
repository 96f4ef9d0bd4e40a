import type { DatabaseCommand } from './command.ts';

export const migrateCommand: DatabaseCommand = {
  name: 'migrate',
  usage: '',
  summary: 'Migrate the database to the version of this program.',
  details: [
    'Starting the server does the same; run it separately before several processes start.',
    'Make a backup first: an older version does not open the database of a newer one.',
  ],
  positionals: { least: 0, most: 0 },
  options: {},
  async run({ migrated, version }, _given, output) {
    const state =
      migrated.length === 0
        ? `Nothing to do: the database is at Tocsin ${version}.`
        : `Ran ${migrated.join(', ')}. The database is at Tocsin ${version}.`;
    await output.out(`${state}\n`);
  },
};
