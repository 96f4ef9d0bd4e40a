import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { freshDirectory } from '../support/directories.ts';

vi.setConfig({ testTimeout: 60_000 });

test('told to end, npm start ends the service in order, and not only itself', async () => {
  const { place, remove } = await freshDirectory();
  onTestFinished(remove);
  const npm = spawn('npm', ['start'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0', DATA_DIR: place },
  });
  onTestFinished(() => void npm.kill('SIGKILL'));
  let lines = '';
  npm.stderr.resume();
  npm.stdout.on('data', (chunk: Buffer) => (lines += chunk.toString()));
  const logged = (message: string) => expect.poll(() => lines).toContain(message);
  await logged('Tocsin is listening.');
  const url = /"url":"(http[^"]+)"/.exec(lines)?.[1];
  expect((await fetch(`${url}/healthz`)).status).toBe(200);

  const ended = once(npm, 'exit');
  npm.kill('SIGTERM');
  await logged('Tocsin has stopped.');
  await ended;
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
});
