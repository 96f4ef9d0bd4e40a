import { constants } from 'node:fs';
import { access, chmod, copyFile, open } from 'node:fs/promises';
import { DataFolderError, lockDirectory } from '../store/database/process-lock.ts';
import { CommandError, type CommandInput } from './command.ts';

/** Files in the data folder. */
export const DATABASE_FILE = 'tocsin.db';
export const KEY_FILE = 'secret-key';
export const SOCKET_FILE = 'operator.sock';

export async function exists(file: string): Promise<boolean> {
  return access(file, constants.F_OK).then(
    () => true,
    () => false,
  );
}

/** @throws CommandError when the file exists, except with `--force`. */
export async function requireNewFile(file: string, { options }: CommandInput): Promise<void> {
  if (options['force'] === true || !(await exists(file))) return;
  throw new CommandError(`${file} exists already: choose another name, or add --force.`);
}

/** Syncs a file to disk, so that its content survives a loss of power. */
export async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Syncs the names in a folder to disk: files created, renamed or removed there. */
export function syncFolder(folder: string): Promise<void> {
  return syncFile(folder);
}

/** Copies a file so that only its owner can read it, and syncs it to disk. Overwrites the target. */
export async function copyPrivately(source: string, target: string): Promise<void> {
  await copyFile(source, target);
  await chmod(target, 0o600);
  await syncFile(target);
}

/** Locks the data folder. @throws CommandError with this message when another process holds the lock. */
export function lockFolder(dataDir: string, messageWhenHeld: string) {
  try {
    return lockDirectory(dataDir);
  } catch (error) {
    if (error instanceof DataFolderError && error.isHeld) throw new CommandError(messageWhenHeld);
    throw error;
  }
}
