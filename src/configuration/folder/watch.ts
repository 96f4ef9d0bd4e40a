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
    /**
     * Names, sizes and times of the folder, or the file, and all that is in it, without names that begin with a dot. Never
     * rejects.
     */
    async signature(): Promise<string> {
      const lines: string[] = [];
      const renewed: FSWatcher[] = [];

      async function look(place: string, depth: number): Promise<void> {
        // Of a link, what it leads to: that is how Kubernetes replaces files.
        const found = await stat(place).catch(() => null);
        lines.push(`${place} ${found?.ino} ${found?.size} ${found?.mtimeMs} ${found?.ctimeMs}`);
        const isWatched = depth === 0 || (found?.isDirectory() && depth <= MAX_DEPTH);
        if (!isWatched) return;
        // Before it is read, so that no change is missed in between.
        renewIn(renewed, place);
        const names = await readdir(place).catch(() => []);
        for (const name of names.toSorted()) {
          if (name.startsWith('.') || lines.length > MAX_ENTRIES) continue;
          await look(path.join(place, name), depth + 1);
        }
      }

      await look(folder, 0);
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
