import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from './scratch.ts';

/** Something fresh for a test, and how it is removed after it. */
export interface Fresh {
  place: string;
  remove(): Promise<void>;
}

/** An empty folder; in memory where there is room, unless told otherwise. */
export async function freshDirectory(folder = scratchFolder()): Promise<Fresh> {
  const place = mkdtempSync(join(folder, 'tocsin-store-'));
  return { place, remove: async () => rmSync(place, { recursive: true, force: true }) };
}
