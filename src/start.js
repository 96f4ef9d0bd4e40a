// JavaScript on purpose: a Node too old for TypeScript can't parse main.ts, but it can say so in one line.
import { storeCompiledModules } from './lib/compiled-modules.js';
import { createFolder } from './lib/create-folder.js';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`Tocsin needs Node 22.18 or newer; this is ${process.version}. Use "npm start".`);
  process.exit(1);
}
storeCompiledModules(createFolder);
await import('./main.ts');
