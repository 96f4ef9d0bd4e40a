import type { DatabaseCommand } from './command.ts';

export const migrateCommand: DatabaseCommand = {
  name: 'migrate',
  usage: '',
  summary: 'Bring the tables to the version of this program.',
  details: [
    'Starting the server does the same; here it is done apart, such as before several processes start.',
    'Make a backup first: an older version does not open the tables of a newer one.',
  ],
  positionals: { least: 0, most: 0 },
  options: {},
  async run({ migrated, version }, _given, output) {
    const state =
      migrated.length === 0
        ? `Nothing to do: the tables are those of Tocsin ${version}.`
        : `Ran ${migrated.join(', ')}. The tables are those of Tocsin ${version}.`;
    await output.out(`${state}\n`);
  },
};
