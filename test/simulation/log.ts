import { Closed } from '../../src/lib/group-commit.ts';
import type { Log } from '../../src/lib/log.ts';
import { DatabaseUnavailable } from '../../src/store/database/errors.ts';
import type { Story } from './story.ts';

/** Writes the log of the process into the story. An unexpected error violates a rule. */
export function createWorldLog(story: Story, violate: (rule: string) => void): Log {
  const write = (fields: object, message: string) => {
    const { error, ...rest } = fields as { error?: unknown };
    const reason = error === undefined ? '' : ` (${String(error)})`;
    story.add(`log: ${message}${reason} ${JSON.stringify(rest)}`);
  };
  const writeError = (fields: { error?: unknown }, message: string) => {
    write(fields, message);
    // The database is unavailable at times, also while the process stops; any other error is a bug.
    const isExpected =
      fields.error instanceof DatabaseUnavailable || fields.error instanceof Closed;
    if (!isExpected) violate(`an error was logged: ${message}`);
  };
  return { debug: () => undefined, info: () => undefined, warn: write, error: writeError };
}
