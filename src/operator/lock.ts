import { DataFolderError } from '../store/database/process-lock.ts';

const SQLITE_BUSY = 5;

/** Whether somebody else holds the folder, rather than that it can't be locked at all. */
export function isLocked(error: unknown): boolean {
  if (!(error instanceof DataFolderError)) return false;
  const { errcode = 0 } = (error.cause ?? {}) as { errcode?: number };
  return errcode % 256 === SQLITE_BUSY;
}
