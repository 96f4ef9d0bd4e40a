import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createFolder } from '../../lib/create-folder.js';

/** The data folder can't be used. The message is a sentence that says what to do. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';

  get isHeld(): boolean {
    return isBusy(this.cause);
  }
}

/** Files of all locks held. Garbage collection closes a file that nothing refers to, and so would end its lock. */
const held = new Set<DatabaseSync>();

/**
 * Locks a data folder against a second server by an exclusive transaction on a small file, which lasts as long as the
 * process: the operating system ends it however the process ends. Throws DataFolderError when another server has locked it, or the folder can't be written.
 */
export function lockDirectory(directory: string) {
  const path = join(directory, 'lock.db');
  let file: DatabaseSync | null = null;
  try {
    createFolder(directory);
    file = new DatabaseSync(path, { timeout: 0 });
    file.exec('begin exclusive');
    const locked = file;
    held.add(locked);
    return {
      release() {
        held.delete(locked);
        if (locked.isOpen) locked.close();
      },
    };
  } catch (error) {
    if (file?.isOpen) file.close();
    throw new DataFolderError(sentence(directory, path, error), { cause: error });
  }
}

const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
  return ((error as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY;
}

function sentence(directory: string, path: string, error: unknown): string {
  if (isBusy(error)) {
    return (
      `Another Tocsin server is already running on ${directory}. ` +
      'Stop it first, or give this one another folder with DATA_DIR.'
    );
  }
  return (
    `The folder ${directory} can't hold the data: ${path} could not be locked (${(error as Error).message}). ` +
    'Check that the folder may be written by this user, or set DATA_DIR.'
  );
}
