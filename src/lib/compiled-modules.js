import { accessSync, constants } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Lets Node store the modules that it compiled, beside the packages or else in the data folder. With them it starts in
 * half the time and does not load its TypeScript compiler, which would take 20 MiB in each process. Probe processes and
 * threads use the same folder, by the variable.
 *
 * @param {(folder: string) => void} [createFolder] without it only a folder that exists is used: a command may run as another
 * user than the server, which could not write to a folder of theirs.
 */
export function storeCompiledModules(createFolder) {
  if (process.env.NODE_COMPILE_CACHE) return;
  const beside = fileURLToPath(
    new URL('../../node_modules/.cache/tocsin-modules', import.meta.url),
  );
  const inData = path.resolve(process.env.DATA_DIR || 'data', 'modules');
  const folder = [beside, inData].find((one) => isWritable(one, createFolder));
  if (folder === undefined) return;
  module.enableCompileCache(folder);
  process.env.NODE_COMPILE_CACHE = folder;
}

/**
 * @param {string} folder
 * @param {((folder: string) => void) | undefined} createFolder
 */
function isWritable(folder, createFolder) {
  try {
    createFolder?.(folder);
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
