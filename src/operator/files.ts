import { constants } from 'node:fs';
import { access, chmod, copyFile, open } from 'node:fs/promises';

/** Files in the data folder of a running server. */
export const DATABASE_FILE = 'tocsin.db';
export const KEY_FILE = 'secret-key';
export const SOCKET_FILE = 'operator.sock';
export const OWN_FILES = [
  DATABASE_FILE,
  `${DATABASE_FILE}-wal`,
  `${DATABASE_FILE}-shm`,
  KEY_FILE,
  SOCKET_FILE,
  'lock.db',
];

export async function exists(file: string): Promise<boolean> {
  return access(file, constants.F_OK).then(
    () => true,
    () => false,
  );
}

/** What was written to the file survives a loss of power from then on. */
export async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The same of the names in a folder: what was made, renamed or removed there. */
export function syncFolder(folder: string): Promise<void> {
  return syncFile(folder);
}

/** Copies a file so that only its owner can read it, and syncs it to disk. Overwrites the target. */
export async function copyPrivately(source: string, target: string): Promise<void> {
  await copyFile(source, target);
  await chmod(target, 0o600);
  await syncFile(target);
}

/** Creates an empty file that only its owner can read. */
export async function createPrivateFile(file: string): Promise<void> {
  await (await open(file, 'wx', 0o600)).close();
}

/** Formats a time for file names, such as `2026-11-21T143005Z`. */
export function fileTimestamp(now: number): string {
  return new Date(now).toISOString().replace(/\.\d+/, '').replaceAll(':', '');
}

/** Formats a size, such as `104.2 MB`. */
export function sizeText(bytes: number): string {
  return bytes < 1_000_000
    ? `${(bytes / 1_000).toFixed(1)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
