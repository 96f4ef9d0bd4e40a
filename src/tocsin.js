import { storeCompiledModules } from './lib/compiled-modules.js';

// JavaScript on purpose: a Node too old for TypeScript can't parse cli.ts, but it can say so in one line.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Tocsin needs Node 22.18 or newer; this is ${process.version}. Use "npm run tocsin -- help".`,
  );
  process.exit(1);
}
storeCompiledModules();
await import('./cli.ts');
