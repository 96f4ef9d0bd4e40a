import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import {
  DatabaseFileError,
  copyDatabase,
  inspectDatabase,
  type FileSummary,
} from '../store/database/sqlite-file.ts';
import {
  CommandError,
  type CommandInput,
  type LocalCommand,
  type LocalContext,
} from './command.ts';
import {
  DATABASE_FILE,
  KEY_FILE,
  SOCKET_FILE,
  copyPrivately,
  exists,
  requireNewFile,
  syncFile,
  syncFolder,
} from './files.ts';

const OWN_FILES = [
  DATABASE_FILE,
  `${DATABASE_FILE}-wal`,
  `${DATABASE_FILE}-shm`,
  KEY_FILE,
  SOCKET_FILE,
  'lock.db',
];

export const backup: LocalCommand['run'] = async (context, given, output) => {
  if (context.databaseUrl !== null) throw new CommandError(POSTGRES_BACKUP);
  const file = path.resolve(given.positionals[0]!);
  const keyFile = `${file}.secret-key`;
  const key = await generatedKey(context);
  await validateTarget(context, file, given);
  if (key !== null) await validateKeyTarget(keyFile, key, given);
  const draft = `${file}.${context.randomBytes(6).toString('hex')}`;
  let summary: FileSummary;
  try {
    await createPrivateFile(draft);
    await copyDatabase(path.join(context.dataDir, DATABASE_FILE), draft);
    summary = inspectDatabase(draft);
    await syncFile(draft);
    // The key comes first, so that a backup under its final name is always readable.
    if (key !== null) {
      await copyPrivately(path.join(context.dataDir, KEY_FILE), `${draft}.key`);
      await rename(`${draft}.key`, keyFile);
    }
    await rename(draft, file);
    await syncFolder(path.dirname(file));
  } catch (error) {
    throw commandErrorOf(error, file);
  } finally {
    for (const rest of [draft, `${draft}-wal`, `${draft}-journal`, `${draft}.key`]) {
      await rm(rest, { force: true });
    }
  }
  const { size } = await stat(file);
  await output.out(`Backed up to ${file}: ${sizeText(size)}, ${countsOf(summary)}.\n`);
  await output.out(`${aboutKey(context, key === null ? null : keyFile)}\n`);
};

async function createPrivateFile(file: string): Promise<void> {
  await (await open(file, 'wx', 0o600)).close();
}

/** Formats a size, such as `104.2 MB`. */
function sizeText(bytes: number): string {
  return bytes < 1_000_000
    ? `${(bytes / 1_000).toFixed(1)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Formats a summary as `3 people, 1 team, 12 monitors and 4 incidents, at 0001-baseline`. */
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
    return `The secret key is beside it in ${keyFile}: keep both, and protect them.`;
  }
  return secretKeys.length > 0
    ? 'SECRET_KEY is set and not part of the backup: keep its value too, to read the stored secrets.'
    : 'No secret key was generated yet, so the backup has none.';
}

/** Content of the generated key file; null with SECRET_KEY, and before a key was generated. */
async function generatedKey({ secretKeys, dataDir }: LocalContext): Promise<string | null> {
  if (secretKeys.length > 0) return null;
  const file = path.join(dataDir, KEY_FILE);
  return (await exists(file)) ? readFile(file, 'utf8') : null;
}

async function validateTarget({ dataDir }: LocalContext, file: string, given: CommandInput) {
  const folder = path.dirname(file);
  if (!(await exists(folder)))
    throw new CommandError(`There is no folder ${folder}: create it first.`);
  if (!(await exists(path.join(dataDir, DATABASE_FILE)))) {
    throw new CommandError(
      `There is no database in ${dataDir}: set DATA_DIR to the server's folder.`,
    );
  }
  const isOwn =
    (await realpath(folder)) === (await realpath(dataDir)) &&
    OWN_FILES.includes(path.basename(file));
  if (isOwn) throw new CommandError(`${file} is a file of the server itself: choose another name.`);
  await requireNewFile(file, given);
}

/** Accepts an identical key, which an interrupted backup may have left. */
async function validateKeyTarget(keyFile: string, key: string, given: CommandInput): Promise<void> {
  if (given.options['force'] === true || !(await exists(keyFile))) return;
  if ((await readFile(keyFile, 'utf8')) === key) return;
  throw new CommandError(
    `${keyFile} exists already, with another key: choose another name for both.`,
  );
}

function commandErrorOf(error: unknown, file: string): unknown {
  if (error instanceof DatabaseFileError) {
    return new CommandError(`The backup failed: of the database ${error.message}.`);
  }
  const { errno, errcode, message } = error as Partial<NodeJS.ErrnoException & { errcode: number }>;
  const isFileError = errno !== undefined || errcode !== undefined;
  return isFileError ? new CommandError(`${file} could not be written (${message}).`) : error;
}

const POSTGRES_BACKUP =
  'This installation is on Postgres, which makes its own backups. Run this:\n\n' +
  '  pg_dump --format=custom --file=tocsin.dump "$DATABASE_URL"\n\n' +
  'Keep the value of SECRET_KEY too: it reads the stored secrets.';
