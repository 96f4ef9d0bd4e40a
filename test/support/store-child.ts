/** A process of its own for tests that kill it, limit it or start two at once. Its lines on stdout are its answers. */
import { openDatabase, type DatabaseOptions } from '../../src/store/database/database.ts';
import { DatabaseUnavailable } from '../../src/store/database/errors.ts';
import { lockDirectory } from '../../src/store/database/process-lock.ts';

const [task, argument = ''] = process.argv.slice(2);

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Opens the database that the JSON argument names, and says which migrations it ran. */
async function open(): Promise<void> {
  const database = await openDatabase(JSON.parse(argument) as DatabaseOptions);
  say(JSON.stringify(database.migrated));
  await database.close();
}

/** Writes rows without end, many transactions at once, and says the name of each when it is kept. */
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

/** Writes until the database is full, says so, waits for a line on stdin and tries once more. */
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

/** Holds the folder's lock until it is killed, or says why it can't. */
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
