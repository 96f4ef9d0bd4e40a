// JavaScript on purpose: a Node too old for TypeScript can't parse main.ts, but it can say so in one line.
import { accessSync, constants } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFolder } from './lib/create-folder.js';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`Tocsin needs Node 22.18 or newer; this is ${process.version}. Use "npm start".`);
  process.exit(1);
}
storeCompiledModules();
await import('./main.ts');

/**
 * Lets Node store the modules that it compiled, beside the packages or else in the data folder. With them it starts in
 * half the time and does not load its TypeScript compiler, which would take 20 MiB in each process. Probe processes and
 * threads use the same folder, by the variable.
 */
function storeCompiledModules() {
  if (process.env.NODE_COMPILE_CACHE) return;
  const beside = fileURLToPath(new URL('../node_modules/.cache/tocsin-modules', import.meta.url));
  const inData = path.resolve(process.env.DATA_DIR || 'data', 'modules');
  const folder = [beside, inData].find(isWritable);
  if (folder === undefined) return;
  module.enableCompileCache(folder);
  process.env.NODE_COMPILE_CACHE = folder;
}

/** @param {string} folder */
function isWritable(folder) {
  try {
    createFolder(folder);
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
