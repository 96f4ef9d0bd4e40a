import { Closed } from '../../src/lib/group-commit.ts';
import type { Log } from '../../src/lib/log.ts';
import { DatabaseUnavailable } from '../../src/store/database/errors.ts';
import type { Story } from './story.ts';

/** The log of the process goes into the story. An error is a broken rule: there is nobody here who would mend it. */
export function createWorldLog(story: Story, violate: (rule: string) => void): Log {
  const write = (fields: object, message: string) => {
    const { error, ...rest } = fields as { error?: unknown };
    const reason = error === undefined ? '' : ` (${String(error)})`;
    story.add(`log: ${message}${reason} ${JSON.stringify(rest)}`);
  };
  const writeError = (fields: { error?: unknown }, message: string) => {
    write(fields, message);
    // The database is away now and then, also while the process stops; whatever else is an error is one of ours.
    const isExpected =
      fields.error instanceof DatabaseUnavailable || fields.error instanceof Closed;
    if (!isExpected) violate(`an error was logged: ${message}`);
  };
  return { debug: () => undefined, info: () => undefined, warn: write, error: writeError };
}
