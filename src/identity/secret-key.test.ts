import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SecretKeyError, openSecretKey } from './secret-key.ts';

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'secret-key-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

function noMoreRandomness(): never {
  throw new Error('asked for randomness');
}

test('creates the folder and a key that only its owner can read', async () => {
  const folder = path.join(await temporaryFolder(), 'not', 'there');
  const key = await openSecretKey(folder, randomBytes);
  expect(Buffer.from(key, 'base64url')).toHaveLength(32);
  const { mode } = await stat(path.join(folder, 'secret-key'));
  expect(mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect(await readdir(folder)).toEqual(['secret-key']);
});

test('whatever the umask', async () => {
  const folder = await temporaryFolder();
  // Worker threads can't set it, hence a child.
  const module = new URL('./secret-key.ts', import.meta.url).href;
  const program = `import { openSecretKey } from ${JSON.stringify(module)};
    import { randomBytes } from 'node:crypto';
    process.umask(0o777);
    await openSecretKey(${JSON.stringify(folder)}, randomBytes);`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', program]);
  expect((await stat(path.join(folder, 'secret-key'))).mode & 0o777).toBe(0o600);
});

test('reads the same key back', async () => {
  const folder = await temporaryFolder();
  const key = await openSecretKey(folder, randomBytes);
  const stored = await readFile(path.join(folder, 'secret-key'), 'utf8');
  expect(stored).toBe(`${key}\n`);
  expect(await openSecretKey(folder, noMoreRandomness)).toBe(key);
});

test('concurrent starts get one key and leave nothing else behind', async () => {
  const folder = await temporaryFolder();
  const keys = await Promise.all(
    Array.from({ length: 20 }, () => openSecretKey(folder, randomBytes)),
  );
  expect(new Set(keys).size).toBe(1);
  expect(await readdir(folder)).toEqual(['secret-key']);
});

test('ignores a draft left by a crash', async () => {
  const folder = await temporaryFolder();
  await writeFile(path.join(folder, 'secret-key.0011223344556677'), 'half');
  const key = await openSecretKey(folder, randomBytes);
  expect(Buffer.from(key, 'base64url')).toHaveLength(32);
});

test.each(['', '\n', 'short\n'])('a file that holds %j is never replaced', async (content) => {
  const folder = await temporaryFolder();
  const file = path.join(folder, 'secret-key');
  await writeFile(file, content);
  await expect(openSecretKey(folder, randomBytes)).rejects.toThrow(/holds no secret key. Restore/);
  expect(await readFile(file, 'utf8')).toBe(content);
});

test('an unwritable folder is an error that says what to do', async () => {
  const folder = await temporaryFolder();
  const occupied = path.join(folder, 'file');
  await writeFile(occupied, '');
  await expect(openSecretKey(occupied, randomBytes)).rejects.toThrow(SecretKeyError);
  await expect(openSecretKey(occupied, randomBytes)).rejects.toThrow(/DATA_DIR|SECRET_KEY/);
  const key = path.join(folder, 'secret-key');
  await mkdir(key);
  await expect(openSecretKey(folder, randomBytes)).rejects.toThrow(/EISDIR/);
});
