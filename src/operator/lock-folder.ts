import {
  DataFolderError,
  lockDirectory,
  type ProcessLock,
} from '../store/database/process-lock.ts';
import { CommandError } from './command.ts';

const SQLITE_BUSY = 5;

/** Locks the data folder. @throws CommandError with this message when another process holds the lock. */
export function lockFolder(dataDir: string, messageWhenHeld: string): ProcessLock {
  try {
    return lockDirectory(dataDir);
  } catch (error) {
    if (isHeldByOther(error)) throw new CommandError(messageWhenHeld);
    throw error;
  }
}

function isHeldByOther(error: unknown): boolean {
  if (!(error instanceof DataFolderError)) return false;
  const { errcode = 0 } = (error.cause ?? {}) as { errcode?: number };
  return errcode % 256 === SQLITE_BUSY;
}
