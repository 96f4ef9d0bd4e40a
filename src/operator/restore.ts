import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { keyIdOf, sealingKeyOf } from '../lib/secret-box.ts';
import {
  DatabaseFileError,
  anySealedText,
  foldLog,
  inspectDatabase,
  saysItHasLog,
} from '../store/database/sqlite-file.ts';
import { countsOf } from './backup.ts';
import { CommandError, type LocalCommand, type LocalContext } from './command.ts';
import {
  DATABASE_FILE,
  KEY_FILE,
  copyPrivately,
  exists,
  syncFile,
  syncFolder,
  lockFolder,
} from './files.ts';

const STAGED = '.restoring';
/** Marks a restore in progress; contains the timestamp of the files it keeps. */
const MARKER = 'restore-pending';

export const restore: LocalCommand['run'] = async (context, given, output) => {
  if (context.databaseUrl !== null) throw new CommandError(POSTGRES_RESTORE);
  const { dataDir } = context;
  const file = path.resolve(given.positionals[0]!);
  const lock = lockFolder(
    dataDir,
    `A server runs on ${dataDir}: stop it first. A restore needs exclusive access to the database.`,
  );
  try {
    await finishRestore(dataDir);
    await validateSource(dataDir, file);
    const summary = await stageDatabase(dataDir, file);
    const { replacesKey, notes } = await stageKey(context, file);
    const stamp = fileTimestamp(context.clock.now());
    foldIfPossible(path.join(dataDir, DATABASE_FILE));
    const hadDatabase = await exists(path.join(dataDir, DATABASE_FILE));
    const hadKey = await exists(path.join(dataDir, KEY_FILE));
    await writeMarker(dataDir, stamp);
    await finishRestore(dataDir);
    await output.out(`Restored ${file}: ${countsOf(summary)}.\n`);
    if (hadDatabase) {
      await output.out(
        `The former database is kept beside it as ${keptName(DATABASE_FILE, stamp)}.\n`,
      );
    }
    if (replacesKey && hadKey) {
      await output.out(
        `The former secret key is kept beside it as ${keptName(KEY_FILE, stamp)}.\n`,
      );
    }
    for (const note of notes) await output.note(note);
    await output.out(
      'Start the server now. Sessions and API tokens are those of the backup: what was revoked since is valid again.\n',
    );
  } catch (error) {
    if (!(error instanceof DatabaseFileError)) throw error;
    throw new CommandError(`${file} can't be restored: ${error.message}. Nothing was changed.`);
  } finally {
    // With a marker, the staged files are needed to finish the restore.
    if (!(await exists(path.join(dataDir, MARKER)))) await clearStaged(dataDir);
    lock.release();
  }
};

/**
 * Finishes an interrupted restore; does nothing without one. The caller holds the folder's lock and has not opened the
 * database.
 */
export async function finishRestore(dataDir: string): Promise<void> {
  const marker = path.join(dataDir, MARKER);
  if (!(await exists(marker))) return;
  const stamp = (await readFile(marker, 'utf8')).trim();
  for (const step of restoreSteps(dataDir, stamp)) await step();
}

/**
 * Steps that replace the present files by the staged ones. They are idempotent as a whole: interrupted after any step,
 * they can run again from the first. A staged file is moved last of its kind, so its presence says what is left to do.
 */
export function restoreSteps(dataDir: string, stamp: string): (() => Promise<void>)[] {
  const at = (name: string) => path.join(dataDir, name);
  const isStaged = (name: string) => exists(at(name + STAGED));
  const keep = async (name: string, suffix = '') => {
    const kept = at(keptName(name, stamp) + suffix);
    if (!(await isStaged(name)) || (await exists(kept))) return;
    if (await exists(at(name + suffix))) await rename(at(name + suffix), kept);
  };
  const replace = async (name: string) => {
    if (await isStaged(name)) await rename(at(name + STAGED), at(name));
  };
  return [
    () => keep(DATABASE_FILE, '-wal'),
    () => keep(DATABASE_FILE),
    async () => {
      if (await isStaged(DATABASE_FILE)) await rm(at(`${DATABASE_FILE}-shm`), { force: true });
    },
    () => replace(DATABASE_FILE),
    () => keep(KEY_FILE),
    () => replace(KEY_FILE),
    () => syncFolder(dataDir),
    () => rm(at(MARKER), { force: true }),
    () => syncFolder(dataDir),
  ];
}

/** Formats a time for file names, such as `2026-11-21T143005Z`. */
function fileTimestamp(now: number): string {
  return new Date(now).toISOString().replace(/\.\d+/, '').replaceAll(':', '');
}

