// JavaScript on purpose: start.js imports it before anything may load the TypeScript compiler.
import { existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Creates a folder and the missing ones above it, as `mkdir -p` does. Node's recursive `mkdir` never returns where the
 * system answers that a folder is missing although the one above it is there, as below `/proc`.
 *
 * @param {string} folder
 * @param {number} mode permissions of new folders, before the umask; only their owner's by default
 * @returns {void}
 * @throws the error of the system, for the first folder that could not be created
 */
export function createFolder(folder, mode = 0o700) {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if (isFolder(folder)) return;
    const parent = path.dirname(folder);
    const isParentMissing = /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT';
    if (!isParentMissing || parent === folder || existsSync(parent)) throw error;
    createFolder(parent, mode);
    createFolder(folder, mode);
  }
}

/** @param {string} place */
function isFolder(place) {
  try {
    return statSync(place).isDirectory();
  } catch {
    return false;
  }
}
