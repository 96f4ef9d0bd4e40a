import type { DatabaseCommand, OperatorContext } from './command.ts';

export const migrate: DatabaseCommand['run'] = async (context, _given, output) => {
  await output.out(`${stateOf(context)}\n`);
};

function stateOf({ migrated, newer, version }: OperatorContext): string {
  if (newer.length > 0) {
    return `Nothing to do: the database is newer than Tocsin ${version}, which works with ${newer.join(', ')}.`;
  }
  return migrated.length === 0
    ? `Nothing to do: the database is at Tocsin ${version}.`
    : `Ran ${migrated.join(', ')}. The database is at Tocsin ${version}.`;
}
