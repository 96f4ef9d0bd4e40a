import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
/** Required room: four parallel test files with a few databases each use a tenth of it. */
const ROOM_BYTES = 2 * 1024 ** 3;

/**
 * Folder for temporary files of tests: in memory if the machine has such a folder with room (Linux), else the temporary
 * folder. Copying one Postgres database to disk takes seven times the CPU time.
 */
export const scratchFolder = (): string => (isRoomy(MEMORY) ? MEMORY : tmpdir());

function isRoomy(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    return false;
  }
}
