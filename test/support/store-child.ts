/** A child process for tests that kill it, limit it or start two at once. It answers in lines on stdout. */
import { openDatabase, type DatabaseOptions } from '../../src/store/database/database.ts';
import { DatabaseUnavailable } from '../../src/store/database/errors.ts';
import { lockDirectory } from '../../src/store/database/process-lock.ts';

const [task, argument = ''] = process.argv.slice(2);

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Opens the database that the JSON argument names and prints the migrations that ran. */
async function open(): Promise<void> {
  const database = await openDatabase(JSON.parse(argument) as DatabaseOptions);
  say(JSON.stringify(database.migrated));
  await database.close();
}

/** Writes rows endlessly in concurrent transactions and prints the name of each committed one. */
async function write(): Promise<void> {
  const database = await openDatabase({ engine: 'sqlite', directory: argument });
  const writeOn = async (writer: number) => {
    for (let row = 0; ; row += 1) {
      const name = `${writer}-${row}`;
      await database.transaction((tx) =>
        tx.insertInto('setting').values({ name, value: name }).execute(),
      );
      say(name);
    }
  };
  await Promise.all([1, 2, 3, 4].map(writeOn));
}

/** Writes until the database is full, prints that, waits for a line on stdin and retries once. */
async function fill(): Promise<void> {
  const database = await openDatabase({ engine: 'sqlite', directory: argument });
  const keep = (name: string) =>
    database.transaction((tx) =>
      tx
        .insertInto('setting')
        .values({ name, value: 'x'.repeat(20_000) })
        .execute(),
    );
  let kept = 0;
  try {
    for (;;) {
      await keep(`row-${kept}`);
      kept += 1;
    }
  } catch (error) {
    say(JSON.stringify({ kept, unavailable: error instanceof DatabaseUnavailable }));
  }
  process.stdin.once('data', async () => {
    await keep('after');
    say('kept again');
    await database.close();
    process.exit();
  });
}

/** Holds the folder's lock until it is killed, or prints why it can't. */
function lock(): void {
  try {
    lockDirectory(argument);
    say('locked');
    setInterval(() => {}, 60_000);
  } catch (error) {
    say((error as Error).message);
  }
}

const tasks: Record<string, () => Promise<void> | void> = { open, write, fill, lock };
await tasks[task ?? '']!();
