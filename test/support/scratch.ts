import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
/** Four test files at once, each with a few databases, take a tenth of it. */
const ROOM_BYTES = 2 * 1024 ** 3;

/**
 * Where tests keep files for a moment: in memory where the machine has such a folder with room (Linux), else in the
 * temporary folder. Copying one Postgres database to a disk and away takes seven times the CPU.
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
