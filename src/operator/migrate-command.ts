import type { DatabaseCommand, OperatorContext } from './command.ts';

export const migrateCommand: DatabaseCommand = {
  name: 'migrate',
  usage: '',
  summary: 'Migrate the database to the version of this program.',
  details: [
    'Starting the server does the same; run it separately before several processes start.',
    'Make a backup first: an older version opens the tables of a newer one only if the migrations just added to them.',
    'The changelog names releases whose migrations do more, and migrate of the older version says whether it can.',
  ],
  positionals: { least: 0, most: 0 },
  options: {},
  async run(context, _given, output) {
    await output.out(`${stateOf(context)}\n`);
  },
};

function stateOf({ migrated, newer, version }: OperatorContext): string {
  if (newer.length > 0) {
    return `Nothing to do: the database is newer than Tocsin ${version}, which works with ${newer.join(', ')}.`;
  }
  return migrated.length === 0
    ? `Nothing to do: the database is at Tocsin ${version}.`
    : `Ran ${migrated.join(', ')}. The database is at Tocsin ${version}.`;
}
