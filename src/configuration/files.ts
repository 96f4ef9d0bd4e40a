import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import {
  loadConfiguration,
  type ConfigurationError,
  type ConfigurationFile,
  type ConfigurationReference,
  type LoadedConfiguration,
  type Place,
} from './load.ts';
import { MAX_FILE_BYTES } from './parse.ts';

export interface ReadOptions {
  /** Where references to variables find their values. An empty one counts as not set, as CI systems set what they lack. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Whether references may lead to files outside of the folder that the file which names them was found in. */
  allowsOutsideFiles?: boolean;
}

/** A file of a set, and the folder that the files it refers to are in. */
interface FoundFile {
  /** As errors show it: as it was named, or below the folder that was named. */
  name: string;
  folder: string;
}

const MAX_FILES = 1_000;
const MAX_TOTAL_BYTES = 4 * MAX_FILE_BYTES;
const MAX_SECRET_BYTES = 64 * 1024;
const MAX_DEPTH = 16;

/** A file or folder that can't be read; the message has no values of secrets. */
class FileRefused extends Error {
  readonly place: Partial<Place>;

  constructor(message: string, place: Partial<Place> = {}) {
    super(message);
    this.place = place;
  }
}

/**
 * Reads the set that files and folders describe, with the values of its secrets. Folders are read with all below them:
 * `*.yaml`, `*.yml` and `*.json`, in the order of their names, without names that begin with a dot. Never throws for what
 * is in them, or for what can't be read.
 */
export async function readConfiguration(
  names: readonly string[],
  options: ReadOptions,
): Promise<LoadedConfiguration | { errors: ConfigurationError[] }> {
  const errors: ConfigurationError[] = [];
  /** Runs a step, and notes why it failed. */
  async function attempt<Result>(place: Place, step: () => Promise<Result>) {
    try {
      return await step();
    } catch (error) {
      const at = error instanceof FileRefused ? error.place : {};
      errors.push({ ...place, ...at, message: sentenceOf(error) });
      return null;
    }
  }

  const found = new Map<string, FoundFile>();
  for (const name of names) {
    await attempt(startOf(name), async () => {
      for (const file of await filesAt(name)) {
        const real = await realpath(file.name);
        if (!found.has(real)) found.set(real, file);
        if (found.size > MAX_FILES)
          throw new FileRefused(`These are more than ${MAX_FILES} files.`);
      }
    });
  }
  const files: ConfigurationFile[] = [];
  let bytes = 0;
  for (const { name } of found.values()) {
    const text = await attempt(startOf(name), async () => {
      const content = await readLimited(name, MAX_FILE_BYTES);
      bytes += content.length;
      if (bytes > MAX_TOTAL_BYTES)
        throw new FileRefused(
          `The files up to this one have more than ${MAX_TOTAL_BYTES >> 20} MiB.`,
        );
      return textOf(content);
    });
    if (text === null) break;
    files.push({ name, text });
  }
  if (errors.length > 0) return { errors };

  const loaded = loadConfiguration(files);
  if ('errors' in loaded) return loaded;
  const folders = new Map([...found.values()].map(({ name, folder }) => [name, folder]));
  // A preset may bring one reference to many items.
  const values = new Map<Place, string | null>();
  for (const reference of loaded.references) {
    const { place, secret } = reference;
    if (!values.has(place)) {
      const folder = folders.get(place.file)!;
      values.set(place, await attempt(place, () => valueOf(reference, folder, options)));
    }
    const value = values.get(place)!;
    if (value !== null && value !== '') secret.value = value;
  }
  return errors.length > 0 ? { errors } : loaded;
}

function startOf(file: string): Place {
  return { file, line: 1, column: 1 };
}

async function filesAt(name: string): Promise<FoundFile[]> {
  const isFolder = (await stat(name)).isDirectory();
  if (!isFolder) return [{ name, folder: path.dirname(name) }];
  const found: string[] = [];
  await walk(name, await realpath(name), found, 0);
  if (found.length === 0) {
    throw new FileRefused('The folder has no files that end in .yaml, .yml or .json.');
  }
  return found.map((file) => ({ name: file, folder: name }));
}

async function walk(folder: string, root: string, found: string[], depth: number): Promise<void> {
  if (depth > MAX_DEPTH)
    throw new FileRefused(`Folders are more than ${MAX_DEPTH} deep.`, { file: folder });
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) await walk(file, root, found, depth + 1);
    if (!/\.(?:yaml|yml|json)$/i.test(entry.name) || entry.isDirectory()) continue;
    if (entry.isSymbolicLink() && !isInside(await realpath(file), root)) {
      throw new FileRefused('This link leads out of the folder. Put the file itself there.', {
        file,
      });
    }
    found.push(file);
    if (found.length > MAX_FILES)
      throw new FileRefused(`The folder has more than ${MAX_FILES} files.`);
  }
}

function isInside(file: string, folder: string): boolean {
  const way = path.relative(folder, file);
  return way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}

async function readLimited(file: string, limit: number): Promise<Buffer> {
  const { size } = await statFile(file);
  const content = size > limit ? null : await readFile(file);
  if (content === null || content.length > limit) {
    throw new FileRefused(`The file has more than ${limit >> 10} KiB.`);
  }
  return content;
}

/** @throws FileRefused for what has no end, such as a pipe, or is no file. */
async function statFile(file: string) {
  const found = await stat(file);
  if (!found.isFile()) throw new FileRefused('This is no file.');
  return found;
}

/** @throws FileRefused with the place of the first byte that is not UTF-8. */
function textOf(content: Buffer): string {
  const text = content.toString('utf8');
  const again = Buffer.from(text, 'utf8');
  if (again.equals(content)) return text;
  const at = again.findIndex((byte, index) => byte !== content[index]);
  const before = content.subarray(0, at).toString('utf8').split('\n');
  const place = { line: before.length, column: before.at(-1)!.length + 1 };
  throw new FileRefused('This is not UTF-8. Save the file as text in UTF-8.', place);
}

/** Value of a secret; null where there is none. */
async function valueOf(
  { kind, target, place }: ConfigurationReference,
  folder: string,
  { environment, allowsOutsideFiles = false }: ReadOptions,
): Promise<string | null> {
  if (kind === 'env') {
    return Object.hasOwn(environment, target) ? (environment[target] ?? null) : null;
  }
  const file = path.resolve(path.dirname(place.file), target);
  const real = await realpath(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  const inside =
    real === null ? isInside(file, path.resolve(folder)) : isInside(real, await realpath(folder));
  if (!inside && !allowsOutsideFiles) {
    throw new FileRefused(
      `The file ${JSON.stringify(target)} is outside of ${folder === '.' ? 'this folder' : folder}. Move it there; commands take it with --outside-files, too.`,
    );
  }
  if (real === null) return null;
  try {
    return textOf(await readLimited(real, MAX_SECRET_BYTES)).replace(/\r?\n$/, '');
  } catch (error) {
    // The place of a byte in the secret is none in the file that names it.
    throw error instanceof FileRefused
      ? new FileRefused(`The file ${JSON.stringify(target)} can't be read: ${error.message}`)
      : error;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'This does not exist.',
  EACCES: 'This may not be read by the user that runs this.',
  ENOTDIR: 'A part of this path is no folder.',
  ELOOP: 'This link leads in a circle.',
  ENAMETOOLONG: 'This path is too long.',
  EISDIR: 'This is a folder.',
};

function sentenceOf(error: unknown): string {
  if (error instanceof FileRefused) return error.message;
  const { code = '' } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? `This can't be read (${code === '' ? 'unknown error' : code}).`;
}