function keptName(name: string, stamp: string): string {
  return `${name}.before-restore-${stamp}`;
}

async function validateSource(dataDir: string, file: string): Promise<void> {
  if (!(await exists(file))) throw new CommandError(`There is no file ${file}.`);
  if (!(await stat(file)).isFile()) throw new CommandError(`${file} is no file.`);
  const present = path.join(dataDir, DATABASE_FILE);
  if ((await exists(present)) && (await realpath(file)) === (await realpath(present))) {
    throw new CommandError(`${file} is the present database itself.`);
  }
  const log = `${file}-wal`;
  if ((await exists(log)) && (await stat(log)).size > 0) {
    throw new CommandError(
      `${file} is not whole without ${log} beside it: it is a database in use, not a backup. Make one with "backup".`,
    );
  }
}

/** Copies the backup and inspects the copy, so that the backup itself is never written. */
async function stageDatabase(dataDir: string, file: string) {
  await clearStaged(dataDir);
  const staged = path.join(dataDir, DATABASE_FILE + STAGED);
  await copyPrivately(file, staged);
  foldLog(staged);
  const summary = inspectDatabase(staged);
  await syncFile(staged);
  return summary;
}

/** Stages the key that came with the backup, unless SECRET_KEY is set. @returns notes about keys for the operator. */
async function stageKey({ dataDir, secretKeys }: LocalContext, file: string) {
  const present = path.join(dataDir, KEY_FILE);
  const given = `${file}.secret-key`;
  const [own, came] = await Promise.all([readKey(present), readKey(given)]);
  const usesGenerated = secretKeys.length === 0;
  const replacesKey = usesGenerated && came !== null && came !== own;
  if (replacesKey) await copyPrivately(given, path.join(dataDir, KEY_FILE + STAGED));
  const keys = usesGenerated ? [came ?? own].filter((key) => key !== null) : [...secretKeys];
  const problem = keyProblem(anySealedText(path.join(dataDir, DATABASE_FILE + STAGED)), keys);
  if (problem === null) return { replacesKey, notes: [] };
  const advice = usesGenerated
    ? `Put the key file of that time into ${present} before the server starts`
    : came === null
      ? 'Add the key of that time to SECRET_KEY, after a comma'
      : `Add the key in ${given} to SECRET_KEY, after a comma`;
  return { replacesKey, notes: [`${problem} ${advice}: without it stored secrets can't be read.`] };
}

async function readKey(file: string): Promise<string | null> {
  return (await exists(file)) ? (await readFile(file, 'utf8')).trim() : null;
}

/** Explains why the keys can't open a stored secret; null when they can, or none is stored. */
function keyProblem(sealed: string | null, keys: string[]): string | null {
  if (sealed === null) return null;
  if (keys.length === 0) return 'The backup holds secrets, and there is no key for them.';
  const key = sealingKeyOf(sealed);
  if (key !== null && keys.map(keyIdOf).includes(key)) return null;
  return 'The secrets in the backup were sealed with another key.';
}

/** Folds the log into the present database; a damaged database is kept as is, with its log. */
function foldIfPossible(file: string): void {
  try {
    if (saysItHasLog(file)) foldLog(file);
  } catch {
    // The restore keeps the log as a file of its own.
  }
}

async function writeMarker(dataDir: string, stamp: string): Promise<void> {
  const marker = path.join(dataDir, MARKER);
  const draft = `${marker}.draft`;
  await rm(draft, { force: true });
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${stamp}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, marker);
  await syncFolder(dataDir);
}

async function clearStaged(dataDir: string): Promise<void> {
  const database = path.join(dataDir, DATABASE_FILE + STAGED);
  const rest = [database, `${database}-wal`, `${database}-shm`, `${database}-journal`];
  for (const file of [...rest, path.join(dataDir, KEY_FILE + STAGED)]) {
    await rm(file, { force: true });
  }
}

const POSTGRES_RESTORE =
  'This installation is on Postgres, which restores its own backups. Stop all processes of Tocsin, then restore into a new ' +
  'database, and set DATABASE_URL to it:\n\n' +
  '  createdb --maintenance-db="$DATABASE_URL" --template=template0 --encoding=UTF8 tocsin_restored\n' +
  '  pg_restore --no-owner --exit-on-error --single-transaction --dbname="$RESTORED_URL" tocsin.dump\n\n' +
  "SECRET_KEY must hold the key of that time, else stored secrets can't be read. docs/operators.md has more.";
