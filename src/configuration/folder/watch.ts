import { watch, type FSWatcher } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** Entries that are looked at; beyond them, changes are found when one of these changes. */
const MAX_ENTRIES = 5_000;
const MAX_DEPTH = 16;

export type FolderWatch = ReturnType<typeof watchFolder>;

/**
 * Watches a folder and those in it, as well as the system can: not all file systems report changes. It begins with the
 * first signature, and each one renews it, as folders may be replaced.
 */
export function watchFolder(folder: string, onChange: () => void) {
  let watchers: FSWatcher[] = [];
  let isStopped = false;

  function renewIn(renewed: FSWatcher[], place: string): void {
    if (isStopped) return;
    try {
      // Not `recursive`: on Linux, that watches each file, and loses those that an editor replaces.
      const watcher = watch(place, { persistent: false }, () => onChange());
      renewed.push(watcher.on('error', () => watcher.close()));
    } catch {
      // It is not there yet, or there are too many: polling finds out.
    }
  }

  const end = () => {
    for (const watcher of watchers) watcher.close();
  };

  return {
    /** Names, sizes and times of all that is in the folder, without names that begin with a dot. Never rejects. */
    async signature(): Promise<string> {
      const lines: string[] = [];
      const renewed: FSWatcher[] = [];

      async function walk(place: string, depth: number): Promise<void> {
        // Before it is read, so that no change is missed in between.
        renewIn(renewed, place);
        const entries = await readdir(place, { withFileTypes: true }).catch(
          (error: Error) => error,
        );
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
      end();
      watchers = renewed;
      if (isStopped) end();
      return lines.join('\n');
    },
    stop() {
      isStopped = true;
      end();
    },
  };
}
