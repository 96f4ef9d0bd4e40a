import { watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** Entries that are looked at; beyond them, changes are found when one of these changes. */
const MAX_ENTRIES = 5_000;
const MAX_DEPTH = 16;

/** Watches a folder as well as the system can: not all file systems tell of changes. @returns a function that ends it. */
export function watchFolder(folder: string, onChange: () => void): () => void {
  try {
    const watcher = watch(folder, { recursive: true, persistent: false }, () => onChange());
    // It may be replaced, or not be there yet: polling finds out.
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => {};
  }
}

/** Names, sizes and times of all that is in a folder, without names that begin with a dot. Never rejects. */
export async function signatureOf(folder: string): Promise<string> {
  const lines: string[] = [];

  async function walk(place: string, depth: number): Promise<void> {
    const entries = await readdir(place, { withFileTypes: true }).catch((error: Error) => error);
    if (entries instanceof Error) return void lines.push(`${place} ${entries.message}`);
    for (const { name } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (name.startsWith('.') || lines.length >= MAX_ENTRIES) continue;
      const file = path.join(place, name);
      // Of a link, what it leads to: that is how Kubernetes replaces files.
      const found = await stat(file).catch(() => null);
      lines.push(`${file} ${found?.ino} ${found?.size} ${found?.mtimeMs} ${found?.ctimeMs}`);
      if (found?.isDirectory() && depth < MAX_DEPTH) await walk(file, depth + 1);
    }
  }

  await walk(folder, 0);
  return lines.join('\n');
}
