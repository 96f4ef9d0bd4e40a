import { readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseFileError, copyDatabase, inspectDatabase } from '../store/database/sqlite-file.ts';
import type { FileSummary } from '../store/database/sqlite-file.ts';
import { Refusal, type Given, type LocalCommand, type LocalContext } from './command.ts';
import {
  DATABASE_FILE,
  KEY_FILE,
  OWN_FILES,
  copySecretly,
  exists,
  makeEmpty,
  sizeText,
  syncFile,
  syncFolder,
} from './files.ts';

export const backupCommand: LocalCommand = {
  name: 'backup',
  usage: 'FILE [--force]',
  summary: 'Copy the database to FILE as it is at one moment, while the server runs.',
  details: [
    'The generated secret key goes along as FILE.secret-key: without it what monitors hold of secrets',
    "can't be read. FILE holds people's password hashes: keep it like a password. It is not overwritten",
    'without --force. For Postgres it says which program of Postgres to run.',
  ],
  positionals: { least: 1, most: 1 },
  options: { force: 'flag' },
  async run(context, given, output) {
    if (context.databaseUrl !== null) throw new Refusal(POSTGRES_BACKUP);
    const file = path.resolve(given.positionals[0]!);
    const keyFile = `${file}.secret-key`;
    const key = await generatedKey(context);
    await judgeTarget(context, file, given);
    if (key !== null) await judgeKeyTarget(keyFile, key, given);
    const draft = `${file}.${context.randomBytes(6).toString('hex')}`;
    let summary: FileSummary;
    try {
      await makeEmpty(draft);
      await copyDatabase(path.join(context.dataDir, DATABASE_FILE), draft);
      summary = inspectDatabase(draft);
      await syncFile(draft);
      // The key first: a copy that has its name can be read.
      if (key !== null) {
        await copySecretly(path.join(context.dataDir, KEY_FILE), `${draft}.key`);
        await rename(`${draft}.key`, keyFile);
      }
      await rename(draft, file);
      await syncFolder(path.dirname(file));
    } catch (error) {
      throw asRefusal(error, file);
    } finally {
      for (const rest of [draft, `${draft}-wal`, `${draft}-journal`, `${draft}.key`]) {
        await rm(rest, { force: true });
      }
    }
    const { size } = await stat(file);
    await output.out(`Backed up to ${file}: ${sizeText(size)}, ${countsOf(summary)}.\n`);
    await output.out(`${aboutKey(context, key === null ? null : keyFile)}\n`);
  },
};

/** `3 people, 1 team, 12 monitors and 4 incidents, at 0007-people`. */
export function countsOf(summary: FileSummary): string {
  const { people, teams, monitors, incidents, newestMigration } = summary;
  return (
    `${count(people, 'person', 'people')}, ${count(teams, 'team', 'teams')}, ` +
    `${count(monitors, 'monitor', 'monitors')} and ${count(incidents, 'incident', 'incidents')}, at ${newestMigration}`
  );
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

function aboutKey({ secretKeys }: LocalContext, keyFile: string | null): string {
  if (keyFile !== null) {
    return `The secret key is beside it in ${keyFile}: keep both, out of sight.`;
  }
  return secretKeys.length > 0
    ? 'SECRET_KEY is set and not part of it: keep its value too, since it reads the stored secrets.'
    : 'No secret key was generated yet, so none goes along.';
}

/** The key that was generated; null where SECRET_KEY stands for it, and where none was made yet. */
async function generatedKey({ secretKeys, dataDir }: LocalContext): Promise<string | null> {
  if (secretKeys.length > 0) return null;
  const file = path.join(dataDir, KEY_FILE);
  return (await exists(file)) ? readFile(file, 'utf8') : null;
}

async function judgeTarget({ dataDir }: LocalContext, file: string, given: Given): Promise<void> {
  const folder = path.dirname(file);
  if (!(await exists(folder))) throw new Refusal(`There is no folder ${folder}: make it first.`);
  if (!(await exists(path.join(dataDir, DATABASE_FILE)))) {
    throw new Refusal(`There is no database in ${dataDir}: set DATA_DIR to the server's folder.`);
  }
  const isOwn =
    (await realpath(folder)) === (await realpath(dataDir)) &&
    OWN_FILES.includes(path.basename(file));
  if (isOwn) throw new Refusal(`${file} is a file of the server itself: choose another name.`);
  if (given.options['force'] !== true && (await exists(file))) {
    throw new Refusal(`${file} is there already: choose another name, or add --force.`);
  }
}

/** Half of a former backup may have been left: a key that is the same does no harm. */
async function judgeKeyTarget(keyFile: string, key: string, given: Given): Promise<void> {
  if (given.options['force'] === true || !(await exists(keyFile))) return;
  if ((await readFile(keyFile, 'utf8')) === key) return;
  throw new Refusal(`${keyFile} is there already, with another key: choose another name for both.`);
}

function asRefusal(error: unknown, file: string): unknown {
  if (error instanceof DatabaseFileError) {
    return new Refusal(`The backup failed: of the database ${error.message}.`);
  }
  const { errno, errcode, message } = error as Partial<NodeJS.ErrnoException & { errcode: number }>;
  // Of the file system, or of SQLite.
  const isOfFiles = errno !== undefined || errcode !== undefined;
  return isOfFiles ? new Refusal(`${file} could not be written (${message}).`) : error;
}

const POSTGRES_BACKUP =
  'This installation is on Postgres, which makes its own backups. Run this:\n\n' +
  '  pg_dump --format=custom --file=tocsin.dump "$DATABASE_URL"\n\n' +
  'Keep the value of SECRET_KEY too: it reads the stored secrets.';
