import { chmod, link, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { createFolder } from '../lib/create-folder.js';

const FILE_NAME = 'secret-key';
const KEY_BYTES = 32;
/** Minimum length of a key, as for SECRET_KEY. */
const MIN_KEY_LENGTH = 16;

/** The key file is unusable; the message says what to do. */
export class SecretKeyError extends Error {
  override readonly name = 'SecretKeyError';
}

/**
 * Reads the secret key of `dataDir/secret-key` (mode 0600), which it generates first if missing. Concurrent calls get
 * the same key, and a crash leaves a complete key or none. Throws SecretKeyError when the folder can't be written or the
 * file holds no key.
 */
export async function openSecretKey(dataDir: string, randomBytes: (size: number) => Buffer) {
  const file = path.join(dataDir, FILE_NAME);
  try {
    const present = await readKey(file);
    if (present !== null) return present;
    createFolder(dataDir);
    await createKey(file, randomBytes);
    const created = await readKey(file);
    if (created !== null) return created;
  } catch (error) {
    if (error instanceof SecretKeyError) throw error;
    throw new SecretKeyError(
      `The secret key ${file} can't be read or created (${(error as Error).message}). ` +
        'Make DATA_DIR a folder that this user may write, or set SECRET_KEY.',
      { cause: error },
    );
  }
  throw new SecretKeyError(`The secret key ${file} vanished while it was created.`);
}

async function readKey(file: string): Promise<string | null> {
  let text: string;
  try {
    text = (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
  if (text.length >= MIN_KEY_LENGTH) return text;
  throw new SecretKeyError(
    `${file} holds no secret key. Restore it from a backup: what it encrypted can't be read without it. ` +
      'Delete it only if nothing was stored yet.',
  );
}

/** Creates the key file atomically; never replaces an existing key. */
async function createKey(file: string, randomBytes: (size: number) => Buffer): Promise<void> {
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(`${randomBytes(KEY_BYTES).toString('base64url')}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // A strict umask may have removed the owner's own permissions.
    await chmod(draft, 0o600);
    await publish(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
  const folder = await open(path.dirname(file), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function publish(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file);
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (code === 'EEXIST') return;
    // Some file systems have no hard links; only there concurrent starts could create different keys.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(code)) throw error;
    await rename(draft, file);
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
