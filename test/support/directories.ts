import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from './scratch.ts';

/** A resource for a test, and how it is removed afterwards. */
export interface Fresh {
  place: string;
  remove(): Promise<void>;
}

/** An empty folder, in memory if there is room, unless `place` is given. */
export async function freshDirectory(folder = scratchFolder()): Promise<Fresh> {
  const place = mkdtempSync(join(folder, 'tocsin-store-'));
  return { place, remove: async () => rmSync(place, { recursive: true, force: true }) };
}
