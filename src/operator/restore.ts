import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { SecretUnreadable, createSecretBox } from '../lib/secret-box.ts';
import { lockDirectory } from '../store/database/process-lock.ts';
import {
  DatabaseFileError,
  anySealedText,
  foldLog,
  inspectDatabase,
  saysItHasLog,
} from '../store/database/sqlite-file.ts';
import { countsOf } from './backup.ts';
import { Refusal, type LocalCommand, type LocalContext } from './command.ts';
import {
  DATABASE_FILE,
  KEY_FILE,
  copySecretly,
  exists,
  stampOf,
  syncFile,
  syncFolder,
} from './files.ts';
import { isLocked } from './lock.ts';

/** Where the files of a restore wait until they take their places together. */
const STAGED = '.restoring';
/** While it is there, a restore has begun to put them there. Holds the stamp of what is kept. */
const MARKER = 'restore-pending';

export const restoreCommand: LocalCommand = {
  name: 'restore',
  usage: 'FILE',
  summary: 'Put a backup in the place of the database, while no server runs.',
  details: [
    'FILE is checked first, and must be of this version of Tocsin or an older one. The present database',
    'is kept beside it as tocsin.db.before-restore-TIME, and so is the secret key where FILE.secret-key',
    'replaces it. For Postgres it says which program of Postgres to run.',
  ],
  positionals: { least: 1, most: 1 },
  options: {},
  async run(context, given, output) {
    if (context.databaseUrl !== null) throw new Refusal(POSTGRES_RESTORE);
    const { dataDir } = context;
    const file = path.resolve(given.positionals[0]!);
    const lock = holdFolder(dataDir);
    try {
      await finishRestore(dataDir);
      await judgeSource(dataDir, file);
      const summary = await stageDatabase(dataDir, file);
      const { replacesKey, notes } = await stageKey(context, file);
      const stamp = stampOf(context.clock.now());
      foldIfPossible(path.join(dataDir, DATABASE_FILE));
      const hadDatabase = await exists(path.join(dataDir, DATABASE_FILE));
      const hadKey = await exists(path.join(dataDir, KEY_FILE));
      await begin(dataDir, stamp);
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
      throw new Refusal(`${file} can't be restored: ${error.message}. Nothing was changed.`);
    } finally {
      // Where it stands in for a beginning that was made, it has been emptied.
      if (!(await exists(path.join(dataDir, MARKER)))) await clearStaged(dataDir);
      lock.release();
    }
  },
};

/**
 * Brings a restore that was cut off to its end; without one it does nothing. For whoever holds the folder's lock,
 * before they open the database.
 */
export async function finishRestore(dataDir: string): Promise<void> {
  const marker = path.join(dataDir, MARKER);
  if (!(await exists(marker))) return;
  const stamp = (await readFile(marker, 'utf8')).trim();
  for (const step of restoreSteps(dataDir, stamp)) await step();
}

/**
 * What makes the staged files the present ones, each step safe to be done again: done up to any of them and then from
 * the first, they lead to the same. What is staged is moved last of its kind, and so tells whether it is still to do.
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

function keptName(name: string, stamp: string): string {
  return `${name}.before-restore-${stamp}`;
}

function holdFolder(dataDir: string) {
  try {
    return lockDirectory(dataDir);
  } catch (error) {
    if (!isLocked(error)) throw error;
    throw new Refusal(
      `A server runs on ${dataDir}: stop it first. A database is restored while nobody uses it.`,
    );
  }
}

async function judgeSource(dataDir: string, file: string): Promise<void> {
  if (!(await exists(file))) throw new Refusal(`There is no file ${file}.`);
  if (!(await stat(file)).isFile()) throw new Refusal(`${file} is no file.`);
  const present = path.join(dataDir, DATABASE_FILE);
  if ((await exists(present)) && (await realpath(file)) === (await realpath(present))) {
    throw new Refusal(`${file} is the present database itself.`);
  }
  const log = `${file}-wal`;
  if ((await exists(log)) && (await stat(log)).size > 0) {
    throw new Refusal(
      `${file} is not whole without ${log} beside it: it is a database in use, not a backup. Make one with "backup".`,
    );
  }
}

/** A copy of its own is judged, so that the backup is only ever read. */
async function stageDatabase(dataDir: string, file: string) {
  await clearStaged(dataDir);
  const staged = path.join(dataDir, DATABASE_FILE + STAGED);
  await copySecretly(file, staged);
  foldLog(staged);
  const summary = inspectDatabase(staged);
  await syncFile(staged);
  return summary;
}

/** The key that came with the backup, where a generated key is used; and what people must know of keys. */
async function stageKey(
  { dataDir, secretKeys }: LocalContext,
  file: string,
): Promise<{ replacesKey: boolean; notes: string[] }> {
  const present = path.join(dataDir, KEY_FILE);
  const given = `${file}.secret-key`;
  const [own, came] = await Promise.all([readKey(present), readKey(given)]);
  const usesGenerated = secretKeys.length === 0;
  const replacesKey = usesGenerated && came !== null && came !== own;
  if (replacesKey) await copySecretly(given, path.join(dataDir, KEY_FILE + STAGED));
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

/** Null when the keys open what is stored, or nothing is. */
function keyProblem(sealed: string | null, keys: string[]): string | null {
  if (sealed === null) return null;
  if (keys.length === 0) return 'The backup holds secrets, and there is no key for them.';
  try {
    createSecretBox(keys).open(sealed);
    return null;
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    return 'The secrets in the backup were sealed with another key.';
  }
}

/** A present database that is damaged is kept as it is, with its log. */
function foldIfPossible(file: string): void {
  try {
    if (saysItHasLog(file)) foldLog(file);
  } catch {
    // The steps keep the log apart.
  }
}

async function begin(dataDir: string, stamp: string): Promise<void> {
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
  'This installation is on Postgres, which restores its own backups. Stop all processes of Tocsin, then run this:\n\n' +
  '  pg_restore --clean --if-exists --no-owner --single-transaction --dbname="$DATABASE_URL" tocsin.dump\n\n' +
  "SECRET_KEY must hold the key of that time, else stored secrets can't be read.";
