/**
 * `image-modules.ts ROOT`: starts the program in ROOT once and ends it, so that the modules it compiled lie in
 * NODE_COMPILE_CACHE. The folder of the image is read-only later, and belongs to the user that runs this.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

const root = path.resolve(process.argv[2]!);
const data = mkdtempSync(path.join(tmpdir(), 'tocsin-'));
// The same flags as later: what V8 compiled with others does not count.
const child = spawn(path.join(root, 'bin', 'tocsin'), ['start'], {
  cwd: root,
  env: { ...process.env, DATA_DIR: data, HOST: '127.0.0.1', PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = once(child, 'exit');
for await (const line of createInterface({ input: child.stdout }))
  if (line.includes('Tocsin is listening.')) child.kill('SIGTERM');
const [code] = (await ended) as [number | null];
rmSync(data, { recursive: true });
process.exitCode = code === 0 ? 0 : 1;
